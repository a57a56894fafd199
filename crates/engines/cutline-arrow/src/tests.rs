//! Passes over a table of several blocks.

mod changed;
mod remembered;
mod stored;
mod text;

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::{Int64Array, StringArray};
use arrow_schema::{DataType, Field, Schema};
use cutline_engine::{
    ClusterColumn, CompressPlan, Engine, OutputColumn, RecordOrder, Records, RewritePlan, Sample, SampleColumn,
    SamplePlan, Treatment,
};
use cutline_engine::{Coarse, Counted, EngineError, Place, Unwatched};
use cutline_measure::cluster::{AttributeSpace, Centroids, ClusterRule, Points};
use cutline_model::recoding::Unknown;
use cutline_model::{AttributeRecoding, Kind, Masking};
use cutline_table::{BlockColumn, Codes, LabelKind, Labels, MaskPlan};

use super::*;
use crate::source::SourceOptions;

fn cell(number: usize) -> String {
    if number.is_multiple_of(7) { String::new() } else { "x".repeat(number % 5 + 1) }
}

/// More than one block, so that threads and blocks matter.
const RECORDS: usize = 60_000;

fn open(folder: &tempfile::TempDir, threads: usize) -> Embedded {
    let record = |n: usize| format!("{},{},{}\n", cell(n), n % 4, cell(n / 3));
    let text: String = (0..RECORDS).map(record).collect();
    of_text(folder, &format!("a,b,c\n{text}"), threads)
}

fn of_text(folder: &tempfile::TempDir, text: &str, threads: usize) -> Embedded {
    let path = folder.path().join("t.csv");
    std::fs::write(&path, text).unwrap();
    Embedded::open(path.to_str().unwrap(), &SourceOptions::default(), threads).unwrap()
}

/// Clusters of the names in columns c and a: one around records of `x` and missing values, one around longer names.
fn rule() -> ClusterRule {
    let texts: Vec<Option<String>> = (0..7).map(|n| Some(cell(n)).filter(|text| !text.is_empty())).collect();
    let spaces = vec![AttributeSpace::names(&texts), AttributeSpace::names(&texts)];
    let column = |space: &AttributeSpace| {
        let codes = Codes::from_codes(0..texts.len() as u32, texts.len());
        (space.raw(&texts).unwrap(), codes)
    };
    let points = Points::new(spaces.iter().map(column).collect(), vec![1; texts.len()]).unwrap();
    let labels: Vec<u32> =
        texts.iter().map(|text| u32::from(text.as_ref().is_some_and(|text| text.len() > 2))).collect();
    ClusterRule { centroids: Centroids::of_labels(&points, &labels).unwrap(), spaces }
}

/// The cluster of one record, by itself.
fn cluster_of(rule: &ClusterRule, number: usize) -> u32 {
    let column = |text: String| BlockColumn { codes: vec![0], texts: vec![Some(text).filter(|text| !text.is_empty())] };
    let cells = [column(cell(number / 3)), column(cell(number))];
    rule.assign(1, &cells.iter().collect::<Vec<_>>()).unwrap()[0]
}

#[test]
fn clusters_are_those_of_each_record_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let rule = rule();
    let mut expected: BTreeMap<(String, String), u64> = BTreeMap::new();
    for n in 0..RECORDS {
        *expected.entry(((n % 4).to_string(), cluster_of(&rule, n).to_string())).or_default() += 1;
    }
    assert!(expected.keys().any(|(_, cluster)| cluster == "0") && expected.keys().any(|(_, cluster)| cluster == "1"));
    for threads in [1, 2, 8] {
        let cluster = Some((1, ClusterColumn { columns: vec![2, 0], rule: rule.clone() }));
        let plan = CompressPlan { columns: vec![1], cluster, ..CompressPlan::default() };
        let table = open(&folder, threads).compress(&plan, &Unwatched).unwrap().table;
        assert_eq!((table.records, table.weights.len()), (RECORDS as u64, expected.len()));
        let masking = vec![("b".to_owned(), Masking::Suppress)];
        let labels = [("label".to_owned(), LabelKind::Classes)];
        let table = cutline_table::encode(&table, masking, &labels, Default::default()).unwrap();
        let Labels::Classes { names, codes } = &table.labels else { panic!("classes") };
        let domain = &table.attributes[0].domain;
        let found = (0..table.rows()).map(|row| {
            let value = domain.name(table.attributes[0].codes.get(row)).unwrap().to_owned();
            ((value, names[codes.get(row) as usize].clone().unwrap()), table.weights[row])
        });
        assert_eq!(found.collect::<BTreeMap<_, _>>(), expected, "{threads} threads");
    }
}

