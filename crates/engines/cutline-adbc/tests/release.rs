//! A release in a database is the release of the same table as a file: the same recoding, the same records.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

#[path = "../../cutline-remote/tests/support/cases.rs"]
mod cases;
mod support;

use std::io::Read;
use std::path::Path;

use arrow_schema::DataType;
use cases::{By, TOWNS, specs, table, ways};
use cutline::engine::{Engine, SamplePlan, Unwatched};
use cutline::spec::Spec;
use cutline::{Counts, Destination, Draft, Folder, Job, Silent, Table};
use cutline_adbc::{Adbc, IfExists, IntoTable, Source};
use support::{Kind, Server};

const TYPES: [DataType; 6] =
    [DataType::Int64, DataType::Int16, DataType::Utf8, DataType::Utf8, DataType::Utf8, DataType::Utf8];

fn job(spec: &str, missing: &str) -> Job {
    let mut spec: Spec = toml::from_str(spec).unwrap();
    spec.input.null = vec!["?".to_owned()];
    spec.set("missing", &missing.into()).unwrap();
    spec.set("format", &"csv".into()).unwrap();
    Job::new(spec).unwrap()
}

fn draft(engine: &Adbc, job: &Job, by: By) -> Result<Draft, cutline::Error> {
    let table = Table::remote(engine.clone());
    match by {
        By::Combinations => Counts::new(job, &table, &Silent)?.search(job, &Silent),
        By::Frontier => Draft::by_frontier(job, &table, &Silent),
    }
}

fn publish(engine: &Adbc, job: &Job, by: By, (folder, into): (&Path, &str)) -> Result<(), cutline::Error> {
    let files = Folder::new(&Destination { path: folder.to_owned(), force: true })?;
    let draft = draft(engine, job, by)?;
    let target = IntoTable::new(engine, &into.parse().unwrap(), IfExists::Replace, Some(Box::new(files)))?;
    draft.publish(Box::new(target), &Silent).map(|_| ())
}

/// Publishes a file here, its table in a database, and compares.
fn same_release(server: &Server, job: &Job, ways: &[By], csv: &str, what: &str) {
    let (file, here, there) = (server.path("t.csv"), server.path("here"), server.path("there"));
    std::fs::write(&file, csv).unwrap();
    let table = Table::open(&file, &Default::default(), 2).unwrap();
    cutline::publish(job, &table, &Destination { path: here.clone().into(), force: true }, &Silent).unwrap();
    let read = |folder: &str, name: &str| std::fs::read_to_string(Path::new(folder).join("public").join(name)).unwrap();
    let mut expected: Vec<String> =
        read(&here, "table.csv").lines().skip(1).map(|line| line.replace(',', "|")).collect();
    expected.sort();
    for &by in ways {
        publish(&server.open("t"), job, by, (there.as_ref(), "t_public")).unwrap();
        for name in ["recoding.json", "report.json"] {
            assert_eq!(read(&there, name), read(&here, name), "{name}, {:?}, {what}, {by:?}", server.kind);
        }
        let mut found = server.sql("SELECT * FROM t_public");
        // A file has the null marker where a label is missing.
        found.iter_mut().for_each(|line| *line = line.replace('␀', "?"));
        found.sort();
        let other = found.iter().zip(&expected).find(|(one, other)| one != other);
        assert!(found == expected, "{:?}, {what}, {by:?}: {other:?}", server.kind);
    }
}

#[test]
fn a_release_in_a_database_is_that_of_a_file() {
    for server in Server::all() {
        let taxonomy = server.path("town.txt");
        std::fs::write(&taxonomy, TOWNS).unwrap();
        for (round, spec) in specs(Path::new(&taxonomy)).iter().enumerate() {
            let csv = table(round as u64, 400);
            let mut types = TYPES;
            if round % 2 == 1 && spec.contains("weight") {
                types[2] = DataType::Float64;
            }
            server.load("t", &csv, &types);
            let spec = format!("{spec}[attributes.id]\nidentifier = \"drop\"\n");
            for missing in ["value", "drop", "complete"] {
                same_release(&server, &job(&spec, missing), ways(&spec), &csv, &format!("{round}, {missing}"));
            }
        }
        assert_eq!(server.tables(), ["t", "t_public"], "nothing is left aside");
    }
}

