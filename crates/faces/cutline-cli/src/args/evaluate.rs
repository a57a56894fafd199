//! What to measure.

use clap::{Args, ValueEnum};
use cutline::model::Share;

use crate::commands::evaluate;
use crate::settings::{Evaluating, Said};

#[derive(Args, Debug)]
#[command(after_help = EVALUATE, mut_arg("qid", |qid| qid.value_parser(evaluate::qid).help(EVALUATE_QID)))]
pub(crate) struct EvaluateArgs {
    /// The raw table; by itself, a spec (.toml) or a table to be masked as the flags say
    #[arg(value_name = "RAW | SPEC.toml | DATA")]
    pub(crate) input: String,
    /// A masked table with the same records in the same order, or a release
    #[arg(conflicts_with_all = ["together", "taxonomy", "range", "algorithm", "max-steps", "time-limit", "metric", "cost"])]
    pub(crate) masked: Option<String>,
    #[command(flatten)]
    pub(crate) split: SplitArgs,
    /// What learns, if the target is a class
    #[arg(long, value_enum, default_value = "both")]
    pub(crate) classifier: ClassifierArg,
    /// Mask training and test records together, then divide them
    #[arg(long)]
    pub(crate) together: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Compare so many clusters of the raw table with as many of the masked one
    #[arg(long, value_name = "N", help_heading = "Clusters")]
    pub(crate) clusters: Option<u32>,
    #[command(flatten)]
    pub(crate) settings: Said<Evaluating>,
}

const EVALUATE: &str = "\
baseline: learned from and tested on the raw table; masked: on the masked one; removed: on the raw one without the masked \
attributes. With two tables, the masked attributes are the columns that differ, or those of --qid. With one table, every \
training part is masked by itself and the recoding applied to the test part. Nothing is published.";

const EVALUATE_QID: &str =
    "A QID and its k, as in age,sex,zip:10; with two tables, the names of masked attributes; repeat for several";

/// Which records train, which test. Without any of these a third of the records tests.
#[derive(Args, Debug, Default)]
pub(crate) struct SplitArgs {
    /// The first N records train, the others test
    #[arg(long, value_name = "N", group = "split")]
    pub(crate) train_records: Option<usize>,
    /// A random share of the records tests, as in 1/3 or 20% [default: 1/3]
    #[arg(long, value_name = "SHARE", group = "split", value_parser = evaluate::share)]
    pub(crate) holdout: Option<Share>,
    /// Cross-validation with N folds
    #[arg(long, value_name = "N", group = "split")]
    pub(crate) folds: Option<usize>,
    /// A raw table to test with: all records of RAW train
    #[arg(long, value_name = "RAW_TEST", group = "split", requires = "masked", requires = "masked_test")]
    pub(crate) test: Option<String>,
    /// The same table masked
    #[arg(long, value_name = "MASKED_TEST", requires = "test")]
    pub(crate) masked_test: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ClassifierArg {
    /// C4.5 and Naive Bayes
    Both,
    #[value(name = "c4.5")]
    C45,
    NaiveBayes,
}
