//! Where a record is.

use std::fmt;

/// The position of a record in its table, counted from 1; unknown where somebody else counted the records.
///
/// An unknown position comes after every known one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RecordNumber(u64);

impl RecordNumber {
    /// Nobody knows which record.
    pub const UNKNOWN: RecordNumber = RecordNumber(u64::MAX);

    /// The record with this number, counted from 1.
    pub const fn new(number: u64) -> Self {
        RecordNumber(number)
    }

    /// The number, if it is known.
    pub fn get(self) -> Option<u64> {
        (self != RecordNumber::UNKNOWN).then_some(self.0)
    }

    /// The same record, after so many others.
    pub(crate) fn after(self, records: u64) -> Self {
        self.get().map_or(self, |number| RecordNumber(number + records))
    }
}

impl fmt::Display for RecordNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            Some(number) => write!(f, "record {number}"),
            None => f.write_str("some record"),
        }
    }
}