#[test]
fn samples_are_of_the_same_records_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let plan = |size: usize, required: Vec<usize>| SamplePlan {
        columns: vec![0, 1],
        nulls: Vec::new(),
        required,
        size,
        seed: 7,
    };
    let sample = |threads: usize, plan| open(&folder, threads).sample(&plan, &Unwatched).unwrap();
    let one = sample(1, plan(1000, Vec::new()));
    assert_eq!((one.drawn, one.records, one.columns[0].codes.len()), (1000, RECORDS as u64, 1000));
    assert_eq!(sample(2, plan(1000, Vec::new())), one);
    assert_eq!(sample(8, plan(1000, Vec::new())), one);
    // Every value of b is as frequent as any other one; a sample shows about that.
    let count = |text: &str| {
        let column = &one.columns[1];
        column.codes.iter().filter(|&code| column.texts[code as usize].as_deref() == Some(text)).count()
    };
    assert!(["0", "1", "2", "3"].iter().all(|text| (190..310).contains(&count(text))));
    let b_of = |place: usize| one.columns[1].texts[one.columns[1].codes.get(place) as usize].as_deref();
    let position = |place: usize| (one.positions[place] - 1) % 4;
    assert!((0..1000).all(|place| b_of(place) == Some(&position(place).to_string())));
    // A table that fits is drawn as a whole, without the records that are left out.
    let all = sample(2, plan(RECORDS, vec![0]));
    assert_eq!((all.drawn as u64, all.records + all.dropped), (all.records, RECORDS as u64));
    assert!(all.columns[0].texts.iter().all(Option::is_some));
    assert_eq!(all.columns[1].range, Some((0.0, 3.0)));
    assert_eq!((all.columns[0].kind, all.columns[1].kind), (Kind::Categorical, Kind::Continuous));
}

#[test]
fn counting_and_drawing_at_once_give_what_they_give_alone() {
    let folder = tempfile::tempdir().unwrap();
    for (threads, size, required) in
        [(1, 1000, vec![]), (3, 1000, vec![0]), (3, RECORDS / 3, vec![]), (2, RECORDS, vec![2]), (8, RECORDS, vec![])]
    {
        let engine = open(&folder, threads);
        let plan = CompressPlan { columns: vec![2, 0], required: required.clone(), ..CompressPlan::default() };
        let drawn = SamplePlan { columns: vec![0, 1, 2], nulls: Vec::new(), required, size, seed: 3 };
        let (counted, sample) = engine.compress_and_sample(&plan, &drawn, &Unwatched).unwrap();
        let (alone, drawn_alone) =
            (engine.compress(&plan, &Unwatched).unwrap().table, engine.sample(&drawn, &Unwatched).unwrap());
        let table = counted.table;
        assert_eq!((&table.weights, table.records, table.dropped), (&alone.weights, alone.records, alone.dropped));
        for (column, other) in table.columns.iter().zip(&alone.columns) {
            assert!((0..table.weights.len()).all(|row| column.text(row) == other.text(row)));
        }
        let figures = |sample: &Sample| (sample.drawn, sample.positions.clone(), sample.records, sample.dropped);
        assert_eq!(figures(&sample), figures(&drawn_alone));
        for (column, other) in sample.columns.iter().zip(&drawn_alone.columns) {
            let text = |column: &SampleColumn, row: usize| column.texts[column.codes.get(row) as usize].clone();
            assert!((0..sample.drawn).all(|row| text(column, row) == text(other, row)));
            assert_eq!((column.kind, column.range), (other.kind, other.range));
        }
    }
}

