//! Where the second pass writes to.

use crate::Format;

/// A place for a table, as data: an engine understands it, or says that it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A file that does not exist yet, where this process can write.
    File {
        /// Its path.
        location: String,
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
}

/// What a second pass wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
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
