//! What is published as it is, and was looked at already: which cell, as it is stored, does each code of a column stand for?
//!
//! A column of which all codes are known, each of them for one cell, need not be read again.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, StringViewArray, UInt64Array};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::DataType;
use cutline_table::Codes;

use crate::vocabulary::StoredCell;

/// Which cell, as it is stored, each code of a column stands for.
#[derive(Debug, Default)]
pub(crate) struct StoredCells {
    of_code: Vec<Option<StoredCell>>,
    /// The bytes of their texts.
    bytes: usize,
    /// Some code stands for different cells, or there are too many codes or long texts.
    is_over: bool,
}

/// Cells of columns with more codes, or longer texts, are not worth keeping a second time.
const MOST_CODES: usize = 1 << 15;
const MOST_TEXT: usize = 4 << 20;

impl StoredCells {
    /// A cell that has a code. Every cell must come, once or several times.
    pub(crate) fn see(&mut self, cell: &StoredCell, code: u32) {
        self.is_over = self.is_over || !self.keeps(cell, code as usize);
        if self.is_over {
            self.of_code = Vec::new();
        }
    }

    /// Is it the only cell of its code, and is there room for it?
    fn keeps(&mut self, cell: &StoredCell, code: usize) -> bool {
        if code >= MOST_CODES {
            return false;
        }
        if self.of_code.len() <= code {
            self.of_code.resize(code + 1, None);
        }
        if let Some(other) = &self.of_code[code] {
            return other == cell;
        }
        self.bytes += if let StoredCell::Text(text) = cell { text.len() } else { 0 };
        self.of_code[code] = Some(cell.clone());
        self.bytes <= MOST_TEXT
    }

    /// The cell of each code in a column of this type, if each is one.
    pub(crate) fn cells(self, kind: &DataType) -> Option<ArrayRef> {
        if self.is_over {
            return None;
        }
        match kind {
            DataType::Utf8View => self.texts(),
            DataType::UInt64 => Some(Arc::new(self.of_code.iter().map(number).collect::<Option<UInt64Array>>()?)),
            kind if kind.is_integer() => {
                // Narrower ones were widened with their sign: to make them narrow again loses nothing.
                let signed = |cell: &Option<StoredCell>| Some(number(cell)?.map(|number| number as i64));
                let exact = CastOptions { safe: false, ..CastOptions::default() };
                cast_with_options(&self.of_code.iter().map(signed).collect::<Option<Int64Array>>()?, kind, &exact).ok()
            }
            _ => None,
        }
    }

    fn texts(&self) -> Option<ArrayRef> {
        let text = |cell: &Option<StoredCell>| match cell {
            Some(StoredCell::Text(text)) => Some(Some(text.clone())),
            Some(StoredCell::Null) | None => Some(None),
            Some(StoredCell::Integer(_)) => None,
        };
        Some(Arc::new(self.of_code.iter().map(text).collect::<Option<StringViewArray>>()?))
    }
}

/// A cell of whole numbers; nothing if it is none.
fn number(cell: &Option<StoredCell>) -> Option<Option<u64>> {
    match cell {
        Some(StoredCell::Integer(number)) => Some(Some(*number)),
        Some(StoredCell::Null) | None => Some(None),
        Some(StoredCell::Text(_)) => None,
    }
}

/// A column that was drawn from, and all records were drawn.
#[derive(Debug)]
pub(crate) struct StoredColumn {
    pub(crate) column: usize,
    /// One for each record.
    pub(crate) codes: Codes,
    /// The cell of each code.
    pub(crate) cells: ArrayRef,
}

/// Such columns take so much memory at most, all together.
const MOST_BYTES: usize = 64 << 20;

impl StoredColumn {
    /// Those of some columns whose cells are known, as many of the first as there is room for.
    pub(crate) fn all<'a>(columns: impl Iterator<Item = (usize, &'a Codes, ArrayRef)>) -> Vec<Self> {
        let mut left = MOST_BYTES;
        let fits = |(_, codes, cells): &(usize, &Codes, ArrayRef)| {
            let room = left.checked_sub(codes.bytes() + cells.get_array_memory_size());
            left = room.unwrap_or(left);
            room.is_some()
        };
        let stored =
            |(column, codes, cells): (usize, &Codes, ArrayRef)| StoredColumn { column, codes: codes.clone(), cells };
        columns.filter(fits).map(stored).collect()
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int8Type;

    use super::*;

    fn cells(cells: &[(StoredCell, u32)], kind: &DataType) -> Option<ArrayRef> {
        let mut stored = StoredCells::default();
        cells.iter().for_each(|(cell, code)| stored.see(cell, *code));
        stored.cells(kind)
    }

    #[test]
    fn cells_are_told_by_their_codes_only_where_each_code_is_one() {
        let text = |text: &str| StoredCell::Text(text.to_owned());
        let texts = |of: &[(StoredCell, u32)]| cells(of, &DataType::Utf8View);
        let same = texts(&[(text(" a"), 2), (StoredCell::Null, 0), (text(" a"), 2), (text("b"), 1)]).unwrap();
        assert_eq!(same.as_string_view().iter().collect::<Vec<_>>(), [None, Some("b"), Some(" a")]);
        let differ = texts(&[(text("a"), 1), (text(" a"), 1), (text("b"), 2)]);
        assert!(differ.is_none(), "the same value, written in two ways");
        assert!(texts(&[(text(""), 0), (StoredCell::Null, 0)]).is_none(), "a value may be missing in two ways");
        assert!(texts(&[(StoredCell::Integer(7), 1)]).is_none(), "a number is no text");
        assert!(texts(&[(text("a"), 1), (text("b"), MOST_CODES as u32), (text("c"), 2)]).is_none(), "too many");
        let long: Vec<(StoredCell, u32)> = (0..4).map(|n| (text(&"long".repeat(n << 18)), n as u32)).collect();
        assert!(texts(&long[..3]).is_some() && texts(&long).is_none(), "the last one is too much");
    }

    #[test]
    fn numbers_have_the_type_of_their_column() {
        let stored = |number: i128| StoredCell::Integer(number as u64);
        let numbers = [(stored(-7), 1), (StoredCell::Null, 0), (stored(127), 2)];
        let narrow = cells(&numbers, &DataType::Int8).unwrap();
        assert_eq!(narrow.as_primitive::<Int8Type>().iter().collect::<Vec<_>>(), [None, Some(-7), Some(127)]);
        let large = cells(&[(stored(i128::from(u64::MAX)), 0)], &DataType::UInt64).unwrap();
        assert_eq!(*large.as_primitive::<arrow_array::types::UInt64Type>(), UInt64Array::from(vec![u64::MAX]));
        assert!(cells(&[(StoredCell::Text("7".to_owned()), 0)], &DataType::Int64).is_none());
        assert!(cells(&numbers, &DataType::Float64).is_none());
    }

    #[test]
    fn only_so_many_columns_are_kept() {
        let cells: ArrayRef = Arc::new(StringViewArray::from(vec!["x"]));
        let codes: Vec<Codes> = [40, 30, 20].map(|megabytes| Codes::U8(vec![0; megabytes << 20])).into();
        let columns = codes.iter().zip([4, 7, 9]).map(|(codes, column)| (column, codes, cells.clone()));
        let kept: Vec<usize> = StoredColumn::all(columns).iter().map(|stored| stored.column).collect();
        assert_eq!(kept, [4, 9]);
    }
}