#[test]
fn adult_with_taxonomies_several_qids_and_suppression_is_published_as_the_file_is() {
    let datasets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../datasets");
    let mut csv = String::new();
    let file = std::fs::File::open(datasets.join("adult/train.csv.gz")).unwrap();
    flate2::read::GzDecoder::new(file).read_to_string(&mut csv).unwrap();
    let csv: String = csv.lines().take(6001).flat_map(|line| [line, "\n"]).collect();
    let numbers = [0, 2, 4, 10, 11, 12];
    let types: Vec<DataType> =
        (0..15).map(|column| if numbers.contains(&column) { DataType::Int32 } else { DataType::Utf8 }).collect();
    let mut spec = "[purpose]\ntarget = \"income\"\n[suppress]\nlimit = \"2%\"\n\
        [[qid]]\nattributes = [\"age\", \"workclass\", \"education\", \"sex\"]\nk = 20\n\
        [[qid]]\nattributes = [\"marital-status\", \"hours-per-week\", \"native-country\"]\nk = 12\n"
        .to_owned();
    for name in ["workclass", "education", "sex", "marital-status", "native-country"] {
        let tree = datasets.join(format!("taxonomies/{name}.txt"));
        spec += &format!("[attributes.{name}]\ntaxonomy = \"{}\"\n", tree.display());
    }
    for server in Server::all() {
        server.load("t", &csv, &types);
        same_release(&server, &job(&spec, "value"), &[By::Combinations], &csv, "adult");
    }
}

#[test]
fn the_same_records_are_drawn_again_and_others_by_another_seed() {
    for server in Server::all() {
        server.load("t", &table(3, 5000), &TYPES);
        let engine = server.open("t");
        let drawn = |seed: u64| {
            let plan = SamplePlan { size: 300, seed, ..SamplePlan::all(vec![0, 3], Vec::new(), Vec::new()) };
            let sample = engine.sample(&plan, &Unwatched).unwrap();
            assert_eq!((sample.drawn, sample.records), (300, 5000));
            sample.columns[0].texts.iter().map(|id| id.as_deref().unwrap().parse().unwrap()).collect::<Vec<u32>>()
        };
        let (once, again, other) = (drawn(7), drawn(7), drawn(8));
        assert!(once == again && once != other, "{:?}", server.kind);
        // By chance, each tenth of the table has about thirty.
        let tenth = |n: u32| once.iter().filter(|&&id| id / 500 == n).count();
        assert!((0..10).all(|n| (8..70).contains(&tenth(n))), "{:?}: {once:?}", server.kind);
    }
}

#[test]
fn rows_do_not_lie_in_the_order_of_the_raw_table() {
    for server in Server::all() {
        server.load("t", &table(3, 300), &TYPES);
        let order = |into: &str| {
            let job = job("[[qid]]\nattributes = [\"age\"]\nk = 10\n[attributes.id]\nkeep = true\n", "value");
            publish(&server.open("t"), &job, By::Combinations, (server.path("out").as_ref(), into)).unwrap();
            server.sql(&format!("SELECT id FROM {into}"))
        };
        let (first, second) = (order("first"), order("second"));
        let raw: Vec<String> = (0..300).map(|id: u32| id.to_string()).collect();
        assert!(first.len() == 300 && first != raw && second != raw && first != second, "{:?}", server.kind);
    }
}

#[test]
fn only_a_table_that_cutline_made_is_replaced() {
    for server in Server::all() {
        server.load("t", &table(1, 100), &TYPES);
        server.sql("CREATE TABLE mine (x integer)");
        server.sql("CREATE VIEW seen AS SELECT 1 AS x");
        let job = job("[[qid]]\nattributes = [\"age\"]\nk = 5\n[attributes.id]\nidentifier = \"drop\"\n", "value");
        let out = server.path("out");
        let publish = |into: &str| publish(&server.open("t"), &job, By::Combinations, (out.as_ref(), into));
        publish("main.theirs").unwrap();
        publish("Theirs").unwrap();
        for name in ["mine", "main.mine", "seen"] {
            let said = publish(name).unwrap_err().to_string();
            assert!(said.ends_with("exists and was not made by Cutline, so it is not replaced"), "{said}");
        }
        let engine = server.open("t");
        let refused = IntoTable::new(&engine, &"theirs".parse().unwrap(), IfExists::Refuse, None).err().unwrap();
        assert_eq!(refused.to_string(), "the table `theirs` exists already");
        drop(engine);
        let tables: Vec<String> = server.tables().iter().map(|name| name.to_lowercase()).collect();
        assert_eq!(tables.iter().filter(|name| **name != "seen").count(), 3, "{tables:?}");
    }
}

