//! A release in a database is the release of the same table as a file: the same recoding, the same records.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

#[path = "../../cutline-remote/tests/support/cases.rs"]
mod cases;
mod support;

use std::path::Path;

use cases::{By, TOWNS, specs, table, ways};
use cutline::engine::{Engine, SamplePlan, Unwatched};
use cutline::spec::Spec;
use cutline::verify::{Claim, Options, Recount};
use cutline::{Counts, Destination, Draft, Folder, Job, Silent, Table};
use cutline_postgres::{IfExists, IntoTable, Postgres};
use cutline_sql::Dialect;
use support::Cluster;

const COLUMNS: &str = "id integer NOT NULL, age smallint, weight text, town varchar(20), ill text, diagnosis text";

fn job(spec: &str) -> Job {
    let all = "[input]\nnull = [\"?\"]\n[attributes.id]\nidentifier = \"drop\"\n";
    Job::new(toml::from_str::<Spec>(&format!("{all}{spec}")).unwrap()).unwrap()
}

fn draft(engine: &Postgres, job: &Job, by: By) -> Result<Draft, cutline::Error> {
    let table = Table::remote(engine.clone());
    match by {
        By::Combinations => Counts::new(job, &table, &Silent)?.search(job, &Silent),
        By::Frontier => Draft::by_frontier(job, &table, &Silent),
    }
}

fn publish(engine: &Postgres, job: &Job, folder: &Path, into: &str) -> Result<(), cutline::Error> {
    publish_by(engine, job, By::Combinations, (folder, into))
}

fn publish_by(engine: &Postgres, job: &Job, by: By, (folder, into): (&Path, &str)) -> Result<(), cutline::Error> {
    let files = Folder::new(&Destination { path: folder.to_owned(), force: true })?;
    let draft = draft(engine, job, by)?;
    let target = IntoTable::new(engine, &into.parse().unwrap(), IfExists::Replace, Some(Box::new(files)))?;
    draft.publish(Box::new(target), &Silent).map(|_| ())
}

/// The records of a published CSV file as the server prints them, sorted.
fn lines(csv: &str) -> Vec<String> {
    let mut lines: Vec<String> = csv.lines().skip(1).map(|line| line.replace(',', "|")).collect();
    lines.sort();
    lines
}

#[test]
fn a_release_in_a_database_is_that_of_a_file() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let taxonomy = folder.path().join("town.txt");
    std::fs::write(&taxonomy, TOWNS).unwrap();
    for (round, text) in specs(&taxonomy).iter().enumerate() {
        for missing in ["value", "drop", "complete"] {
            let csv = table(round as u64, 400);
            cluster.load("persons", COLUMNS, &csv);
            let file = folder.path().join("persons.csv");
            std::fs::write(&file, &csv).unwrap();
            let mut spec: Spec = toml::from_str(text).unwrap();
            spec.input.null = vec!["?".to_owned()];
            spec.set("missing", &missing.into()).unwrap();
            spec.set("drop", &"id".into()).unwrap();
            spec.set("format", &"csv".into()).unwrap();
            let job = Job::new(spec).unwrap();
            let (here, there) = (folder.path().join("here"), folder.path().join("there"));
            let table = Table::open(file.to_str().unwrap(), &Default::default(), 2).unwrap();
            cutline::publish(&job, &table, &Destination { path: here.clone(), force: true }, &Silent).unwrap();
            for &by in ways(text) {
                publish_by(&cluster.open("persons"), &job, by, (&there, "persons_public")).unwrap();
                let read = |path: &Path, name: &str| std::fs::read_to_string(path.join("public").join(name)).unwrap();
                for name in ["recoding.json", "report.json"] {
                    assert_eq!(read(&there, name), read(&here, name), "{name}, {round}, {missing}, {by:?}");
                }
                // A file has the null marker where a label is missing, and blanks that a kept column has.
                let mut found = cluster.sql("SELECT * FROM persons_public");
                found.iter_mut().for_each(|line| *line = line.replace('␀', "?"));
                found.sort();
                assert_eq!(found, lines(&read(&here, "table.csv")), "{round}, {missing}, {by:?}");
            }
        }
    }
}

