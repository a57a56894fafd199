//! Classifiers and regression: worked examples, guarantees, and the data sets of the papers.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod bayes;
mod c45;
mod data;
mod datasets;
mod evaluation;
mod golf;
mod instances;
mod properties;
mod regression;
