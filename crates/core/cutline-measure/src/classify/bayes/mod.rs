//! Naive Bayes: the columns are taken as independent of each other within a class.
//!
//! Nominal columns by counts with Laplace's correction; numeric ones by a normal distribution for each class, or by counts
//! of Fayyad and Irani's intervals. Figures are those of Weka's `NaiveBayes`. Missing values, in training and in
//! prediction, are left out: the product is taken over the columns whose value is known.

mod discretize;
mod gaussian;

use rayon::prelude::*;

use super::{Classifier, Column, Domain, Instances, MISSING, Model};
pub use discretize::mdl_cuts;
use gaussian::Gaussian;

/// A column never says that a class is impossible, only that it is this improbable (Weka's value).
const LEAST: f64 = 1e-75;

/// How numeric columns are seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NumericEstimate {
    /// As normally distributed within a class.
    #[default]
    Gaussian,
    /// As nominal, by the intervals of [`mdl_cuts`]. A column without cuts is left out.
    Intervals,
}

/// The learner and its options.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NaiveBayes {
    /// How numeric columns are seen.
    pub numeric: NumericEstimate,
}

impl NaiveBayes {
    /// Learns from every row of the table.
    pub fn model(&self, rows: &Instances) -> BayesModel {
        let classes = rows.labels.names.len();
        let mut counts = vec![0.0; classes];
        for &class in &rows.labels.codes {
            counts[class as usize] += 1.0;
        }
        let columns = (0..rows.columns.len()).into_par_iter().map(|column| self.likelihood(rows, column)).collect();
        BayesModel { prior: laplace(&counts), columns }
    }

    fn likelihood(&self, rows: &Instances, column: usize) -> Likelihood {
        let classes = &rows.labels;
        match (&rows.columns[column], &rows.features[column].domain) {
            (Column::Nominal(codes), Domain::Nominal(values)) => {
                Likelihood::Values(Table::count(codes.iter().copied(), values.len(), classes))
            }
            (Column::Numeric(values), _) => match self.numeric {
                NumericEstimate::Gaussian => Likelihood::Normal(gaussian::fit(values, classes)),
                NumericEstimate::Intervals => {
                    let cuts = mdl_cuts(values, classes);
                    let codes = values.iter().map(|&value| interval(&cuts, value));
                    let table = Table::count(codes, cuts.len() + 1, classes);
                    Likelihood::Intervals { cuts, table }
                }
            },
            _ => unreachable!("the builder checked the domain"),
        }
    }
}

impl Classifier for NaiveBayes {
    fn train(&self, rows: &Instances) -> Box<dyn Model> {
        Box::new(self.model(rows))
    }
}

/// What a column says about the classes.
#[derive(Debug, Clone, PartialEq)]
enum Likelihood {
    Values(Table),
    Intervals { cuts: Vec<f64>, table: Table },
    Normal(Vec<Gaussian>),
}

impl Likelihood {
    /// Multiplies the probability of the row's value into every class; as logarithms, or many columns would give 0.
    fn add(&self, column: &Column, row: usize, logs: &mut [f64]) {
        match (self, column) {
            (Self::Values(table), Column::Nominal(codes)) => table.add(codes[row], logs),
            (Self::Intervals { cuts, table }, Column::Numeric(values)) => table.add(interval(cuts, values[row]), logs),
            (Self::Normal(normals), Column::Numeric(values)) => {
                if !values[row].is_nan() {
                    for (log, normal) in logs.iter_mut().zip(normals) {
                        *log += normal.probability(values[row]).max(LEAST).ln();
                    }
                }
            }
            _ => unreachable!("the columns are those of the training table"),
        }
    }
}

/// Log probabilities of the values within each class: `logs[value * classes + class]`.
#[derive(Debug, Clone, PartialEq)]
struct Table {
    classes: usize,
    logs: Vec<f64>,
}

impl Table {
    fn count(codes: impl Iterator<Item = u32>, values: usize, labels: &super::Classes) -> Self {
        let classes = labels.names.len();
        let mut counts = vec![vec![0.0; values]; classes];
        for (code, &class) in codes.zip(&labels.codes) {
            if code != MISSING {
                counts[class as usize][code as usize] += 1.0;
            }
        }
        let shares: Vec<Vec<f64>> = counts.iter().map(|counts| laplace(counts)).collect();
        let logs = (0..values).flat_map(|value| shares.iter().map(move |share| share[value].max(LEAST).ln())).collect();
        Self { classes, logs }
    }

    fn add(&self, code: u32, logs: &mut [f64]) {
        if code != MISSING {
            let start = code as usize * self.classes;
            for (log, value) in logs.iter_mut().zip(&self.logs[start..]) {
                *log += value;
            }
        }
    }
}

/// What [`NaiveBayes`] learned.
#[derive(Debug, Clone, PartialEq)]
pub struct BayesModel {
    prior: Vec<f64>,
    columns: Vec<Likelihood>,
}

impl Model for BayesModel {
    fn distribution(&self, rows: &Instances, row: usize) -> Vec<f64> {
        let mut logs: Vec<f64> = self.prior.iter().map(|share| share.ln()).collect();
        for (likelihood, column) in self.columns.iter().zip(&rows.columns) {
            likelihood.add(column, row, &mut logs);
        }
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = logs.iter().map(|log| (log - largest).exp()).collect();
        let total: f64 = shares.iter().sum();
        shares.iter().map(|share| share / total).collect()
    }
}

/// Shares with Laplace's correction: as if every value had been seen once more.
fn laplace(counts: &[f64]) -> Vec<f64> {
    let total = counts.iter().sum::<f64>() + counts.len() as f64;
    counts.iter().map(|count| (count + 1.0) / total).collect()
}

/// The interval of a number: how many cuts are below it.
fn interval(cuts: &[f64], value: f64) -> u32 {
    if value.is_nan() { MISSING } else { cuts.partition_point(|&cut| cut < value) as u32 }
}
