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
//! [`evaluate_pair`] compares two tables, whoever masked one of them. [`evaluate_job`] runs the whole experiment on one table.
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
//! | `evaluation` | What came of it? |

mod align;
mod evaluation;
mod experiment;
mod features;
mod learn;
mod masking;
mod pair;
mod split;

pub use evaluation::{AttributeCost, Evaluation, Figures, Measure, Part};
pub use experiment::{JobOptions, evaluate_job};
pub use learn::Learn;
pub use pair::{PairOptions, Tables, evaluate_pair};
pub use split::Split;

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
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}
