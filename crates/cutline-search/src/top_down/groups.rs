//! The qid groups of one QID.
//!
//! This is the papers' TIPS (partitions with links from each candidate to the partitions that hold it) and QITS (counts per qid)
//! in one, because every QID keeps groups of its own: a group *is* a partition. Partitions over the union of several QIDs would
//! be many times as many.
//!
//! A step touches only the groups on the link of the refined node. Of the parts that a group falls into, all but the largest are
//! counted; the counts of the largest are what is left of the group's.

use cutline_table::{AttributeId, Code, CompressedTable, Projection, with_codes};
use rayon::prelude::*;

use super::candidates::Candidates;
use super::counts::{Counts, count, subtract};
use super::tree::{Refinement, Tree};
use crate::QidProblem;

/// Groups with more rows than this are counted on all cores.
const LARGE: usize = 1 << 14;

/// The groups of one QID.
#[derive(Debug)]
pub(crate) struct Groups<'a> {
    /// Which QID of the problem this is.
    qid: usize,
    /// Its attributes, by position in the table.
    attributes: Vec<usize>,
    rows: Projection<'a>,
    /// Does every row stand for one record?
    unweighted: bool,
    groups: Vec<Group>,
    /// For each attribute and node, the groups under it.
    links: Vec<Vec<Vec<u32>>>,
    anonymity: u64,
}

/// The records that share one masked value combination.
#[derive(Debug, Default)]
struct Group {
    /// Rows of the projection, ascending.
    rows: Vec<u32>,
    /// a(qid).
    records: u64,
    /// For each attribute, the records by child of its node; `None` where there is no candidate to keep them for.
    counts: Vec<Option<Counts>>,
}

/// A part of a refined group, and the slot it belongs to.
struct Part {
    slot: u32,
    group: Group,
}

impl<'a> Groups<'a> {
    /// One group with all records. [`Groups::count_root`] must follow when the candidates are known.
    pub(crate) fn new(table: &'a CompressedTable, index: usize, qid: &QidProblem) -> Self {
        let rows = Projection::new(table, &qid.attributes);
        let root = Group { rows: (0..rows.rows() as u32).collect(), records: table.records, counts: Vec::new() };
        Groups {
            qid: index,
            attributes: qid.attributes.iter().map(|&AttributeId(a)| a).collect(),
            unweighted: rows.weights.iter().all(|&weight| weight == 1),
            rows,
            groups: vec![root],
            links: vec![vec![vec![0]]; qid.attributes.len()],
            anonymity: table.records,
        }
    }

    /// A(QID).
    pub(crate) fn anonymity(&self) -> u64 {
        self.anonymity
    }

    /// Is the attribute part of this QID?
    pub(crate) fn contains(&self, attribute: AttributeId) -> bool {
        self.attributes.contains(&attribute.0)
    }

    /// Counts the group of the most masked state.
    pub(crate) fn count_root(&mut self, trees: &[Tree], candidates: &Candidates) {
        let mut root = std::mem::take(&mut self.groups[0]);
        let context = self.context(trees, candidates);
        let locals: Vec<usize> = (0..self.attributes.len()).collect();
        root.counts = locals.par_iter().map(|&local| context.count(local, &root.rows)).collect();
        context.tell_candidates(&mut root);
        self.groups[0] = root;
    }

    /// Performs a refinement: splits the groups under the refined node.
    pub(crate) fn refine(
        &mut self,
        attribute: AttributeId,
        refinement: &Refinement,
        trees: &[Tree],
        candidates: &Candidates,
    ) {
        let Some(local) = self.attributes.iter().position(|&a| a == attribute.0) else { return };
        let ids = self.affected(local, refinement);
        let taken: Vec<Group> = ids.iter().map(|&id| std::mem::take(&mut self.groups[id as usize])).collect();
        let context = self.context(trees, candidates);
        let parts: Vec<Vec<Part>> =
            taken.into_par_iter().with_max_len(64).map(|group| context.split(group, local, refinement)).collect();
        for (id, parts) in ids.into_iter().zip(parts) {
            self.replace(id, parts, local, refinement, trees);
        }
    }

    /// The groups to split, taken off the refined node's link.
    fn affected(&mut self, local: usize, refinement: &Refinement) -> Vec<u32> {
        let link = &mut self.links[local][refinement.node as usize];
        let Some(value) = refinement.disclosed else { return std::mem::take(link) };
        let has_value = |&id: &u32| records_at(&self.groups[id as usize].counts[local], value) > 0;
        let (affected, rest) = std::mem::take(link).into_iter().partition(has_value);
        *link = rest;
        affected
    }

