//! The records of a group by what an attribute tells apart.

use std::ops::{Add, Sub};

use cutline_model::conditions::Group as Sensitive;
use cutline_table::{Code, Codes, CompressedTable, TableCondition, TableQid, with_codes};

use super::rows::{Histories, Rows};
use super::worth::Worth;

/// What must hold of every group, and what is counted for that.
pub(super) struct Requirement<'a> {
    qid: &'a TableQid,
    /// The sensitive attributes that conditions are about.
    watched: Vec<usize>,
    /// The whole table by the values of each.
    whole: Vec<Vec<u64>>,
}

impl<'a> Requirement<'a> {
    pub(super) fn new(table: &CompressedTable, qid: &'a TableQid) -> Self {
        let mut watched: Vec<usize> = qid.conditions.iter().map(|condition| condition.sensitive).collect();
        watched.sort_unstable();
        watched.dedup();
        let whole = |&sensitive: &usize| {
            let sensitive = &table.sensitive[sensitive];
            let mut counts = vec![0; sensitive.values.len()];
            sensitive.codes.iter().zip(&table.weights).for_each(|(value, weight)| counts[value as usize] += weight);
            counts
        };
        Requirement { qid, whole: watched.iter().map(whole).collect(), watched }
    }

    /// How many records a group must have.
    pub(super) fn k(&self) -> u64 {
        self.qid.k
    }

    /// The columns of a table that conditions are about.
    pub(super) fn columns(&self, table: &CompressedTable) -> Vec<Codes> {
        self.watched.iter().map(|&sensitive| table.sensitive[sensitive].codes.clone()).collect()
    }

    /// The histories of a table's rows, where earlier releases tell of them.
    pub(super) fn histories(&self) -> Option<Histories> {
        self.qid
            .histories
            .as_ref()
            .map(|histories| Histories { of_row: histories.of_row.clone(), len: histories.len() })
    }

    /// Does a set of records satisfy everything as a group? Where records have histories, those of each one must.
    fn holds<C>(&self, part: &Part<C>) -> bool {
        let satisfied = |history: usize, records: u64| {
            let holds = |condition: &TableCondition| {
                let place = self.watched.binary_search(&condition.sensitive).unwrap_or_default();
                let whole = &self.whole[place];
                let counts = &part.sensitive[place][history * whole.len()..(history + 1) * whole.len()];
                condition.check.holds(&Sensitive { counts, whole })
            };
            records >= self.qid.k && self.qid.conditions.iter().all(holds)
        };
        match &part.histories[..] {
            [] => satisfied(0, part.records),
            parts => parts.iter().enumerate().all(|(history, &records)| records == 0 || satisfied(history, records)),
        }
    }

    /// The records of a set that would have to be suppressed if it were a group.
    pub(super) fn hides<C>(&self, part: &Part<C>) -> u64 {
        if part.records == 0 || self.holds(part) { 0 } else { part.records }
    }
}

/// Counts of a set of records.
#[derive(Clone, Debug)]
pub(super) struct Part<C> {
    pub(super) records: u64,
    /// What counts for the purpose.
    pub(super) cells: Vec<C>,
    /// The records of each history; nothing where there are none.
    histories: Vec<u64>,
    /// By the values of each sensitive attribute that conditions are about: those of the first history, then those of the next.
    sensitive: Vec<Vec<u64>>,
}

impl<C: Copy + Default + Add<Output = C> + Sub<Output = C>> Part<C> {
    /// Of no records, which would have one of so many histories.
    pub(super) fn none<W: Worth<Cell = C>>(worth: &W, requirement: &Requirement<'_>, histories: usize) -> Self {
        let sensitive = requirement.whole.iter().map(|values| vec![0; values.len() * histories.max(1)]).collect();
        Part { records: 0, cells: vec![C::default(); worth.cells()], histories: vec![0; histories], sensitive }
    }

    /// The fewest records that cannot be told apart: of those with one history, where there are any.
    pub(super) fn smallest(&self) -> u64 {
        self.histories.iter().copied().filter(|&records| records > 0).min().unwrap_or(self.records)
    }

    /// Of all of some rows.
    pub(super) fn of<W: Worth<Cell = C>>(rows: &Rows<W::Row>, worth: &W, requirement: &Requirement<'_>) -> Self {
        let mut part = Part::none(worth, requirement, rows.histories());
        for (label, &weight) in rows.labels.iter().zip(&rows.weights) {
            part.records += weight;
            worth.count(&mut part.cells, label, weight);
        }
        if !rows.sensitive.is_empty() || rows.histories.is_some() {
            let (members, Part { histories, sensitive, .. }) = (Members::all(rows), &mut part);
            (0..rows.len()).for_each(|row| members.count(row, histories, sensitive, |records, more| *records += more));
        }
        part
    }
}

/// Counts of a group's records by slot.
pub(super) struct Counts<'r, C> {
    /// The slots that have records, ascending.
    slots: Vec<u32>,
    records: Vec<u64>,
    /// So many for each slot.
    width: usize,
    cells: Vec<C>,
    /// The rows of each slot, where sensitive values or histories count.
    members: Option<Members<'r>>,
}

struct Members<'r> {
    histories: Option<&'r Histories>,
    sensitive: &'r [Codes],
    weights: &'r [u64],
    /// Rows, those of each slot together.
    rows: Vec<u32>,
    /// Where the rows of each slot begin.
    starts: Vec<u32>,
}

