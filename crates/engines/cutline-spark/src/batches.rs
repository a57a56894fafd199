//! From batches to codes, and from tables to batches. Typed cells come back, and are read by the code that reads files.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, RecordBatch, UInt32Array};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType};
use arrow_select::concat::concat;
use arrow_select::take::take;
use cutline_arrow::text_of;
use cutline_remote::{Coded, Dictionary, Distinct, Groups};

use crate::error::Failure;

/// The distinct cells of a column, typed as the cluster has them; nothing if there is no cell.
pub(crate) type Keys = Option<ArrayRef>;

/// Rows of cells and counts as they come.
#[derive(Default)]
pub(crate) struct Grouping {
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
    pub(crate) fn new(columns: usize) -> Self {
        Grouping { columns: (0..columns).map(|_| Column::default()).collect(), counts: Vec::new() }
    }

    pub(crate) fn add(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        let Some((counts, cells)) = batch.columns().split_last().filter(|(_, cells)| cells.len() == self.columns.len())
        else {
            return Err(Failure::Answer("columns are missing"));
        };
        for (column, cells) in self.columns.iter_mut().zip(cells) {
            column.add(cells)?;
        }
        let counts = counts_of(counts)?;
        self.counts.extend(counts);
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<Groups<Keys>, Failure> {
        let columns = self.columns.into_iter().map(Column::finish).collect::<Result<_, _>>()?;
        Ok(Groups { columns, counts: self.counts })
    }
}

impl Column {
    fn add(&mut self, cells: &ArrayRef) -> Result<(), Failure> {
        let texts = text_of(cells).map_err(unreadable)?;
        if texts.null_count() > cells.logical_null_count() {
            return Err(Failure::Answer("a cell has no text"));
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

    fn finish(self) -> Result<Coded<Keys>, Failure> {
        let keys: Vec<&dyn Array> = self.keys.iter().map(|keys| &**keys as &dyn Array).collect();
        let keys = if keys.is_empty() { None } else { Some(concat(&keys).map_err(unreadable)?) };
        Ok(Coded { codes: self.codes, cells: Distinct { texts: self.dictionary.into_texts(), keys } })
    }
}

fn counts_of(counts: &ArrayRef) -> Result<Vec<u64>, Failure> {
    match counts.data_type() {
        DataType::Int64 if counts.null_count() == 0 => {
            let count = |&count: &i64| u64::try_from(count).map_err(|_| Failure::Answer("a count is negative"));
            counts.as_primitive::<Int64Type>().values().iter().map(count).collect()
        }
        _ => {
            let texts = text_of(counts).map_err(unreadable)?;
            texts
                .iter()
                .map(|text| text.and_then(|text| text.parse().ok()).ok_or(Failure::Answer("a count is missing")))
                .collect()
        }
    }
}

/// The rows of a batch as texts.
pub(crate) fn texts(batch: &RecordBatch) -> Result<Vec<Vec<Option<String>>>, Failure> {
    let columns = batch.columns().iter().map(text_of).collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    let row = |row: usize| {
        let cell = |texts: &arrow_array::StringViewArray| texts.is_valid(row).then(|| texts.value(row).to_owned());
        columns.iter().map(cell).collect()
    };
    Ok((0..batch.num_rows()).map(row).collect())
}

/// The most rows that are uploaded at once: servers refuse messages that are too long.
const MOST_ROWS: usize = 250_000;

/// A table in pieces that can be uploaded.
pub(crate) fn pieces(batch: &RecordBatch) -> Result<Vec<Vec<u8>>, Failure> {
    let starts = (0..batch.num_rows().max(1)).step_by(MOST_ROWS);
    let pieces = starts.map(|start| {
        let piece = batch.slice(start, MOST_ROWS.min(batch.num_rows() - start));
        let mut bytes = Vec::new();
        let mut writer = StreamWriter::try_new(&mut bytes, &piece.schema())?;
        writer.write(&piece)?;
        writer.finish()?;
        drop(writer);
        Ok(bytes)
    });
    pieces.collect::<Result<_, ArrowError>>().map_err(unreadable)
}

fn unreadable(_: ArrowError) -> Failure {
    Failure::Answer("rows are not in Arrow's format")
}
