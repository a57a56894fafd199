//! Parquet: batches are gathered to row groups, and the columns of a row group are encoded on all cores.
//!
//! Compressed with Zstandard at level 1: every reader of the last years knows it, it takes as long as Snappy (measured on
//! a table of a million census records), and the file is a quarter smaller.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescPtr, ColumnPath};

use super::ipc::ValuesEncoder;
use super::labels::{self, Column, LabelChunk};
use super::rebatch::Rebatch;
use super::values::{Kept, Values};
use super::{Encoded, Sink, TEXT_KEY, Writer, foreign};
use crate::error::FileError;
use crate::files::io_error;
use crate::parallel::ordered;
use crate::source::TextStyle;

/// Records per row group: enough for dictionaries to pay, few enough to read a table on all cores. A multiple of a batch.
const GROUP_RECORDS: usize = 256 * 1024;

/// Bytes of batches that are gathered at most, for tables of long records.
const GROUP_BYTES: usize = 256 << 20;

pub(super) fn create(
    file: File,
    path: PathBuf,
    schema: &SchemaRef,
    text: TextStyle,
    threads: usize,
) -> Result<Sink, FileError> {
    let values = Values::new(&path, schema, text, Kept::ForParquet);
    let properties = properties(schema);
    let are_labels = schema.fields().iter().map(|field| has_labels(field)).collect();
    let schema = Arc::clone(values.schema());
    let (writer, columns) = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties))
        .and_then(ArrowWriter::into_serialized_writer)
        .map_err(|source| parquet_error(&path, source))?;
    let batches = Rebatch::new(Arc::clone(values.batches()));
    let gathered = Gathered::default();
    let writer = ParquetWriter { path, schema, are_labels, writer, columns, threads, batches, gathered, groups: 0 };
    Ok((Arc::new(ValuesEncoder { values }), Box::new(writer)))
}

/// Labels have no order that anybody filters by, and all of them are in every row group: their smallest and largest are not looked for.
fn properties(schema: &SchemaRef) -> WriterProperties {
    let compressed = WriterProperties::builder().set_compression(Compression::ZSTD(level()));
    let labels = schema.fields().iter().filter(|field| has_labels(field));
    let column = |field: &Arc<Field>| ColumnPath::new(vec![field.name().clone()]);
    let without = |properties: WriterPropertiesBuilder, field| {
        properties.set_column_statistics_enabled(column(field), EnabledStatistics::None)
    };
    labels.fold(compressed, without).build()
}

/// A column of a row group, encoded.
enum Chunks {
    Labels(Box<LabelChunk>),
    Values(Vec<ArrowColumnChunk>),
}

/// Has the column texts that were made here? Mostly labels, which are few.
fn has_labels(field: &Field) -> bool {
    field.metadata().contains_key(TEXT_KEY)
}

fn level() -> ZstdLevel {
    ZstdLevel::default()
}

/// The batches of the next row group.
#[derive(Default)]
struct Gathered {
    batches: Vec<RecordBatch>,
    records: usize,
    bytes: usize,
}

struct ParquetWriter {
    path: PathBuf,
    schema: SchemaRef,
    /// Has each column labels?
    are_labels: Vec<bool>,
    writer: SerializedFileWriter<File>,
    columns: ArrowRowGroupWriterFactory,
    threads: usize,
    batches: Rebatch,
    gathered: Gathered,
    groups: usize,
}

impl ParquetWriter {
    fn write_group(&mut self) -> Result<(), FileError> {
        let Gathered { batches, .. } = std::mem::take(&mut self.gathered);
        if batches.is_empty() {
            return Ok(());
        }
        let error = |source| parquet_error(&self.path, source);
        let writers = self.column_writers().map_err(error)?;
        let descriptors: Vec<Option<ColumnDescPtr>> = (0..writers.len()).map(|column| self.texts_at(column)).collect();
        self.groups += 1;
        let mut group = self.writer.next_row_group().map_err(error)?;
        let encode = |(column, writers): (usize, Vec<ArrowColumnWriter>)| {
            let labels = match &descriptors[column] {
                Some(descriptor) => {
                    let column = Column { place: column, ordered: !self.are_labels[column] };
                    labels::encode(descriptor.clone(), &batches, column, level()).map_err(error)?
                }
                None => None,
            };
            match labels {
                Some(labels) => Ok(Chunks::Labels(Box::new(labels))),
                None => encode(&self.schema, &batches, column, writers).map(Chunks::Values).map_err(error),
            }
        };
        ordered(self.threads, writers.into_iter().enumerate().map(Ok), encode, |chunks: Chunks| match chunks {
            Chunks::Labels(labels) => group.append_column(&labels.bytes, labels.close).map_err(error),
            Chunks::Values(chunks) => {
                chunks.into_iter().try_for_each(|chunk| chunk.append_to_row_group(&mut group)).map_err(error)
            }
        })?;
        group.close().map_err(error)?;
        Ok(())
    }

