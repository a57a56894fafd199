//! How good is a classifier?

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::{Classes, Classifier, ClassifyError, Instances, Labels, Model};

/// Rows a table is divided into, once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// Rows to learn from, in rising order.
    pub train: Vec<usize>,
    /// Rows to test with, in rising order.
    pub test: Vec<usize>,
}

/// How many rows of a test part the model gets wrong.
pub fn errors(model: &dyn Model, test: &Instances) -> usize {
    let wrong = |row: &usize| model.predict(test, *row) != test.labels.codes[*row];
    (0..test.len()).into_par_iter().filter(wrong).count()
}

/// The share of rows the model gets wrong; NaN if there are no rows.
pub fn error_rate(model: &dyn Model, test: &Instances) -> f64 {
    errors(model, test) as f64 / test.len() as f64
}

/// Deals rows into folds at random, with each class in proportion.
///
/// Sizes of folds, and the rows of a class in them, differ by one at most. The same seed gives the same folds.
pub fn stratified_folds(classes: &Classes, folds: usize, seed: u64) -> Result<Vec<Fold>, ClassifyError> {
    let rows = classes.count();
    if folds < 2 || folds > rows {
        return Err(ClassifyError::Folds { folds, rows });
    }
    let mut by_class: Vec<Vec<usize>> = vec![Vec::new(); classes.names.len()];
    for (row, &class) in classes.codes.iter().enumerate() {
        by_class[class as usize].push(row);
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    by_class.iter_mut().for_each(|rows| rows.shuffle(&mut random));

    // Dealt like cards, the next class where the last one ended, so that no fold gets every remainder.
    let mut fold_of = vec![0; rows];
    for (turn, row) in by_class.into_iter().flatten().enumerate() {
        fold_of[row] = turn % folds;
    }
    let fold = |fold| {
        let (test, train) = (0..rows).partition(|&row| fold_of[row] == fold);
        Fold { train, test }
    };
    Ok((0..folds).map(fold).collect())
}

/// The error rate over all folds: every fold's test rows are predicted by what was learned from its training rows.
pub fn cross_validate(classifier: &dyn Classifier, rows: &Instances, folds: &[Fold]) -> f64 {
    let wrong = |fold: &Fold| errors(&*classifier.train(&rows.select(&fold.train)), &rows.select(&fold.test));
    let wrong: usize = folds.par_iter().map(wrong).sum();
    wrong as f64 / folds.iter().map(|fold| fold.test.len()).sum::<usize>() as f64
}
