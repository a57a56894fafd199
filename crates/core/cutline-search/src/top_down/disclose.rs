//! Disclosing a value of one group.
//!
//! Where an attribute has very many values, they are disclosed one by one out of a group that stays large. So the rows of a value are looked
//! up, and nothing else is touched: the rows of disclosed values stay where they are until they are half of all, or the group is split
//! in another way. What a disclosure costs is then the rows that it tells, and not those of the group.

use std::ops::Range;

use cutline_table::{Code, Codes, with_codes};
use rayon::prelude::*;

use super::counts::{Counts, take_away};
use super::groups::Group;
use super::split::{LARGE, Splitter};

/// What a group remembers from one disclosure to the next.
#[derive(Debug, Default)]
pub(crate) struct Left {
    /// How many of its rows were disclosed: they are no longer of this group.
    gone: usize,
    /// For each attribute, how many values of it were looked up.
    looked_up: Vec<usize>,
    /// For each attribute that several values were looked up of, all rows in the order of its codes.
    by_code: Vec<Option<Vec<u32>>>,
    /// For each attribute without a tree, the value with most records when they were last looked through, and how many it had.
    most: Vec<Option<(u32, u64)>>,
}

impl Splitter<'_> {
    /// Takes the records with a value out of a group. What is left of it, if anything is, comes first.
    pub(crate) fn disclose(&self, mut group: Group, local: usize, value: u32) -> Vec<Group> {
        let rows = self.rows_of(&mut group, local, value);
        let mut told = self.told(&group, &rows, local, value);
        if told.records == group.records {
            self.tell_candidates(&mut told);
            return vec![told];
        }
        self.take_out(&mut group, &told, local, value);
        group.left.gone += rows.len();
        self.tell_what_changed(&mut group, &told, local);
        if 2 * group.left.gone > group.columns[local].len() {
            self.leave_behind(&mut group);
        }
        self.tell_candidates(&mut told);
        vec![group, told]
    }

    /// The rows with a value that are still of the group, ascending.
    fn rows_of(&self, group: &mut Group, local: usize, value: u32) -> Vec<u32> {
        group.left.looked_up.resize(self.attributes.len(), 0);
        group.left.by_code.resize_with(self.attributes.len(), || None);
        group.left.looked_up[local] += 1;
        let codes = &group.columns[local];
        let of_value = if group.left.looked_up[local] <= SOUGHT {
            sought(codes, value)
        } else {
            let rows = group.left.by_code[local].get_or_insert_with(|| in_order(codes));
            let start = rows.partition_point(|&row| codes.get(row as usize) < value);
            let end = start + rows[start..].partition_point(|&row| codes.get(row as usize) == value);
            rows[start..end].to_vec()
        };
        let others: Vec<usize> = self.without_tree(group).filter(|&other| other != local).collect();
        self.still_here(group, &others, of_value)
    }

    /// The attributes without a tree by whose values rows of a group may be gone.
    fn without_tree<'g>(&'g self, group: &'g Group) -> impl Iterator<Item = usize> + 'g {
        let suppressed = |local: &usize| self.trees[self.attributes[*local]].is_suppressed();
        let here = |local: &usize| group.nodes[*local].is_some() && !group.columns[*local].is_empty();
        (0..self.attributes.len()).filter(move |local| group.left.gone > 0 && suppressed(local) && here(local))
    }

    /// The columns of some attributes without a tree, and which of their codes are disclosed.
    fn told_codes<'g>(&'g self, group: &'g Group, without_tree: &[usize]) -> Vec<(&'g Codes, &'g [bool])> {
        let column = |&local: &usize| Some((&group.columns[local], self.trees[self.attributes[local]].disclosed()?));
        without_tree.iter().filter_map(column).collect()
    }

    /// Those of the rows of which no value of some attributes was disclosed: the others are of other groups.
    fn still_here(&self, group: &Group, without_tree: &[usize], rows: Vec<u32>) -> Vec<u32> {
        let columns = self.told_codes(group, without_tree);
        let still_here = |mut rows: Vec<u32>| {
            for &(codes, told) in &columns {
                with_codes!(codes, column => rows = kept(&rows, |row| !told[column[row as usize].index()]));
            }
            rows
        };
        match columns.is_empty() || rows.len() <= LARGE {
            true => still_here(rows),
            false => rows.par_chunks(LARGE).flat_map_iter(|some| still_here(some.to_vec())).collect(),
        }
    }

    /// The same for all rows.
    fn all_still_here(&self, group: &Group, without_tree: &[usize]) -> Vec<u32> {
        let columns = self.told_codes(group, without_tree);
        let rows = columns[0].0.len();
        in_stretches(rows, |stretch| {
            let mut gone = vec![false; stretch.len()];
            for &(codes, told) in &columns {
                with_codes!(codes, column => {
                    let column = &column[stretch.start as usize..stretch.end as usize];
                    gone.iter_mut().zip(column).for_each(|(gone, code)| *gone |= told[code.index()]);
                });
            }
            let rows: Vec<u32> = stretch.clone().collect();
            kept(&rows, |row| !gone[(row - stretch.start) as usize])
        })
    }

    /// The group of the disclosed records.
    fn told(&self, group: &Group, rows: &[u32], local: usize, value: u32) -> Group {
        let mut told = Group {
            records: group.records_at(local, value),
            nodes: group.nodes.clone(),
            weights: if group.weights.is_empty() { Vec::new() } else { gather(&group.weights, rows) },
            ..Group::default()
        };
        told.nodes[local] = None;
        let column = |(other, codes): (usize, &Codes)| {
            let node = told.nodes[other].filter(|&node| self.is_live(other, node) && group.counts[other].is_some());
            let Some(node) = node else { return (Codes::default(), None) };
            let codes = gather_codes(codes, rows);
            let counts = self.count_under(other, node, &codes, &told.weights);
            (codes, Some(counts))
        };
        let columns: Vec<(Codes, Option<Counts>)> = if rows.len() > LARGE {
            group.columns.par_iter().enumerate().map(column).collect()
        } else {
            group.columns.iter().enumerate().map(column).collect()
        };
        (told.columns, told.counts) = columns.into_iter().unzip();
        told
    }

    /// The counts of what is left of a group.
    fn take_out(&self, group: &mut Group, told: &Group, local: usize, value: u32) {
        let of_value = [(value, told.records)];
        for (other, counts) in group.counts.iter_mut().enumerate() {
            let Some(whole) = counts else { continue };
            match &told.counts[other] {
                Some(part) => take_away(whole, part),
                None if other == local => take_away(whole, &of_value),
                // No candidate needs them any more.
                None => *counts = None,
            }
        }
        group.records -= told.records;
    }

    /// Tells candidates what has changed for them by a disclosure.
    ///
    /// Disclosing another value makes a group of its records, which are as many as before unless some of them were told, and one of the
    /// rest, which is the smaller one only for a value that more than half of the records have. There is at most one such value.
    fn tell_what_changed(&self, group: &mut Group, told: &Group, local: usize) {
        group.left.most.resize(self.attributes.len(), None);
        for (other, &attribute) in self.attributes.iter().enumerate() {
            let Some(node) = group.nodes[other] else { continue };
            if !self.trees[attribute].is_suppressed() {
                let counts = group.counts[other].take();
                group.counts[other] = counts.and_then(|counts| self.tell_refinement(attribute, node, counts));
                continue;
            }
            let changed = told.counts[other].iter().filter(|_| other != local).flat_map(|counts| counts.iter());
            for &(value, _) in changed {
                let records = group.records_at(other, value);
                if records > 0 {
                    self.tell_disclosure(attribute, value, records, group.records);
                }
            }
            if let Some((value, records)) = most(group, other) {
                self.tell_disclosure(attribute, value, records, group.records);
            }
        }
    }

    /// Moves the rows of a group together that are still of it, and forgets what no candidate needs.
    pub(super) fn leave_behind(&self, group: &mut Group) {
        if group.left.gone == 0 {
            return;
        }
        let without_tree: Vec<usize> = self.without_tree(group).collect();
        let rows = self.all_still_here(group, &without_tree);
        let column = |(local, (codes, counts)): (usize, (&mut Codes, &mut Option<Counts>))| {
            *counts = counts.take().and_then(|counts| self.still_needed(local, counts));
            *codes = if counts.is_some() { gather_codes(codes, &rows) } else { Codes::default() };
        };
        if rows.len() > LARGE {
            group.columns.par_iter_mut().zip(&mut group.counts).enumerate().for_each(column);
        } else {
            group.columns.iter_mut().zip(&mut group.counts).enumerate().for_each(column);
        }
        if !group.weights.is_empty() {
            group.weights = gather(&group.weights, &rows);
        }
        group.left = Left::default();
    }
}