    /// The column of the file that has the texts of one of the table, if it has texts.
    fn texts_at(&self, column: usize) -> Option<ColumnDescPtr> {
        let schema = self.writer.schema_descr();
        let mut leaves = (0..schema.num_columns()).filter(|&leaf| schema.get_column_root_idx(leaf) == column);
        let has_texts = *self.schema.field(column).data_type() == DataType::Utf8;
        leaves.next().filter(|_| has_texts).map(|leaf| schema.column(leaf))
    }

    /// For each column of the table, the writers of its columns in the file: several for a nested one.
    fn column_writers(&self) -> Result<Vec<Vec<ArrowColumnWriter>>, ParquetError> {
        let mut writers: Vec<Vec<_>> = self.schema.fields().iter().map(|_| Vec::new()).collect();
        let schema = self.writer.schema_descr();
        for (leaf, writer) in self.columns.create_column_writers(self.groups)?.into_iter().enumerate() {
            writers[schema.get_column_root_idx(leaf)].push(writer);
        }
        Ok(writers)
    }
}

/// Encodes one column of a row group.
fn encode(
    schema: &SchemaRef,
    batches: &[RecordBatch],
    column: usize,
    mut writers: Vec<ArrowColumnWriter>,
) -> Result<Vec<ArrowColumnChunk>, ParquetError> {
    for batch in batches {
        let leaves = compute_leaves(schema.field(column), batch.column(column))?;
        for (writer, leaf) in writers.iter_mut().zip(&leaves) {
            writer.write(leaf)?;
        }
    }
    writers.into_iter().map(ArrowColumnWriter::close).collect()
}

impl ParquetWriter {
    fn gather(&mut self, batch: RecordBatch) -> Result<(), FileError> {
        self.gathered.records += batch.num_rows();
        self.gathered.bytes += batch.columns().iter().map(size).sum::<usize>();
        self.gathered.batches.push(batch);
        if self.gathered.records >= GROUP_RECORDS || self.gathered.bytes >= GROUP_BYTES {
            self.write_group()?;
        }
        Ok(())
    }

    fn failed(&self, source: ArrowError) -> FileError {
        FileError::Arrow { path: self.path.clone(), source }
    }
}

/// The bytes of a column's own values: what else its memory holds must not decide where a row group ends.
fn size(column: &ArrayRef) -> usize {
    if let Some(texts) = column.as_string_view_opt() {
        // The length of a text is in the first bits of its view.
        return texts.views().iter().map(|&view| view as u32 as usize + size_of::<u32>()).sum();
    }
    if let Some((keys, texts)) = column
        .as_dictionary_opt::<UInt32Type>()
        .and_then(|words| Some((words.keys(), words.values().as_string_opt::<i32>()?)))
    {
        // As long as the same texts without numbers.
        let length = |key: Option<u32>| key.map_or(0, |key| texts.value_length(key as usize) as usize);
        return keys.iter().map(|key| length(key) + size_of::<u32>()).sum();
    }
    let data = column.as_any_dictionary_opt().map_or_else(|| column.to_data(), |words| words.keys().to_data());
    data.get_slice_memory_size().unwrap_or(0)
}

impl Writer for ParquetWriter {
    fn write(&mut self, encoded: Encoded) -> Result<(), FileError> {
        let Encoded::Batch(batch) = encoded else { return Err(foreign(&self.path)) };
        let full = self.batches.add(&batch).map_err(|source| self.failed(source))?;
        full.into_iter().try_for_each(|batch| self.gather(batch))
    }

    fn finish(mut self: Box<Self>) -> Result<File, FileError> {
        let rest = self.batches.rest().map_err(|source| self.failed(source))?;
        rest.into_iter().try_for_each(|batch| self.gather(batch))?;
        self.write_group()?;
        let path = self.path;
        self.writer.into_inner().map_err(|source| parquet_error(&path, source))
    }
}

/// What Parquet says, or the system through it.
fn parquet_error(path: &Path, source: ParquetError) -> FileError {
    match source {
        ParquetError::External(source) => match source.downcast::<std::io::Error>() {
            Ok(source) => io_error(path, "write", *source),
            Err(source) => FileError::Parquet { path: path.into(), source: ParquetError::External(source) },
        },
        source => FileError::Parquet { path: path.into(), source },
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{DictionaryArray, StringViewArray};

    use super::*;

    #[test]
    fn texts_take_as_much_of_a_row_group_with_numbers_as_without() {
        let texts = || (0..100_usize).map(|row| ["a text that is longer than a view", "short"].get(row % 3).copied());
        let views: ArrayRef = Arc::new(texts().collect::<StringViewArray>());
        let words: ArrayRef = Arc::new(texts().collect::<DictionaryArray<UInt32Type>>());
        assert_eq!(size(&views), size(&words));
        assert!(size(&words) > 34 * 33 + 33 * 5);
        assert_eq!(size(&views.slice(10, 20)), size(&words.slice(10, 20)));
    }
}
