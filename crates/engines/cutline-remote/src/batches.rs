//! From batches to codes, and from labels to batches, for servers that speak Arrow. Typed cells come back, and are read by the code that
//! reads files.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Int32Array, RecordBatch, StringArray, StringViewArray, UInt32Array};
use arrow_schema::{ArrowError, DataType};
use arrow_select::concat::concat;
use arrow_select::take::take;
use cutline_arrow::text_of;

use crate::{Coded, Dictionary, Distinct, Groups, Labels};

/// The distinct cells of a column, typed as the server has them; nothing if there is no cell.
pub type Keys = Option<ArrayRef>;

/// What is wrong with an answer.
pub type Problem = &'static str;

/// Rows of cells and counts as they come.
#[derive(Default)]
pub struct Grouping {
    columns: Vec<Column>,
    counts: Vec<u64>,
}

#[derive(Default)]
struct Column {
    dictionary: Dictionary,
    codes: Vec<u32>,
    /// The cells that were new in each batch.
    keys: Vec<ArrayRef>,
}

impl Grouping {
    /// Rows with so many columns of cells, and one of counts.
    pub fn new(columns: usize) -> Self {
        Grouping { columns: (0..columns).map(|_| Column::default()).collect(), counts: Vec::new() }
    }

    /// Takes more rows.
    pub fn add(&mut self, batch: &RecordBatch) -> Result<(), Problem> {
        let Some((counts, cells)) = batch.columns().split_last().filter(|(_, cells)| cells.len() == self.columns.len())
        else {
            return Err("columns are missing");
        };
        for (column, cells) in self.columns.iter_mut().zip(cells) {
            column.add(cells)?;
        }
        let counts = counts_of(counts)?;
        self.counts.extend(counts);
        Ok(())
    }

    /// All rows.
    pub fn finish(self) -> Result<Groups<Keys>, Problem> {
        let columns = self.columns.into_iter().map(Column::finish).collect::<Result<_, _>>()?;
        Ok(Groups { columns, counts: self.counts })
    }
}

impl Column {
    fn add(&mut self, cells: &ArrayRef) -> Result<(), Problem> {
        let texts = text_of(cells).map_err(unreadable)?;
        if texts.null_count() > cells.logical_null_count() {
            return Err("a cell has no text");
        }
        let mut fresh = Vec::new();
        for (row, text) in texts.iter().enumerate() {
            let known = self.dictionary.len();
            self.codes.push(self.dictionary.code(text));
            if self.dictionary.len() > known {
                fresh.push(row as u32);
            }
        }
        if !fresh.is_empty() {
            self.keys.push(take(cells, &UInt32Array::from(fresh), None).map_err(unreadable)?);
        }
        Ok(())
    }

    fn finish(self) -> Result<Coded<Keys>, Problem> {
        let keys: Vec<&dyn Array> = self.keys.iter().map(|keys| &**keys as &dyn Array).collect();
        let keys = if keys.is_empty() { None } else { Some(concat(&keys).map_err(unreadable)?) };
        Ok(Coded { codes: self.codes, cells: Distinct { texts: self.dictionary.into_texts(), keys } })
    }
}

fn counts_of(counts: &ArrayRef) -> Result<Vec<u64>, Problem> {
    match counts.data_type() {
        DataType::Int64 if counts.null_count() == 0 => {
            let count = |&count: &i64| u64::try_from(count).map_err(|_| "a count is negative");
            counts.as_primitive::<Int64Type>().values().iter().map(count).collect()
        }
        _ => {
            let texts = text_of(counts).map_err(unreadable)?;
            let count = |text: Option<&str>| text.and_then(|text| text.parse().ok()).ok_or("a count is missing");
            texts.iter().map(count).collect()
        }
    }
}

/// The rows of a batch as texts.
pub fn texts(batch: &RecordBatch) -> Result<Vec<Vec<Option<String>>>, Problem> {
    let columns = batch.columns().iter().map(text_of).collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    let row = |row: usize| {
        let cell = |texts: &StringViewArray| texts.is_valid(row).then(|| texts.value(row).to_owned());
        columns.iter().map(cell).collect()
    };
    Ok((0..batch.num_rows()).map(row).collect())
}

/// Labels as a table with the columns `cell`, `number` and `label`.
pub fn label_table(labels: &Labels<Keys>) -> Result<RecordBatch, Problem> {
    let places = UInt32Array::from(labels.places.clone());
    let cells = match &labels.distinct.keys {
        Some(keys) => take(keys, &places, None).map_err(unreadable)?,
        None => Arc::new(StringArray::new_null(0)) as ArrayRef,
    };
    let numbers = Arc::new(Int32Array::from(labels.numbers.clone())) as ArrayRef;
    let texts = Arc::new(StringArray::from(labels.labels.clone())) as ArrayRef;
    let columns = [("cell", cells, true), ("number", numbers, true), ("label", texts, true)];
    RecordBatch::try_from_iter_with_nullable(columns).map_err(unreadable)
}

/// Rows of numbers as a table with the columns `n0`, `n1` and so on.
pub fn number_table(columns: Vec<Vec<i32>>) -> Result<RecordBatch, Problem> {
    let column =
        |(place, list): (usize, Vec<i32>)| (format!("n{place}"), Arc::new(Int32Array::from(list)) as ArrayRef, true);
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().enumerate().map(column)).map_err(unreadable)
}

fn unreadable(_: ArrowError) -> Problem {
    "rows are not in Arrow's format"
}