/// Combinations that hardly any records share are not grouped in the server, and few records of many are drawn from a part of them.
#[test]
fn a_table_of_records_that_all_differ_is_published_as_that_of_a_file_and_drawn_from() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.sql(
        "CREATE TABLE wide AS SELECT 20 + i % 61 AS age, i * 7919 % 50021 AS zip, nullif('t' || i % 5, 't4') AS town \
         FROM generate_series(1, 60000) i; ANALYZE wide",
    );
    let folder = tempfile::tempdir().unwrap();
    let csv = cluster.path("wide.csv");
    cluster.sql(&format!("COPY wide TO '{}' WITH (FORMAT csv, HEADER)", csv.display()));
    let job = job_of("[[qid]]\nattributes = [\"age\", \"zip\", \"town\"]\nk = 40\n[output]\nformat = \"csv\"\n");
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    let table = Table::open(csv.to_str().unwrap(), &Default::default(), 2).unwrap();
    cutline::publish(&job, &table, &Destination { path: here.clone(), force: true }, &Silent).unwrap();
    let engine = cluster.open("wide");
    let told = cutline::explain(&job, &Table::remote(engine.clone()), &Silent).unwrap();
    assert!(told[0].what.contains("which most records do not share"), "{}", told[0].what);
    let plan = SamplePlan { size: 500, seed: 7, ..SamplePlan::all(vec![0, 1, 2], Vec::new(), Vec::new()) };
    let drawn = || engine.sample(&plan, &Unwatched).unwrap();
    let (once, again) = (drawn(), drawn());
    assert_eq!((once.drawn, once.records), (500, 60_000));
    assert!(once.columns.iter().zip(&again.columns).all(|(one, other)| one.codes == other.codes));
    publish(&engine, &job, &there, "wide_public").unwrap();
    let read = |path: &Path, name: &str| std::fs::read_to_string(path.join("public").join(name)).unwrap();
    for name in ["recoding.json", "report.json"] {
        assert_eq!(read(&there, name), read(&here, name), "{name}");
    }
    let mut found = cluster.sql("SELECT * FROM wide_public");
    found.iter_mut().for_each(|line| *line = line.replace('␀', ""));
    found.sort();
    assert_eq!(found, lines(&read(&here, "table.csv")));
}

/// A session remembers the cells that it counted last, which may be those of fewer records.
#[test]
fn a_draft_is_published_as_it_was_counted_whatever_was_counted_since() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.sql(
        "CREATE TABLE p AS SELECT CASE WHEN i % 4 > 0 THEN 20 + i % 4 ELSE 60 END AS age, CASE WHEN i % 4 > 0 THEN 'Oslo' END AS town \
         FROM generate_series(1, 400) i",
    );
    let folder = tempfile::tempdir().unwrap();
    let engine = cluster.open("p");
    let job = |missing: &str| {
        job_of(&format!("[input]\nmissing = \"{missing}\"\n[[qid]]\nattributes = [\"age\", \"town\"]\nk = 10\n"))
    };
    let all = draft(&engine, &job("value"), By::Combinations).unwrap();
    draft(&engine, &job("drop"), By::Combinations).unwrap();
    let files = Folder::new(&Destination { path: folder.path().join("out"), force: true }).unwrap();
    let target = IntoTable::new(&engine, &"told".parse().unwrap(), IfExists::Refuse, Some(Box::new(files))).unwrap();
    all.publish(Box::new(target), &Silent).unwrap();
    assert_eq!(cluster.sql("SELECT count(*) FROM told GROUP BY age"), ["100"; 4]);
}

