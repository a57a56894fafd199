//! Passes over records that a server holds: what all servers that are sent statements have in common.
//!
//! ```text
//!   compress   SELECT cells, count(*) … GROUP BY cells          distinct combinations and counts come here
//!   search     here
//!   rewrite    SELECT label(cell), … FROM table                 labels by a CASE or a join with (cell, label), which go there
//!   recount    SELECT labels, count(*) … GROUP BY labels        of the table as it was written
//! ```
//!
//! | module | question |
//! | --- | --- |
//! | [`Server`] | What must a server be able to do? |
//! | [`Opened`], [`ServerColumn`] | What is read? |
//! | [`Reader`] | What does a cell say? |
//! | [`Groups`], [`Distinct`], [`Memory`] | What came back, and what of it is needed again? |
//! | `batches` | the same for servers that speak Arrow (feature `arrow`) |
//! | [`stoppable`] | How is a statement stopped? |
//! | [`Remote`] | the engine that a server is, by the passes below |
//! | `compress`, `cells_of`, `sample`, `look` | the passes that only look |
//! | `explain` | What would be sent, and how much would come back? |
//! | [`Masking`] | the pass that writes, as a query |
//! | [`Recounted`] | Does a table hold what is claimed of it? |
//! | [`IfExists`], [`MARK`] | Which tables are ours to replace? |
//! | [`Reports`] | Where does what is said of a table go? |
//! | [`ServerError`] | What can go wrong? |
//!
//! Labels are worked out here, for every distinct cell once, by the code that masks files: there is no second opinion of what is a
//! number, missing or equal. A cell that the first pass did not see has no label, and its record counts as lost: nothing is published.

#[cfg(feature = "arrow")]
pub mod batches;
mod cases;
mod cells;
mod cells_of;
mod compress;
mod error;
mod explain;
mod groups;
mod labels;
mod look;
mod masking;
mod recount;
mod remote;
mod sample;
mod server;
mod stop;
mod target;

use cells_of::compress_all;
use compress::compress;
use explain::{exceeds, explain};
use look::profile;
use sample::sample;

pub use cases::label_case;
pub use cells::{ALIAS, Reader};
pub use compress::lacking;
pub use error::ServerError;
pub use groups::{Coded, Dictionary, Distinct, Groups, Memory};
pub use labels::Labels;
pub use masking::Masking;
pub use recount::Recounted;
pub use remote::Remote;
pub use server::{LabelCase, Opened, Server, ServerColumn};
pub use stop::stoppable;
pub use target::{IfExists, MARK, Reports};
