//! A release of a cluster is the release of the same table as a file: the same recoding, the same records.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

#[path = "../../cutline-remote/tests/support/cases.rs"]
mod cases;
#[path = "support/changed.rs"]
mod changed;
#[path = "support/order.rs"]
mod order;
mod support;

use std::path::Path;

use arrow_schema::DataType;
use cases::{By, TOWNS, specs, table, ways};
use cutline::spec::Spec;
use cutline::{Counts, Destination, Draft, Folder, Job, Silent, Table};
use cutline_engine::{CompressPlan, Engine, Unwatched};
use cutline_spark::{IntoPath, Spark};
use support::{Server, parquet, records};

const TYPES: [DataType; 6] =
    [DataType::Int64, DataType::Int16, DataType::Utf8, DataType::Utf8, DataType::Utf8, DataType::Utf8];

fn job(spec: &str, missing: &str) -> Job {
    let mut spec: Spec = toml::from_str(spec).unwrap();
    spec.input.null = vec!["?".to_owned()];
    spec.set("missing", &missing.into()).unwrap();
    spec.set("drop", &"id".into()).unwrap();
    spec.set("format", &"parquet".into()).unwrap();
    Job::new(spec).unwrap()
}

fn draft(engine: &Spark, job: &Job, by: By) -> Result<Draft, cutline::Error> {
    let table = Table::remote(engine.clone());
    match by {
        By::Combinations => Counts::new(job, &table, &Silent)?.search(job, &Silent),
        By::Frontier => Draft::by_frontier(job, &table, &Silent),
    }
}

fn publish(engine: &Spark, job: &Job, by: By, (folder, into): (&Path, &str)) -> Result<(), cutline::Error> {
    let files = Folder::new(&Destination { path: folder.to_owned(), force: true })?;
    let draft = draft(engine, job, by)?;
    draft.publish(Box::new(IntoPath::new(engine, into, Some(Box::new(files)))?), &Silent).map(|_| ())
}

/// Publishes a Parquet file here and on a cluster, and compares.
fn same_release(server: &Server, job: &Job, by: By, file: &str, what: &str) {
    let folder = tempfile::tempdir().unwrap();
    let (here, there, into) = (folder.path().join("here"), folder.path().join("there"), server.path("published"));
    let table = Table::open(file, &Default::default(), 2).unwrap();
    cutline::publish(job, &table, &Destination { path: here.clone(), force: true }, &Silent).unwrap();
    publish(&server.open(file), job, by, (&there, &into)).unwrap();
    let read = |path: &Path, name: &str| std::fs::read_to_string(path.join("public").join(name)).unwrap();
    for name in ["recoding.json", "report.json"] {
        assert_eq!(read(&there, name), read(&here, name), "{name}, {what}");
    }
    assert_eq!(records(Path::new(&into)), records(&here.join("public/table.parquet")), "{what}");
    std::fs::remove_dir_all(into).unwrap();
}

#[test]
fn a_release_of_a_cluster_is_that_of_a_file() {
    let Some(server) = Server::sail() else { return };
    let taxonomy = server.path("town.txt");
    std::fs::write(&taxonomy, TOWNS).unwrap();
    let file = server.path("persons.parquet");
    for (round, spec) in specs(Path::new(&taxonomy)).iter().enumerate() {
        parquet(&file, &table(round as u64, 400), &TYPES);
        for missing in ["value", "drop", "complete"] {
            for &by in ways(spec) {
                same_release(&server, &job(spec, missing), by, &file, &format!("{round}, {missing}, {by:?}"));
            }
        }
    }
    assert_eq!(server.names(), ["persons.parquet", "town.txt"], "nothing is left aside");
}

#[test]
fn records_do_not_lie_in_the_order_of_the_raw_table() {
    let Some(server) = Server::sail() else { return };
    order::is_random(&server);
}

#[test]
fn a_cell_that_was_not_counted_is_an_error_and_nothing_is_published() {
    let Some(server) = Server::sail() else { return };
    changed::is_an_error(&server);
}

#[test]
fn whether_combinations_are_too_many_is_told_by_some_of_them() {
    let Some(server) = Server::sail() else { return };
    let file = server.path("persons.parquet");
    let records: String = (0..20_000).map(|person| format!("{},{}\n", person % 10_000, person % 2)).collect();
    parquet(&file, &format!("place,sex\n{records}"), &[DataType::Int64, DataType::Int32]);
    let plan = CompressPlan { columns: vec![0, 1], ..CompressPlan::default() };
    let exceeds = |most| server.open(&file).exceeds(&plan, most, &Unwatched).unwrap();
    assert_eq!((exceeds(5_000), exceeds(15_000), exceeds(20_000)), (Some(true), Some(false), Some(false)));
}
