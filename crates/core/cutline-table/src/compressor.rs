//! The streaming GROUP BY of the first pass.

use crate::grouper::Grouper;
use crate::interner::Interner;
use crate::{RawColumn, RawTable};

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
#[derive(Clone, Debug, Default)]
pub struct BlockColumn {
    /// A code for each record.
    pub codes: Vec<u32>,
    /// The text of each code; `None` is missing. Two codes may have the same text.
    pub texts: Vec<Option<String>>,
}

/// Groups blocks of records by all their columns and counts. Memory grows with distinct rows, not with records.
#[derive(Debug)]
pub struct Compressor {
    grouper: Grouper,
    texts: Vec<Interner>,
    first_missing: Vec<Option<u64>>,
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
    pub fn add(&mut self, block: &Block) {
        let record = self.records + self.dropped;
        let translate = |(index, column): (usize, &BlockColumn)| {
            let global = self.translate(index, column, record);
            column.codes.iter().map(|&code| global[code as usize]).collect()
        };
        let rows: Vec<Vec<u32>> = block.columns.iter().enumerate().map(translate).collect();
        let left_out = |row: usize| block.left_out.get(row) == Some(&true);
        self.grouper.add(&rows, block.records, |row| (!left_out(row)).then_some(1));
        let dropped = (0..block.records).filter(|&row| left_out(row)).count();
        self.dropped += dropped as u64;
        self.records += (block.records - dropped) as u64;
    }

    /// The code in this table for each code of the block; 0 is missing.
    fn translate(&mut self, column: usize, block: &BlockColumn, before: u64) -> Vec<u32> {
        let mut first_seen = vec![u64::MAX; block.texts.len()];
        for (row, &code) in block.codes.iter().enumerate() {
            let seen = &mut first_seen[code as usize];
            *seen = (*seen).min(before + row as u64 + 1);
        }
        let missing =
            block.texts.iter().zip(&first_seen).filter(|(text, _)| text.is_none()).map(|(_, &seen)| seen).min();
        self.first_missing[column] = self.first_missing[column].or(missing);
        let interner = &mut self.texts[column];
        let number = |(text, &seen): (&Option<String>, &u64)| match text {
            None => 0,
            Some(text) => interner.intern(text, seen) + 1,
        };
        block.texts.iter().zip(&first_seen).map(number).collect()
    }

    /// The distinct rows and what is behind their codes.
    pub fn finish(self) -> RawTable {
        let Compressor { grouper, texts, first_missing, records, dropped, .. } = self;
        let weights = grouper.weights;
        let column = |((codes, texts), first_missing): ((crate::Codes, Interner), Option<u64>)| {
            let mut counts = vec![0; texts.len() + 1];
            for (code, weight) in codes.iter().zip(&weights) {
                counts[code as usize] += weight;
            }
            RawColumn { codes, texts, counts, first_missing }
        };
        let columns = grouper.columns.into_iter().zip(texts).zip(first_missing).map(column).collect();
        RawTable { columns, weights, records, dropped }
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
        assert_eq!(table.columns[1].first_missing(), Some(2));
        assert_eq!(table.columns[0].values().collect::<Vec<_>>(), [("a", 1), ("b", 2)]);
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