#[test]
fn several_groupings_in_one_pass_are_what_each_is_alone() {
    let folder = tempfile::tempdir().unwrap();
    let coarse = Coarse { values: vec![None, Some("x".to_owned()), Some("xx".to_owned())], counted_as: vec![0, 1, 1] };
    for (threads, required) in [(1, vec![]), (3, vec![0])] {
        let engine = open(&folder, threads);
        let plan =
            |columns: Vec<usize>| CompressPlan { columns, required: required.clone(), ..CompressPlan::default() };
        let by_cells = CompressPlan { coarse: BTreeMap::from([(1, coarse.clone())]), ..plan(vec![1, 0]) };
        // Most tell `x` and `xx` apart from longer ones in both columns; one tells more, one less, one something else, one all values.
        let cells = |counted_as: &[u32]| {
            let names = (0..6).map(|length| Some("x".repeat(length)).filter(|name| !name.is_empty()));
            Coarse { values: names.collect(), counted_as: counted_as.to_vec() }
        };
        let family = |c: &[u32], a: &[u32]| {
            let coarse = BTreeMap::from([(0, cells(c)), (2, cells(a))]);
            CompressPlan { coarse, ..plan(vec![2, 1, 0]) }
        };
        let usual = [0, 1, 1, 3, 3, 3];
        let plans = [
            plan(vec![0]),
            CompressPlan { persons: vec![2], ..plan(vec![0, 2]) },
            by_cells,
            plan(vec![]),
            family(&usual, &usual),
            family(&[0, 1, 2, 3, 3, 3], &usual),
            family(&usual, &[0, 1, 1, 3, 4, 5]),
            family(&usual, &[0, 1, 1, 1, 1, 1]),
            family(&[0, 1, 1, 1, 4, 4], &usual),
            CompressPlan { coarse: BTreeMap::from([(0, cells(&usual))]), ..plan(vec![2, 1, 0]) },
            // A value that is in no cell.
            CompressPlan { coarse: BTreeMap::from([(0, coarse.clone())]), ..plan(vec![2, 1, 0]) },
        ];
        let together = engine.compress_all(&plans, &Unwatched).unwrap();
        for (plan, Counted { table, noticed }) in plans.iter().zip(&together) {
            let alone = engine.compress(plan, &Unwatched).unwrap();
            assert_eq!(noticed, &alone.noticed);
            let alone = alone.table;
            assert_eq!((&table.weights, table.records, table.dropped), (&alone.weights, alone.records, alone.dropped));
            for (column, other) in table.columns.iter().zip(&alone.columns) {
                assert!((0..table.weights.len()).all(|row| column.text(row) == other.text(row)));
                assert!(column.values().eq(other.values()), "the same first records");
                assert_eq!(column.first_missing(), other.first_missing());
            }
        }
    }
}

#[test]
fn groupings_by_cells_alone_are_those_by_values_added_up() {
    let folder = tempfile::tempdir().unwrap();
    for (threads, required) in [(1, vec![]), (3, vec![0])] {
        let engine = open(&folder, threads);
        let by_values = CompressPlan { columns: vec![2, 1, 0], required: required.clone(), ..CompressPlan::default() };
        let values = engine.compress(&by_values, &Unwatched).unwrap().table;
        let cells = |column: usize, cell: &dyn Fn(u32) -> u32| {
            let texts: Vec<Option<String>> = values.columns[column].texts();
            Coarse { counted_as: (0..texts.len() as u32).map(cell).collect(), values: texts }
        };
        let of = |one: &dyn Fn(u32) -> u32, two: &dyn Fn(u32) -> u32, three: &dyn Fn(u32) -> u32| {
            let coarse = BTreeMap::from([(0, cells(0, one)), (1, cells(1, two)), (2, cells(2, three))]);
            CompressPlan { coarse, ..by_values.clone() }
        };
        let (own, all, two) = (|code| code, |_| 0, |code: u32| code.min(1));
        let plans = [of(&own, &own, &own), of(&own, &all, &two), of(&all, &all, &all), of(&two, &own, &all)];
        let together = engine.compress_all(&plans, &Unwatched).unwrap();
        for (plan, Counted { table, .. }) in plans.iter().zip(&together) {
            let mut expected: Vec<(Vec<Option<String>>, u64)> = Vec::new();
            for row in 0..values.weights.len() {
                let cell = |(place, coarse): (&usize, &Coarse)| {
                    let text = values.columns[*place].text(row).map(str::to_owned);
                    let value = coarse.values.iter().position(|value| *value == text).unwrap();
                    coarse.values[coarse.counted_as[value] as usize].clone()
                };
                let row_cells: Vec<_> = plan.coarse.iter().map(cell).collect();
                match expected.iter_mut().find(|(cells, _)| *cells == row_cells) {
                    Some((_, weight)) => *weight += values.weights[row],
                    None => expected.push((row_cells, values.weights[row])),
                }
            }
            let text = |row: usize| table.columns.iter().map(|column| column.text(row).map(str::to_owned)).collect();
            let rows: Vec<(Vec<Option<String>>, u64)> =
                (0..table.weights.len()).map(|row| (text(row), table.weights[row])).collect();
            assert_eq!(rows, expected);
            assert_eq!((table.records, table.dropped), (values.records, values.dropped));
        }
        // A value that is in no cell was not there before.
        let unknown = Coarse { values: vec![Some("x".to_owned()), Some("xx".to_owned())], counted_as: vec![0, 1] };
        let coarse = BTreeMap::from([(0, unknown), (1, cells(1, &own)), (2, cells(2, &own))]);
        let plan = CompressPlan { coarse, ..by_values.clone() };
        assert!(matches!(engine.compress_all(&[plan], &Unwatched), Err(EngineError::Changed(_))));
    }
}

