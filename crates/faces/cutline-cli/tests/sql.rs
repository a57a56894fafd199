//! `cutline sql`: the statements, run by real servers, give the table that `cutline apply` gives.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

#[path = "support/servers.rs"]
mod servers;
mod support;

use servers::{Ran, Server, lines};
use support::Desk;

const SERVERS: [Server; 3] = [Server::Sqlite, Server::DuckDb, Server::Postgres];

const RECODING: &str = r#"{
  "format": "cutline-recoding/1",
  "attributes": {
    "age": { "operation": "discretize", "bounds": [0, 30, 65, 120], "missing": "published" },
    "weight": { "operation": "discretize", "bounds": [null, 62.5, null] },
    "education": { "operation": "generalize", "cut": ["School", "University"], "missing": "masked",
      "taxonomy": {"label": "Any", "children": [
        {"label": "School", "children": ["9th", "it's"]}, {"label": "University", "children": ["Bachelors", "Masters"]}]} },
    "city": { "operation": "suppress", "disclosed": ["Köln", "a \"b\" c"], "missing": "published" }
  },
  "identifiers": { "name": "drop" },
  "requirement": { "qids": [ { "attributes": ["age", "education"], "k": 1, "anonymity": 1 } ] },
  "null": ["?", "NA"]
}"#;

/// Numbers as people write them, blanks of all kinds, null markers, quotes.
const TABLE: &str = "name,age,weight,education,city,diagnosis
Ann,29,62.4999,9th,Köln,flu
Bob,30,62.5,it's,Bonn,flu
Cid, 30.0 ,6.25e1,Bachelors,  Köln  ,\"it's, so\"
Dan,64.9,,Masters,?,flu
Eve,?,-1e3,\u{a0}9th\u{3000},,gout
Fay,+65,.5,NA,köln,gout
Gus,120,007,  ,\"a \"\"b\"\" c\",flu
Hal,0,5.,?,NA,gout
";

/// A folder with a recoding and a table.
fn desk(recoding: &str, table: &str) -> Desk {
    let desk = Desk::with("recoding.json", recoding);
    desk.write("table.csv", table);
    desk
}

fn script(desk: &Desk, server: Server, flags: &str) -> String {
    script_for(desk, server.dialect(), flags)
}

fn script_for(desk: &Desk, dialect: &str, flags: &str) -> String {
    desk.ok(&format!(
        "sql recoding.json --dialect {dialect} --table patients --columns age,weight,education,city,diagnosis {flags}"
    ))
}

/// What `cutline apply` gives, as lines; the first null marker of the recoding is what CSV files have for NULL.
fn applied(desk: &Desk) -> Vec<String> {
    desk.ok("apply recoding.json table.csv --keep diagnosis -o applied.csv --force");
    let table = desk.read("applied.csv");
    lines(&table.replace(",?,", ",,").replace("\n?,", "\n,").replace(",?,", ",,"))
}

/// Every case of the tests below, for Spark: starting it takes longest, so that it runs all of them at once.
#[test]
fn spark_masks_and_refuses_as_apply_does() {
    let texts = "TEXT,TEXT,TEXT,TEXT,TEXT,TEXT";
    let mut cases = Vec::new();
    let masked = [(RECODING.to_owned(), TABLE.to_owned(), texts), (RECODING.to_owned(), numbers(), NUMBERS)];
    let suppressed = budgets().into_iter().map(|recoding| (recoding, TABLE.to_owned(), texts));
    for (recoding, table, types) in masked.into_iter().chain(suppressed) {
        cases.push((desk(&recoding, &table), types, "--as view"));
        cases.push((desk(&recoding, &table), types, "--as table"));
    }
    let masked = cases.len();
    cases.extend(refusals().iter().map(|(recoding, table)| (desk(recoding, table), texts, "--as table")));
    let scripts: Vec<(String, &str, String)> = cases
        .iter()
        .map(|(desk, types, flags)| (desk.read("table.csv"), *types, script_for(desk, "spark", flags)))
        .collect();
    let Some(ran) = servers::run_spark(&scripts) else { return };
    for (place, ((desk, _, flags), ran)) in cases.iter().zip(ran).enumerate() {
        match place < masked {
            true => assert_eq!(ran, Ran::Published(applied(desk)), "case {place}, {flags}"),
            false => assert!(matches!(ran, Ran::Refused(_)), "case {place}: {ran:?}"),
        }
    }
}

fn same_as_apply(recoding: &str, table: &str, types: &str) {
    for server in SERVERS.into_iter().filter(|server| server.is_here()) {
        for form in ["view", "table"] {
            let desk = desk(recoding, table);
            let ran = server.run(&desk, types, &script(&desk, server, &format!("--as {form}")));
            assert_eq!(ran, Ran::Published(applied(&desk)), "{server:?} {form}");
        }
    }
}

