//! GROUP BY with counts, for rows of codes.

use hashbrown::HashTable;
use rayon::prelude::*;

use crate::{Code, Codes, with_codes};

/// Collects distinct rows of codes with their weights, in order of arrival.
#[derive(Debug)]
pub(crate) struct Grouper {
    pub(crate) columns: Vec<Codes>,
    pub(crate) weights: Vec<u64>,
    /// Kept so that growing the table never reads the rows again, and different rows are told apart without comparing them.
    hashes: Vec<u64>,
    rows: HashTable<u32>,
    asked: bool,
}

impl Grouper {
    pub(crate) fn new(columns: usize) -> Self {
        Grouper {
            columns: vec![Codes::default(); columns],
            weights: Vec::new(),
            hashes: Vec::new(),
            rows: HashTable::new(),
            asked: false,
        }
    }

    /// Adds a block of rows, given as columns of codes. `weight` says how many records a row stands for; `None` leaves it out.
    pub(crate) fn add(&mut self, block: &[Vec<u32>], rows: usize, weight: impl Fn(usize) -> Option<u64>) {
        self.add_hashed(block, &block_hashes(block, rows), weight);
    }

    fn add_hashed(&mut self, block: &[Vec<u32>], block_hashes: &[u64], weight: impl Fn(usize) -> Option<u64>) {
        self.asked = true;
        let known = self.weights.len();
        let mut fresh: Vec<u32> = Vec::new();
        for (index, &hash) in block_hashes.iter().enumerate() {
            let Some(weight) = weight(index) else { continue };
            let Grouper { columns, weights, hashes, rows, .. } = self;
            // Rows that came with this block are not in the columns yet.
            let same = |&row: &u32| {
                let row = row as usize;
                let code = |column: usize| match row.checked_sub(known) {
                    None => columns[column].get(row),
                    Some(place) => block[column][fresh[place] as usize],
                };
                hashes[row] == hash && (0..block.len()).all(|column| code(column) == block[column][index])
            };
            if let Some(&row) = rows.find(hash, same) {
                weights[row as usize] += weight;
                continue;
            }
            rows.insert_unique(hash, weights.len() as u32, |&other| hashes[other as usize]);
            hashes.push(hash);
            weights.push(weight);
            fresh.push(index as u32);
        }
        for (column, block) in self.columns.iter_mut().zip(block) {
            column.extend(fresh.iter().map(|&row| block[row as usize]));
        }
    }

    /// Adds so many rows of columns of codes, each code as `translate` has it for its column. Only a small part is ever unpacked.
    pub(crate) fn add_columns(
        &mut self,
        columns: &[&Codes],
        all: usize,
        weight: impl Fn(usize) -> Option<u64>,
        translate: impl Fn(usize, u32) -> u32 + Sync,
    ) {
        const BLOCK: usize = 1 << 14;
        const BLOCKS: usize = 16;
        let unpack = |start: usize| {
            let rows = start..(start + BLOCK).min(all);
            let unpack = |(index, codes): (usize, &&Codes)| -> Vec<u32> {
                with_codes!(codes, codes => {
                    codes[rows.clone()].iter().map(|code| translate(index, code.index() as u32)).collect()
                })
            };
            let block: Vec<Vec<u32>> = columns.iter().enumerate().map(unpack).collect();
            let hashes = block_hashes(&block, rows.len());
            (start, block, hashes)
        };
        // Several blocks are unpacked at once, on all cores; their rows are looked up one after the other.
        for some in (0..all).step_by(BLOCK * BLOCKS) {
            let starts: Vec<usize> = (some..all).step_by(BLOCK).take(BLOCKS).collect();
            let blocks: Vec<_> = starts.into_par_iter().map(unpack).collect();
            for (start, block, hashes) in blocks {
                self.add_hashed(&block, &hashes, |row| weight(start + row));
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Was it asked to group anything, even if all of it was left out?
    pub(crate) fn has_seen_any(&self) -> bool {
        self.asked
    }
}

/// Column by column, because that reads memory in order.
fn block_hashes(block: &[Vec<u32>], rows: usize) -> Vec<u64> {
    let mut hashes = vec![0u64; rows];
    block.iter().for_each(|column| mix(&mut hashes, column));
    spread(&mut hashes);
    hashes
}

/// Mixes a column's codes into the hashes of the rows.
pub(crate) fn mix<C: Code>(hashes: &mut [u64], codes: &[C]) {
    for (hash, code) in hashes.iter_mut().zip(codes) {
        *hash = (hash.rotate_left(23) ^ code.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// Multiplication collects entropy in the high bits; look-up tables look at the low ones too.
pub(crate) fn spread(hashes: &mut [u64]) {
    hashes.iter_mut().for_each(|hash| *hash = (*hash ^ (*hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_collapse_within_and_across_blocks() {
        let mut grouper = Grouper::new(2);
        grouper.add(&[vec![1, 2, 1], vec![2, 1, 2]], 3, |row| Some([1, 5, 3][row]));
        grouper.add(&[vec![300, 1, 9], vec![2, 2, 9]], 3, |row| [Some(7), Some(1), None][row]);
        assert_eq!(grouper.weights, [5, 5, 7]);
        assert_eq!(grouper.columns[0].iter().collect::<Vec<_>>(), [1, 2, 300]);
        assert_eq!(grouper.len(), 3);
    }

    #[test]
    fn equal_hashes_of_different_rows_do_not_merge_them() {
        let mut grouper = Grouper::new(1);
        // Codes whose hashes are made equal: the rows must still be told apart.
        grouper.hashes = vec![block_hashes(&[vec![8]], 1)[0]];
        grouper.weights = vec![1];
        grouper.columns[0].extend([7].into_iter());
        grouper.rows.insert_unique(grouper.hashes[0], 0, |_| 0);
        grouper.add(&[vec![8, 8]], 2, |_| Some(1));
        assert_eq!(grouper.weights, [1, 2]);
    }
}
