//! How much worse is a classifier that learns from the masked table?
//!
//! The papers tell the cost of masking by the error of C4.5 and of Naive Bayes: once on the raw table, once on the masked
//! one, once without the masked attributes. Here are these learners, two for numeric targets, and what is needed to compare.
//!
//! | items | question |
//! | --- | --- |
//! | [`Instances`], [`InstancesBuilder`] | What does a learner see? |
//! | [`C45`] | C4.5 release 8, decision by decision as Weka's J48 takes them |
//! | [`NaiveBayes`] | nominal with Laplace's correction, numeric by Gauss or by Fayyad and Irani's intervals |
//! | [`RegressionTree`], [`LinearRegression`] | the same for a numeric target |
//! | [`error_rate`], [`stratified_folds`], [`cross_validate`], [`r_squared`] | How good is a model? |
//!
//! Training is a pure function of the table and the options. Threads share work by column, and each column's figures are
//! summed in row order, so the model does not depend on their number.
//!
//! ```
//! use cutline_measure::classify::{C45, Classifier, InstancesBuilder, FeatureKind, error_rate};
//!
//! let table = InstancesBuilder::new()
//!     .column("shape", FeatureKind::Nominal, ["round", "round", "long", "long"].map(Some))?
//!     .classes(["apple", "apple", "pear", "pear"].map(Some))?;
//! let (train, test) = table.split_at(4);
//! let model = C45::default().train(&train);
//! assert_eq!(error_rate(&*model, &train), 0.0);
//! assert_eq!(test.len(), 0);
//! # Ok::<(), cutline_measure::classify::ClassifyError>(())
//! ```

mod bayes;
mod builder;
mod c45;
mod error;
mod evaluate;
mod instances;
mod normal;
mod regression;
mod tolerance;

pub use bayes::{BayesModel, NaiveBayes, NumericEstimate, mdl_cuts};
pub use builder::{FeatureKind, InstancesBuilder};
pub use c45::{C45, Confidence, Pruning, Tree};
pub use error::ClassifyError;
pub use evaluate::{Fold, cross_validate, error_rate, errors, stratified_folds};
pub use instances::{Classes, Column, Domain, Feature, Instances, Labels, MISSING, Values};
pub use regression::{
    LinearModel, LinearRegression, RegressionModel, RegressionTree, RegressionTreeModel, Regressor, r_squared,
};

/// A learner of classes, with its options.
pub trait Classifier: Sync {
    /// Learns from every row of the table.
    fn train(&self, rows: &Instances) -> Box<dyn Model>;
}

/// What a [`Classifier`] learned.
///
/// A model is asked about rows of a table that has the columns of the table it was trained on: both come from one
/// [`InstancesBuilder`], by [`Instances::select`] or [`Instances::split_at`], and so share their codes.
pub trait Model: Send + Sync {
    /// The probability of every class for one row. They add up to 1.
    fn distribution(&self, rows: &Instances, row: usize) -> Vec<f64>;

    /// The most probable class; of equally probable ones, the first.
    fn predict(&self, rows: &Instances, row: usize) -> u32 {
        tolerance::first_largest(&self.distribution(rows, row)) as u32
    }
}
