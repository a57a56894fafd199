//! Which ids do the cells of an Arrow column have?

mod encoded;

use std::borrow::Cow;
use std::fmt::Write;
use std::str;

use arrow_array::cast::AsArray;
use arrow_array::{Array, GenericStringArray, StringViewArray};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType;

use crate::dictionary::{Dictionary, NULL, Refused};

/// Without this, a value that cannot be formatted would get the text of an error.
const STRICT: FormatOptions<'static> = FormatOptions::new().with_display_error(false);

const UTC: &str = "+00:00";

/// Whether equal text means equal values for this type. It does not for nested types: the lists
/// `["a, b"]` and `["a", "b"]` are displayed alike.
pub(crate) fn has_unique_text(data_type: &DataType) -> bool {
    use DataType as T;
    match data_type {
        T::Dictionary(_, values) => !matches!(**values, T::Dictionary(..)) && has_unique_text(values),
        T::Null | T::Boolean => true,
        T::Utf8 | T::LargeUtf8 | T::Utf8View => true,
        T::Binary | T::LargeBinary | T::BinaryView | T::FixedSizeBinary(_) => true,
        T::Date32 | T::Date64 | T::Time32(_) | T::Time64(_) => true,
        T::Timestamp(..) | T::Duration(_) => true,
        other => other.is_numeric(),
    }
}

/// Appends the id of every cell of a column whose type [`has_unique_text`].
pub(crate) fn append_ids(array: &dyn Array, dictionary: &mut Dictionary, ids: &mut Vec<u32>) -> Result<(), Refused> {
    if let Some(encoded) = array.as_any_dictionary_opt() {
        return encoded::append(encoded, dictionary, ids);
    }
    if let DataType::Timestamp(unit, Some(zone)) = array.data_type()
        && **zone != *UTC
    {
        // Names of time zones have no display text, and equal instants are equal in all of them.
        let utc = DataType::Timestamp(*unit, Some(UTC.into()));
        let array = arrow_cast::cast(array, &utc).map_err(|_| Refused::NoText)?;
        return append_ids(&array, dictionary, ids);
    }
    // Logical, because an array of the type Null has no bitmap that says so.
    let nulls = array.logical_nulls();
    let mut texts = Texts::new(array)?;
    for row in 0..array.len() {
        let null = nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        ids.push(if null { NULL } else { texts.id(row, dictionary)? });
    }
    Ok(())
}

