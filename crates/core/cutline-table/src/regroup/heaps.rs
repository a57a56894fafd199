//! Which rows are like an earlier one?
//!
//! Rows that are alike have the same hash, so they are in the same heap. Where there are many rows, only so many heaps are looked at in turn
//! as memory is meant for, and the hashes are worked out again for each turn.

use std::ops::Range;

use hashbrown::HashTable;
use rayon::prelude::*;

use super::company::Company;

/// Rows are sorted by a part of their hash into so many heaps (as a power of two) that what is known of one stays in the cache.
const HEAPS: u32 = 6;

/// So many neighbouring rows are sorted by heap at once.
const STRETCH: usize = 1 << 16;

/// Rows of a heap that are like an earlier one.
#[derive(Debug, Default)]
pub(super) struct Alike {
    /// Rows that are like none before them, but like some behind them.
    pub(super) firsts: Vec<u32>,
    /// The others, and where the first that each is like is among these.
    pub(super) others: Vec<(u32, u32)>,
}

/// The rows that are asked about.
pub(super) struct Asked<K> {
    pub(super) rows: usize,
    /// So many of them are in heaps at once.
    pub(super) at_once: usize,
    /// Is a row none of those that are left out?
    pub(super) kept: K,
}

/// Tells which rows are like an earlier one, some heaps in turn. `hash` works out the hashes of neighbouring rows, from one on.
pub(super) fn find<K: Fn(usize) -> bool + Sync>(
    asked: &Asked<K>,
    hash: impl Fn(usize, &mut [u64]) + Sync,
    equal: impl Fn(u32, u32) -> bool + Sync,
    mut tell: impl FnMut(Vec<Alike>),
) {
    let hashes = |rows: Range<usize>| {
        let mut hashes = vec![0; rows.len()];
        hash(rows.start, &mut hashes);
        hashes
    };
    for Turn { heaps, coming } in turns(asked.rows, asked.at_once, &hashes) {
        let mut known: Vec<Known> = heaps.clone().map(|_| Known::default()).collect();
        let step = match coming {
            Coming::AtOnce => asked.rows,
            Coming::InParts => asked.at_once,
        };
        for part in parts(0..asked.rows, step) {
            let sorted = |rows: Range<usize>| ByHeap::new(rows.start, &hashes(rows), &heaps, &asked.kept);
            let stretches: Vec<ByHeap> = parts(part, STRETCH).into_par_iter().map(sorted).collect();
            let known = known.par_iter_mut().enumerate();
            tell(known.map(|(heap, known)| known.add(&stretches, (heap, coming), &equal)).collect());
        }
    }
}

/// Heaps that are looked at together.
struct Turn {
    heaps: Range<usize>,
    coming: Coming,
}

/// How do the rows of heaps come?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coming {
    AtOnce,
    /// There are too many: rows that are alike are in the same heap, however many they are.
    InParts,
}

/// All heaps, as many in each turn as may be looked at together.
fn turns(rows: usize, at_once: usize, hashes: &(impl Fn(Range<usize>) -> Vec<u64> + Sync)) -> Vec<Turn> {
    let all = 0..1 << HEAPS;
    if rows <= at_once {
        return vec![Turn { heaps: all, coming: Coming::AtOnce }];
    }
    let stretches = parts(0..rows, STRETCH).into_par_iter();
    let survey = stretches.fold(|| Survey::new(at_once), |survey, rows| survey.with(&hashes(rows)));
    let Survey { sizes, slots } = survey.reduce(|| Survey::new(at_once), Survey::and);
    let taken: usize = slots.iter().map(|slots| slots.count_ones() as usize).sum();
    if 2 * taken <= slots.len() * u64::BITS as usize {
        // So few rows differ that what is known of all heaps takes little memory.
        return vec![Turn { heaps: all, coming: Coming::InParts }];
    }
    let (mut turns, mut start) = (Vec::new(), 0);
    while start < sizes.len() {
        let sums = sizes[start..].iter().scan(0, |sum, size| {
            *sum += size;
            Some(*sum)
        });
        let fit = sums.take_while(|&sum| sum <= at_once).count();
        let coming = if fit == 0 { Coming::InParts } else { Coming::AtOnce };
        turns.push(Turn { heaps: start..start + fit.max(1), coming });
        start += fit.max(1);
    }
    turns
}

/// What is to be known of rows before their turn.
struct Survey {
    /// The rows of each heap.
    sizes: [usize; 1 << HEAPS],
    /// Bits that hashes fall on. As long as half of them are free, there are fewer different hashes than bits.
    slots: Vec<u64>,
}

