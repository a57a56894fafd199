//! CSV: blocks of records are read in order and split into columns of raw fields on any thread.
//!
//! | file | question |
//! | --- | --- |
//! | `header.rs` | What does the first line say? |
//! | `records.rs` | Where do records end? |
//! | `index.rs` | Where do fields end? |
//! | `words.rs` | Which of 64 bytes are a given character or in quotes? |
//! | `split.rs` | Which Arrow columns is that? |

mod header;
mod index;
pub(super) mod records;
mod split;
#[cfg(test)]
mod tests;
mod words;

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use cutline_engine::look_like_values;

use self::header::{Header, read_header, told_apart};
use self::split::Splitter;
use super::blocks::{BLOCK_BYTES, Block, BlockReader, Records, blocks_of};
use super::schema::{check_names, projected};
use super::{BoxedChunk, CELLS_KEY, Chunk, Chunks, Format, Source, SourceOptions, TextStyle};
use crate::digest::digest;
use crate::error::FileError;
use crate::fields;
use crate::input::Input;
use crate::notation::Notation;

/// A table in one or more CSV files with the same header.
#[derive(Debug)]
pub(super) struct CsvSource {
    inputs: Vec<Input>,
    /// The first line of each of them.
    first_lines: Vec<Vec<u8>>,
    schema: SchemaRef,
    delimiter: u8,
    crlf: bool,
    has_header: bool,
    notation: Notation,
    block_bytes: usize,
}

impl CsvSource {
    pub(super) fn open(inputs: Vec<Input>, options: &SourceOptions) -> Result<Self, FileError> {
        Self::with_blocks(inputs, options, BLOCK_BYTES)
    }

    fn with_blocks(inputs: Vec<Input>, options: &SourceOptions, block_bytes: usize) -> Result<Self, FileError> {
        let (first, others) =
            inputs.split_first().ok_or_else(|| FileError::NothingToRead { path: Default::default() })?;
        let header = read_header(first, options)?;
        let mut first_lines = vec![header.line.clone()];
        // Whatever the first file begins with, the others do too.
        let options = &SourceOptions { header: Some(header.is_header), ..options.clone() };
        for other in others {
            let found = read_header(other, options)?;
            check_same(first, &header, other, &found)?;
            first_lines.push(found.line);
        }
        let field = |name: &String| Field::new(name, DataType::Utf8View, true);
        let schema = Arc::new(Schema::new(header.names.iter().map(field).collect::<Vec<_>>()));
        check_names(&schema, first.path()).map_err(|error| offered(error, &header.names))?;
        let Header { delimiter, crlf, is_header, .. } = header;
        let notation = options.notation;
        Ok(Self { inputs, first_lines, schema, delimiter, crlf, has_header: is_header, notation, block_bytes })
    }

    fn blocks<'a>(&self, input: &'a Input, first_line: &[u8]) -> Result<BlockReader<'a>, FileError> {
        let records = Records::Csv { delimiter: self.delimiter };
        let mut blocks = BlockReader::open(input, records, self.block_bytes)?;
        if self.has_header {
            let header = blocks.take_record()?;
            // Columns in another order would be published under each other's names.
            if header.as_deref() != Some(first_line) {
                return Err(input.changed());
            }
        }
        Ok(blocks)
    }
}

/// Two columns of one name can be told apart by new names.
fn offered(error: FileError, names: &[String]) -> FileError {
    const MANY: usize = 30;
    match error {
        FileError::DuplicateColumn { path, name, .. } => {
            let apart = told_apart(names);
            let quoted = |name: &String| match name.contains([',', '"']) {
                true => format!("\"{}\"", name.replace('"', "\"\"")),
                false => name.clone(),
            };
            let list = apart.iter().map(quoted).collect::<Vec<_>>().join(",");
            let list = if list.contains([' ', '"']) { format!("'{list}'") } else { list };
            let hint = match apart.len() <= MANY {
                true => format!("give the columns other names, as in ‹columns {list}›"),
                false => format!("give the columns other names with ‹columns›, as in `{name}` and `{name}_2`"),
            };
            FileError::DuplicateColumn { path, name, hint }
        }
        error => error,
    }
}

fn check_same(first: &Input, header: &Header, other: &Input, found: &Header) -> Result<(), FileError> {
    let detail = if header.names.len() != found.names.len() {
        format!("{} columns instead of {}", found.names.len(), header.names.len())
    } else if header.delimiter != found.delimiter {
        "it has another delimiter".to_string()
    } else if header.names != found.names && look_like_values(&header.names) {
        "its first line is another one, and looks like a record".to_string()
    } else if let Some(i) = (0..header.names.len()).find(|&i| header.names[i] != found.names[i]) {
        format!("column {} is `{}` instead of `{}`", i + 1, found.names[i], header.names[i])
    } else {
        return Ok(());
    };
    let (path, first_path) = (other.path().into(), first.path().into());
    Err(FileError::SchemaMismatch { path, first_path, detail })
}

impl Source for CsvSource {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn format(&self) -> Format {
        Format::Csv
    }

    fn text(&self) -> TextStyle {
        TextStyle::Csv { delimiter: self.delimiter, crlf: self.crlf }
    }

    fn notation(&self) -> Notation {
        self.notation
    }

    fn bytes(&self) -> u64 {
        self.inputs.iter().map(Input::bytes).sum()
    }

    fn chunks<'a>(&'a self) -> Result<Chunks<'a>, FileError> {
        let inputs = self.inputs.iter().zip(&self.first_lines);
        let opened = inputs.map(|(input, first_line)| (input, self.blocks(input, first_line)));
        let chunks = blocks_of(opened).map(move |item| {
            let (input, block) = item?;
            Ok(Box::new(CsvChunk { source: self, input, block }) as BoxedChunk<'a>)
        });
        Ok(Box::new(chunks))
    }
}

struct CsvChunk<'a> {
    source: &'a CsvSource,
    input: &'a Input,
    block: Block,
}

impl Chunk for CsvChunk<'_> {
    fn bytes(&self) -> u64 {
        self.block.stored_bytes
    }

    fn digest(&mut self, _columns: &[usize]) -> Result<u64, FileError> {
        Ok(digest([&self.block.bytes[..]]))
    }

    fn read(self: Box<Self>, columns: &[usize]) -> Result<Vec<RecordBatch>, FileError> {
        let schema = &self.source.schema;
        let splitter = Splitter { input: self.input, delimiter: self.source.delimiter, columns: schema.fields().len() };
        let wanted = projected(schema, columns, self.input)?;
        Ok(vec![splitter.split(self.block, columns, wanted)?])
    }

    fn read_cells(self: Box<Self>, columns: &[usize]) -> Result<Vec<RecordBatch>, FileError> {
        let schema = &self.source.schema;
        let splitter = Splitter { input: self.input, delimiter: self.source.delimiter, columns: schema.fields().len() };
        let cells = |field: &Arc<Field>| {
            let noted = [(CELLS_KEY.to_owned(), String::new())].into_iter().collect::<HashMap<_, _>>();
            Field::new(field.name(), fields::kind(), false).with_metadata(noted)
        };
        let wanted = projected(schema, columns, self.input)?.fields().iter().map(cells).collect::<Vec<_>>();
        Ok(vec![splitter.split_cells(self.block, columns, Arc::new(Schema::new(wanted)))?])
    }
}
