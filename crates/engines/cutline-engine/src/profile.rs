//! A look at each column by itself.

use serde::{Deserialize, Serialize};

/// Distinct values are counted exactly up to this number.
pub const MOST_DISTINCT: usize = 1_000_000;

/// What can be said of a column without showing a value of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnProfile {
    /// Its name.
    pub name: String,
    /// Records of the table.
    pub records: u64,
    /// Records without a value.
    pub missing: u64,
    /// Distinct values, or [`MOST_DISTINCT`] if there are more.
    pub distinct: usize,
    /// Are all values numbers?
    pub numeric: bool,
    /// Are all values whole numbers?
    pub whole: bool,
    /// Do the values look like codes: equally long digits, some with a leading zero?
    pub padded: bool,
    /// The longest value in bytes.
    pub longest: usize,
}