#[test]
fn more_combinations_than_are_allowed_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(&folder, 2);
    // Six values of a and four of b, in every combination.
    let plan = |most: u64| CompressPlan { columns: vec![0, 1], most: Some(most), ..CompressPlan::default() };
    assert_eq!(engine.compress(&plan(24), &Unwatched).unwrap().table.weights.len(), 24);
    assert!(matches!(engine.compress(&plan(23), &Unwatched), Err(EngineError::TooMany(23))));
    assert!(matches!(engine.compress_all(&[plan(24), plan(23)], &Unwatched), Err(EngineError::TooMany(23))));
    // Giving up is no pass: the table is still the one that was opened.
    assert_eq!(engine.compress(&plan(24), &Unwatched).unwrap().table.records, RECORDS as u64);
}

fn read(text: &str, required: Vec<usize>, threads: usize) -> Records {
    let folder = tempfile::tempdir().unwrap();
    let plan = SamplePlan::all(vec![1, 0], vec!["?".to_owned()], required);
    Records::read(&of_text(&folder, text, threads), &plan, &Unwatched).unwrap()
}

fn cells(records: &Records) -> Vec<(Option<&str>, Option<&str>, u64)> {
    (0..records.len()).map(|row| (records.text(0, row), records.text(1, row), records.source(row))).collect()
}

#[test]
fn cells_keep_their_order_and_missing_ones_are_none() {
    let records = read("a,b\n1, x\n2,?\n,x\n", Vec::new(), 1);
    assert_eq!(cells(&records), [(Some("x"), Some("1"), 1), (None, Some("2"), 2), (Some("x"), None, 3)]);
    assert_eq!(records.columns()[0].texts.len(), 2);
}

#[test]
fn records_without_a_required_value_are_left_out_and_the_others_know_where_they_were() {
    let mut records = read("a,b\n1,x\n2,?\n3,y\n", vec![1], 1);
    assert_eq!(cells(&records), [(Some("x"), Some("1"), 1), (Some("y"), Some("3"), 3)]);
    assert_eq!(records.dropped(), 1);
    records.append(read("a,b\n?,x\n4,y\n", vec![0], 1));
    records.retain(&[false, true, true]);
    assert_eq!(cells(&records), [(Some("y"), Some("3"), 3), (Some("y"), Some("4"), 2)]);
}

#[test]
fn columns_are_replaced_and_records_keep_their_numbers() {
    let mut records = read("a,b\n1,x\n2,?\n3,y\n", vec![1], 1);
    let stars = BlockColumn { codes: vec![1, 0], texts: vec![None, Some("*".to_owned())] };
    let replaced = records.replaced([(0, stars)]);
    assert_eq!(cells(&replaced), [(Some("*"), Some("1"), 1), (None, Some("3"), 3)]);
    assert_eq!(replaced.dropped(), 1);
    records.append(replaced);
    assert_eq!(cells(&records)[2..], [(Some("*"), Some("1"), 1), (None, Some("3"), 3)]);
}

#[test]
fn a_table_without_records_has_its_columns() {
    let records = read("a,b\n", Vec::new(), 2);
    assert_eq!((records.len(), records.columns().len()), (0, 2));
}

#[test]
fn codes_do_not_depend_on_the_number_of_threads() {
    let text: String =
        std::iter::once("a,b\n".to_owned()).chain((0..200_000).map(|i| format!("{},v{}\n", i % 977, i % 31))).collect();
    let (one, four) = (read(&text, Vec::new(), 1), read(&text, Vec::new(), 4));
    assert!(one.columns().iter().zip(four.columns()).all(|(a, b)| a.codes == b.codes && a.texts == b.texts));
}

