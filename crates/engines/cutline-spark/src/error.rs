//! What can go wrong on the way to a cluster, and what its errors mean.

use cutline_engine::{Blame, EngineError, EngineFault};
use cutline_remote::ServerError;
use cutline_remote::batches::Problem;
use cutline_sql::UNLISTED;
use tonic::{Code, Status};

/// An error on the way to a cluster. Once it is connected, errors are [`ServerError`]s.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SparkError {
    /// The location is none.
    #[error("the location of the cluster cannot be used: {0}")]
    Location(String),
    /// A token that everybody would see.
    #[error("the location has a token in it")]
    TokenInLocation,
    /// There is no connection.
    #[error("cannot connect to {place}: {reason}")]
    Connect {
        /// Host and port.
        place: String,
        /// What was said.
        reason: String,
    },
    /// A path where a table cannot appear at once.
    #[error("`{0}` is no place where a table can appear at once: what is there cannot be renamed")]
    NotAtomic(String),
    /// A path that this process does not see.
    #[error("the cluster wrote to `{0}`, and nothing is there on this machine")]
    Unseen(String),
    /// Folders could not be renamed or removed.
    #[error("`{path}` cannot be put in its place: {problem}")]
    Rename {
        /// The path.
        path: String,
        /// What is wrong.
        problem: String,
    },
}

impl EngineFault for SparkError {
    fn blame(&self) -> Blame {
        match self {
            SparkError::Connect { .. } | SparkError::Rename { .. } => Blame::Machine,
            _ => Blame::Arguments,
        }
    }

    fn hint(&self) -> &str {
        use SparkError as E;
        match self {
            E::Location(_) => "write sc://host:port (and /;use_ssl=true behind it for TLS), and the table with ‹table›",
            E::TokenInLocation => {
                "everybody who sees the list of processes or the spec would see it: use SPARK_CONNECT_AUTHENTICATE_TOKEN"
            }
            E::Connect { .. } => {
                "check host and port, whether a Spark Connect server runs there, and whether it wants TLS"
            }
            E::NotAtomic(_) => "publish into a table of the catalog: catalog.schema.name",
            E::Unseen(_) => {
                "publish into a table of the catalog, or into a path that the cluster and this machine both have"
            }
            E::Rename { .. } => "check that the folder can be written here, and run it again",
        }
    }
}

impl From<SparkError> for EngineError {
    fn from(error: SparkError) -> Self {
        EngineError::Fault(Box::new(error))
    }
}

/// Why an operation gave nothing.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The server said so.
    Server(Box<Status>),
    /// Its answer makes no sense.
    Answer(Problem),
    /// The user stopped the work.
    Interrupted,
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        Failure::Server(Box::new(status))
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Failure::Answer(problem)
    }
}

impl Failure {
    pub(crate) fn during(self, doing: &'static str) -> EngineError {
        match self {
            Failure::Interrupted => EngineError::Interrupted,
            Failure::Answer(problem) => ServerError::Answer { doing, problem }.into(),
            Failure::Server(status) if is_lost(&status) => ServerError::Cut { doing }.into(),
            Failure::Server(status) if is_unlisted(status.message()) => ServerError::Unlisted.into(),
            Failure::Server(status) => {
                let message = told(status.message());
                match status.code() {
                    Code::PermissionDenied | Code::Unauthenticated => ServerError::Denied { doing, message }.into(),
                    _ if message.contains("PERMISSION") => ServerError::Denied { doing, message }.into(),
                    _ => ServerError::Statement { doing, message }.into(),
                }
            }
        }
    }

    /// Does the server say that a table is not there?
    pub(crate) fn is_absent(&self) -> bool {
        let Failure::Server(status) = self else { return false };
        status.code() == Code::NotFound
            || ["TABLE_OR_VIEW_NOT_FOUND", "not found"].iter().any(|said| status.message().contains(said))
    }
}

/// Is the connection gone?
pub(crate) fn is_lost(status: &Status) -> bool {
    let transport = status.code() == Code::Unknown && std::error::Error::source(status).is_some();
    matches!(status.code(), Code::Unavailable | Code::Aborted) || transport
}

/// Has a cell no label? A message that quotes the statement has the words too, and says something else.
fn is_unlisted(message: &str) -> bool {
    message.contains(UNLISTED) && !message.contains("CASE WHEN")
}

/// Conditions whose messages quote names, never values.
const HARMLESS: [&str; 14] = [
    "TABLE_OR_VIEW_NOT_FOUND",
    "TABLE_OR_VIEW_ALREADY_EXISTS",
    "SCHEMA_NOT_FOUND",
    "CATALOG_NOT_FOUND",
    "COLUMN_ALREADY_EXISTS",
    "UNRESOLVED_COLUMN",
    "AMBIGUOUS_REFERENCE",
    "PATH_NOT_FOUND",
    "PATH_ALREADY_EXISTS",
    "PARSE_SYNTAX_ERROR",
    "REQUIRES_SINGLE_PART_NAMESPACE",
    "FAILED_READ_FILE",
    "INSUFFICIENT_PERMISSIONS",
    "UNSUPPORTED_FEATURE",
];

/// What the server said, if messages of its kind quote no values: the first line, which begins with `[CONDITION]`.
fn told(message: &str) -> String {
    let condition = message.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(name, _)| name);
    let condition = condition.filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || "_.0123456789".contains(c)));
    match condition {
        Some(name) if HARMLESS.iter().any(|harmless| name.starts_with(harmless)) => {
            message.lines().next().unwrap_or_default().to_owned()
        }
        Some(name) => format!("error {name} (see the server's log: its message may quote a value)"),
        None => "see the server's log: its message may quote a value".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_that_is_quoted_tells_nothing_of_cells() {
        assert!(is_unlisted(&format!("[USER_RAISED_EXCEPTION] cutline: a value of town {UNLISTED}")));
        assert!(!is_unlisted(&format!("[PARSE_SYNTAX_ERROR] CASE WHEN town IS NULL … {UNLISTED}")));
    }

    #[test]
    fn what_a_server_says_of_a_value_is_not_repeated() {
        let said = told("[CAST_INVALID_INPUT] The value 'tulip' of the type \"STRING\" cannot be cast");
        assert_eq!(said, "error CAST_INVALID_INPUT (see the server's log: its message may quote a value)");
        assert!(!told("cannot parse tulip").contains("tulip"));
        let said = told("[TABLE_OR_VIEW_NOT_FOUND] The table or view `t` cannot be found.\n'Aggregate");
        assert_eq!(said, "[TABLE_OR_VIEW_NOT_FOUND] The table or view `t` cannot be found.");
    }
}
