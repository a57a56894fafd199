//! JSON lines: one object a line.
//!
//! The claimed columns are read as text. Numbers keep the digits they are written with, so `1` and
//! `1.0` are different, and `1` and `"1"` are the same. Of a repeated key the last value counts.
//! Messages of the JSON readers quote what they read, so none of them gets into an error.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::str;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use serde::de::IgnoredAny;

use super::{BATCH, send_columns};
use crate::VerifyError;
use crate::files::columns::Columns;
use crate::files::count::{Feed, Stop};
use crate::files::expand::TableFile;
use crate::files::open;

/// A block ends after so many bytes even if it has few lines.
const BLOCK_BYTES: usize = 1 << 20;

/// Reads one file of JSON lines. Records may lack keys, so files are not compared by their columns;
/// but every claimed column must occur in every file.
pub(super) fn read(file: &Arc<TableFile>, columns: &Columns<'_>, feed: &mut Feed<'_>) -> Result<(), Stop> {
    check_columns(file, columns.claimed())?;
    let fields = columns.claimed().iter().map(|name| Field::new(name, DataType::Utf8, true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let path: Arc<Path> = file.path.as_path().into();
    let mut lines = Lines::open(file)?;
    while let Some(block) = lines.block(BATCH)? {
        let Some(batch) = decode_block(file, &schema, block)? else { continue };
        send_columns(&path, batch.columns(), batch.num_rows(), feed)?;
    }
    Ok(())
}

/// Reads records until every claimed column has been seen, usually in the first.
fn check_columns(file: &TableFile, claimed: &[String]) -> Result<(), VerifyError> {
    let mut seen = BTreeSet::new();
    let mut lines = Lines::open(file)?;
    while let Some(block) = lines.block(1)? {
        if block.records() == 0 {
            continue;
        }
        let keys: BTreeMap<String, IgnoredAny> = serde_json::from_slice(block.text)
            .map_err(|_| VerifyError::BadJson { file: file.path.clone(), line: block.line })?;
        seen.extend(keys.into_keys());
        if claimed.iter().all(|name| seen.contains(name)) {
            return Ok(());
        }
    }
    let names: Vec<String> = seen.into_iter().collect();
    match claimed.iter().find(|name| !names.contains(name)) {
        Some(name) if !names.is_empty() => Err(VerifyError::unknown_column(&file.path, name, &names)),
        _ => Err(VerifyError::EmptyFile { file: file.path.clone() }),
    }
}

/// Some whole lines of a file.
#[derive(Clone, Copy)]
struct Block<'a> {
    /// The number of the first line.
    line: u64,
    text: &'a [u8],
}

impl<'a> Block<'a> {
    /// Every line as a block of its own.
    fn lines(self) -> impl Iterator<Item = Block<'a>> {
        let texts = self.text.split_inclusive(|&byte| byte == b'\n');
        (self.line..).zip(texts).map(|(line, text)| Block { line, text })
    }

    /// The number of lines that are not blank.
    fn records(self) -> usize {
        self.lines().filter(|line| !line.text.trim_ascii().is_empty()).count()
    }
}

/// An open file of JSON lines.
struct Lines<'a> {
    file: &'a TableFile,
    stream: BufReader<Box<dyn Read>>,
    buffer: Vec<u8>,
    next_line: u64,
}

impl<'a> Lines<'a> {
    fn open(file: &'a TableFile) -> Result<Self, VerifyError> {
        let text = open::text(file).map_err(|source| file.io(source))?;
        let stream = BufReader::with_capacity(open::BUFFER, text);
        Ok(Lines { file, stream, buffer: Vec::new(), next_line: 1 })
    }

    /// Reads up to `most` lines, or `None` at the end of the file.
    fn block(&mut self, most: usize) -> Result<Option<Block<'_>>, VerifyError> {
        self.buffer.clear();
        let line = self.next_line;
        for _ in 0..most {
            let read = self.stream.read_until(b'\n', &mut self.buffer);
            if read.map_err(|source| self.file.io(source))? == 0 {
                break;
            }
            self.next_line += 1;
            if self.buffer.len() >= BLOCK_BYTES {
                break;
            }
        }
        if self.buffer.is_empty() {
            return Ok(None);
        }
        let block = Block { line, text: &self.buffer };
        match str::from_utf8(block.text) {
            Ok(_) => Ok(Some(block)),
            Err(error) => {
                let before = &block.text[..error.valid_up_to()];
                let line = line + before.iter().filter(|&&byte| byte == b'\n').count() as u64;
                Err(VerifyError::NotUtf8 { file: self.file.path.clone(), line })
            }
        }
    }
}

/// The claimed columns of a block, `None` if all its lines are blank.
fn decode_block(file: &TableFile, schema: &SchemaRef, block: Block<'_>) -> Result<Option<RecordBatch>, VerifyError> {
    if let Some(decoded) = decode(schema, block) {
        return Ok(decoded);
    }
    // The decoder does not say which line it was.
    let line = block.lines().find(|line| decode(schema, *line).is_none());
    let line = line.map_or(block.line, |line| line.line);
    Err(VerifyError::BadJson { file: file.path.clone(), line })
}

/// The same, but `None` if some line is not one object with plain values.
fn decode(schema: &SchemaRef, block: Block<'_>) -> Option<Option<RecordBatch>> {
    let records = block.records();
    if records == 0 {
        return Some(None);
    }
    let batch = decoded(decoder(schema, records).ok()?, block.text).ok()??;
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
