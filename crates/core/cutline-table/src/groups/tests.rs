use std::collections::BTreeMap;

use cutline_model::Masking;
use cutline_model::recoding::{LabelError, Unknown};

use super::*;
use crate::random::Random;
use crate::{Block, CompressedTable, LabelKind, Labels, RecordNumber, TableError, encode};

const COLUMNS: usize = 4;

/// Cells of a record: a name, a number that may be written in two ways, a class, a sensitive value.
type Record = [Option<&'static str>; COLUMNS];

fn draw(random: &mut Random) -> Record {
    let mut pick = |texts: &[Option<&'static str>]| texts[random.below(texts.len() as u64) as usize];
    [
        pick(&[Some("ann"), Some("bob"), Some("cy"), None]),
        pick(&[Some("1"), Some("1.0"), Some("2"), Some("10"), None]),
        pick(&[Some("no"), Some("yes")]),
        pick(&[Some("flu"), Some("hiv"), None]),
    ]
}

/// The records one by one, those of a class left out.
fn by_record(records: &[Record], without: &str) -> RawTable {
    let mut compressor = Compressor::new(COLUMNS);
    for records in records.chunks(7) {
        let column = |column: usize| BlockColumn {
            codes: (0..records.len() as u32).collect(),
            texts: records.iter().map(|record| record[column].map(str::to_owned)).collect(),
        };
        let left_out = records.iter().map(|record| record[2] == Some(without)).collect();
        compressor.add(&Block { records: records.len(), left_out, columns: (0..COLUMNS).map(column).collect() });
    }
    compressor.finish()
}

/// The groups of some records, in any order, some of them in two rows, texts with codes in any order.
fn by_group(records: &[Record], without: &str, random: &mut Random) -> RawTable {
    let mut counts: BTreeMap<Record, u64> = BTreeMap::new();
    let kept = records.iter().filter(|record| record[2] != Some(without));
    kept.for_each(|record| *counts.entry(*record).or_default() += 1);
    let dropped = records.len() as u64 - counts.values().sum::<u64>();
    let mut rows: Vec<(u64, Record, u64)> = Vec::new();
    for (record, count) in counts {
        let first = random.below(count + 1);
        rows.push((random.below(1 << 30), record, first));
        rows.push((random.below(1 << 30), record, count - first));
    }
    rows.sort();
    let column = |column: usize| {
        let mut texts: Vec<Option<String>> = rows.iter().map(|row| row.1[column].map(str::to_owned)).collect();
        if column.is_multiple_of(2) {
            texts.sort();
            texts.dedup();
        }
        let code = |row: &(u64, Record, u64)| texts.iter().position(|text| text.as_deref() == row.1[column]);
        BlockColumn { codes: rows.iter().map(|row| code(row).unwrap() as u32).collect(), texts }
    };
    let columns: Vec<BlockColumn> = (0..COLUMNS).map(column).collect();
    RawTable::from_groups(&columns, &rows.iter().map(|row| row.2).collect::<Vec<_>>(), dropped).unwrap()
}

/// Everything about a compressed table but the order of its rows.
fn unordered(raw: &RawTable) -> (CompressedTable, Vec<(Vec<u32>, u64)>) {
    let attributes = vec![("name".to_owned(), Masking::Suppress), ("number".to_owned(), Masking::numbers(None))];
    let labels = [("class".to_owned(), LabelKind::Classes), ("illness".to_owned(), LabelKind::Sensitive)];
    let mut table = encode(raw, attributes, &labels, Unknown::Error).unwrap();
    let mut columns: Vec<Codes> = table.attributes.iter_mut().map(|a| std::mem::take(&mut a.codes)).collect();
    let Labels::Classes { codes, .. } = &mut table.labels else { panic!("classes") };
    columns.push(std::mem::take(codes));
    columns.extend(table.sensitive.iter_mut().map(|sensitive| std::mem::take(&mut sensitive.codes)));
    let weights = std::mem::take(&mut table.weights);
    let row = |row: usize| (columns.iter().map(|codes| codes.get(row)).collect(), weights[row]);
    let mut rows: Vec<(Vec<u32>, u64)> = (0..weights.len()).map(row).collect();
    rows.sort();
    (table, rows)
}

#[test]
fn groups_in_any_parts_and_order_make_the_table_that_the_records_make() {
    let mut random = Random(5);
    for round in 0..300 {
        let records: Vec<Record> = (0..random.below(60)).map(|_| draw(&mut random)).collect();
        let without = ["no", "none"][round % 2];
        let whole = by_record(&records, without);
        let mut parts: Vec<RawTable> = Vec::new();
        let mut rest = &records[..];
        while parts.is_empty() || !rest.is_empty() {
            let (part, others) = rest.split_at(random.below(rest.len() as u64 + 1) as usize);
            // Parts that were counted here mix with those from elsewhere.
            let counted_here = random.below(3) == 0;
            parts.push(if counted_here { by_record(part, without) } else { by_group(part, without, &mut random) });
            rest = others;
        }
        let others = parts.split_off(1);
        let merged = parts.remove(0).merge(others).unwrap();
        assert_eq!((merged.records, merged.dropped), (whole.records, whole.dropped));
        assert_eq!(unordered(&merged), unordered(&whole), "{records:?}");
    }
}

#[test]
fn parts_of_records_know_where_values_came_first() {
    let mut random = Random(9);
    for _ in 0..100 {
        let records: Vec<Record> = (0..40).map(|_| draw(&mut random)).collect();
        let (one, two) = records.split_at(random.below(41) as usize);
        let (whole, merged) = (by_record(&records, "no"), by_record(one, "no").merge([by_record(two, "no")]).unwrap());
        for (column, other) in whole.columns.iter().zip(&merged.columns) {
            assert_eq!(column.values().collect::<BTreeMap<_, _>>(), other.values().collect());
            assert_eq!((column.first_missing(), column.missing()), (other.first_missing(), other.missing()));
        }
    }
}

#[test]
fn a_table_seen_through_some_columns_is_what_grouping_by_those_gives() {
    let mut random = Random(3);
    for _ in 0..200 {
        let records: Vec<Record> = (0..random.below(60)).map(|_| draw(&mut random)).collect();
        let table = by_record(&records, "none");
        let columns: Vec<usize> = (0..COLUMNS).filter(|_| random.below(2) == 0).collect();
        let selected = table.select(&columns);
        let mut expected: BTreeMap<Vec<Option<&str>>, u64> = BTreeMap::new();
        for record in &records {
            *expected.entry(columns.iter().map(|&column| record[column]).collect()).or_default() += 1;
        }
        let text = |row: usize| {
            let text = |column: &'_ RawColumn| match column.codes.get(row) {
                0 => None,
                code => Some(column.texts.text(code - 1).to_owned()),
            };
            selected.columns.iter().map(text).collect::<Vec<_>>()
        };
        let rows: Vec<_> = (0..selected.weights.len()).map(|row| (text(row), selected.weights[row])).collect();
        let found: BTreeMap<Vec<Option<&str>>, u64> =
            rows.iter().map(|(texts, weight)| (texts.iter().map(|text| text.as_deref()).collect(), *weight)).collect();
        assert_eq!((found.len(), &found), (rows.len(), &expected));
        assert_eq!((selected.records, selected.dropped), (table.records, table.dropped));
        for (&column, selected) in columns.iter().zip(&selected.columns) {
            assert!(selected.values().eq(table.columns[column].values()));
            assert_eq!(selected.missing(), table.columns[column].missing());
        }
    }
}

#[test]
fn columns_can_be_selected_in_another_order() {
    let records = [draw(&mut Random(1)), draw(&mut Random(2)), draw(&mut Random(1))];
    let table = by_record(&records, "none");
    let (there, back) = (table.select(&[3, 2, 1, 0]), table.select(&[3, 2, 1, 0]).select(&[3, 2, 1, 0]));
    assert!(there.columns[0].values().eq(table.columns[3].values()));
    assert_eq!(unordered(&back), unordered(&table));
}

#[test]
fn groups_that_make_no_table_are_refused() {
    let column = |codes: &[u32]| BlockColumn { codes: codes.to_vec(), texts: vec![Some("a".to_owned()), None] };
    let error =
        |columns: &[BlockColumn], counts: &[u64], dropped| RawTable::from_groups(columns, counts, dropped).err();
    assert_eq!(error(&[column(&[0, 1])], &[1, 1], 0), None);
    assert_eq!(
        error(&[column(&[0, 1]), column(&[0])], &[1, 1], 0),
        Some(GroupsError::Rows { column: 1, codes: 1, counts: 2 })
    );
    assert_eq!(error(&[column(&[0, 2])], &[1, 1], 0), Some(GroupsError::Code { column: 0 }));
    assert_eq!(error(&[column(&[0, 1])], &[u64::MAX, 1], 0), Some(GroupsError::TooMany));
    let table = |columns: usize| RawTable::from_groups(&vec![column(&[0]); columns], &[u64::MAX - 1], 0).unwrap();
    assert_eq!(table(2).merge([table(1)]).err(), Some(GroupsError::Columns { expected: 2, found: 1 }));
    assert_eq!(table(1).merge([table(1)]).err(), Some(GroupsError::TooMany));
}

#[test]
fn of_values_that_do_not_fit_the_same_one_is_told_of_in_any_order() {
    for texts in [["x", "1", "a"], ["a", "x", "1"]] {
        let texts = texts.map(|text| Some(text.to_owned())).to_vec();
        let table = RawTable::from_groups(&[BlockColumn { codes: vec![0, 1, 2], texts }], &[1, 1, 1], 0).unwrap();
        let taxonomy = std::sync::Arc::new(cutline_model::Taxonomy::from_outline("Any\n  1\n  2\n").unwrap());
        let attributes = vec![("n".to_owned(), Masking::Generalize(taxonomy))];
        let TableError::Value { record, error, .. } = encode(&table, attributes, &[], Unknown::Error).unwrap_err();
        assert_eq!(record, RecordNumber::UNKNOWN);
        assert!(matches!(error, LabelError::NotInTaxonomy { value, .. } if value == "a"));
    }
}

#[test]
fn unknown_values_are_attached_without_a_look_at_every_leaf() {
    // To compare each of them with every leaf would take minutes.
    let leaves: String = (0..20_000).map(|leaf| format!("  leaf {leaf}\n")).collect();
    let taxonomy = std::sync::Arc::new(cutline_model::Taxonomy::from_outline(&format!("Any\n{leaves}")).unwrap());
    let texts: Vec<Option<String>> = (0..10_000).map(|value| Some(format!("value {value}"))).collect();
    let column = BlockColumn { codes: (0..10_000).collect(), texts };
    let table = RawTable::from_groups(&[column], &[1; 10_000], 0).unwrap();
    let attributes = vec![("n".to_owned(), Masking::Generalize(taxonomy))];
    let table = encode(&table, attributes, &[], Unknown::Root).unwrap();
    let Masking::Generalize(taxonomy) = &table.attributes[0].masking else { panic!("a taxonomy") };
    assert_eq!(taxonomy.children(taxonomy.root()).len(), 30_000);
}
