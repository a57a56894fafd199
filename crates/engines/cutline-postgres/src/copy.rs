//! The text format of COPY: a line a row, tabs between fields, `\N` for NULL.

use std::borrow::Cow;

use cutline_remote::{Coded, Dictionary, Distinct, Groups};

/// Rows of cells and counts as they come.
pub(crate) struct Grouping {
    columns: Vec<(Dictionary, Vec<u32>)>,
    counts: Vec<u64>,
}

impl Grouping {
    pub(crate) fn new(columns: usize) -> Self {
        Grouping { columns: (0..columns).map(|_| Default::default()).collect(), counts: Vec::new() }
    }

    /// Adds a row: its cells, and then a count. Says what is wrong with it.
    pub(crate) fn add(&mut self, line: &[u8]) -> Result<(), &'static str> {
        let mut fields = fields(line).ok_or(NOT_UTF8)?;
        for (dictionary, codes) in &mut self.columns {
            let cell = fields.next().ok_or("columns are missing")?;
            codes.push(dictionary.code(cell.as_deref()));
        }
        let count = fields.next().flatten().and_then(|count| count.parse().ok());
        self.counts.push(count.ok_or("a count is missing")?);
        Ok(())
    }

    pub(crate) fn finish(self) -> Groups<()> {
        let coded = |(dictionary, codes): (Dictionary, Vec<u32>)| Coded {
            codes,
            cells: Distinct { texts: dictionary.into_texts(), keys: () },
        };
        Groups { columns: self.columns.into_iter().map(coded).collect(), counts: self.counts }
    }
}

/// The texts of a row.
pub(crate) fn texts(line: &[u8]) -> Result<Vec<Option<String>>, &'static str> {
    Ok(fields(line).ok_or(NOT_UTF8)?.map(|field| field.map(Cow::into_owned)).collect())
}

const NOT_UTF8: &str = "a text is not UTF-8";

/// The fields of a line, without its end. `None` if the line is not UTF-8.
fn fields(line: &[u8]) -> Option<impl Iterator<Item = Option<Cow<'_, str>>>> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n").unwrap_or(line)).ok()?;
    Some(line.split('\t').map(|field| (field != "\\N").then(|| unescaped(field))))
}

fn unescaped(field: &str) -> Cow<'_, str> {
    if !field.contains('\\') {
        return Cow::Borrowed(field);
    }
    let mut text = String::with_capacity(field.len());
    let mut characters = field.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next() {
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('v') => '\u{b}',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_codes_and_counts() {
        let mut grouping = Grouping::new(2);
        for line in [&b"a\t\\N\t3\n"[..], b"b\t7\t1\n", b"a\t7\t2\n"] {
            grouping.add(line).unwrap();
        }
        assert!(grouping.add(b"a\t7\n").is_err());
        let groups = grouping.finish();
        assert_eq!((&groups.columns[0].codes[..3], &groups.columns[1].codes[..3]), (&[0, 1, 0][..], &[0, 1, 1][..]));
        assert_eq!(groups.columns[1].cells.texts, [None, Some("7".to_owned())]);
        assert_eq!(groups.counts, [3, 1, 2]);
    }

    #[test]
    fn fields_read_back_what_the_server_escapes() {
        let line = b"a\t\\N\t\tx\\ty\\nz\\\\N\\r\\v\tk\xc3\xb6ln\n";
        let found: Vec<Option<String>> = fields(line).unwrap().map(|field| field.map(Cow::into_owned)).collect();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(found, [text("a"), None, text(""), text("x\ty\nz\\N\r\u{b}"), text("köln")]);
        assert!(fields(b"\xff\n").is_none());
    }
}
