//! Of how many records does one column tell what another one hides?

use std::sync::OnceLock;

use cutline_table::{Code, Codes, with_codes};

use super::runs::Counts;
use super::{Alike, Coded, Runs};

/// How sure somebody must be of a value to be nearly certain of it.
const NEARLY: f64 = 0.95;

/// Of fewer records that do not all have the same value none is nearly certain: 18 of 19 are fewer than [`NEARLY`] all.
const FEW_RECORDS: usize = 20;

/// For columns of so few values nothing is gained by asking first whether they can matter.
const FEW_VALUES: usize = 64;

/// What is counted first of a masked column.
#[derive(Clone, Copy)]
enum LookedAt {
    Values,
    /// Values are many: their labels tell whether it is worth to count them.
    Labels,
}

/// For groups of up to so many records the chance that all of them agree is worked out beforehand.
const PREPARED: usize = 64;

/// A column that is masked: its values, and what is published in their place.
#[derive(Clone, Debug)]
pub struct Hidden<'a> {
    column: Coded<'a>,
    /// The label of each value.
    label_of: Vec<u32>,
    /// How often each value occurs, as a part of its label's records.
    share: Vec<f64>,
    /// For each label, one after the other, and n up to [`PREPARED`] or the label's records: how probable it is that n records drawn from it
    /// all have the same value.
    agree: Vec<f64>,
    /// Where those of each label begin, and where the last ones end.
    starts: Vec<usize>,
    /// For each label the shares of its values that more than half of its records have: others matter to no large group.
    frequent: Vec<Option<f64>>,
    /// For each label the records of its most frequent value.
    most: Vec<u64>,
    /// The label of each record, once somebody asks.
    labels: OnceLock<Codes>,
}

/// What a column tells of a masked one, beyond what its labels tell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reveal {
    /// Records whose hidden value is certain: all records with the same value in the column (and the same label) have it.
    pub certain: u64,
    /// Those, and records whose hidden value is known with a confidence of at least 95 %, far more than the label gives.
    pub nearly: u64,
    /// As many would be certain on average if the column had nothing to do with the hidden one; records that are alone always are.
    pub chance: f64,
    /// The standard deviation of that.
    pub deviation: f64,
    /// All records.
    pub records: u64,
}

impl<'a> Hidden<'a> {
    /// A masked column; `label_of` has the label of each of its values.
    pub fn new(column: Coded<'a>, label_of: Vec<u32>) -> Self {
        let labels = label_of.iter().max().map_or(0, |&label| label as usize + 1);
        let of_value = column.counts();
        let mut of_label = vec![0_u64; labels];
        of_value.iter().zip(&label_of).for_each(|(records, &label)| of_label[label as usize] += records);
        let whole = |code: usize| of_label[label_of[code] as usize].max(1) as f64;
        let share: Vec<f64> = (0..column.values).map(|code| of_value[code] as f64 / whole(code)).collect();
        let prepared = |records: &u64| (*records).min(PREPARED as u64) as usize + 1;
        let starts = of_label.iter().map(prepared).scan(0, |end, prepared| {
            *end += prepared;
            Some(*end)
        });
        let starts: Vec<usize> = std::iter::once(0).chain(starts).collect();
        let mut agree = vec![0.0; starts[labels]];
        let (mut frequent, mut most) = (vec![None; labels], vec![0; labels]);
        for (&records, &label) in of_value.iter().zip(&label_of) {
            most[label as usize] = records.max(most[label as usize]);
        }
        for (&share, &label) in share.iter().zip(&label_of) {
            let mut power = 1.0;
            for chance in &mut agree[starts[label as usize] + 1..starts[label as usize + 1]] {
                power *= share;
                *chance += power;
            }
            if share > 0.5 {
                frequent[label as usize] = Some(share);
            }
        }
        // The shares of a label's values may add up to a little more than one, and there is no deviation of that.
        agree.iter_mut().for_each(|chance| *chance = chance.min(1.0));
        Hidden { column, label_of, share, agree, starts, frequent, most, labels: OnceLock::new() }
    }

