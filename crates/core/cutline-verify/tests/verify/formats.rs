//! Do all formats give the same groups?

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int64Array, ListArray, RecordBatch, StringArray};
use cutline_verify::{Format, NULL_TEXT, Options, VerifyError};

use crate::{Tables, all_values, claim, groups_of};

pub(crate) fn write_parquet(path: &Path, batches: &[RecordBatch]) {
    let file = File::create(path).unwrap();
    let schema = batches[0].schema();
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, schema, None).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.close().unwrap();
}

pub(crate) fn write_arrow(path: &Path, batches: &[RecordBatch]) {
    let file = File::create(path).unwrap();
    let schema = batches[0].schema();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(file, &schema).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

/// Writes a batch in both columnar formats.
fn columnar(batches: &[RecordBatch]) -> (Tables, [&'static str; 2]) {
    let tables = Tables::new();
    write_parquet(&tables.path("t.parquet"), batches);
    write_arrow(&tables.path("t.arrow"), batches);
    (tables, ["t.parquet", "t.arrow"])
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

fn mixed_batch() -> RecordBatch {
    let cities: DictionaryArray<Int32Type> = [Some("x"), Some("x"), None, Some(""), Some("x")].into_iter().collect();
    batch(vec![
        ("unclaimed", Arc::new(Int64Array::from(vec![1, 2, 3, 4, 5])) as ArrayRef),
        ("city", Arc::new(cities)),
        ("name", Arc::new(StringArray::from(vec!["a", "a", "b", "b", "a"]))),
        ("score", Arc::new(Float64Array::from(vec![Some(0.5), Some(0.5), None, None, Some(0.25)]))),
    ])
}

#[test]
fn strings_dictionaries_numbers_and_nulls() {
    let (tables, names) = columnar(&[mixed_batch(), mixed_batch()]);
    let expected = [
        format!("2 b|{NULL_TEXT}|{NULL_TEXT}"),
        format!("2 b|{NULL_TEXT}|"),
        "2 a|0.25|x".to_owned(),
        "4 a|0.5|x".to_owned(),
    ];
    for name in names {
        let mut found = groups_of(&tables.path(name), "name,score,city", &all_values());
        found.sort();
        let mut expected = expected.to_vec();
        expected.sort();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn null_is_neither_empty_nor_any_other_text() {
    let cells = vec![None, Some(""), Some("null"), Some(NULL_TEXT), None];
    let (tables, names) = columnar(&[batch(vec![("a", Arc::new(StringArray::from(cells)))])]);
    for name in names {
        let verdict = tables.verify(name, &[claim("a", 1)]).unwrap();
        assert_eq!(verdict.findings[0].sizes, [(1, 3), (2, 1)], "{name}");
    }
}

#[test]
fn a_batch_larger_than_ours_is_counted_in_full() {
    let cells = Int64Array::from_iter_values((0..20_000).map(|i| i % 4_000));
    let (tables, names) = columnar(&[batch(vec![("a", Arc::new(cells))])]);
    for name in names {
        let verdict = tables.verify(name, &[claim("a", 5)]).unwrap();
        assert_eq!(verdict.records, 20_000);
        assert_eq!(verdict.findings[0].sizes, [(5, 4_000)], "{name}");
    }
}

#[test]
fn a_columnar_table_may_have_no_records() {
    let cells = StringArray::from(Vec::<&str>::new());
    let (tables, names) = columnar(&[batch(vec![("a", Arc::new(cells))])]);
    for name in names {
        let verdict = tables.verify(name, &[claim("a", 5)]).unwrap();
        assert_eq!(verdict.records, 0);
        assert!(!verdict.holds());
    }
}

#[test]
fn the_format_option_wins_over_the_extension() {
    let tables = Tables::new();
    let path = tables.path("table.bin");
    write_parquet(&path, &[mixed_batch()]);
    let options = Options { format: Some(Format::Parquet), ..all_values() };
    assert_eq!(groups_of(&path, "name", &options), ["2 b", "3 a"]);
}

#[test]
fn columnar_files_that_cannot_be_compared_or_read() {
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>([Some([Some(1)])]);
    let (tables, names) = columnar(&[batch(vec![
        ("list", Arc::new(list) as ArrayRef),
        ("date", Arc::new(arrow_array::Date32Array::from(vec![i32::MAX]))),
    ])]);
    for name in names {
        let error = tables.verify(name, &[claim("list", 2)]).unwrap_err();
        assert!(matches!(error, VerifyError::UnsupportedType { column, .. } if column == "list"));
        let error = tables.verify(name, &[claim("date", 2)]).unwrap_err();
        assert!(matches!(error, VerifyError::UnsupportedValue { column, .. } if column == "date"));
        let error = tables.verify(name, &[claim("lists", 2)]).unwrap_err();
        assert!(error.to_string().contains("nearest is `list`"), "{error}");
        tables.write(name, "this is neither Parquet nor Arrow");
        let error = tables.verify(name, &[claim("list", 2)]).unwrap_err();
        assert!(matches!(error, VerifyError::Unreadable { .. }), "{error}");
    }
}

#[test]
fn truncated_columnar_files_are_refused() {
    let (tables, names) = columnar(&[mixed_batch()]);
    for name in names {
        let content = std::fs::read(tables.path(name)).unwrap();
        tables.write(name, &content[..content.len() / 2]);
        let error = tables.verify(name, &[claim("name", 2)]).unwrap_err();
        assert!(matches!(error, VerifyError::Unreadable { .. }), "{error}");
    }
}

#[test]
fn json_lines() {
    let content = "\u{feff}{\"a\":\"x\",\"b\":1,\"c\":[1]}\r\n\n{\"b\":1.0,\"a\":\"x\"}\n\
        {\"a\":\"\\u0078\",\"b\":1}\n{\"b\":true}\n{\"a\":null,\"b\":true}";
    let tables = Tables::with("t.jsonl", content);
    let expected = ["1 x|1.0".to_owned(), format!("2 {NULL_TEXT}|true"), "2 x|1".to_owned()];
    assert_eq!(groups_of(&tables.path("t.jsonl"), "a,b", &all_values()), expected);
    let zstd = zstd::encode_all(content.as_bytes(), 0).unwrap();
    let path = tables.write("t.ndjson.zst", zstd);
    assert_eq!(groups_of(&path, "a,b", &all_values()), expected);
}

#[test]
fn a_json_column_may_appear_late_but_must_appear() {
    let mut content = "{\"a\":1}\n".repeat(5_000);
    content.push_str("{\"a\":1,\"late\":2}\n");
    let tables = Tables::with("t.jsonl", content);
    let verdict = tables.verify("t.jsonl", &[claim("a,late", 1)]).unwrap();
    assert_eq!(verdict.findings[0].sizes, [(1, 1), (5_000, 1)]);
    let error = tables.verify("t.jsonl", &[claim("a,latte", 1)]).unwrap_err();
    assert!(error.to_string().contains("nearest is `late`; the columns are `a`, `late`"));
}
