//! What does the first line of a CSV file say?

use cutline_engine::look_like_values;

use super::records;
use crate::error::FileError;
use crate::input::Input;
use crate::packed::Compression;
use crate::source::SourceOptions;
use crate::source::blocks::{BlockReader, Records};
use crate::source::text::unquote;

/// What the first line of a file tells about the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) names: Vec<String>,
    pub(super) delimiter: u8,
    pub(super) crlf: bool,
    /// Is it a header, or the first record?
    pub(super) is_header: bool,
    /// The line as it is, which must be there whenever the file is read.
    pub(super) line: Vec<u8>,
}

/// Opens a file and reads its first line. Without a header in the file, the line only tells the
/// number of columns.
pub(super) fn read_header(input: &Input, options: &SourceOptions) -> Result<Header, FileError> {
    const FIRST_BYTES: usize = 16 * 1024;
    let path = || input.path().to_path_buf();
    let mut reader = BlockReader::open(input, Records::Lines, FIRST_BYTES)?;
    let delimiter = match options.delimiter {
        Some(delimiter) => checked_delimiter(delimiter)?,
        None => guess_delimiter(input, reader.upcoming()),
    };
    reader.set_records(Records::Csv { delimiter });
    let record = reader.take_record()?.ok_or_else(|| FileError::Empty { path: path() })?;
    let line = records::without_line_end(&record);
    // Text of two bytes a character is UTF-8 too, if only letters of English are in it.
    let strange = |byte: usize| FileError::NotUtf8 { path: path(), line: 1, byte };
    let line = std::str::from_utf8(line).map_err(|error| strange(error.valid_up_to() + 1))?;
    if let Some(zero) = line.find('\0') {
        return Err(strange(zero + 1));
    }
    let fields = records::fields(line.as_bytes(), delimiter);
    // A file of one line is not split where it should be if its lines end in another way.
    let is_split = |field: &&[u8]| field.first() != Some(&records::QUOTE) && field.contains(&b'\r');
    if !record.ends_with(b"\n") && fields.iter().any(is_split) {
        return Err(FileError::Unsupported {
            path: path(),
            what: "lines end with carriage returns only".to_string(),
            hint: "convert the line ends to line feeds",
        });
    }
    let written: Vec<String> =
        fields.iter().map(|field| unquote(&String::from_utf8_lossy(field)).trim().to_string()).collect();
    let is_header = is_header(&written, options, input)?;
    let names = names(written, is_header, options, input)?;
    Ok(Header { names, delimiter, crlf: record.ends_with(b"\r\n"), is_header, line: record })
}

/// Is the first line a header? Where names are given for a file of which that is not said, a header is only assumed where one is.
fn is_header(written: &[String], options: &SourceOptions, input: &Input) -> Result<bool, FileError> {
    match (options.header, &options.columns) {
        (Some(said), _) => Ok(said),
        (None, None) => Ok(true),
        (None, Some(names)) if is_same(names, written) || is_same(names, &told_apart(written)) => Ok(true),
        (None, Some(_)) if look_like_values(written) => Ok(false),
        (None, Some(_)) => Err(FileError::HeaderOrRecord { path: input.path().into() }),
    }
}

fn is_same(names: &[String], written: &[String]) -> bool {
    names.iter().map(|name| name.to_lowercase()).eq(written.iter().map(|name| name.to_lowercase()))
}

/// The names, with a number after those that others before them have: `a`, `a_2`, `a_3`.
pub(super) fn told_apart(names: &[String]) -> Vec<String> {
    let mut apart: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut candidates = std::iter::once(name.clone()).chain(numbered);
        // A column that has such a name already keeps it.
        let free = |candidate: &String| candidate == name || !names.contains(candidate);
        apart.extend(candidates.find(|candidate| !apart.contains(candidate) && free(candidate)));
    }
    apart
}

fn names(
    written: Vec<String>,
    is_header: bool,
    options: &SourceOptions,
    input: &Input,
) -> Result<Vec<String>, FileError> {
    if let Some(names) = &options.columns {
        if names.len() != written.len() {
            return Err(FileError::ColumnNames { path: input.path().into(), given: names.len(), found: written.len() });
        }
        return Ok(names.clone());
    }
    let name = |(i, name): (usize, String)| {
        if name.is_empty() || !is_header { format!("column{}", i + 1) } else { name }
    };
    Ok(written.into_iter().enumerate().map(name).collect())
}

/// A delimiter is one byte that neither ends a record nor opens a quote, and is a whole character.
fn checked_delimiter(delimiter: u8) -> Result<u8, FileError> {
    match delimiter {
        0 | b'\n' | b'\r' | records::QUOTE | 0x80.. => Err(FileError::BadDelimiter { delimiter: delimiter.into() }),
        _ => Ok(delimiter),
    }
}

