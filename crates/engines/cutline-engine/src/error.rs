//! What can go wrong between the records and us, sorted by who can put it right.

use cutline_model::recoding::LabelError;
use serde::Serialize;

/// Who can put an error right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Blame {
    /// Whoever states the requirement: it cannot be met, or does not hold.
    Requirement,
    /// The caller: there is no such setting, or the value is not one for it.
    Setting,
    /// The caller: a path, a name or an option is wrong.
    Arguments,
    /// The data: a table does not hold what its format promises.
    Data,
    /// The machine: a disk, a permission, a connection.
    Machine,
    /// Cutline itself.
    Defect,
    /// Nobody: the user stopped it.
    Interrupted,
}

/// An error of an engine's own, about files, connections or whatever it has to do with.
///
/// The message says what is wrong and where; [`EngineFault::hint`] says what to do. Neither ever holds the value of a cell: names of files and
/// columns, line numbers and counts are all that a message may show.
pub trait EngineFault: std::error::Error + Send + Sync + 'static {
    /// Who can put this right.
    fn blame(&self) -> Blame;

    /// What to do about it.
    fn hint(&self) -> &str;
}

/// What to do about a table that changed while it was read.
pub const CHANGED: &str = "publish a copy that nobody writes to";

/// Why an engine did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A value has no label.
    #[error("attribute `{attribute}`: {error}")]
    Value {
        /// The attribute.
        attribute: String,
        /// What is wrong with the value.
        error: LabelError,
    },
    /// The table was not the same when it was read again.
    #[error("the input changed: `{0}` is not what it was when it was read first; nothing was published")]
    Changed(String),
    /// A cluster cannot be worked out: a defect of whoever describes it.
    #[error("a cluster cannot be worked out: {0}")]
    Cluster(String),
    /// The engine cannot publish records in a random order.
    #[error("the records of `{0}` cannot be published in a random order where they are")]
    Order(String),
    /// The engine cannot move dates.
    #[error("the dates of `{0}` cannot be moved where they are")]
    Shift(String),
    /// The engine cannot write there.
    #[error("this engine cannot write to {0}")]
    Place(String),
    /// The table has more combinations of the grouped values than the plan allows.
    #[error("more than {0} combinations of values do not fit into the memory that is allowed")]
    TooMany(u64),
    /// The user stopped the work.
    #[error("interrupted")]
    Interrupted,
    /// What only the engine knows.
    #[error("{0}")]
    Fault(Box<dyn EngineFault>),
}

impl EngineError {
    /// Who can put this right.
    pub fn blame(&self) -> Blame {
        match self {
            EngineError::Value { .. } | EngineError::Changed(_) => Blame::Data,
            EngineError::Place(_) | EngineError::Order(_) | EngineError::Shift(_) => Blame::Arguments,
            EngineError::TooMany(_) => Blame::Machine,
            EngineError::Cluster(_) => Blame::Defect,
            EngineError::Interrupted => Blame::Interrupted,
            EngineError::Fault(fault) => fault.blame(),
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> &str {
        match self {
            EngineError::Value { .. } => "the recoding was made for other values: see its taxonomies and ranges",
            EngineError::Changed(_) => CHANGED,
            EngineError::Cluster(_) => "this is a defect of Cutline: please report it with the spec and the version",
            EngineError::TooMany(_) => {
                "allow more ‹memory›, or name fewer attributes; ‹algorithm tdr› and tds need no more than is allowed, without a budget, \
                 persons, weights, clusters, pins, earlier releases, further targets, ‹local›, ‹tune›, ‹what-if› and ‹missing error›"
            }
            EngineError::Order(_) => "publish them in an order that tells nothing, and take back ‹shuffle›",
            EngineError::Shift(_) => "leave the column out with ‹drop›, or anonymize an export of the table",
            EngineError::Place(_) => "write to a place that the engine of the records knows",
            EngineError::Interrupted => "run it again to start over",
            EngineError::Fault(fault) => fault.hint(),
        }
    }
}
