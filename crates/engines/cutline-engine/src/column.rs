//! The columns of a table, as far as a release has to know them.

use serde::Serialize;

/// What the cells of a column are stored as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CellKind {
    /// Text: also everything that a CSV file holds.
    Text,
    /// Whole numbers.
    Integer,
    /// Other numbers.
    Number,
    /// True or false.
    Boolean,
    /// Dates without a time.
    Date,
    /// Points in time, and times of a day.
    Time,
    /// Bytes.
    Binary,
    /// Lists, structures and the like: they can be published as they are, or not at all.
    Nested,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its name. Names are unique in a table.
    pub name: String,
    /// What its cells are stored as.
    pub cells: CellKind,
}

impl Column {
    /// Can the cells be read as values?
    pub fn has_values(&self) -> bool {
        !matches!(self.cells, CellKind::Nested | CellKind::Binary)
    }
}
