//! The streaming GROUP BY of the first pass.

use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::grouper::Grouper;
use crate::interner::Interner;
use crate::waiting::Waiting;
use crate::{Code, Codes, RawColumn, RawTable, RecordNumber, sums_alone, with_codes};

/// The grouped cells of a run of records: codes of this block's own, and the text behind each of them.
#[derive(Debug, Default)]
pub struct Block {
    /// The number of records.
    pub records: usize,
    /// Records to leave out; empty if there are none.
    pub left_out: Vec<bool>,
    /// One for each grouped column.
    pub columns: Vec<BlockColumn>,
}

/// One column of a [`Block`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockColumn {
    /// A code for each record.
    pub codes: Vec<u32>,
    /// The text of each code; `None` is missing. Two codes may have the same text.
    pub texts: Vec<Option<String>>,
}

/// The same for a column of which some codes are known: what most blocks of a long table are.
#[derive(Clone, Debug, Default)]
pub struct CodedColumn {
    /// For each record a code that the table gave before, or the place of a text among the fresh ones, counted from [`FRESH`].
    pub codes: Vec<u32>,
    /// Texts whose codes are not known; `None` is missing. Two of them may be the same, and the table may have them.
    pub fresh: Vec<Option<String>>,
}

/// From here on a code of a [`CodedColumn`] is the place of a fresh text. Tables give no code that large: they would not fit.
pub const FRESH: u32 = 1 << 31;

impl From<&BlockColumn> for CodedColumn {
    fn from(column: &BlockColumn) -> Self {
        CodedColumn { codes: column.codes.iter().map(|&code| FRESH + code).collect(), fresh: column.texts.clone() }
    }
}

/// The records of a block by combination.
#[derive(Debug, Default)]
pub struct BlockGroups {
    /// One for each grouped column: a code for each combination.
    pub columns: Vec<BlockColumn>,
    /// Where the first record of each combination is in the block, ascending.
    pub first: Vec<u64>,
    /// The records of each combination.
    pub counts: Vec<u64>,
    /// Records of the block that were left out.
    pub left_out: u64,
}

/// Groups blocks of records by all their columns and counts.
///
/// Codes of records wait until there are so many that they would not fit, or until the end: then all cores group them at once. Beyond
/// that memory grows with distinct rows, not with records.
#[derive(Debug)]
pub struct Compressor {
    waiting: Waiting,
    grouper: Grouper,
    texts: Vec<Interner>,
    first_missing: Vec<Option<RecordNumber>>,
    records: u64,
    dropped: u64,
}

/// Records take so much memory at most while they wait: 14 attributes of some seven million records.
const MOST_BYTES: usize = 128 << 20;

/// The columns of so many records are worth several cores.
const MANY_RECORDS: usize = 1 << 14;

impl Compressor {
    /// A compressor for so many columns.
    pub fn new(columns: usize) -> Self {
        Compressor {
            waiting: Waiting::new(columns, MOST_BYTES),
            grouper: Grouper::new(columns),
            texts: (0..columns).map(|_| Interner::default()).collect(),
            first_missing: vec![None; columns],
            records: 0,
            dropped: 0,
        }
    }

    /// The same, where records take at most so many bytes while they wait.
    #[must_use]
    pub fn holding(self, bytes: usize) -> Self {
        let waiting = Waiting::new(self.texts.len(), bytes.min(MOST_BYTES));
        Compressor { waiting, ..self }
    }

    /// Adds the next records. Blocks must come in record order, so that results do not depend on who made them when.
    pub fn add(&mut self, block: &Block) {
        let mut columns: Vec<CodedColumn> = block.columns.iter().map(CodedColumn::from).collect();
        self.add_coded(&mut columns, block.records, &block.left_out);
        self.make_room();
    }

