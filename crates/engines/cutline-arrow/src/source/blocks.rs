//! Reads a text file as blocks of whole records.
//!
//! Reading and cutting is sequential and cheap; splitting a block into fields is the work, and
//! happens on any thread. Every block knows the number of its first line, for messages.

use std::io::{ErrorKind, Read};

use memchr::{memchr_iter, memrchr};

use super::csv::records;
use crate::error::FileError;
use crate::input::{Input, Stream};

/// The usual size of a block. Its fields and their index stay in the second-level cache, and stay
/// below the size from which allocators ask the system for fresh pages: half a megabyte is
/// measurably faster than one or four.
pub(crate) const BLOCK_BYTES: usize = 512 * 1024;

/// The largest record. A missing quote must not make us read a whole disk into memory.
pub(crate) const MAX_RECORD_BYTES: usize = 256 * 1024 * 1024;

/// Where a record ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Records {
    /// At every line feed.
    Lines,
    /// At every line feed outside quotes.
    Csv { delimiter: u8 },
}

/// Whole records, each with a line feed at its end.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) bytes: Vec<u8>,
    /// The line number of the first byte, from 1.
    pub(crate) first_line: u64,
    /// Stored bytes that were read for this block.
    pub(crate) stored_bytes: u64,
}

impl Block {
    /// The line number of the byte at `position`.
    pub(crate) fn line_at(&self, position: usize) -> u64 {
        self.first_line + count_lines(&self.bytes[..position])
    }

    /// The line of the byte at `position`, and its number in the line, both from 1.
    pub(crate) fn place_of(&self, position: usize) -> (u64, usize) {
        let start = memrchr(b'\n', &self.bytes[..position]).map_or(0, |at| at + 1);
        (self.line_at(position), position - start + 1)
    }
}

/// An iterator over the blocks of one file.
pub(crate) struct BlockReader<'a> {
    input: &'a Input,
    stream: Stream,
    records: Records,
    block_bytes: usize,
    max_record_bytes: usize,
    /// Bytes that are read but not handed out; they start at a record.
    rest: Vec<u8>,
    at_end: bool,
    line: u64,
    reported: u64,
}

impl<'a> BlockReader<'a> {
    /// Opens the file and skips a byte order mark.
    pub(crate) fn open(input: &'a Input, records: Records, block_bytes: usize) -> Result<Self, FileError> {
        let mut reader = Self {
            input,
            stream: input.stream()?,
            records,
            block_bytes: block_bytes.max(1),
            max_record_bytes: MAX_RECORD_BYTES,
            rest: Vec::new(),
            at_end: false,
            line: 1,
            reported: 0,
        };
        let mut rest = Vec::new();
        reader.fill(&mut rest, reader.block_bytes.max(3))?;
        if rest.starts_with(b"\xEF\xBB\xBF") {
            rest.drain(..3);
        }
        reader.rest = rest;
        Ok(reader)
    }

    /// Bytes that are next, up to the size of a block: enough to guess a delimiter from.
    pub(crate) fn upcoming(&self) -> &[u8] {
        &self.rest
    }

    /// Sets where records end, once that is known. Nothing may have been taken yet.
    pub(crate) fn set_records(&mut self, records: Records) {
        self.records = records;
    }

    /// Takes the first record that is not an empty line, with its line end if it has one.
    pub(crate) fn take_record(&mut self) -> Result<Option<Vec<u8>>, FileError> {
        let mut target = self.block_bytes;
        loop {
            let found = match self.records {
                Records::Lines => memchr::memchr(b'\n', &self.rest).map(|at| at + 1),
                Records::Csv { delimiter } => records::first_record_end(&self.rest, delimiter),
            };
            let end = match found {
                Some(end) => end,
                None if !self.at_end => {
                    target = self.larger(target)?;
                    let mut rest = std::mem::take(&mut self.rest);
                    self.fill(&mut rest, target)?;
                    self.rest = rest;
                    continue;
                }
                None if self.rest.is_empty() => return Ok(None),
                None => self.end_of_file(&self.rest)?,
            };
            let record: Vec<u8> = self.rest.drain(..end).collect();
            self.line += count_lines(&record);
            if !records::without_line_end(&record).is_empty() {
                return Ok(Some(record));
            }
        }
    }

    fn next_block(&mut self) -> Result<Option<Block>, FileError> {
        let mut bytes = std::mem::take(&mut self.rest);
        let mut target = self.block_bytes;
        loop {
            self.fill(&mut bytes, target)?;
            if self.at_end {
                return self.last_block(bytes);
            }
            let end = match self.records {
                Records::Lines => memrchr(b'\n', &bytes).map_or(0, |at| at + 1),
                Records::Csv { delimiter } => records::last_record_end(&bytes, delimiter),
            };
            if end > 0 {
                self.rest = bytes[end..].to_vec();
                bytes.truncate(end);
                return Ok(Some(self.block(bytes)));
            }
            target = self.larger(target)?;
        }
    }

    fn last_block(&mut self, mut bytes: Vec<u8>) -> Result<Option<Block>, FileError> {
        if bytes.is_empty() {
            return Ok(None);
        }
        self.end_of_file(&bytes)?;
        if bytes.last() != Some(&b'\n') {
            bytes.push(b'\n');
        }
        Ok(Some(self.block(bytes)))
    }

    /// The end of the bytes, which are the last of the file, unless a quote is open.
    fn end_of_file(&self, bytes: &[u8]) -> Result<usize, FileError> {
        if let Records::Csv { delimiter } = self.records
            && let Some(open) = records::scan(bytes, delimiter).open
        {
            let line = self.line + count_lines(&bytes[..open]);
            return Err(FileError::UnclosedQuote { path: self.input.path().into(), line });
        }
        Ok(bytes.len())
    }

