//! Where are the records? The boundary between a release and whatever holds its table.
//!
//! Everything that crosses it is data that can be written down (`serde`): plans go in, counts and samples come out, a table is written to a
//! [`Place`]. So an engine may be this process (`cutline-arrow`), a database or a cluster that is sent statements, or a service somewhere.
//! Plans hold the keys of tokens and of a random order: a wire that carries them must be as trusted as the engine.
//!
//! | module | question |
//! | --- | --- |
//! | [`Engine`] | What can be asked of the records? |
//! | [`plan`] | What is asked? |
//! | [`Column`], [`Format`] | What does the table look like from outside? |
//! | [`Counted`], [`Sample`], [`ColumnProfile`], [`Records`] | What comes back? |
//! | [`ExplainPlan`], [`Statement`] | What would be sent to a server? |
//! | [`Place`], [`Written`] | Where is the published table written to, and what was written? |
//! | [`Target`] | How does it appear, complete or not at all? |
//! | [`EngineError`] | What can go wrong, and who can put it right? |

mod column;
mod counted;
mod engine;
mod error;
mod explain;
mod format;
mod place;
pub mod plan;
mod profile;
mod records;
mod sample;
mod target;
mod watch;

pub use column::{CellKind, Column, look_like_values};
pub use counted::{Counted, Direction, Noticed};
pub use engine::{Engine, Order};
pub use error::{Blame, CHANGED, EngineError, EngineFault};
pub use explain::{ExplainPlan, Rows, Statement};
pub use format::{Format, InputFormat, UnknownFormatName};
pub use place::{Place, Written};
pub use plan::{
    ClusterColumn, Coarse, CompressPlan, OutputColumn, RecordOrder, RewritePlan, SamplePlan, Shift, Treatment,
};
pub use profile::{ColumnProfile, MOST_DISTINCT};
pub use records::Records;
pub use sample::{Sample, SampleColumn};
pub use target::{Audience, Target};
pub use watch::{Unwatched, Watch};
