//! GROUP BY with counts, for rows of codes.

use hashbrown::HashTable;

use crate::Codes;

/// Collects distinct rows of codes with their weights, in order of arrival.
#[derive(Debug)]
pub(crate) struct Grouper {
    pub(crate) columns: Vec<Codes>,
    pub(crate) weights: Vec<u64>,
    /// Kept so that growing the table never reads the rows again, and different rows are told apart without comparing them.
    hashes: Vec<u64>,
    rows: HashTable<u32>,
}

impl Grouper {
    pub(crate) fn new(columns: usize) -> Self {
        Grouper {
            columns: vec![Codes::default(); columns],
            weights: Vec::new(),
            hashes: Vec::new(),
            rows: HashTable::new(),
        }
    }

    /// Adds a row of codes; `hash` must be [`row_hash`] of it.
    pub(crate) fn add(&mut self, hash: u64, weight: u64, code: impl Fn(usize) -> u32) {
        let Grouper { columns, weights, hashes, rows } = self;
        let same = |&row: &u32| {
            let row = row as usize;
            hashes[row] == hash && columns.iter().enumerate().all(|(c, column)| column.get(row) == code(c))
        };
        if let Some(&row) = rows.find(hash, same) {
            weights[row as usize] += weight;
            return;
        }
        let row = weights.len() as u32;
        rows.insert_unique(hash, row, |&other| hashes[other as usize]);
        hashes.push(hash);
        weights.push(weight);
        for (index, column) in columns.iter_mut().enumerate() {
            column.push(code(index));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }
}

/// One step of a row's hash. Start from 0, feed every code, and finish with [`finish_hash`].
#[inline]
pub(crate) fn feed_hash(hash: u64, code: u32) -> u64 {
    (hash.rotate_left(23) ^ u64::from(code)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Spreads the entropy of the high bits, where multiplication collects it, to the low ones.
#[inline]
pub(crate) fn finish_hash(hash: u64) -> u64 {
    (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(row: &[u32]) -> u64 {
        finish_hash(row.iter().fold(0, |hash, &code| feed_hash(hash, code)))
    }

    #[test]
    fn duplicates_collapse_and_their_weights_add_up() {
        let mut grouper = Grouper::new(2);
        for (row, weight) in [([1, 2], 1), ([2, 1], 5), ([1, 2], 3)] {
            grouper.add(hash(&row), weight, |column| row[column]);
        }
        assert_eq!(grouper.weights, [4, 5]);
        assert_eq!(grouper.columns[0].iter().collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn equal_hashes_of_different_rows_do_not_merge_them() {
        let mut grouper = Grouper::new(1);
        for code in [7, 8, 7] {
            grouper.add(42, 1, |_| code);
        }
        assert_eq!(grouper.weights, [2, 1]);
    }
}
