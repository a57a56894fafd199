//! Are damaged Parquet and Arrow files errors, whatever their readers do?

use std::panic;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int64Array, RecordBatch, StringArray};
use cutline_verify::{Blame, Options};

use crate::formats::{write_arrow, write_parquet};
use crate::{Tables, claim};

fn batch() -> RecordBatch {
    let texts: Vec<Option<String>> = (0..200).map(|i| (i % 11 > 0).then(|| format!("secret-{}", i % 7))).collect();
    let plain = Arc::new(StringArray::from(texts.clone())) as ArrayRef;
    let encoded: DictionaryArray<Int32Type> = texts.iter().map(Option::as_deref).collect();
    let numbers = Arc::new(Int64Array::from_iter(0..200)) as ArrayRef;
    RecordBatch::try_from_iter_with_nullable([
        ("a", plain, true),
        ("b", Arc::new(encoded) as ArrayRef, true),
        ("c", numbers, true),
    ])
    .unwrap()
}

/// Damages a file at every `step`th byte, one at a time, and cuts it there; every recount must end with a verdict or an error
/// about the data, and say no value. (Some damage is to values, which no reader can notice.)
fn damage(name: &str, write: fn(&std::path::Path, &[RecordBatch]), step: usize) {
    let tables = Tables::new();
    write(&tables.path(name), &[batch(), batch()]);
    let whole = std::fs::read(tables.path(name)).unwrap();
    let mut errors = 0;
    for at in (0..whole.len()).step_by(step) {
        let mut damaged = [whole.clone(), whole.clone(), whole.clone(), whole[..at].to_vec()];
        damaged[0][at] ^= 0xff;
        damaged[1][at] ^= 1 << (at % 8);
        damaged[2][at] = 0x7f;
        for content in damaged {
            tables.write(name, content);
            let verify = || tables.verify_with(name, &[claim("a,b,c", 1)], &Options::default());
            let result = panic::catch_unwind(verify).unwrap_or_else(|_| panic!("{name} damaged at {at} panics"));
            if let Err(error) = result {
                assert!(matches!(error.blame(), Blame::Data | Blame::Unsupported | Blame::Request), "{error}");
                assert!(!error.to_string().contains("secret"), "{error}");
                errors += 1;
            }
        }
    }
    assert!(errors > whole.len() / step, "cutting alone is an error everywhere");
}

#[test]
fn a_damaged_parquet_file_is_an_error() {
    damage("t.parquet", write_parquet, 13);
}

#[test]
fn a_damaged_arrow_file_is_an_error() {
    damage("t.arrow", write_arrow, 23);
}