    /// What somebody learns of this column who knows which records are alike, if it [matters](Reveal::matters).
    pub fn telling(&self, alike: &Alike) -> Option<Reveal> {
        match alike.table(self.looked_at()) {
            Some(table) => self.telling_in(alike, &table),
            None => Some(self.told_by(alike)).filter(Reveal::matters),
        }
    }

    /// The same, where it is known how many of the records that are alike have each code of the column that is [looked at](Self::looked_at).
    pub(super) fn telling_in(&self, alike: &Alike, table: &[u32]) -> Option<Reveal> {
        let told = match self.counts_first() {
            LookedAt::Values => Some(self.told_by_table(table)),
            LookedAt::Labels => self.may_matter(table).then(|| self.told_by(alike)),
        };
        told.filter(Reveal::matters)
    }

    fn counts_first(&self) -> LookedAt {
        if self.column.values <= FEW_VALUES { LookedAt::Values } else { LookedAt::Labels }
    }

    /// What is counted first: the values, or their labels, where values are many.
    pub(super) fn looked_at(&self) -> Coded<'_> {
        match self.counts_first() {
            LookedAt::Values => self.column,
            LookedAt::Labels => {
                let recoded = || self.column.codes.recoded(&self.label_of, self.most.len());
                Coded { codes: self.labels.get_or_init(recoded), values: self.most.len() }
            }
        }
    }

    /// How many values that has. To ask makes no column of labels.
    pub(super) fn values_looked_at(&self) -> usize {
        match self.counts_first() {
            LookedAt::Values => self.column.values,
            LookedAt::Labels => self.most.len(),
        }
    }

    /// Could it matter? Records of one label that are alike can be certain, or nearly, only if they are not more than the most frequent value
    /// of the label has. To see that their number is too small takes a fraction of the time that it takes to count their values.
    fn may_matter(&self, labels: &[u32]) -> bool {
        let cells = labels.iter().zip(self.most.iter().cycle());
        let possible = cells.filter(|&(&records, &most)| f64::from(records) * NEARLY <= most as f64);
        let possible: u64 = possible.map(|(&records, _)| u64::from(records)).sum();
        possible as f64 >= enough(self.column.codes.len() as f64)
    }

    /// What somebody learns of this column who knows which records are alike.
    pub fn told_by(&self, alike: &Alike) -> Reveal {
        match alike.table(self.column) {
            Some(table) => self.told_by_table(&table),
            None => self.told_by_runs(alike.runs()),
        }
    }

    fn told_by_table(&self, table: &[u32]) -> Reveal {
        let mut telling = Telling::new(self);
        // Without a single value nothing is told.
        for run in table.chunks_exact(self.column.values.max(1)) {
            telling.add((0..).zip(run.iter().copied()).filter(|&(_, records)| records > 0));
        }
        telling.told()
    }

    /// The same, run by run.
    pub fn told_by_runs(&self, runs: &Runs) -> Reveal {
        let mut telling = Telling::new(self);
        let mut values = Counts::new(self.column.values);
        let is_one_label = self.is_one_label();
        with_codes!(self.column.codes, codes => for run in runs.iter() {
            let mut cells = run.iter().map(|&record| codes[record as usize]);
            if is_one_label && run.len() < FEW_RECORDS {
                let Some(first) = cells.next().map(Code::index) else { continue };
                telling.add_few(run.len() as u32, cells.all(|code| code.index() == first));
                continue;
            }
            values.count(cells);
            telling.add(values.seen.iter().map(|&code| (code, values.of[code as usize])));
            values.clear();
        });
        telling.told()
    }

    /// Is everything published under one label, and does that hide anything?
    fn is_one_label(&self) -> bool {
        self.most.len() == 1 && self.share.iter().all(|&share| share < 1.0)
    }

    /// How probable it is that so many records of a label all have the same value.
    fn agree(&self, label: u32, records: u32) -> f64 {
        let prepared = &self.agree[self.starts[label as usize]..self.starts[label as usize + 1]];
        match prepared.get(records as usize) {
            Some(&chance) => chance,
            None => self.frequent[label as usize].map_or(0.0, |share| share.powi(records.min(1 << 20) as i32)),
        }
    }
}

