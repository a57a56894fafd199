//! Every sink: batches to files, and back through the sources.

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;

use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int64Array, ListArray, RecordBatch, StringArray,
    StringViewArray, StructArray,
};
use arrow_schema::{DataType, Schema};
use cutline_engine::EngineFault;
use proptest::prelude::*;

use super::*;
use crate::source::{self, SourceOptions};

const CSV: TextStyle = TextStyle::Csv { delimiter: b',', crlf: false };
const FORMATS: [Format; 4] = [Format::Csv, Format::JsonLines, Format::Parquet, Format::Arrow];

fn write(path: &Path, format: Format, batches: &[RecordBatch], text: TextStyle) -> Result<(), FileError> {
    let file = File::create(path).unwrap();
    let (encoder, mut writer) = create(file, path, format, &batches[0].schema(), text, 2)?;
    for batch in batches {
        writer.write(encoder.encode(batch)?)?;
    }
    writer.finish()?.sync_all().unwrap();
    Ok(())
}

fn written(batch: &RecordBatch, text: TextStyle) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    write(&path, Format::Csv, std::slice::from_ref(batch), text).unwrap();
    fs::read_to_string(path).unwrap()
}

/// As others see a Parquet file, and the other formats by their sources.
fn read(path: &Path) -> RecordBatch {
    if path.extension().is_some_and(|extension| extension == "parquet") {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
        let schema = Arc::new(reader.schema().as_ref().clone().with_metadata(arrow_schema::Metadata::default()));
        let batches: Vec<RecordBatch> = reader.build().unwrap().map(Result::unwrap).collect();
        return arrow_select::concat::concat_batches(&schema, &batches).unwrap();
    }
    let source = source::open(path.to_str().unwrap(), &SourceOptions::default(), 2).unwrap();
    let columns: Vec<usize> = (0..source.schema().fields().len()).collect();
    let chunks = source.chunks().unwrap();
    let batches: Vec<RecordBatch> = chunks.flat_map(|chunk| chunk.unwrap().read(&columns).unwrap()).collect();
    arrow_select::concat::concat_batches(&source.schema(), &batches).unwrap()
}

fn table(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, column)| (name, column, true))).unwrap()
}

fn views(values: &[&str]) -> ArrayRef {
    Arc::new(StringViewArray::from_iter_values(values))
}

fn typed() -> RecordBatch {
    table(vec![
        ("age", Arc::new(Int64Array::from(vec![Some(30), None, Some(-1)]))),
        ("name", Arc::new(StringArray::from(vec![Some("a,\"b\""), None, Some("")]))),
        ("rate", Arc::new(Float64Array::from(vec![0.1, 2.0, 1e300]))),
        ("ok", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None]))),
    ])
}

#[test]
fn raw_fields_are_written_byte_for_byte() {
    let batch = table(vec![
        ("a b", views(&["\"x\"", " y ", ""])),
        ("c", views(&["5\" pipe", "\"\"", "long".repeat(9).as_str()])),
    ]);
    assert_eq!(written(&batch, CSV), format!("a b,c\n\"x\",5\" pipe\n y ,\"\"\n,{}\n", "long".repeat(9)));
}

#[test]
fn the_delimiter_and_the_line_ends_of_the_source_are_kept() {
    let text = TextStyle::Csv { delimiter: b';', crlf: true };
    let batch = table(vec![("a;b", views(&["1,2"])), ("c", views(&["\"3;4\""]))]);
    assert_eq!(written(&batch, text), "\"a;b\";c\r\n1,2;\"3;4\"\r\n");
}

#[test]
fn labels_beside_raw_fields_are_quoted_where_they_must_be() {
    let plain = HashMap::from([(TEXT_KEY.to_string(), TEXT_PLAIN.to_string())]);
    let fields = vec![
        Field::new("raw", DataType::Utf8View, true),
        Field::new("label", DataType::Utf8View, true).with_metadata(plain),
    ];
    let columns = vec![views(&["\"a,b\"", "c"]), views(&["d,e", "[1-37)"])];
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap();
    assert_eq!(written(&batch, CSV), "raw,label\n\"a,b\",\"d,e\"\nc,[1-37)\n");
}

#[test]
fn typed_columns_are_written_as_text() {
    let text = "age,name,rate,ok\n30,\"a,\"\"b\"\"\",0.1,true\n,,2.0,false\n-1,\"\",1e300,\n";
    assert_eq!(written(&typed(), TextStyle::Plain), text);
}

