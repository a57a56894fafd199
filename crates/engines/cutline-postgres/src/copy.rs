//! The text format of COPY: a line a row, tabs between fields, `\N` for NULL.

use std::borrow::Cow;

/// The fields of a line, without its end. `None` if the line is not UTF-8.
pub(crate) fn fields(line: &[u8]) -> Option<impl Iterator<Item = Option<Cow<'_, str>>>> {
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
    fn fields_read_back_what_the_server_escapes() {
        let line = b"a\t\\N\t\tx\\ty\\nz\\\\N\\r\\v\tk\xc3\xb6ln\n";
        let found: Vec<Option<String>> = fields(line).unwrap().map(|field| field.map(Cow::into_owned)).collect();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(found, [text("a"), None, text(""), text("x\ty\nz\\N\r\u{b}"), text("köln")]);
        assert!(fields(b"\xff\n").is_none());
    }
}