impl Splitter<'_> {
    /// The counts of slots that have records, and of values only if they can still be disclosed.
    fn still_needed(&self, local: usize, counts: Counts) -> Option<Counts> {
        let attribute = self.attributes[local];
        let any = !self.trees[attribute].is_suppressed();
        let needed = |&(slot, records): &(u32, u64)| {
            records > 0 && (any || self.candidates.live(attribute, slot, self.qid).is_some())
        };
        Some(counts.into_iter().filter(needed).collect()).filter(|counts: &Counts| !counts.is_empty())
    }
}

/// The value of an attribute that more than half of a group's records have.
fn most(group: &mut Group, local: usize) -> Option<(u32, u64)> {
    let half = group.records / 2;
    // It cannot have become more since.
    if group.left.most[local].is_some_and(|(_, records)| records <= half) {
        return None;
    }
    let known = group.left.most[local].map(|(value, _)| (value, group.records_at(local, value)));
    let found = || group.counts[local].iter().flatten().copied().max_by_key(|&(_, records)| records);
    let most = known.filter(|&(_, records)| records > half).or_else(found);
    group.left.most[local] = most;
    most.filter(|&(_, records)| records > half)
}

/// So many values of an attribute are sought among all rows before these are put in order, which takes longer.
const SOUGHT: usize = 4;

