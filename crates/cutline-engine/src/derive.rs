//! A column that no record has: a label that follows from other cells, such as the cluster that a record belongs to.

use std::fmt;
use std::sync::Arc;

use arrow_array::RecordBatch;
use cutline_table::BlockColumn;

use crate::cells::{CellReader, as_text, number_cells};
use crate::embedded::Embedded;
use crate::error::EngineError;

/// Gives every record a label.
///
/// The first pass groups by it, the second one may write it; no other representation of the records is needed, so that a table of any
/// length can be labelled.
///
/// # Contract
/// A record's label depends on the texts of its own cells only: not on its neighbours, and not on which block it is in.
pub trait Derive: fmt::Debug + Send + Sync {
    /// The columns that it looks at, as positions in the source's schema.
    fn columns(&self) -> &[usize];

    /// How many labels there are: every label is below this number.
    fn labels(&self) -> u32;

    /// The label of each record, from its cells in the order of [`Derive::columns`].
    ///
    /// # Errors
    /// If the cells do not fit: a defect of whoever made this.
    fn derive(&self, records: usize, cells: &[&BlockColumn]) -> Result<Vec<u32>, EngineError>;
}

/// A derived column to group by.
#[derive(Clone, Debug)]
pub struct DerivedColumn {
    /// Its place among the grouped columns.
    pub at: usize,
    /// What gives the labels.
    pub derive: Arc<dyn Derive>,
}

/// A derived column to publish, after all others.
#[derive(Clone, Debug)]
pub struct DerivedOutput {
    /// Its name.
    pub name: String,
    /// What gives the labels.
    pub derive: Arc<dyn Derive>,
}

/// The label as a column of a block: the text of a label is its number.
pub(crate) fn block_column(
    derive: &dyn Derive,
    records: usize,
    cells: &[&BlockColumn],
) -> Result<BlockColumn, EngineError> {
    let codes = derive.derive(records, cells)?;
    Ok(BlockColumn { codes, texts: (0..derive.labels()).map(|label| Some(label.to_string())).collect() })
}

/// A column's cells as codes of this batch, and the text of each code.
pub(crate) fn encode_column(
    engine: &Embedded,
    batch: &RecordBatch,
    place: usize,
    reader: &CellReader,
) -> Result<BlockColumn, EngineError> {
    let column = as_text(batch.column(place), engine.path())?;
    let mut texts = Vec::new();
    let codes = number_cells(&column, |cell| {
        texts.push(cell.and_then(|cell| reader.value(cell)).map(|value| value.into_owned()));
        Ok::<_, EngineError>(texts.len() as u32 - 1)
    })?;
    Ok(BlockColumn { codes, texts })
}
