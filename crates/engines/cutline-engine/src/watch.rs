//! How a pass is watched and stopped from outside.

use std::fmt;

/// Is told of a pass, and may stop it.
pub trait Watch: Sync {
    /// So much more of the pass is done, in the unit of [`crate::Engine::size`].
    fn advance(&self, _work: u64) {}

    /// The records are in the order of this column, one of [`crate::CompressPlan::watched`].
    fn in_order(&self, _column: usize, _direction: Direction) {}

    /// So many records have only so many different values of this column, one of [`crate::CompressPlan::persons`].
    fn repeats(&self, _column: usize, _records: u64, _different: u64) {}

    /// Must the work stop?
    fn cancelled(&self) -> bool {
        false
    }
}

/// Which way values go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}
