//! Records whose codes are known and that are not grouped yet.

use std::ops::Range;

use rayon::prelude::*;

use crate::Codes;
use crate::grouper::Grouper;
use crate::regroup::{Regrouped, regroup};

/// The codes of some neighbouring records.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) columns: Vec<Codes>,
    records: usize,
    /// Records to leave out; empty if there were none so far.
    left_out: Vec<bool>,
    most_bytes: usize,
}

impl Waiting {
    pub(crate) fn new(columns: usize, most_bytes: usize) -> Self {
        Waiting { columns: vec![Codes::default(); columns], records: 0, left_out: Vec::new(), most_bytes }
    }

    /// Adds records, of which a core takes so many columns at once.
    pub(crate) fn add(&mut self, columns: &[&[u32]], (records, at_once): (usize, usize), left_out: &[bool]) {
        let pairs = self.columns.par_iter_mut().zip(columns).with_min_len(at_once);
        pairs.for_each(|(waiting, codes)| waiting.extend(codes.iter().copied()));
        if left_out.contains(&true) || !self.left_out.is_empty() {
            self.left_out.resize(self.records, false);
            self.left_out.extend_from_slice(left_out);
            self.left_out.resize(self.records + records, false);
        }
        self.records += records;
    }

    /// Do the records take more memory than they may?
    pub(crate) fn is_full(&self) -> bool {
        self.columns.iter().map(Codes::bytes).sum::<usize>() + self.left_out.len() > self.most_bytes
    }

    /// Hands the records to one who groups as he goes, and forgets them.
    pub(crate) fn group(&mut self, grouper: &mut Grouper) {
        if self.records > 0 {
            let codes: Vec<&Codes> = self.columns.iter().collect();
            let weight = |row: usize| (self.left_out.get(row) != Some(&true)).then_some(1);
            grouper.add_columns(&codes, self.records, weight, |_, code| code);
            *self = Waiting::new(self.columns.len(), self.most_bytes);
        }
    }

    /// The distinct rows in order of first appearance, and the records of each; found on all cores.
    pub(crate) fn grouped(&self) -> (Vec<Codes>, Vec<u64>) {
        self.grouped_by(AT_ONCE)
    }

    /// The same, so many records at once.
    fn grouped_by(&self, at_once: usize) -> (Vec<Codes>, Vec<u64>) {
        if self.records <= at_once {
            return self.grouped_part(0..self.records);
        }
        let mut grouper = Grouper::new(self.columns.len());
        for start in (0..self.records).step_by(at_once) {
            let (columns, weights) = self.grouped_part(start..self.records.min(start + at_once));
            let columns: Vec<&Codes> = columns.iter().collect();
            grouper.add_columns(&columns, weights.len(), |row| Some(weights[row]), |_, code| code);
        }
        (grouper.columns, grouper.weights)
    }

    fn grouped_part(&self, records: Range<usize>) -> (Vec<Codes>, Vec<u64>) {
        let kept = |row: &usize| self.left_out.get(*row) != Some(&true);
        if records.len() == self.records && self.left_out.is_empty() {
            return grouped(&self.columns, self.records);
        }
        let kept: Vec<u32> = records.filter(kept).map(|row| row as u32).collect();
        let columns: Vec<Codes> = self.columns.par_iter().map(|codes| codes.taken(&kept)).collect();
        grouped(&columns, kept.len())
    }
}

/// To group takes up to 36 bytes for each record that is grouped at once.
const AT_ONCE: usize = 1 << 23;

fn grouped(columns: &[Codes], records: usize) -> (Vec<Codes>, Vec<u64>) {
    let columns: Vec<&Codes> = columns.iter().collect();
    let Regrouped { columns, weights, .. } = regroup(&columns, records, |_| 1);
    (columns, weights)
}

#[cfg(test)]
mod tests {
    use proptest::collection;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_does_not_matter_how_many_are_grouped_at_once(
            records in collection::vec((0..4u32, 0..3u32, prop::bool::weighted(0.2)), 0..60),
            at_once in 1..70usize,
        ) {
            let mut waiting = Waiting::new(2, 1 << 20);
            let columns: [Vec<u32>; 2] =
                [records.iter().map(|record| record.0).collect(), records.iter().map(|record| record.1).collect()];
            let left_out: Vec<bool> = records.iter().map(|record| record.2).collect();
            waiting.add(&columns.each_ref().map(|codes| &codes[..]), (records.len(), 1), &left_out);
            let codes = |(columns, weights): (Vec<Codes>, Vec<u64>)| {
                (columns.iter().map(|codes| codes.iter().collect::<Vec<_>>()).collect::<Vec<_>>(), weights)
            };
            let (of_parts, of_all) = (codes(waiting.grouped_by(at_once)), codes(waiting.grouped()));
            prop_assert_eq!(of_parts, of_all);
        }
    }
}
