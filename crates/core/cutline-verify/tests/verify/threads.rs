//! Does the number of threads change anything but the time?

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use cutline_verify::{Batches, Claim, Options, Recount, Verdict, VerifyError};

use crate::conditions::with;
use crate::formats::{write_arrow, write_parquet};
use crate::{Tables, claim};

const THREADS: [usize; 4] = [1, 2, 3, 8];

/// Several pieces in every format.
const RECORDS: usize = 150_000;

fn on(threads: usize) -> Options {
    let sensitive = vec!["s".to_owned()];
    Options {
        threads: NonZeroUsize::new(threads),
        worst: 20,
        keep_values: true,
        union: true,
        sensitive,
        ..Options::default()
    }
}

/// Two attributes and a sensitive one; cells with everything that could be mistaken for the end of a row.
fn record(i: usize) -> [String; 3] {
    let text = ["plain", "a,b", "two\nlines", "a \"quote\"", "\r\n", "é"][i % 6];
    [text.to_owned(), (i * i % 1009).to_string(), (i % 7).to_string()]
}

fn claims() -> [Claim; 2] {
    [with("a,b", 2, &["distinct-l:s=2", "entropy-l:s=1.5", "t-close:s=0.9"]), claim("b", 100)]
}

fn csv() -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["a", "b", "s"]).unwrap();
    (0..RECORDS).for_each(|i| writer.write_record(record(i)).unwrap());
    writer.into_inner().unwrap()
}

fn json() -> String {
    let mut text = String::new();
    for i in 0..RECORDS {
        let [a, b, s] = record(i);
        writeln!(text, "{}", serde_json::json!({ "a": a, "b": b, "s": s })).unwrap();
    }
    text
}

fn batches() -> Vec<RecordBatch> {
    let batch = |start: usize| {
        let records: Vec<[String; 3]> = (start..start + RECORDS / 5).map(record).collect();
        let column = |at: usize| Arc::new(StringArray::from_iter_values(records.iter().map(|r| &r[at]))) as ArrayRef;
        RecordBatch::try_from_iter([("a", column(0)), ("b", column(1)), ("s", column(2))]).unwrap()
    };
    (0..RECORDS).step_by(RECORDS / 5).map(batch).collect()
}

#[test]
fn every_format_has_the_same_verdict_on_any_number_of_threads() {
    let tables = Tables::with("t.csv", csv());
    tables.write("t.jsonl", json());
    let batches = batches();
    write_parquet(&tables.path("t.parquet"), &batches);
    write_arrow(&tables.path("t.arrow"), &batches);
    let mut verdicts: Vec<Verdict> = Vec::new();
    for threads in THREADS {
        for name in ["t.csv", "t.jsonl", "t.parquet", "t.arrow"] {
            verdicts.push(tables.verify_with(name, &claims(), &on(threads)).unwrap());
        }
        verdicts.push(Batches::new(&batches).recount(&claims(), &on(threads), &|_| ()).unwrap());
    }
    assert_eq!(verdicts[0].records, RECORDS as u64);
    assert_eq!(verdicts[0].findings[0].groups, 6 * 505);
    assert!(verdicts.iter().all(|verdict| *verdict == verdicts[0]));
}

/// The error of a file on any number of threads.
fn error(name: &str, content: &[u8]) -> VerifyError {
    let tables = Tables::with(name, content);
    let errors = THREADS.map(|threads| tables.verify_with(name, &claims(), &on(threads)).unwrap_err());
    let [first, ..] = &errors;
    errors.iter().for_each(|error| assert_eq!(error.to_string(), first.to_string()));
    errors.into_iter().next().unwrap()
}

#[test]
fn the_first_of_many_errors_is_told_with_its_line() {
    // Every record has one line; the errors are in the middle and at the end, blocks apart.
    let mut text = "a,b,s\r\n".to_owned() + &"x,y,z\r\n".repeat(200_000);
    text += "x,y\r\n";
    text += &"x,y,z\r\n".repeat(200_000);
    let mut text = text.into_bytes();
    text.extend(b"x,\xff,z\r\n");
    assert!(matches!(error("t.csv", &text), VerifyError::RaggedRow { line: 200_002, expected: 3, found: 2, .. }));
    text.splice(7..12, *b"x,y\xff,");
    assert!(matches!(error("t.csv", &text), VerifyError::NotUtf8 { line: 2, .. }));
    let good = "{\"a\":1,\"b\":2,\"s\":3}\n";
    let lines = good.repeat(50_000) + "\n{\"a\":[]}\n" + &good.repeat(50_000) + "{";
    assert!(matches!(error("t.jsonl", lines.as_bytes()), VerifyError::BadJson { line: 50_002, .. }));
}

#[test]
fn a_quote_that_is_never_closed_is_found_behind_many_blocks() {
    let text = "a,b,s\n".to_owned() + &"x,\"y\n\",z\n".repeat(50_000) + "x,y,\"" + &"x,y,z\n".repeat(300_000);
    assert!(matches!(error("t.csv", text.as_bytes()), VerifyError::UnclosedQuote { line: 100_002, .. }));
}

#[test]
fn more_threads_than_records_or_machine_are_no_error() {
    let tables = Tables::with("t.csv", "a,b,s\n1,2,3\n");
    assert_eq!(tables.verify_with("t.csv", &claims(), &on(100_000)).unwrap().records, 1);
}
