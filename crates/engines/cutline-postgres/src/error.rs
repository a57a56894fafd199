//! What can go wrong with a server, and who can put it right.

use cutline_engine::{Blame, EngineError, EngineFault};
use cutline_sql::SqlError;
use postgres::error::SqlState;

/// An error of a server, or on the way to it. No message holds the value of a cell, or a password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PostgresError {
    /// The location is none.
    #[error("the location of the database cannot be used: {0}")]
    Location(String),
    /// A password that everybody would see.
    #[error("the location has a password in it")]
    PasswordInLocation,
    /// A file of passwords, services or certificates that cannot be used.
    #[error("`{file}` cannot be used: {problem}")]
    File {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
    /// There is no connection.
    #[error("cannot connect to {place}: {reason}")]
    Connect {
        /// Host and database.
        place: String,
        /// What was said.
        reason: String,
    },
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
    #[error("the column `{0}` holds bytes (bytea), and what they say is not known")]
    Bytes(String),
    /// Something that this engine does not do.
    #[error("{0}")]
    Unsupported(&'static str),
    /// Nobody knows whether the transaction was committed.
    #[error("the connection was cut during the commit: whether the table `{0}` was published is not known")]
    Unknown(String),
    /// The table is there, its reports are not.
    #[error("the table `{table}` is published and verified, but not its reports: {problem}")]
    Reports {
        /// The table.
        table: String,
        /// What is wrong with the folder.
        problem: String,
    },
}

impl EngineFault for PostgresError {
    fn blame(&self) -> Blame {
        use PostgresError as E;
        match self {
            E::Connect { .. } | E::Cut { .. } | E::Unknown(_) | E::Reports { .. } | E::Statement { .. } => {
                Blame::Machine
            }
            E::Answer { .. } => Blame::Data,
            _ => Blame::Arguments,
        }
    }

    fn hint(&self) -> &str {
        use PostgresError as E;
        match self {
            E::Location(_) => "write postgresql://user@host:port/database, and the table with ‹table›",
            E::PasswordInLocation => {
                "everybody who sees the list of processes or the spec would see it: use PGPASSFILE (~/.pgpass), a service file or PGPASSWORD"
            }
            E::File { .. } => "see the PostgreSQL manual on password files, service files and certificates",
            E::Connect { .. } => {
                "check host, port, user, database and password, and whether the server lets this machine in"
            }
            E::Cut { .. } => "see the server's log, and run it again",
            E::Denied { .. } => {
                "ask its owner: reading needs SELECT on the table, publishing needs CREATE on the schema of the new table"
            }
            E::Statement { .. } => {
                "see the server's log; if the statement should work, report it with the version of the server"
            }
            E::Answer { .. } => "the database must store text as UTF-8 or an encoding that can be converted to it",
            E::Exists(_) => "choose another name with ‹into›, or use ‹force› to replace a table that Cutline made",
            E::NotOurs(_) => "choose another name with ‹into›, or drop the table yourself",
            E::Name(_) => "name tables as schema.name; a part with a point in it stands in double quotes",
            E::Bytes(_) => {
                "say it with ‹query›, as in SELECT convert_from(diagnosis, 'UTF8') AS diagnosis, … FROM patients"
            }
            E::Unsupported(_) => "export the table and publish the file",
            E::Unknown(_) => {
                "look whether the table is there; it is complete and verified if it is. Run it again with ‹force›"
            }
            E::Reports { .. } => {
                "put the folder right and run it again with ‹force›; the same spec gives the same table"
            }
        }
    }
}

impl From<PostgresError> for EngineError {
    fn from(error: PostgresError) -> Self {
        EngineError::Fault(Box::new(error))
    }
}

impl PostgresError {
    /// What a driver's error means while something is done.
    pub(crate) fn during(doing: &'static str, error: &postgres::Error) -> Self {
        let Some(said) = error.as_db_error() else {
            return PostgresError::Cut { doing };
        };
        let message = told(said.code(), said.message());
        match said.code() {
            code if *code == SqlState::INSUFFICIENT_PRIVILEGE => PostgresError::Denied { doing, message },
            code if ended(code) => PostgresError::Cut { doing },
            _ => PostgresError::Statement { doing, message },
        }
    }
}

/// Has the server ended the session?
fn ended(code: &SqlState) -> bool {
    [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT].contains(code)
        || code.code().starts_with("08")
}

/// What the server said, if messages of this kind quote no values: those about names and rights (42, 3D, 3F, 28), resources (53, 54), locks
/// (55), what an operator did (57) and dependent objects (2B).
pub(crate) fn told(code: &SqlState, message: &str) -> String {
    let harmless = ["42", "3D", "3F", "28", "53", "54", "55", "57", "2B"];
    match harmless.iter().any(|class| code.code().starts_with(class)) {
        true => message.to_owned(),
        false => format!("error {} (see the server's log: its message may quote a value)", code.code()),
    }
}
