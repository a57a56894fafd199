//! The groups under the recoding, where nothing counts but how many records they have.

use std::collections::BTreeMap;

use cutline_table::{Code, Codes, Numbering, with_codes};
use rayon::prelude::*;

use super::frontier::Column;

/// Of an attribute with more labels than this the rows of all are put together, which takes as long as to look for those of some.
const MANY_LABELS: usize = 32;

/// The groups of each QID under the recoding.
pub(super) struct Plain {
    pub(super) of_qid: Vec<Groups>,
    /// Of each attribute with many labels, the rows by label.
    of_label: Vec<Option<Index>>,
}

/// Those of one QID.
pub(super) struct Groups {
    /// The records of each.
    pub(super) sizes: Vec<u64>,
    /// How many groups have so many records. There may be very many groups, of few sizes.
    pub(super) of_size: BTreeMap<u64, u64>,
    /// A row of each.
    pub(super) first: Vec<u32>,
    /// Where there are several QIDs, the rows of each.
    pub(super) rows: Index,
}

/// Rows by group.
#[derive(Default)]
pub(super) struct Index {
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl Index {
    pub(super) fn new<C: Code>(group_of: &[C], groups: usize, row: impl Fn(usize) -> u32) -> Self {
        let mut starts = vec![0; groups + 2];
        group_of.iter().for_each(|group| starts[group.index() + 2] += 1);
        (2..starts.len()).for_each(|group| starts[group] += starts[group - 1]);
        let mut rows = vec![0; group_of.len()];
        for (index, group) in group_of.iter().enumerate() {
            let next = &mut starts[group.index() + 1];
            rows[*next as usize] = row(index);
            *next += 1;
        }
        Index { starts, rows }
    }

    fn of_rows(groups: &Numbering) -> Self {
        Index::new(&groups.of_row, groups.len, |row| row as u32)
    }

    fn of_labels(column: &Column) -> Option<Self> {
        let index = || with_codes!(&column.labels, labels => Index::new(labels, column.distinct, |row| row as u32));
        (column.distinct > MANY_LABELS).then(index)
    }

    pub(super) fn of(&self, group: usize) -> &[u32] {
        &self.rows[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}

impl Plain {
    pub(super) fn new(groups: &[Numbering], weights: &[u64], columns: &[Column]) -> Self {
        let several = groups.len() > 1;
        let rows = |groups: &Numbering| if several { Index::of_rows(groups) } else { Index::default() };
        let of = |groups: &Numbering| Groups::new(groups, weights, rows(groups));
        Plain {
            of_qid: groups.par_iter().map(of).collect(),
            of_label: columns.par_iter().map(Index::of_labels).collect(),
        }
    }

    /// Are the rows with each label of an attribute at hand?
    pub(super) fn has_index(&self, attribute: usize) -> bool {
        self.of_label[attribute].is_some()
    }

    /// The rows with a label of an attribute, ascending.
    pub(super) fn rows_with(&self, attribute: usize, labels: &Codes, label: u32) -> Vec<u32> {
        match &self.of_label[attribute] {
            Some(rows) => rows.of(label as usize).to_vec(),
            None => rows_with(labels, label),
        }
    }
}

impl Groups {
    fn new(groups: &Numbering, weights: &[u64], rows: Index) -> Self {
        let sizes = groups.sizes(weights);
        let mut of_size = BTreeMap::new();
        sizes.iter().for_each(|&size| *of_size.entry(size).or_default() += 1);
        Groups { sizes, of_size, first: groups.first_rows(), rows }
    }

    /// The records of each; none of those that have fallen into parts.
    pub(super) fn without(&self, changed: &[u32]) -> Vec<u64> {
        let mut rest = self.sizes.clone();
        changed.iter().for_each(|&group| rest[group as usize] = 0);
        rest
    }

    /// How many groups have so many records when some have fallen into parts of these sizes.
    pub(super) fn after(&self, changed: &[u32], parts: &[u64]) -> BTreeMap<u64, u64> {
        let mut of_size = self.of_size.clone();
        for &group in changed {
            of_size.entry(self.sizes[group as usize]).and_modify(|groups| *groups -= 1);
        }
        parts.iter().for_each(|&size| *of_size.entry(size).or_default() += 1);
        of_size
    }
}

/// The rows with a label.
fn rows_with(labels: &Codes, label: u32) -> Vec<u32> {
    with_codes!(labels, labels => {
        let with = |(_, other): &(u32, &_)| Code::index(**other) == label as usize;
        (0..).zip(labels.iter()).filter(with).map(|(row, _)| row).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_group() {
        let rows = [0, 3, 63];
        let index = Index::new(&[2_u32, 0, 2], 4, |at| rows[at]);
        assert_eq!([0, 1, 2, 3].map(|group| index.of(group)), [&[3][..], &[], &[0, 63], &[]]);
    }

    #[test]
    fn groups_that_fall_into_parts_are_counted_as_these() {
        let groups = Groups::new(&Numbering { of_row: vec![0, 1, 2, 1], len: 3 }, &[4, 1, 4, 2], Index::default());
        assert_eq!(groups.without(&[1]), [4, 0, 4]);
        let of_size: Vec<(u64, u64)> =
            groups.after(&[1], &[1, 2]).into_iter().filter(|(_, groups)| *groups > 0).collect();
        assert_eq!(of_size, [(1, 1), (2, 1), (4, 2)]);
    }
}