/// What is told of a hidden column, one run of records that are alike after the other.
struct Telling<'h> {
    hidden: &'h Hidden<'h>,
    told: Reveal,
    variance: f64,
    /// For each label the records of the present run that have it.
    cells: Vec<Cell>,
    /// The labels of the present run.
    labels: Vec<u32>,
}

impl<'h> Telling<'h> {
    fn new(hidden: &'h Hidden<'h>) -> Self {
        let told = Reveal { records: hidden.column.codes.len() as u64, ..Reveal::default() };
        let cells = vec![Cell::default(); hidden.frequent.len()];
        Telling { hidden, told, variance: 0.0, cells, labels: Vec::new() }
    }

    /// Takes the hidden values of a run, and how many of its records have each.
    fn add(&mut self, run: impl Iterator<Item = (u32, u32)>) {
        for (code, records) in run {
            let label = self.hidden.label_of[code as usize];
            let cell = &mut self.cells[label as usize];
            if cell.records == 0 {
                self.labels.push(label);
            }
            cell.add(records, self.hidden.share[code as usize]);
        }
        while let Some(label) = self.labels.pop() {
            let cell = std::mem::take(&mut self.cells[label as usize]);
            self.add_cell(label, cell);
        }
    }

    /// Takes a run of [few](FEW_RECORDS) records of a column that has one label: either all have the same value, or none is nearly certain.
    fn add_few(&mut self, records: u32, are_same: bool) {
        self.add_chance(0, records);
        if are_same {
            self.told.certain += u64::from(records);
            self.told.nearly += u64::from(records);
        }
    }

    fn add_chance(&mut self, label: u32, records: u32) {
        let (size, agree) = (f64::from(records), self.hidden.agree(label, records));
        self.told.chance += size * agree;
        self.variance += size * size * agree * (1.0 - agree);
    }

    fn add_cell(&mut self, label: u32, cell: Cell) {
        let Cell { records, values, most, base } = cell;
        if base >= 1.0 {
            // The label says it already.
            return;
        }
        self.add_chance(label, records);
        let size = f64::from(records);
        if values == 1 {
            self.told.certain += u64::from(records);
            self.told.nearly += u64::from(records);
        } else if f64::from(most) >= NEARLY * size
            && f64::from(most) >= size * base + 3.0 * (size * base * (1.0 - base)).sqrt()
        {
            self.told.nearly += u64::from(records);
        }
    }

    fn told(self) -> Reveal {
        Reveal { deviation: self.variance.sqrt(), ..self.told }
    }
}

/// The records of a run that have one label.
#[derive(Clone, Copy, Default)]
struct Cell {
    records: u32,
    values: u32,
    /// Records of the most frequent value, and that value's share among all records of the label.
    most: u32,
    base: f64,
}

impl Cell {
    fn add(&mut self, records: u32, share: f64) {
        self.records += records;
        self.values += 1;
        if records > self.most {
            (self.most, self.base) = (records, share);
        }
    }
}

/// Of so many records, as many must be told for it to matter; nearly certain ones must be more.
fn enough(records: f64) -> f64 {
    (records / 100.0).max(100.0_f64.min(records / 20.0))
}

impl Reveal {
    /// Is that more than chance, and enough to matter? Beyond chance it must be true of one record in a hundred, of a hundred records or one
    /// in twenty, of a fifth of those that are certain, and three deviations away; or one record in twenty is nearly certain, beside those
    /// that are certain.
    pub fn matters(&self) -> bool {
        let (records, certain) = (self.records as f64, self.certain as f64);
        let enough = enough(records);
        let beyond = certain - self.chance;
        let exact = beyond > 0.0 && beyond >= enough.max(certain / 5.0).max(3.0 * self.deviation);
        let strong = (self.nearly - self.certain) as f64 >= records / 20.0;
        exact || (strong && self.records > 0)
    }
}
