//! Where the second pass writes to.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{EngineError, Format};

/// A place for a table, as data: an engine understands it, or refuses it ([`Place::refused`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Place {
    /// A file that does not exist yet, where this process can write.
    File {
        /// Its path. One that is no text can be written to, but not sent.
        location: PathBuf,
        /// Its format.
        format: Format,
    },
    /// A table that does not exist yet, beside the records.
    Table {
        /// Its name, as the engine writes names.
        name: String,
    },
    /// The memory of whoever asked for it.
    Memory,
    /// A place that only the engine and its own target know: a path on a cluster, a bucket.
    Other {
        /// What they call such a place.
        system: String,
        /// Where it is, in their words.
        location: String,
        /// The format, if they have a choice.
        format: Option<Format>,
    },
}

impl Place {
    /// Says that an engine cannot write there or a target does not know it, and why.
    pub fn refused(&self, why: &str) -> EngineError {
        EngineError::Place(format!("{self}: {why}"))
    }

    /// The format of what is written there, if the place decides it.
    pub fn format(&self) -> Option<Format> {
        match self {
            Place::File { format, .. } => Some(*format),
            Place::Other { format, .. } => *format,
            Place::Table { .. } | Place::Memory => None,
        }
    }
}

/// For messages.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File { .. } => f.write_str("a file"),
            Place::Table { .. } => f.write_str("a table beside the records"),
            Place::Memory => f.write_str("memory"),
            Place::Other { system, .. } => f.write_str(system),
        }
    }
}

/// What a second pass wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Where it is.
    pub place: Place,
    /// Records written.
    pub records: u64,
    /// Records left out because a value is missing.
    pub dropped: u64,
    /// Suppressed records. They are among those written, unless they are left out.
    pub suppressed: u64,
    /// What separates the fields, if the table is text.
    pub delimiter: Option<u8>,
    /// A number for the person behind each record, in the order they were written in, if [`crate::RewritePlan::person`] asks for it.
    pub persons: Option<Vec<u32>>,
}