#[test]
fn dictionaries_are_written_as_their_values() {
    let words: DictionaryArray<Int32Type> = vec![Some("x"), None, Some("y,z")].into_iter().collect();
    assert_eq!(
        written(&table(vec![("w", Arc::new(words)), ("n", views(&["1", "2", "3"]))]), TextStyle::Plain),
        "w,n\nx,1\n,2\n\"y,z\",3\n"
    );
}

#[test]
fn the_only_column_never_makes_an_empty_line() {
    assert_eq!(written(&table(vec![("a", views(&["x", ""]))]), CSV), "a\nx\n\"\"\n");
    let nulls = Arc::new(StringArray::from(vec![Some("x"), None]));
    assert_eq!(written(&table(vec![("a", nulls)]), TextStyle::Plain), "a\nx\n\"\"\n");
}

#[test]
fn nested_columns_cannot_be_written_as_csv() {
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>([Some([Some(1)])]);
    let folder = tempfile::tempdir().unwrap();
    let batch = [table(vec![("l", Arc::new(lists))])];
    let error = write(&folder.path().join("t.csv"), Format::Csv, &batch, TextStyle::Plain).unwrap_err();
    assert!(matches!(error, FileError::Unsupported { .. }) && error.to_string().contains("`l`"), "{error}");
    assert!(error.hint().contains("Parquet"));
    for format in [Format::JsonLines, Format::Parquet, Format::Arrow] {
        write(&folder.path().join("t"), format, &batch, TextStyle::Plain).unwrap();
    }
}

#[test]
fn typed_tables_survive_parquet_arrow_and_json() {
    let folder = tempfile::tempdir().unwrap();
    for format in [Format::Parquet, Format::Arrow, Format::JsonLines] {
        let path = folder.path().join(format!("t.{}", format.extension()));
        write(&path, format, &[typed(), typed().slice(1, 1)], TextStyle::Plain).unwrap();
        let back = read(&path);
        assert_eq!(back.slice(0, 3), typed(), "{format}");
        assert_eq!(back.slice(3, 1), typed().slice(1, 1), "{format}");
    }
}

#[test]
fn dictionaries_that_change_between_batches_are_written() {
    let words = |words: &[&str]| {
        let words: DictionaryArray<Int32Type> = words.iter().copied().collect();
        table(vec![("w", Arc::new(words))])
    };
    let folder = tempfile::tempdir().unwrap();
    for format in FORMATS {
        let path = folder.path().join(format!("t.{}", format.extension()));
        write(&path, format, &[words(&["a", "b"]), words(&["c"])], TextStyle::Plain).unwrap();
        let back = arrow_cast::cast(read(&path).column(0), &DataType::Utf8).unwrap();
        assert_eq!(back.as_ref() as &dyn Array, &StringArray::from(vec!["a", "b", "c"]) as &dyn Array, "{format}");
    }
}

#[test]
fn nested_tables_survive_parquet_and_arrow() {
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1), None]), None, Some(vec![])]);
    let pairs = StructArray::from(vec![
        (Arc::new(Field::new("x", DataType::Utf8, true)), Arc::new(StringArray::from(vec!["a", "b", "c"])) as ArrayRef),
        (Arc::new(Field::new("y", DataType::Int64, true)), Arc::new(Int64Array::from(vec![1, 2, 3])) as ArrayRef),
    ]);
    let batch = table(vec![("l", Arc::new(lists)), ("p", Arc::new(pairs)), ("z", views(&["1", "2", "3"]))]);
    let folder = tempfile::tempdir().unwrap();
    for format in [Format::Parquet, Format::Arrow] {
        let path = folder.path().join(format!("t.{}", format.extension()));
        write(&path, format, &[batch.clone(), batch.slice(0, 1)], TextStyle::Plain).unwrap();
        let back = read(&path);
        assert_eq!(back.num_rows(), 4, "{format}");
        assert_eq!(back.slice(0, 3).columns()[..2], batch.columns()[..2], "{format}");
    }
}

