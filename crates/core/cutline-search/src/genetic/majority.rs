//! CM: who is not of their group's majority class?

use cutline_table::{Code, Codes, Costs, with_codes};
use hashbrown::HashMap;

use crate::grouping::Renumber;

/// The classes of the rows, ready to be counted within any groups.
#[derive(Debug)]
pub(crate) struct Classes {
    classes: usize,
    /// The pair of each row: what has to be read for each candidate should be short.
    of_row: Codes,
    /// A class and a number of records.
    pairs: Vec<(u32, u64)>,
    /// The records of each class.
    whole: Vec<u64>,
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
    /// The class and the records of each row.
    pub(crate) fn new(classes: usize, rows: impl Iterator<Item = (u32, u64)>, costs: Option<Costs>) -> Self {
        // Only numbers leave the map, in the order of the rows.
        let mut known: HashMap<(u32, u64), u32> = HashMap::new();
        let (mut pairs, mut whole) = (Vec::new(), vec![0; classes]);
        let code = |pair: (u32, u64)| {
            whole[pair.0 as usize] += pair.1;
            *known.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                pairs.len() as u32 - 1
            })
        };
        let codes: Vec<u32> = rows.map(code).collect();
        Classes { classes, of_row: Codes::from_codes(codes.into_iter(), pairs.len()), pairs, whole, costs }
    }

    /// Is every suppressed record a mistake?
    pub(crate) fn counts_suppressed(&self) -> bool {
        self.costs.is_none()
    }

    /// The sum of all penalties (equations 1 and 2 of the paper, before the division by N). Suppressed rows have the last of the `groups` ids.
    pub(crate) fn metric(&self, ids: &[u32], groups: usize, counts: &mut Counts) -> f64 {
        with_codes!(&self.of_row, pairs => self.penalties(pairs.iter().zip(ids), groups, counts))
    }

    /// The same from the rows that are not suppressed, and the group of each.
    pub(crate) fn metric_of(&self, rows: &[u32], ids: &[u32], groups: usize, counts: &mut Counts) -> f64 {
        with_codes!(&self.of_row, pairs => {
            let rows = rows.iter().map(|&row| &pairs[row as usize]).zip(ids);
            self.penalties(rows, groups, counts)
        })
    }

    /// Rows are the pair and the group of each. Suppressed ones may be left out.
    fn penalties<'r, C: Code + 'r>(
        &self,
        rows: impl Iterator<Item = (&'r C, &'r u32)>,
        groups: usize,
        counts: &mut Counts,
    ) -> f64 {
        if groups.saturating_mul(self.classes) <= (16 * self.of_row.len()).max(1 << 10) {
            self.dense(rows, groups, &mut counts.counts)
        } else {
            self.sparse(rows, groups, counts)
        }
    }

    /// A counter for every (group, class).
    fn dense<'r, C: Code + 'r>(
        &self,
        rows: impl Iterator<Item = (&'r C, &'r u32)>,
        groups: usize,
        counts: &mut Vec<u64>,
    ) -> f64 {
        counts.clear();
        counts.resize(groups * self.classes, 0);
        for (pair, &id) in rows {
            let (class, records) = self.pairs[pair.index()];
            counts[id as usize * self.classes + class as usize] += records;
        }
        counts.truncate((groups - 1) * self.classes);
        self.of_counts(counts)
    }

    /// How many classes there are.
    pub(crate) fn len(&self) -> usize {
        self.classes
    }

    /// The class and the records of a row.
    pub(crate) fn pair(&self, row: usize) -> (u32, u64) {
        self.pairs[self.of_row.get(row) as usize]
    }

    /// The records in groups of fewer than k, and the sum of all penalties, when these are the records of the first class in each group, then
    /// those of the second, and so on.
    pub(crate) fn counted(&self, groups: usize, k: u64, counters: &[u32]) -> (u64, f64) {
        let (mut suppressed, mut kept) = (0, Vec::new());
        let mut minorities = 0;
        for group in 0..groups {
            let of_class = |class: usize| u64::from(counters[class * groups + group]);
            let (records, most) =
                (0..self.classes).map(of_class).fold((0, 0), |(sum, most), of| (sum + of, of.max(most)));
            if records < k {
                suppressed += records;
            } else if self.costs.is_some() {
                kept.extend((0..self.classes).map(of_class));
            } else {
                minorities += records - most;
            }
        }
        let penalties = if self.costs.is_some() { self.of_counts(&mut kept) } else { (minorities + suppressed) as f64 };
        (suppressed, penalties)
    }

    /// The sum of all penalties, when these are the records of each class in each group that is not suppressed.
    fn of_counts(&self, counts: &mut Vec<u64>) -> f64 {
        let suppressed = self
            .suppressed(counts.chunks_exact(self.classes.max(1)).flat_map(|group| group.iter().copied().enumerate()));
        let Some(costs) = &self.costs else {
            // Whole numbers up to the division: nothing is rounded.
            let minority = |group: &[u64]| group.iter().sum::<u64>() - group.iter().max().unwrap_or(&0);
            let kept: u64 = counts.chunks_exact(self.classes.max(1)).map(minority).sum();
            return (kept + suppressed.iter().sum::<u64>()) as f64;
        };
        let cost = |group: &[u64]| {
            let majority = first_largest(group.iter().copied());
            let each = group.iter().enumerate().filter(|(_, count)| **count > 0);
            each.map(|(class, &count)| count as f64 * costs.cost(class, majority)).sum::<f64>()
        };
        counts.extend(suppressed);
        counts.chunks_exact(self.classes.max(1)).map(cost).sum()
    }

    /// The suppressed records of each class: those that are not in any group.
    fn suppressed(&self, kept: impl Iterator<Item = (usize, u64)>) -> Vec<u64> {
        let mut left = self.whole.clone();
        kept.for_each(|(class, records)| left[class] -= records);
        left
    }

    /// Many groups of many classes: only the pairs that occur.
    fn sparse<'r, C: Code + 'r>(
        &self,
        rows: impl Iterator<Item = (&'r C, &'r u32)>,
        groups: usize,
        buffers: &mut Counts,
    ) -> f64 {
        let Counts { counts, keys, pairs, renumber } = buffers;
        let suppressed = (groups - 1) as u32;
        keys.clear();
        counts.clear();
        for (pair, &id) in rows.filter(|(_, id)| **id != suppressed) {
            let (class, records) = self.pairs[pair.index()];
            keys.push(u64::from(id) << 32 | u64::from(class));
            counts.push(records);
        }
        let found = renumber.run(keys);
        pairs.clear();
        pairs.resize(found, (0, 0, 0));
        for ((&key, &pair), &records) in keys.iter().zip(&renumber.ids).zip(&*counts) {
            let count = pairs[pair as usize].2 + records;
            pairs[pair as usize] = ((key >> 32) as u32, key as u32, count);
        }
        let left = self.suppressed(pairs.iter().map(|&(_, class, count)| (class as usize, count)));
        let left = (0..).zip(left).filter(|(_, count)| *count > 0);
        pairs.extend(left.map(|(class, count)| (suppressed, class, count)));
        // By group and class, so that the first of equally frequent classes wins.
        pairs.sort_unstable();
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
