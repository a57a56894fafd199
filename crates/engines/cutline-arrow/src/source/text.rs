//! How is the text of a cell to be read?

use std::borrow::Cow;

/// How the text of string columns is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextStyle {
    /// Cells are values.
    Plain,
    /// Cells are raw CSV fields: one that starts with the quote character is quoted.
    Csv {
        /// What separates fields.
        delimiter: u8,
        /// Whether lines end with a carriage return and a line feed.
        crlf: bool,
    },
}

/// The value of a raw CSV field: `"a ""b"""` is `a "b"`. Borrowed when there is nothing to undo.
///
/// A field that does not start with a quote is its own value. In one that does, text after the
/// closing quote is part of the value: `"a"b` is `ab`, as most readers have it.
pub fn unquote(raw: &str) -> Cow<'_, str> {
    let Some(quoted) = raw.strip_prefix('"') else { return Cow::Borrowed(raw) };
    match quoted.find('"') {
        None => Cow::Borrowed(quoted),
        Some(end) if end + 1 == quoted.len() => Cow::Borrowed(&quoted[..end]),
        Some(_) => Cow::Owned(unescape(quoted)),
    }
}

fn unescape(quoted: &str) -> String {
    let mut value = String::with_capacity(quoted.len());
    let mut rest = quoted;
    while let Some((part, after)) = rest.split_once('"') {
        value.push_str(part);
        match after.strip_prefix('"') {
            Some(next) => {
                value.push('"');
                rest = next;
            }
            None => {
                value.push_str(after);
                return value;
            }
        }
    }
    value + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_undone() {
        assert_eq!(unquote("a \"b\""), "a \"b\"");
        assert_eq!(unquote("\"a\""), "a");
        assert_eq!(unquote("\"\""), "");
        assert_eq!(unquote("\"a \"\"b\"\"\""), "a \"b\"");
        assert_eq!(unquote("\"\"\"\""), "\"");
        assert_eq!(unquote("\"a\"b\"\"c"), "ab\"\"c");
        assert_eq!(unquote("\"open"), "open");
    }

    #[test]
    fn nothing_is_copied_without_need() {
        assert!(matches!(unquote("abc"), Cow::Borrowed(_)));
        assert!(matches!(unquote("\"a,b\""), Cow::Borrowed(_)));
    }
}
