//! The little of CSV that ARX hierarchies need: fields, quotes, and the line on which a record starts.

use std::borrow::Cow;

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
}

impl<'a> Records<'a> {
    pub(super) fn new(text: &'a str, delimiter: char) -> Self {
        Records { rest: text, line: 1, delimiter }
    }

    fn skip_blank_lines(&mut self) {
        while !self.rest.is_empty() {
            let end = self.rest.find('\n').map_or(self.rest.len(), |newline| newline + 1);
            if !self.rest[..end].trim().is_empty() {
                return;
            }
            self.rest = &self.rest[end..];
            self.line += 1;
        }
    }

    fn record(&mut self) -> Result<Record<'a>, TaxonomyError> {
        let line = self.line;
        let mut fields = Vec::new();
        loop {
            fields.push(self.field()?);
            // A field ends before a delimiter, a line break or the end of the text.
            let mut rest = self.rest.chars();
            let end = rest.next();
            self.rest = rest.as_str();
            if end != Some(self.delimiter) {
                self.line += 1;
                return Ok(Record { line, fields });
            }
        }
    }

    fn field(&mut self) -> Result<Cow<'a, str>, TaxonomyError> {
        let start = self.rest.trim_start_matches(is_blank);
        match start.strip_prefix('"') {
            Some(quoted) => self.quoted(quoted),
            None => Ok(Cow::Borrowed(self.until_end_of_field().trim())),
        }
    }

    /// Takes what comes before the next delimiter or line break.
    fn until_end_of_field(&mut self) -> &'a str {
        let end = self.rest.find([self.delimiter, '\n']).unwrap_or(self.rest.len());
        let (field, rest) = self.rest.split_at(end);
        self.rest = rest;
        field
    }

    /// Takes a field of which `quoted` is everything after the opening quote.
    fn quoted(&mut self, quoted: &'a str) -> Result<Cow<'a, str>, TaxonomyError> {
        let bad_quote = TaxonomyError::BadQuote { line: self.line };
        let Some(end) = closing_quote(quoted) else { return Err(bad_quote) };
        let content = &quoted[..end];
        self.rest = &quoted[end + 1..];
        if !self.until_end_of_field().trim().is_empty() {
            return Err(bad_quote);
        }
        self.line += content.matches('\n').count();
        Ok(if content.contains('"') { Cow::Owned(content.replace("\"\"", "\"")) } else { Cow::Borrowed(content) })
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, TaxonomyError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blank_lines();
        if self.rest.is_empty() { None } else { Some(self.record()) }
    }
}

/// Where the first quote is that is not written twice.
fn closing_quote(quoted: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let quote = from + quoted[from..].find('"')?;
        if !quoted[quote + 1..].starts_with('"') {
            return Some(quote);
        }
        from = quote + 2;
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
