//! A table without some of its records.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{BooleanArray, RecordBatch};
use arrow_schema::SchemaRef;
use arrow_select::filter::filter_record_batch;
use cutline_engine::Format;

use super::{BoxedChunk, Chunk, Chunks, Source, TextStyle};
use crate::cells::{CellReader, as_text};
use crate::error::FileError;

/// The records of another source, but for those with certain values in one column.
pub(crate) struct Without {
    source: Arc<dyn Source>,
    left_out: LeftOut,
}

/// Which records are not there.
struct LeftOut {
    column: usize,
    values: HashSet<String>,
    reader: CellReader,
    /// For messages.
    path: PathBuf,
}

impl Without {
    /// Leaves out the records whose value in a column is one of these.
    pub(crate) fn new(source: Arc<dyn Source>, column: usize, values: HashSet<String>, path: PathBuf) -> Self {
        let reader = CellReader::new(source.text(), &[]);
        Without { source, left_out: LeftOut { column, values, reader, path } }
    }
}

impl Source for Without {
    fn schema(&self) -> SchemaRef {
        self.source.schema()
    }

    fn format(&self) -> Format {
        self.source.format()
    }

    fn text(&self) -> TextStyle {
        self.source.text()
    }

    fn bytes(&self) -> u64 {
        self.source.bytes()
    }

    fn unchanged(&self) -> Result<(), FileError> {
        self.source.unchanged()
    }

    fn chunks<'a>(&'a self) -> Result<Chunks<'a>, FileError> {
        let piece = |chunk: BoxedChunk<'a>| Box::new(Piece { chunk, left_out: &self.left_out }) as BoxedChunk<'a>;
        Ok(Box::new(self.source.chunks()?.map(move |chunk| chunk.map(piece))))
    }
}

struct Piece<'a> {
    chunk: BoxedChunk<'a>,
    left_out: &'a LeftOut,
}

impl Chunk for Piece<'_> {
    fn bytes(&self) -> u64 {
        self.chunk.bytes()
    }

    fn digest(&mut self, columns: &[usize]) -> Result<u64, FileError> {
        self.chunk.digest(&self.left_out.read(columns))
    }

    fn read(self: Box<Self>, columns: &[usize]) -> Result<Vec<RecordBatch>, FileError> {
        let left_out = self.left_out;
        let read = left_out.read(columns);
        // The columns that are asked for, among those that are read.
        let asked: Vec<usize> = (0..read.len()).filter(|&place| columns.contains(&read[place])).collect();
        let place = read.iter().position(|&column| column == left_out.column).unwrap_or_default();
        let batches = self.chunk.read(&read)?;
        batches.iter().map(|batch| left_out.kept(batch, place, &asked)).collect()
    }
}

impl LeftOut {
    /// What must be read, ascending.
    fn read(&self, columns: &[usize]) -> Vec<usize> {
        let mut read = columns.to_vec();
        if let Err(place) = read.binary_search(&self.column) {
            read.insert(place, self.column);
        }
        read
    }

    fn kept(&self, batch: &RecordBatch, place: usize, asked: &[usize]) -> Result<RecordBatch, FileError> {
        let cells = as_text(batch, place, &self.path)?;
        let stays = |cell: Option<&str>| {
            let value = cell.and_then(|cell| self.reader.value(cell));
            Some(value.is_none_or(|value| !self.values.contains(&*value)))
        };
        let kept: BooleanArray = cells.iter().map(stays).collect();
        let batch = filter_record_batch(batch, &kept).and_then(|batch| batch.project(asked));
        batch.map_err(|source| FileError::Arrow { path: self.path.clone(), source })
    }
}
