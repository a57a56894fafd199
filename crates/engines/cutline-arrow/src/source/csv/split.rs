//! Turns a block of CSV into columns.
//!
//! We split by hand, not with `csv-core` or `arrow-csv`, for three reasons. What is published as it
//! is must keep its bytes, quotes included, and those crates hand out unquoted values. Blocks are
//! split on all cores, and only the columns that are asked for. And an error names a line.
//!
//! Values are appended to builders, which copies them. Views into the block would save the copy, but
//! `StringViewArray::try_new` checks once more, value by value, that they are UTF-8, and for fields
//! as short as those of person tables that takes longer than the copy. It also frees the block early.
//! Whoever only asks which cells are alike is told where they are: the block was checked as a whole.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::StringViewBuilder;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt8Array};
use arrow_schema::{ArrowError, SchemaRef};

use super::index::{FieldEnds, index};
use crate::error::FileError;
use crate::fields;
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

    /// The same as places in the block.
    pub(super) fn split_cells(
        &self,
        block: Block,
        wanted: &[usize],
        schema: SchemaRef,
    ) -> Result<RecordBatch, FileError> {
        let (_, ends) = self.fields(&block)?;
        let bytes = UInt8Array::from(block.bytes);
        let column = |&column: &usize| fields::column(&bytes, self.spans(bytes.values(), &ends, column));
        let columns = wanted.iter().map(column).collect::<Result<_, _>>().map_err(|source| self.arrow(source))?;
        self.batch(columns, ends.starts.len(), schema)
    }

    /// The text of a block, and where its fields are.
    fn fields<'b>(&self, block: &'b Block) -> Result<(&'b str, FieldEnds), FileError> {
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
    fn spans(&self, text: &[u8], fields: &FieldEnds, column: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
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
