//! Which cells of a column say the same?
//!
//! Cells are told apart in the form that they are stored in, and only distinct ones become text: a column has far fewer of those.

mod texts;

use std::fmt::Display;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, ListViewArray, PrimitiveArray, RecordBatch, StringViewArray};
use arrow_schema::DataType;
use hashbrown::HashTable;

use crate::cells::{as_text, text_of, without_nans};
use crate::error::FileError;
use crate::fields::{self, Fields};
use crate::vocabulary::{Known, StoredCell};
use texts::number_texts;

/// The cells of a column of a batch.
pub(crate) enum ColumnCells {
    /// As text.
    Text(StringViewArray),
    /// As fields of a block of text.
    Fields(ListViewArray),
    /// Whole numbers of any width.
    Integers(ArrayRef),
    /// Words of a dictionary, and which one each cell is.
    Words { words: StringViewArray, cells: ArrayRef },
}

impl ColumnCells {
    pub(crate) fn of(batch: &RecordBatch, place: usize, path: &Path) -> Result<Self, FileError> {
        let column = batch.column(place);
        if column.data_type().is_integer() {
            return Ok(ColumnCells::Integers(column.clone()));
        }
        if let Some(fields) = fields::cells(batch, place) {
            return Ok(ColumnCells::Fields(fields.clone()));
        }
        match words(column) {
            Some(words) => Ok(words),
            None => as_text(batch, place, path).map(ColumnCells::Text),
        }
    }

    /// Numbers for the distinct cells: `number` is asked once for each of them (`None` is a null) and its answer is given to every cell
    /// that is the same.
    pub(crate) fn number<E>(&self, mut number: impl FnMut(Option<&str>) -> Result<u32, E>) -> Result<Vec<u32>, E> {
        self.number_unknown(&Known::default(), |cell| number(cell.text))
    }

    /// The same, but `number` is asked only for cells that are not known.
    pub(crate) fn number_unknown<E>(
        &self,
        known: &Known,
        number: impl FnMut(Cell<'_>) -> Result<u32, E>,
    ) -> Result<Vec<u32>, E> {
        match self {
            ColumnCells::Text(text) => number_texts(text, known, number),
            ColumnCells::Fields(column) => number_texts(&Fields::of(column), known, number),
            ColumnCells::Integers(array) => match array.data_type() {
                DataType::Int8 => number_integers::<Int8Type, _>(array.as_primitive(), known, number),
                DataType::Int16 => number_integers::<Int16Type, _>(array.as_primitive(), known, number),
                DataType::Int32 => number_integers::<Int32Type, _>(array.as_primitive(), known, number),
                DataType::Int64 => number_integers::<Int64Type, _>(array.as_primitive(), known, number),
                DataType::UInt8 => number_integers::<UInt8Type, _>(array.as_primitive(), known, number),
                DataType::UInt16 => number_integers::<UInt16Type, _>(array.as_primitive(), known, number),
                DataType::UInt32 => number_integers::<UInt32Type, _>(array.as_primitive(), known, number),
                _ => number_integers::<UInt64Type, _>(array.as_primitive(), known, number),
            },
            ColumnCells::Words { words, cells } => number_words(words, cells, known, number),
        }
    }
}

/// A cell that is asked about.
pub(crate) struct Cell<'a> {
    /// What it says; `None` is a null.
    pub(crate) text: Option<&'a str>,
    /// The number that it is stored as, if it is one.
    integer: Option<u64>,
}

impl Cell<'_> {
    const NULL: Cell<'static> = Cell { text: None, integer: None };

    /// The cell for those who look for the same one elsewhere.
    pub(crate) fn stored(&self) -> StoredCell {
        match (self.integer, self.text) {
            (Some(value), _) => StoredCell::Integer(value),
            (None, Some(text)) => StoredCell::Text(text.to_owned()),
            (None, None) => StoredCell::Null,
        }
    }
}

