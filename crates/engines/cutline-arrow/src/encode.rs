//! From cells to codes of a batch.

use arrow_array::RecordBatch;
use cutline_engine::ClusterColumn;
use cutline_table::{BlockColumn, CodedColumn, FRESH};

use crate::cells::CellReader;
use crate::distinct::ColumnCells;
use crate::embedded::Embedded;
use crate::error::FileError;
use crate::vocabulary::{Known, StoredCell};

/// The cells of a column of a batch.
pub(crate) struct CodedCells {
    pub(crate) column: CodedColumn,
    /// What is stored where a text is fresh: whoever gives that a code knows then which cells have it.
    pub(crate) stored: Vec<StoredCell>,
}

/// A column's cells as codes that are known, and those that are not as the texts that they say.
pub(crate) fn code_column(
    engine: &Embedded,
    batch: &RecordBatch,
    place: usize,
    reader: &CellReader,
    known: &Known,
) -> Result<CodedCells, FileError> {
    let (mut fresh, mut stored) = (Vec::new(), Vec::new());
    let mut manner = 0;
    let codes = ColumnCells::of(batch, place, engine.path())?.number_unknown(known, |cell| {
        manner |= cell.text.map_or(0, |cell| reader.manner(cell));
        fresh.push(cell.text.and_then(|cell| reader.value(cell)).map(|value| value.into_owned()));
        stored.push(cell.stored());
        Ok::<_, FileError>(FRESH + fresh.len() as u32 - 1)
    })?;
    engine.check_manner(batch.schema().field(place).name(), manner)?;
    Ok(CodedCells { column: CodedColumn { codes, fresh }, stored })
}

/// A column's cells as codes of this batch, and the text of each code.
pub(crate) fn encode_column(
    engine: &Embedded,
    batch: &RecordBatch,
    place: usize,
    reader: &CellReader,
) -> Result<BlockColumn, FileError> {
    let mut texts = Vec::new();
    let mut manner = 0;
    let codes = ColumnCells::of(batch, place, engine.path())?.number(|cell| {
        manner |= cell.map_or(0, |cell| reader.manner(cell));
        texts.push(cell.and_then(|cell| reader.value(cell)).map(|value| value.into_owned()));
        Ok::<_, FileError>(texts.len() as u32 - 1)
    })?;
    engine.check_manner(batch.schema().field(place).name(), manner)?;
    Ok(BlockColumn { codes, texts })
}

/// The cluster of each record, from the cells that its rule looks at.
pub(crate) fn clusters(
    engine: &Embedded,
    cluster: &ClusterColumn,
    records: usize,
    cells: &[&BlockColumn],
) -> Result<Vec<u32>, FileError> {
    let assign = || cluster.rule.assign(records, cells);
    engine.in_pool(assign).map_err(|error| FileError::Cluster(error.to_string()))
}

/// The columns in ascending order without repetition, and where each wanted one is among them.
pub(crate) fn ascending(columns: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut read = columns.to_vec();
    read.sort_unstable();
    read.dedup();
    let places = columns.iter().map(|column| read.partition_point(|other| other < column)).collect();
    (read, places)
}
