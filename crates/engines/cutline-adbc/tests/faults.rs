//! Whatever is wrong with a driver or a database, nothing half published is left, and the message says what to do.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use cutline::engine::{CompressPlan, Engine, EngineError, Unwatched, Watch};
use cutline::spec::Spec;
use cutline::{Counts, Destination, Draft, Folder, Job, Silent, Table};
use cutline_adbc::{Adbc, IfExists, IntoTable, Location, Source};
use support::{Kind, Server};

fn persons(server: &Server) {
    let rows = (1..=500).map(|i| format!("{},t{},{}\n", 20 + i % 50, i % 7, i % 3)).collect::<String>();
    let types = [arrow_schema::DataType::Int64, arrow_schema::DataType::Utf8, arrow_schema::DataType::Int64];
    server.load("persons", &format!("age,town,ill\n{rows}"), &types);
}

fn job() -> Job {
    let spec = "[[qid]]\nattributes = [\"age\", \"town\"]\nk = 10\n[purpose]\ntarget = \"ill\"";
    Job::new(toml::from_str::<Spec>(spec).unwrap()).unwrap()
}

fn draft(engine: &Adbc) -> Draft {
    Counts::new(&job(), &Table::remote(engine.clone()), &Silent).unwrap().search(&job(), &Silent).unwrap()
}

fn target<'a>(engine: &Adbc, folder: &str) -> Result<IntoTable<'a>, EngineError> {
    let files = Folder::new(&Destination { path: folder.into(), force: false }).unwrap();
    IntoTable::new(engine, &"p".parse().unwrap(), IfExists::Refuse, Some(Box::new(files)))
}

fn refused(location: &str) -> String {
    let location: Location = location.parse().unwrap();
    let EngineError::Fault(fault) =
        cutline_adbc::open(&location, &Source::Table("persons".parse().unwrap())).unwrap_err()
    else {
        panic!("it is a fault")
    };
    format!("{fault}; {}", fault.hint())
}

#[test]
fn a_driver_that_is_not_there_or_is_none_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("care.db"), "").unwrap();
    let said = refused(&format!("adbc:nobody_has_this:{}", path("care.db")));
    assert!(said.contains("the ADBC driver `nobody_has_this` cannot be loaded"), "{said}");
    assert!(said.contains("install the driver, or name the path of its library"), "{said}");
    let said = refused(&format!("adbc:{}:{}", path("gone.so"), path("care.db")));
    assert!(said.contains("gone.so` cannot be loaded"), "{said}");
    std::fs::write(path("text.so"), "no library").unwrap();
    let said = refused(&format!("adbc:{}:{}", path("text.so"), path("care.db")));
    assert!(said.contains("text.so` cannot be loaded"), "{said}");
    // A library that knows no version of ADBC, by the linker that every test needs anyway.
    std::fs::write(path("old.c"), "unsigned char AdbcDriverInit(int v, void *d, void *e) { return 2; }").unwrap();
    std::fs::write(path("none.c"), "int something_else = 1;").unwrap();
    for name in ["old", "none"] {
        let source = path(&format!("{name}.c"));
        let made = Command::new("cc").args(["-shared", "-fPIC", "-o", &path(&format!("{name}.so")), &source]).status();
        assert!(made.unwrap().success());
    }
    let said = refused(&format!("adbc:{}:{}", path("old.so"), path("care.db")));
    assert!(said.contains("made for a version of ADBC that is not known here"), "{said}");
    let said = refused(&format!("adbc:{}:{}", path("none.so"), path("care.db")));
    assert!(said.contains("AdbcDriverInit"), "{said}");
    let said = refused(&format!("adbc:profile://{}", path("gone.toml")));
    assert!(said.contains("could not read profile"), "{said}");
}

#[test]
fn a_database_or_table_that_is_not_there_is_told_and_not_made() {
    for server in Server::all() {
        let gone = server.path("gone.db");
        assert!(refused(&server.url_of(&gone)).contains("there is no database"));
        assert!(!std::path::Path::new(&gone).exists());
        persons(&server);
        let said = server.try_open(&Source::Table("nobody".parse().unwrap())).unwrap_err().to_string();
        assert!(said.contains("looking at the table") && said.contains("nobody"), "{said}");
        assert!(server.try_open(&Source::Query("select 1 as a; drop table persons".to_owned())).is_err());
        std::fs::write(server.path("text.db"), "this is no database, and long enough to be read as one ".repeat(20))
            .unwrap();
        assert!(!refused(&server.url_of(&server.path("text.db"))).is_empty());
        assert_eq!(server.tables(), ["persons"]);
    }
}

#[test]
fn a_database_that_may_only_be_read_is_verified_and_not_published_into() {
    for server in Server::all() {
        persons(&server);
        let location = match server.kind {
            Kind::Sqlite => server.url_of(&format!("file:{}?mode=ro", server.database())),
            Kind::DuckDb => {
                let profile = server.path("care.toml");
                let (library, database) = (server.library.display(), server.database());
                let options = format!("path = \"{database}\"\naccess_mode = \"READ_ONLY\"");
                let text = format!("profile_version = 1\ndriver = \"{library}\"\n[Options]\n{options}\n");
                std::fs::write(&profile, text).unwrap();
                format!("adbc:profile://{profile}")
            }
        };
        let engine =
            cutline_adbc::open(&location.parse().unwrap(), &Source::Table("persons".parse().unwrap())).unwrap();
        draft(&engine);
        let said = target(&engine, &server.path("out")).err().unwrap().to_string();
        assert!(said.starts_with("the server does not allow publishing the table"), "{said}");
        assert!(!std::path::Path::new(&server.path("out")).exists());
    }
}

