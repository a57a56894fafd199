//! What does a cell say?

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StringViewArray, make_array};
use arrow_schema::{ArrowError, DataType};
use foldhash::fast::FixedState;

use crate::distinct::ColumnCells;
use crate::error::FileError;
use crate::fields::{self, Fields};
use crate::notation::{Notation, Number};
use crate::source::{Source, TextStyle, unquote};

/// How the text of a cell is read.
#[derive(Clone, Debug)]
pub(crate) struct CellReader {
    text: TextStyle,
    nulls: Vec<String>,
    notation: Notation,
}

impl CellReader {
    /// A reader for cells in this style, with the texts that stand for a missing value beside the empty one.
    pub(crate) fn new(text: TextStyle, nulls: &[String]) -> Self {
        let nulls = nulls.iter().map(|null| null.trim().to_owned()).collect();
        CellReader { text, nulls, notation: Notation::default() }
    }

    /// A reader for the cells of a source.
    pub(crate) fn of(source: &dyn Source, nulls: &[String]) -> Self {
        CellReader { notation: source.notation(), ..CellReader::new(source.text(), nulls) }
    }

    /// The value of a cell without quotes and without blanks around it, numbers in plain notation; `None` if it is missing.
    pub(crate) fn value<'a>(&self, cell: &'a str) -> Option<Cow<'a, str>> {
        let value = self.written(cell)?;
        if self.notation.is_plain() {
            return Some(value);
        }
        match self.notation.read(&value) {
            Number::Plain(Cow::Owned(plain)) => Some(Cow::Owned(plain)),
            _ => Some(value),
        }
    }

    /// Are there blanks around the value of a cell?
    pub(crate) fn has_blanks(&self, cell: &str) -> bool {
        let value = match self.text {
            TextStyle::Plain => Cow::Borrowed(cell),
            TextStyle::Csv { .. } => unquote(cell),
        };
        value.trim().len() != value.len()
    }

    /// What of a column of numbers a cell is: 1 if it is in a declared notation that is not the plain one, 2 if it has a decimal point
    /// although another notation is declared, 0 if it is neither. Together these are 3 in a column that is not to be trusted.
    pub(crate) fn manner(&self, cell: &str) -> u8 {
        let value = if self.notation.is_plain() { None } else { self.written(cell) };
        match value.as_deref().map(|value| self.notation.read(value)) {
            Some(Number::Plain(Cow::Owned(_))) => 1,
            Some(Number::Other) => 2,
            _ => 0,
        }
    }

    fn written<'a>(&self, cell: &'a str) -> Option<Cow<'a, str>> {
        let value = match self.text {
            TextStyle::Plain => Cow::Borrowed(cell),
            TextStyle::Csv { .. } => unquote(cell),
        };
        let value = match value {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        };
        let missing = value.is_empty() || self.nulls.iter().any(|null| *null == *value);
        (!missing).then_some(value)
    }
}

/// A column as text: string columns as they are, others in Arrow's own notation. A value that has no text is an error, not missing.
pub(crate) fn as_text(batch: &RecordBatch, place: usize, path: &Path) -> Result<StringViewArray, FileError> {
    let column = batch.column(place);
    if let Some(cells) = fields::cells(batch, place) {
        return Ok(Fields::of(cells).texts());
    }
    let not_text = || FileError::NotText { path: path.to_owned(), column: batch.schema().field(place).name().clone() };
    let text = text_of(column).map_err(|source| match source {
        ArrowError::CastError(_) => not_text(),
        source => FileError::Arrow { path: path.to_owned(), source },
    })?;
    if text.null_count() > column.logical_null_count() {
        return Err(not_text());
    }
    Ok(without_nans(column, text))
}

/// The text of every cell, in Arrow's own notation. Where a cell is not null and its text is, it has none.
pub fn text_of(column: &ArrayRef) -> Result<StringViewArray, ArrowError> {
    if let Some(views) = column.as_string_view_opt() {
        return Ok(views.clone());
    }
    let text = arrow_cast::cast(&in_utc(column)?, &DataType::Utf8View)?;
    Ok(text.as_string_view().clone())
}

/// Texts of a column of floating-point numbers, where one that is no number is missing: so it adds no diversity, and numbers stay numbers.
pub(crate) fn without_nans(column: &ArrayRef, text: StringViewArray) -> StringViewArray {
    let kind = match column.data_type() {
        DataType::Dictionary(_, values) => values,
        kind => kind,
    };
    let is_nan = |text: Option<&str>| text == Some("NaN");
    if !kind.is_floating() || !text.iter().any(is_nan) {
        return text;
    }
    text.iter().map(|text| text.filter(|text| !is_nan(Some(text)))).collect()
}

/// Times of a named zone are read in UTC: the same moments, without a table of what every zone's clocks showed when.
pub(crate) fn in_utc(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match column.data_type() {
        DataType::Timestamp(unit, Some(zone)) if !zone.starts_with(['+', '-']) => {
            let utc = DataType::Timestamp(*unit, Some("+00:00".into()));
            Ok(make_array(column.to_data().into_builder().data_type(utc).build()?))
        }
        _ => Ok(column.clone()),
    }
}

/// For each record, is a value missing in one of the columns? Both passes ask this, and leave out the same records.
pub(crate) fn lacking(
    batch: &RecordBatch,
    columns: &[usize],
    reader: &CellReader,
    path: &Path,
) -> Result<Vec<bool>, FileError> {
    let mut lacking = if columns.is_empty() { Vec::new() } else { vec![false; batch.num_rows()] };
    for &column in columns {
        let missing = ColumnCells::of(batch, column, path)?
            .number(|cell| Ok::<_, FileError>(u32::from(cell.and_then(|cell| reader.value(cell)).is_none())))?;
        lacking.iter_mut().zip(missing).for_each(|(lacking, missing)| *lacking |= missing == 1);
    }
    Ok(lacking)
}

pub(crate) fn hash_text(text: &str) -> u64 {
    FixedState::with_seed(0).hash_one(text)
}

pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    FixedState::with_seed(0).hash_one(bytes)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{Float64Array, StringArray};

    use super::*;

    const CSV: TextStyle = TextStyle::Csv { delimiter: b',', crlf: false };

    #[test]
    fn cells_are_read_without_quotes_blanks_and_null_markers() {
        let reader = CellReader::new(CSV, &["?".to_owned(), " NA ".to_owned()]);
        assert_eq!(reader.value(" Male ").as_deref(), Some("Male"));
        assert_eq!(reader.value("\"a \"\"b\"\"\"").as_deref(), Some("a \"b\""));
        for missing in ["", "  ", "\"\"", "?", " ?", "\"NA\""] {
            assert_eq!(reader.value(missing), None, "{missing}");
        }
        assert_eq!(CellReader::new(TextStyle::Plain, &[]).value("\"x\"").as_deref(), Some("\"x\""));
    }

    #[test]
    fn what_is_no_number_is_missing_in_a_column_of_numbers() {
        let rates = Arc::new(Float64Array::from(vec![Some(0.5), Some(f64::NAN), None])) as ArrayRef;
        let names = Arc::new(StringArray::from(vec!["NaN", "x", "y"])) as ArrayRef;
        let batch = RecordBatch::try_from_iter([("rate", rates), ("name", names)]).unwrap();
        let text = |place: usize| as_text(&batch, place, Path::new("t")).unwrap();
        assert_eq!(text(0).iter().collect::<Vec<_>>(), [Some("0.5"), None, None]);
        assert_eq!(text(1).value(0), "NaN", "a text is what it is");
    }
}