#[test]
fn columns_that_are_published_as_they_are_keep_type_constraints_and_comments() {
    let Some(cluster) = Cluster::start() else { return };
    let columns = "age integer, name text, stay numeric(6,2) NOT NULL CHECK (stay >= 0), born date, ward char(4) COLLATE \"C\", note jsonb";
    cluster.sql(&format!(
        "CREATE TABLE p ({columns}); COMMENT ON COLUMN p.stay IS 'days, it''s'; \
         INSERT INTO p SELECT 20 + i % 30, 'n' || i, i % 7, '2020-01-01'::date + i, 'w' || i % 3, '{{}}' FROM generate_series(1, 200) i"
    ));
    let folder = tempfile::tempdir().unwrap();
    let job = job_of("[[qid]]\nattributes = [\"age\"]\nk = 10\n[attributes.name]\nidentifier = \"tokenize\"\n");
    publish(&cluster.open("p"), &job, &folder.path().join("out"), "p_public").unwrap();
    let types = cluster.sql(
        "SELECT attname, format_type(atttypid, atttypmod), attnotnull, col_description(attrelid, attnum) \
         FROM pg_attribute WHERE attrelid = 'p_public'::regclass AND attnum > 0 ORDER BY attnum",
    );
    assert_eq!(
        types,
        [
            "age|text|f|␀",
            "name|text|f|␀",
            "stay|numeric(6,2)|t|days, it's",
            "born|date|f|␀",
            "ward|character(4)|f|␀",
            "note|jsonb|f|␀"
        ]
    );
    let collations = "SELECT attcollation::regcollation FROM pg_attribute WHERE attrelid = 'p_public'::regclass AND attname IN ('age', 'name', 'ward') ORDER BY attnum";
    assert_eq!(cluster.sql(collations), ["\"default\"", "\"default\"", "\"C\""]);
    assert_eq!(
        cluster.sql("SELECT count(*) FROM pg_constraint WHERE conrelid = 'p_public'::regclass AND contype = 'c'"),
        ["1"]
    );
    assert_eq!(
        cluster.sql("SELECT count(DISTINCT name), min(length(name)), bool_or(name LIKE 'n%') FROM p_public"),
        ["200|32|f"]
    );
    let same =
        "SELECT count(*) FROM (SELECT stay, born, ward FROM p EXCEPT ALL SELECT stay, born, ward FROM p_public) d";
    assert_eq!(cluster.sql(same), ["0"]);
}

#[test]
fn only_a_table_that_cutline_made_is_replaced() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.load("persons", COLUMNS, &table(1, 100));
    cluster.sql("CREATE TABLE mine (x integer)");
    let folder = tempfile::tempdir().unwrap();
    let job = job("[[qid]]\nattributes = [\"age\"]\nk = 5\n");
    let out = folder.path().join("out");
    publish(&cluster.open("persons"), &job, &out, "public.theirs").unwrap();
    publish(&cluster.open("persons"), &job, &out, "public.theirs").unwrap();
    let error = publish(&cluster.open("persons"), &job, &out, "mine").unwrap_err();
    assert_eq!(error.to_string(), "the table `mine` exists and was not made by Cutline, so it is not replaced");
    let engine = cluster.open("persons");
    let files = Folder::new(&Destination { path: folder.path().join("other"), force: false }).unwrap();
    let refused =
        IntoTable::new(&engine, &"theirs".parse().unwrap(), IfExists::Refuse, Some(Box::new(files))).err().unwrap();
    assert_eq!(refused.to_string(), "the table `theirs` exists already");
    assert_eq!(cluster.tables(), ["mine", "persons", "theirs"]);
}

fn job_of(spec: &str) -> Job {
    Job::new(toml::from_str::<Spec>(spec).unwrap()).unwrap()
}

/// Whoever may read a table may ask where each row lies.
#[test]
fn rows_do_not_lie_in_the_order_of_the_raw_table() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.sql("CREATE TABLE p AS SELECT i AS visit, 20 + i % 3 AS age FROM generate_series(1, 300) i");
    let folder = tempfile::tempdir().unwrap();
    let order = |into: &str| {
        let job = job_of("[[qid]]\nattributes = [\"age\"]\nk = 10\n[attributes.visit]\nkeep = true\n");
        publish(&cluster.open("p"), &job, &folder.path().join("out"), into).unwrap();
        cluster.sql(&format!("SELECT visit FROM {into} ORDER BY ctid"))
    };
    let (first, second) = (order("first"), order("second"));
    assert_eq!(first.len(), 300);
    let raw: Vec<String> = (1..=300).map(|visit: u32| visit.to_string()).collect();
    assert!(first != raw && second != raw && first != second, "{first:?}");
}

