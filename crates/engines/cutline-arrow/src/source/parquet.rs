//! Parquet: a chunk is a row group, which is opened and decoded on any thread.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;

use super::schema::{arrow_error, common_schema, projected, with_schema};
use super::{BoxedChunk, Chunk, Chunks, Format, Source, TextStyle, foreign};
use crate::error::FileError;
use crate::input::{Compression, Input};

const BATCH_RECORDS: usize = 64 * 1024;

/// A table in one or more Parquet files.
#[derive(Debug)]
pub(super) struct ParquetSource {
    files: Vec<(Input, ArrowReaderMetadata)>,
    schema: SchemaRef,
}

impl ParquetSource {
    pub(super) fn open(inputs: Vec<Input>) -> Result<Self, FileError> {
        let files = inputs.into_iter().map(with_metadata).collect::<Result<Vec<_>, _>>()?;
        let schemas: Vec<_> = files.iter().map(|(i, m)| (i, m.schema().as_ref())).collect();
        let schema = common_schema(&schemas)?;
        Ok(Self { files, schema })
    }

    fn groups(&self) -> impl Iterator<Item = GroupChunk<'_>> {
        self.files.iter().flat_map(|(input, metadata)| {
            let groups = 0..metadata.metadata().num_row_groups();
            groups.map(|group| GroupChunk { schema: &self.schema, input, metadata, group })
        })
    }
}

fn with_metadata(input: Input) -> Result<(Input, ArrowReaderMetadata), FileError> {
    check_file(&input)?;
    let file = input.reading()?;
    let load = || ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(|e| parquet_error(&input, e));
    let metadata = foreign::call(&input, load)?;
    Ok((input, metadata))
}

/// Refuses an empty file, and a packed one: what is read from several places cannot be.
pub(super) fn check_file(input: &Input) -> Result<(), FileError> {
    if input.bytes() == 0 {
        return Err(FileError::Empty { path: input.path().into() });
    }
    match input.compression() {
        Compression::None => Ok(()),
        _ => Err(FileError::Unsupported {
            path: input.path().into(),
            what: "only CSV and JSON lines can be read from a packed file".to_string(),
            hint: "unpack the file",
        }),
    }
}

fn parquet_error(input: &Input, source: ParquetError) -> FileError {
    FileError::Parquet { path: input.path().into(), source }
}

impl Source for ParquetSource {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn format(&self) -> Format {
        Format::Parquet
    }

    fn text(&self) -> TextStyle {
        TextStyle::Plain
    }

    fn bytes(&self) -> u64 {
        self.groups().map(|group| group.bytes()).sum()
    }

    fn unchanged(&self) -> Result<(), FileError> {
        self.files.iter().try_for_each(|(input, _)| input.unchanged())
    }

    fn chunks<'a>(&'a self) -> Result<Chunks<'a>, FileError> {
        Ok(Box::new(self.groups().map(|group| Ok(Box::new(group) as BoxedChunk<'a>))))
    }
}

struct GroupChunk<'a> {
    schema: &'a SchemaRef,
    input: &'a Input,
    metadata: &'a ArrowReaderMetadata,
    group: usize,
}

impl Chunk for GroupChunk<'_> {
    fn bytes(&self) -> u64 {
        self.metadata.metadata().row_group(self.group).compressed_size().try_into().unwrap_or(0)
    }

    fn read(self: Box<Self>, columns: &[usize]) -> Result<Vec<RecordBatch>, FileError> {
        foreign::call(self.input, || self.decode(columns))
    }
}

impl GroupChunk<'_> {
    fn decode(&self, columns: &[usize]) -> Result<Vec<RecordBatch>, FileError> {
        let file = self.input.reading()?;
        let wanted = projected(self.schema, columns, self.input)?;
        let roots = columns.iter().copied();
        let mask = ProjectionMask::roots(self.metadata.parquet_schema(), roots);
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
            .with_row_groups(vec![self.group])
            .with_projection(mask)
            .with_batch_size(BATCH_RECORDS)
            .build()
            .map_err(|e| parquet_error(self.input, e))?;
        let batch = |batch: Result<RecordBatch, _>| {
            let batch = batch.map_err(|e| arrow_error(self.input, e))?;
            with_schema(&batch, Arc::clone(&wanted), self.input)
        };
        reader.map(batch).collect()
    }
}