impl<'r, C: Copy + Default + Add<Output = C> + Sub<Output = C>> Counts<'r, C> {
    /// Counts rows by the slots of a column's codes, which are below `limit`.
    pub(super) fn new<W: Worth<Cell = C>>(
        rows: &'r Rows<W::Row>,
        column: &Codes,
        limit: usize,
        slot: impl Fn(u32) -> u32,
        worth: &W,
    ) -> Self {
        if limit > 4 * rows.len() + 64 {
            // Many slots and few rows: those that occur get numbers of their own.
            let mut slots: Vec<u32> = column.iter().map(&slot).collect();
            slots.sort_unstable();
            slots.dedup();
            let number = |code: u32| slots.partition_point(|&other| other < slot(code)) as u32;
            let counts = Self::dense(rows, column, slots.len(), number, worth);
            return Counts { slots, ..counts };
        }
        Self::dense(rows, column, limit, slot, worth).present()
    }

    fn dense<W: Worth<Cell = C>>(
        rows: &'r Rows<W::Row>,
        column: &Codes,
        limit: usize,
        slot: impl Fn(u32) -> u32,
        worth: &W,
    ) -> Self {
        let width = worth.cells();
        let (mut records, mut cells) = (vec![0; limit], vec![C::default(); limit * width]);
        with_codes!(column, codes => {
            for ((code, label), &weight) in codes.iter().zip(&rows.labels).zip(&rows.weights) {
                let slot = slot(code.index() as u32) as usize;
                records[slot] += weight;
                worth.count(&mut cells[slot * width..(slot + 1) * width], label, weight);
            }
        });
        let watched = !rows.sensitive.is_empty() || rows.histories.is_some();
        let members = watched.then(|| Members::new(rows, column, limit, slot));
        Counts { slots: (0..limit as u32).collect(), records, width, cells, members }
    }

    /// Without slots that have no records.
    fn present(mut self) -> Self {
        let width = self.width;
        let mut kept = 0;
        for slot in 0..self.records.len() {
            if self.records[slot] == 0 {
                continue;
            }
            self.slots[kept] = self.slots[slot];
            self.records[kept] = self.records[slot];
            self.cells.copy_within(slot * width..(slot + 1) * width, kept * width);
            if let Some(members) = &mut self.members {
                members.starts[kept] = members.starts[slot];
            }
            kept += 1;
        }
        if let Some(members) = &mut self.members {
            members.starts[kept] = members.rows.len() as u32;
        }
        self.slots.truncate(kept);
        self
    }

    /// The slots that have records, ascending.
    pub(super) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// The records of the slot at a place come to a set.
    pub(super) fn add(&self, place: usize, to: &mut Part<C>) {
        to.records += self.records[place];
        let cells = &self.cells[place * self.width..(place + 1) * self.width];
        cells.iter().zip(&mut to.cells).for_each(|(&cell, to)| *to = *to + cell);
    }

    /// The records of the slot at a place go from one set to another.
    pub(super) fn shift(&self, place: usize, from: &mut Part<C>, to: &mut Part<C>) {
        from.records -= self.records[place];
        to.records += self.records[place];
        let cells = &self.cells[place * self.width..(place + 1) * self.width];
        for (&cell, (from, to)) in cells.iter().zip(from.cells.iter_mut().zip(&mut to.cells)) {
            (*from, *to) = (*from - cell, *to + cell);
        }
        if let Some(members) = &self.members {
            members.shift(place, from, to);
        }
    }
}

impl<'r> Members<'r> {
    fn new<R>(rows: &'r Rows<R>, column: &Codes, slots: usize, slot: impl Fn(u32) -> u32) -> Self {
        let of_row: Vec<u32> = column.iter().map(slot).collect();
        let mut starts = vec![0; slots + 1];
        of_row.iter().for_each(|&slot| starts[slot as usize + 1] += 1);
        (0..slots).for_each(|slot| starts[slot + 1] += starts[slot]);
        let mut next = starts.clone();
        let mut order = vec![0; of_row.len()];
        for (row, &slot) in (0..).zip(&of_row) {
            order[next[slot as usize] as usize] = row;
            next[slot as usize] += 1;
        }
        Members { rows: order, starts, ..Members::all(rows) }
    }

    /// Rows of which nobody knows the slots.
    fn all<R>(rows: &'r Rows<R>) -> Self {
        let (histories, sensitive) = (rows.histories.as_ref(), &rows.sensitive[..]);
        Members { histories, sensitive, weights: &rows.weights, rows: Vec::new(), starts: Vec::new() }
    }

    /// The rows of a slot go from one set to another.
    fn shift<C>(&self, place: usize, from: &mut Part<C>, to: &mut Part<C>) {
        for &row in &self.rows[self.starts[place] as usize..self.starts[place + 1] as usize] {
            self.count(row as usize, &mut from.histories, &mut from.sensitive, |records, more| *records -= more);
            self.count(row as usize, &mut to.histories, &mut to.sensitive, |records, more| *records += more);
        }
    }

    /// Counts a row by its history, and by that and its sensitive values.
    fn count(&self, row: usize, histories: &mut [u64], sensitive: &mut [Vec<u64>], change: impl Fn(&mut u64, u64)) {
        let weight = self.weights[row];
        let (history, all) = self.histories.map_or((0, 1), |own| (own.of_row.get(row) as usize, own.len));
        if let Some(records) = histories.get_mut(history) {
            change(records, weight);
        }
        for (codes, counts) in self.sensitive.iter().zip(sensitive) {
            let values = counts.len() / all;
            change(&mut counts[history * values + codes.get(row) as usize], weight);
        }
    }
}
