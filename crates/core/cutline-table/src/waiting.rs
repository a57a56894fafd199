//! Records whose codes are known and that are not grouped yet.

use rayon::prelude::*;

use crate::Codes;
use crate::grouper::Grouper;
use crate::regroup::regroup;

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
    pub(crate) fn hand_over(&mut self, grouper: &mut Grouper) {
        if self.records > 0 {
            let codes: Vec<&Codes> = self.columns.iter().collect();
            grouper.add_columns(&codes, self.records, |row| self.weight(row), |_, code| code);
            *self = Waiting::new(self.columns.len(), self.most_bytes);
        }
    }

    /// The distinct rows in order of first appearance, and the records of each; found on all cores.
    pub(crate) fn distinct(&self) -> (Vec<Codes>, Vec<u64>) {
        let codes: Vec<&Codes> = self.columns.iter().collect();
        if self.left_out.is_empty() {
            return regroup(&codes, self.records, |_| Some(1));
        }
        regroup(&codes, self.records, |row| self.weight(row))
    }

    /// A record is one, unless it is left out.
    fn weight(&self, row: usize) -> Option<u64> {
        (self.left_out.get(row) != Some(&true)).then_some(1)
    }
}
