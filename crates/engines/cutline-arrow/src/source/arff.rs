//! ARFF, as Weka writes it: a header that says which columns are names and which are numbers, then a line for each record.
//!
//! The header is believed: a column of names stays one whatever they look like, and a value that is not among them is an error. A file is
//! held in memory.

use std::io::Read;

use arrow_schema::DataType;

use super::memory::MemorySource;
use super::typed::{TextColumn, batch};
use crate::digest::digest;
use crate::error::FileError;
use crate::input::Input;

/// Reads a file.
pub(super) fn open(input: &Input) -> Result<MemorySource, FileError> {
    let mut bytes = Vec::new();
    input.stream()?.read_to_end(&mut bytes).map_err(|source| input.io("read", source))?;
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
        let byte = before.len() - memchr::memrchr(b'\n', before).map_or(0, |at| at + 1) + 1;
        FileError::NotUtf8 { path: input.path().into(), line, byte }
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let wrong =
        |(line, problem): (usize, String)| FileError::Arff { path: input.path().into(), line: line as u64, problem };
    let (columns, records) = read(text).map_err(wrong)?;
    let batch = batch(columns, records).map_err(|source| FileError::Arrow { path: input.path().into(), source })?;
    MemorySource::of_file(input, batch, digest([&bytes[..]]))
}

/// A line number, and what is wrong there.
type Wrong = (usize, String);

/// What the header says of a column.
#[derive(Debug, PartialEq, Eq)]
enum Declared {
    Names(Vec<String>),
    Number,
    Text,
}

fn read(text: &str) -> Result<(Vec<TextColumn>, usize), Wrong> {
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let mut lines = lines.by_ref().filter(|(_, line)| !line.is_empty() && !line.starts_with('%'));
    let mut declared: Vec<(String, Declared)> = Vec::new();
    loop {
        let Some((line, text)) = lines.next() else { return Err((1, "there is no line `@data`".to_owned())) };
        let (keyword, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
        match keyword.to_ascii_lowercase().as_str() {
            "@relation" => {}
            "@attribute" => declared.push(attribute(rest).map_err(|problem| (line, problem))?),
            "@data" => break,
            _ => return Err((line, "neither `@relation` nor `@attribute` nor `@data`".to_owned())),
        }
    }
    let mut columns: Vec<Vec<Option<String>>> = declared.iter().map(|_| Vec::new()).collect();
    let mut records = 0;
    for (line, text) in lines {
        let cells = record(text, &declared).map_err(|problem| (line, problem))?;
        columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
        records += 1;
    }
    let columns = declared.into_iter().zip(columns).map(|((name, declared), texts)| column(name, &declared, texts));
    Ok((columns.collect(), records))
}

/// `NAME TYPE`, the name perhaps in quotes.
fn attribute(text: &str) -> Result<(String, Declared), String> {
    let text = text.trim();
    let (name, kind) = word(text, |character| character.is_whitespace())?;
    let kind = kind.trim();
    if let Some(names) = kind.strip_prefix('{') {
        let names = names.trim_end().strip_suffix('}').ok_or("the list of names is not closed by `}`")?;
        return Ok((name, Declared::Names(fields(names)?.into_iter().map(|(name, _)| name).collect())));
    }
    let kind = kind.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let declared = match kind.as_str() {
        "numeric" | "real" | "integer" => Declared::Number,
        // Dates are texts, which are read as dates are in every table.
        "string" | "date" => Declared::Text,
        _ => return Err(format!("column `{name}` is neither numeric nor a list of names, a string or a date")),
    };
    Ok((name, declared))
}

/// The cells of a record; `?` without quotes is a missing one.
fn record(text: &str, declared: &[(String, Declared)]) -> Result<Vec<Option<String>>, String> {
    if text.starts_with('{') {
        return Err("a sparse record, which is not read".to_owned());
    }
    let fields = fields(text)?;
    if fields.len() != declared.len() {
        return Err(format!("{} fields where the header has {} columns", fields.len(), declared.len()));
    }
    let cell = |((text, quoted), (name, declared)): ((String, bool), &(String, Declared))| {
        if text == "?" && !quoted {
            return Ok(None);
        }
        match declared {
            Declared::Names(names) if !names.contains(&text) => {
                Err(format!("column `{name}`: the value is not among those of the header"))
            }
            Declared::Number if cutline_model::parse_number(&text).is_none() => {
                Err(format!("column `{name}`: the value is no number"))
            }
            _ => Ok(Some(text)),
        }
    };
    fields.into_iter().zip(declared).map(cell).collect()
}

/// Fields separated by commas (or tabs), each with whether it was in quotes.
fn fields(text: &str) -> Result<Vec<(String, bool)>, String> {
    let is_end = |character: char| character == ',' || character == '\t';
    let mut fields = Vec::new();
    let mut rest = text;
    loop {
        let quoted = rest.trim_start().starts_with(['\'', '"']);
        let (field, after) = word(rest, is_end)?;
        fields.push((field, quoted));
        match after.trim_start_matches(' ').strip_prefix(is_end) {
            Some(next) => rest = next,
            None if after.trim().is_empty() => return Ok(fields),
            None => return Err("something stands behind a closing quote".to_owned()),
        }
    }
}

/// The first word and what follows it: up to where it ends, or to its closing quote. A backslash takes the next character as it is.
fn word(text: &str, is_end: impl Fn(char) -> bool) -> Result<(String, &str), String> {
    let text = text.trim_start_matches(' ');
    let quote = text.chars().next().filter(|first| matches!(first, '\'' | '"'));
    let Some(quote) = quote else {
        let end = text.find(is_end).unwrap_or(text.len());
        return Ok((text[..end].trim().to_owned(), &text[end..]));
    };
    let mut word = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => word.extend(characters.next().map(|(_, next)| next)),
            character if character == quote => return Ok((word, &text[at + 1..])),
            character => word.push(character),
        }
    }
    Err("a quote that opens here is never closed".to_owned())
}

