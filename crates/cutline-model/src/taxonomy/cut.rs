//! Is a set of nodes a cut?

use std::ops::Range;

use super::{NodeId, Taxonomy};

impl Taxonomy {
    /// Whether exactly one of the nodes is on each path from the root to a leaf. Their order does not matter.
    ///
    /// Nodes stand for ranges of leaves, so this asks whether the ranges follow each other without gap or overlap.
    pub fn is_cut(&self, nodes: &[NodeId]) -> bool {
        if nodes.iter().any(|node| node.index() >= self.len()) {
            return false;
        }
        let mut ranges: Vec<Range<usize>> = nodes.iter().map(|&node| self.leaf_range(node)).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        let covered = ranges.iter().try_fold(0, |end, range| (range.start == end).then_some(range.end));
        covered == Some(self.leaves.len())
    }
}
