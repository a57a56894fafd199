//! CSV as ARX hierarchies write it: fields, quotes, and the line on which a record starts.
//!
//! The parser is that of the `csv` crate, field by field ([`csv_core`]). It takes every text for CSV; here, quotes that do not fit are an
//! error, and blanks around a field do not count.

use std::borrow::Cow;

use csv_core::{ReadFieldResult, Reader, ReaderBuilder, Terminator};

use super::TaxonomyError;

/// A record and the line (from 1) on which it starts.
pub(super) struct Record<'a> {
    pub(super) line: usize,
    pub(super) fields: Vec<Cow<'a, str>>,
}

/// The records of a text. Blank lines are skipped.
///
/// Blanks around a field do not count, blanks inside quotes do. Quotes mean something only at the start of a field: `5" pipe`
/// is what it says. A quoted field may contain line breaks.
pub(super) struct Records<'a> {
    rest: &'a str,
    line: usize,
    delimiter: char,
    parser: Reader,
    /// What the parser made of the last field.
    parsed: Vec<u8>,
}

/// A field as it is written, with what ends it.
struct Written<'a> {
    text: &'a str,
    ends_record: bool,
}

impl<'a> Records<'a> {
    /// The delimiter is an ASCII character.
    pub(super) fn new(text: &'a str, delimiter: char) -> Self {
        let parser = ReaderBuilder::new().delimiter(delimiter as u8).terminator(Terminator::Any(b'\n')).build();
        Records { rest: text, line: 1, delimiter, parser, parsed: Vec::new() }
    }

    fn skip_blank_lines(&mut self) {
        while let Some((_, rest)) = self.rest.split_once('\n').filter(|(line, _)| line.trim().is_empty()) {
            self.rest = rest;
            self.line += 1;
        }
        if self.rest.trim().is_empty() {
            self.rest = "";
        }
    }

    fn record(&mut self) -> Result<Record<'a>, TaxonomyError> {
        let line = self.line;
        let mut fields = Vec::new();
        loop {
            let first = self.line;
            let Written { text, ends_record } = self.parse();
            self.line += text.matches('\n').count();
            fields.push(self.field(text, ends_record).ok_or(TaxonomyError::BadQuote { line: first })?);
            if ends_record {
                return Ok(Record { line, fields });
            }
        }
    }

    /// Takes a field and what ends it: a delimiter, a line break or the end of the text.
    fn parse(&mut self) -> Written<'a> {
        self.rest = self.rest.trim_start_matches(is_blank);
        let (mut read, mut length) = (0, 0);
        let ends_record = loop {
            let input = &self.rest.as_bytes()[read..];
            let (result, more_read, more) = self.parser.read_field(input, &mut self.parsed[length..]);
            (read, length) = (read + more_read, length + more);
            match result {
                ReadFieldResult::Field { record_end } => break record_end,
                ReadFieldResult::End => break true,
                // Asked again with no input left, the parser knows that this is the end.
                ReadFieldResult::InputEmpty => {}
                ReadFieldResult::OutputFull => self.parsed.resize(2 * length + 64, 0),
            }
        };
        self.parsed.truncate(length);
        let (text, rest) = self.rest.split_at(read);
        self.rest = rest;
        Written { text, ends_record }
    }

    /// What a field says; `None` if its quotes do not fit.
    fn field(&self, written: &'a str, ends_record: bool) -> Option<Cow<'a, str>> {
        let end = if ends_record { '\n' } else { self.delimiter };
        let with_blanks = written.strip_suffix(end).unwrap_or(written);
        let text = with_blanks.trim();
        if !text.starts_with('"') {
            return Some(Cow::Borrowed(text));
        }
        // Blanks after the closing quote were parsed as part of the field.
        let blanks = with_blanks.len() - text.len();
        let content = std::str::from_utf8(&self.parsed[..self.parsed.len().checked_sub(blanks)?]).ok()?;
        // Nothing may come after the closing quote, and there must be one: then every quote inside was written twice.
        let closed = text.ends_with('"') && text.len() == content.len() + content.matches('"').count() + 2;
        closed.then(|| Cow::Owned(content.to_owned()))
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, TaxonomyError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blank_lines();
        if self.rest.is_empty() { None } else { Some(self.record()) }
    }
}

