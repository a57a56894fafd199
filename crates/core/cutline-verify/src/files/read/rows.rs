//! CSV files, read by the `csv` crate.
//!
//! The crate skips blank lines, takes LF, CRLF and CR as line ends, and takes a quote in the middle of
//! an unquoted cell literally. Rows that have another length than the first are refused.
//!
//! A block without quotes and carriage returns needs no grammar: there, cells are what stands between delimiters
//! and line feeds, and nothing is copied.

use std::io::{self, Read};
use std::str;
use std::sync::Arc;

use csv::{ByteRecord, ErrorKind};
use memchr::memchr2;

use super::blocks::{Block, Blocks, RecordEnds};
use super::places::Places;
use crate::VerifyError;
use crate::dictionary::Refused;
use crate::files::columns::Columns;
use crate::files::count::{Counter, Piece, Pieces};
use crate::files::expand::TableFile;
use crate::files::open;
use crate::nearest::is_header;

/// Follows the end of every file. The last row ends at the first of these line breaks at the
/// latest, unless the file ends inside of a quoted cell, which then takes both.
const TAIL: &[u8] = b"\n\n";

/// An open CSV file.
pub(super) struct CsvPieces {
    layout: Arc<Layout>,
    blocks: Blocks,
    /// The block with the header, and how many of its rows are no records.
    first: Option<(Block, usize)>,
}

/// What is known of a file from its first row.
struct Layout {
    file: Arc<TableFile>,
    delimiter: u8,
    /// The number of columns.
    width: usize,
    /// Where the claimed columns are.
    positions: Vec<usize>,
}

impl CsvPieces {
    /// Reads the header and finds the claimed columns.
    pub(super) fn open(file: &Arc<TableFile>, header: bool, columns: &mut Columns<'_>) -> Result<Self, VerifyError> {
        let io = |source| file.io(source);
        let delimiter = match file.delimiter {
            Some(delimiter) => delimiter,
            None => open::guess_delimiter(file).map_err(io)?,
        };
        let mut blocks = Blocks::new(open::text(file).map_err(io)?, RecordEnds::Unquoted { delimiter });
        let mut row = ByteRecord::new();
        loop {
            let Some(block) = blocks.next().map_err(io)? else {
                return Err(VerifyError::EmptyFile { file: file.path.clone() });
            };
            let mut rows = Rows::new(file, delimiter, &block);
            if !rows.next(&mut row)? {
                continue;
            }
            // Before the header is used: a quote that it leaves open makes all records a column's name.
            rows.next(&mut ByteRecord::new())?;
            let names = if header {
                header_names(file, &row, block.offset)?
            } else {
                (1..=row.len()).map(|number| format!("column{number}")).collect()
            };
            let told = if !header || is_header(&names, columns.claimed()) { &names[..] } else { &[] };
            let positions = columns.locate(&file.path, &names).map_err(|error| error.telling(told))?;
            let layout = Arc::new(Layout { file: Arc::clone(file), delimiter, width: names.len(), positions });
            return Ok(CsvPieces { layout, blocks, first: Some((block, usize::from(header))) });
        }
    }
}

impl Pieces for CsvPieces {
    fn next(&mut self) -> Result<Option<Box<dyn Piece>>, VerifyError> {
        let next = match self.first.take() {
            Some(first) => Some(first),
            None => self.blocks.next().map_err(|source| self.layout.file.io(source))?.map(|block| (block, 0)),
        };
        Ok(next.map(|(block, skip)| Box::new(CsvPiece { layout: Arc::clone(&self.layout), block, skip }) as _))
    }
}

/// Some rows of a file.
struct CsvPiece {
    layout: Arc<Layout>,
    block: Block,
    /// The first rows that are no records.
    skip: usize,
}

impl Piece for CsvPiece {
    fn count(&self, counter: &mut Counter<'_>) -> Result<(), VerifyError> {
        match memchr2(b'"', b'\r', &self.block.text) {
            None => self.count_plain(counter),
            Some(_) => self.count_by_grammar(counter),
        }
    }
}

impl CsvPiece {
    /// Counts a block without quotes and carriage returns.
    fn count_plain(&self, counter: &mut Counter<'_>) -> Result<(), VerifyError> {
        let Layout { delimiter, positions, .. } = &*self.layout;
        let text = &self.block.text[..];
        // Where each cell of the row ends; the first entry is just before the row.
        let mut ends: Vec<usize> = Vec::new();
        let (mut start, mut skip) = (0, self.skip);
        // The last line may have no end.
        let last = (text.last() != Some(&b'\n')).then_some(text.len());
        for end in Places::new(text, [*delimiter, b'\n']).chain(last) {
            ends.push(end);
            if end < text.len() && text[end] != b'\n' {
                continue;
            }
            if end > start {
                if skip > 0 {
                    skip -= 1;
                } else {
                    let cell = |&position: &usize| {
                        let from = if position == 0 { start } else { ends[position - 1] + 1 };
                        &text[from..ends[position]]
                    };
                    self.count_row(counter, ends.len(), start as u64, positions, cell)?;
                }
            }
            start = end + 1;
            ends.clear();
        }
        counter.flush()
    }

