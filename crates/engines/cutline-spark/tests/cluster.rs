//! The real thing: a Spark cluster of several processes, whose server ends every stream after three seconds. One test, because starting it
//! takes most of the time.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

#[path = "../../cutline-remote/tests/support/cases.rs"]
mod cases;
#[path = "support/changed.rs"]
mod changed;
#[path = "support/order.rs"]
mod order;
mod support;

use std::path::Path;
use std::time::{Duration, Instant};

use arrow_schema::DataType;
use cases::{TOWNS, specs, table};
use cutline::engine::{CompressPlan, Engine, EngineError, Unwatched, Watch};
use cutline::spec::Spec;
use cutline::{Counts, Destination, Draft, Folder, Job, Silent, Table};
use cutline_spark::{IfExists, IntoTable, Location, Source, Spark};
use support::{Server, parquet, records};

const TYPES: [DataType; 6] =
    [DataType::Int64, DataType::Int16, DataType::Utf8, DataType::Utf8, DataType::Utf8, DataType::Utf8];

fn job(spec: &str) -> Job {
    let mut spec: Spec = toml::from_str(spec).unwrap();
    spec.input.null = vec!["?".to_owned()];
    spec.set("drop", &"id".into()).unwrap();
    spec.set("format", &"parquet".into()).unwrap();
    Job::new(spec).unwrap()
}

fn draft(engine: &Spark, job: &Job) -> Draft {
    Counts::new(job, &Table::remote(engine.clone()), &Silent).unwrap().search(job, &Silent).unwrap()
}

fn publish(engine: &Spark, job: &Job, folder: &Path, if_exists: IfExists) -> Result<(), cutline::Error> {
    let files = Folder::new(&Destination { path: folder.to_owned(), force: true })?;
    let target = IntoTable::new(engine, &"default.persons_public".parse().unwrap(), if_exists, Some(Box::new(files)))?;
    draft(engine, job).publish(Box::new(target), &Silent).map(|_| ())
}

#[test]
fn a_real_cluster_publishes_what_a_file_does() {
    let Some(mut server) = Server::spark() else { return };
    a_wrong_token_is_refused(&server);
    answers_are_taken_up_until_they_are_complete(&server);
    an_interrupt_ends_what_was_begun(&server);
    the_death_of_an_executor_changes_nothing(&server);
    let file = server.path("persons.parquet");
    parquet(&file, &table(3, 400), &TYPES);
    tables_of_the_catalog_are_those_of_files(&server, &file);
    order::is_random(&server);
    changed::is_an_error(&server);
    a_server_that_is_killed_leaves_nothing(&mut server, &file);
}

fn a_wrong_token_is_refused(server: &Server) {
    let stranger: Location = server.url().parse().unwrap();
    for location in [stranger.clone(), stranger.with_token("rose").unwrap()] {
        let refused = cutline_spark::open(&location, &Source::Query("SELECT 1 AS one".to_owned())).unwrap_err();
        let said = refused.to_string();
        assert!(said.starts_with("the server does not allow beginning a session") && !said.contains("rose"), "{said}");
    }
}

/// Two tasks that take six seconds; one of the executors dies after two.
fn the_death_of_an_executor_changes_nothing(server: &Server) {
    let slow = "SELECT id % 7 AS age FROM range(0, 200, 1, 2) WHERE reflect('java.lang.Thread', 'sleep', CAST(60 AS BIGINT)) <> ''";
    let engine = server.query(slow);
    let plan = CompressPlan { columns: vec![0], ..Default::default() };
    let counted = std::thread::scope(|scope| {
        let counting = scope.spawn(|| engine.compress(&plan, &Unwatched).unwrap().table);
        std::thread::sleep(Duration::from_secs(2));
        server.kill_executor();
        counting.join().unwrap()
    });
    assert_eq!((counted.records, counted.weights.len()), (200, 7));
}

/// A hundred rows that take five seconds, of a server that ends streams after three.
fn answers_are_taken_up_until_they_are_complete(server: &Server) {
    let slow = "SELECT id AS age FROM range(0, 100, 1, 1) WHERE reflect('java.lang.Thread', 'sleep', CAST(50 AS BIGINT)) <> ''";
    let start = Instant::now();
    let plan = CompressPlan { columns: vec![0], ..Default::default() };
    let counted = server.query(slow).compress(&plan, &Unwatched).unwrap().table;
    assert!(start.elapsed() > Duration::from_secs(3), "it was not slow enough to be ended");
    assert_eq!((counted.records, counted.weights.len()), (100, 100));
}

/// Stops what it watches after a while.
struct Stop(Instant);

impl Watch for Stop {
    fn cancelled(&self) -> bool {
        self.0.elapsed() > Duration::from_secs(4)
    }
}

fn an_interrupt_ends_what_was_begun(server: &Server) {
    let endless = "SELECT id AS age FROM range(0, 100000, 1, 1) WHERE reflect('java.lang.Thread', 'sleep', CAST(50 AS BIGINT)) <> ''";
    let plan = CompressPlan { columns: vec![0], ..Default::default() };
    let engine = server.query(endless);
    assert!(matches!(engine.compress(&plan, &Stop(Instant::now())), Err(EngineError::Interrupted)));
    // The executors are free again: this would wait for more than an hour otherwise.
    let quick = server.query("SELECT id AS age FROM range(0, 10)").compress(&plan, &Unwatched).unwrap().table;
    assert_eq!(quick.records, 10);
}

fn tables_of_the_catalog_are_those_of_files(server: &Server, file: &str) {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    let taxonomy = server.path("town.txt");
    std::fs::write(&taxonomy, TOWNS).unwrap();
    let published = server.path(".spark/warehouse/persons_public");
    for spec in [3, 4].map(|number| specs(Path::new(&taxonomy)).swap_remove(number)) {
        let job = job(&spec);
        let embedded = Table::open(file, &Default::default(), 2).unwrap();
        cutline::publish(&job, &embedded, &Destination { path: here.clone(), force: true }, &Silent).unwrap();
        publish(&server.open(file), &job, &there, IfExists::Replace).unwrap();
        let read = |path: &Path, name: &str| std::fs::read_to_string(path.join("public").join(name)).unwrap();
        for name in ["recoding.json", "report.json"] {
            assert_eq!(read(&there, name), read(&here, name), "{name}");
        }
        assert_eq!(records(Path::new(&published)), records(&here.join("public/table.parquet")));
    }
    let refused = publish(&server.open(file), &job("[[qid]]\nattributes = [\"age\"]\nk = 5"), &there, IfExists::Refuse);
    assert_eq!(refused.unwrap_err().to_string(), "the table `default.persons_public` exists already");
    assert_eq!(server.tables(), ["persons_public"], "nothing is left aside");
}

fn a_server_that_is_killed_leaves_nothing(server: &mut Server, file: &str) {
    let folder = tempfile::tempdir().unwrap();
    let engine = server.open(file);
    let draft = draft(&engine, &job("[[qid]]\nattributes = [\"age\"]\nk = 5"));
    let files = Folder::new(&Destination { path: folder.path().join("out"), force: false }).unwrap();
    let target =
        IntoTable::new(&engine, &"default.other".parse().unwrap(), IfExists::Refuse, Some(Box::new(files))).unwrap();
    server.kill_connect();
    let error = draft.publish(Box::new(target), &Silent).unwrap_err();
    assert!(error.to_string().contains("connection to the server was cut"), "{error}");
    assert_eq!(server.tables(), ["persons_public"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
