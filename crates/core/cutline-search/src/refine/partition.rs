//! Which records share a qid?

use std::ops::Range;

use cutline_table::{AttributeId, Code, Numbering, Projection, TableQid, with_codes};

use crate::tree::{Parting, Tree};

/// The distinct qids of one QID, in an order in which every group is a run of rows.
pub(super) struct Partition<'a> {
    rows: &'a Projection<'a>,
    /// The QID's attributes, by position in the table.
    pub(super) attributes: Vec<usize>,
    pub(super) k: u64,
    order: Vec<u32>,
    /// The records of each row, in that order, so that they are read one after the other.
    weights: Vec<u64>,
    groups: Vec<Group>,
    /// A(QID).
    pub(super) anonymity: u64,
    /// Records in groups that are smaller than k.
    pub(super) small: u64,
}

/// The records that share one masked value combination.
#[derive(Clone, Debug)]
pub(super) struct Group {
    rows: Range<u32>,
    pub(super) records: u64,
}

impl<'a> Partition<'a> {
    /// The groups under the cuts that the trees have now.
    pub(super) fn new(rows: &'a Projection<'a>, qid: &TableQid, trees: &[Tree]) -> Self {
        let attributes: Vec<usize> = qid.attributes.iter().map(|&AttributeId(a)| a).collect();
        let mut numbering = Numbering::new(rows.rows());
        if let (Some(codes), Some(histories)) = (&rows.histories, &qid.histories) {
            numbering.refine(codes.iter(), histories.len());
        }
        for (column, &a) in rows.columns.iter().zip(&attributes) {
            let labelling = trees[a].labelling(None);
            if labelling.labels > 1 {
                numbering.refine_column(column, &labelling.label_of, labelling.labels);
            }
        }
        let (order, runs) = sorted(&numbering);
        let weights = order.iter().map(|&row| rows.weights[row as usize]).collect();
        let mut partition =
            Partition { rows, attributes, k: qid.k, order, weights, groups: Vec::new(), anonymity: 0, small: 0 };
        partition.groups = runs.into_iter().map(|rows| partition.group(rows)).collect();
        partition.measure();
        partition
    }

    fn group(&self, rows: Range<u32>) -> Group {
        let records = self.weights[rows.start as usize..rows.end as usize].iter().sum();
        Group { rows, records }
    }

    fn measure(&mut self) {
        self.anonymity = self.groups.iter().map(|group| group.records).min().unwrap_or(0);
        self.small = self.groups.iter().map(|group| group.records).filter(|&records| records < self.k).sum();
    }

    /// The rows of a group, with their records.
    fn rows_of<'g>(&'g self, group: &Group) -> impl Iterator<Item = (u32, u64)> + use<'g, 'a> {
        let run = group.rows.start as usize..group.rows.end as usize;
        self.order[run.clone()].iter().copied().zip(self.weights[run].iter().copied())
    }

    /// All groups.
    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Where an attribute of the table stands in the QID, if it does.
    pub(super) fn place(&self, attribute: usize) -> Option<usize> {
        self.attributes.iter().position(|&a| a == attribute)
    }

    /// The code of a group's first row: all its rows have the same label.
    pub(super) fn code(&self, group: &Group, place: usize) -> u32 {
        self.rows.columns[place].get(self.order[group.rows.start as usize] as usize)
    }

    /// Adds the group's records to the cells that `slot` has for the codes of an attribute.
    pub(super) fn count(&self, group: &Group, place: usize, slot: &[u32], cells: &mut [u64]) {
        with_codes!(&*self.rows.columns[place], column => {
            for (row, records) in self.rows_of(group) {
                cells[slot[column[row as usize].index()] as usize] += records;
            }
        });
    }

    /// The codes of a group's rows, with their records.
    pub(super) fn codes<'g>(&'g self, group: &Group, place: usize) -> impl Iterator<Item = (u32, u64)> + use<'g, 'a> {
        let column = &self.rows.columns[place];
        self.rows_of(group).map(|(row, records)| (column.get(row as usize), records))
    }

    /// Performs a refinement: splits these groups, and touches no other. Returns their parts.
    pub(super) fn split(&mut self, groups: &[usize], place: usize, parting: &Parting) -> Vec<Group> {
        let mut made = Vec::new();
        for &index in groups {
            let runs = self.sort_by_part(self.groups[index].rows.clone(), place, parting);
            let parts = runs.into_iter().map(|rows| self.group(rows)).collect::<Vec<_>>();
            made.extend(parts.iter().cloned());
            let mut parts = parts.into_iter();
            self.groups[index] = parts.next().unwrap_or_else(|| self.groups[index].clone());
            self.groups.extend(parts);
        }
        self.measure();
        made
    }

    /// Sorts a run of rows by the part that they go to, keeping their order within parts.
    fn sort_by_part(&mut self, rows: Range<u32>, place: usize, parting: &Parting) -> Vec<Range<u32>> {
        let run = rows.start as usize..rows.end as usize;
        let old: Vec<(u32, u64)> =
            self.order[run.clone()].iter().copied().zip(self.weights[run].iter().copied()).collect();
        let parts: Vec<u32> = with_codes!(&*self.rows.columns[place], column => {
            old.iter().map(|&(row, _)| parting.part_of(column[row as usize].index())).collect()
        });
        let (mut starts, runs) = runs(&parts, parting.parts(), rows.start);
        for (&(row, records), &part) in old.iter().zip(&parts) {
            let place = starts[part as usize] as usize;
            (self.order[place], self.weights[place]) = (row, records);
            starts[part as usize] += 1;
        }
        runs
    }
}

/// The rows in the order of their groups, and the run of each group.
fn sorted(groups: &Numbering) -> (Vec<u32>, Vec<Range<u32>>) {
    let (mut starts, runs) = runs(&groups.of_row, groups.len, 0);
    let mut order = vec![0; groups.of_row.len()];
    for (row, &group) in groups.of_row.iter().enumerate() {
        order[starts[group as usize] as usize] = row as u32;
        starts[group as usize] += 1;
    }
    (order, runs)
}

/// Where each part begins, and the runs of those that have rows.
fn runs(parts: &[u32], count: usize, first: u32) -> (Vec<u32>, Vec<Range<u32>>) {
    let mut sizes = vec![0u32; count];
    parts.iter().for_each(|&part| sizes[part as usize] += 1);
    let starts: Vec<u32> = sizes.iter().scan(first, |next, size| Some(std::mem::replace(next, *next + size))).collect();
    let runs = starts.iter().zip(&sizes).filter(|(_, size)| **size > 0).map(|(&start, &size)| start..start + size);
    let runs = runs.collect();
    (starts, runs)
}
