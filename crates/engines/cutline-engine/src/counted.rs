//! What the first pass comes back with.

use std::fmt;

use cutline_table::RawTable;
use serde::{Deserialize, Serialize};

/// The records of a table, counted.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The groups and how many records each of them has.
    pub table: RawTable,
    /// What was asked to be looked for, and was found.
    pub noticed: Vec<Noticed>,
}

impl From<RawTable> for Counted {
    /// Counts with which nothing was noticed.
    fn from(table: RawTable) -> Self {
        Counted { table, noticed: Vec::new() }
    }
}

/// Something about records that counts do not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Noticed {
    /// The records are in the order of a column, one of [`crate::CompressPlan::watched`].
    InOrder {
        /// The column.
        column: usize,
        /// Which way its values go.
        direction: Direction,
    },
    /// Values of a column repeat, one of [`crate::CompressPlan::persons`].
    Repeats {
        /// The column.
        column: usize,
        /// The records that have a value of it.
        records: u64,
        /// So many values these have.
        different: u64,
    },
}

/// Which way values go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// From the least to the largest.
    Ascending,
    /// From the largest to the least.
    Descending,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Ascending => "ascending",
            Direction::Descending => "descending",
        })
    }
}
