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
//! [`evaluate_pair`] compares two tables, whoever masked one of them. [`evaluate_job`] runs the whole experiment on one table. A release
//! that is asked to tells what it cost in its report.
//!
//! | file | question |
//! | --- | --- |
//! | `split` | Which records train, which test? |
//! | `learn` | How good is each learner? |
//! | `features` | What does a learner see of a column? |
//! | `pair` | What do two tables say? |
//! | `align` | Which of their records and columns belong together? |
//! | `experiment` | What does one table say, if it is masked? |
//! | `masking` | What would have been published of these records? |
//! | `release` | What did it cost a table that is being published? |
//!
//! What came of it is data of `cutline-report`.

mod align;
mod experiment;
mod features;
mod learn;
mod masking;
mod pair;
mod release;
mod split;

pub use cutline_report::{AttributeCost, Evaluation, FoldFigures, Measure, Part};
pub use experiment::{JobOptions, evaluate_job};
pub use learn::Learn;
pub use pair::{PairOptions, Tables, evaluate_pair};
pub(crate) use release::{Release, check};
pub use split::Split;

use cutline_arrow::parallel::MOST_THREADS;
use cutline_measure::classify::Fold;
use cutline_model::{Purpose, Requirement};

use crate::Error;

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

/// Runs the parallel parts on so many threads. Results do not depend on their number, so the shared ones will do.
fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    match rayon::ThreadPoolBuilder::new().num_threads(threads.min(MOST_THREADS)).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

/// The sizes of a fold.
fn part(fold: &Fold, suppressed: u64) -> Part {
    Part { train: fold.train.len() as u64, test: fold.test.len() as u64, suppressed }
}

/// The attribute that is predicted, if there is one and it is published as it is.
fn target<'a>(purpose: &'a Purpose, requirement: &Requirement) -> Result<&'a str, Error> {
    let Some(target) = purpose.target() else {
        return Err(Error::NotSaid {
            what: "nothing is said that a learner could predict".to_owned(),
            hint: "name an attribute with ‹target›",
        });
    };
    if requirement.attributes().contains(&target) {
        return Err(Error::Contradiction {
            what: format!("the target `{target}` is also in a QID, so it would be masked itself"),
            hint: "figures for a masked target cannot be compared with others; take it out of the QID".to_owned(),
        });
    }
    Ok(target)
}
