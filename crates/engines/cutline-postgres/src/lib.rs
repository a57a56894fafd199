//! Records in a PostgreSQL database: they are counted, masked and verified there, and never leave it.
//!
//! ```text
//!  BEGIN, REPEATABLE READ: one snapshot for everything
//!    compress   COPY (SELECT cells, count(*) … GROUP BY cells) TO STDOUT        distinct combinations and counts come here
//!    search     here
//!    rewrite    CREATE TABLE staging AS SELECT label(cell), … FROM table         labels by a CASE, or a join with (cell, label)
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
//! | `copy` | How does a row come? |
//! | `labels` | How is said which label a cell has? |
//! | `engine`, `rewrite` | the passes of [`cutline_remote`], and what is different here |
//! | `target` | How does the table appear? |
//!
//! There is one snapshot for everything, so no pass sees a cell that another one did not.

mod copy;
mod engine;
mod error;
mod labels;
mod location;
mod password;
mod rewrite;
mod session;
mod source;
mod target;
mod tls;

pub use cutline_remote::{IfExists, ServerError};
pub use cutline_sql::TableName;
pub use engine::{Database, Postgres, open};
pub use error::PostgresError;
pub use location::{Location, is_postgres};
pub use source::Source;
pub use target::IntoTable;
