//! Parquet: a chunk is a row group or a part of a large one, which is read and decoded on any thread.
//!
//! What a pass decodes are bytes that it has digested, together with those of all columns that it does not need: a file that is
//! exported anew between two passes is noticed whatever its length and times are. That costs reading the whole file in every pass.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use bytes::{Buf, Bytes};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder, RowSelection,
};
use parquet::basic::ConvertedType;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use super::schema::{arrow_error, common_schema, projected, with_schema};
use super::{BoxedChunk, Chunk, Chunks, Format, Source, Take, TextStyle, Wanted, foreign};
use crate::digest::Digest;
use crate::error::FileError;
use crate::input::Input;
use crate::packed::Compression;

/// Records that are decoded at once: what becomes of them stays in the cache.
const BATCH_RECORDS: usize = 32 * 1024;

/// Writers make row groups of a million records and more: then several threads decode one.
const PART_RECORDS: usize = 128 * 1024;

/// What is before a part has to be passed over, so there are not more.
const MOST_PARTS: usize = 8;

/// The length of the footer and the mark at the end of a file.
const TRAILER: u64 = 8;

/// A table in one or more Parquet files.
#[derive(Debug)]
pub(super) struct ParquetSource {
    files: Vec<OpenFile>,
    schema: SchemaRef,
}

/// What a file's footer said when it was opened.
#[derive(Debug)]
struct OpenFile {
    input: Input,
    metadata: ArrowReaderMetadata,
    /// The same for whoever only asks which cells are alike.
    cells: ArrowReaderMetadata,
    footer: u64,
}

impl ParquetSource {
    pub(super) fn open(inputs: Vec<Input>) -> Result<Self, FileError> {
        let files = inputs.into_iter().map(OpenFile::new).collect::<Result<Vec<_>, _>>()?;
        let schemas: Vec<_> = files.iter().map(|file| (&file.input, file.metadata.schema().as_ref())).collect();
        let schema = common_schema(&schemas)?;
        Ok(Self { files, schema })
    }

    fn groups(&self) -> impl Iterator<Item = GroupChunk<'_>> {
        self.files.iter().flat_map(move |OpenFile { input, metadata, cells, .. }| {
            let groups = 0..metadata.metadata().num_row_groups();
            groups.flat_map(move |group| {
                let records = metadata.metadata().row_group(group).num_rows().try_into().unwrap_or(0);
                let taken = Arc::new(Mutex::new(None));
                let part = move |rows| GroupChunk {
                    schema: &self.schema,
                    input,
                    metadata,
                    cells,
                    group,
                    records,
                    rows,
                    taken: Arc::clone(&taken),
                };
                parts(records).map(part)
            })
        })
    }
}

/// The rows of each part of a row group: what they are follows from the file alone.
fn parts(records: usize) -> impl Iterator<Item = Range<usize>> {
    let parts = (records / PART_RECORDS).clamp(1, MOST_PARTS);
    (0..parts).map(move |part| records * part / parts..records * (part + 1) / parts)
}

impl OpenFile {
    fn new(input: Input) -> Result<Self, FileError> {
        check_file(&input)?;
        let file = input.reading()?;
        let load = || {
            let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())?;
            let read_as = |schema: SchemaRef| {
                let options = ArrowReaderOptions::new().with_schema(schema);
                ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options)
            };
            Ok((read_as(viewed(metadata.schema()))?, read_as(worded(&metadata))?))
        };
        let (metadata, cells) = foreign::call(&input, || load().map_err(|e| parquet_error(&input, e)))?;
        let footer = file.tail_digest(TRAILER).map_err(|e| input.io("read", e))?;
        Ok(OpenFile { input, metadata, cells, footer })
    }

    fn unchanged(&self) -> Result<(), FileError> {
        let footer = self.input.reading()?.tail_digest(TRAILER);
        if footer.is_ok_and(|footer| footer == self.footer) { Ok(()) } else { Err(self.input.changed()) }
    }
}

/// Texts are read as views: decoding a dictionary then copies none of them.
fn viewed(schema: &SchemaRef) -> SchemaRef {
    with_texts(schema, |_| DataType::Utf8View)
}

