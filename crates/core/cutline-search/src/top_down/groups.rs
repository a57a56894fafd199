//! The qid groups of one QID.
//!
//! This is the papers' TIPS (partitions with links from each candidate to the partitions that hold it) and QITS (counts per qid)
//! in one, because every QID keeps groups of its own: a group *is* a partition. Partitions over the union of several QIDs would
//! be many times as many.

use std::borrow::Cow;

use cutline_table::{AttributeId, Codes, CompressedTable, Projection, TableQid};
use rayon::prelude::*;

use super::candidates::Candidates;
use super::counts::{Counts, records_of};
use super::disclose::Left;
use super::split::{Splitter, by_history};
use crate::tree::{Parting, Tree};

/// The groups of one QID.
#[derive(Debug)]
pub(crate) struct Groups {
    /// Which QID of the problem this is.
    qid: usize,
    /// Its attributes, by position in the table.
    attributes: Vec<usize>,
    /// None once nothing depends on them any more.
    groups: Vec<Group>,
    /// For each attribute and node, the groups under it.
    links: Vec<Vec<Vec<u32>>>,
    anonymity: u64,
    /// Whose candidates are told of groups: of some attributes alone, if only those were counted finely enough.
    watched: Watched,
}

/// Which attributes' candidates are told what groups they would make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Watched {
    /// Those of all attributes.
    All,
    /// Those of some attributes of the table.
    Some(Vec<usize>),
}

impl Watched {
    pub(crate) fn includes(&self, attribute: usize) -> bool {
        match self {
            Watched::All => true,
            Watched::Some(attributes) => attributes.contains(&attribute),
        }
    }
}

/// The records that share one masked value combination.
#[derive(Debug, Default)]
pub(crate) struct Group {
    /// a(qid).
    pub(crate) records: u64,
    /// For each attribute, the node of its cut; `None` for a disclosed value.
    pub(crate) nodes: Vec<Option<u32>>,
    /// For each attribute, the records by child of that node; `None` where no candidate needs them any more.
    pub(crate) counts: Vec<Option<Counts>>,
    /// For each attribute, the codes of the group's rows, which lie together so that they are read in order; none where there
    /// are no counts.
    pub(crate) columns: Vec<Codes>,
    /// The records of each row; none if every row is one record.
    pub(crate) weights: Vec<u64>,
    /// What of the rows was disclosed and is still among them.
    pub(crate) left: Left,
}

/// Where hardly any rows are several records, these are rows of their own and no row has a weight, which would be moved with it wherever it
/// goes: the rows that come again, each as often as it does.
fn rows_again(weights: &[u64]) -> Option<Vec<u32>> {
    const FEW: u64 = 8;
    // A row without records would be one.
    let again: u64 = weights.iter().map(|weight| weight.checked_sub(1)).sum::<Option<u64>>()?;
    if again > weights.len() as u64 / FEW {
        return None;
    }
    Some((0..).zip(weights).flat_map(|(row, &weight)| std::iter::repeat_n(row, weight as usize - 1)).collect())
}

