//! The same question for a numeric target: how much of its variance does a model still explain?

mod linear;
mod tree;

use super::{Instances, Values};
pub use linear::{LinearModel, LinearRegression};
pub use tree::{RegressionTree, RegressionTreeModel};

/// A learner of numbers, with its options.
pub trait Regressor: Sync {
    /// Learns from every row of the table.
    fn train(&self, rows: &Instances<Values>) -> Box<dyn RegressionModel>;
}

/// What a [`Regressor`] learned. It is asked about rows of tables with the columns it was trained on.
pub trait RegressionModel: Send + Sync {
    /// The expected target of a row.
    fn predict(&self, rows: &Instances<Values>, row: usize) -> f64;
}

/// The share of the target's variance on a test part that the model explains: 1 is perfect, 0 as good as always saying
/// the test part's mean, less is worse. NaN if the target does not vary.
pub fn r_squared(model: &dyn RegressionModel, test: &Instances<Values>) -> f64 {
    let targets = test.labels.as_slice();
    let mean = mean(targets.iter().copied());
    let residual: f64 =
        targets.iter().enumerate().map(|(row, target)| (target - model.predict(test, row)).powi(2)).sum();
    let total: f64 = targets.iter().map(|target| (target - mean).powi(2)).sum();
    if total > 0.0 { 1.0 - residual / total } else { f64::NAN }
}

/// The mean, 0 of nothing.
fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = numbers.fold((0.0, 0.0), |(count, sum), number| (count + 1.0, sum + number));
    if count > 0.0 { sum / count } else { 0.0 }
}