fn is_blank(character: char) -> bool {
    character != '\n' && character.is_whitespace()
}

/// The delimiter that the first record uses: `;`, or `,` where there is none of the former.
///
/// Delimiters inside quotes are ignored, unless there are no others (then the quotes are probably wrong, and reading the record
/// gives the better message).
pub(super) fn delimiter(text: &str) -> Option<char> {
    let text = text.trim_start();
    let mut in_quotes = false;
    let mut has_comma = false;
    for character in text.chars() {
        match character {
            '"' => in_quotes = !in_quotes,
            _ if in_quotes => {}
            ';' => return Some(';'),
            ',' => has_comma = true,
            '\n' => break,
            _ => {}
        }
    }
    if has_comma {
        return Some(',');
    }
    let first_line = text.lines().next().unwrap_or_default();
    [';', ','].into_iter().find(|&delimiter| first_line.contains(delimiter))
}

/// Appends a field, in quotes where it needs them.
pub(super) fn write_field(text: &mut String, field: &str, delimiter: char) {
    if needs_quotes(field, delimiter) {
        text.push('"');
        text.push_str(&field.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(field);
    }
}

/// Besides what CSV asks for, a field is quoted if it would be trimmed, or taken for JSON or a byte order mark at the start of a
/// file.
fn needs_quotes(field: &str, delimiter: char) -> bool {
    field.contains([delimiter, '"', '\n', '\r']) || field.trim() != field || field.starts_with(['{', '[', '\u{feff}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, delimiter: char) -> Vec<(usize, Vec<String>)> {
        Records::new(text, delimiter)
            .map(|record| record.map(|record| (record.line, record.fields.into_iter().map(Cow::into_owned).collect())))
            .collect::<Result<_, _>>()
            .unwrap()
    }

    #[test]
    fn fields_are_trimmed_and_quotes_removed() {
        let text = "a; b ;c\r\n\n\"x;\"\"y\"\"\" ; \" z\" ;5\" pipe\n;;";
        let expected = vec![
            (1, vec!["a".into(), "b".into(), "c".into()]),
            (3, vec!["x;\"y\"".into(), " z".into(), "5\" pipe".into()]),
            (4, vec![String::new(), String::new(), String::new()]),
        ];
        assert_eq!(read(text, ';'), expected);
    }

    #[test]
    fn line_breaks_in_quotes_count_as_lines() {
        let expected = vec![(1, vec!["a\nb".into(), "*".into()]), (3, vec!["c".into(), "*".into()])];
        assert_eq!(read("\"a\nb\",*\nc,*", ','), expected);
    }

    #[test]
    fn bad_quotes_name_the_line() {
        for text in ["a;*\n\"b;*\n", "a;*\n\"b\"c;*\n", "a;*\n\"b\"\"\n"] {
            let error = Records::new(text, ';').find_map(Result::err);
            assert_eq!(error, Some(TaxonomyError::BadQuote { line: 2 }), "{text:?}");
        }
    }

    #[test]
    fn the_first_record_decides_the_delimiter() {
        assert_eq!(delimiter("a,b;c\n"), Some(';'));
        assert_eq!(delimiter("\n a,b\nc;d"), Some(','));
        assert_eq!(delimiter("\"a;b\",c\n"), Some(','));
        assert_eq!(delimiter("\"a\n,b\";c\n"), Some(';'));
        assert_eq!(delimiter("\"a;b\n"), Some(';'));
        assert_eq!(delimiter("a\nb;c"), None);
    }
}
