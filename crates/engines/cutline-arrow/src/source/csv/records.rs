//! Where do records end?
//!
//! The grammar, which `index.rs` follows as well: a quote opens a quoted field only as the first
//! byte of a field. Inside, two quotes are one quote that is part of the value; one quote ends the
//! quoted part, and what follows up to the delimiter is text. A quote anywhere else is text. A
//! record ends at a line feed outside quotes; a carriage return before it belongs to the line end.

use memchr::{memchr, memchr2, memrchr};

use super::words::{Quoted, equal_bytes, for_each_word};

/// The quote character.
pub(in crate::source) const QUOTE: u8 = b'"';

/// What a scan over bytes that start at a record found.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::source) struct Scan {
    /// Just after the last record that is complete; 0 if none is.
    pub(in crate::source) end: usize,
    /// Where the quote opened that is still open at the end of the bytes.
    pub(in crate::source) open: Option<usize>,
}

/// Just after the last record that is complete; 0 if none is.
///
/// This is the part of reading that does not run on all cores, so it must be fast for quoted files as well.
pub(in crate::source) fn last_record_end(bytes: &[u8], delimiter: u8) -> usize {
    if memchr(QUOTE, bytes).is_none() {
        return last_line_end(bytes, 0, bytes.len()).unwrap_or(0);
    }
    let mut end = 0;
    let mut quoted = Quoted::new();
    let regular = for_each_word(bytes, |base, word| {
        let line_feeds = equal_bytes(word, b'\n');
        let inside = quoted.next(equal_bytes(word, delimiter) | line_feeds, equal_bytes(word, QUOTE));
        let outside = line_feeds & !inside.unwrap_or(0);
        if outside != 0 {
            end = base + 64 - outside.leading_zeros() as usize;
        }
        inside.is_some()
    });
    if regular { end } else { scan(bytes, delimiter).end }
}

/// Finds the end of the last complete record and an open quote, by the letter of the grammar.
///
/// Only quotes are looked at, not fields: outside quotes every delimiter and line feed is a real
/// one, so a quote is the first byte of a field if, and only if, one of them is just before it.
pub(in crate::source) fn scan(bytes: &[u8], delimiter: u8) -> Scan {
    let mut end = 0;
    // The bytes from `region` to `at` are outside quotes.
    let (mut region, mut at) = (0, 0);
    while let Some(offset) = memchr(QUOTE, &bytes[at..]) {
        let quote = at + offset;
        if !starts_field(bytes, quote, delimiter) {
            at = quote + 1;
            continue;
        }
        end = last_line_end(bytes, region, quote).unwrap_or(end);
        match closing_quote(bytes, quote) {
            Some(close) => (region, at) = (close + 1, close + 1),
            None => return Scan { end, open: Some(quote) },
        }
    }
    Scan { end: last_line_end(bytes, region, bytes.len()).unwrap_or(end), open: None }
}

/// The end of the record that starts at 0, just after its line feed, if it is complete.
pub(in crate::source) fn first_record_end(bytes: &[u8], delimiter: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        if bytes.get(at) == Some(&QUOTE) {
            at = closing_quote(bytes, at)? + 1;
        }
        at += memchr2(delimiter, b'\n', &bytes[at..])? + 1;
        if bytes[at - 1] == b'\n' {
            return Some(at);
        }
    }
}

/// Splits one record, without its line end, into raw fields.
pub(in crate::source) fn fields(record: &[u8], delimiter: u8) -> Vec<&[u8]> {
    let mut fields = Vec::new();
    let mut rest = record;
    loop {
        let quoted = match rest.first() {
            Some(&QUOTE) => closing_quote(rest, 0).map_or(rest.len(), |close| close + 1),
            _ => 0,
        };
        match memchr(delimiter, &rest[quoted..]) {
            Some(offset) => {
                fields.push(&rest[..quoted + offset]);
                rest = &rest[quoted + offset + 1..];
            }
            None => {
                fields.push(rest);
                return fields;
            }
        }
    }
}

