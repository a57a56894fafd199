//! Which files are the table?

use std::fs;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use cutline_verify::{Options, VerifyError};
use std::sync::Arc;

use crate::formats::write_parquet;
use crate::{Tables, all_values, claim, groups_of};

#[test]
fn the_files_of_a_folder_are_one_table() {
    let tables = Tables::new();
    tables.write("2.csv", "b,a\ny,x\n");
    tables.write("1.csv", "a,b\nx,y\nz,z\n");
    tables.write(".hidden.csv", "not,a\ntable");
    tables.write("_SUCCESS", "");
    let expected = ["1 z|z", "2 x|y"];
    assert_eq!(groups_of(&tables.path(""), "a,b", &all_values()), expected);
    assert_eq!(groups_of(&tables.path("*.csv"), "a,b", &all_values()), expected);
    assert_eq!(groups_of(&tables.path("[0-1].csv"), "a,b", &all_values()), ["1 x|y", "1 z|z"]);
}

#[test]
fn files_of_different_formats_can_be_one_table() {
    let tables = Tables::with("1.csv", "a\nx\n");
    tables.write("2.jsonl", "{\"a\":\"x\"}\n");
    let cells = Arc::new(StringArray::from(vec!["x", "y"])) as ArrayRef;
    let batch = RecordBatch::try_from_iter([("a", cells)]).unwrap();
    write_parquet(&tables.path("3.parquet"), &[batch]);
    assert_eq!(groups_of(&tables.path(""), "a", &all_values()), ["1 y", "3 x"]);
}

#[test]
fn a_name_that_looks_like_a_pattern_is_a_file_if_it_exists() {
    let tables = Tables::with("t[1].csv", "a\nx\n");
    assert_eq!(groups_of(&tables.path("t[1].csv"), "a", &all_values()), ["1 x"]);
}

#[test]
fn files_with_different_columns_are_refused() {
    let tables = Tables::with("1.csv", "a,b\nx,y\n");
    tables.write("2.csv", "a,c\nx,y\n");
    let error = tables.verify("", &[claim("a", 1)]).unwrap_err();
    let VerifyError::ColumnsDiffer { file, first, missing, added } = error else { panic!("{error}") };
    assert_eq!((file, first), (tables.path("2.csv"), tables.path("1.csv")));
    assert_eq!((missing, added), (vec!["b".to_owned()], vec!["c".to_owned()]));
}

#[test]
fn files_without_header_must_be_equally_wide() {
    let tables = Tables::with("1.csv", "x,y\n");
    tables.write("2.csv", "x,y,z\n");
    let options = Options { header: false, ..Options::default() };
    let error = tables.verify_with("", &[claim("column1", 1)], &options).unwrap_err();
    assert!(matches!(error, VerifyError::ColumnsDiffer { .. }));
}

#[test]
fn paths_without_a_table_are_refused() {
    let tables = Tables::new();
    let error = |name: &str| tables.verify(name, &[claim("a", 1)]).unwrap_err();
    assert!(matches!(error("none.csv"), VerifyError::MissingFile { .. }));
    assert!(matches!(error(""), VerifyError::NoFiles { .. }));
    assert!(matches!(error("*.csv"), VerifyError::NoFiles { .. }));
    assert!(matches!(error("a**.csv"), VerifyError::BadPattern { .. }));
    fs::create_dir(tables.path("part")).unwrap();
    assert!(matches!(error(""), VerifyError::Unsupported { .. }));
    assert!(matches!(error("p*"), VerifyError::Unsupported { .. }));
    tables.write("t.xlsx", "x");
    assert!(matches!(error("t.xlsx"), VerifyError::UnknownExtension { .. }));
    tables.write("t.parquet.gz", "x");
    assert!(matches!(error("t.parquet.gz"), VerifyError::Unsupported { .. }));
}