impl Groups {
    /// One group with all records, or one for each history. [`Groups::count_roots`] must follow when the candidates are known.
    pub(crate) fn new(table: &CompressedTable, index: usize, qid: &TableQid) -> Self {
        let rows = Projection::of(table, qid);
        let weighted = rows.weights.iter().any(|&weight| weight != 1);
        let again = if rows.histories.is_none() { rows_again(&rows.weights) } else { None };
        let column = |column: Cow<'_, Codes>| {
            let mut column = column.into_owned();
            if let Some(again) = &again {
                let codes: Vec<u32> = again.iter().map(|&row| column.get(row as usize)).collect();
                column.extend(codes.into_iter());
            }
            column
        };
        let root = Group {
            records: table.records,
            nodes: vec![Some(Tree::ROOT); qid.attributes.len()],
            columns: rows.columns.into_par_iter().map(column).collect(),
            weights: if weighted && again.is_none() { rows.weights.into_owned() } else { Vec::new() },
            ..Group::default()
        };
        let groups = match (&qid.histories, rows.histories) {
            (Some(histories), Some(codes)) => by_history(root, &codes, histories.len()),
            _ => vec![root],
        };
        let attributes = qid.attributes.iter().map(|&AttributeId(a)| a).collect();
        Groups::of_groups((index, attributes), Watched::All, groups)
    }

    /// One group of rows that somebody counted.
    pub(crate) fn of_rows(
        (qid, attributes): (usize, Vec<usize>),
        watched: Watched,
        columns: Vec<Codes>,
        weights: Vec<u64>,
    ) -> Self {
        let nodes = vec![Some(Tree::ROOT); attributes.len()];
        let records = weights.iter().sum();
        let root = Group { records, nodes, columns, weights, ..Group::default() };
        Groups::of_groups((qid, attributes), watched, vec![root])
    }

    fn of_groups((qid, attributes): (usize, Vec<usize>), watched: Watched, groups: Vec<Group>) -> Self {
        let links = vec![vec![(0..groups.len() as u32).collect()]; attributes.len()];
        let anonymity = groups.iter().map(|group| group.records).min().unwrap_or(0);
        Groups { qid, attributes, groups, links, anonymity, watched }
    }

    /// Which QID of the problem this is.
    pub(crate) fn qid(&self) -> usize {
        self.qid
    }

    /// A(QID).
    pub(crate) fn anonymity(&self) -> u64 {
        self.anonymity
    }

    /// Is the attribute part of this QID?
    pub(crate) fn contains(&self, attribute: AttributeId) -> bool {
        self.attributes.contains(&attribute.0)
    }

    /// Counts the groups of the most masked state.
    pub(crate) fn count_roots(&mut self, trees: &[Tree], candidates: &Candidates) {
        let mut roots = std::mem::take(&mut self.groups);
        let splitter = self.splitter(trees, candidates);
        roots.par_iter_mut().for_each(|root| splitter.count_all(root));
        self.groups = roots;
    }

    /// Does nothing depend on how the groups fall apart any more? Where a record stands alone and may, no refinement makes A(QID) fall,
    /// loses anonymity or makes a group that is too small.
    fn are_indifferent(&self, candidates: &Candidates) -> bool {
        self.anonymity == 1 && candidates.may_single_out(self.qid)
    }

    /// Performs a refinement: splits the groups under the refined node, and touches no other.
    pub(crate) fn refine(
        &mut self,
        attribute: AttributeId,
        parting: &Parting,
        trees: &[Tree],
        candidates: &Candidates,
    ) {
        let Some(local) = self.attributes.iter().position(|&a| a == attribute.0) else { return };
        if self.are_indifferent(candidates) {
            self.groups = Vec::new();
            self.links.fill(Vec::new());
            return;
        }
        let ids = self.affected(local, parting);
        let taken: Vec<Group> = ids.iter().map(|&id| std::mem::take(&mut self.groups[id as usize])).collect();
        let splitter = self.splitter(trees, candidates);
        let split = |group: Group| match parting.disclosed {
            Some(value) => splitter.disclose(group, local, value),
            None => splitter.split(group, local, parting),
        };
        let parts: Vec<Vec<Group>> = taken.into_par_iter().map(split).collect();
        for (id, parts) in ids.into_iter().zip(parts) {
            self.replace(id, parts, local);
        }
    }

    /// The groups to split, taken off the refined node's link.
    fn affected(&mut self, local: usize, parting: &Parting) -> Vec<u32> {
        // Some records of a table have not all of its values: a node of theirs may have no group.
        let Some(link) = self.links[local].get_mut(parting.node as usize) else { return Vec::new() };
        let Some(value) = parting.disclosed else { return std::mem::take(link) };
        let groups = &self.groups;
        // No value of it will ever be told where nothing is counted.
        link.retain(|&id| groups[id as usize].counts[local].is_some());
        link.extract_if(.., |id| groups[*id as usize].records_at(local, value) > 0).collect()
    }

    /// Puts the parts of a group in its place. The first part keeps the group's number, so the links of other attributes hold.
    fn replace(&mut self, id: u32, parts: Vec<Group>, local: usize) {
        for (index, group) in parts.into_iter().enumerate() {
            self.anonymity = self.anonymity.min(group.records);
            let id = if index == 0 { id } else { self.groups.len() as u32 };
            for (other, node) in group.nodes.iter().enumerate() {
                if let Some(node) = node
                    && (other == local || index > 0)
                {
                    link(&mut self.links[other], *node).push(id);
                }
            }
            if index == 0 {
                self.groups[id as usize] = group;
            } else {
                self.groups.push(group);
            }
        }
    }

    fn splitter<'a>(&'a self, trees: &'a [Tree], candidates: &'a Candidates) -> Splitter<'a> {
        Splitter { qid: self.qid, attributes: &self.attributes, watched: &self.watched, trees, candidates }
    }
}

fn link(links: &mut Vec<Vec<u32>>, node: u32) -> &mut Vec<u32> {
    if links.len() <= node as usize {
        links.resize_with(node as usize + 1, Vec::new);
    }
    &mut links[node as usize]
}

impl Group {
    /// Records of the group that would move to a slot of an attribute.
    pub(crate) fn records_at(&self, local: usize, slot: u32) -> u64 {
        self.counts[local].as_ref().map_or(0, |counts| records_of(counts, slot))
    }
}

#[cfg(test)]
mod tests {
    use super::rows_again;

    #[test]
    fn few_rows_of_several_records_come_again_and_many_keep_their_weights() {
        let mut weights = vec![1; 16];
        assert_eq!(rows_again(&weights), Some(Vec::new()));
        weights[5] = 3;
        assert_eq!(rows_again(&weights), Some(vec![5, 5]));
        weights[6] = 2;
        assert_eq!(rows_again(&weights), None, "they would be too many");
        assert_eq!(rows_again(&[1, 0, 1]), None, "a row without records is none");
        assert_eq!(rows_again(&[]), Some(Vec::new()));
    }
}
