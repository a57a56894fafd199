//! What can be wrong with a table or a setting.

/// Why there are no clusters, or no comparison of them.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ClusterError {
    /// A table without records, or with nothing but weights of zero.
    #[error("there are no records to cluster")]
    Empty,
    /// A setting that must not be zero.
    #[error("`{0}` must be at least 1")]
    Zero(&'static str),
    /// The tolerance of k-means.
    #[error("the tolerance must be a number from 0 to 1, not {0}")]
    Tolerance(f64),
    /// The range that numbers are scaled by.
    #[error("{low} to {high} is not a range of numbers")]
    Scale {
        /// Where it should begin.
        low: f64,
        /// Where it should end.
        high: f64,
    },
    /// A masked category above leaves that do not exist.
    #[error("leaf {leaf} of an attribute with {leaves} leaves")]
    Leaf {
        /// The leaf's position.
        leaf: u32,
        /// The number of leaves.
        leaves: u32,
    },
    /// A column with a code that its axis has no point for.
    #[error("attribute {attribute} has the code {code}, but its axis has {codes} codes")]
    Code {
        /// The attribute's position.
        attribute: usize,
        /// The code.
        code: u32,
        /// The number of codes of the axis.
        codes: usize,
    },
    /// Columns, weights or labels of different lengths.
    #[error("{found} {what} for {rows} rows")]
    Length {
        /// What there are too many or too few of.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        rows: usize,
    },
    /// More records than can be counted.
    #[error("the number of records does not fit into 64 bits")]
    TooManyRecords,
    /// A start at a row that does not exist.
    #[error("row {row} of a table with {rows} rows")]
    Row {
        /// The row.
        row: usize,
        /// The number of rows.
        rows: usize,
    },
    /// Two tables that were not described in the same space.
    #[error("the centroids and the points have different spaces at attribute {attribute}")]
    OtherSpace {
        /// The first attribute that differs.
        attribute: usize,
    },
}