/// A table in memory with a text and a number, and a plan that masks the text.
fn in_memory(rows: usize) -> (Embedded, RewritePlan) {
    let schema =
        Arc::new(Schema::new(vec![Field::new("sex", DataType::Utf8, true), Field::new("age", DataType::Int64, false)]));
    let sex: StringArray = (0..rows).map(|row| Some(["f", "m", "x"][row % 3])).collect();
    let age: Int64Array = (0..rows as i64).collect();
    let batch = arrow_array::RecordBatch::try_new(schema.clone(), vec![Arc::new(sex), Arc::new(age)]).unwrap();
    let engine = Embedded::of_batches("memory", schema, vec![batch], 2).unwrap();
    let recoding = AttributeRecoding::Suppress { disclosed: vec!["f".into(), "m".into()], missing: None };
    let columns =
        vec![OutputColumn { source: 0, how: Treatment::Mask(0) }, OutputColumn { source: 1, how: Treatment::Keep }];
    let mask = MaskPlan::new(&[recoding], Unknown::Error);
    (
        engine,
        RewritePlan {
            columns,
            mask,
            nulls: Vec::new(),
            required: Vec::new(),
            order: Default::default(),
            cluster: None,
            person: None,
        },
    )
}

#[test]
fn batches_in_memory_are_masked_in_memory_and_keep_their_types() {
    let (engine, plan) = in_memory(200_000);
    let masked = engine.masked_batches(&plan, &Unwatched).unwrap();
    assert_eq!(masked.schema.field(1).data_type(), &DataType::Int64);
    let rows: usize = masked.batches.iter().map(|batch| batch.num_rows()).sum();
    assert_eq!((rows, masked.dropped, masked.suppressed), (200_000, 0, 0));
    let first = &masked.batches[0];
    let sex = first.column(0).as_any().downcast_ref::<StringArray>().unwrap();
    assert_eq!([0, 1, 2].map(|row| sex.value(row)), ["f", "m", "*"]);
    let ages = masked
        .batches
        .iter()
        .flat_map(|batch| batch.column(1).as_any().downcast_ref::<Int64Array>().unwrap().values().to_vec());
    assert!(ages.eq(0..200_000));
}

#[test]
fn what_is_in_memory_can_be_written_to_a_file_but_not_to_a_server() {
    let (engine, plan) = in_memory(9);
    let folder = tempfile::tempdir().unwrap();
    let location = folder.path().join("t.csv").display().to_string();
    let place = Place::File { location: location.clone().into(), format: cutline_engine::Format::Csv };
    let written = engine.rewrite(&plan, &place, &Unwatched).unwrap();
    assert_eq!((written.records, written.delimiter), (9, Some(b',')));
    assert!(std::fs::read_to_string(location).unwrap().starts_with("sex,age\nf,0\nm,1\n*,2\n"));
    let elsewhere = engine.rewrite(&plan, &Place::Table { name: "t".into() }, &Unwatched);
    assert!(matches!(elsewhere, Err(cutline_engine::EngineError::Place(_))));
}

/// Numbers of persons in order of appearance.
fn renumbered(persons: &[u32]) -> Vec<usize> {
    let mut seen: BTreeMap<u32, usize> = BTreeMap::new();
    let number = |person: &u32| {
        let next = seen.len();
        *seen.entry(*person).or_insert(next)
    };
    persons.iter().map(number).collect()
}

#[test]
fn persons_that_the_first_pass_remembers_are_those_that_the_second_would_read() {
    let folder = tempfile::tempdir().unwrap();
    let keys = [RecordOrder::Kept, RecordOrder::Random([7; 16])];
    for (threads, required, order) in [(1, vec![], &keys[0]), (3, vec![0], &keys[0]), (2, vec![0], &keys[1])] {
        let (_, plan) = in_memory(1);
        let columns = vec![OutputColumn { source: 1, how: Treatment::Keep }];
        let mask = MaskPlan::new(&[], Unknown::Error);
        let plan =
            RewritePlan { columns, mask, required: required.clone(), order: order.clone(), person: Some(2), ..plan };
        let counts = CompressPlan { columns: vec![1, 2], required, person: Some(2), ..CompressPlan::default() };
        let place = Place::File { location: folder.path().join("w.csv"), format: cutline_engine::Format::Csv };
        let written = |first_pass: bool| {
            let engine = open(&folder, threads);
            if first_pass {
                engine.compress(&counts, &Unwatched).unwrap();
            }
            assert_eq!(engine.remembered.get().is_some(), first_pass);
            let written = engine.rewrite(&plan, &place, &Unwatched).unwrap();
            let in_memory = engine.masked_batches(&plan, &Unwatched).unwrap();
            assert_eq!(written.persons.as_ref().map(Vec::len), Some(written.records as usize));
            assert_eq!(renumbered(&in_memory.persons.unwrap()), renumbered(written.persons.as_ref().unwrap()));
            renumbered(&written.persons.unwrap())
        };
        assert!(written(true) == written(false), "{threads} threads");
    }
}
