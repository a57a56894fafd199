//! `cutline` on tables of databases with an ADBC driver.
#![cfg(feature = "adbc")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

#[path = "../../../engines/cutline-adbc/tests/support/mod.rs"]
mod servers;
mod support;

use arrow_schema::DataType;
use servers::{Kind, Server};
use support::Desk;

const TYPES: [DataType; 5] = [DataType::Utf8, DataType::Int64, DataType::Utf8, DataType::Utf8, DataType::Utf8];

fn patients(server: &Server, table: &str) {
    let record = |i: usize| {
        let (sex, diagnosis) = (["f", "m"][i % 2], ["flu", "gout", "asthma"][i % 3]);
        format!("p{i},{},{sex},z{},{diagnosis}\n", 20 + i % 41, i % 7)
    };
    let csv = format!("name,age,sex,zip,diagnosis\n{}", (1..=900).map(record).collect::<String>());
    server.load(table, &csv, &TYPES);
}

#[test]
fn a_table_is_looked_at_published_verified_and_applied_to_where_it_is() {
    for server in Server::all() {
        patients(&server, "patients");
        patients(&server, "june");
        let (location, desk) = (server.url(), Desk::new());
        let said = desk.ok(&format!("init {location} --table patients"));
        assert!(said.contains("900 records") && said.contains("identifier"), "{said}");
        assert!(desk.read("release.toml").contains(&format!("path = \"{location}\"")));
        let qid = "--qid age,sex,zip:10";
        let publish = format!("anonymize {location} --table patients {qid} --drop name --target diagnosis --into p");
        let said = desk.ok(&format!("{publish} --explain"));
        assert!(said.contains("1. count the combinations of values"), "{said}");
        let said = desk.ok(&format!("{publish} -o out"));
        assert!(said.contains("900 records") && said.contains("holds"), "{said}");
        assert!(desk.path("out/public/recoding.json").is_file() && !desk.path("out/public/table.csv").exists());
        assert!(desk.ok(&format!("verify {location} --table p {qid}")).contains("p: 900 records"));
        assert_eq!(desk.run(&format!("verify {location} --table patients {qid}")).status.code(), Some(1));
        assert!(desk.ok(&format!("screen {location} --table patients {qid}")).contains("name"));
        let said = desk.ok(&format!("apply out/public/recoding.json {location} --table june --into june_public"));
        assert!(said.contains("june_public: 900 records"), "{said}");
        let said = desk.ok(&format!("{publish} --no-sample -o out --force"));
        assert!(said.contains("900 records"), "{said}");
        let sorted =
            |table: &str| server.sql(&format!("SELECT age, sex, zip, diagnosis FROM {table} ORDER BY 1, 2, 3, 4"));
        assert_eq!(sorted("p"), sorted("june_public"));
        assert_eq!(server.tables(), ["june", "june_public", "p", "patients"]);
    }
}

#[test]
fn the_tour_of_the_page_runs_as_it_is_written() {
    let Some(server) = Server::of(Kind::DuckDb) else { return };
    patients(&server, "patients");
    patients(&server, "june");
    let desk = Desk::new();
    std::fs::copy(server.database(), desk.path("care.duckdb")).unwrap();
    let manifest = format!(
        "manifest_version = 1\n[Driver]\nentrypoint = \"duckdb_adbc_init\"\nshared = \"{}\"\n",
        server.library.display()
    );
    desk.write("duckdb.toml", manifest);
    for command in support::tour("how-to/adbc.md") {
        let mut cutline = desk.command();
        let ran = cutline.env("ADBC_DRIVER_PATH", desk.path("")).args(command.split_whitespace()).output().unwrap();
        assert!(ran.status.success(), "{command}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    std::fs::copy(desk.path("care.duckdb"), server.database()).unwrap();
    assert_eq!(server.tables(), ["june", "june_public", "patients", "patients_public"]);
}

#[test]
fn a_database_of_duckdb_that_somebody_has_open_is_left_alone() {
    let Some(server) = Server::of(Kind::DuckDb) else { return };
    patients(&server, "patients");
    let (open, desk) = (server.connect(), Desk::new());
    let publish = "--table patients --qid age,sex,zip:10 --drop name --into p -o out";
    let output = desk.run(&format!("anonymize {} {publish}", server.url()));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("Could not set lock") && said.contains("no other program has the database open"), "{said}");
    drop(open);
    assert_eq!(server.tables(), ["patients"]);
    assert!(desk.names().is_empty());
}

#[test]
fn what_contradicts_a_database_is_refused() {
    let desk = Desk::new();
    let refused = |arguments: &str| {
        let output = desk.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        String::from_utf8(output.stderr).unwrap()
    };
    let said = refused("verify adbc:x:ann:tulip@host --table p --qid age:2");
    assert!(said.contains("has a secret in it") && said.contains("profile") && !said.contains("tulip"), "{said}");
    let said = refused("verify adbc:sqlite --table p --qid age:2");
    assert!(said.contains("hint: write adbc:driver:database"), "{said}");
    let said = refused("verify adbc:sqlite:gone.db --table p --qid age:2");
    assert!(said.contains("there is no database `gone.db`"), "{said}");
    assert!(desk.names().is_empty());
}
