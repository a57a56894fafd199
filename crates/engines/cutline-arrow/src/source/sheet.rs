//! Spreadsheets: one sheet of an Excel or OpenDocument file, read into memory with the types of its cells.

#[cfg(feature = "spreadsheets")]
pub(super) use self::read::open;
#[cfg(not(feature = "spreadsheets"))]
pub(super) use self::without::open;

#[cfg(not(feature = "spreadsheets"))]
mod without {
    use super::super::{MemorySource, SourceOptions};
    use crate::error::FileError;
    use crate::input::Input;

    pub(in crate::source) fn open(input: &Input, _: &SourceOptions) -> Result<MemorySource, FileError> {
        Err(FileError::Unsupported {
            path: input.path().into(),
            what: "this build reads no spreadsheets".to_owned(),
            hint: "export the sheet as CSV, or build with the feature `spreadsheets`",
        })
    }
}

#[cfg(feature = "spreadsheets")]
mod read {
    use std::io::{Cursor, Read};

    use arrow_schema::{DataType, TimeUnit};
    use calamine::{CellErrorType, Data, ExcelDateTime, Range, Reader, open_workbook_auto_from_rs};
    use cutline_model::shortest;

    use super::super::foreign;
    use super::super::typed::{TextColumn, batch};
    use super::super::{MemorySource, SourceOptions};
    use crate::digest::digest;
    use crate::error::FileError;
    use crate::input::Input;

    /// Reads a sheet.
    pub(in crate::source) fn open(input: &Input, options: &SourceOptions) -> Result<MemorySource, FileError> {
        let mut bytes = Vec::new();
        input.reading()?.read_to_end(&mut bytes).map_err(|source| input.io("read", source))?;
        let digest = digest([&bytes[..]]);
        let (name, range) = foreign::call(input, || range(input, &bytes, options.sheet.as_deref()))?;
        let sheet = Sheet { input, name, range };
        let (columns, records) = sheet.columns(options)?;
        let batch = batch(columns, records).map_err(|source| FileError::Arrow { path: input.path().into(), source })?;
        MemorySource::of_file(input, batch, digest)
    }

    /// The cells of the sheet that is named, or of the only one that has any.
    fn range(input: &Input, bytes: &[u8], wanted: Option<&str>) -> Result<(String, Range<Data>), FileError> {
        let damaged = |_| FileError::Damaged { path: input.path().into() };
        let mut book = open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(damaged)?;
        let names = book.sheet_names();
        let wrong = |problem: String| FileError::Sheet {
            path: input.path().into(),
            problem,
            hint: format!("name one with ‹sheet›: {}", names.join(", ")),
        };
        if let Some(wanted) = wanted {
            if !names.iter().any(|name| name == wanted) {
                return Err(wrong(format!("has no sheet `{wanted}`")));
            }
            return Ok((wanted.to_owned(), book.worksheet_range(wanted).map_err(damaged)?));
        }
        let mut filled = Vec::new();
        for name in &names {
            let range = book.worksheet_range(name).map_err(damaged)?;
            if range.used_cells().next().is_some() {
                filled.push((name.clone(), range));
            }
        }
        match (filled.pop(), filled.is_empty()) {
            (Some(sheet), true) => Ok(sheet),
            (Some(_), false) => Err(wrong(format!("has {} sheets that are not empty", filled.len() + 1))),
            (None, _) => Err(FileError::Empty { path: input.path().into() }),
        }
    }

