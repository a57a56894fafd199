//! Which rows are like an earlier one?

use hashbrown::HashTable;
use rayon::prelude::*;

use super::company::Company;

/// Rows are sorted by a part of their hash into so many heaps (as a power of two) that the look-up table of one stays in the cache.
const HEAPS: u32 = 6;

/// So many neighbouring rows are sorted by heap at once.
const STRETCH: usize = 1 << 16;

/// All rows that are like an earlier one, each with the first that it is like; those of a heap together.
pub(super) fn repeats(
    hashes: &[u64],
    company: &Company,
    equal: impl Fn(u32, u32) -> bool + Sync,
) -> Vec<Vec<(u32, u32)>> {
    let stretches = hashes.par_chunks(STRETCH).enumerate();
    let stretches: Vec<ByHeap> =
        stretches.map(|(index, hashes)| ByHeap::new(index * STRETCH, hashes, company)).collect();
    let hash = |row: u32| hashes[row as usize];
    let of_heap = |heap: usize| {
        let rows = || stretches.iter().flat_map(|stretch| stretch.rows(heap));
        let most = rows().count();
        let (mut seen, mut repeats) = (HashTable::with_capacity(most), Vec::with_capacity(most));
        for &row in rows() {
            let same = |&other: &u32| hash(other) == hash(row) && equal(other, row);
            let first = *seen.entry(hash(row), same, |&other| hash(other)).or_insert(row).get();
            if first != row {
                repeats.push((row, first));
            }
        }
        repeats
    };
    (0..1 << HEAPS).into_par_iter().map(of_heap).collect()
}

/// Neighbouring rows by heap, in each heap ascending; only those that may be like another one.
struct ByHeap {
    rows: Vec<u32>,
    /// Where each heap starts, and the last one ends.
    starts: Vec<usize>,
}

impl ByHeap {
    fn new(before: usize, hashes: &[u64], company: &Company) -> Self {
        let heap_of = |row: u32| (hashes[row as usize - before] >> (u64::BITS - HEAPS)) as usize;
        let all = (before as u32..).zip(hashes);
        let some: Vec<u32> = all.filter(|&(_, &hash)| company.has(hash)).map(|(row, _)| row).collect();
        let mut starts = vec![0; (1 << HEAPS) + 1];
        some.iter().for_each(|&row| starts[heap_of(row) + 1] += 1);
        (0..1 << HEAPS).for_each(|heap| starts[heap + 1] += starts[heap]);
        let (mut rows, mut next) = (vec![0; some.len()], starts.clone());
        for row in some {
            let place = &mut next[heap_of(row)];
            rows[*place] = row;
            *place += 1;
        }
        ByHeap { rows, starts }
    }

    fn rows(&self, heap: usize) -> &[u32] {
        &self.rows[self.starts[heap]..self.starts[heap + 1]]
    }
}
