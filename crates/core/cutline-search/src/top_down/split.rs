//! Splitting one group.
//!
//! Of the parts that a group falls into, all but the largest are counted; the counts of the largest are what is left of the
//! group's. Attributes that no candidate refines any more are neither moved nor counted.

use cutline_table::{Code, Codes, sums, with_codes};
use rayon::prelude::*;

use super::candidates::Candidates;
use super::counts::{Counts, count, subtract};
use super::groups::{Group, Watched};
use crate::tree::{Parting, Tree};

/// Groups with more rows than this are split on all cores.
pub(super) const LARGE: usize = 1 << 14;

/// What splitting a group needs to look at.
pub(crate) struct Splitter<'a> {
    pub(crate) qid: usize,
    pub(crate) attributes: &'a [usize],
    pub(crate) watched: &'a Watched,
    pub(crate) trees: &'a [Tree],
    pub(crate) candidates: &'a Candidates,
}

/// Where the rows of a group go.
struct Rows {
    /// The part of each row.
    part_of: Codes,
    /// Rows of each part.
    sizes: Vec<usize>,
    /// Parts that have rows, and the largest of them.
    present: Vec<usize>,
    largest: usize,
}

impl Rows {
    fn new(codes: &Codes, parting: &Parting) -> Self {
        let parts = parting.parts();
        let part_of = with_codes!(codes, column => match column.len() > LARGE && parts <= 0x100 {
            true => {
                let column = column.par_iter().with_min_len(LARGE / 4);
                Codes::U8(column.map(|code| parting.part_of(code.index()) as u8).collect())
            }
            false => Codes::from_codes(column.iter().map(|code| parting.part_of(code.index())), parts),
        });
        Rows::by_part(part_of, parts)
    }

    fn by_part(part_of: Codes, parts: usize) -> Self {
        let sizes = with_codes!(&part_of, column => sums(column.len(), parts, |row| column[row].index(), |_| 1));
        let sizes: Vec<usize> = sizes.into_iter().map(|size| size as usize).collect();
        let present: Vec<usize> = (0..sizes.len()).filter(|&part| sizes[part] > 0).collect();
        let largest = present.iter().copied().max_by_key(|&part| sizes[part]).unwrap_or(0);
        Rows { part_of, sizes, present, largest }
    }

    /// The column's codes for each part that has rows.
    fn scatter(&self, codes: &Codes) -> Vec<Codes> {
        match codes {
            Codes::U8(column) => self.scatter_values(column).into_iter().map(Codes::U8).collect(),
            Codes::U16(column) => self.scatter_values(column).into_iter().map(Codes::U16).collect(),
            Codes::U32(column) => self.scatter_values(column).into_iter().map(Codes::U32).collect(),
        }
    }

    fn scatter_values<T: Copy + Default>(&self, values: &[T]) -> Vec<Vec<T>> {
        if let [first, second] = self.sizes[..] {
            let mut parts = Vec::from(with_codes!(&self.part_of, part_of => in_two(part_of, values, [first, second])));
            parts.retain(|part| !part.is_empty());
            return parts;
        }
        let mut parts: Vec<Vec<T>> = self.sizes.iter().map(|&size| vec![T::default(); size]).collect();
        let mut places: Vec<_> = parts.iter_mut().map(|part| part.iter_mut()).collect();
        with_codes!(&self.part_of, part_of => {
            for (part, &value) in part_of.iter().zip(values) {
                // There are as many places as rows.
                if let Some(place) = places[part.index()].next() {
                    *place = value;
                }
            }
        });
        parts.retain(|part| !part.is_empty());
        parts
    }
}

