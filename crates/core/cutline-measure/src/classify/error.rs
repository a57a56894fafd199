//! What can be wrong with a table to learn from.

use thiserror::Error;

/// Why a table cannot be learned from, or a measurement cannot be made. No message shows a cell's content.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClassifyError {
    /// Columns of one table have different lengths.
    #[error("column '{column}' has {found} cells, the columns before it have {expected}")]
    Length {
        /// The column that is shorter or longer.
        column: String,
        /// Its cells.
        found: usize,
        /// The cells of the columns before it.
        expected: usize,
    },
    /// A name was given twice.
    #[error("column '{column}' was given twice")]
    Duplicate {
        /// The name.
        column: String,
    },
    /// No column has this name.
    #[error("no column is named '{column}'")]
    UnknownColumn {
        /// The name.
        column: String,
    },
    /// A cell of a numeric column is not a finite number.
    #[error("column '{column}', row {row}: not a finite number")]
    NotANumber {
        /// The column.
        column: String,
        /// The row, from 0.
        row: usize,
    },
    /// A row has no class or target value: nothing can be learned from it or tested with it.
    #[error("row {row} has no label")]
    MissingLabel {
        /// The row, from 0.
        row: usize,
    },
    /// Codes were given that their dictionary does not have, or codes for numbers or the reverse.
    #[error("the cells of column '{column}' do not fit its domain")]
    Domain {
        /// The column.
        column: String,
    },
    /// The confidence of pruning is not above 0 and at most one half.
    #[error("the confidence of pruning must be above 0 and at most 0.5")]
    Confidence,
    /// Rows cannot be dealt into this many folds.
    #[error("{rows} rows cannot be dealt into {folds} folds: there must be at least two, and a row for each")]
    Folds {
        /// The folds asked for.
        folds: usize,
        /// The rows there are.
        rows: usize,
    },
}
