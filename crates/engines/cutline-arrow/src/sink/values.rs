//! Columns as values, for formats that have types: raw CSV fields are unquoted, and columns get types
//! that other programs read.
//!
//! Views and dictionaries are also replaced for a second reason: an array of either kind may carry
//! bytes that none of its rows refers to (the block that a CSV field was found in, values of records
//! that were dropped), and the Arrow format writes them along. What is not published must not be in
//! the file.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, StringViewArray};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};

use super::{TEXT_KEY, WORDS_KEY, is_raw};
use crate::error::FileError;
use crate::source::{KIND_KEY, TextStyle, unquote};

/// What stays of dictionaries and of views of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// Both stay: the writer of Parquet writes the values that rows refer to. Keys become wide enough for those of several batches, and
    /// texts are none the wiser: in the file they have no views.
    ForParquet,
    /// They become plain columns.
    Nothing,
}

/// Turns batches as they come into batches of values.
#[derive(Debug)]
pub(crate) struct Values {
    path: PathBuf,
    schema: SchemaRef,
    /// The types of the batches: those of the schema but for views and numbers of labels that stay.
    batches: SchemaRef,
    raw: Vec<bool>,
}

impl Values {
    pub(crate) fn new(path: &Path, schema: &Schema, text: TextStyle, kept: Kept) -> Self {
        let raw: Vec<bool> = schema
            .fields()
            .iter()
            .map(|field| is_raw(field, text) && field.data_type() == &DataType::Utf8View)
            .collect();
        let fields = || schema.fields().iter().zip(&raw);
        let published = fields().map(|(field, &raw)| published(field, raw, kept));
        let published = Schema::new(published.collect::<Vec<_>>()).with_metadata(schema.metadata().clone());
        let stays = |(field, &raw): (&Arc<Field>, &bool)| {
            let viewed = !raw && field.data_type() == &DataType::Utf8View;
            (kept == Kept::ForParquet && (viewed || are_words(field))).then(|| field.data_type().clone())
        };
        let in_batches = published.fields().iter().zip(fields().map(stays)).map(|(field, stays)| match stays {
            Some(kind) => field.as_ref().clone().with_data_type(kind),
            None => field.as_ref().clone(),
        });
        let batches = Arc::new(Schema::new(in_batches.collect::<Vec<_>>()));
        Self { path: path.into(), schema: Arc::new(published), batches, raw }
    }

    /// The schema of the values.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The same with the types that batches have.
    pub(crate) fn batches(&self) -> &SchemaRef {
        &self.batches
    }

    pub(crate) fn of(&self, batch: &RecordBatch) -> Result<RecordBatch, FileError> {
        let columns = batch.columns().iter().zip(self.batches.fields()).zip(&self.raw);
        let columns = columns
            .map(|((array, field), &raw)| match array.as_string_view_opt() {
                Some(fields) if raw => Ok(unquoted(fields)),
                _ if array.data_type() == field.data_type() => Ok(Arc::clone(array)),
                _ => converted(array, field),
            })
            .collect::<Result<Vec<_>, _>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        RecordBatch::try_new_with_options(Arc::clone(&self.batches), columns, &options)
            .map_err(|source| FileError::Arrow { path: self.path.clone(), source })
    }
}

/// A column in another type. What no value of that type says is an error, and no null.
fn converted(array: &ArrayRef, field: &Field) -> Result<ArrayRef, FileError> {
    let exact = CastOptions { safe: false, ..CastOptions::default() };
    // Arrow's message names the value.
    cast_with_options(array, field.data_type(), &exact)
        .map_err(|_| FileError::OutOfReach { column: field.name().clone() })
}

/// The values of raw fields; an empty field without quotes is a null.
fn unquoted(fields: &StringViewArray) -> ArrayRef {
    let bytes = fields.views().iter().map(|&view| view as u32 as usize).sum();
    let mut values = StringBuilder::with_capacity(fields.len(), bytes);
    for field in fields.iter() {
        match field {
            None | Some("") => values.append_null(),
            Some(field) => match unquote(field) {
                Cow::Borrowed(value) => values.append_value(value),
                Cow::Owned(value) => values.append_value(value),
            },
        }
    }
    Arc::new(values.finish())
}