/// That nobody else can open a database of DuckDB is seen by the tests of the command.
#[test]
fn of_two_runs_into_one_table_of_sqlite_one_publishes() {
    let Some(server) = Server::of(Kind::Sqlite) else { return };
    persons(&server);
    let engines = [server.open("persons"), server.open("persons")];
    let first = target(&engines[0], &server.path("one")).unwrap();
    let error = target(&engines[1], &server.path("two")).err().unwrap();
    assert!(error.to_string().contains("somebody else works on the database"), "{error}");
    // Whoever still reads keeps the other one from its commit.
    let [first_engine, _] = &engines;
    let error = draft(first_engine).publish(Box::new(first), &Silent).unwrap_err();
    assert!(error.to_string().contains("somebody else works on the database"), "{error}");
    drop(engines);
    let engine = server.open("persons");
    draft(&engine).publish(Box::new(target(&engine, &server.path("one")).unwrap()), &Silent).unwrap();
    let again = server.open("persons");
    assert_eq!(target(&again, &server.path("two")).err().unwrap().to_string(), "the table `p` exists already");
    drop((engine, again));
    assert_eq!(server.tables(), ["p", "persons"]);
    let there = |name: &str| std::path::Path::new(&server.path(name)).exists();
    assert!(there("one") && !there("two"));
}

/// Readers and a writer do not wait for each other with a write-ahead log.
#[test]
fn a_table_of_sqlite_that_is_changed_after_it_was_counted_is_not_published() {
    let Some(server) = Server::of(Kind::Sqlite) else { return };
    persons(&server);
    server.sql("PRAGMA journal_mode = WAL");
    let engine = server.open("persons");
    let draft = draft(&engine);
    server.sql("INSERT INTO persons SELECT 99, 'elsewhere', 1");
    let error = target(&engine, &server.path("out")).err().unwrap();
    assert!(error.to_string().contains("somebody else works on the database"), "{error}");
    drop((engine, draft));
    assert_eq!(server.tables(), ["persons"]);
    assert!(!std::path::Path::new(&server.path("out")).exists());
}

/// There is one snapshot, but a query may give something else each time that it is asked.
#[test]
fn a_cell_that_was_not_counted_is_an_error_and_nothing_is_published() {
    for server in Server::all() {
        persons(&server);
        let chance = match server.kind {
            Kind::DuckDb => "CAST(floor(random() * 1000000000) AS BIGINT)",
            Kind::Sqlite => "abs(random() % 1000000000)",
        };
        let query = format!("select {chance} as age, town, ill from persons");
        let engine = server.try_open(&Source::Query(query)).unwrap();
        let target = target(&engine, &server.path("out")).unwrap();
        let error = draft(&engine).publish(Box::new(target), &Silent).unwrap_err();
        assert!(error.to_string().contains("the input changed"), "{:?}: {error}", server.kind);
        drop(engine);
        assert_eq!(server.tables(), ["persons"]);
        assert!(!std::path::Path::new(&server.path("out")).exists());
    }
}

#[test]
fn what_a_database_says_of_a_value_is_not_repeated() {
    let Some(server) = Server::of(Kind::DuckDb) else { return };
    persons(&server);
    let query = Source::Query("select town::integer as town from persons".to_owned());
    let engine = server.try_open(&query).unwrap();
    let plan = CompressPlan { columns: vec![0], ..Default::default() };
    let error = engine.compress(&plan, &Unwatched).unwrap_err().to_string();
    assert!(error.contains("not repeated") && !error.contains("t1"), "{error}");
}

#[test]
fn a_text_that_is_none_is_an_error() {
    let Some(server) = Server::of(Kind::Sqlite) else { return };
    server.sql("CREATE TABLE persons AS SELECT CAST(x'ff41' AS TEXT) AS town");
    let plan = CompressPlan { columns: vec![0], ..Default::default() };
    let error = server.open("persons").compress(&plan, &Unwatched).unwrap_err().to_string();
    assert!(error.contains("a text is not UTF-8"), "{error}");
}

struct Stop(AtomicBool);

impl Watch for Stop {
    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[test]
fn an_interrupt_ends_the_statement_or_at_least_the_pass() {
    let plan = CompressPlan { columns: vec![0], ..Default::default() };
    for server in Server::all() {
        persons(&server);
        let engine = match server.kind {
            // To count these records takes a moment, to look at them a minute.
            Kind::DuckDb => {
                let query =
                    "select md5((a.range * 20000 + b.range)::varchar) < '1' as age from range(20000) a, range(20000) b";
                server.try_open(&Source::Query(query.to_owned())).unwrap()
            }
            // The driver cannot be stopped.
            Kind::Sqlite => server.open("persons"),
        };
        let stopped = engine.compress(&plan, &Stop(AtomicBool::new(true)));
        assert!(matches!(stopped, Err(EngineError::Interrupted)), "{:?}", server.kind);
    }
}