    /// The same of columns of which some codes are known. All cells get the code that they have in the table: 0 is missing. Tells which
    /// code each fresh text of each column has. The records wait, however many there are: see [`Compressor::make_room`].
    pub fn add_coded(&mut self, columns: &mut [CodedColumn], records: usize, left_out: &[bool]) -> Vec<Vec<u32>> {
        let before = self.records + self.dropped;
        let of_table = self.texts.par_iter_mut().zip(&mut self.first_missing);
        let translate = |(column, (texts, missing)): (&mut CodedColumn, (&mut Interner, &mut Option<RecordNumber>))| {
            translate(column, (texts, missing), before, left_out)
        };
        // Where blocks are small, they are many: other cores have enough to do with those.
        let at_once = if records < MANY_RECORDS { columns.len().max(1) } else { 1 };
        let told = columns.par_iter_mut().zip(of_table).with_min_len(at_once).map(translate).collect();
        let codes: Vec<&[u32]> = columns.iter().map(|column| &column.codes[..]).collect();
        self.waiting.add(&codes, (records, at_once), left_out);
        let dropped = left_out.iter().filter(|&&left_out| left_out).count();
        self.dropped += dropped as u64;
        self.records += (records - dropped) as u64;
        told
    }

    /// Groups the records that wait if they take more memory than they may.
    pub fn make_room(&mut self) {
        if self.waiting.is_full() {
            self.waiting.hand_over(&mut self.grouper);
        }
    }

    /// The codes of all records so far, those that were left out among them, if all of them still wait.
    pub fn held(&self) -> Option<&[Codes]> {
        (!self.grouper.has_seen_any()).then_some(&self.waiting.columns)
    }

    /// Will [`Compressor::make_room`] group the records that wait?
    pub fn is_full(&self) -> bool {
        self.waiting.is_full()
    }

    /// Adds a block whose records are grouped already.
    pub fn add_grouped(&mut self, block: &BlockGroups) {
        self.waiting.hand_over(&mut self.grouper);
        let before = self.records + self.dropped;
        let translate = |(index, column): (usize, &BlockColumn)| {
            let rows = block.first.iter().map(|&row| row as usize).zip(column.codes.iter().copied());
            let of_table = (&mut self.texts[index], &mut self.first_missing[index]);
            let global = intern(of_table, &column.texts, before, rows);
            column.codes.iter().map(|&code| global[code as usize]).collect()
        };
        let rows: Vec<Vec<u32>> = block.columns.iter().enumerate().map(translate).collect();
        self.grouper.add(&rows, block.counts.len(), |row| Some(block.counts[row]));
        self.dropped += block.left_out;
        self.records += block.counts.iter().sum::<u64>();
    }

    /// Adds groups that somebody else counted, after all records so far: rows with the same texts are one.
    pub(crate) fn add_groups(&mut self, columns: &[BlockColumn], counts: &[u64], dropped: u64) {
        self.waiting.hand_over(&mut self.grouper);
        let mut rows = Vec::with_capacity(columns.len());
        for (index, column) in columns.iter().enumerate() {
            let missing = |&code: &u32| column.texts[code as usize].is_none();
            if self.first_missing[index].is_none() && column.codes.iter().any(missing) {
                self.first_missing[index] = Some(RecordNumber::UNKNOWN);
            }
            let global = self.texts[index].codes(&column.texts, &vec![RecordNumber::UNKNOWN; column.texts.len()]);
            rows.push(column.codes.iter().map(|&code| global[code as usize]).collect());
        }
        self.grouper.add(&rows, counts.len(), |row| Some(counts[row]).filter(|&count| count > 0));
        self.dropped += dropped;
        self.records += counts.iter().sum::<u64>();
    }

    /// Adds a compressed part of the table, with as many columns, after all records so far.
    pub(crate) fn add_part(&mut self, part: &RawTable) {
        self.waiting.hand_over(&mut self.grouper);
        let before = self.records + self.dropped;
        let mut global = Vec::with_capacity(part.columns.len());
        for (index, column) in part.columns.iter().enumerate() {
            let missing = column.first_missing.map(|record| record.after(before));
            self.first_missing[index] = self.first_missing[index].or(missing);
            let interner = &mut self.texts[index];
            let number = |number| {
                interner.intern(column.texts.text(number), column.texts.first_record(number).after(before)) + 1
            };
            global.push(std::iter::once(0).chain((0..column.texts.len() as u32).map(number)).collect::<Vec<u32>>());
        }
        let codes: Vec<_> = part.columns.iter().map(|column| &column.codes).collect();
        let translate = |column: usize, code| global[column][code as usize];
        self.grouper.add_columns(&codes, part.weights.len(), |row| Some(part.weights[row]), translate);
        self.dropped += part.dropped;
        self.records += part.records;
    }