/// Texts that all row groups have a dictionary of are read as words of it: each word is then looked up once a batch.
fn worded(metadata: &ArrowReaderMetadata) -> SchemaRef {
    let groups = metadata.metadata().row_groups();
    let leaf_of = |root: usize| {
        let leaves = 0..metadata.parquet_schema().num_columns();
        leaves.into_iter().find(|&leaf| metadata.parquet_schema().get_column_root_idx(leaf) == root)
    };
    // Other texts, such as JSON, the reader does not give as words.
    let are_texts = |leaf: usize| metadata.parquet_schema().column(leaf).converted_type() == ConvertedType::UTF8;
    let has_words = |leaf: usize| {
        are_texts(leaf) && groups.iter().all(|group| group.column(leaf).dictionary_page_offset().is_some())
    };
    with_texts(metadata.schema(), |root| match leaf_of(root).is_some_and(has_words) {
        true => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
        false => DataType::Utf8View,
    })
}

/// The schema with other types for its texts, by column.
fn with_texts(schema: &SchemaRef, kind: impl Fn(usize) -> DataType) -> SchemaRef {
    let typed = |(column, field): (usize, &Arc<Field>)| match field.data_type() {
        DataType::Utf8 => Arc::new(field.as_ref().clone().with_data_type(kind(column))),
        _ => Arc::clone(field),
    };
    let fields: Vec<Arc<Field>> = schema.fields().iter().enumerate().map(typed).collect();
    Arc::new(Schema::new(fields).with_metadata(schema.metadata().clone()))
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
        self.files.iter().try_for_each(OpenFile::unchanged)
    }

    fn chunks<'a>(&'a self) -> Result<Chunks<'a>, FileError> {
        Ok(Box::new(self.groups().map(|group| Ok(Box::new(group) as BoxedChunk<'a>))))
    }
}

struct GroupChunk<'a> {
    schema: &'a SchemaRef,
    input: &'a Input,
    metadata: &'a ArrowReaderMetadata,
    cells: &'a ArrowReaderMetadata,
    group: usize,
    /// Records of the row group.
    records: usize,
    /// Those of this part.
    rows: Range<usize>,
    /// The columns that are wanted and the digest of all, once one of the parts has read them.
    taken: Arc<Mutex<Option<(Taken, u64)>>>,
}

/// The stored bytes of some columns of a row group, with where they start in the file.
#[derive(Clone, Default)]
struct Taken {
    columns: Vec<(u64, Bytes)>,
    file_bytes: u64,
}

impl Taken {
    /// The bytes of one column from `start` on.
    fn from(&self, start: u64) -> Result<Bytes, ParquetError> {
        let within = |(at, bytes): &&(u64, Bytes)| (*at..at + bytes.len() as u64).contains(&start);
        let (at, bytes) = self.columns.iter().find(within).ok_or_else(outside)?;
        Ok(bytes.slice((start - at) as usize..))
    }
}

fn outside() -> ParquetError {
    ParquetError::EOF("a part of the file is not where it should be".to_owned())
}

impl Length for Taken {
    fn len(&self) -> u64 {
        self.file_bytes
    }
}

impl ChunkReader for Taken {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(self.from(start)?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let bytes = self.from(start)?;
        if length > bytes.len() { Err(outside()) } else { Ok(bytes.slice(..length)) }
    }
}

impl Chunk for GroupChunk<'_> {
    fn bytes(&self) -> u64 {
        let bytes: u64 = self.metadata.metadata().row_group(self.group).compressed_size().try_into().unwrap_or(0);
        // The parts of a group add up to it.
        let before = |row: usize| bytes as u128 * row as u128 / self.records.max(1) as u128;
        if self.records == 0 { bytes } else { (before(self.rows.end) - before(self.rows.start)) as u64 }
    }

    fn digest(&mut self, columns: &[usize]) -> Result<u64, FileError> {
        Ok(self.taken(columns)?.1)
    }

    fn read(self: Box<Self>, columns: &[usize]) -> Result<Vec<RecordBatch>, FileError> {
        self.all(columns, Wanted::Records)
    }

    fn read_cells(self: Box<Self>, columns: &[usize]) -> Result<Vec<RecordBatch>, FileError> {
        self.all(columns, Wanted::Cells)
    }

    fn each(self: Box<Self>, columns: &[usize], wanted: Wanted, take: &mut Take<'_>) -> Result<(), FileError> {
        let (taken, _) = self.taken(columns)?;
        let mut schema = projected(self.schema, columns, self.input)?;
        let metadata = match wanted {
            Wanted::Records => self.metadata,
            Wanted::Cells => self.cells,
        };
        if wanted == Wanted::Cells {
            let kinds = columns.iter().map(|&column| self.cells.schema().field(column).data_type().clone());
            let fields =
                schema.fields().iter().zip(kinds).map(|(field, kind)| field.as_ref().clone().with_data_type(kind));
            schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        }
        let mut reader = foreign::call(self.input, || self.reader(taken, columns, metadata))?;
        let mut next =
            || foreign::call(self.input, || reader.next().transpose().map_err(|e| arrow_error(self.input, e)));
        while let Some(batch) = next()? {
            take(with_schema(&batch, Arc::clone(&schema), self.input)?)?;
        }
        Ok(())
    }
}

