//! Records on a Spark cluster, through Spark Connect: they are counted, masked and verified there, and never leave it.
//!
//! ```text
//!    compress   SELECT cells, count(*) … GROUP BY cells                        distinct combinations and counts come here
//!    search     here
//!    rewrite    CREATE TABLE staging AS SELECT label(cell), …                  labels by a join with (cell, label), which go there
//!    recount    SELECT labels, count(*) FROM staging GROUP BY labels
//!    publish    ALTER TABLE staging RENAME TO …, then the folder of reports
//! ```
//!
//! | module | question |
//! | --- | --- |
//! | `location` | Which cluster, and who are we there? |
//! | `proto` | What is said on the wire? |
//! | `session`, `answer` | How is an operation run, watched, stopped, and taken up again when the server ends its stream? |
//! | `upload` | How does a table get there? |
//! | `source` | What is read? |
//! | `engine`, `rewrite` | the passes of [`cutline_remote`], and what is different here |
//! | `target`, `path` | How does the table appear? |
//!
//! A cluster has no snapshot. A record that comes or goes between the passes changes a count, a cell that nobody saw has no label:
//! either way the counts of the passes differ, and nothing is published.

mod answer;
mod engine;
mod error;
mod location;
mod path;
mod proto;
mod rewrite;
mod session;
mod source;
mod target;
mod upload;

pub use cutline_remote::{IfExists, ServerError};
pub use cutline_sql::TableName;
pub use engine::{Cluster, Spark, open};
pub use error::SparkError;
pub use location::{Location, is_spark};
pub use path::IntoPath;
pub use source::Source;
pub use target::IntoTable;
