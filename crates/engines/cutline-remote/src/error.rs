//! What can go wrong with a server that is connected, and who can put it right.

use cutline_engine::{Blame, CHANGED, EngineError, EngineFault};
use cutline_sql::SqlError;

/// An error of a server while it is asked something. No message holds the value of a cell.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The connection was there, and is no more.
    #[error("the connection to the server was cut while {doing}; nothing was published")]
    Cut {
        /// What was being done.
        doing: &'static str,
    },
    /// The server does not allow it.
    #[error("the server does not allow {doing}: {message}")]
    Denied {
        /// What was tried.
        doing: &'static str,
        /// What the server said.
        message: String,
    },
    /// The server refused a statement.
    #[error("the server failed while {doing}: {message}")]
    Statement {
        /// What was being done.
        doing: &'static str,
        /// What the server said, or its code where that may hold a value.
        message: String,
    },
    /// The server's answer makes no sense.
    #[error("the server's answer cannot be read while {doing}: {problem}")]
    Answer {
        /// What was being done.
        doing: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A cell that was not there when the values were listed: their labels were worked out then.
    #[error("the input changed: a cell was not there when the table was counted; nothing was published")]
    Unlisted,
    /// The table is there already.
    #[error("the table `{0}` exists already")]
    Exists(String),
    /// The table is there and is not ours to replace.
    #[error("the table `{0}` exists and was not made by Cutline, so it is not replaced")]
    NotOurs(String),
    /// A name that cannot be written.
    #[error(transparent)]
    Name(#[from] SqlError),
    /// Bytes may be a text, or anything else.
    #[error("the column `{column}` holds bytes ({kind}), and what they say is not known")]
    Bytes {
        /// The column.
        column: String,
        /// What the server calls them.
        kind: &'static str,
    },
    /// Something that statements do not do.
    #[error("{0}")]
    Unsupported(&'static str),
    /// The table is there, its reports are not.
    #[error("the table `{table}` is published and verified, but not its reports: {problem}")]
    Reports {
        /// The table.
        table: String,
        /// What is wrong with the folder.
        problem: String,
    },
}

impl EngineFault for ServerError {
    fn blame(&self) -> Blame {
        use ServerError as E;
        match self {
            E::Cut { .. } | E::Reports { .. } | E::Statement { .. } => Blame::Machine,
            E::Answer { .. } | E::Unlisted => Blame::Data,
            E::Denied { .. } | E::Exists(_) | E::NotOurs(_) | E::Name(_) | E::Bytes { .. } | E::Unsupported(_) => {
                Blame::Arguments
            }
        }
    }

    fn hint(&self) -> &str {
        use ServerError as E;
        match self {
            E::Cut { .. } => "see the server's log, and run it again",
            E::Denied { .. } => {
                "ask its owner: reading needs SELECT on the table, publishing needs CREATE on the schema of the new table"
            }
            E::Statement { .. } => {
                "see the server's log; if the statement should work, report it with the version of the server"
            }
            E::Answer { .. } => "the server must store text as UTF-8 or in an encoding that it can convert to it",
            E::Unlisted => CHANGED,
            E::Exists(_) => "choose another name with ‹into›, or use ‹force› to replace a table that Cutline made",
            E::NotOurs(_) => "choose another name with ‹into›, or drop the table yourself",
            E::Name(_) => "name tables as schema.name; a part with a point in it stands in double quotes",
            E::Bytes { .. } => {
                "say it as a text with ‹query›: convert_from(diagnosis, 'UTF8') in PostgreSQL, decode(diagnosis, 'UTF-8') in Spark, decode(diagnosis) in DuckDB, CAST(diagnosis AS TEXT) in SQLite"
            }
            E::Unsupported(_) => "export the table and publish the file",
            E::Reports { .. } => {
                "put the folder right and run it again with ‹force›; the same spec gives the same table"
            }
        }
    }
}

impl From<ServerError> for EngineError {
    fn from(error: ServerError) -> Self {
        EngineError::Fault(Box::new(error))
    }
}
