//! The streaming GROUP BY of the first pass.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::grouper::Grouper;
use crate::interner::Interner;
use crate::{Codes, RawColumn, RawTable, RecordNumber};

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

/// Groups blocks of records by all their columns and counts. Memory grows with distinct rows, not with records.
#[derive(Debug)]
pub struct Compressor {
    grouper: Grouper,
    texts: Vec<Interner>,
    first_missing: Vec<Option<RecordNumber>>,
    records: u64,
    dropped: u64,
}

impl Compressor {
    /// A compressor for so many columns.
    pub fn new(columns: usize) -> Self {
        Compressor {
            grouper: Grouper::new(columns),
            texts: (0..columns).map(|_| Interner::default()).collect(),
            first_missing: vec![None; columns],
            records: 0,
            dropped: 0,
        }
    }

    /// Adds the next records. Blocks must come in record order, so that results do not depend on who made them when.
    ///
    /// Tells the code of each cell of each column, as it is in the table: 0 is missing.
    pub fn add(&mut self, block: &Block) -> Vec<Vec<u32>> {
        let record = self.records + self.dropped;
        let translate = |(index, column): (usize, &BlockColumn)| {
            let rows = column.codes.iter().copied().enumerate();
            let global = match block.left_out.is_empty() {
                true => self.translate(index, &column.texts, record, rows),
                false => self.translate(index, &column.texts, record, rows.filter(|(row, _)| !block.left_out[*row])),
            };
            column.codes.iter().map(|&code| global[code as usize]).collect()
        };
        let rows: Vec<Vec<u32>> = block.columns.iter().enumerate().map(translate).collect();
        let left_out = |row: usize| block.left_out.get(row) == Some(&true);
        self.grouper.add(&rows, block.records, |row| (!left_out(row)).then_some(1));
        let dropped = (0..block.records).filter(|&row| left_out(row)).count();
        self.dropped += dropped as u64;
        self.records += (block.records - dropped) as u64;
        rows
    }

    /// The same of a block whose records are grouped already.
    pub fn add_grouped(&mut self, block: &BlockGroups) {
        let before = self.records + self.dropped;
        let translate = |(index, column): (usize, &BlockColumn)| {
            let rows = block.first.iter().map(|&row| row as usize).zip(column.codes.iter().copied());
            let global = self.translate(index, &column.texts, before, rows);
            column.codes.iter().map(|&code| global[code as usize]).collect()
        };
        let rows: Vec<Vec<u32>> = block.columns.iter().enumerate().map(translate).collect();
        self.grouper.add(&rows, block.counts.len(), |row| Some(block.counts[row]));
        self.dropped += block.left_out;
        self.records += block.counts.iter().sum::<u64>();
    }

    /// Adds groups that somebody else counted, after all records so far: rows with the same texts are one.
    pub(crate) fn add_groups(&mut self, columns: &[BlockColumn], counts: &[u64], dropped: u64) {
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
        self.grouper.add_columns(&codes, &part.weights, |column, code| global[column][code as usize]);
        self.dropped += part.dropped;
        self.records += part.records;
    }

    /// The code in this table for each text of a block; 0 is missing. The records of the block that are not left out are told with their
    /// codes.
    fn translate(
        &mut self,
        column: usize,
        texts: &[Option<String>],
        before: u64,
        records: impl Iterator<Item = (usize, u32)>,
    ) -> Vec<u32> {
        let mut first_seen = vec![RecordNumber::UNKNOWN; texts.len()];
        for (record, code) in records {
            let seen = &mut first_seen[code as usize];
            *seen = (*seen).min(RecordNumber::new(before + record as u64 + 1));
        }
        let missing = texts.iter().zip(&first_seen).filter(|(text, _)| text.is_none()).map(|(_, &seen)| seen).min();
        let missing = missing.filter(|&record| record != RecordNumber::UNKNOWN);
        self.first_missing[column] = self.first_missing[column].or(missing);
        self.texts[column].codes(texts, &first_seen)
    }

    /// The distinct rows and what is behind their codes.
    pub fn finish(self) -> RawTable {
        let Compressor { grouper, texts, first_missing, records, dropped, .. } = self;
        let weights = grouper.weights;
        let column = |((codes, texts), first_missing): ((Codes, Interner), Option<RecordNumber>)| {
            let mut counts = vec![0; texts.len() + 1];
            for (code, weight) in codes.iter().zip(&weights) {
                counts[code as usize] += weight;
            }
            RawColumn { codes, texts: Arc::new(texts), counts, first_missing }
        };
        let columns = grouper.columns.into_iter().zip(texts).zip(first_missing).map(column).collect();
        RawTable { columns, weights, records, dropped, history: None }
    }

    /// Distinct rows so far.
    pub fn rows(&self) -> usize {
        self.grouper.len()
    }
}

#[cfg(test)]
mod tests {
    use cutline_model::Kind;

    use super::*;

    fn block(columns: &[&[Option<&str>]]) -> Block {
        let column = |cells: &&[Option<&str>]| BlockColumn {
            codes: (0..cells.len() as u32).collect(),
            texts: cells.iter().map(|cell| cell.map(str::to_owned)).collect(),
        };
        Block { records: columns[0].len(), left_out: Vec::new(), columns: columns.iter().map(column).collect() }
    }

    #[test]
    fn equal_records_are_counted_across_blocks() {
        let mut compressor = Compressor::new(2);
        compressor.add(&block(&[&[Some("a"), Some("b")], &[Some("1"), None]]));
        compressor.add(&block(&[&[Some("b"), Some("a")], &[None, Some("1")]]));
        assert_eq!(compressor.rows(), 2);
        let table = compressor.finish();
        assert_eq!((table.records, &table.weights[..]), (4, &[2, 2][..]));
        assert_eq!(table.columns[1].missing(), 2);
        assert_eq!(table.columns[1].first_missing(), Some(RecordNumber::new(2)));
        assert_eq!(
            table.columns[0].values().collect::<Vec<_>>(),
            [("a", RecordNumber::new(1)), ("b", RecordNumber::new(2))]
        );
    }

    #[test]
    fn dropped_records_leave_no_trace() {
        let mut compressor = Compressor::new(2);
        let records = block(&[&[Some("a"), Some("b")], &[Some("1"), None]]);
        compressor.add(&Block { left_out: vec![false, true], ..records });
        let table = compressor.finish();
        assert_eq!((table.records, table.dropped), (1, 1));
        assert_eq!(table.columns[0].values().count(), 1);
    }

    #[test]
    fn kinds_are_guessed_from_the_values() {
        let kind = |values: &[&str]| {
            let mut compressor = Compressor::new(1);
            let cells: Vec<_> = values.iter().copied().map(Some).collect();
            compressor.add(&block(&[&cells]));
            compressor.finish().columns[0].guess_kind()
        };
        assert_eq!(kind(&["1", "2.5", "1e3"]), Kind::Continuous);
        assert_eq!(kind(&["0", "01", "11"]), Kind::Continuous);
        assert_eq!(kind(&["0.5", "0.7"]), Kind::Continuous);
        assert_eq!(kind(&["02139", "90210"]), Kind::Categorical);
        assert_eq!(kind(&["1", "x"]), Kind::Categorical);
        assert_eq!(kind(&[]), Kind::Categorical);
    }
}
