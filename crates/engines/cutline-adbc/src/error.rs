//! What can go wrong on the way to a database, and what its errors mean.

use adbc_core::error::Error;
use cutline_engine::{Blame, EngineError, EngineFault};
use cutline_remote::ServerError;
use cutline_remote::batches::Problem;

/// An error on the way to a database. No message holds the value of a cell, or a secret. Once it is connected, most errors are
/// [`ServerError`]s.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AdbcError {
    /// The location is none.
    #[error("the location of the database cannot be used: {0}")]
    Location(&'static str),
    /// A secret that everybody would see.
    #[error("the location has a secret in it")]
    SecretInLocation,
    /// The database would have to be made.
    #[error("there is no database `{0}`")]
    NoFile(String),
    /// The driver is not there, or is none.
    #[error("the ADBC driver `{driver}` cannot be loaded: {reason}")]
    Driver {
        /// Its name or path.
        driver: String,
        /// What was said.
        reason: String,
    },
    /// There is no connection.
    #[error("cannot open {place}: {reason}")]
    Connect {
        /// Driver and database.
        place: String,
        /// What was said.
        reason: String,
    },
    /// Nobody tried it.
    #[error("the driver opened a database of `{0}`, and statements for it were never tried")]
    Product(String),
    /// Somebody else works on the database.
    #[error("somebody else works on the database, so {doing} is not possible; nothing was published")]
    Busy {
        /// What was tried.
        doing: &'static str,
    },
}

impl EngineFault for AdbcError {
    fn blame(&self) -> Blame {
        match self {
            AdbcError::Connect { .. } | AdbcError::Busy { .. } => Blame::Machine,
            _ => Blame::Arguments,
        }
    }

    fn hint(&self) -> &str {
        use AdbcError as E;
        match self {
            E::Location(_) => "write adbc:driver:database, as in adbc:sqlite:patients.db, and the table with ‹table›",
            E::SecretInLocation => {
                "everybody who sees the list of processes or the spec would see it: put it into a profile, adbc:profile://name"
            }
            E::NoFile(_) => "check the path; it is relative to the folder that the command runs in",
            E::Driver { .. } => {
                "install the driver, or name the path of its library; ADBC_DRIVER_PATH says where manifests of drivers are"
            }
            E::Connect { .. } => "check the path, and that no other program has the database open for writing",
            E::Product(_) => "DuckDB and SQLite were; for others there are statements to run yourself: cutline sql",
            E::Busy { .. } => "wait until the others are done, and run it again",
        }
    }
}

impl From<AdbcError> for EngineError {
    fn from(error: AdbcError) -> Self {
        EngineError::Fault(Box::new(error))
    }
}

/// Why a statement gave nothing.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The driver said so.
    Driver(Error),
    /// Its answer makes no sense.
    Answer(Problem),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Driver(error)
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Failure::Answer(problem)
    }
}

impl Failure {
    pub(crate) fn during(self, doing: &'static str) -> EngineError {
        let said = match self {
            Failure::Answer(problem) => return ServerError::Answer { doing, problem }.into(),
            Failure::Driver(error) => error.message,
        };
        let says = |words: &[&str]| words.iter().any(|words| said.contains(words));
        let message = told(&said);
        if says(&["readonly database", "read-only", "Permission Error"]) {
            ServerError::Denied { doing, message }.into()
        } else if says(&["database is locked", "database table is locked", "write-write conflict"]) {
            AdbcError::Busy { doing }.into()
        } else {
            ServerError::Statement { doing, message }.into()
        }
    }
}

/// How messages begin that quote names and statements, never values. Of SQLite these are all that it prepares a statement with.
const HARMLESS: [&str; 11] = [
    "[SQLite] Failed to prepare query: ",
    "failed to execute query: attempt to write a readonly database",
    "failed to execute query: database or disk is full",
    "Binder Error: ",
    "Catalog Error: ",
    "IO Error: ",
    "Invalid Input Error: Cannot execute statement of type ",
    "Not implemented Error: ",
    "Out of Memory Error: ",
    "Parser Error: ",
    "Permission Error: ",
];

/// What the database said, if messages of its kind quote no values: the first line.
fn told(said: &str) -> String {
    let line = said.lines().next().unwrap_or_default();
    if HARMLESS.iter().any(|harmless| line.starts_with(harmless)) {
        line.to_owned()
    } else {
        "its message may quote a value, and is not repeated".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_database_says_of_a_value_is_not_repeated() {
        assert!(!told("Conversion Error: Could not convert string 'tulip' to INT32").contains("tulip"));
        assert_eq!(
            told("[SQLite] Failed to prepare query: no such table: t\nquery: SELECT"),
            "[SQLite] Failed to prepare query: no such table: t"
        );
    }
}