    /// Puts the parts of a group in its place. The first part keeps the group's number, so the links of other attributes hold.
    fn replace(&mut self, id: u32, parts: Vec<Part>, local: usize, refinement: &Refinement, trees: &[Tree]) {
        for (index, Part { slot, group }) in parts.into_iter().enumerate() {
            self.anonymity = self.anonymity.min(group.records);
            let first_row = group.rows[0] as usize;
            let id = if index == 0 { id } else { self.groups.len() as u32 };
            if index == 0 {
                self.groups[id as usize] = group;
            } else {
                self.groups.push(group);
                for other in (0..self.attributes.len()).filter(|&other| other != local) {
                    let code = self.rows.columns[other].get(first_row);
                    if let Some(node) = trees[self.attributes[other]].node_of(code) {
                        self.links[other][node as usize].push(id);
                    }
                }
            }
            let node = match refinement.disclosed {
                None => Some(refinement.children[slot as usize]),
                Some(_) => (slot == Refinement::REST).then_some(refinement.node),
            };
            if let Some(node) = node {
                let links = &mut self.links[local];
                if links.len() <= node as usize {
                    links.resize_with(node as usize + 1, Vec::new);
                }
                links[node as usize].push(id);
            }
        }
    }

    fn context<'b>(&'b self, trees: &'b [Tree], candidates: &'b Candidates) -> Context<'b> {
        Context {
            qid: self.qid,
            attributes: &self.attributes,
            rows: &self.rows,
            weights: (!self.unweighted).then_some(&self.rows.weights),
            trees,
            candidates,
        }
    }
}

fn records_at(counts: &Option<Counts>, slot: u32) -> u64 {
    let Some(counts) = counts else { return 0 };
    counts.binary_search_by_key(&slot, |&(slot, _)| slot).map_or(0, |place| counts[place].1)
}

/// What splitting a group needs to look at.
struct Context<'a> {
    qid: usize,
    attributes: &'a [usize],
    rows: &'a Projection<'a>,
    weights: Option<&'a [u64]>,
    trees: &'a [Tree],
    candidates: &'a Candidates,
}

