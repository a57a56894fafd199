//! Records whose labels are too rare to be published.

use std::collections::HashSet;

use cutline_model::recoding::SuppressHow;

use crate::engine::{RareLabels, SuppressPlan};

/// Finds the records that are not published under their labels.
pub(crate) struct Rare<'a> {
    qids: Vec<RareQid<'a>>,
    how: SuppressHow,
}

struct RareQid<'a> {
    /// The places of its columns among the published ones.
    places: Vec<usize>,
    /// Their combinations of labels.
    labels: &'a HashSet<Box<[u32]>>,
}

impl<'a> Rare<'a> {
    pub(crate) fn new(plan: &'a SuppressPlan, published: &[usize]) -> Self {
        let place = |column: &usize| published.iter().position(|other| other == column);
        let qid = |rare: &'a RareLabels| RareQid {
            places: rare.columns.iter().filter_map(place).collect(),
            labels: &rare.labels,
        };
        Rare { qids: plan.qids.iter().map(qid).collect(), how: plan.how }
    }

    /// What becomes of them.
    pub(crate) fn how(&self) -> SuppressHow {
        self.how
    }

    /// Is each record one of them?
    pub(crate) fn find(&self, numbers: &[Option<Vec<u32>>], records: usize) -> Vec<bool> {
        let mut found = vec![false; records];
        for RareQid { places, labels } in self.qids.iter().filter(|qid| !qid.labels.is_empty()) {
            let columns: Vec<&[u32]> = places.iter().filter_map(|&place| numbers[place].as_deref()).collect();
            let mut key = vec![0; columns.len()];
            for (record, found) in found.iter_mut().enumerate() {
                key.iter_mut().zip(&columns).for_each(|(label, column)| *label = column[record]);
                *found |= labels.contains(&key[..]);
            }
        }
        found
    }
}