/// The values of two parts. Each value is written to both, and stays where it belongs: nothing depends on what came before.
fn in_two<C: Code, T: Copy + Default>(part_of: &[C], values: &[T], sizes: [usize; 2]) -> [Vec<T>; 2] {
    // A place more, for what does not stay.
    let [mut first, mut second] = sizes.map(|size| vec![T::default(); size + 1]);
    let (mut in_first, mut in_second) = (0, 0);
    for (part, &value) in part_of.iter().zip(values) {
        first[in_first] = value;
        second[in_second] = value;
        in_second += part.index();
        in_first += 1 - part.index();
    }
    first.truncate(sizes[0]);
    second.truncate(sizes[1]);
    [first, second]
}

/// The records of the most masked group by their histories in earlier releases: no refinement will ever put them together.
pub(crate) fn by_history(root: Group, codes: &Codes, histories: usize) -> Vec<Group> {
    let rows = Rows::by_part(codes.clone(), histories);
    let mut columns: Vec<_> = root.columns.iter().map(|column| rows.scatter(column).into_iter()).collect();
    let weights = (!root.weights.is_empty()).then(|| rows.scatter_values(&root.weights));
    let mut weights = weights.into_iter().flatten();
    let group = |&part: &usize| {
        let weights = weights.next().unwrap_or_default();
        let records = if weights.is_empty() { rows.sizes[part] as u64 } else { weights.iter().sum() };
        let columns = columns.iter_mut().filter_map(Iterator::next).collect();
        Group { records, weights, columns, nodes: root.nodes.clone(), ..Group::default() }
    };
    rows.present.iter().map(group).collect()
}

/// An attribute of all parts: its codes and counts.
type Column = Vec<(Codes, Option<Counts>)>;