impl Context<'_> {
    /// Splits one group. Parts come in slot order.
    fn split(&self, mut group: Group, local: usize, refinement: &Refinement) -> Vec<Part> {
        let mut parts: Vec<Part> = self
            .split_rows(&group.rows, local, refinement)
            .into_iter()
            .enumerate()
            .filter(|(_, rows)| !rows.is_empty())
            .map(|(slot, rows)| Part {
                slot: slot as u32,
                group: Group { rows, records: 0, counts: vec![None; self.attributes.len()] },
            })
            .collect();
        self.set_records(&mut parts, &group, local, refinement);
        let locals: Vec<usize> = (0..self.attributes.len()).collect();
        let count = |&other: &usize| {
            let whole = group.counts[other].as_ref();
            if other == local {
                self.count_refined(&parts, whole, local, refinement)
            } else {
                self.count_other(&parts, whole, other)
            }
        };
        let counted: Vec<Vec<Option<Counts>>> = if group.rows.len() > LARGE {
            locals.par_iter().map(count).collect()
        } else {
            locals.iter().map(count).collect()
        };
        group.rows = Vec::new();
        for (other, counts) in counted.into_iter().enumerate() {
            for (part, counts) in parts.iter_mut().zip(counts) {
                part.group.counts[other] = counts;
            }
        }
        parts.iter_mut().for_each(|part| self.tell_candidates(&mut part.group));
        parts
    }

    fn split_rows(&self, rows: &[u32], local: usize, refinement: &Refinement) -> Vec<Vec<u32>> {
        let mut parts = vec![Vec::new(); refinement.parts()];
        with_codes!(self.rows.columns[local].as_ref(), column => {
            for &row in rows {
                parts[refinement.part_of[column[row as usize].index()] as usize].push(row);
            }
        });
        parts
    }

    /// The sizes of the parts were counted when the group was made.
    fn set_records(&self, parts: &mut [Part], group: &Group, local: usize, refinement: &Refinement) {
        for part in parts {
            part.group.records = match refinement.disclosed {
                None => records_at(&group.counts[local], part.slot),
                Some(value) => {
                    let disclosed = records_at(&group.counts[local], value);
                    if part.slot == Refinement::DISCLOSED { disclosed } else { group.records - disclosed }
                }
            };
        }
    }

    /// The counts of the refined attribute: new nodes have new children.
    fn count_refined(
        &self,
        parts: &[Part],
        whole: Option<&Counts>,
        local: usize,
        refinement: &Refinement,
    ) -> Vec<Option<Counts>> {
        let count = |part: &Part| match refinement.disclosed {
            None => self.count(local, &part.group.rows),
            Some(_) if part.slot == Refinement::DISCLOSED => None,
            Some(value) => whole.map(|whole| whole.iter().copied().filter(|&(slot, _)| slot != value).collect()),
        };
        parts.iter().map(count).collect()
    }

    /// The counts of another attribute: every part is under the same node as the whole was.
    fn count_other(&self, parts: &[Part], whole: Option<&Counts>, other: usize) -> Vec<Option<Counts>> {
        let code = self.rows.columns[other].get(parts[0].group.rows[0] as usize);
        let (Some(whole), Some(node)) = (whole, self.live_node(other, code)) else { return vec![None; parts.len()] };
        let largest = (0..parts.len()).max_by_key(|&index| parts[index].group.rows.len()).unwrap_or(0);
        let count =
            |(index, part): (usize, &Part)| (index != largest).then(|| self.count_under(other, node, &part.group.rows));
        let mut counts: Vec<Option<Counts>> = parts.iter().enumerate().map(count).collect();
        let counted: Vec<&Counts> = counts.iter().flatten().collect();
        counts[largest] = Some(subtract(whole, &counted));
        counts
    }

    /// Counts the rows of a group by child of the node that they are under, if that node is a candidate.
    fn count(&self, local: usize, rows: &[u32]) -> Option<Counts> {
        let code = self.rows.columns[local].get(*rows.first()? as usize);
        self.live_node(local, code).map(|node| self.count_under(local, node, rows))
    }

    fn count_under(&self, local: usize, node: u32, rows: &[u32]) -> Counts {
        let tree = &self.trees[self.attributes[local]];
        count(rows, &self.rows.columns[local], tree.slots(), tree.width(node), self.weights)
    }

    /// The node that a code is under, if it can still be refined.
    fn live_node(&self, local: usize, code: u32) -> Option<u32> {
        let attribute = self.attributes[local];
        let tree = &self.trees[attribute];
        let node = tree.node_of(code)?;
        (tree.is_suppressed() || self.candidates.live(attribute, node, self.qid).is_some()).then_some(node)
    }

    /// Tells the candidates how small the groups are that they would make of this one, and forgets the counts of those that
    /// became invalid.
    fn tell_candidates(&self, group: &mut Group) {
        for local in 0..self.attributes.len() {
            let Some(counts) = group.counts[local].take() else { continue };
            let attribute = self.attributes[local];
            group.counts[local] = if self.trees[attribute].is_suppressed() {
                Some(self.tell_disclosures(attribute, counts, group.records))
            } else {
                let code = self.rows.columns[local].get(group.rows[0] as usize);
                self.tell_refinement(attribute, code, counts)
            };
        }
    }

    /// Disclosing a value would make a group of its records and one of the rest.
    fn tell_disclosures(&self, attribute: usize, counts: Counts, group: u64) -> Counts {
        let still_valid = |&(value, records): &(u32, u64)| {
            let candidate = self.candidates.live(attribute, value, self.qid);
            let rest = group - records;
            let smallest = if rest == 0 { records } else { records.min(rest) };
            if let Some(candidate) = candidate {
                candidate.makes_group(self.qid, smallest);
            }
            self.candidates.live(attribute, value, self.qid).is_some()
        };
        counts.into_iter().filter(still_valid).collect()
    }

    /// Refining a node would make a group of the records of each child.
    fn tell_refinement(&self, attribute: usize, code: u32, counts: Counts) -> Option<Counts> {
        let node = self.trees[attribute].node_of(code)?;
        let candidate = self.candidates.live(attribute, node, self.qid)?;
        if let Some(smallest) = counts.iter().map(|&(_, records)| records).min() {
            candidate.makes_group(self.qid, smallest);
        }
        self.candidates.live(attribute, node, self.qid).map(|_| counts)
    }
}