/// SQLite's values have types, whatever their column was declared as.
#[test]
fn what_values_of_sqlite_are_is_asked_of_the_values() {
    let Some(server) = Server::of(Kind::Sqlite) else { return };
    server.sql("CREATE TABLE t (age TEXT, weight, code INTEGER, photo TEXT, town TEXT COLLATE NOCASE, note TEXT)");
    server.sql(
        "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) \
         SELECT 20 + i % 30, CASE WHEN i % 2 THEN i % 9 ELSE i % 9 + 0.5 END, CASE WHEN i % 3 THEN i % 5 ELSE 'x' || (i % 5) END, \
         x'00ff', CASE WHEN i % 2 THEN 'Ulm' ELSE 'ulm' END, CASE WHEN i > 2000 THEN 'seen' END FROM n",
    );
    let engine = server.open("t");
    let kinds: Vec<String> = engine.columns().iter().map(|column| format!("{:?}", column.cells)).collect();
    assert_eq!(kinds, ["Text", "Number", "Text", "Binary", "Text", "Text"]);
    let spec = "[[qid]]\nattributes = [\"age\", \"weight\", \"town\"]\nk = 10\n";
    publish(&engine, &job(spec, "value"), By::Combinations, (server.path("out").as_ref(), "p")).unwrap();
    drop(engine);
    let kept = "SELECT typeof(code), code, hex(photo), note, count(*) FROM";
    assert_eq!(
        server.sql(&format!("{kept} p GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4")),
        server.sql(&format!("{kept} t GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4"))
    );
    let towns = server.sql("SELECT DISTINCT town FROM p ORDER BY 1");
    assert!(towns == ["Ulm", "ulm"] || towns == ["*"], "{towns:?}");
    let refused = |spec: &str| {
        let told = publish(&server.open("t"), &job(spec, "value"), By::Combinations, (server.path("o").as_ref(), "q"));
        told.unwrap_err().to_string()
    };
    let said = refused("[[qid]]\nattributes = [\"age\", \"photo\"]\nk = 10\n");
    assert!(said.contains("the column `photo` holds bytes"), "{said}");
    let said = refused("[[qid]]\nattributes = [\"age\"]\nk = 10\n[attributes.note]\nidentifier = \"tokenize\"\n");
    assert!(said.contains("SQLite has no hash"), "{said}");
}

#[test]
fn columns_of_duckdb_keep_their_types_and_identifiers_become_tokens() {
    let Some(server) = Server::of(Kind::DuckDb) else { return };
    let kept = "(i % 7)::DECIMAL(6,2) AS stay, DATE '2020-01-01' + (i % 9)::INTEGER AS born, (i % 3)::VARCHAR::ENUM('0', '1', '2') AS ward";
    server.sql(&format!("CREATE TABLE t AS SELECT 'n' || i AS name, (20 + i % 30)::HUGEINT AS age, {kept}, [i] AS note FROM range(600) r(i)"));
    let spec =
        "[[qid]]\nattributes = [\"age\", \"born\", \"ward\"]\nk = 10\n[attributes.name]\nidentifier = \"tokenize\"\n";
    publish(&server.open("t"), &job(spec, "value"), By::Combinations, (server.path("out").as_ref(), "p")).unwrap();
    let types = server.sql("SELECT column_name, column_type FROM (DESCRIBE p)");
    assert_eq!(
        types,
        ["name|VARCHAR", "age|VARCHAR", "stay|DECIMAL(6,2)", "born|VARCHAR", "ward|VARCHAR", "note|BIGINT[]"]
    );
    let tokens = "SELECT count(DISTINCT name), min(length(name)), bool_or(name LIKE 'n%') FROM p";
    assert_eq!(server.sql(tokens), ["600|32|false"]);
    let spec = "[[qid]]\nattributes = [\"age\", \"yes\", \"seen\", \"zoned\", \"clock\", \"many\"]\nk = 10\n[suppress]\nlimit = \"100%\"\n";
    let more = "i % 2 = 0 AS yes, TIMESTAMP '2020-01-01' + INTERVAL (i % 3) HOUR AS seen, \
        TIMESTAMPTZ '2020-01-01 00:00:00+02' + INTERVAL (i % 3) HOUR AS zoned, TIME '01:02:03' + INTERVAL (i % 3) HOUR AS clock, \
        INTERVAL (i % 2) DAY AS many";
    let typed = server.try_open(&Source::Query(format!("select i % 4 as age, {more} from range(600) r(i)"))).unwrap();
    publish(&typed, &job(spec, "value"), By::Combinations, (server.path("out").as_ref(), "typed")).unwrap();
    drop(typed);
    assert_eq!(server.sql("SELECT count(*), count(DISTINCT (yes, seen, zoned, clock, many)) FROM typed"), ["600|6"]);
    let query = Source::Query("select age, ward from t where stay > 2 -- only some".to_owned());
    let engine = server.try_open(&query).unwrap();
    let plain = job("[[qid]]\nattributes = [\"age\", \"ward\"]\nk = 10\n", "value");
    publish(&engine, &plain, By::Combinations, (server.path("out").as_ref(), "part")).unwrap();
    assert_eq!(server.sql("SELECT count(*) FROM part"), server.sql("SELECT count(*) FROM t WHERE stay > 2"));
}
