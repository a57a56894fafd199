//! Numbers for combinations of labels.

use hashbrown::HashMap;

/// Which combination of labels each row has.
///
/// Combinations are numbered anew after each column, so that no product of label counts can overflow, and no hash is taken to be
/// unique.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// The number of each row's combination, in order of first appearance.
    pub of_row: Vec<u32>,
    /// How many combinations there are.
    pub len: usize,
}

impl Numbering {
    /// All rows are alike.
    pub fn new(rows: usize) -> Self {
        Numbering { of_row: vec![0; rows], len: usize::from(rows > 0) }
    }

    /// Are there no combinations, because there are no rows?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Tells rows apart by their labels too, which are below `distinct`.
    pub fn refine(&mut self, labels: impl Iterator<Item = u32>, distinct: usize) {
        const NONE: u32 = u32::MAX;
        let possible = self.len.saturating_mul(distinct);
        // An array while it is not much larger than the rows themselves.
        if possible <= (4 * self.of_row.len()).max(1 << 16) {
            let mut number_of = vec![NONE; possible];
            self.renumber(labels, |number, label, next| {
                let slot = &mut number_of[number as usize * distinct + label as usize];
                if *slot == NONE {
                    *slot = next;
                }
                *slot
            });
        } else {
            let mut number_of: HashMap<(u32, u32), u32> = HashMap::new();
            self.renumber(labels, |number, label, next| *number_of.entry((number, label)).or_insert(next));
        }
    }

    /// `find` gives the number of a combination: `next` if it is a new one.
    fn renumber(&mut self, labels: impl Iterator<Item = u32>, mut find: impl FnMut(u32, u32, u32) -> u32) {
        let mut next = 0;
        for (number, label) in self.of_row.iter_mut().zip(labels) {
            *number = find(*number, label, next);
            next += u32::from(*number == next);
        }
        self.len = next as usize;
    }

    /// The first row of each combination.
    pub fn first_rows(&self) -> Vec<u32> {
        let mut first = Vec::with_capacity(self.len);
        for (row, &number) in self.of_row.iter().enumerate() {
            if number as usize == first.len() {
                first.push(row as u32);
            }
        }
        first
    }

    /// The records of each combination.
    pub fn sizes(&self, weights: &[u64]) -> Vec<u64> {
        let mut sizes = vec![0; self.len];
        self.of_row.iter().zip(weights).for_each(|(&number, weight)| sizes[number as usize] += weight);
        sizes
    }
}

/// The rows that are looked at, sorted by group.
pub(crate) fn by_group(group_of: &[u32], groups: usize, looked_at: &impl Fn(u32) -> bool) -> Vec<u32> {
    let rows = || (0..).zip(group_of).filter(|(row, _)| looked_at(*row));
    let mut next = vec![0u32; groups + 1];
    rows().for_each(|(_, &group)| next[group as usize + 1] += 1);
    (0..groups).for_each(|group| next[group + 1] += next[group]);
    let mut order = vec![0; next[groups] as usize];
    for (row, &group) in rows() {
        order[next[group as usize] as usize] = row;
        next[group as usize] += 1;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_numbered_as_they_appear() {
        let mut numbering = Numbering::new(5);
        numbering.refine([1, 0, 1, 1, 0].into_iter(), 2);
        assert_eq!((&numbering.of_row[..], numbering.len), (&[0, 1, 0, 0, 1][..], 2));
        // So many labels that an array would be larger than the rows.
        numbering.refine([9, 9, 9, 1 << 30, 9].into_iter(), 1 << 31);
        assert_eq!((&numbering.of_row[..], numbering.len), (&[0, 1, 0, 2, 1][..], 3));
        assert_eq!(numbering.first_rows(), [0, 1, 3]);
        assert_eq!(numbering.sizes(&[1, 2, 3, 4, 5]), [4, 7, 4]);
        assert!(Numbering::new(0).is_empty());
    }
}
