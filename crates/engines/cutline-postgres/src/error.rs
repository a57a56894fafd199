//! What can go wrong on the way to a server, and what its errors mean.

use cutline_engine::{Blame, EngineError, EngineFault};
use cutline_remote::ServerError;
use cutline_sql::UNLISTED;
use postgres::error::SqlState;

/// An error on the way to a server. No message holds the value of a cell, or a password. Once it is connected, errors are [`ServerError`]s.
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
    /// Nobody knows whether the transaction was committed.
    #[error("the connection was cut during the commit: whether the table `{0}` was published is not known")]
    Unknown(String),
}

impl EngineFault for PostgresError {
    fn blame(&self) -> Blame {
        match self {
            PostgresError::Connect { .. } | PostgresError::Unknown(_) => Blame::Machine,
            PostgresError::Location(_) | PostgresError::PasswordInLocation | PostgresError::File { .. } => {
                Blame::Arguments
            }
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
            E::Unknown(_) => {
                "look whether the table is there; it is complete and verified if it is. Run it again with ‹force›"
            }
        }
    }
}

impl From<PostgresError> for EngineError {
    fn from(error: PostgresError) -> Self {
        EngineError::Fault(Box::new(error))
    }
}

/// What a driver's error means while something is done.
pub(crate) fn during(doing: &'static str, error: &postgres::Error) -> ServerError {
    let Some(said) = error.as_db_error() else {
        return ServerError::Cut { doing };
    };
    let message = told(said.code(), said.message());
    match said.code() {
        code if *code == SqlState::INSUFFICIENT_PRIVILEGE => ServerError::Denied { doing, message },
        code if ended(code) => ServerError::Cut { doing },
        code if *code == SqlState::INVALID_TEXT_REPRESENTATION && said.message().contains(UNLISTED) => {
            ServerError::Unlisted
        }
        _ => ServerError::Statement { doing, message },
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