/// The answer that is known, or a new one.
fn once<E>(known: &mut Option<u32>, answer: impl FnOnce() -> Result<u32, E>) -> Result<u32, E> {
    if let Some(known) = known {
        return Ok(*known);
    }
    let answer = answer()?;
    *known = Some(answer);
    Ok(answer)
}

/// Every word of a dictionary that is in use is asked for once.
fn number_words<E>(
    words: &StringViewArray,
    cells: &ArrayRef,
    known: &Known,
    mut number: impl FnMut(Cell<'_>) -> Result<u32, E>,
) -> Result<Vec<u32>, E> {
    let mut ask = |key: Option<usize>| match key.and_then(|key| known.text(words.value(key))) {
        Some(answer) => Ok(answer),
        None => number(key.map_or(Cell::NULL, |key| Cell { text: Some(words.value(key)), integer: None })),
    };
    let has_nulls = cells.logical_null_count() > 0 || words.null_count() > 0;
    if let Some(dictionary) = cells.as_dictionary_opt::<Int32Type>().filter(|_| !has_nulls) {
        return number_keys(words, dictionary.keys().values(), known, |key| ask(Some(key)));
    }
    let mut null = known.null();
    let mut of_word = vec![None; words.len()];
    let mut numbers = Vec::with_capacity(cells.len());
    for (row, key) in cells.as_any_dictionary().normalized_keys().into_iter().enumerate() {
        numbers.push(match has_nulls && (cells.is_null(row) || words.is_null(key)) {
            true => once(&mut null, || ask(None))?,
            false => once(&mut of_word[key], || ask(Some(key)))?,
        });
    }
    Ok(numbers)
}

/// The same where no cell is a null. Mostly all words are known.
fn number_keys<E>(
    words: &StringViewArray,
    keys: &[i32],
    known: &Known,
    mut ask: impl FnMut(usize) -> Result<u32, E>,
) -> Result<Vec<u32>, E> {
    let mut of_word = vec![UNTOLD; words.len()];
    // Of a dictionary with more words than there are cells most are in no cell.
    if words.len() <= keys.len() {
        (0..words.len()).for_each(|key| of_word[key] = known.text(words.value(key)).unwrap_or(UNTOLD));
        if !of_word.contains(&UNTOLD) {
            return Ok(keys.iter().map(|&key| of_word[key as usize]).collect());
        }
    }
    let mut numbers = Vec::with_capacity(keys.len());
    for key in keys.iter().map(|&key| key as usize) {
        if of_word[key] == UNTOLD {
            of_word[key] = ask(key)?;
        }
        numbers.push(of_word[key]);
    }
    Ok(numbers)
}

/// No cell has this number.
const UNTOLD: u32 = u32::MAX;

/// The cells of a dictionary, if each of its words has a text.
fn words(column: &ArrayRef) -> Option<ColumnCells> {
    let dictionary = column.as_any_dictionary_opt().filter(|dictionary| !dictionary.values().is_empty())?;
    let words = text_of(dictionary.values()).ok()?;
    if words.null_count() > dictionary.values().logical_null_count() {
        return None;
    }
    let words = without_nans(dictionary.values(), words);
    Some(ColumnCells::Words { words, cells: column.clone() })
}

fn number_integers<T: ArrowPrimitiveType<Native: Into<i128> + Display>, E>(
    column: &PrimitiveArray<T>,
    known: &Known,
    mut number: impl FnMut(Cell<'_>) -> Result<u32, E>,
) -> Result<Vec<u32>, E> {
    let has_nulls = column.null_count() > 0;
    let mut numbers = Vec::with_capacity(column.len());
    if let Some(close) = known.close().filter(|_| !has_nulls) {
        let codes = column.values().iter().map(|&native| close.code(native.into() as u64));
        // Up to the first that is not known.
        numbers.extend(codes.map_while(|code| code));
    }
    let mut others: HashTable<(u64, u32)> = HashTable::new();
    let mut null = known.null();
    for (row, &native) in column.values().iter().enumerate().skip(numbers.len()) {
        if has_nulls && column.is_null(row) {
            numbers.push(once(&mut null, || number(Cell::NULL))?);
            continue;
        }
        let value = native.into() as u64;
        let other = || others.find(hash_integer(value), |&(other, _)| other == value).map(|&(_, answer)| answer);
        numbers.push(match known.number(value).or_else(other) {
            Some(answer) => answer,
            None => {
                let answer = number(Cell { text: Some(&native.to_string()), integer: Some(value) })?;
                others.insert_unique(hash_integer(value), (value, answer), |&(other, _)| hash_integer(other));
                answer
            }
        });
    }
    Ok(numbers)
}

pub(crate) fn hash_integer(value: u64) -> u64 {
    let mixed = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// A view of up to 12 bytes holds its text, so that equal views are equal texts.
pub(crate) fn is_inline(view: u128) -> bool {
    view as u32 <= 12
}

/// The view of a text that it holds, if it does.
pub(crate) fn view_of(text: &str) -> Option<u128> {
    let mut bytes = [0; 16];
    bytes.get_mut(4..4 + text.len())?.copy_from_slice(text.as_bytes());
    Some(u128::from_le_bytes(bytes) | text.len() as u128)
}

pub(crate) fn hash_view(view: u128) -> u64 {
    let mixed =
        (view as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ((view >> 64) as u64).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed ^ (mixed >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{DictionaryArray, Int64Array, UInt64Array};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_distinct_cell_is_asked_for_once() {
        let long = "a text of more than twelve bytes";
        let column: StringViewArray =
            [Some("a"), Some(long), None, Some("a"), Some("b"), None, Some(long), Some("")].into_iter().collect();
        let (numbers, asked) = numbered(Arc::new(column));
        assert_eq!(numbers, [0, 1, 2, 0, 3, 2, 1, 4]);
        assert_eq!(asked.len(), 5);
    }

    fn numbered(column: ArrayRef) -> (Vec<u32>, Vec<Option<String>>) {
        let batch = RecordBatch::try_from_iter([("c", column)]).unwrap();
        let mut asked = Vec::new();
        let numbers = ColumnCells::of(&batch, 0, Path::new("t")).unwrap().number(|cell| {
            asked.push(cell.map(str::to_owned));
            Ok::<_, ()>(asked.len() as u32 - 1)
        });
        (numbers.unwrap(), asked)
    }

    #[test]
    fn large_numbers_are_told_apart() {
        let (numbers, asked) = numbered(Arc::new(UInt64Array::from(vec![u64::MAX, 0, u64::MAX, 1 << 63])));
        assert_eq!(numbers, [0, 1, 0, 2]);
        assert_eq!(asked[0].as_deref(), Some("18446744073709551615"));
        let (numbers, asked) = numbered(Arc::new(Int64Array::from(vec![Some(-1), None, Some(i64::MIN), None])));
        assert_eq!((numbers, asked[2].as_deref()), (vec![0, 1, 2, 1], Some("-9223372036854775808")));
    }

    proptest! {
        #[test]
        fn numbers_and_words_are_what_their_texts_are(cells in prop::collection::vec(prop::option::of(-3..3_i64), 0..40)) {
            let texts: Vec<Option<String>> = cells.iter().map(|cell| cell.map(|cell| cell.to_string())).collect();
            let expected = numbered(Arc::new(texts.iter().map(Option::as_deref).collect::<StringViewArray>()));
            prop_assert_eq!(&numbered(Arc::new(Int64Array::from(cells.clone()))), &expected);
            let words: DictionaryArray<Int8Type> = texts.iter().map(Option::as_deref).collect();
            prop_assert_eq!(&numbered(Arc::new(words)), &expected);
        }
    }
}
