//! Do the values of a column repeat? Then records are not persons.

use arrow_array::{Array, StringViewArray};
use cutline_engine::MOST_DISTINCT;
use hashbrown::HashSet;

use crate::cells::{CellReader, hash_text};

/// The values of a batch, as hashes. Missing values stand for nobody.
pub(crate) fn hashes(cells: &StringViewArray, reader: &CellReader) -> Vec<u64> {
    let known = (0..cells.len()).filter(|&row| !cells.is_null(row));
    known.filter_map(|row| reader.value(cells.value(row)).map(|value| hash_text(&value))).collect()
}

/// Records and different values of one column so far. No more than [`MOST_DISTINCT`] values are remembered; what comes after tells nothing.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    seen: HashSet<u64>,
    records: u64,
}

impl Repeats {
    pub(crate) fn add(&mut self, hashes: Vec<u64>) {
        for hash in hashes {
            if self.seen.len() < MOST_DISTINCT {
                self.seen.insert(hash);
                self.records += 1;
            }
        }
    }

    /// How many records have how many different values, if values repeat.
    pub(crate) fn found(&self) -> Option<(u64, u64)> {
        let different = self.seen.len() as u64;
        (different < self.records).then_some((self.records, different))
    }
}
