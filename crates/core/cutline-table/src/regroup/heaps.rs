//! Which rows are like an earlier one?

use hashbrown::HashTable;
use rayon::prelude::*;

use super::company::Company;

/// Rows are sorted by a part of their hash into so many heaps (as a power of two) that what is known of one stays in the cache.
const HEAPS: u32 = 6;

/// So many neighbouring rows are sorted by heap at once.
const STRETCH: usize = 1 << 16;

/// All of so many rows that are like an earlier one, each with the first that it is like; those of a heap together. `hash` works out the
/// hashes of neighbouring rows, from one on.
pub(super) fn found(
    rows: usize,
    hash: impl Fn(usize, &mut [u64]) + Sync,
    equal: impl Fn(u32, u32) -> bool + Sync,
) -> Vec<Vec<(u32, u32)>> {
    let stretch = |start: usize| {
        let mut hashes = vec![0; STRETCH.min(rows - start)];
        hash(start, &mut hashes);
        ByHeap::new(start, &hashes)
    };
    let stretches: Vec<ByHeap> = (0..rows).into_par_iter().step_by(STRETCH).map(stretch).collect();
    (0..1 << HEAPS).into_par_iter().map(|heap| of_heap(&stretches, heap, &equal)).collect()
}

fn of_heap(stretches: &[ByHeap], heap: usize, equal: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32)> {
    let hashes: Vec<u64> = stretches.iter().flat_map(|stretch| stretch.hashes(heap)).copied().collect();
    let company = Company::new(hashes.iter().copied(), HEAPS);
    let rows = stretches.iter().flat_map(|stretch| stretch.rows(heap)).copied();
    let (mut seen, mut repeats) = (HashTable::new(), Vec::new());
    for (row, &hash) in rows.zip(&hashes).filter(|(_, hash)| company.has(**hash)) {
        let same = |&(other, first): &(u64, u32)| other == hash && equal(first, row);
        let &(_, first) = seen.entry(own(hash), same, |&(hash, _)| own(hash)).or_insert((hash, row)).get();
        if first != row {
            repeats.push((row, first));
        }
    }
    repeats
}

/// A hash neither whose first bits nor whose last are the same in all of a heap: by these a table tells most of its entries apart, and by those it
/// finds them.
fn own(hash: u64) -> u64 {
    hash.rotate_left(u64::BITS / 2)
}

/// Neighbouring rows and their hashes by heap, in each heap ascending.
struct ByHeap {
    rows: Vec<u32>,
    hashes: Vec<u64>,
    /// Where each heap starts, and the last one ends.
    starts: Vec<usize>,
}

impl ByHeap {
    fn new(before: usize, hashes: &[u64]) -> Self {
        let heap_of = |hash: u64| (hash >> (u64::BITS - HEAPS)) as usize;
        let mut starts = vec![0; (1 << HEAPS) + 1];
        hashes.iter().for_each(|&hash| starts[heap_of(hash) + 1] += 1);
        (0..1 << HEAPS).for_each(|heap| starts[heap + 1] += starts[heap]);
        let mut sorted = ByHeap { rows: vec![0; hashes.len()], hashes: vec![0; hashes.len()], starts };
        let mut next = sorted.starts.clone();
        for (row, &hash) in (before as u32..).zip(hashes) {
            let place = &mut next[heap_of(hash)];
            (sorted.rows[*place], sorted.hashes[*place]) = (row, hash);
            *place += 1;
        }
        sorted
    }

    fn rows(&self, heap: usize) -> &[u32] {
        &self.rows[self.starts[heap]..self.starts[heap + 1]]
    }

    fn hashes(&self, heap: usize) -> &[u64] {
        &self.hashes[self.starts[heap]..self.starts[heap + 1]]
    }
}