    /// The distinct rows and what is behind their codes.
    pub fn finish(self) -> RawTable {
        self.finish_with_codes().0
    }

    /// The same, and the codes of all records, those that were left out among them, if they were all held until now.
    pub fn finish_with_codes(mut self) -> (RawTable, Option<Vec<Codes>>) {
        let held = !self.grouper.has_seen_any();
        let (rows, weights) = match held {
            true => self.waiting.distinct(),
            false => {
                self.waiting.hand_over(&mut self.grouper);
                (self.grouper.columns, self.grouper.weights)
            }
        };
        let column = |((codes, texts), first_missing): ((Codes, Interner), Option<RecordNumber>)| {
            let counts = with_codes!(&codes, codes => {
                sums_alone(0..codes.len(), texts.len() + 1, |row| codes[row].index(), |row| weights[row])
            });
            RawColumn { codes, texts: Arc::new(texts), counts, first_missing }
        };
        let columns = rows.into_par_iter().zip(self.texts).zip(self.first_missing).map(column).collect();
        let table = RawTable { columns, weights, records: self.records, dropped: self.dropped, history: None };
        (table, held.then_some(self.waiting.columns))
    }

    /// Distinct rows among the records that do not wait.
    pub fn rows(&self) -> usize {
        self.grouper.len()
    }
}

/// What a table knows of a column: its texts, and the first record that lacks a value.
type OfTable<'t> = (&'t mut Interner, &'t mut Option<RecordNumber>);

/// Gives all cells of a column their codes in a table, and tells that of each fresh text. `before` is the number of records before them.
fn translate(
    column: &mut CodedColumn,
    (texts, first_missing): OfTable<'_>,
    before: u64,
    left_out: &[bool],
) -> Vec<u32> {
    let kept = |row: usize| left_out.get(row) != Some(&true);
    if first_missing.is_none() && column.codes.contains(&0) {
        let missing = (0..column.codes.len()).find(|&row| column.codes[row] == 0 && kept(row));
        *first_missing = missing.map(|row| RecordNumber::new(before + row as u64 + 1));
    }
    if column.fresh.is_empty() {
        return Vec::new();
    }
    let rows = column.codes.iter().enumerate().filter(|&(row, &code)| code >= FRESH && kept(row));
    let rows = rows.map(|(row, &code)| (row, code - FRESH));
    let told = intern((texts, first_missing), &column.fresh, before, rows);
    for code in column.codes.iter_mut().filter(|code| **code >= FRESH) {
        *code = told[(*code - FRESH) as usize];
    }
    told
}

/// The code in a table for each text of a block; 0 is missing. The records of the block that are not left out are told with the places of
/// their texts.
fn intern(
    (known, first_missing): OfTable<'_>,
    texts: &[Option<String>],
    before: u64,
    records: impl Iterator<Item = (usize, u32)>,
) -> Vec<u32> {
    let mut first_seen = vec![RecordNumber::UNKNOWN; texts.len()];
    for (record, text) in records {
        let seen = &mut first_seen[text as usize];
        *seen = (*seen).min(RecordNumber::new(before + record as u64 + 1));
    }
    let missing = texts.iter().zip(&first_seen).filter(|(text, _)| text.is_none()).map(|(_, &seen)| seen).min();
    let missing = missing.filter(|&record| record != RecordNumber::UNKNOWN);
    *first_missing = earlier(*first_missing, missing);
    known.codes(texts, &first_seen)
}

fn earlier(one: Option<RecordNumber>, other: Option<RecordNumber>) -> Option<RecordNumber> {
    one.into_iter().chain(other).min()
}

#[cfg(test)]
mod tests;
