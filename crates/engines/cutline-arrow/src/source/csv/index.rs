//! Where do the fields of a block end?
//!
//! Sixty-four bytes at a time become three bit masks: delimiters, line feeds, quotes. With the
//! quoted parts masked out, every bit that is left ends a field. That a block is what it should be
//! (each record with the right number of fields, no empty lines) is checked afterwards, and what
//! is not is sorted out then: the fast path has no branch that depends on the data.

use memchr::{memchr, memchr_iter};

use super::records::QUOTE;
use super::words::{Quoted, either_bytes, equal_bytes, for_each_word};

/// The fields of a block of records.
#[derive(Debug, Default)]
pub(super) struct FieldEnds {
    /// The position of the delimiter or line feed after each field, record after record.
    pub(super) ends: Vec<u32>,
    /// The position of the first byte of each record.
    pub(super) starts: Vec<u32>,
}

/// A record that does not have as many fields as the table has columns.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RaggedRecord {
    /// Where the record starts.
    pub(super) start: usize,
    /// How many fields it has.
    pub(super) found: usize,
}

/// Indexes a block, which ends with a line feed and in which no quote is left open.
///
/// Empty lines are skipped, unless the table has one column: there they are empty values.
pub(super) fn index(bytes: &[u8], delimiter: u8, columns: usize) -> Result<FieldEnds, RaggedRecord> {
    let mut ends = Vec::with_capacity(bytes.len() / 8);
    let lines = if memchr(QUOTE, bytes).is_none() {
        Some(mark_plain(bytes, delimiter, &mut ends))
    } else {
        mark_quoted(bytes, delimiter, &mut ends)
    };
    let lines = lines.unwrap_or_else(|| mark_exactly(bytes, delimiter, &mut ends));
    match regular_starts(bytes, &ends, lines, columns) {
        Some(starts) => Ok(FieldEnds { ends, starts }),
        None => sort_out(bytes, &ends, columns),
    }
}

/// Marks the ends of fields in a block without quotes; the number of line feeds.
fn mark_plain(bytes: &[u8], delimiter: u8, ends: &mut Vec<u32>) -> usize {
    for_each_word(bytes, |base, word| {
        push_positions(either_bytes(word, delimiter, b'\n'), base, ends);
        true
    });
    memchr_iter(b'\n', bytes).count()
}

/// Marks the ends of fields in a block in which quotes stand only where they should; the number of line feeds outside
/// quotes. `None` if some quote stands elsewhere.
fn mark_quoted(bytes: &[u8], delimiter: u8, ends: &mut Vec<u32>) -> Option<usize> {
    let mut lines = 0;
    let mut quoted = Quoted::new();
    let regular = for_each_word(bytes, |base, word| {
        let delimiters = equal_bytes(word, delimiter);
        let line_feeds = equal_bytes(word, b'\n');
        let inside = quoted.next(delimiters | line_feeds, equal_bytes(word, QUOTE));
        let outside = !inside.unwrap_or(0);
        lines += (line_feeds & outside).count_ones() as usize;
        push_positions((delimiters | line_feeds) & outside, base, ends);
        inside.is_some()
    });
    regular.then_some(lines)
}

/// Marks the ends of fields byte by byte, by the letter of the grammar.
pub(super) fn mark_exactly(bytes: &[u8], delimiter: u8, ends: &mut Vec<u32>) -> usize {
    enum At {
        Start,
        Text,
        Quoted,
        /// After a quote inside quotes: the first of two, or the last.
        Quote,
    }
    ends.clear();
    let mut lines = 0;
    let mut at = At::Start;
    for (position, &byte) in bytes.iter().enumerate() {
        at = match at {
            At::Quoted if byte == QUOTE => At::Quote,
            At::Quoted => At::Quoted,
            At::Start | At::Quote if byte == QUOTE => At::Quoted,
            _ if byte == delimiter || byte == b'\n' => {
                ends.push(position as u32);
                lines += usize::from(byte == b'\n');
                At::Start
            }
            _ => At::Text,
        };
    }
    lines
}

/// The starts of the records if each has exactly one field per column.
fn regular_starts(bytes: &[u8], ends: &[u32], lines: usize, columns: usize) -> Option<Vec<u32>> {
    if lines * columns != ends.len() {
        return None;
    }
    // There are as many line feeds as records. If each record ends with one, no field in between
    // does.
    let mut starts = Vec::with_capacity(lines);
    let mut start = 0;
    for record in ends.chunks_exact(columns) {
        let end = record[columns - 1];
        starts.push(start);
        start = end + 1;
        if bytes[end as usize] != b'\n' {
            return None;
        }
    }
    Some(starts)
}