impl Splitter<'_> {
    /// Splits one group where a node is refined. Parts come in slot order.
    pub(crate) fn split(&self, mut group: Group, local: usize, parting: &Parting) -> Vec<Group> {
        self.leave_behind(&mut group);
        let rows = Rows::new(&group.columns[local], parting);
        let weights = if group.weights.is_empty() {
            vec![Vec::new(); rows.present.len()]
        } else {
            rows.scatter_values(&group.weights)
        };
        let mut parts: Vec<Group> = rows
            .present
            .iter()
            .zip(weights)
            .map(|(&slot, weights)| self.part(slot as u32, weights, &group, local, parting))
            .collect();
        let column = |(other, codes): (usize, Codes)| {
            if other == local {
                self.refined_column(&parts, &rows, codes, local)
            } else {
                self.other_column(&parts, &rows, codes, group.counts[other].as_ref(), other)
            }
        };
        let columns: Vec<(usize, Codes)> = std::mem::take(&mut group.columns).into_iter().enumerate().collect();
        let columns: Vec<Column> = if rows.part_of.len() > LARGE {
            columns.into_par_iter().map(column).collect()
        } else {
            columns.into_iter().map(column).collect()
        };
        for column in columns {
            for (part, (codes, counts)) in parts.iter_mut().zip(column) {
                part.columns.push(codes);
                part.counts.push(counts);
            }
        }
        parts.iter_mut().for_each(|part| self.tell_candidates(part));
        parts
    }

    /// A part without its columns. Its size was counted when the group was made.
    fn part(&self, slot: u32, weights: Vec<u64>, group: &Group, local: usize, parting: &Parting) -> Group {
        let mut nodes = group.nodes.clone();
        nodes[local] = Some(parting.children[slot as usize]);
        Group { records: group.records_at(local, slot), nodes, weights, ..Group::default() }
    }

    /// The refined attribute: new nodes have new children.
    fn refined_column(&self, parts: &[Group], rows: &Rows, codes: Codes, local: usize) -> Column {
        let counted = |(part, codes): (&Group, Codes)| {
            let counts = self.count(local, part, &codes);
            (codes, counts)
        };
        parts.iter().zip(rows.scatter(&codes)).map(counted).collect()
    }

    /// Another attribute: every part is under the same node as the whole was.
    fn other_column(&self, parts: &[Group], rows: &Rows, codes: Codes, whole: Option<&Counts>, other: usize) -> Column {
        let node = parts[0].nodes[other].filter(|&node| self.is_live(other, node));
        let (Some(whole), Some(node)) = (whole, node) else { return vec![(Codes::default(), None); parts.len()] };
        let scattered = rows.scatter(&codes);
        let counts = |(index, codes): (usize, &Codes)| {
            (rows.present[index] != rows.largest).then(|| self.count_under(other, node, codes, &parts[index].weights))
        };
        let mut counts: Vec<Option<Counts>> = scattered.iter().enumerate().map(counts).collect();
        let counted: Vec<&Counts> = counts.iter().flatten().collect();
        let rest = subtract(whole, &counted);
        if let Some(largest) = counts.iter_mut().find(|counts| counts.is_none()) {
            *largest = Some(rest);
        }
        scattered.into_iter().zip(counts).collect()
    }

    /// Counts all attributes of the most masked group.
    pub(crate) fn count_all(&self, root: &mut Group) {
        let columns = root.columns.par_iter().enumerate();
        root.counts = columns.map(|(local, codes)| self.count(local, root, codes)).collect();
        self.tell_candidates(root);
    }

    /// Counts a group's rows by child of the node that they are under, if that node is a candidate.
    fn count(&self, local: usize, group: &Group, codes: &Codes) -> Option<Counts> {
        let node = group.nodes[local].filter(|&node| self.is_live(local, node))?;
        Some(self.count_under(local, node, codes, &group.weights))
    }

    pub(super) fn count_under(&self, local: usize, node: u32, codes: &Codes, weights: &[u64]) -> Counts {
        let tree = &self.trees[self.attributes[local]];
        count(codes, weights, tree.slots(), tree.width(node))
    }

    /// Can the node still be refined?
    pub(super) fn is_live(&self, local: usize, node: u32) -> bool {
        let attribute = self.attributes[local];
        self.trees[attribute].is_suppressed() || self.candidates.live(attribute, node, self.qid).is_some()
    }

    /// Tells the candidates how small the groups are that they would make of this one, and forgets what only those needed that
    /// became invalid.
    pub(super) fn tell_candidates(&self, group: &mut Group) {
        for (local, &attribute) in self.attributes.iter().enumerate() {
            let told = group.counts[local].take().zip(group.nodes[local]).and_then(|(counts, node)| {
                if self.trees[attribute].is_suppressed() {
                    self.tell_disclosures(attribute, counts, group.records)
                } else {
                    self.tell_refinement(attribute, node, counts)
                }
            });
            if told.is_none() {
                group.columns[local] = Codes::default();
            }
            group.counts[local] = told;
        }
    }

    /// Disclosing a value would make a group of its records and one of the rest.
    fn tell_disclosures(&self, attribute: usize, counts: Counts, group: u64) -> Option<Counts> {
        let still_valid = |&(value, records): &(u32, u64)| {
            self.tell_disclosure(attribute, value, records, group);
            self.candidates.live(attribute, value, self.qid).is_some()
        };
        Some(counts.into_iter().filter(still_valid).collect()).filter(|counts: &Counts| !counts.is_empty())
    }

    pub(super) fn tell_disclosure(&self, attribute: usize, value: u32, records: u64, group: u64) {
        let candidate = self.candidates.live(attribute, value, self.qid);
        if let Some(candidate) = candidate.filter(|_| self.watched.includes(attribute)) {
            let rest = group - records;
            self.candidates.makes_group(candidate, self.qid, if rest == 0 { records } else { records.min(rest) });
        }
    }

    /// Refining a node would make a group of the records of each child.
    pub(super) fn tell_refinement(&self, attribute: usize, node: u32, counts: Counts) -> Option<Counts> {
        let candidate = self.candidates.live(attribute, node, self.qid)?;
        let smallest = counts.iter().map(|&(_, records)| records).filter(|&records| records > 0).min();
        if let Some(smallest) = smallest.filter(|_| self.watched.includes(attribute)) {
            self.candidates.makes_group(candidate, self.qid, smallest);
        }
        self.candidates.live(attribute, node, self.qid).map(|_| counts)
    }
}
