//! The bytes of a published table follow from its records: not from the batches that they came in, from the length of what is masked, or
//! from what once was where nothing is now.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use cutline::spec::Spec;
use cutline::verify::{Claim, Options, verify};
use cutline::{Destination, Error, Job, Silent, Table, publish};

fn job(settings: &[(&str, &str)]) -> Job {
    let mut spec = Spec::default();
    settings.iter().for_each(|&(name, value)| spec.set(name, &value.into()).unwrap());
    Job::new(spec).unwrap()
}

/// Publishes a table of batches, and gives back the file.
fn published(batches: Vec<RecordBatch>, settings: &[(&str, &str)], format: &str) -> Result<Vec<u8>, Error> {
    let folder = tempfile::tempdir().unwrap();
    let destination = Destination { path: folder.path().join("out"), force: false };
    let table = Table::of_batches("persons", batches[0].schema(), batches, 2).unwrap();
    publish(&job(&[settings, &[("format", format)]].concat()), &table, &destination, &Silent)?;
    Ok(std::fs::read(folder.path().join(format!("out/public/table.{format}"))).unwrap())
}

const RECORDS: usize = 20_000;

/// Persons of two towns and one of a third, who stands somewhere among them, in batches of some length.
fn towns(rare: usize, batch: usize, name: &str) -> Vec<RecordBatch> {
    let common = |n: usize| (["Oslo", "Rome"][n % 2], n as i64);
    let mut persons: Vec<(&str, i64)> = (0..RECORDS).map(common).collect();
    persons.insert(rare, ("Ulm", -1));
    let columns = |part: &[(&str, i64)]| {
        let column = |values: Vec<String>| Arc::new(StringArray::from(values)) as ArrayRef;
        let towns = column(part.iter().map(|(town, _)| (*town).to_owned()).collect());
        let names = column(part.iter().map(|(_, number)| format!("{name}{}", number % 10)).collect());
        // Every third is null.
        let visits = part.iter().map(|(_, number)| (number % 3 > 0).then_some(*number));
        let visits = Arc::new(visits.collect::<Int64Array>()) as ArrayRef;
        let named = [("town", towns, false), ("name", names, false), ("visits", visits, true)];
        RecordBatch::try_from_iter_with_nullable(named).unwrap()
    };
    persons.chunks(batch).map(columns).collect()
}

#[test]
fn neither_dropped_records_nor_masked_values_change_the_layout() {
    // Ten names are too many for groups of 5,000.
    let settings = [("qid", "town,name:5000"), ("suppress-limit", "1%"), ("suppress-how", "drop"), ("keep", "visits")];
    for format in ["arrow", "parquet"] {
        let publish =
            |rare: usize, batch: usize, name: &str| published(towns(rare, batch, name), &settings, format).unwrap();
        let first = publish(7, 1000, "n");
        assert!(!first.windows(3).any(|bytes| bytes == b"Ulm"), "the rare one is dropped");
        assert!(first == publish(17_500, 1000, "n"), "{format}: another one was dropped");
        assert!(first == publish(7, 1000, &"a long name ".repeat(20)), "{format}: what is masked is longer");
        assert!(first == publish(7, 4099, "n"), "{format}: the batches have another length");
    }
}

#[test]
fn nothing_is_left_where_a_kept_column_is_null() {
    let secret = 0x5ec4_e75e_c4e7_5ec4_i64;
    let towns: ArrayRef = Arc::new(StringArray::from(vec!["Oslo"; 20]));
    let valid: Vec<bool> = (0..20).map(|n| n % 2 == 0).collect();
    let values = ScalarBuffer::from(
        vec![secret; 20].into_iter().zip(&valid).map(|(s, &v)| if v { 1 } else { s }).collect::<Vec<_>>(),
    );
    let pay: ArrayRef = Arc::new(Int64Array::new(values, Some(NullBuffer::from(valid))));
    let batch = RecordBatch::try_from_iter_with_nullable([("town", towns, false), ("pay", pay, true)]).unwrap();
    for format in ["arrow", "parquet"] {
        let file = published(vec![batch.clone()], &[("qid", "town:5")], format).unwrap();
        assert!(!file.windows(8).any(|bytes| bytes == secret.to_le_bytes()), "{format}");
    }
}

/// Nine equal values and one that is no number are as uniform as nine and a null.
#[test]
fn what_is_no_number_adds_no_diversity() {
    let folder = tempfile::tempdir().unwrap();
    for odd in [Some(f64::NAN), None] {
        let towns: ArrayRef = Arc::new(StringArray::from(vec!["Oslo"; 10]));
        let pay: ArrayRef = Arc::new((0..10).map(|n| if n < 9 { Some(1000.0) } else { odd }).collect::<Float64Array>());
        let batch = RecordBatch::try_from_iter_with_nullable([("town", towns, false), ("pay", pay, true)]).unwrap();
        for format in ["csv", "jsonl", "parquet", "arrow"] {
            let plain = published(vec![batch.clone()], &[("qid", "town:2")], format).unwrap();
            let path = folder.path().join(format!("t.{format}"));
            std::fs::write(&path, plain).unwrap();
            let claim = Claim {
                conditions: vec!["distinct-l:pay=2".parse().unwrap()],
                ..Claim::new(vec!["town".to_owned()], 2)
            };
            let verdict = verify(&path, &[claim], &Options::default(), &|_| ()).unwrap();
            assert!(!verdict.holds(), "{format} {odd:?}");
            let asked = [("qid", "town:2"), ("condition", "distinct-l:pay=2")];
            assert!(published(vec![batch.clone()], &asked, format).is_err(), "{format} {odd:?}");
        }
    }
}

/// Bytes that say the same with blanks around it, and those that stand for a missing value, are as uniform in a release and for the verifier.
#[test]
fn blanks_and_null_markers_in_bytes_add_no_diversity() {
    let folder = tempfile::tempdir().unwrap();
    for odd in ["HIV ", " ", "?"] {
        let towns: ArrayRef = Arc::new(StringArray::from(vec!["Oslo"; 10]));
        let ill: Vec<&[u8]> = (0..10).map(|n| if n < 9 { "HIV" } else { odd }.as_bytes()).collect();
        let batch =
            RecordBatch::try_from_iter([("town", towns), ("ill", Arc::new(BinaryArray::from_vec(ill)) as ArrayRef)]);
        let batch = batch.unwrap();
        for format in ["csv", "parquet", "arrow"] {
            let path = folder.path().join(format!("t.{format}"));
            std::fs::write(&path, published(vec![batch.clone()], &[("qid", "town:2")], format).unwrap()).unwrap();
            let condition = vec!["distinct-l:ill=2".parse().unwrap()];
            let claim = Claim { conditions: condition, ..Claim::new(vec!["town".to_owned()], 2) };
            let options = Options { nulls: vec!["?".to_owned()], ..Options::default() };
            assert!(!verify(&path, &[claim], &options, &|_| ()).unwrap().holds(), "{format} {odd:?}");
        }
        for format in ["csv", "jsonl", "parquet", "arrow"] {
            let asked = [("qid", "town:2"), ("condition", "distinct-l:ill=2"), ("null", "?")];
            assert!(published(vec![batch.clone()], &asked, format).is_err(), "{format} {odd:?}");
        }
    }
}
