//! Does the recount agree with a deliberately naive one on random tables?

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use cutline_verify::{Batches, Claim, Finding, Recount};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::subsequence;

use crate::formats::{write_arrow, write_parquet};
use crate::{Tables, all_values};

const COLUMNS: usize = 4;

/// Few distinct cells, so that groups form, and all characters that CSV and JSON treat specially.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[ab]{0,2}",
        1 => "[a,;\"\\\\\r\n\t é\u{0}]{0,3}",
    ]
}

fn table() -> impl Strategy<Value = Vec<Vec<String>>> {
    vec(vec(cell(), COLUMNS), 0..40)
}

fn names() -> Vec<String> {
    (0..COLUMNS).map(|column| format!("c{column}")).collect()
}

fn claim() -> impl Strategy<Value = Claim> {
    let attributes = subsequence(names(), 1..=COLUMNS).prop_shuffle();
    (attributes, 1..5u64).prop_map(|(attributes, k)| Claim::new(attributes, k))
}

/// The definition: a map from the values to the number of records that have them.
fn naive(table: &[Vec<String>], claim: &Claim) -> HashMap<Vec<String>, u64> {
    let mut groups = HashMap::new();
    for record in table {
        let value = |name: &String| record[names().iter().position(|n| n == name).unwrap()].clone();
        *groups.entry(claim.attributes.iter().map(value).collect()).or_insert(0) += 1;
    }
    groups
}

fn check(finding: &Finding, table: &[Vec<String>], claim: &Claim) {
    let expected = naive(table, claim);
    let mut sizes = BTreeMap::new();
    expected.values().for_each(|&size| *sizes.entry(size).or_insert(0u64) += 1);
    let violating = || expected.values().filter(|&&size| size < claim.k);
    let mut worst: Vec<(u64, Vec<String>)> = expected.iter().map(|(values, &size)| (size, values.clone())).collect();
    worst.sort();
    let found: Vec<(u64, Vec<String>)> =
        finding.worst.iter().map(|group| (group.size, group.values.clone().unwrap())).collect();
    assert_eq!(found, worst);
    assert_eq!(finding.anonymity, expected.values().min().copied().unwrap_or(0));
    assert_eq!(finding.groups, expected.len() as u64);
    assert_eq!(finding.violating_groups, violating().count() as u64);
    assert_eq!(finding.violating_records, violating().sum::<u64>());
    assert_eq!(finding.sizes, sizes.into_iter().collect::<Vec<_>>());
    assert_eq!(finding.holds(), !table.is_empty() && violating().count() == 0);
}

pub(crate) fn write_csv(table: &[Vec<String>]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(names()).unwrap();
    table.iter().for_each(|record| writer.write_record(record).unwrap());
    writer.into_inner().unwrap()
}

pub(crate) fn write_json(table: &[Vec<String>]) -> String {
    let line = |record: &Vec<String>| {
        let object: serde_json::Map<String, serde_json::Value> =
            names().into_iter().zip(record.iter().map(|cell| cell.as_str().into())).collect();
        serde_json::Value::Object(object).to_string() + "\n"
    };
    table.iter().map(line).collect()
}

fn record_batch(table: &[Vec<String>]) -> RecordBatch {
    RecordBatch::try_from_iter(names().into_iter().enumerate().map(|(column, name)| {
        let cells = table.iter().map(|record| record[column].as_str());
        (name, Arc::new(StringArray::from_iter_values(cells)) as ArrayRef)
    }))
    .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..Default::default() })]

    #[test]
    fn agrees_with_a_naive_count_in_every_format(
        table in table(),
        claims in vec(claim(), 1..4),
    ) {
        let tables = Tables::with("t.csv", write_csv(&table));
        write_parquet(&tables.path("t.parquet"), &[record_batch(&table)]);
        write_arrow(&tables.path("t.arrow"), &[record_batch(&table)]);
        let mut files = vec!["t.csv", "t.parquet", "t.arrow"];
        if !table.is_empty() {
            tables.write("t.jsonl", write_json(&table));
            files.push("t.jsonl");
        }
        let batch = [record_batch(&table)];
        let memory = Batches::new(&batch).recount(&claims, &all_values(), &|_| ());
        let written = files.into_iter().map(|file| tables.verify_with(file, &claims, &all_values()));
        for verdict in written.chain([memory]) {
            let verdict = verdict.unwrap();
            prop_assert_eq!(verdict.records, table.len() as u64);
            for (finding, claim) in verdict.findings.iter().zip(&claims) {
                check(finding, &table, claim);
            }
        }
    }
}