#[test]
fn bytes_are_neither_masked_nor_taken_for_diverse() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.sql("CREATE TABLE p AS SELECT 20 + i % 3 AS age, (CASE WHEN i % 2 = 0 THEN 'HIV' ELSE 'HIV ' END)::bytea AS ill FROM generate_series(1, 60) i");
    let folder = tempfile::tempdir().unwrap();
    let refused = |spec: &str| {
        let job = Job::new(toml::from_str::<Spec>(spec).unwrap()).unwrap();
        publish(&cluster.open("p"), &job, &folder.path().join("out"), "p_public").unwrap_err().to_string()
    };
    let expected = "the column `ill` holds bytes (bytea), and what they say is not known";
    let diverse = "[[qid]]\nattributes = [\"age\"]\nk = 5\nconditions = [\"distinct-l:ill=2\"]\n";
    assert_eq!(refused(diverse), expected);
    assert_eq!(refused("[[qid]]\nattributes = [\"age\", \"ill\"]\nk = 5\n"), expected);
    let (engine, condition) = (cluster.open("p"), "distinct-l:ill=2".parse().unwrap());
    let claim = Claim { conditions: vec![condition], ..Claim::new(vec!["age".to_owned()], 5) };
    let error = engine.recounted().recount(&[claim], &Options::default(), &|_| ()).unwrap_err();
    assert!(std::error::Error::source(&error).unwrap().to_string().contains(expected), "{error}");
}

/// Values are part of statements: few of them in a CASE, many in a list that is joined.
#[test]
fn values_that_look_like_code_are_published_as_they_are() {
    let Some(cluster) = Cluster::start() else { return };
    let values = [
        "it's",
        "a\\b",
        "\\",
        "\"quoted\"",
        "{x,y}",
        "NULL",
        "'); DROP TABLE p; --",
        "$1",
        "E'\\''",
        "a\tb",
        "a\nb",
        "\\N",
        "köln",
        "%s",
    ];
    let folder = tempfile::tempdir().unwrap();
    for many in [0, 60] {
        cluster.sql("DROP TABLE IF EXISTS p; CREATE TABLE p (v text)");
        let more = (0..many).map(|value| format!("v{value}"));
        // A blank is no part of a value: its label is another text, and too many of those are joined.
        let blank = if many == 0 { "" } else { " " };
        for value in values.iter().map(|&value| value.to_owned()).chain(more) {
            let value = Dialect::Postgres.quote_text(&format!("{value}{blank}")).unwrap();
            cluster.sql(&format!("INSERT INTO p SELECT {value} FROM generate_series(1, 10)"));
        }
        cluster.sql("INSERT INTO p VALUES ('rare'), ('it''s rare'), (NULL), (NULL), (NULL), (NULL), (NULL)");
        let job = job_of("[[qid]]\nattributes = [\"v\"]\nk = 5\n[suppress]\nlimit = \"5%\"\nhow = \"drop\"\n");
        publish(&cluster.open("p"), &job, &folder.path().join("out"), "p_public").unwrap();
        let other = "SELECT v FROM p_public WHERE v <> '*' EXCEPT SELECT btrim(v) FROM p";
        assert_eq!(cluster.sql(&format!("SELECT count(*) FROM ({other}) d")), ["0"], "{many}");
        let told = cluster.sql("SELECT count(DISTINCT v), count(*) FROM p_public WHERE v <> '*'");
        let all = values.len() + many;
        assert!(
            told == [format!("{all}|{}", 10 * all)] || told == [format!("{}|{}", all - 1, 10 * (all - 1))],
            "{told:?}"
        );
    }
}
