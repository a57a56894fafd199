//! CSV files, read by the `csv` crate.
//!
//! The crate skips blank lines, takes LF, CRLF and CR as line ends, takes a quote in the middle of
//! an unquoted cell literally, and refuses rows that have another length than the first.

use std::io::Read;
use std::str;
use std::sync::Arc;

use csv::{ByteRecord, ErrorKind, Position};

use super::BATCH;
use crate::VerifyError;
use crate::dictionary::Refused;
use crate::files::columns::Columns;
use crate::files::count::{Batch, Feed, Rows, Stop};
use crate::files::expand::TableFile;
use crate::files::open;

/// A batch ends after so many bytes even if it has few records.
const BATCH_BYTES: usize = 1 << 20;

/// Follows the end of every file. The last row ends at the first of these line breaks at the
/// latest, unless the file ends inside of a quoted cell, which then takes both.
const TAIL: &[u8] = b"\n\n";

/// Reads one CSV file.
pub(super) fn read(
    file: &Arc<TableFile>,
    header: bool,
    columns: &mut Columns<'_>,
    feed: &mut Feed<'_>,
) -> Result<(), Stop> {
    let mut source = Source::open(file)?;
    let (mut first, mut second) = (ByteRecord::new(), ByteRecord::new());
    if !source.next(&mut first)? {
        return Err(VerifyError::EmptyFile { file: file.path.clone() }.into());
    }
    // Before the header is used: a quote that it leaves open makes all records a column's name.
    let ahead = source.next(&mut second);
    if let Err(error @ VerifyError::UnclosedQuote { .. }) = ahead {
        return Err(error.into());
    }
    let names = if header {
        header_names(file, &first)?
    } else {
        (1..=first.len()).map(|number| format!("column{number}")).collect()
    };
    let positions: Arc<[usize]> = columns.locate(&file.path, &names)?.into();
    let start = [(!header).then_some(first), ahead?.then_some(second)];
    let mut rows = feed.rows_with(start.into_iter().flatten());
    let mut more = true;
    while more {
        // At the end of the file this adds nothing, however often it is asked.
        let filled = source.fill(&mut rows);
        if rows.filled > 0 {
            // Also before an error, so that the counter sees what comes before it.
            let records = rows.filled;
            let (file, positions) = (Arc::clone(file), Arc::clone(&positions));
            feed.send(Batch::Rows { file, positions, rows }, records)?;
            rows = feed.rows_with([]);
        }
        more = filled?;
    }
    Ok(())
}

fn header_names(file: &TableFile, header: &ByteRecord) -> Result<Vec<String>, VerifyError> {
    let name = |cell: &[u8]| str::from_utf8(cell).map(|name| name.trim().to_owned());
    header
        .iter()
        .map(name)
        .collect::<Result<_, _>>()
        .map_err(|_| VerifyError::NotUtf8 { file: file.path.clone(), line: line_of(file, header.position()) })
}

/// An open CSV file.
struct Source<'a> {
    file: &'a TableFile,
    reader: csv::Reader<Box<dyn Read>>,
    /// Where the last record starts, and the byte behind its end.
    last: Option<(Position, u64)>,
}

impl<'a> Source<'a> {
    fn open(file: &'a TableFile) -> Result<Self, VerifyError> {
        let delimiter = match file.delimiter {
            Some(delimiter) => delimiter,
            None => open::guess_delimiter(file).map_err(|source| file.io(source))?,
        };
        let text = open::text(file).map_err(|source| file.io(source))?;
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .delimiter(delimiter)
            .buffer_capacity(open::BUFFER)
            .from_reader(Box::new(text.chain(TAIL)) as Box<dyn Read>);
        Ok(Source { file, reader, last: None })
    }

    /// Reads one record; `false` at the end of the file.
    fn next(&mut self, record: &mut ByteRecord) -> Result<bool, VerifyError> {
        let more = self.reader.read_byte_record(record).map_err(|error| self.error(error))?;
        let here = self.reader.position().byte();
        if more {
            self.last = record.position().map(|start| (start.clone(), here));
            return Ok(true);
        }
        match &self.last {
            Some((start, end)) if *end == here => {
                Err(VerifyError::UnclosedQuote { file: self.file.path.clone(), line: line_of(self.file, Some(start)) })
            }
            _ => Ok(false),
        }
    }

    /// Fills a batch; `false` at the end of the file.
    fn fill(&mut self, rows: &mut Rows) -> Result<bool, VerifyError> {
        let mut bytes = 0;
        while rows.filled < BATCH && bytes < BATCH_BYTES {
            if rows.filled == rows.records.len() {
                rows.records.push(ByteRecord::new());
            }
            let record = &mut rows.records[rows.filled];
            if !self.next(record)? {
                return Ok(false);
            }
            bytes += record.as_slice().len();
            rows.filled += 1;
        }
        Ok(true)
    }

    fn error(&self, error: csv::Error) -> VerifyError {
        match error.into_kind() {
            ErrorKind::UnequalLengths { pos, expected_len, len } => VerifyError::RaggedRow {
                file: self.file.path.clone(),
                line: line_of(self.file, pos.as_ref()),
                expected: expected_len,
                found: len,
            },
            ErrorKind::Io(source) => self.file.io(source),
            // Byte records without serde have no other errors.
            other => self.file.io(std::io::Error::other(format!("{other:?}"))),
        }
    }
}

/// The line on which a record starts.
fn line_of(file: &TableFile, start: Option<&Position>) -> u64 {
    let Some(start) = start else { return 1 };
    open::line_at(file, start.byte()).unwrap_or_else(|_| start.line())
}

/// The error for a batch that has a cell without an id.
pub(crate) fn refused_row(file: &TableFile, positions: &[usize], rows: &[ByteRecord], refused: Refused) -> VerifyError {
    if refused == Refused::Full {
        return VerifyError::TooLarge { what: "values" };
    }
    // Columns are looked up one after the other: another one may have an earlier bad cell.
    let bad = |row: &&ByteRecord| positions.iter().any(|&at| str::from_utf8(&row[at]).is_err());
    let start = rows.iter().find(bad).and_then(|row| row.position());
    VerifyError::NotUtf8 { file: file.path.clone(), line: line_of(file, start) }
}