impl GroupChunk<'_> {
    /// What the first of the parts reads serves all of them.
    fn taken(&self, columns: &[usize]) -> Result<(Taken, u64), FileError> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(taken) = &*taken {
            return Ok(taken.clone());
        }
        let read = foreign::call(self.input, || self.take(columns))?;
        *taken = Some(read.clone());
        Ok(read)
    }

    /// Reads all columns of the row group and keeps those that are wanted.
    fn take(&self, columns: &[usize]) -> Result<(Taken, u64), FileError> {
        let file = self.input.reading()?;
        let wanted = self.mask(columns);
        let mut digest = Digest::new();
        let mut taken = Taken { columns: Vec::new(), file_bytes: file.len() };
        for (leaf, column) in self.metadata.metadata().row_group(self.group).columns().iter().enumerate() {
            let (start, length) = column.byte_range();
            // A damaged file may ask for more than there is memory.
            if start.checked_add(length).is_none_or(|end| end > file.len()) {
                return Err(parquet_error(self.input, outside()));
            }
            let wanted = wanted.leaf_included(leaf);
            let mut kept = Vec::with_capacity(if wanted { length as usize } else { 0 });
            let take = |piece: &[u8]| {
                digest.add(piece);
                kept.extend_from_slice(if wanted { piece } else { &[] });
            };
            file.pieces(start, length, take).map_err(|e| self.input.io("read", e))?;
            taken.columns.extend(wanted.then(|| (start, kept.into())));
        }
        Ok((taken, digest.finish()))
    }

    fn mask(&self, columns: &[usize]) -> ProjectionMask {
        ProjectionMask::roots(self.metadata.parquet_schema(), columns.iter().copied())
    }

    fn all(self: Box<Self>, columns: &[usize], wanted: Wanted) -> Result<Vec<RecordBatch>, FileError> {
        let mut batches = Vec::new();
        self.each(columns, wanted, &mut |batch| {
            batches.push(batch);
            Ok(())
        })?;
        Ok(batches)
    }

    fn reader(
        &self,
        taken: Taken,
        columns: &[usize],
        metadata: &ArrowReaderMetadata,
    ) -> Result<ParquetRecordBatchReader, FileError> {
        let mut reader = ParquetRecordBatchReaderBuilder::new_with_metadata(taken, metadata.clone())
            .with_row_groups(vec![self.group])
            .with_projection(self.mask(columns))
            .with_batch_size(BATCH_RECORDS);
        if self.rows.len() < self.records {
            let rows = std::iter::once(self.rows.clone());
            reader = reader.with_row_selection(RowSelection::from_consecutive_ranges(rows, self.records));
        }
        reader.build().map_err(|e| parquet_error(self.input, e))
    }
}