/// Are these labels, or other texts, that come with numbers? In a file they are texts like those of any other table.
fn are_words(field: &Field) -> bool {
    let are_texts = [TEXT_KEY, WORDS_KEY].iter().any(|key| field.metadata().contains_key(key));
    are_texts && matches!(field.data_type(), DataType::Dictionary(..))
}

fn published(field: &Field, raw: bool, kept: Kept) -> Field {
    let mut notes = field.metadata().clone();
    for key in [TEXT_KEY, WORDS_KEY, KIND_KEY] {
        notes.remove(key);
    }
    let kind = if are_words(field) { DataType::Utf8 } else { portable(field.data_type(), kept) };
    Field::new(field.name(), kind, field.is_nullable() || raw).with_metadata(notes)
}

/// The type without views and runs, and without dictionaries if they are to go, at any depth.
fn portable(kind: &DataType, kept: Kept) -> DataType {
    let inner = |field: &Arc<Field>| {
        let kind = portable(field.data_type(), kept);
        Arc::new(field.as_ref().clone().with_data_type(kind))
    };
    match kind {
        DataType::Utf8View => DataType::Utf8,
        DataType::BinaryView => DataType::Binary,
        DataType::Dictionary(_, values) => match (portable(values, kept), kept) {
            (values, Kept::Nothing) => values,
            (values, Kept::ForParquet) => DataType::Dictionary(Box::new(DataType::Int32), Box::new(values)),
        },
        DataType::List(item) | DataType::ListView(item) => DataType::List(inner(item)),
        DataType::LargeList(item) | DataType::LargeListView(item) => DataType::LargeList(inner(item)),
        DataType::Map(entries, sorted) => DataType::Map(inner(entries), *sorted),
        DataType::RunEndEncoded(_, values) => portable(values.data_type(), kept),
        DataType::FixedSizeList(item, length) => DataType::FixedSizeList(inner(item), *length),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(inner).collect::<Fields>()),
        kind if kept == Kept::ForParquet => in_milliseconds(kind),
        kind => kind.clone(),
    }
}

