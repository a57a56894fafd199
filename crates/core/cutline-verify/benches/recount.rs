//! How long does a recount take? A table like a masked one, 1,000,000 records and 15 columns, one
//! claim of 14 attributes, in every format, on one, two and four threads; and for CSV, what conditions and the union of claims add.
//!
//! Run with `cargo bench -p cutline-verify`. The time for CSV should be well below half a second.
#![allow(clippy::unwrap_used)]

use std::fs::File;
use std::io::{BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use cutline_verify::{Claim, Options, verify};

const RECORDS: u64 = 1_000_000;
const GROUPS: u64 = 3_000;
const ATTRIBUTES: u64 = 14;
const ROUNDS: usize = 5;

/// Steele and Vigna's SplitMix64: a fixed table without a dependency.
fn mixed(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The cells of a record: the labels of its group, 2 to 16 for each attribute, and a target.
fn record(number: u64) -> Vec<String> {
    let group = mixed(number) % GROUPS;
    let label = |attribute: u64| {
        let label = mixed(group * ATTRIBUTES + attribute) % (2 + attribute);
        format!("label-{}", label * label)
    };
    let target = if number.is_multiple_of(4) { ">50K" } else { "<=50K" };
    (0..ATTRIBUTES).map(label).chain([target.to_owned()]).collect()
}

fn names() -> Vec<String> {
    (0..=ATTRIBUTES).map(|attribute| format!("attribute{attribute}")).collect()
}

fn write_csv(path: &Path) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    writeln!(out, "{}", names().join(",")).unwrap();
    for number in 0..RECORDS {
        writeln!(out, "{}", record(number).join(",")).unwrap();
    }
}

fn write_json(path: &Path) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    let names = names();
    for number in 0..RECORDS {
        let cells = record(number);
        let members: Vec<String> =
            names.iter().zip(cells).map(|(name, cell)| format!("\"{name}\":\"{cell}\"")).collect();
        writeln!(out, "{{{}}}", members.join(",")).unwrap();
    }
}

fn batches() -> impl Iterator<Item = RecordBatch> {
    (0..RECORDS).step_by(50_000).map(|start| {
        let records: Vec<Vec<String>> = (start..start + 50_000).map(record).collect();
        RecordBatch::try_from_iter(names().into_iter().enumerate().map(|(column, name)| {
            let cells = records.iter().map(|record| record[column].as_str());
            (name, Arc::new(StringArray::from_iter_values(cells)) as ArrayRef)
        }))
        .unwrap()
    })
}

fn write_parquet(path: &Path) {
    let mut batches = batches().peekable();
    let schema = batches.peek().unwrap().schema();
    let file = File::create(path).unwrap();
    let mut out = parquet::arrow::ArrowWriter::try_new(file, schema, None).unwrap();
    batches.for_each(|batch| out.write(&batch).unwrap());
    out.close().unwrap();
}

fn write_arrow(path: &Path) {
    let mut batches = batches().peekable();
    let schema = batches.peek().unwrap().schema();
    let file = File::create(path).unwrap();
    let mut out = arrow_ipc::writer::FileWriter::try_new_buffered(file, &schema).unwrap();
    batches.for_each(|batch| out.write(&batch).unwrap());
    out.finish().unwrap();
}

fn claim(attributes: u64) -> Claim {
    Claim::new(names().into_iter().take(attributes as usize).collect(), 50)
}

fn time(path: &Path) {
    for threads in [1, 2, 4] {
        println!("threads: {threads}");
        let options = Options { threads: NonZeroUsize::new(threads), ..Options::default() };
        time_claims(path, &[claim(ATTRIBUTES)], &options);
    }
}

/// The same claim with conditions on the target, and two claims with and without their union.
fn time_more(path: &Path) {
    let conditions = ["distinct-l", "t-close"].map(|kind| format!("{kind}:attribute{ATTRIBUTES}=1").parse().unwrap());
    println!("two conditions");
    time_claims(path, &[Claim { conditions: conditions.to_vec(), ..claim(ATTRIBUTES) }], &Options::default());
    let mut last = claim(ATTRIBUTES);
    last.attributes.drain(..7);
    for union in [false, true] {
        println!("two claims of 7 attributes, union: {union}");
        time_claims(path, &[claim(7), last.clone()], &Options { union, ..Options::default() });
    }
}

fn time_claims(path: &Path, claims: &[Claim], options: &Options) {
    for round in 0..ROUNDS {
        let start = Instant::now();
        let verdict = verify(path, claims, options, &|_| ()).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!(verdict.records, RECORDS);
        let megabytes = path.metadata().unwrap().len() / 1_000_000;
        let extension = path.extension().unwrap().to_string_lossy();
        println!("{extension:>8} {megabytes:4} MB, round {round}: {seconds:.3} s");
    }
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, write: fn(&Path)| {
        let path = folder.path().join(name);
        write(&path);
        time(&path);
    };
    run("t.csv", write_csv);
    run("t.parquet", write_parquet);
    run("t.arrow", write_arrow);
    run("t.jsonl", write_json);
    time_more(&folder.path().join("t.csv"));
}
