//! Records in databases with an ADBC driver, which the user installs: DuckDB and SQLite. They are counted, masked and verified there.
//!
//! ```text
//!  one transaction: one snapshot for everything
//!    compress   SELECT cells, count(*) … GROUP BY cells                 distinct combinations and counts come here, as Arrow batches
//!    search     here
//!    rewrite    a table aside, from SELECT label(cell), … FROM table    labels by a join with temporary tables (cell, label)
//!    recount    SELECT labels, count(*) … GROUP BY labels
//!    publish    ALTER TABLE … RENAME TO …, commit, then the folder of reports
//! ```
//!
//! | module | question |
//! | --- | --- |
//! | `location` | Which driver, and what does it open? |
//! | `product` | Which database is it, and what do only its statements say? |
//! | `session` | How is a statement run, watched and stopped? |
//! | `source` | What is read, and what are its cells? |
//! | `engine` | the passes of [`cutline_remote`] |
//! | `target` | How does the table appear? |
//!
//! A driver is a library that is loaded into this process: whoever names one trusts it. The driver manager loads it by functions that are
//! safe to call; what a driver hands over is checked before it is read, as bytes from elsewhere are.

mod engine;
mod error;
mod location;
mod product;
mod session;
mod source;
mod target;

pub use cutline_remote::{IfExists, ServerError};
pub use cutline_sql::TableName;
pub use engine::{Adbc, Database, open};
pub use error::AdbcError;
pub use location::Location;
pub use source::Source;
pub use target::IntoTable;