impl Survey {
    fn new(at_once: usize) -> Self {
        let words = (at_once / 8 / u64::BITS as usize).next_power_of_two();
        Survey { sizes: [0; 1 << HEAPS], slots: vec![0; words] }
    }

    fn with(mut self, hashes: &[u64]) -> Self {
        let last = self.slots.len() - 1;
        for &hash in hashes {
            self.sizes[heap_of(hash)] += 1;
            self.slots[(own(hash) >> 6) as usize & last] |= 1 << (own(hash) & 63);
        }
        self
    }

    fn and(mut self, other: Self) -> Self {
        self.sizes.iter_mut().zip(other.sizes).for_each(|(size, other)| *size += other);
        self.slots.iter_mut().zip(other.slots).for_each(|(slots, other)| *slots |= other);
        self
    }
}

/// Neighbouring rows in parts of so many.
fn parts(rows: Range<usize>, step: usize) -> Vec<Range<usize>> {
    rows.clone().step_by(step.max(1)).map(|start| start..rows.end.min(start + step)).collect()
}

fn heap_of(hash: u64) -> usize {
    (hash >> (u64::BITS - HEAPS)) as usize
}

/// A row that is like none before it.
struct First {
    hash: u64,
    row: u32,
    /// Where it is among those that later rows are like, if it is there.
    place: u32,
}

/// What is known of a heap.
#[derive(Default)]
struct Known {
    firsts: HashTable<First>,
}

impl Known {
    /// Adds the rows that some stretches have in the heap, and tells which of these are like an earlier one.
    fn add(
        &mut self,
        stretches: &[ByHeap],
        (heap, coming): (usize, Coming),
        equal: impl Fn(u32, u32) -> bool,
    ) -> Alike {
        let hashes: Vec<u64> = stretches.iter().flat_map(|stretch| stretch.hashes(heap)).copied().collect();
        // Of rows that come in parts nobody knows what company the next parts have for them.
        let company = (coming == Coming::AtOnce).then(|| Company::new(hashes.iter().copied(), HEAPS));
        let rows = stretches.iter().flat_map(|stretch| stretch.rows(heap)).copied();
        let mut alike = Alike::default();
        for (row, &hash) in rows.zip(&hashes) {
            if company.as_ref().is_some_and(|company| !company.has(hash)) {
                continue;
            }
            let same = |first: &First| first.hash == hash && equal(first.row, row);
            let first = self.firsts.entry(own(hash), same, |first| own(first.hash));
            let first = first.or_insert(First { hash, row, place: 0 }).into_mut();
            if first.row != row {
                // Its place may be one that it had when an earlier part was added.
                if alike.firsts.get(first.place as usize) != Some(&first.row) {
                    first.place = alike.firsts.len() as u32;
                    alike.firsts.push(first.row);
                }
                alike.others.push((row, first.place));
            }
        }
        alike
    }
}

/// A hash neither whose first bits nor whose last are the same in all of a heap: by these a table tells most of its entries apart, and by those it
/// finds them.
fn own(hash: u64) -> u64 {
    hash.rotate_left(u64::BITS / 2)
}

/// Those of neighbouring rows that are in some heaps, and their hashes, by heap, in each heap ascending.
struct ByHeap {
    rows: Vec<u32>,
    hashes: Vec<u64>,
    /// Where each heap starts, and the last one ends.
    starts: Vec<usize>,
}

impl ByHeap {
    fn new(before: usize, hashes: &[u64], heaps: &Range<usize>, kept: impl Fn(usize) -> bool) -> Self {
        let rows = (before..).zip(hashes).filter(|&(row, &hash)| heaps.contains(&heap_of(hash)) && kept(row));
        let rows = rows.map(|(row, &hash)| (heap_of(hash) - heaps.start, row, hash));
        let mut starts = vec![0; heaps.len() + 1];
        rows.clone().for_each(|(heap, ..)| starts[heap + 1] += 1);
        (0..heaps.len()).for_each(|heap| starts[heap + 1] += starts[heap]);
        let all = starts[heaps.len()];
        let mut sorted = ByHeap { rows: vec![0; all], hashes: vec![0; all], starts };
        let mut next = sorted.starts.clone();
        for (heap, row, hash) in rows {
            let place = &mut next[heap];
            (sorted.rows[*place], sorted.hashes[*place]) = (row as u32, hash);
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