/// Leaves out empty lines; finds the record that is ragged.
fn sort_out(bytes: &[u8], ends: &[u32], columns: usize) -> Result<FieldEnds, RaggedRecord> {
    let mut fields = FieldEnds::default();
    let mut start = 0;
    for record in ends.chunk_by(|&end, _| bytes[end as usize] != b'\n') {
        let end = record[record.len() - 1];
        let empty = matches!(&bytes[start as usize..end as usize], b"" | b"\r");
        if record.len() == columns {
            fields.starts.push(start);
            fields.ends.extend_from_slice(record);
        } else if !empty {
            return Err(RaggedRecord { start: start as usize, found: record.len() });
        }
        start = end + 1;
    }
    Ok(fields)
}

#[inline(always)]
fn push_positions(mut bits: u64, base: usize, positions: &mut Vec<u32>) {
    let mut found = [0; 64];
    let count = bits.count_ones() as usize;
    for slot in &mut found[..count] {
        *slot = base as u32 + bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
    }
    positions.extend_from_slice(&found[..count]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spans(text: &str, columns: usize) -> Result<Vec<Vec<&str>>, RaggedRecord> {
        let fields = index(text.as_bytes(), b',', columns)?;
        let records = fields.ends.chunks(columns).zip(&fields.starts);
        let spans = records.map(|(ends, &start)| {
            let mut start = start as usize;
            let mut field = |&end: &u32| {
                let field = &text[start..end as usize];
                start = end as usize + 1;
                field
            };
            ends.iter().map(&mut field).collect()
        });
        Ok(spans.collect())
    }

    #[test]
    fn plain_quoted_and_stray_quotes_give_the_same_fields() {
        assert_eq!(spans("a,b\nc,\n", 2).unwrap(), [["a", "b"], ["c", ""]]);
        assert_eq!(spans("\"a\",b\n,\"x\"\"y\"\n", 2).unwrap(), [["\"a\"", "b"], ["", "\"x\"\"y\""]]);
        assert_eq!(spans("\"a,\nb\",c\n", 2).unwrap(), [["\"a,\nb\"", "c"]]);
        assert_eq!(spans("5\",6\"\n\"a\"b\"c,d\n", 2).unwrap(), [["5\"", "6\""], ["\"a\"b\"c", "d"]]);
    }

    #[test]
    fn empty_lines_are_skipped_only_beside_several_columns() {
        assert_eq!(spans("\na,b\n\r\n\nc,d\n\n", 2).unwrap(), [["a", "b"], ["c", "d"]]);
        assert_eq!(spans("\na\n\n", 1).unwrap(), [[""], ["a"], [""]]);
        assert_eq!(spans("\n", 2).unwrap(), [[""; 2]; 0]);
    }

    #[test]
    fn a_ragged_record_is_found() {
        assert_eq!(spans("a,b\n\nc\nd,e\n", 2), Err(RaggedRecord { start: 5, found: 1 }));
        assert_eq!(spans("a,b,c\nd\n", 2), Err(RaggedRecord { start: 0, found: 3 }));
        // As many fields as two good records would have.
        assert_eq!(spans("a\nb,c,d\n", 2), Err(RaggedRecord { start: 0, found: 1 }));
    }

    fn positions(mark: impl Fn(&[u8], u8, &mut Vec<u32>) -> usize, text: &str) -> (usize, Vec<u32>) {
        let mut ends = Vec::new();
        let lines = mark(text.as_bytes(), b',', &mut ends);
        (lines, ends)
    }

    proptest! {
        #[test]
        fn all_ways_to_mark_agree(text in "[a\",\n\r]{0,200}") {
            let exact = positions(mark_exactly, &text);
            if !text.contains('"') {
                prop_assert_eq!(&positions(mark_plain, &text), &exact);
            }
            let mut ends = Vec::new();
            if let Some(lines) = mark_quoted(text.as_bytes(), b',', &mut ends) {
                prop_assert_eq!((lines, ends), exact);
            }
        }

        #[test]
        fn well_formed_quotes_take_the_fast_way(
            fields in prop::collection::vec("([ab]{0,9}|\"([ab,\n]|\"\"){0,9}\")", 1..60)
        ) {
            let text = fields.join(",") + "\n";
            let mut ends = Vec::new();
            prop_assert_eq!(mark_quoted(text.as_bytes(), b',', &mut ends), Some(1));
            prop_assert_eq!(ends.len(), fields.len());
        }
    }
}
