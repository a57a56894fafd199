//! What did masking cost?
//!
//! The papers tell it by a learner's figure on the same records three times:
//!
//! | figure | learns from and is tested on |
//! | --- | --- |
//! | baseline | the raw table |
//! | masked | the masked table |
//! | removed | the raw table without the masked attributes |
//!
//! *Masked* less *baseline* is what masking cost. *Removed* less *masked* is what masking saved: not to publish the attributes at
//! all is the alternative that always satisfies the requirement.
//!
//! [`evaluate_pair`] compares two tables, whoever masked one of them. [`evaluate_job`] runs the whole experiment on one table. [`evaluated`]
//! lets the report of a draft tell what it costs.
//!
//! | file | question |
//! | --- | --- |
//! | `split` | Which records train, which test? |
//! | `learn` | How good is each learner? |
//! | `features` | What does a learner see of a column? |
//! | `repeats` | Does a column repeat the target? |
//! | `pair` | What do two tables say? |
//! | `align` | Which of their records and columns belong together? |
//! | `experiment` | What does one table say, if it is masked? |
//! | `masking` | What would have been published of these records? |
//! | `release` | What would it cost a draft? |
//! | `tune` | Which search costs least? |
//!
//! What came of it is data of `cutline-report`.

mod align;
mod experiment;
mod features;
mod learn;
mod masking;
mod pair;
mod release;
mod repeats;
mod split;
mod tune;

pub use cutline_report::{AttributeCost, Evaluation, FoldFigures, Measure, Part};
pub use experiment::{JobOptions, evaluate_job};
pub use learn::Learn;
pub use pair::{PairOptions, Tables, evaluate_pair};
pub use release::{evaluated, of_draft};
pub use split::Split;
pub use tune::tuned;

use cutline_measure::classify::Fold;

/// How the cost is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measuring {
    /// Which records train and which test.
    pub split: Split,
    /// Decides what is random about the split.
    pub seed: u64,
    /// Which classifiers learn.
    pub learn: Learn,
}

/// The sizes of a fold.
fn part(fold: &Fold, suppressed: u64) -> Part {
    Part { train: fold.train.len() as u64, test: fold.test.len() as u64, suppressed }
}
