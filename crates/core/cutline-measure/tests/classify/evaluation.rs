//! Error rates and folds.

use cutline_measure::classify::{
    C45, Classifier, ClassifyError, Fold, cross_validate, error_rate, errors, stratified_folds,
};
use proptest::prelude::*;

use crate::data::nominal;

#[test]
fn errors_are_the_rows_with_another_class() {
    let rows = [vec![["x", "A"]; 6], vec![["y", "B"]; 5], vec![["y", "A"]]].concat();
    let table = nominal(&["column"], &rows);
    let model = C45::default().train(&table);
    assert_eq!(errors(&*model, &table), 1);
    assert_eq!(error_rate(&*model, &table), 1.0 / 12.0);
    assert!(error_rate(&*model, &table.select(&[])).is_nan());
}

/// Each fold has one of five `x` and one of five `y`: all are learned.
#[test]
fn cross_validation_predicts_every_row_once() {
    let rows = [[["x", "A"]; 5], [["y", "B"]; 5]].concat();
    let table = nominal(&["column"], &rows);
    let folds = stratified_folds(table.labels(), 5, 1).unwrap();
    assert_eq!(cross_validate(&C45::default(), &table, &folds), 0.0);
    let bare = table.without(&["column"]).unwrap();
    assert_eq!(cross_validate(&C45::default(), &bare, &folds), 0.5);
}

#[test]
fn impossible_folds_are_refused() {
    let table = nominal(&["column"], &[["x", "A"], ["y", "B"]]);
    for folds in [0, 1, 3] {
        let refused = Err(ClassifyError::Folds { folds, rows: 2 });
        assert_eq!(stratified_folds(table.labels(), folds, 0), refused);
    }
}

proptest! {
    #[test]
    fn folds_part_the_rows_and_every_class_evenly(
        classes in proptest::collection::vec(0..4usize, 10..80), count in 2..10usize, seed in any::<u64>(),
    ) {
        let rows: Vec<_> = classes.iter().map(|&class| ["x", ["A", "B", "C", "D"][class]]).collect();
        let table = nominal(&["column"], &rows);
        let folds = stratified_folds(table.labels(), count, seed).unwrap();
        prop_assert_eq!(&folds, &stratified_folds(table.labels(), count, seed).unwrap());
        prop_assert_eq!(folds.len(), count);
        let mut tested: Vec<usize> = folds.iter().flat_map(|fold| fold.test.iter().copied()).collect();
        tested.sort_unstable();
        prop_assert!(tested.into_iter().eq(0..rows.len()));
        for Fold { train, test } in &folds {
            prop_assert_eq!(train.len() + test.len(), rows.len());
            prop_assert!(train.iter().all(|row| !test.contains(row)));
        }
        let spread = |sizes: Vec<usize>| sizes.iter().max().unwrap() - sizes.iter().min().unwrap();
        prop_assert!(spread(folds.iter().map(|fold| fold.test.len()).collect()) <= 1);
        for class in 0..4 {
            let of_class = |fold: &Fold| fold.test.iter().filter(|&&row| classes[row] == class).count();
            prop_assert!(spread(folds.iter().map(of_class).collect()) <= 1);
        }
    }
}