fn column(name: String, declared: &Declared, texts: Vec<Option<String>>) -> TextColumn {
    let whole = || texts.iter().flatten().all(|text| text.parse::<i64>().is_ok());
    let kind = match declared {
        Declared::Number if whole() => DataType::Int64,
        Declared::Number => DataType::Float64,
        Declared::Names(_) | Declared::Text => DataType::Utf8View,
    };
    TextColumn { name, kind, is_category: matches!(declared, Declared::Names(_)), texts }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Weka's own examples are written.
    const WEATHER: &str = "% weather\n@RELATION weather\n\n@ATTRIBUTE outlook {sunny, overcast, 'light rain'}\n\
        @attribute 'temp (C)' real\n@attribute humidity INTEGER\n@attribute grade {1,2,3}\n@attribute seen date \"yyyy-MM-dd\"\n\
        @attribute note string\n@DATA\nsunny,21.5,85,1,2020-01-02,'it\\'s, hot'\n% a comment\n'light rain', 20 ,?,3,?,\"?\"\n";

    #[test]
    fn the_header_tells_what_columns_are() {
        let (columns, records) = read(WEATHER).unwrap();
        assert_eq!(records, 2);
        let kinds: Vec<_> = columns.iter().map(|column| (&column.name[..], &column.kind, column.is_category)).collect();
        assert_eq!(
            kinds,
            [
                ("outlook", &DataType::Utf8View, true),
                ("temp (C)", &DataType::Float64, false),
                ("humidity", &DataType::Int64, false),
                ("grade", &DataType::Utf8View, true),
                ("seen", &DataType::Utf8View, false),
                ("note", &DataType::Utf8View, false),
            ]
        );
        let texts = |column: usize| columns[column].texts.iter().map(Option::as_deref).collect::<Vec<_>>();
        assert_eq!(texts(0), [Some("sunny"), Some("light rain")]);
        assert_eq!((texts(1), texts(2)), (vec![Some("21.5"), Some("20")], vec![Some("85"), None]));
        assert_eq!(texts(5), [Some("it's, hot"), Some("?")], "a question mark in quotes is a text");
    }

    #[test]
    fn what_cannot_be_read_names_its_line_and_column_and_no_value() {
        let head = "@relation r\n@attribute age numeric\n@attribute sex {M,F}\n@data\n";
        let cases = [
            (format!("{head}30,M\n31,secret\n"), (6, "column `sex`")),
            (format!("{head}secret,M\n"), (5, "column `age`: the value is no number")),
            (format!("{head}30\n"), (5, "1 fields where the header has 2 columns")),
            (format!("{head}30,'M\n"), (5, "never closed")),
            (format!("{head}{{0 30}}\n"), (5, "sparse")),
            ("@relation r\n@attribute a blob\n@data\n".to_owned(), (2, "column `a`")),
            ("@relation r\n@attribute a {x\n@data\n".to_owned(), (2, "not closed")),
            ("a,b\n1,2\n".to_owned(), (1, "neither")),
            ("@relation r\n".to_owned(), (1, "@data")),
        ];
        for (text, (line, problem)) in cases {
            let (at, told) = read(&text).unwrap_err();
            assert!(at == line && told.contains(problem) && !told.contains("secret"), "{at}: {told}");
        }
    }
}