#[test]
fn a_large_table_becomes_several_row_groups() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    let numbers = |from: i64| table(vec![("n", Arc::new(Int64Array::from_iter_values(from..from + 100_000)) as _)]);
    let batches: Vec<RecordBatch> = (0..6).map(|i| numbers(i * 100_000)).collect();
    write(&path, Format::Parquet, &batches, TextStyle::Plain).unwrap();
    let source = source::open(path.to_str().unwrap(), &SourceOptions::default(), 2).unwrap();
    // 262,144 records each, however long the batches were; the full ones are read in two parts.
    let groups = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
    assert_eq!(groups.metadata().num_row_groups(), 3);
    assert_eq!(source.chunks().unwrap().count(), 5);
    assert_eq!(read(&path).column(0).as_ref(), &Int64Array::from_iter_values(0..600_000) as &dyn Array);
}

#[test]
fn a_table_without_records_has_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    for format in [Format::Csv, Format::Parquet, Format::Arrow] {
        let path = folder.path().join(format!("t.{}", format.extension()));
        write(&path, format, &[typed().slice(0, 0)], TextStyle::Plain).unwrap();
        let source = source::open(path.to_str().unwrap(), &SourceOptions::default(), 2).unwrap();
        let names: Vec<String> = source.schema().fields().iter().map(|field| field.name().clone()).collect();
        assert_eq!(names, ["age", "name", "rate", "ok"], "{format}");
    }
}

#[test]
fn bytes_of_other_columns_are_not_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.csv");
    let mut file = File::create(&input).unwrap();
    writeln!(file, "id,note\nSECRET-SECRET-SECRET,a note of more than twelve bytes").unwrap();
    let source = source::open(input.to_str().unwrap(), &SourceOptions::default(), 2).unwrap();
    let chunk = source.chunks().unwrap().next().unwrap().unwrap();
    let batches = chunk.read(&[1]).unwrap();
    for format in FORMATS {
        let path = folder.path().join("out");
        write(&path, format, &batches, source.text()).unwrap();
        let bytes = fs::read(&path).unwrap();
        assert!(!bytes.windows(6).any(|window| window == b"SECRET"), "{format}");
    }
}

#[test]
fn what_one_sink_encoded_is_refused_by_another() {
    let folder = tempfile::tempdir().unwrap();
    for format in FORMATS {
        let path = folder.path().join("t");
        let (_, mut writer) = create(File::create(&path).unwrap(), &path, format, &typed().schema(), CSV, 2).unwrap();
        let is_text = matches!(format, Format::Csv | Format::JsonLines);
        let encoded = if is_text { Encoded::Batch(typed()) } else { Encoded::Bytes(Vec::new()) };
        assert!(writer.write(encoded).is_err());
    }
}

fn values() -> impl Strategy<Value = Vec<Vec<Option<String>>>> {
    let value = prop_oneof![3 => "[a-zé, \"\n\r;]{0,20}".prop_map(Some), 1 => Just(None)];
    (1..4usize)
        .prop_flat_map(move |columns| prop::collection::vec(prop::collection::vec(value.clone(), columns), 1..12))
}

proptest! {
    // Each case writes four files.
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Plain values → CSV → raw fields → each other format → values.
    #[test]
    fn values_survive_every_way(records in values()) {
        let folder = tempfile::tempdir().unwrap();
        let columns = records[0].len();
        let expected = |i: usize| -> Vec<Option<&str>> {
            // The only column has no way to write a null that differs from an empty value.
            let cell = |cell: &'_ Option<String>| cell.is_some() || columns > 1;
            records.iter().map(|r| if cell(&r[i]) { r[i].as_deref() } else { Some("") }).collect()
        };
        let named = (0..columns).map(|i| {
            let column = StringViewArray::from_iter(records.iter().map(|record| record[i].as_deref()));
            (format!("c{i}"), Arc::new(column) as ArrayRef, true)
        });
        let batch = RecordBatch::try_from_iter_with_nullable(named).unwrap();
        let csv = folder.path().join("t.csv");
        write(&csv, Format::Csv, std::slice::from_ref(&batch), TextStyle::Plain).unwrap();
        let raw = read(&csv);
        for format in [Format::Parquet, Format::Arrow] {
            let path = folder.path().join(format!("t.{}", format.extension()));
            write(&path, format, std::slice::from_ref(&raw), CSV).unwrap();
            let back = read(&path);
            for i in 0..columns {
                let column = StringArray::from(expected(i));
                prop_assert_eq!(back.column(i).as_ref() as &dyn Array, &column as &dyn Array);
            }
        }
        let again = folder.path().join("again.csv");
        write(&again, Format::Csv, std::slice::from_ref(&raw), CSV).unwrap();
        prop_assert_eq!(fs::read(&csv).unwrap(), fs::read(&again).unwrap());
    }
}