/// The record without the line feed at its end and the carriage return before it.
pub(in crate::source) fn without_line_end(record: &[u8]) -> &[u8] {
    let record = record.strip_suffix(b"\n").unwrap_or(record);
    record.strip_suffix(b"\r").unwrap_or(record)
}

fn starts_field(bytes: &[u8], at: usize, delimiter: u8) -> bool {
    at == 0 || bytes[at - 1] == delimiter || bytes[at - 1] == b'\n'
}

/// The quote that ends the quoted part opened at `open`.
fn closing_quote(bytes: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    loop {
        let quote = at + memchr(QUOTE, &bytes[at..])?;
        if bytes.get(quote + 1) != Some(&QUOTE) {
            return Some(quote);
        }
        at = quote + 2;
    }
}

fn last_line_end(bytes: &[u8], from: usize, to: usize) -> Option<usize> {
    memrchr(b'\n', &bytes[from..to]).map(|offset| from + offset + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn end(text: &str) -> usize {
        let end = last_record_end(text.as_bytes(), b',');
        assert_eq!(end, scan(text.as_bytes(), b',').end);
        end
    }

    #[test]
    fn a_scan_ends_after_the_last_line_feed_outside_quotes() {
        assert_eq!(end(""), 0);
        assert_eq!(end("a,b"), 0);
        assert_eq!(end("a,b\nc"), 4);
        assert_eq!(end("a,\"b\"\nc"), 6);
        assert_eq!(end("a\n\"b\nc\"\nd"), 8);
        assert_eq!(end("a\n\"b\nc\"\"\nd\"\n"), 12);
    }

    #[test]
    fn an_open_quote_is_found() {
        assert_eq!(scan(b"a\n\"b\nc\n", b','), Scan { end: 2, open: Some(2) });
        assert_eq!(scan(b"a,\"b\"\"\n", b','), Scan { end: 0, open: Some(2) });
    }

    #[test]
    fn a_quote_inside_an_unquoted_field_is_text() {
        assert_eq!(scan(b"5\" pipe,b\nc,6\"\nd", b','), Scan { end: 15, open: None });
        assert_eq!(scan(b"\"a\"b\"c\nd\n", b','), Scan { end: 9, open: None });
    }

    #[test]
    fn the_delimiter_decides_where_a_field_starts() {
        assert_eq!(scan(b"a;\"b\n", b','), Scan { end: 5, open: None });
        assert_eq!(scan(b"a;\"b\n", b';'), Scan { end: 0, open: Some(2) });
    }

    #[test]
    fn the_first_record_may_span_lines() {
        assert_eq!(first_record_end(b"a,b\nc", b','), Some(4));
        assert_eq!(first_record_end(b"a,\"b\n\"\nc\n", b','), Some(7));
        assert_eq!(first_record_end(b"a,\"b\n\"", b','), None);
        assert_eq!(first_record_end(b"\n", b','), Some(1));
    }

    #[test]
    fn fields_keep_their_quotes() {
        let split = |text: &'static str| {
            let fields = fields(without_line_end(text.as_bytes()), b',');
            fields.into_iter().map(|f| std::str::from_utf8(f).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(split("a,\"b,\"\"c\",\r\n"), ["a", "\"b,\"\"c\"", ""]);
        assert_eq!(split("\n"), [""]);
        assert_eq!(split("x\"y,\"z\"w"), ["x\"y", "\"z\"w"]);
    }

    proptest! {
        #[test]
        fn the_fast_way_finds_what_the_grammar_says(text in "[a\",\n\r]{0,200}") {
            end(&text);
        }

        #[test]
        fn the_fast_way_is_taken_and_right_for_quoted_tables(
            fields in prop::collection::vec("\"([ab,\n]|\"\"){0,9}\"[,\n]", 1..60),
            cut in 0..200usize,
        ) {
            let text = fields.concat();
            end(&text[..cut.min(text.len())]);
        }
    }
}
