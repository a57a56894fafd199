//! GROUP BY with counts for rows that are all there, on all cores.

use std::sync::atomic::{AtomicU32, Ordering};

use hashbrown::HashTable;
use rayon::prelude::*;

use crate::grouper::{mix, spread};
use crate::{Codes, with_codes};

/// The distinct ones of some rows, in order of first appearance.
#[derive(Debug)]
pub(crate) struct Regrouped {
    pub(crate) columns: Vec<Codes>,
    /// The records of each.
    pub(crate) weights: Vec<u64>,
    /// Which of them each row is.
    pub(crate) of_row: Vec<u32>,
}

/// Rows are sorted by a part of their hash into so many heaps (as a power of two) that the look-up table of one stays in the cache.
const HEAPS: u32 = 6;

/// Groups the rows of columns of codes. `weights` says how many records a row stands for.
pub(crate) fn regroup(columns: &[&Codes], weights: &[u64]) -> Regrouped {
    let first_alike = first_alike(columns, &hashes(columns, weights.len()));
    let mut of_row = Vec::with_capacity(weights.len());
    let (mut first, mut sums) = (Vec::new(), Vec::new());
    for (row, (&alike, weight)) in (0..).zip(first_alike.iter().zip(weights)) {
        if alike == row {
            of_row.push(first.len() as u32);
            first.push(row);
            sums.push(*weight);
        } else {
            let number = of_row[alike as usize];
            of_row.push(number);
            sums[number as usize] += weight;
        }
    }
    let all = first.len() == weights.len();
    let taken = |codes: &&Codes| if all { (*codes).clone() } else { codes.taken(&first) };
    let columns = columns.par_iter().map(taken).collect();
    Regrouped { columns, weights: sums, of_row }
}

fn hashes(columns: &[&Codes], rows: usize) -> Vec<u64> {
    const BLOCK: usize = 1 << 14;
    let mut hashes = vec![0; rows];
    hashes.par_chunks_mut(BLOCK).enumerate().for_each(|(block, hashes)| {
        let (start, len) = (block * BLOCK, hashes.len());
        for codes in columns {
            with_codes!(codes, codes => mix(hashes, &codes[start..start + len]));
        }
        spread(hashes);
    });
    hashes
}

/// For each row the first one that is equal to it.
fn first_alike(columns: &[&Codes], hashes: &[u64]) -> Vec<u32> {
    let stretches: Vec<ByHeap> =
        hashes.par_chunks(STRETCH).enumerate().map(|(index, hashes)| ByHeap::new(index * STRETCH, hashes)).collect();
    let first_alike: Vec<AtomicU32> = (0..hashes.len() as u32).into_par_iter().map(AtomicU32::new).collect();
    let hash = |row: u32| hashes[row as usize];
    let equal = |a: u32, b: u32| columns.iter().all(|codes| codes.get(a as usize) == codes.get(b as usize));
    (0..1 << HEAPS).into_par_iter().for_each(|heap| {
        let rows = || stretches.iter().flat_map(|stretch| stretch.rows(heap));
        let mut seen: HashTable<u32> = HashTable::with_capacity(rows().count());
        for &row in rows() {
            let same = |&other: &u32| hash(other) == hash(row) && equal(other, row);
            let first = *seen.entry(hash(row), same, |&other| hash(other)).or_insert(row).get();
            if first != row {
                first_alike[row as usize].store(first, Ordering::Relaxed);
            }
        }
    });
    first_alike.into_iter().map(AtomicU32::into_inner).collect()
}

/// So many neighbouring rows are sorted by heap at once.
const STRETCH: usize = 1 << 16;

/// Neighbouring rows by heap, in each heap ascending.
struct ByHeap {
    rows: Vec<u32>,
    /// Where each heap starts, and the last one ends.
    starts: Vec<usize>,
}

impl ByHeap {
    fn new(before: usize, hashes: &[u64]) -> Self {
        let heap_of = |hash: u64| (hash >> (u64::BITS - HEAPS)) as usize;
        let mut starts = vec![0; (1 << HEAPS) + 1];
        hashes.iter().for_each(|&hash| starts[heap_of(hash) + 1] += 1);
        (0..1 << HEAPS).for_each(|heap| starts[heap + 1] += starts[heap]);
        let (mut rows, mut next) = (vec![0; hashes.len()], starts.clone());
        for (row, &hash) in (before as u32..).zip(hashes) {
            let place = &mut next[heap_of(hash)];
            rows[*place] = row;
            *place += 1;
        }
        ByHeap { rows, starts }
    }

    fn rows(&self, heap: usize) -> &[u32] {
        &self.rows[self.starts[heap]..self.starts[heap + 1]]
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equal_rows_are_one_and_stay_in_order(
            rows in collection::vec((0..3u32, 0..300u32, 1..9u64), 0..200),
        ) {
            let columns = [rows.iter().map(|row| row.0).collect(), rows.iter().map(|row| row.1 / 100).collect()];
            let columns: [Vec<u32>; 2] = columns;
            let codes = columns.each_ref().map(|codes| Codes::from_codes(codes.iter().copied(), 300));
            let weights: Vec<u64> = rows.iter().map(|row| row.2).collect();
            let regrouped = regroup(&codes.each_ref(), &weights);
            let (mut distinct, mut sums, mut of_row): (Vec<(u32, u32)>, Vec<u64>, Vec<u32>) = Default::default();
            for ((&a, &b), weight) in columns[0].iter().zip(&columns[1]).zip(&weights) {
                let number = distinct.iter().position(|row| *row == (a, b)).unwrap_or(distinct.len());
                if number == distinct.len() {
                    distinct.push((a, b));
                    sums.push(0);
                }
                sums[number] += weight;
                of_row.push(number as u32);
            }
            let found = regrouped.columns[0].iter().zip(regrouped.columns[1].iter());
            prop_assert_eq!(found.collect::<Vec<_>>(), distinct);
            prop_assert_eq!((regrouped.weights, regrouped.of_row), (sums, of_row));
        }
    }
}