    struct Sheet<'a> {
        input: &'a Input,
        name: String,
        range: Range<Data>,
    }

    impl Sheet<'_> {
        fn columns(&self, options: &SourceOptions) -> Result<(Vec<TextColumn>, usize), FileError> {
            let path = || self.input.path().to_path_buf();
            let has_header = options.header != Some(false);
            let written: Vec<String> = self.range.rows().next().unwrap_or_default().iter().map(text).collect();
            let names = match &options.columns {
                Some(names) if names.len() != written.len() => {
                    return Err(FileError::ColumnNames { path: path(), given: names.len(), found: written.len() });
                }
                Some(names) => names.clone(),
                None => {
                    let name = |(at, name): (usize, String)| match name.trim() {
                        name if name.is_empty() || !has_header => format!("column{}", at + 1),
                        name => name.to_owned(),
                    };
                    written.into_iter().enumerate().map(name).collect()
                }
            };
            let first = self.range.start().map_or(0, |(row, _)| u64::from(row)) + 1;
            let rows = self.range.rows().zip(first..).skip(usize::from(has_header));
            // Rows that were formatted and never filled are no records.
            let rows: Vec<(&[Data], u64)> = rows.filter(|(row, _)| row.iter().any(|cell| !is_missing(cell))).collect();
            let column = |(at, name): (usize, String)| self.column(&rows, at, name);
            let columns = names.into_iter().enumerate().map(column).collect::<Result<Vec<_>, _>>()?;
            Ok((columns, rows.len()))
        }

        fn column(&self, rows: &[(&[Data], u64)], at: usize, name: String) -> Result<TextColumn, FileError> {
            let failed =
                |(row, _): &&(&[Data], u64)| matches!(&row[at], Data::Error(error) if *error != CellErrorType::NA);
            if let Some((_, row)) = rows.iter().find(failed) {
                let (path, sheet) = (self.input.path().into(), self.name.clone());
                return Err(FileError::Formula { path, sheet, row: *row, column: name });
            }
            let kind = rows.iter().fold(Kind::Nothing, |kind, (row, _)| kind.with(Kind::of(&row[at])));
            let texts = rows.iter().map(|(row, _)| Some(text(&row[at])).filter(|_| !is_missing(&row[at])));
            Ok(TextColumn { name, kind: kind.data_type(), is_category: false, texts: texts.collect() })
        }
    }

    /// What the cells of a column are.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Kind {
        Nothing,
        Whole,
        Number,
        Truth,
        Date,
        Time,
        Text,
    }

    impl Kind {
        fn of(cell: &Data) -> Self {
            match cell {
                cell if is_missing(cell) => Kind::Nothing,
                Data::Int(_) => Kind::Whole,
                Data::Float(number) if is_whole(*number) => Kind::Whole,
                Data::Float(_) => Kind::Number,
                Data::Bool(_) => Kind::Truth,
                Data::DateTime(moment) if !is_moment(moment) => Kind::Text,
                Data::DateTime(_) | Data::DateTimeIso(_) => match text(cell) {
                    text if text.len() == 10 => Kind::Date,
                    text if text.len() > 10 => Kind::Time,
                    _ => Kind::Text,
                },
                _ => Kind::Text,
            }
        }

        fn with(self, other: Kind) -> Kind {
            match (self, other) {
                (Kind::Nothing, kind) | (kind, Kind::Nothing) => kind,
                (a, b) if a == b => a,
                (Kind::Whole | Kind::Number, Kind::Whole | Kind::Number) => Kind::Number,
                (Kind::Date | Kind::Time, Kind::Date | Kind::Time) => Kind::Time,
                _ => Kind::Text,
            }
        }

        fn data_type(self) -> DataType {
            match self {
                Kind::Whole => DataType::Int64,
                Kind::Number => DataType::Float64,
                Kind::Truth => DataType::Boolean,
                Kind::Date => DataType::Date32,
                Kind::Time => DataType::Timestamp(TimeUnit::Millisecond, None),
                Kind::Nothing | Kind::Text => DataType::Utf8View,
            }
        }
    }

    fn is_missing(cell: &Data) -> bool {
        match cell {
            Data::Empty | Data::Error(CellErrorType::NA) => true,
            Data::String(text) => text.trim().is_empty(),
            _ => false,
        }
    }

    /// Spreadsheets store all numbers as floating-point numbers.
    fn is_whole(number: f64) -> bool {
        const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
        number.fract() == 0.0 && number.abs() <= EXACT
    }

    /// A day, and not a span or a time of any day.
    fn is_moment(moment: &ExcelDateTime) -> bool {
        !moment.is_duration() && moment.as_f64() >= 1.0
    }

    /// The text of a cell, in the notation that types are made from.
    fn text(cell: &Data) -> String {
        match cell {
            Data::Int(number) => number.to_string(),
            Data::Float(number) => shortest(*number),
            Data::Bool(truth) => truth.to_string(),
            Data::DateTime(moment) => moment_text(moment),
            Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
            Data::Error(_) | Data::Empty => String::new(),
        }
    }

    fn moment_text(moment: &ExcelDateTime) -> String {
        let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
        let time = match milli {
            0 => format!("{hour:02}:{minute:02}:{second:02}"),
            milli => format!("{hour:02}:{minute:02}:{second:02}.{milli:03}"),
        };
        match (is_moment(moment), moment.as_f64().fract() == 0.0) {
            (true, true) => format!("{year:04}-{month:02}-{day:02}"),
            (true, false) => format!("{year:04}-{month:02}-{day:02}T{time}"),
            (false, _) if moment.is_duration() => shortest(moment.as_f64()),
            (false, _) => time,
        }
    }
}
