//! JSON lines: one object a line.
//!
//! The claimed columns are read as text. Numbers keep the digits they are written with, so `1` and
//! `1.0` are different, and `1` and `"1"` are the same. Of a repeated key the last value counts.
//! Messages of the JSON readers quote what they read, so none of them gets into an error.

use std::collections::{BTreeMap, BTreeSet};
use std::str;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use serde::de::IgnoredAny;

use super::blocks::{Block, Blocks, RecordEnds};
use crate::VerifyError;
use crate::files::columns::Columns;
use crate::files::count::{Counter, Piece, Pieces};
use crate::files::expand::TableFile;
use crate::files::open;

/// An open file of JSON lines.
pub(super) struct JsonPieces {
    file: Arc<TableFile>,
    /// The claimed columns, all as text.
    schema: SchemaRef,
    blocks: Blocks,
}

impl JsonPieces {
    /// Records may lack keys, so files are not compared by their columns; but every claimed column must occur in every file.
    pub(super) fn open(file: &Arc<TableFile>, columns: &Columns<'_>) -> Result<Self, VerifyError> {
        check_columns(file, columns.claimed())?;
        let fields = columns.claimed().iter().map(|name| Field::new(name, DataType::Utf8, true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        Ok(JsonPieces { file: Arc::clone(file), schema, blocks: blocks(file)? })
    }
}

impl Pieces for JsonPieces {
    fn next(&mut self) -> Result<Option<Box<dyn Piece>>, VerifyError> {
        let block = self.blocks.next().map_err(|source| self.file.io(source))?;
        let (file, schema) = (&self.file, &self.schema);
        Ok(block.map(|block| Box::new(JsonPiece { file: Arc::clone(file), schema: Arc::clone(schema), block }) as _))
    }
}

/// Some lines of a file.
struct JsonPiece {
    file: Arc<TableFile>,
    schema: SchemaRef,
    block: Block,
}

impl Piece for JsonPiece {
    fn count(&self, counter: &mut Counter<'_>) -> Result<(), VerifyError> {
        let Some(batch) = decode(&self.schema, &self.block.text) else {
            return Err(self.error());
        };
        batch.map_or(Ok(()), |batch| counter.columns(&self.file.path, batch.columns(), batch.num_rows()))
    }
}

impl JsonPiece {
    /// The decoder does not say which line it was.
    fn error(&self) -> VerifyError {
        let (file, mut offset) = (self.file.path.clone(), self.block.offset);
        let line = |offset| open::line_at(&self.file, offset).unwrap_or(1);
        for text in lines(&self.block.text) {
            if str::from_utf8(text).is_err() {
                return VerifyError::NotUtf8 { file, line: line(offset) };
            }
            if decode(&self.schema, text).is_none() {
                return VerifyError::BadJson { file, line: line(offset) };
            }
            offset += text.len() as u64;
        }
        VerifyError::BadJson { file, line: line(self.block.offset) }
    }
}

fn blocks(file: &TableFile) -> Result<Blocks, VerifyError> {
    let text = open::text(file).map_err(|source| file.io(source))?;
    Ok(Blocks::new(text, RecordEnds::Lines))
}

/// Reads records until every claimed column has been seen, usually in the first.
fn check_columns(file: &TableFile, claimed: &[String]) -> Result<(), VerifyError> {
    let mut seen = BTreeSet::new();
    let mut blocks = blocks(file)?;
    let mut line = 0;
    while let Some(block) = blocks.next().map_err(|source| file.io(source))? {
        for text in lines(&block.text) {
            line += 1;
            if is_blank(text) {
                continue;
            }
            let keys: BTreeMap<String, IgnoredAny> =
                serde_json::from_slice(text).map_err(|_| match str::from_utf8(text) {
                    Ok(_) => VerifyError::BadJson { file: file.path.clone(), line },
                    Err(_) => VerifyError::NotUtf8 { file: file.path.clone(), line },
                })?;
            seen.extend(keys.into_keys());
            if claimed.iter().all(|name| seen.contains(name)) {
                return Ok(());
            }
        }
    }
    let names: Vec<String> = seen.into_iter().collect();
    match claimed.iter().find(|name| !names.contains(name)) {
        Some(name) if !names.is_empty() => Err(VerifyError::unknown_column(&file.path, name, &names)),
        _ => Err(VerifyError::EmptyFile { file: file.path.clone() }),
    }
}

/// The lines of a text, with their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n')
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// The claimed columns of some lines (`Some(None)` if all are blank), or `None` if some line is not one object with plain values.
fn decode(schema: &SchemaRef, text: &[u8]) -> Option<Option<RecordBatch>> {
    let records = lines(text).filter(|line| !is_blank(line)).count();
    if records == 0 {
        return Some(None);
    }
    // The decoder takes for granted that its text is UTF-8.
    str::from_utf8(text).ok()?;
    let batch = decoded(decoder(schema, records).ok()?, text).ok()??;
    (batch.num_rows() == records).then_some(Some(batch))
}

fn decoder(schema: &SchemaRef, records: usize) -> Result<Decoder, ArrowError> {
    // One more than there should be, to notice two objects in a line.
    ReaderBuilder::new(Arc::clone(schema)).with_coerce_primitive(true).with_batch_size(records + 1).build_decoder()
}

fn decoded(mut decoder: Decoder, text: &[u8]) -> Result<Option<RecordBatch>, ArrowError> {
    decoder.decode(text)?;
    // Also an error if the last object is not complete.
    decoder.flush()
}
