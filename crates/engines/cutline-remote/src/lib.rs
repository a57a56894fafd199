//! Passes over records that a server holds: what all servers that are sent statements have in common.
//!
//! ```text
//!   compress   SELECT cells, count(*) … GROUP BY cells          distinct combinations and counts come here
//!   search     here
//!   rewrite    SELECT label(cell), … FROM table                 labels by a join with (cell, label), which go there
//!   recount    SELECT labels, count(*) … GROUP BY labels        of the table as it was written
//! ```
//!
//! | module | question |
//! | --- | --- |
//! | [`Server`] | What must a server be able to do? |
//! | [`Opened`], [`ServerColumn`] | What is read? |
//! | [`Reader`] | What does a cell say? |
//! | [`Groups`], [`Distinct`], [`Memory`] | What came back, and what of it is needed again? |
//! | [`compress`], [`compress_all`], [`sample`], [`profile`] | the passes that only look |
//! | [`explain`], [`exceeds`] | What would be sent, and how much would come back? |
//! | [`Masking`] | the pass that writes, as a query |
//! | [`Recounted`] | Does a table hold what is claimed of it? |
//! | [`IfExists`], [`MARK`] | Which tables are ours to replace? |
//! | [`ServerError`] | What can go wrong? |
//!
//! Labels are worked out here, for every distinct cell once, by the code that masks files: there is no second opinion of what is a
//! number, missing or equal. A cell that the first pass did not see has no label, and its record counts as lost: nothing is published.

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
mod sample;
mod server;
mod target;

pub use cells::{ALIAS, Reader};
pub use cells_of::compress_all;
pub use compress::{compress, lacking};
pub use error::ServerError;
pub use explain::{exceeds, explain};
pub use groups::{Coded, Dictionary, Distinct, Groups, Memory};
pub use labels::Labels;
pub use look::profile;
pub use masking::Masking;
pub use recount::Recounted;
pub use sample::sample;
pub use server::{Opened, Server, ServerColumn};
pub use target::{IfExists, MARK};
