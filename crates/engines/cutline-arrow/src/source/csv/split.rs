//! Turns a block of CSV into columns.
//!
//! We split by hand, not with `csv-core` or `arrow-csv`, for three reasons. What is published as it
//! is must keep its bytes, quotes included, and those crates hand out unquoted values. Blocks are
//! split on all cores, and only the columns that are asked for. And an error names a line.
//!
//! Values are appended to builders, which copies them. Views into the block would save the copy, but
//! `StringViewArray::try_new` checks once more, value by value, that they are UTF-8, and for fields
//! as short as those of person tables that takes longer than the copy. It also frees the block early.
//! Whoever only asks which cells are alike gets views of bytes: the block was checked as a whole.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::StringViewBuilder;
use arrow_array::{ArrayRef, BinaryViewArray, RecordBatch, RecordBatchOptions};
use arrow_buffer::Buffer;
use arrow_schema::{ArrowError, SchemaRef};

use super::index::{Fields, index};
use crate::error::FileError;
use crate::input::Input;
use crate::source::blocks::Block;

/// What there is to know about a table to split a block of it.
#[derive(Debug)]
pub(super) struct Splitter<'a> {
    pub(super) input: &'a Input,
    pub(super) delimiter: u8,
    /// Columns in the file.
    pub(super) columns: usize,
}

impl Splitter<'_> {
    /// The columns `wanted` of the records of a block; `schema` describes just these.
    pub(super) fn split(&self, block: Block, wanted: &[usize], schema: SchemaRef) -> Result<RecordBatch, FileError> {
        let (text, fields) = self.fields(&block)?;
        let column = |&column: &usize| {
            let mut values = StringViewBuilder::with_capacity(fields.starts.len());
            self.spans(text.as_bytes(), &fields, column).for_each(|span| values.append_value(&text[span]));
            Arc::new(values.finish()) as ArrayRef
        };
        self.batch(wanted.iter().map(column).collect(), fields.starts.len(), schema)
    }

    /// The same as views of the block's bytes.
    pub(super) fn split_cells(
        &self,
        block: Block,
        wanted: &[usize],
        schema: SchemaRef,
    ) -> Result<RecordBatch, FileError> {
        let (text, fields) = self.fields(&block)?;
        let views = |&column: &usize| -> Vec<u128> {
            self.spans(text.as_bytes(), &fields, column).map(|span| view(text.as_bytes(), span)).collect()
        };
        let views: Vec<Vec<u128>> = wanted.iter().map(views).collect();
        let buffers: Arc<[Buffer]> = Arc::new([Buffer::from_vec(block.bytes)]);
        let column = |views: Vec<u128>| {
            let array = BinaryViewArray::try_new(views.into(), Arc::clone(&buffers), None);
            array.map(|array| Arc::new(array) as ArrayRef).map_err(|source| self.arrow(source))
        };
        self.batch(views.into_iter().map(column).collect::<Result<_, _>>()?, fields.starts.len(), schema)
    }

    /// The text of a block, and where its fields are.
    fn fields<'b>(&self, block: &'b Block) -> Result<(&'b str, Fields), FileError> {
        let path = || self.input.path().to_path_buf();
        let text = std::str::from_utf8(&block.bytes).map_err(|error| {
            let (line, byte) = block.place_of(error.valid_up_to());
            FileError::NotUtf8 { path: path(), line, byte }
        })?;
        let fields = index(&block.bytes, self.delimiter, self.columns).map_err(|ragged| {
            let line = block.line_at(ragged.start);
            FileError::Ragged { path: path(), line, expected: self.columns, found: ragged.found }
        })?;
        Ok((text, fields))
    }

    /// Where the fields of a column are, without a carriage return at the end of a line.
    fn spans(&self, text: &[u8], fields: &Fields, column: usize) -> impl Iterator<Item = Range<usize>> {
        let is_last = column + 1 == self.columns;
        fields.ends.chunks_exact(self.columns).zip(&fields.starts).map(move |(ends, &start)| {
            let start = (if column == 0 { start } else { ends[column - 1] + 1 }) as usize;
            let end = ends[column] as usize;
            start..if is_last && end > start && text[end - 1] == b'\r' { end - 1 } else { end }
        })
    }

    fn batch(&self, columns: Vec<ArrayRef>, records: usize, schema: SchemaRef) -> Result<RecordBatch, FileError> {
        let options = RecordBatchOptions::new().with_row_count(Some(records));
        RecordBatch::try_new_with_options(schema, columns, &options).map_err(|source| self.arrow(source))
    }

    fn arrow(&self, source: ArrowError) -> FileError {
        FileError::Arrow { path: self.input.path().to_path_buf(), source }
    }
}

/// The view of some bytes of the first buffer: they are in it themselves if they are at most twelve, else their first four and where they are.
#[inline]
fn view(bytes: &[u8], span: Range<usize>) -> u128 {
    let length = span.len();
    let inline = |length: usize| {
        // As many as are ever needed, cut: a copy of constant size takes a fraction of the time of one of variable size.
        let mut window = [0; 16];
        match bytes.get(span.start..span.start + 16) {
            Some(bytes) => window.copy_from_slice(bytes),
            None => window[..length].copy_from_slice(&bytes[span.start..span.start + length]),
        }
        (u128::from_le_bytes(window) & ((1 << (8 * length)) - 1)) << 32
    };
    match length {
        0..=12 => length as u128 | inline(length),
        _ => length as u128 | inline(4) | (span.start as u128) << 96,
    }
}
