//! A whole table in memory: learners look at records one by one, counts do not tell them enough.

use std::collections::HashMap;
use std::fmt;

use cutline_table::{Block, BlockColumn};

use crate::{Engine, EngineError, Sample, SamplePlan, Watch};

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
    /// Reads a table, or draws from it. Whoever asks for all records must know that they fit into memory.
    pub fn read(engine: &dyn Engine, plan: &SamplePlan, watch: &dyn Watch) -> Result<Self, EngineError> {
        Ok(Records::drawn(engine.sample(plan, watch)?))
    }

    /// Drawn records.
    pub fn drawn(sample: Sample) -> Self {
        let Sample { columns, drawn, positions, dropped, .. } = sample;
        let columns = columns.into_iter().map(|column| BlockColumn { codes: column.codes.into(), texts: column.texts });
        Records { sources: positions, dropped, ..Records::of(drawn, columns.collect()) }
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
