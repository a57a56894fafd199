//! How small would a refinement make the groups?
//!
//! Every refinement has a *key* within its attribute: a node of a taxonomy; the bin before which an interval is split; a value to be
//! disclosed. Key 0 of an interval tree is its root where values are missing, `* → {full range, missing}`: no interval is split
//! before its first bin.

use super::Grid;
use super::partition::{Group, Partition};
use crate::tree::Tree;

/// What the refinements of one attribute would do to the groups of one QID, by key.
#[derive(Clone, Debug)]
pub(super) struct Figures {
    /// The smallest group that the refinement would make, or would have made before.
    ///
    /// Refinements never merge groups, so A_v only falls: this running minimum, together with A itself, is A_v exactly.
    pub(super) smallest: Vec<u64>,
    /// Records in parts smaller than k, of groups that are not.
    pub(super) hides: Vec<u64>,
    /// Counters for the parts of a group, all zero between uses.
    cells: Vec<u64>,
}

/// Are groups new, or about to be split?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tally {
    Add,
    TakeBack,
}

impl Figures {
    pub(super) fn new(tree: &Tree, grid: &Grid) -> Self {
        let keys = grid.keys(tree);
        Figures { smallest: vec![u64::MAX; keys], hides: vec![0; keys], cells: vec![0; keys.max(grid.bins())] }
    }

    /// Looks at a group that lies under a node that can still be refined. Of groups smaller than k nothing is published.
    pub(super) fn look(
        &mut self,
        partition: &Partition<'_>,
        group: &Group,
        place: usize,
        (tree, grid, node): (&Tree, &Grid, u32),
        tally: Tally,
    ) {
        if group.records < partition.k {
            return;
        }
        if tree.is_suppressed() {
            self.values(partition, group, place, tally);
        } else if tree.children(node).is_empty() {
            // A leaf of a taxonomy has no bins either.
            if grid.bins() > 0 {
                self.splits(partition, group, place, grid, tally);
            }
        } else {
            partition.count(group, place, tree.slots(), &mut self.cells);
            let parts: Vec<u64> = self.cells[..tree.width(node)].iter_mut().map(std::mem::take).collect();
            self.tell(grid.key(node), &parts, partition.k, tally);
        }
    }

    /// Two parts for every bin before which the group could be split.
    fn splits(&mut self, partition: &Partition<'_>, group: &Group, place: usize, grid: &Grid, tally: Tally) {
        let mut cells = std::mem::take(&mut self.cells);
        partition.count(group, place, &grid.bin_of, &mut cells);
        let mut left = 0;
        for (bin, records) in cells[..grid.bins()].iter_mut().map(std::mem::take).enumerate() {
            if left == group.records {
                continue;
            }
            if left > 0 {
                self.tell(bin, &[left, group.records - left], partition.k, tally);
            }
            left += records;
        }
        self.cells = cells;
    }

    /// Two parts for every value.
    fn values(&mut self, partition: &Partition<'_>, group: &Group, place: usize, tally: Tally) {
        let mut cells = std::mem::take(&mut self.cells);
        let mut present = Vec::new();
        for (code, records) in partition.codes(group, place) {
            if cells[code as usize] == 0 {
                present.push(code as usize);
            }
            cells[code as usize] += records;
        }
        for value in present {
            let records = std::mem::take(&mut cells[value]);
            if records < group.records {
                self.tell(value, &[records, group.records - records], partition.k, tally);
            }
        }
        self.cells = cells;
    }

    fn tell(&mut self, key: usize, parts: &[u64], k: u64, tally: Tally) {
        let small: u64 = parts.iter().filter(|&&records| records < k).sum();
        match tally {
            Tally::TakeBack => self.hides[key] -= small,
            Tally::Add => {
                self.hides[key] += small;
                let smallest = parts.iter().copied().filter(|&records| records > 0).min();
                self.smallest[key] = self.smallest[key].min(smallest.unwrap_or(u64::MAX));
            }
        }
    }
}