    fn block(&mut self, bytes: Vec<u8>) -> Block {
        let first_line = self.line;
        self.line += count_lines(&bytes);
        let taken = self.stream.taken();
        let stored_bytes = taken - self.reported;
        self.reported = taken;
        Block { bytes, first_line, stored_bytes }
    }

    /// A larger target for a record that did not fit.
    fn larger(&self, target: usize) -> Result<usize, FileError> {
        if target >= self.max_record_bytes {
            return Err(FileError::RecordTooLong {
                path: self.input.path().into(),
                line: self.line,
                limit: self.max_record_bytes,
            });
        }
        Ok((target * 2).min(self.max_record_bytes))
    }

    /// Reads until there are `target` bytes or the file ends.
    fn fill(&mut self, bytes: &mut Vec<u8>, target: usize) -> Result<(), FileError> {
        let mut length = bytes.len();
        if self.at_end || length >= target {
            return Ok(());
        }
        // One byte more, so that the last line feed of a file always fits.
        bytes.reserve_exact(target + 1 - length);
        bytes.resize(target, 0);
        while length < target {
            match self.stream.read(&mut bytes[length..]) {
                Ok(0) => {
                    self.at_end = true;
                    break;
                }
                Ok(read) => length += read,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(self.input.io("read", e)),
            }
        }
        bytes.truncate(length);
        Ok(())
    }
}

impl Iterator for BlockReader<'_> {
    type Item = Result<Block, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        let block = self.next_block();
        // What follows an error is not at the start of a record.
        self.at_end |= block.is_err();
        block.transpose()
    }
}

/// The blocks of several files, one file after the other. A file is opened when it is reached.
pub(crate) fn blocks_of<'a>(
    opened: impl Iterator<Item = (&'a Input, Result<BlockReader<'a>, FileError>)> + Send + 'a,
) -> impl Iterator<Item = Result<(&'a Input, Block), FileError>> + Send + 'a {
    opened.flat_map(move |(input, reader)| {
        let (reader, error) = match reader {
            Ok(reader) => (Some(reader), None),
            Err(error) => (None, Some(Err(error))),
        };
        let blocks = reader.into_iter().flatten();
        error.into_iter().chain(blocks.map(move |block| Ok((input, block?))))
    })
}

fn count_lines(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: Records = Records::Csv { delimiter: b',' };

    fn input(text: &'static str) -> Input {
        Input::built_in("test.csv", text.as_bytes())
    }

    fn blocks(text: &'static str, size: usize) -> Vec<(String, u64)> {
        let input = input(text);
        let reader = BlockReader::open(&input, CSV, size).unwrap();
        let text = |b: Block| (String::from_utf8(b.bytes).unwrap(), b.first_line);
        reader.map(|block| text(block.unwrap())).collect()
    }

    #[test]
    fn blocks_are_whole_records_with_their_line_numbers() {
        let expected = [("a,b\n".to_string(), 1), ("c,\"d\ne\"\n".into(), 2), ("f,g\n".into(), 4)];
        assert_eq!(blocks("a,b\nc,\"d\ne\"\nf,g", 5), expected);
        assert_eq!(blocks("a,b\nc,\"d\ne\"\nf,g", 1), expected);
        assert_eq!(blocks("a,b\nc,\"d\ne\"\nf,g", 100), [("a,b\nc,\"d\ne\"\nf,g\n".to_string(), 1)]);
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        for size in [1, 2, 3, 100] {
            assert_eq!(blocks("\u{feff}a\n", size), [("a\n".to_string(), 1)]);
        }
    }

    #[test]
    fn stored_bytes_add_up_to_the_file() {
        let input = input("a,b\nc,d\ne,f\n");
        let mut reader = BlockReader::open(&input, CSV, 4).unwrap();
        reader.take_record().unwrap();
        let sum: u64 = reader.map(|b| b.unwrap().stored_bytes).sum();
        assert_eq!(sum, input.bytes());
    }

    #[test]
    fn the_header_is_taken_before_the_blocks() {
        for size in [1, 4, 100] {
            let input = input("\n\r\na,\"b\nc\"\r\n1,2\n");
            let mut reader = BlockReader::open(&input, CSV, size).unwrap();
            assert_eq!(reader.take_record().unwrap().unwrap(), b"a,\"b\nc\"\r\n");
            let block = reader.next().unwrap().unwrap();
            assert_eq!((block.bytes.as_slice(), block.first_line), (&b"1,2\n"[..], 5));
            assert!(reader.next().is_none());
        }
    }

    #[test]
    fn a_file_without_records_gives_no_block() {
        assert_eq!(blocks("", 10), []);
        let input = input("\n\n");
        let mut reader = BlockReader::open(&input, CSV, 10).unwrap();
        assert!(reader.take_record().unwrap().is_none());
    }

    #[test]
    fn an_open_quote_names_the_line_where_it_opened() {
        for size in [1, 5, 100] {
            let input = input("a,b\nc,d\ne,\"f\ng,h\n");
            let reader = BlockReader::open(&input, CSV, size).unwrap();
            let error = reader.last().unwrap().unwrap_err();
            assert!(matches!(error, FileError::UnclosedQuote { line: 3, .. }), "{error}");
        }
    }

    #[test]
    fn a_record_beyond_the_limit_is_an_error() {
        let input = input("a,b\nc,\"ddddddddddddddddddd\ne,f\n");
        let mut reader = BlockReader::open(&input, CSV, 4).unwrap();
        reader.max_record_bytes = 16;
        let error = reader.last().unwrap().unwrap_err();
        assert!(matches!(error, FileError::RecordTooLong { line: 2, limit: 16, .. }), "{error}");
    }
}
