//! Turns a block of CSV into columns.
//!
//! We split by hand, not with `csv-core` or `arrow-csv`, for three reasons. What is published as it
//! is must keep its bytes, quotes included, and those crates hand out unquoted values. Blocks are
//! split on all cores, and only the columns that are asked for. And an error names a line.
//!
//! Values are appended to builders, which copies them. Views into the block would save the copy, but
//! `StringViewArray::try_new` checks once more, value by value, that they are UTF-8, and for fields
//! as short as those of person tables that takes longer than the copy. It also frees the block early.

use std::sync::Arc;

use arrow_array::builder::StringViewBuilder;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::SchemaRef;

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
        let path = || self.input.path().to_path_buf();
        let text = std::str::from_utf8(&block.bytes).map_err(|error| {
            let (line, byte) = block.place_of(error.valid_up_to());
            FileError::NotUtf8 { path: path(), line, byte }
        })?;
        let fields = index(&block.bytes, self.delimiter, self.columns).map_err(|ragged| {
            let line = block.line_at(ragged.start);
            FileError::Ragged { path: path(), line, expected: self.columns, found: ragged.found }
        })?;
        let columns = wanted.iter().map(|&column| self.column(text, &fields, column)).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(fields.starts.len()));
        RecordBatch::try_new_with_options(schema, columns, &options)
            .map_err(|source| FileError::Arrow { path: path(), source })
    }

    fn column(&self, text: &str, fields: &Fields, column: usize) -> ArrayRef {
        let is_last = column + 1 == self.columns;
        let mut values = StringViewBuilder::with_capacity(fields.starts.len());
        for (ends, &start) in fields.ends.chunks_exact(self.columns).zip(&fields.starts) {
            let start = if column == 0 { start } else { ends[column - 1] + 1 };
            let value = &text[start as usize..ends[column] as usize];
            let value = if is_last { value.strip_suffix('\r').unwrap_or(value) } else { value };
            values.append_value(value);
        }
        Arc::new(values.finish())
    }
}
