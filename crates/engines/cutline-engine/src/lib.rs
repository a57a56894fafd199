//! Where are the records? Sources, sinks, compress and rewrite on Apache Arrow.
//!
//! | module | question |
//! | --- | --- |
//! | [`Engine`] | What are the two passes over the records? |
//! | [`Embedded`] | How do they run in this process? (`compress`, `rewrite`, [`profile`]) |
//! | [`Derive`] | Which label has a record that no column holds? |
//! | [`Records`] | How is a whole table held in memory? |
//! | [`Sample`] | What do some of the records look like? |
//! | `cells` | What does a cell say, and which cells say the same? |
//! | [`source`] | Where do records come from? |
//! | [`sink`] | Where do records go to? |
//! | [`parallel`] | How do all cores work on one stream while its order is kept? |
//! | [`error`] | What can go wrong, and who can put it right? |

mod cells;
mod compress;
mod derive;
mod embedded;
mod engine;
pub mod error;
mod files;
pub mod parallel;
mod pass;
pub mod profile;
mod rare;
mod records;
mod rewrite;
mod sample;
pub mod sink;
pub mod source;

pub use cells::CellReader;
pub use derive::{Derive, DerivedColumn, DerivedOutput};
pub use embedded::Embedded;
pub use engine::{
    CompressPlan, Engine, Output, OutputColumn, RareLabels, RewritePlan, Rewritten, SuppressPlan, Treatment, Unwatched,
    Watch,
};
pub use error::EngineError;
pub use records::{Records, RecordsPlan};
pub use sample::{Sample, SampleColumn, SamplePlan};
