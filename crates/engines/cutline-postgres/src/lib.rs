//! Records in a PostgreSQL database: they are counted, masked and verified there, and never leave it.
//!
//! ```text
//!  BEGIN, REPEATABLE READ: one snapshot for everything
//!    compress   COPY (SELECT cells, count(*) … GROUP BY cells) TO STDOUT        distinct combinations and counts come here
//!    search     here
//!    rewrite    INSERT INTO staging SELECT label(cell), … FROM table            labels by a join with (cell, label), which go there
//!    recount    COPY (SELECT labels, count(*) FROM staging GROUP BY labels)
//!    publish    ALTER TABLE staging RENAME TO …, COMMIT, then the folder of reports
//! ```
//!
//! | module | question |
//! | --- | --- |
//! | `location`, `password` | Which server, and who are we there? |
//! | `tls` | Is it the server that it says it is? |
//! | `session` | How is a statement run, watched and stopped? |
//! | `source` | What are the columns? |
//! | `cells` | What does a cell say? What comes back is text, and is read by the rules of the [engine's contract](cutline_engine::Engine) |
//! | `compress`, `rewrite`, `look`, `sample` | the passes |
//! | `target`, `recount` | How does the table appear, and does it hold? |
//!
//! Labels are worked out here, for every distinct cell once, by the code that masks files: there is no second opinion of what is a
//! number, missing or equal. A cell that the first pass did not see (there is none in one snapshot) has no label, and the record counts
//! as lost: nothing is published.

mod cells;
mod compress;
mod copy;
mod engine;
mod error;
mod location;
mod look;
mod password;
mod recount;
mod rewrite;
mod sample;
mod session;
mod source;
mod target;
mod tls;

pub use cutline_sql::TableName;
pub use engine::Postgres;
pub use error::PostgresError;
pub use location::{Location, is_postgres};
pub use recount::Recounted;
pub use source::Source;
pub use target::{IfExists, IntoTable};