    /// Counts a block as the `csv` crate reads it.
    fn count_by_grammar(&self, counter: &mut Counter<'_>) -> Result<(), VerifyError> {
        let Layout { file, delimiter, positions, .. } = &*self.layout;
        let mut rows = Rows::new(file, *delimiter, &self.block);
        let mut row = ByteRecord::new();
        for _ in 0..self.skip {
            rows.next(&mut row)?;
        }
        while rows.next(&mut row)? {
            let start = row.position().map_or(0, |start| start.byte());
            self.count_row(counter, row.len(), start, positions, |&position| &row[position])?;
        }
        counter.flush()
    }

    /// Counts a row of so many cells, which starts at a byte of the block.
    fn count_row<'c>(
        &self,
        counter: &mut Counter<'_>,
        cells: usize,
        start: u64,
        positions: &[usize],
        cell: impl Fn(&usize) -> &'c [u8],
    ) -> Result<(), VerifyError> {
        let Layout { file, width, .. } = &*self.layout;
        let line = || line_at(file, self.block.offset + start);
        if cells != *width {
            let (expected, found) = (*width as u64, cells as u64);
            return Err(VerifyError::RaggedRow { file: file.path.clone(), line: line(), expected, found });
        }
        counter.row(positions.iter().map(cell)).map_err(|refused| match refused {
            Refused::Full => VerifyError::TooLarge { what: "values" },
            Refused::NotUtf8 | Refused::NoText => VerifyError::NotUtf8 { file: file.path.clone(), line: line() },
        })?;
        if counter.is_full() { counter.flush() } else { Ok(()) }
    }
}

fn header_names(file: &TableFile, header: &ByteRecord, offset: u64) -> Result<Vec<String>, VerifyError> {
    let name = |cell: &[u8]| str::from_utf8(cell).map(|name| name.trim().to_owned());
    let names = header.iter().map(name).collect::<Result<_, _>>();
    names.map_err(|_| VerifyError::NotUtf8 { file: file.path.clone(), line: line_of(file, offset, header) })
}

/// The rows of a block.
struct Rows<'a> {
    file: &'a TableFile,
    reader: csv::Reader<io::Chain<&'a [u8], &'static [u8]>>,
    /// Where the block starts in the file.
    offset: u64,
    /// Where the last row starts and ends; of the file's last block only.
    last: Option<(u64, u64)>,
    block: &'a Block,
}

impl<'a> Rows<'a> {
    fn new(file: &'a TableFile, delimiter: u8, block: &'a Block) -> Self {
        let tail: &'static [u8] = if block.last { TAIL } else { &[] };
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .buffer_capacity(open::BUFFER)
            .from_reader(block.text.as_slice().chain(tail));
        Rows { file, reader, offset: block.offset, last: None, block }
    }

    /// Reads one row; `false` at the end of the block.
    fn next(&mut self, row: &mut ByteRecord) -> Result<bool, VerifyError> {
        let more = self.reader.read_byte_record(row).map_err(|error| self.error(error))?;
        if !self.block.last {
            return Ok(more);
        }
        let here = self.reader.position().byte();
        if more {
            self.last = row.position().map(|start| (start.byte(), here));
            return Ok(true);
        }
        match self.last {
            Some((start, end)) if end == here => {
                let line = line_at(self.file, self.offset + start);
                Err(VerifyError::UnclosedQuote { file: self.file.path.clone(), line })
            }
            _ => Ok(false),
        }
    }

    fn error(&self, error: csv::Error) -> VerifyError {
        match error.into_kind() {
            ErrorKind::Io(source) => self.file.io(source),
            // Byte records of any length have no other errors.
            other => self.file.io(io::Error::other(format!("{other:?}"))),
        }
    }
}

fn line_of(file: &TableFile, offset: u64, row: &ByteRecord) -> u64 {
    line_at(file, offset + row.position().map_or(0, |start| start.byte()))
}

/// The line of a byte; 1 if the file cannot be read again.
fn line_at(file: &TableFile, byte: u64) -> u64 {
    open::line_at(file, byte).unwrap_or(1)
}
