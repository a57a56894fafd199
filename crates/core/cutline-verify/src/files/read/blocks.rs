//! Text files in blocks that end where a record ends, so that each can be read by itself.

use std::io::{self, Read};
use std::mem;

use memchr::{memchr, memrchr, memrchr2};

/// A block is so long, or as long as its only record: large enough that taking it costs little, small enough that all threads
/// end at about the same time.
const BLOCK: usize = 1 << 18;

/// Some whole records of a text file, the first of which starts with the block.
pub(super) struct Block {
    pub(super) text: Vec<u8>,
    /// Where it starts in the file's text.
    pub(super) offset: u64,
    /// Whether it ends with the file, perhaps in the middle of a record.
    pub(super) last: bool,
}

/// An open text file.
pub(super) struct Blocks {
    stream: Box<dyn Read + Send>,
    ends: RecordEnds,
    /// What was read behind the end of the last block.
    rest: Vec<u8>,
    offset: u64,
}

impl Blocks {
    pub(super) fn new(stream: Box<dyn Read + Send>, ends: RecordEnds) -> Self {
        Blocks { stream, ends, rest: Vec::new(), offset: 0 }
    }

    /// The next block, `None` at the end of the file.
    pub(super) fn next(&mut self) -> io::Result<Option<Block>> {
        let mut text = mem::take(&mut self.rest);
        text.reserve(BLOCK);
        let mut scan = Scan::default();
        loop {
            let read = self.stream.by_ref().take(BLOCK as u64).read_to_end(&mut text)?;
            let end = if read == 0 { text.len() } else { self.ends.last(&text, &mut scan) };
            if read > 0 && end == 0 {
                continue;
            }
            self.rest = text.split_off(end);
            let block = Block { offset: self.offset, last: read == 0, text };
            self.offset += block.text.len() as u64;
            return Ok((!block.text.is_empty()).then_some(block));
        }
    }
}

/// Where the records of a text end.
#[derive(Clone, Copy)]
pub(super) enum RecordEnds {
    /// After every line feed.
    Lines,
    /// After every line break that is not quoted, in CSV with this delimiter.
    Unquoted { delimiter: u8 },
}

/// How far a block was looked at, so that no byte of a long record is looked at twice.
#[derive(Default)]
struct Scan {
    at: usize,
    quoted: bool,
}

impl RecordEnds {
    /// The end of the last record that is certainly complete, or 0.
    fn last(self, text: &[u8], scan: &mut Scan) -> usize {
        match self {
            RecordEnds::Lines => {
                let from = mem::replace(&mut scan.at, text.len());
                memrchr(b'\n', &text[from..]).map_or(0, |at| from + at + 1)
            }
            RecordEnds::Unquoted { delimiter } => scan.last_unquoted(text, delimiter),
        }
    }
}

impl Scan {
    /// As the `csv` crate reads: a quote opens only at the start of a cell, and is literal anywhere else outside of quotes; two
    /// quotes inside are one; whatever else follows a quote inside, it has closed.
    fn last_unquoted(&mut self, text: &[u8], delimiter: u8) -> usize {
        let mut end = 0;
        while self.at < text.len() {
            let quote = memchr(b'"', &text[self.at..]).map(|at| self.at + at);
            if self.quoted {
                match quote.map(|at| (at, text.get(at + 1))) {
                    None => self.at = text.len(),
                    // The next byte says what this quote is.
                    Some((at, None)) => {
                        self.at = at;
                        break;
                    }
                    Some((at, Some(b'"'))) => self.at = at + 2,
                    Some((at, Some(_))) => (self.at, self.quoted) = (at + 1, false),
                }
                continue;
            }
            let plain = &text[self.at..quote.unwrap_or(text.len())];
            if let Some(at) = memrchr2(b'\n', b'\r', plain) {
                end = self.at + at + 1;
            }
            let starts_a_cell =
                |at: usize| at == 0 || text[at - 1] == delimiter || matches!(text[at - 1], b'\n' | b'\r');
            self.quoted = quote.is_some_and(starts_a_cell);
            self.at = quote.map_or(text.len(), |at| at + 1);
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The ends of all records by the `csv` crate, blank lines left out.
    fn records(text: &[u8]) -> Vec<csv::ByteRecord> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
        reader.byte_records().map(|record| record.unwrap()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..Default::default() })]

        #[test]
        fn a_text_that_is_cut_where_a_record_ends_has_the_same_records(
            text in "[a,\"\n\r]{0,24}", step in 1..6usize,
        ) {
            let text = text.into_bytes();
            let (mut scan, mut start, mut found) = (Scan::default(), 0, Vec::new());
            // The text comes in steps; what is complete is cut off, as a block is.
            for upto in (0..text.len()).step_by(step).skip(1).chain([text.len()]) {
                let end = RecordEnds::Unquoted { delimiter: b',' }.last(&text[start..upto], &mut scan);
                if end > 0 {
                    found.extend(records(&text[start..start + end]));
                    start += end;
                    scan = Scan::default();
                }
            }
            found.extend(records(&text[start..]));
            prop_assert_eq!(found, records(&text));
        }
    }

    #[test]
    fn blocks_are_whole_records_and_add_up() {
        let line = format!("{},\"x\ny\"\n", "a".repeat(1000));
        let text = line.repeat(600) + "end";
        let ends = RecordEnds::Unquoted { delimiter: b',' };
        let mut blocks = Blocks::new(Box::new(io::Cursor::new(text.clone().into_bytes())), ends);
        let (mut together, mut number) = (Vec::new(), 0);
        while let Some(block) = blocks.next().unwrap() {
            assert_eq!(block.offset, together.len() as u64);
            assert!(block.last || block.text.ends_with(b"y\"\n"));
            assert!(block.text.len() < 2 * BLOCK + line.len());
            together.extend(block.text);
            number += 1;
        }
        assert_eq!((together, number), (text.into_bytes(), 4));
    }
}
