//! A whole table in memory: learners look at records one by one, counts do not tell them enough.

use std::collections::HashMap;
use std::fmt;

use arrow_array::RecordBatch;
use cutline_table::{Block, BlockColumn};

use crate::cells::{CellReader, lacking};
use crate::compress::ascending;
use crate::derive::encode_column;
use crate::embedded::Embedded;
use crate::engine::Watch;
use crate::error::EngineError;
use crate::pass::pass;
use crate::sample::Sample;

/// What to hold in memory.
#[derive(Clone, Debug, Default)]
pub struct RecordsPlan {
    /// Positions in the schema, in the order wanted.
    pub columns: Vec<usize>,
    /// Texts that stand for a missing value, beside the empty one.
    pub nulls: Vec<String>,
    /// Leave out records in which one of these columns is missing.
    pub required: Vec<usize>,
}

/// Records as dictionary-coded columns, in the order of the table: four bytes a cell, and every distinct text once.
#[derive(Default)]
pub struct Records {
    columns: Vec<BlockColumn>,
    /// The code of each text, for every column.
    codes: Vec<HashMap<Option<String>, u32>>,
    sources: Vec<u64>,
    dropped: u64,
}

impl Records {
    /// Reads a table. Cells become codes of their batch on all cores, and codes of the table in record order.
    pub fn read(engine: &Embedded, plan: &RecordsPlan, watch: &dyn Watch) -> Result<Self, EngineError> {
        let reader = CellReader::new(engine.source.text(), &plan.nulls);
        let (read, mut places) = ascending(&[&plan.columns[..], &plan.required].concat());
        let required = places.split_off(plan.columns.len());
        let encode = |batch: &RecordBatch| {
            let columns = places.iter().map(|&place| encode_column(engine, batch, place, &reader));
            let columns = columns.collect::<Result<Vec<_>, _>>()?;
            let left_out = lacking(batch, &required, &reader, engine.path())?;
            Ok(Block { records: batch.num_rows(), left_out, columns })
        };
        let mut records = Records::new(plan.columns.len());
        let add = |block: Block| {
            records.add(&block);
            Ok(())
        };
        pass(engine, &read, encode, add, watch)?;
        Ok(records)
    }

    /// Drawn records. They are counted from 1, wherever they are in their table.
    pub fn drawn(sample: Sample) -> Self {
        let Sample { columns, drawn, dropped, .. } = sample;
        let columns = columns.into_iter().map(|column| BlockColumn { codes: column.codes, texts: column.texts });
        Records { dropped, ..Records::of(drawn, columns.collect()) }
    }

    /// The same records with other columns in some places.
    pub fn replaced(&self, others: impl IntoIterator<Item = (usize, BlockColumn)>) -> Self {
        let mut columns = self.columns.clone();
        others.into_iter().for_each(|(place, column)| columns[place] = column);
        let records = Records::of(self.len(), columns);
        Records { sources: self.sources.clone(), dropped: self.dropped, ..records }
    }

    fn of(records: usize, columns: Vec<BlockColumn>) -> Self {
        let mut all = Records::new(columns.len());
        all.add(&Block { records, left_out: Vec::new(), columns });
        all
    }

    fn new(columns: usize) -> Self {
        let mut records = Records::default();
        records.columns.resize_with(columns, BlockColumn::default);
        records.codes.resize_with(columns, HashMap::new);
        records
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Is there no record?
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Records that were left out because a value is missing.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The columns in the order they were asked for. Every text has one code; texts of records that were left out may be there.
    pub fn columns(&self) -> &[BlockColumn] {
        &self.columns
    }

    /// The text of a cell; `None` is missing.
    pub fn text(&self, column: usize, record: usize) -> Option<&str> {
        let BlockColumn { codes, texts } = &self.columns[column];
        texts[codes[record] as usize].as_deref()
    }

    /// Which record of its table (from 1) this one is.
    pub fn source(&self, record: usize) -> u64 {
        self.sources[record]
    }

    /// Leaves out the records that are not to be kept.
    pub fn retain(&mut self, keep: &[bool]) {
        for column in &mut self.columns {
            retain(&mut column.codes, keep);
        }
        retain(&mut self.sources, keep);
    }

    /// Adds the records of another table with the same columns behind these.
    pub fn append(&mut self, other: Records) {
        let Records { columns, sources, dropped, .. } = other;
        self.add(&Block { records: sources.len(), left_out: Vec::new(), columns });
        self.sources.truncate(self.sources.len() - sources.len());
        self.sources.extend(sources);
        self.dropped += dropped;
    }

    fn add(&mut self, block: &Block) {
        let before = self.sources.len() as u64 + self.dropped;
        let kept = |row: &usize| block.left_out.get(*row) != Some(&true);
        for ((column, codes), added) in self.columns.iter_mut().zip(&mut self.codes).zip(&block.columns) {
            let code_of: Vec<u32> = added.texts.iter().map(|text| code(codes, &mut column.texts, text)).collect();
            let rows = (0..block.records).filter(kept);
            column.codes.extend(rows.map(|row| code_of[added.codes[row] as usize]));
        }
        let rows = (0..block.records).filter(kept);
        self.sources.extend(rows.map(|row| before + row as u64 + 1));
        self.dropped += block.left_out.iter().filter(|left_out| **left_out).count() as u64;
    }
}

/// Shows no cell.
impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").field("records", &self.len()).field("columns", &self.columns.len()).finish()
    }
}

