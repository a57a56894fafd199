//! Whatever happens to a server or to what it holds, nothing half published is left.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::sync::atomic::{AtomicBool, Ordering};

use cutline::engine::{Audience, Engine, EngineError, Format, Place, Target, Unwatched, Watch, Written};
use cutline::spec::Spec;
use cutline::verify::Recount;
use cutline::{Counts, Destination, Draft, Folder, Job, Observer, Silent, Table};
use cutline_postgres::{IfExists, IntoTable, Postgres, Source};
use support::Cluster;

const KILL: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cutline'";

fn persons(cluster: &Cluster) {
    cluster.sql(
        "CREATE TABLE persons AS SELECT 20 + i % 50 AS age, 't' || i % 7 AS town, i % 3 AS ill FROM generate_series(1, 500) i",
    );
}

fn job() -> Job {
    let spec = "[[qid]]\nattributes = [\"age\", \"town\"]\nk = 10\n[purpose]\ntarget = \"ill\"";
    Job::new(toml::from_str::<Spec>(spec).unwrap()).unwrap()
}

fn draft(engine: &Postgres) -> Draft {
    Counts::new(&job(), &Table::remote(engine.clone()), &Silent).unwrap().search(&job(), &Silent).unwrap()
}

/// Before what the session is ended by an operator.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Moment {
    Writing,
    Verifying,
    Reports,
    Publishing,
}

/// A target that is hit at a moment.
struct Hit<'a> {
    target: Box<dyn Target + 'a>,
    cluster: &'a Cluster,
    moment: Moment,
}

impl Hit<'_> {
    fn at(&self, moment: Moment) {
        if self.moment == moment {
            assert_eq!(self.cluster.sql(KILL), ["t"]);
        }
    }
}

impl Target for Hit<'_> {
    fn place(&self, format: Format) -> Result<Place, EngineError> {
        self.at(Moment::Writing);
        self.target.place(format)
    }

    fn recounted(&self, written: &Written) -> Result<Box<dyn Recount + '_>, EngineError> {
        self.at(Moment::Verifying);
        self.target.recounted(written)
    }

    fn size(&self, written: &Written) -> u64 {
        self.target.size(written)
    }

    fn attach(&mut self, audience: Audience, name: &str, content: &str) -> Result<(), EngineError> {
        if name == "recoding.json" {
            self.at(Moment::Reports);
        }
        self.target.attach(audience, name, content)
    }

    fn publish(self: Box<Self>) -> Result<(), EngineError> {
        self.at(Moment::Publishing);
        self.target.publish()
    }
}

#[test]
fn a_session_that_is_ended_at_any_stage_leaves_nothing() {
    let Some(cluster) = Cluster::start() else { return };
    persons(&cluster);
    let folder = tempfile::tempdir().unwrap();
    use Moment::{Publishing, Reports, Verifying, Writing};
    for moment in [Writing, Verifying, Reports, Publishing] {
        let engine = cluster.open("persons");
        let files = Folder::new(&Destination { path: folder.path().join("out"), force: false }).unwrap();
        let target = IntoTable::new(&engine, &"p".parse().unwrap(), IfExists::Refuse, Some(Box::new(files))).unwrap();
        let hit = Hit { target: Box::new(target), cluster: &cluster, moment };
        let error = draft(&engine).publish(Box::new(hit), &Silent).unwrap_err();
        let said = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
        let said: Vec<String> = said.map(ToString::to_string).collect();
        assert!(said.iter().any(|said| said.contains("connection to the server was cut")), "{moment:?}: {said:?}");
        assert_eq!(cluster.tables(), ["persons"], "{moment:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{moment:?}");
    }
    let engine = cluster.open("persons");
    cluster.sql(KILL);
    assert!(Counts::new(&job(), &Table::remote(engine), &Silent).is_err());
}

