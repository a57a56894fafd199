//! Where may an interval be split?

use std::ops::Range;

use cutline_model::Unit;
use cutline_table::{Attribute, Domain};

use crate::bins::equal_frequency;
use crate::tree::Tree;

/// An interval is split between bins only. Up to so many values are bins of their own; of more, equally frequent runs are.
pub const MOST_BINS: usize = 256;

/// The bins of one attribute, and from there the keys of its refinements.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// The bin of each code, missing values in one of their own; of attributes that are no numbers, nothing.
    pub(super) bin_of: Vec<u32>,
    /// The code that begins each bin.
    starts: Vec<u32>,
}

impl Grid {
    pub(super) fn new(attribute: &Attribute, weights: &[u64]) -> Self {
        let numbers = matches!(attribute.masking, cutline_model::Masking::Discretize { .. });
        if !numbers {
            return Grid { bin_of: Vec::new(), starts: Vec::new() };
        }
        let mut bins = equal_frequency(attribute, weights, MOST_BINS);
        bins.extend(attribute.domain.missing().map(|code| code..code + 1));
        let bin_of = bins.iter().enumerate().flat_map(|(bin, codes)| codes.clone().map(move |_| bin as u32)).collect();
        Grid { bin_of, starts: bins.iter().map(|codes| codes.start).collect() }
    }

    /// How many bins there are.
    pub(super) fn bins(&self) -> usize {
        self.starts.len()
    }

    /// How many keys the refinements of the attribute can have.
    pub(super) fn keys(&self, tree: &Tree) -> usize {
        match (tree.is_suppressed(), self.bin_of.is_empty()) {
            (true, _) => tree.values() as usize,
            (false, true) => tree.len() as usize,
            (false, false) => self.bins(),
        }
    }

    /// The key of a node that has children without being split.
    pub(super) fn key(&self, node: u32) -> usize {
        if self.bin_of.is_empty() { node as usize } else { 0 }
    }

    /// The unit of the calendar that a bin begins with, if it is one of days.
    pub(super) fn unit(&self, bin: usize, domain: &Domain) -> Option<Unit> {
        self.starts.get(bin).and_then(|&start| domain.unit(start))
    }

    /// The bins before which an interval could be split, each with the code that would begin its right part.
    pub(super) fn splits(&self, codes: Range<u32>) -> impl Iterator<Item = (usize, u32)> {
        let first = self.starts.partition_point(|&start| start <= codes.start);
        let last = self.starts.partition_point(|&start| start < codes.end);
        (first..last.max(first)).map(|bin| (bin, self.starts[bin]))
    }
}
