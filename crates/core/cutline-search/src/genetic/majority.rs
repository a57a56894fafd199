//! CM: who is not of their group's majority class?

use cutline_table::Costs;

use crate::grouping::Renumber;

/// The classes of the rows, ready to be counted within any groups.
#[derive(Debug)]
pub(crate) struct Classes {
    classes: usize,
    of_row: Vec<u32>,
    costs: Option<Costs>,
}

/// Buffers that are used again for every candidate.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    counts: Vec<u64>,
    keys: Vec<u64>,
    pairs: Vec<(u32, u32, u64)>,
    renumber: Renumber,
}

impl Classes {
    pub(crate) fn new(classes: usize, of_row: impl Iterator<Item = u32>, costs: Option<Costs>) -> Self {
        Classes { classes, of_row: of_row.collect(), costs }
    }

    /// The sum of all penalties (equations 1 and 2 of the paper, before the division by N). Suppressed rows have the last of the `groups` ids.
    pub(crate) fn metric(&self, ids: &[u32], groups: usize, weights: &[u64], counts: &mut Counts) -> f64 {
        if groups.saturating_mul(self.classes) <= (16 * ids.len()).max(1 << 10) {
            self.dense(ids, groups, weights, &mut counts.counts)
        } else {
            self.sparse(ids, groups, weights, counts)
        }
    }

    /// A counter for every (group, class).
    fn dense(&self, ids: &[u32], groups: usize, weights: &[u64], counts: &mut Vec<u64>) -> f64 {
        counts.clear();
        counts.resize(groups * self.classes, 0);
        for ((&id, &class), &weight) in ids.iter().zip(&self.of_row).zip(weights) {
            counts[id as usize * self.classes + class as usize] += weight;
        }
        let Some(costs) = &self.costs else {
            // Whole numbers up to the division: nothing is rounded.
            let suppressed = counts.split_off((groups - 1) * self.classes);
            let minority = |group: &[u64]| group.iter().sum::<u64>() - group.iter().max().unwrap_or(&0);
            let kept: u64 = counts.chunks_exact(self.classes.max(1)).map(minority).sum();
            return (kept + suppressed.iter().sum::<u64>()) as f64;
        };
        let cost = |group: &[u64]| {
            let majority = first_largest(group.iter().copied());
            let each = group.iter().enumerate().filter(|(_, count)| **count > 0);
            each.map(|(class, &count)| count as f64 * costs.cost(class, majority)).sum::<f64>()
        };
        counts.chunks_exact(self.classes.max(1)).map(cost).sum()
    }

    /// Many groups of many classes: only the pairs that occur.
    fn sparse(&self, ids: &[u32], groups: usize, weights: &[u64], buffers: &mut Counts) -> f64 {
        let Counts { keys, pairs, renumber, .. } = buffers;
        keys.clear();
        keys.extend(ids.iter().zip(&self.of_row).map(|(&id, &class)| u64::from(id) << 32 | u64::from(class)));
        let found = renumber.run(keys);
        pairs.clear();
        pairs.resize(found, (0, 0, 0));
        for ((&key, &pair), &weight) in keys.iter().zip(&renumber.ids).zip(weights) {
            let count = pairs[pair as usize].2 + weight;
            pairs[pair as usize] = ((key >> 32) as u32, key as u32, count);
        }
        // By group and class, so that the first of equally frequent classes wins.
        pairs.sort_unstable();
        let suppressed = (groups - 1) as u32;
        let group = |group: &[(u32, u32, u64)]| {
            let majority = first_largest(group.iter().map(|pair| pair.2));
            let penalty = |(index, &(id, class, count)): (usize, &(u32, u32, u64))| match &self.costs {
                Some(costs) => count as f64 * costs.cost(class as usize, group[majority].1 as usize),
                None if id == suppressed || index != majority => count as f64,
                None => 0.0,
            };
            group.iter().enumerate().map(penalty).sum::<f64>()
        };
        pairs.chunk_by(|a, b| a.0 == b.0).map(group).sum()
    }
}

/// The position of the largest number; of equal ones the first.
fn first_largest(counts: impl Iterator<Item = u64>) -> usize {
    let mut best = (0, 0);
    for (index, count) in counts.enumerate() {
        if index == 0 || count > best.1 {
            best = (index, count);
        }
    }
    best.0
}