#[test]
fn who_may_not_read_or_write_is_told_so() {
    let Some(cluster) = Cluster::start() else { return };
    persons(&cluster);
    cluster.sql("CREATE ROLE ann LOGIN; CREATE ROLE bob LOGIN; GRANT SELECT ON persons TO bob");
    let source = Source::Table("persons".parse().unwrap());
    let refused = cutline_postgres::open(&cluster.location("ann"), &source).unwrap_err().to_string();
    assert_eq!(refused, "the server does not allow looking at the table: permission denied for table persons");
    let engine = cutline_postgres::open(&cluster.location("bob"), &source).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let files = Folder::new(&Destination { path: folder.path().join("out"), force: false }).unwrap();
    let target = IntoTable::new(&engine, &"p".parse().unwrap(), IfExists::Refuse, Some(Box::new(files))).unwrap();
    let refused = draft(&engine).publish(Box::new(target), &Silent).unwrap_err().to_string();
    assert_eq!(refused, "the server does not allow writing the masked table: permission denied for schema public");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_table_that_is_changed_in_between_is_published_as_it_was_counted() {
    let Some(cluster) = Cluster::start() else { return };
    persons(&cluster);
    let engine = cluster.open("persons");
    let draft = draft(&engine);
    cluster.sql(
        "INSERT INTO persons SELECT 99, 'elsewhere', 1 FROM generate_series(1, 9); DELETE FROM persons WHERE age < 30",
    );
    let folder = tempfile::tempdir().unwrap();
    let files = Folder::new(&Destination { path: folder.path().join("out"), force: false }).unwrap();
    let target = IntoTable::new(&engine, &"p".parse().unwrap(), IfExists::Refuse, Some(Box::new(files))).unwrap();
    draft.publish(Box::new(target), &Silent).unwrap();
    assert_eq!(cluster.sql("SELECT count(*) FROM p"), ["500"]);
}

/// There is one snapshot, but a query may give something else each time that it is asked.
#[test]
fn a_cell_that_was_not_counted_is_an_error_and_nothing_is_published() {
    let Some(cluster) = Cluster::start() else { return };
    persons(&cluster);
    cluster.sql("CREATE SEQUENCE turns");
    let query = Source::Query("select age + nextval('turns') as age, town, ill from persons".to_owned());
    let engine = cutline_postgres::open(&cluster.location("cutline"), &query).unwrap();
    let draft = draft(&engine);
    let folder = tempfile::tempdir().unwrap();
    let files = Folder::new(&Destination { path: folder.path().join("out"), force: false }).unwrap();
    let target = IntoTable::new(&engine, &"p".parse().unwrap(), IfExists::Refuse, Some(Box::new(files))).unwrap();
    let error = draft.publish(Box::new(target), &Silent).unwrap_err();
    assert!(error.to_string().starts_with("the input changed"), "{error}");
    assert_eq!(cluster.tables(), ["persons"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_table_that_is_not_there_is_told() {
    let Some(cluster) = Cluster::start() else { return };
    let open = |source: Source| cutline_postgres::open(&cluster.location("cutline"), &source).unwrap_err().to_string();
    assert!(open(Source::Table("nobody".parse().unwrap())).contains("relation \"nobody\" does not exist"));
    assert!(open(Source::Query("select 1 as a; commit".to_owned())).contains("multiple commands"));
}

#[test]
fn what_a_server_says_of_a_value_is_not_repeated() {
    let Some(cluster) = Cluster::start() else { return };
    persons(&cluster);
    let query = Source::Query("select town::integer as town from persons".to_owned());
    let engine = cutline_postgres::open(&cluster.location("cutline"), &query).unwrap();
    let plan = cutline::engine::CompressPlan { columns: vec![0], ..Default::default() };
    let error = engine.compress(&plan, &Unwatched).unwrap_err().to_string();
    assert!(error.contains("error 22P02") && !error.contains("t1"), "{error}");
}

#[test]
fn of_two_runs_into_one_table_one_publishes() {
    let Some(cluster) = Cluster::start() else { return };
    persons(&cluster);
    let folder = tempfile::tempdir().unwrap();
    let engines = [cluster.open("persons"), cluster.open("persons")];
    let targets: Vec<_> = ["one", "two"]
        .iter()
        .zip(&engines)
        .map(|(name, engine)| {
            let files = Folder::new(&Destination { path: folder.path().join(name), force: false }).unwrap();
            IntoTable::new(engine, &"p".parse().unwrap(), IfExists::Refuse, Some(Box::new(files))).unwrap()
        })
        .collect();
    let published: Vec<Result<_, _>> =
        engines.iter().zip(targets).map(|(engine, target)| draft(engine).publish(Box::new(target), &Silent)).collect();
    assert!(published[0].is_ok());
    assert_eq!(published[1].as_ref().unwrap_err().to_string(), "the table `p` exists already");
    assert_eq!(cluster.tables(), ["p", "persons"]);
    assert!(folder.path().join("one").is_dir() && !folder.path().join("two").exists());
}

/// Stops the first pass that asks.
#[derive(Default)]
struct Stop(AtomicBool);

impl Watch for Stop {
    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Observer for Stop {
    fn cancelled(&self) -> bool {
        Watch::cancelled(self)
    }
}

#[test]
fn an_interrupt_ends_the_statement_in_the_server() {
    let Some(cluster) = Cluster::start() else { return };
    persons(&cluster);
    let query = "select age, town, ill from persons, pg_sleep(30) where pg_sleep is not null";
    let engine = cutline_postgres::open(&cluster.location("cutline"), &Source::Query(query.to_owned())).unwrap();
    let start = std::time::Instant::now();
    let stop = Stop(AtomicBool::new(true));
    let plan = cutline::engine::CompressPlan { columns: vec![0], ..Default::default() };
    assert!(matches!(engine.compress(&plan, &stop), Err(EngineError::Interrupted)));
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn a_file_is_no_place_for_records_that_stay_where_they_are() {
    let Some(cluster) = Cluster::start() else { return };
    persons(&cluster);
    let engine = cluster.open("persons");
    let folder = tempfile::tempdir().unwrap();
    let files = Folder::new(&Destination { path: folder.path().join("out"), force: false }).unwrap();
    let error = draft(&engine).publish(Box::new(files), &Silent).unwrap_err();
    assert!(error.to_string().contains("cannot write to a file"), "{error}");
}

#[test]
fn groups_with_labels_of_their_own_are_refused_and_leave_nothing() {
    let Some(cluster) = Cluster::start() else { return };
    persons(&cluster);
    let spec = "[[qid]]\nattributes = [\"age\", \"town\"]\nk = 10\n[search]\nlocal = \"free\"";
    let job = Job::new(toml::from_str::<Spec>(spec).unwrap()).unwrap();
    let engine = cluster.open("persons");
    let draft = Counts::new(&job, &Table::remote(engine.clone()), &Silent).unwrap().search(&job, &Silent).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let files = Folder::new(&Destination { path: folder.path().join("out"), force: false }).unwrap();
    let target = IntoTable::new(&engine, &"p".parse().unwrap(), IfExists::Refuse, Some(Box::new(files))).unwrap();
    let error = draft.publish(Box::new(target), &Silent).unwrap_err();
    assert!(error.to_string().contains("labels of their own"), "{error}");
    assert_eq!(cluster.sql("SELECT count(*) FROM pg_tables WHERE tablename = 'p'"), ["0"]);
}