#[test]
fn tables_of_texts_are_masked_as_apply_does() {
    same_as_apply(RECODING, TABLE, "TEXT,TEXT,TEXT,TEXT,TEXT,TEXT");
}

const NUMBERS: &str = "TEXT,DOUBLE PRECISION,DOUBLE PRECISION,TEXT,TEXT,TEXT";

/// The table with columns of numbers.
fn numbers() -> String {
    TABLE
        .replace(" 30.0 ", "30")
        .replace("?,-1e3", ",-1e3")
        .replace("+65", "65")
        .replace("62.4999", "62.49999999999999")
}

#[test]
fn columns_of_numbers_are_masked_as_apply_does() {
    same_as_apply(RECODING, &numbers(), NUMBERS);
}

/// Recodings that suppress some records.
fn budgets() -> Vec<String> {
    let recoding = |(limit, k, how): (f64, u64, &str)| {
        let budget = format!(r#""suppression": {{"limit": {limit}, "how": "{how}"}}, "null""#);
        RECODING.replace("\"null\"", &budget).replace("\"k\": 1", &format!("\"k\": {k}"))
    };
    [(0.9, 2, "mask"), (0.9, 2, "drop"), (1.0, 3, "mask"), (0.6, 2, "mask")].map(recoding).into()
}

#[test]
fn suppressed_records_are_those_that_apply_suppresses() {
    for recoding in budgets() {
        same_as_apply(&recoding, TABLE, "TEXT,TEXT,TEXT,TEXT,TEXT,TEXT");
    }
}

/// Recodings and tables that do not fit together, or are not anonymous together.
fn refusals() -> Vec<(String, String)> {
    let budget = r#""suppression": {"limit": 0.01, "how": "drop"}, "null""#;
    let diverse = r#""k": 1, "conditions": ["distinct-l:diagnosis=2"]"#;
    vec![
        (RECODING.to_owned(), TABLE.replace("120", "121")),
        (RECODING.to_owned(), TABLE.replace("64.9", "many")),
        (RECODING.to_owned(), TABLE.replace("64.9", "nan")),
        (RECODING.to_owned(), TABLE.replace("Masters", "Master")),
        (RECODING.replace("\"k\": 1", "\"k\": 3"), TABLE.to_owned()),
        (RECODING.replace("\"k\": 1", "\"k\": 3").replace("\"null\"", budget), TABLE.to_owned()),
        (RECODING.replace("\"k\": 1", diverse), TABLE.to_owned()),
    ]
}

#[test]
fn nothing_is_published_where_apply_refuses() {
    for (recoding, table) in refusals() {
        for server in SERVERS.into_iter().filter(|server| server.is_here()) {
            let desk = desk(&recoding, &table);
            assert!(!desk.run("apply recoding.json table.csv --keep diagnosis -o applied.csv").status.success());
            let ran = server.run(&desk, "TEXT,TEXT,TEXT,TEXT,TEXT,TEXT", &script(&desk, server, "--as table"));
            assert!(matches!(ran, Ran::Refused(_)), "{server:?}: {ran:?}");
        }
    }
}

#[test]
fn what_statements_cannot_do_is_refused_with_a_hint() {
    let refused = |recoding: &str, flags: &str| {
        let desk = desk(recoding, TABLE);
        let output = desk.run(&format!("sql recoding.json --dialect duckdb --table patients {flags}"));
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(RECODING, "--columns name").contains("is an identifier that the recoding drops"));
    let tokens = RECODING.replace("\"drop\"", "\"tokenize\"");
    assert!(refused(&tokens, "--columns name").contains("becomes tokens"));
    assert!(refused(RECODING, "--as labels").contains("hint: `labels` are rules of PostgreSQL Anonymizer"));
    assert!(refused(RECODING, "--as merge").contains("--key"));
    assert!(refused(RECODING, "--qid age,ward:2").contains("`ward`, which would not be published"));
    let budget = RECODING.replace("\"null\"", r#""suppression": {"limit": 0.1, "how": "drop"}, "null""#);
    assert!(refused(&budget, "--qid age,city:2 --qid weight:3").contains("several QIDs"));
    let ordered = RECODING.replace("\"k\": 1", r#""k": 1, "conditions": ["t-close-ordered:diagnosis=0.2"]"#);
    assert!(refused(&ordered, "").contains("cannot be checked by a statement"));
}

#[test]
fn only_named_columns_are_published() {
    let desk = desk(&RECODING.replace("\"drop\"", "\"tokenize\""), TABLE);
    let output = desk.run("sql recoding.json --dialect postgres --table patients");
    let script = String::from_utf8(output.stdout).unwrap();
    assert!(!script.contains("diagnosis") && !script.contains("\"name\""), "{script}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("note: the identifier `name` is left out"));
}
