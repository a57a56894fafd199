//! The records of a group by what an attribute tells apart.

use cutline_model::conditions::Group as Sensitive;
use cutline_table::{CompressedTable, TableCondition, TableQid};

use super::worth::Worth;

/// What must hold of every group, and what is counted for that.
pub(super) struct Requirement<'a> {
    table: &'a CompressedTable,
    qid: &'a TableQid,
    /// The sensitive attributes that conditions are about.
    watched: Vec<usize>,
    /// The whole table by the values of each.
    whole: Vec<Vec<u64>>,
}

impl<'a> Requirement<'a> {
    pub(super) fn new(table: &'a CompressedTable, qid: &'a TableQid) -> Self {
        let mut watched: Vec<usize> = qid.conditions.iter().map(|condition| condition.sensitive).collect();
        watched.sort_unstable();
        watched.dedup();
        let whole = |&sensitive: &usize| {
            let sensitive = &table.sensitive[sensitive];
            let mut counts = vec![0; sensitive.values.len()];
            sensitive.codes.iter().zip(&table.weights).for_each(|(value, weight)| counts[value as usize] += weight);
            counts
        };
        Requirement { table, qid, whole: watched.iter().map(whole).collect(), watched }
    }

    /// How many records a group must have.
    pub(super) fn k(&self) -> u64 {
        self.qid.k
    }

    /// The records of each row.
    pub(super) fn weights(&self) -> &'a [u64] {
        &self.table.weights
    }

    /// Does a set of records satisfy everything as a group?
    fn holds<C>(&self, part: &Part<C>) -> bool {
        let holds = |condition: &TableCondition| {
            let place = self.watched.binary_search(&condition.sensitive).unwrap_or_default();
            condition.check.holds(&Sensitive { counts: &part.sensitive[place], whole: &self.whole[place] })
        };
        part.records >= self.qid.k && self.qid.conditions.iter().all(holds)
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
    pub(super) cells: Vec<C>,
    /// By the values of each sensitive attribute that conditions are about.
    sensitive: Vec<Vec<u64>>,
}

/// Counts of a group by slots: children, bins or values. Only those that it has.
pub(super) struct Counts<C> {
    /// Ascending.
    pub(super) slots: Vec<u32>,
    pub(super) parts: Vec<Part<C>>,
    pub(super) whole: Part<C>,
}

impl<C: Copy + Default + std::ops::Add<Output = C> + std::ops::Sub<Output = C>> Part<C> {
    fn none<W: Worth<Cell = C>>(worth: &W, requirement: &Requirement<'_>) -> Self {
        let sensitive = requirement.whole.iter().map(|values| vec![0; values.len()]).collect();
        Part { records: 0, cells: vec![C::default(); worth.cells()], sensitive }
    }

    fn count<W: Worth<Cell = C>>(&mut self, row: usize, worth: &W, requirement: &Requirement<'_>) {
        let weight = requirement.table.weights[row];
        self.records += weight;
        let (cell, count) = worth.count(row, weight);
        self.cells[cell] = self.cells[cell] + count;
        for (counts, &watched) in self.sensitive.iter_mut().zip(&requirement.watched) {
            counts[requirement.table.sensitive[watched].codes.get(row) as usize] += weight;
        }
    }

    /// With the records of another set.
    pub(super) fn add(&mut self, other: &Part<C>) {
        self.records += other.records;
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, &other)| *cell = *cell + other);
        let each = self.sensitive.iter_mut().flatten().zip(other.sensitive.iter().flatten());
        each.for_each(|(count, other)| *count += other);
    }

    /// Without the records of a subset.
    pub(super) fn without(&self, other: &Part<C>) -> Part<C> {
        let mut rest = self.clone();
        rest.take(other);
        rest
    }

    /// Takes the records of a subset away.
    pub(super) fn take(&mut self, other: &Part<C>) {
        self.records -= other.records;
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, &other)| *cell = *cell - other);
        let each = self.sensitive.iter_mut().flatten().zip(other.sensitive.iter().flatten());
        each.for_each(|(count, other)| *count -= other);
    }
}

impl<C: Copy + Default + std::ops::Add<Output = C> + std::ops::Sub<Output = C>> Counts<C> {
    /// Counts rows by their slots, which are below `limit`.
    pub(super) fn new<W: Worth<Cell = C>>(
        rows: &[u32],
        limit: usize,
        slot: impl Fn(u32) -> u32,
        worth: &W,
        requirement: &Requirement<'_>,
    ) -> Self {
        let of_row: Vec<u32> = rows.iter().map(|&row| slot(row)).collect();
        let (slots, place_of) = present(&of_row, limit);
        let mut parts = vec![Part::none(worth, requirement); slots.len()];
        for (&row, slot) in rows.iter().zip(&of_row) {
            parts[place_of(*slot)].count(row as usize, worth, requirement);
        }
        let mut whole = Part::none(worth, requirement);
        parts.iter().for_each(|part| whole.add(part));
        Counts { slots, parts, whole }
    }
}

/// The slots that occur, and the place of each among them. However many slots there could be, this takes no longer than looking at
/// the rows.
fn present(of_row: &[u32], limit: usize) -> (Vec<u32>, Box<dyn Fn(u32) -> usize>) {
    if limit > 4 * of_row.len() + 64 {
        let mut slots = of_row.to_vec();
        slots.sort_unstable();
        slots.dedup();
        let sorted = slots.clone();
        return (slots, Box::new(move |slot| sorted.partition_point(|&other| other < slot)));
    }
    let mut place = vec![0u32; limit];
    of_row.iter().for_each(|&slot| place[slot as usize] = 1);
    let slots: Vec<u32> = (0..limit as u32).filter(|&slot| place[slot as usize] > 0).collect();
    slots.iter().enumerate().for_each(|(index, &slot)| place[slot as usize] = index as u32);
    (slots, Box::new(move |slot| place[slot as usize] as usize))
}