/// Parquet knows no times in seconds, nor days in milliseconds: without a unit that it knows they would be numbers that nobody takes for times.
fn in_milliseconds(kind: &DataType) -> DataType {
    match kind {
        DataType::Timestamp(TimeUnit::Second, zone) => DataType::Timestamp(TimeUnit::Millisecond, zone.clone()),
        DataType::Time32(TimeUnit::Second) => DataType::Time32(TimeUnit::Millisecond),
        DataType::Date64 => DataType::Timestamp(TimeUnit::Millisecond, None),
        kind => kind.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use arrow_array::types::Int32Type;
    use arrow_array::{Date64Array, DictionaryArray, Int32Array, Time32SecondArray, TimestampSecondArray};
    use arrow_cast::cast;
    use parquet::arrow::ArrowSchemaConverter;

    use super::*;
    use crate::sink::TEXT_PLAIN;

    const CSV: TextStyle = TextStyle::Csv { delimiter: b',', crlf: false };

    fn view(name: &str) -> Field {
        Field::new(name, DataType::Utf8View, false)
    }

    #[test]
    fn raw_fields_become_values_and_labels_stay() {
        let plain = HashMap::from([(TEXT_KEY.to_string(), TEXT_PLAIN.to_string())]);
        let schema = Schema::new(vec![view("raw"), view("label").with_metadata(plain)]);
        let raw = StringViewArray::from(vec!["\"a \"\"b\"\"\"", "", "\"\""]);
        let labels = StringViewArray::from(vec!["\"x\"", "", "y"]);
        let batch = RecordBatch::try_new(Arc::new(schema.clone()), vec![Arc::new(raw), Arc::new(labels)]);
        let batch = batch.unwrap();
        for kept in [Kept::ForParquet, Kept::Nothing] {
            let values = Values::new(Path::new("x"), &schema, CSV, kept);
            let batch = values.of(&batch).unwrap();
            assert_eq!(batch.column(1).as_string_view_opt().is_some(), kept == Kept::ForParquet);
            assert_eq!(values.schema().field(1).data_type(), &DataType::Utf8, "in the file it has no views");
            let list = |i: usize| {
                let texts = cast(batch.column(i), &DataType::Utf8).unwrap();
                texts.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>()
            };
            let some = |text: &str| Some(text.to_owned());
            assert_eq!(list(0), [some("a \"b\""), None, some("")]);
            assert_eq!(list(1), [some("\"x\""), some(""), some("y")]);
            assert!(values.schema().field(1).metadata().is_empty());
        }
    }

    #[test]
    fn values_that_no_row_refers_to_are_left_out() {
        let words: DictionaryArray<Int32Type> = vec!["secret", "a", "b"].into_iter().collect();
        let words = Arc::new(words.slice(1, 2)) as ArrayRef;
        let field = Field::new("w", words.data_type().clone(), false);
        let schema = Schema::new(vec![field]);
        let batch = RecordBatch::try_new(Arc::new(schema.clone()), vec![words]).unwrap();
        let values = Values::new(Path::new("x"), &schema, TextStyle::Plain, Kept::Nothing);
        let batch = values.of(&batch).unwrap();
        assert_eq!(batch.column(0).as_string::<i32>().values().as_ref(), b"ab");
    }

    #[test]
    fn times_have_a_unit_that_parquet_knows() {
        let times: [(ArrayRef, &str); 3] = [
            (Arc::new(Date64Array::from(vec![Some(1_578_182_400_000), None])), "2020-01-05T00:00:00"),
            (
                Arc::new(TimestampSecondArray::from(vec![Some(1), None]).with_timezone("+01:00")),
                "1970-01-01T01:00:01+01:00",
            ),
            (Arc::new(Time32SecondArray::from(vec![Some(3661), None])), "01:01:01"),
        ];
        for (times, text) in times {
            let schema = Schema::new(vec![Field::new("t", times.data_type().clone(), true)]);
            let batch = RecordBatch::try_new(Arc::new(schema.clone()), vec![times.clone()]).unwrap();
            let of = |kept| {
                Values::new(Path::new("x"), &schema, TextStyle::Plain, kept).of(&batch).unwrap().column(0).clone()
            };
            assert_eq!(of(Kept::Nothing).data_type(), times.data_type());
            let descriptor = ArrowSchemaConverter::new().convert(&Schema::new(vec![Field::new(
                "t",
                of(Kept::ForParquet).data_type().clone(),
                true,
            )]));
            assert!(descriptor.unwrap().column(0).logical_type_ref().is_some(), "{}", times.data_type());
            assert_eq!(
                cast(&of(Kept::ForParquet), &DataType::Utf8).unwrap().as_string::<i32>().iter().collect::<Vec<_>>(),
                [Some(text), None]
            );
        }
    }

    #[test]
    fn a_time_that_is_too_far_away_is_refused_and_not_told() {
        let late: ArrayRef = Arc::new(TimestampSecondArray::from(vec![9_000_000_000_000_000_000]));
        let schema = Schema::new(vec![Field::new("t", late.data_type().clone(), true)]);
        let batch = RecordBatch::try_new(Arc::new(schema.clone()), vec![late]).unwrap();
        let refused = Values::new(Path::new("x"), &schema, TextStyle::Plain, Kept::ForParquet).of(&batch).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "column `t` has values that are out of reach for the type that it gets in the file"
        );
    }

    #[test]
    fn views_are_replaced_at_any_depth() {
        let list = DataType::new_list(DataType::Utf8View, true);
        let expected = DataType::new_list(DataType::Utf8, true);
        assert_eq!(portable(&list, Kept::ForParquet), expected);
        let numbers = Arc::new(Int32Array::from(vec![1])) as ArrayRef;
        assert_eq!(portable(numbers.data_type(), Kept::ForParquet), DataType::Int32);
    }
}