/// A tab for `.tsv` files. Otherwise the first of comma, semicolon and tab that stands in the first
/// line outside quotes; a comma if none does.
fn guess_delimiter(input: &Input, upcoming: &[u8]) -> u8 {
    let path = match input.compression() {
        Compression::None => input.path().to_path_buf(),
        _ => input.path().with_extension(""),
    };
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    if matches!(extension.to_ascii_lowercase().as_str(), "tsv" | "tab") {
        return b'\t';
    }
    let mut in_quotes = false;
    let mut outside = |&&byte: &&u8| {
        in_quotes ^= byte == records::QUOTE;
        !in_quotes
    };
    let start = upcoming.iter().position(|b| !matches!(b, b'\n' | b'\r')).unwrap_or(0);
    let line: Vec<u8> = upcoming[start..].iter().filter(&mut outside).take_while(|&&b| b != b'\n').copied().collect();
    let stands = |candidate: &u8| line.contains(candidate);
    [b',', b';', b'\t'].into_iter().find(stands).unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header_with(name: &str, text: &'static str, options: &SourceOptions) -> Result<Header, FileError> {
        read_header(&Input::built_in(name, text.as_bytes()), options)
    }

    fn header(text: &'static str) -> Result<Header, FileError> {
        header_with("a.csv", text, &SourceOptions::default())
    }

    #[test]
    fn names_are_unquoted_and_trimmed() {
        let header = header("\u{feff}a, b ,\"c,\"\"d\"\"\",\"x\ny\"\r\n1,2,3,4\r\n").unwrap();
        assert_eq!(header.names, ["a", "b", "c,\"d\"", "x\ny"]);
        assert!(header.crlf);
    }

    #[test]
    fn a_column_without_a_name_is_numbered() {
        assert_eq!(header("\"\",b,\n").unwrap().names, ["column1", "b", "column3"]);
        assert_eq!(header("\n\n\"\"\n").unwrap().names, ["column1"]);
    }

    #[test]
    fn names_of_the_caller_win() {
        let columns = Some(vec!["x".to_string(), "y".to_string()]);
        let options = SourceOptions { columns, header: Some(true), ..Default::default() };
        assert_eq!(header_with("a.csv", "a,b\n", &options).unwrap().names, ["x", "y"]);
        let error = header_with("a.csv", "a,b,c\n", &options).unwrap_err();
        assert!(matches!(error, FileError::ColumnNames { given: 2, found: 3, .. }));
    }

    #[test]
    fn with_names_of_the_caller_a_header_is_only_assumed_where_one_is() {
        let options = |header| SourceOptions {
            columns: Some(vec!["age".to_string(), "sex".to_string()]),
            header,
            ..Default::default()
        };
        let is_header = |text, header| header_with("a.csv", text, &options(header)).map(|header| header.is_header);
        assert!(!is_header("30,M\n31,F\n", None).unwrap());
        assert!(is_header("Age, sex\n30,M\n", None).unwrap());
        let renamed = Some(vec!["a".to_string(), "a_2".to_string()]);
        let renamed = SourceOptions { columns: renamed, ..Default::default() };
        assert!(
            header_with("a.csv", "a,a\nx,y\n", &renamed).unwrap().is_header,
            "the header that is offered a new name"
        );
        // It could be either, and neither mistake must be made.
        assert!(matches!(is_header("Ann,F\n", None), Err(FileError::HeaderOrRecord { .. })));
        assert!(is_header("30,M\n", Some(true)).unwrap() && !is_header("Ann,F\n", Some(false)).unwrap());
    }

    #[test]
    fn names_are_told_apart_by_numbers_that_nobody_has() {
        let apart =
            |names: &[&str]| told_apart(&names.iter().map(|name| name.to_string()).collect::<Vec<_>>()).join(" ");
        assert_eq!(apart(&["a", "b", "a", "a"]), "a b a_2 a_3");
        assert_eq!(apart(&["a", "a", "a_2"]), "a a_3 a_2");
    }

    #[test]
    fn without_a_header_columns_are_numbered() {
        let options = SourceOptions { header: Some(false), ..Default::default() };
        assert_eq!(header_with("a.csv", "39,x\n", &options).unwrap().names, ["column1", "column2"]);
    }

    #[test]
    fn the_delimiter_is_guessed_from_the_name_and_the_first_line() {
        assert_eq!(header("a;b,c\n").unwrap().delimiter, b',');
        assert_eq!(header("\na;b\n1,2\n").unwrap().delimiter, b';');
        assert_eq!(header("a\tb\n").unwrap().delimiter, b'\t');
        assert_eq!(header("\"a,b\";c\n").unwrap().delimiter, b';');
        assert_eq!(header("a\n").unwrap().delimiter, b',');
        let tsv = header_with("a.TSV", "a,b\tc\n", &SourceOptions::default()).unwrap();
        assert_eq!(tsv.delimiter, b'\t');
    }

    #[test]
    fn a_quoted_carriage_return_is_not_taken_for_a_line_end() {
        assert_eq!(header("\"a\rb\",c").unwrap().names, ["a\rb", "c"]);
    }

    #[test]
    fn what_is_no_header_is_an_error() {
        assert!(matches!(header(""), Err(FileError::Empty { .. })));
        assert!(matches!(header("\n\r\n"), Err(FileError::Empty { .. })));
        assert!(matches!(header("a,\"b\n"), Err(FileError::UnclosedQuote { line: 1, .. })));
        assert!(matches!(header("a,b\r1,2\r"), Err(FileError::Unsupported { .. })));
        let latin1 = Input::built_in("a.csv", b"a,\xe9\n1,2\n");
        let error = read_header(&latin1, &SourceOptions::default()).unwrap_err();
        assert!(matches!(error, FileError::NotUtf8 { line: 1, byte: 3, .. }));
        let wide = Input::built_in("a.csv", b"a\0,\0b\0\n\0");
        assert!(matches!(read_header(&wide, &SourceOptions::default()), Err(FileError::NotUtf8 { byte: 2, .. })));
        for delimiter in [b'"', b'\n', b'\r', 0, 0xe9] {
            let options = SourceOptions { delimiter: Some(delimiter), ..Default::default() };
            let error = header_with("a.csv", "a,b\n", &options).unwrap_err();
            assert!(matches!(error, FileError::BadDelimiter { .. }));
        }
    }
}
