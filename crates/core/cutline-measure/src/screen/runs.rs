//! Records that are alike, next to each other.

use cutline_table::{Code, with_codes};

use super::Coded;

/// Records in an order in which those that are alike are neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runs {
    order: Vec<u32>,
    /// Where each run begins in the order, and where the last one ends.
    bounds: Vec<u32>,
}

/// How many records are alone, or nearly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crowd {
    /// Groups of records that are alike.
    pub groups: u64,
    /// Records of the smallest group; 0 if there is none.
    pub smallest: u64,
    /// Records that no other is like.
    pub single: u64,
    /// Records in groups of fewer than k.
    pub below: u64,
}

impl Runs {
    /// The records by a column: those with the same value are alike.
    pub fn by(column: Coded) -> Self {
        Runs::whole(column.codes.len() as u32).split(column)
    }

    /// All records are alike.
    pub fn whole(records: u32) -> Self {
        let bounds = if records == 0 { vec![0] } else { vec![0, records] };
        Runs { order: (0..records).collect(), bounds }
    }

    /// Records are alike if they were and have the same value in the column.
    pub fn split(&self, column: Coded) -> Self {
        if column.values <= 1 {
            return self.clone();
        }
        with_codes!(column.codes, codes => self.split_by(codes, column.values))
    }

    fn split_by<C: Code>(&self, codes: &[C], values: usize) -> Self {
        let mut split = Runs { order: Vec::with_capacity(self.order.len()), bounds: vec![0] };
        let mut counts = Counts::new(values);
        for run in self.iter() {
            let from = split.order.len();
            counts.count(run.iter().map(|&record| codes[record as usize]));
            let mut end = from as u32;
            for &code in &counts.seen {
                end += counts.of[code as usize];
                split.bounds.push(end);
                // From now on: the place of the code's next record.
                counts.of[code as usize] = end - counts.of[code as usize];
            }
            split.order.resize(end as usize, 0);
            for &record in run {
                let place = &mut counts.of[codes[record as usize].index()];
                split.order[*place as usize] = record;
                *place += 1;
            }
            counts.clear();
        }
        split
    }

    /// The records of each run.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.bounds.windows(2).map(|bounds| &self.order[bounds[0] as usize..bounds[1] as usize])
    }

    /// How many records are alone or in groups of fewer than k.
    pub fn crowd(&self, k: u64) -> Crowd {
        let mut crowd = Crowd::default();
        self.iter().for_each(|run| crowd.add(run.len() as u64, k));
        crowd
    }

    /// The same after [`Runs::split`], without making the order.
    pub fn crowd_with(&self, column: Coded, k: u64) -> Crowd {
        with_codes!(column.codes, codes => self.crowd_by(codes, column.values, k))
    }

    fn crowd_by<C: Code>(&self, codes: &[C], values: usize, k: u64) -> Crowd {
        let mut crowd = Crowd::default();
        let mut counts = Counts::new(values);
        for run in self.iter() {
            if let [_] = run {
                crowd.add(1, k);
                continue;
            }
            counts.count(run.iter().map(|&record| codes[record as usize]));
            counts.seen.iter().for_each(|&code| crowd.add(u64::from(counts.of[code as usize]), k));
            counts.clear();
        }
        crowd
    }
}

impl Crowd {
    /// The records of one column, given those of each code.
    pub fn of(counts: &[u64], k: u64) -> Self {
        let mut crowd = Crowd::default();
        counts.iter().filter(|&&count| count > 0).for_each(|&count| crowd.add(count, k));
        crowd
    }

    pub(super) fn add(&mut self, size: u64, k: u64) {
        self.smallest = if self.groups == 0 { size } else { self.smallest.min(size) };
        self.groups += 1;
        self.single += u64::from(size == 1);
        self.below += if size < k { size } else { 0 };
    }
}

/// How often each code occurs in a run. Clearing takes as long as there are different codes, not as there may be.
pub(super) struct Counts {
    pub(super) of: Vec<u32>,
    /// The codes of the run, in the order they were first seen.
    pub(super) seen: Vec<u32>,
}

impl Counts {
    pub(super) fn new(values: usize) -> Self {
        Counts { of: vec![0; values], seen: Vec::new() }
    }

    pub(super) fn count(&mut self, codes: impl Iterator<Item = impl Code>) {
        for code in codes {
            let count = &mut self.of[code.index()];
            if *count == 0 {
                self.seen.push(code.index() as u32);
            }
            *count += 1;
        }
    }

    pub(super) fn clear(&mut self) {
        self.seen.drain(..).for_each(|code| self.of[code as usize] = 0);
    }
}