fn code(codes: &mut HashMap<Option<String>, u32>, texts: &mut Vec<Option<String>>, text: &Option<String>) -> u32 {
    if let Some(&code) = codes.get(text) {
        return code;
    }
    let code = texts.len() as u32;
    texts.push(text.clone());
    codes.insert(text.clone(), code);
    code
}

fn retain<T>(items: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    items.retain(|_| flags.next() == Some(&true));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Unwatched;
    use crate::source;

    fn read(text: &str, required: Vec<usize>, threads: usize) -> Records {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, text).unwrap();
        let location = path.display().to_string();
        let engine = Embedded::new(source::open(&location, &Default::default()).unwrap(), location, threads);
        let plan = RecordsPlan { columns: vec![1, 0], nulls: vec!["?".to_owned()], required };
        Records::read(&engine, &plan, &Unwatched).unwrap()
    }

    fn cells(records: &Records) -> Vec<(Option<&str>, Option<&str>, u64)> {
        (0..records.len()).map(|row| (records.text(0, row), records.text(1, row), records.source(row))).collect()
    }

    #[test]
    fn cells_keep_their_order_and_missing_ones_are_none() {
        let records = read("a,b\n1, x\n2,?\n,x\n", Vec::new(), 1);
        assert_eq!(cells(&records), [(Some("x"), Some("1"), 1), (None, Some("2"), 2), (Some("x"), None, 3)]);
        assert_eq!(records.columns()[0].texts.len(), 2);
    }

    #[test]
    fn records_without_a_required_value_are_left_out_and_the_others_know_where_they_were() {
        let mut records = read("a,b\n1,x\n2,?\n3,y\n", vec![1], 1);
        assert_eq!(cells(&records), [(Some("x"), Some("1"), 1), (Some("y"), Some("3"), 3)]);
        assert_eq!(records.dropped(), 1);
        records.append(read("a,b\n?,x\n4,y\n", vec![0], 1));
        records.retain(&[false, true, true]);
        assert_eq!(cells(&records), [(Some("y"), Some("3"), 3), (Some("y"), Some("4"), 2)]);
    }

    #[test]
    fn columns_are_replaced_and_records_keep_their_numbers() {
        let mut records = read("a,b\n1,x\n2,?\n3,y\n", vec![1], 1);
        let stars = BlockColumn { codes: vec![1, 0], texts: vec![None, Some("*".to_owned())] };
        let replaced = records.replaced([(0, stars)]);
        assert_eq!(cells(&replaced), [(Some("*"), Some("1"), 1), (None, Some("3"), 3)]);
        assert_eq!(replaced.dropped(), 1);
        records.append(replaced);
        assert_eq!(cells(&records)[2..], [(Some("*"), Some("1"), 1), (None, Some("3"), 3)]);
    }

    #[test]
    fn drawn_records_are_those_of_the_sample() {
        use crate::engine::Engine;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, "a\n1\n?\n1\n2\n").unwrap();
        let location = path.display().to_string();
        let engine = Embedded::new(source::open(&location, &Default::default()).unwrap(), location, 1);
        let nulls = vec!["?".to_owned()];
        let plan = crate::SamplePlan { columns: vec![0], nulls, required: vec![0], size: 9, seed: 1 };
        let records = Records::drawn(engine.sample(&plan, &Unwatched).unwrap());
        let texts: Vec<_> = (0..records.len()).map(|row| records.text(0, row)).collect();
        assert_eq!((texts, records.dropped()), (vec![Some("1"), Some("1"), Some("2")], 1));
    }

    #[test]
    fn a_table_without_records_has_its_columns() {
        let records = read("a,b\n", Vec::new(), 2);
        assert_eq!((records.len(), records.columns().len()), (0, 2));
    }

    #[test]
    fn codes_do_not_depend_on_the_number_of_threads() {
        let text: String = std::iter::once("a,b\n".to_owned())
            .chain((0..200_000).map(|i| format!("{},v{}\n", i % 977, i % 31)))
            .collect();
        let (one, four) = (read(&text, Vec::new(), 1), read(&text, Vec::new(), 4));
        assert!(one.columns().iter().zip(four.columns()).all(|(a, b)| a.codes == b.codes && a.texts == b.texts));
    }
}