/// The rows with a code, ascending.
fn sought(codes: &Codes, code: u32) -> Vec<u32> {
    with_codes!(codes, column => in_stretches(column.len(), |stretch| {
        let rows: Vec<u32> = stretch.collect();
        kept(&rows, |row| column[row as usize].index() as u32 == code)
    }))
}

/// What is found in each stretch of so many rows, on all cores where that is worth it.
fn in_stretches(rows: usize, find: impl Fn(Range<u32>) -> Vec<u32> + Sync) -> Vec<u32> {
    let stretch = |first: usize| find(first as u32..rows.min(first + LARGE) as u32);
    (0..rows).into_par_iter().step_by(LARGE).flat_map_iter(stretch).collect()
}

/// Those of the rows that are kept. Each is written, and the next one over it if it is not: the processor has nothing to guess.
fn kept(rows: &[u32], is_kept: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut kept = vec![0; rows.len()];
    let mut count = 0;
    for &row in rows {
        kept[count] = row;
        count += usize::from(is_kept(row));
    }
    kept.truncate(count);
    kept
}

/// All rows in the order of their codes.
fn in_order(codes: &Codes) -> Vec<u32> {
    with_codes!(codes, column => {
        let width = column.iter().map(|code| code.index() + 1).max().unwrap_or(0);
        let mut rows: Vec<u32> = (0..column.len() as u32).collect();
        if width > column.len() {
            rows.sort_by_key(|&row| column[row as usize].index());
            return rows;
        }
        let mut sizes = vec![0; width];
        column.iter().for_each(|code| sizes[code.index()] += 1);
        let mut next: Vec<usize> = sizes.iter().scan(0, |end, size| Some(std::mem::replace(end, *end + size))).collect();
        for (row, code) in (0..).zip(column) {
            let place = &mut next[code.index()];
            rows[*place] = row;
            *place += 1;
        }
        rows
    })
}

fn gather<T: Copy>(values: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|&row| values[row as usize]).collect()
}

fn gather_codes(codes: &Codes, rows: &[u32]) -> Codes {
    match codes {
        Codes::U8(column) => Codes::U8(gather(column, rows)),
        Codes::U16(column) => Codes::U16(gather(column, rows)),
        Codes::U32(column) => Codes::U32(gather(column, rows)),
    }
}
