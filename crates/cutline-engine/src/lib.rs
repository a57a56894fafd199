//! Where are the records? Sources, sinks, compress and rewrite on Apache Arrow.
//!
//! | module | question |
//! | --- | --- |
//! | [`Engine`] | What are the two passes over the records? |
//! | [`Embedded`] | How do they run in this process? (`compress`, `rewrite`, [`profile`]) |
//! | `cells` | What does a cell say, and which cells say the same? |
//! | [`source`] | Where do records come from? |
//! | [`sink`] | Where do records go to? |
//! | [`parallel`] | How do all cores work on one stream while its order is kept? |
//! | [`error`] | What can go wrong, and who can put it right? |

mod cells;
mod compress;
mod embedded;
mod engine;
pub mod error;
mod files;
pub mod parallel;
pub mod profile;
mod rewrite;
pub mod sink;
pub mod source;

pub use cells::CellReader;
pub use embedded::Embedded;
pub use engine::{CompressPlan, Engine, Output, OutputColumn, RewritePlan, Rewritten, Treatment, Unwatched, Watch};
pub use error::EngineError;