/// The texts of an array's values, without copying where they are strings.
enum Texts<'a> {
    Utf8(&'a GenericStringArray<i32>),
    LargeUtf8(&'a GenericStringArray<i64>),
    View(&'a StringViewArray),
    Bytes(Box<dyn Fn(usize) -> &'a [u8] + 'a>),
    Display { format: ArrayFormatter<'a>, buffer: String, floats: bool },
}

impl<'a> Texts<'a> {
    fn new(array: &'a dyn Array) -> Result<Self, Refused> {
        Ok(match array.data_type() {
            DataType::Utf8 => Texts::Utf8(array.as_string()),
            DataType::LargeUtf8 => Texts::LargeUtf8(array.as_string()),
            DataType::Utf8View => Texts::View(array.as_string_view()),
            DataType::Binary => Texts::bytes(move |index| array.as_binary::<i32>().value(index)),
            DataType::LargeBinary => Texts::bytes(move |index| array.as_binary::<i64>().value(index)),
            DataType::BinaryView => Texts::bytes(move |index| array.as_binary_view().value(index)),
            DataType::FixedSizeBinary(_) => Texts::bytes(move |index| array.as_fixed_size_binary().value(index)),
            _ => Texts::Display {
                format: ArrayFormatter::try_new(array, &STRICT).map_err(|_| Refused::NoText)?,
                buffer: String::new(),
                floats: array.data_type().is_floating(),
            },
        })
    }

    fn bytes(of: impl Fn(usize) -> &'a [u8] + 'a) -> Self {
        Texts::Bytes(Box::new(of))
    }

    fn id(&mut self, index: usize, dictionary: &mut Dictionary) -> Result<u32, Refused> {
        match self {
            Texts::Utf8(array) => dictionary.id(array.value(index).as_bytes()),
            Texts::LargeUtf8(array) => dictionary.id(array.value(index).as_bytes()),
            Texts::View(array) => dictionary.id(array.value(index).as_bytes()),
            Texts::Bytes(of) => dictionary.id(text_of_bytes(of(index)).as_bytes()),
            Texts::Display { format, buffer, floats } => {
                buffer.clear();
                format.value(index).write(buffer).map_err(|_| Refused::NoText)?;
                // What is no number is no value of a column of numbers: it must not add diversity.
                if *floats && buffer == "NaN" { Ok(NULL) } else { dictionary.id(buffer.as_bytes()) }
            }
        }
    }
}

/// Bytes say what they say as text: blanks around it and what stands for a missing value must be seen in them, too. Bytes that are no
/// text are `\x` and hexadecimal digits, and so are texts that look like that: different bytes have different texts.
fn text_of_bytes(bytes: &[u8]) -> Cow<'_, str> {
    const HEXADECIMAL: &str = "\\x";
    match str::from_utf8(bytes) {
        Ok(text) if !text.starts_with(HEXADECIMAL) => Cow::Borrowed(text),
        _ => bytes.iter().fold(Cow::Borrowed(HEXADECIMAL), |mut text, byte| {
            // Writing to a text cannot fail.
            let _ = write!(text.to_mut(), "{byte:02x}");
            text
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::encoded::WordsOfParquet;
    use super::*;
    use arrow_array::types::{Int8Type, Int32Type};
    use arrow_array::*;
    use arrow_schema::{Field, TimeUnit};

    fn ids(array: &dyn Array) -> Vec<u32> {
        let mut ids = Vec::new();
        append_ids(array, &mut Dictionary::new(), &mut ids).unwrap();
        ids
    }

    #[test]
    fn every_string_type_and_null() {
        let cells = vec![Some("a"), None, Some(""), Some("a"), None];
        let expected = [1, 0, 2, 1, 0];
        assert_eq!(ids(&StringArray::from(cells.clone())), expected);
        assert_eq!(ids(&LargeStringArray::from(cells.clone())), expected);
        assert_eq!(ids(&StringViewArray::from(cells.clone())), expected);
        assert_eq!(ids(&cells.into_iter().collect::<DictionaryArray<Int32Type>>()), expected);
        assert_eq!(ids(&NullArray::new(2)), [0, 0]);
    }

    #[test]
    fn numbers_dates_and_bytes_are_told_apart_by_their_text() {
        assert_eq!(ids(&Int64Array::from(vec![Some(7), None, Some(-7), Some(7)])), [1, 0, 2, 1]);
        assert_eq!(ids(&Float64Array::from(vec![0.1 + 0.2, 0.3, 0.3])), [1, 2, 2]);
        assert_eq!(ids(&BooleanArray::from(vec![true, false, true])), [1, 2, 1]);
        assert_eq!(ids(&TimestampNanosecondArray::from(vec![1, 2, 1])), [1, 2, 1]);
        let instants = TimestampSecondArray::from(vec![Some(1), None, Some(1)]);
        assert_eq!(ids(&instants.with_timezone("Europe/Berlin")), [1, 0, 1]);
        assert_eq!(ids(&BinaryArray::from(vec![b"\xff".as_ref(), b"", b"\xff"])), [1, 2, 1]);
    }

    /// Cells of one column that are text in one file and bytes in another are the same.
    #[test]
    fn bytes_say_what_they_say_as_text() {
        let cells: [&[u8]; 4] = [b"HIV", b"HIV ", b"\xff", b"\\xff"];
        let mut dictionary = Dictionary::new();
        for array in [
            Arc::new(BinaryArray::from_vec(cells.to_vec())) as ArrayRef,
            Arc::new(LargeBinaryArray::from_vec(cells.to_vec())),
            Arc::new(BinaryViewArray::from_iter_values(cells)),
        ] {
            let mut ids = Vec::new();
            append_ids(&array, &mut dictionary, &mut ids).unwrap();
            assert_eq!(ids, [1, 2, 3, 4]);
        }
        assert_eq!([1, 2].map(|id| dictionary.text(id).unwrap()), ["HIV", "HIV "]);
        let fixed = FixedSizeBinaryArray::try_from_iter([b"flu", b"HIV"].into_iter()).unwrap();
        let mut ids = Vec::new();
        append_ids(&fixed, &mut dictionary, &mut ids).unwrap();
        assert_eq!(ids, [5, 1]);
    }

    #[test]
    fn what_is_no_number_is_missing() {
        assert_eq!(ids(&Float64Array::from(vec![Some(1.0), Some(f64::NAN), None, Some(-f64::NAN)])), [1, 0, 0, 0]);
        assert_eq!(ids(&Float32Array::from(vec![f32::NAN, f32::INFINITY, 2.0])), [0, 1, 2]);
        let encoded = DictionaryArray::<Int8Type>::new(
            Int8Array::from(vec![0, 1, 0]),
            Arc::new(Float64Array::from(vec![f64::NAN, 3.0])),
        );
        assert_eq!(ids(&encoded), [0, 1, 0]);
        assert_eq!(ids(&StringArray::from(vec!["NaN"])), [1], "a text is what it is");
    }

    #[test]
    fn a_dictionary_array_may_repeat_and_null_its_entries() {
        let values = Arc::new(StringArray::from(vec![Some("x"), Some("x"), None, Some("unused")]));
        let keys = Int8Array::from(vec![Some(0), Some(1), Some(2), None, Some(1)]);
        let array = DictionaryArray::<Int8Type>::new(keys, values);
        assert_eq!(ids(&array), [1, 1, 0, 0, 1]);
        assert_eq!(ids(&array.slice(1, 2)), [1, 0], "fewer records than entries");
        let empty = DictionaryArray::<Int8Type>::new(
            Int8Array::from(vec![None, None]),
            Arc::new(StringArray::from(Vec::<&str>::new())),
        );
        assert_eq!(ids(&empty), [0, 0]);
    }

    #[test]
    fn words_without_nulls_are_what_their_texts_are() {
        let words = Arc::new(StringArray::from(vec!["unused", "x", "y", "x"]));
        let array = WordsOfParquet::new(Int32Array::from(vec![2, 1, 3, 2, 1]), words);
        assert_eq!(ids(&array), [1, 2, 2, 1, 2]);
        assert_eq!(ids(&array.slice(1, 4)), [1, 1, 2, 1]);
        let numbers = Arc::new(Float64Array::from(vec![f64::NAN, 3.0]));
        assert_eq!(ids(&WordsOfParquet::new(Int32Array::from(vec![1, 0, 1]), numbers)), [1, 0, 1]);
        let none = WordsOfParquet::new(Int32Array::from(Vec::<i32>::new()), Arc::new(StringArray::from(vec!["x"])));
        assert_eq!(ids(&none), [] as [u32; 0]);
    }

    #[test]
    fn a_value_without_text_is_refused() {
        let array = Date32Array::from(vec![i32::MAX]);
        let refused = append_ids(&array, &mut Dictionary::new(), &mut Vec::new());
        assert_eq!(refused, Err(Refused::NoText));
    }

    #[test]
    fn nested_types_are_not_compared_as_text() {
        let list = DataType::List(Arc::new(Field::new("item", DataType::Utf8, true)));
        assert!(!has_unique_text(&list));
        assert!(!has_unique_text(&DataType::Dictionary(Box::new(DataType::Int8), Box::new(list))));
        assert!(has_unique_text(&DataType::Timestamp(TimeUnit::Second, None)));
        assert!(has_unique_text(&DataType::Decimal128(10, 2)));
        assert!(!has_unique_text(&DataType::Interval(arrow_schema::IntervalUnit::DayTime)));
    }
}
