//! Batches that are in memory already.

use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use cutline_engine::Format;

use super::schema::{check_names, without_notes};
use super::{BoxedChunk, Chunk, Chunks, Source, TextStyle};
use crate::error::FileError;
use crate::input::Input;

/// A table in memory, as it came from another program.
pub struct MemorySource {
    schema: SchemaRef,
    pieces: Vec<RecordBatch>,
    format: Format,
    /// What the bytes were that it was made from, if it was a file.
    digest: u64,
}

/// Records of one piece of work.
const PIECE: usize = 1 << 16;

impl MemorySource {
    /// A table of batches that all have the given columns. `name` is for messages.
    ///
    /// # Errors
    /// If two columns have one name, or a batch has other columns.
    pub fn new(name: &str, schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self, FileError> {
        check_names(&schema, Path::new(name))?;
        let schema = Arc::new(without_notes(&schema));
        let mut pieces = Vec::new();
        for batch in batches {
            let batch = RecordBatch::try_new(schema.clone(), batch.columns().to_vec())
                .map_err(|source| FileError::Arrow { path: name.into(), source })?;
            let rows = batch.num_rows();
            pieces.extend((0..rows).step_by(PIECE).map(|start| batch.slice(start, PIECE.min(rows - start))));
        }
        Ok(MemorySource { schema, pieces, format: Format::Arrow, digest: 0 })
    }

    /// A file that was read as a whole: others would expect its table as CSV.
    pub(super) fn of_file(input: &Input, batch: RecordBatch, digest: u64) -> Result<Self, FileError> {
        check_names(&batch.schema(), input.path())?;
        let rows = batch.num_rows();
        let pieces = (0..rows).step_by(PIECE).map(|start| batch.slice(start, PIECE.min(rows - start))).collect();
        Ok(MemorySource { schema: batch.schema(), pieces, format: Format::Csv, digest })
    }
}

impl Source for MemorySource {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn format(&self) -> Format {
        self.format
    }

    fn text(&self) -> TextStyle {
        TextStyle::Plain
    }

    fn bytes(&self) -> u64 {
        self.pieces.iter().map(rows).sum()
    }

    fn chunks<'a>(&'a self) -> Result<Chunks<'a>, FileError> {
        Ok(Box::new(self.pieces.iter().map(|batch| Ok(Box::new(Piece(batch, self.digest)) as BoxedChunk<'a>))))
    }
}

/// Nothing is read, so records are as good a measure of work as any.
fn rows(batch: &RecordBatch) -> u64 {
    batch.num_rows() as u64
}

struct Piece<'a>(&'a RecordBatch, u64);

impl Chunk for Piece<'_> {
    fn bytes(&self) -> u64 {
        rows(self.0)
    }

    fn digest(&mut self, _columns: &[usize]) -> Result<u64, FileError> {
        Ok(self.1)
    }

    fn read(self: Box<Self>, columns: &[usize]) -> Result<Vec<RecordBatch>, FileError> {
        let batch = self.0.project(columns);
        batch.map(|batch| vec![batch]).map_err(|source| FileError::Arrow { path: "table".into(), source })
    }
}
