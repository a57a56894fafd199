//! Some records, and what all values of a column are like.

use std::fmt;

use cutline_model::Kind;
use cutline_table::Codes;
use serde::{Deserialize, Serialize};

/// Records in the order of the table.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The columns in the order they were asked for.
    pub columns: Vec<SampleColumn>,
    /// Drawn records.
    pub drawn: usize,
    /// Which record of the table (from 1) each drawn one is; in ascending order.
    pub positions: Vec<u64>,
    /// All records, without those that were left out.
    pub records: u64,
    /// Records left out because a value is missing.
    pub dropped: u64,
}

/// One column of a [`Sample`].
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct SampleColumn {
    /// A code for each drawn record.
    pub codes: Codes,
    /// The text of each code; `None` is missing. Every text has one code.
    pub texts: Vec<Option<String>>,
    /// What the values of *all* records look like.
    pub kind: Kind,
    /// The least and the largest number of all records; `None` if there is no number.
    pub range: Option<(f64, f64)>,
}

/// Shows no cell.
impl fmt::Debug for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sample { columns, drawn, records, dropped, .. } = self;
        write!(f, "{drawn} of {records} records ({dropped} left out), {} columns", columns.len())
    }
}

/// Shows no cell.
impl fmt::Debug for SampleColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cells, {} texts, {}", self.codes.len(), self.texts.len(), self.kind)
    }
}
