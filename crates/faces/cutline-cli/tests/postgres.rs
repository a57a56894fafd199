//! `cutline` on a table of a PostgreSQL database.
#![cfg(feature = "postgres")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

#[path = "support/servers.rs"]
#[allow(dead_code)]
mod servers;
mod support;

use servers::{Cluster, Server};
use support::Desk;

const PERSONS: &str = "CREATE TABLE persons AS SELECT 'p' || i AS name, 20 + i % 50 AS age, 't' || i % 7 AS town, \
    (ARRAY['flu', 'gout', 'asthma'])[1 + i % 3] AS diagnosis FROM generate_series(1, 500) i";

/// A server with a table, and its location.
fn server() -> Option<(Cluster, String)> {
    if !Server::Postgres.is_here() {
        return None;
    }
    let cluster = Cluster::start();
    let location = cluster.location();
    query(&cluster, PERSONS);
    Some((cluster, location))
}

fn query(cluster: &Cluster, sql: &str) -> String {
    let output = cluster.psql(&["-A", "-t", "-c", sql], &std::env::temp_dir());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_table_is_looked_at_published_and_verified_where_it_is() {
    let Some((cluster, location)) = server() else { return };
    let desk = Desk::new();
    let said = desk.ok(&format!("init {location} --table persons"));
    assert!(said.contains("500 records") && said.contains("identifier"), "{said}");
    let spec = desk.read("release.toml");
    assert!(spec.contains("table = \"persons\"") && !spec.contains("\nshuffle = true"), "{spec}");
    let publish = format!(
        "anonymize {location} --table persons --qid age,town:10 --drop name --target diagnosis --into persons_public -o out"
    );
    let said = desk.ok(&publish);
    assert!(said.contains("500 records") && said.contains("holds"), "{said}");
    assert_eq!(query(&cluster, "SELECT count(*) FROM persons_public"), "500\n");
    for file in ["public/recoding.json", "public/report.html", "private/report.json"] {
        assert!(desk.path("out").join(file).is_file(), "{file}");
    }
    assert!(!desk.path("out/public/table.csv").exists());
    let said = desk.ok(&format!("verify {location} --table persons_public --qid age,town:10"));
    assert!(said.contains("persons_public: 500 records"), "{said}");
    assert_eq!(desk.run(&format!("verify {location} --table persons --qid age,town:10")).status.code(), Some(1));
    let again = desk.run(&publish.replace("-o out", "-o other"));
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8(again.stderr).unwrap().contains("the table `persons_public` exists already"));
    desk.ok(&format!("{publish} --force"));
}

#[test]
fn a_recoding_is_applied_to_a_table_where_it_is() {
    let Some((cluster, location)) = server() else { return };
    let desk = Desk::new();
    desk.ok(&format!(
        "anonymize {location} --table persons --qid age,town:10 --drop name --target diagnosis --into first -o out"
    ));
    query(&cluster, "CREATE TABLE later AS SELECT * FROM persons UNION ALL SELECT * FROM persons");
    let apply = format!("apply out/public/recoding.json {location} --table later --into second");
    let said = desk.ok(&apply);
    assert!(said.contains("second: 1000 records"), "{said}");
    let once = "SELECT age, town, diagnosis, count(*) FROM first GROUP BY 1, 2, 3 ORDER BY 1, 2, 3";
    let twice = "SELECT age, town, diagnosis, count(*) / 2 FROM second GROUP BY 1, 2, 3 ORDER BY 1, 2, 3";
    assert_eq!(query(&cluster, twice), query(&cluster, once));
    assert_eq!(desk.run(&apply).status.code(), Some(2), "it is there already");
    desk.ok(&format!("{apply} --force"));
    // A value that the recoding does not know, and groups that are too small: nothing appears.
    query(&cluster, "CREATE TABLE few AS SELECT * FROM persons WHERE town = 't1' AND age < 30");
    let refused = desk.run(&apply.replace("later", "few").replace("second", "third"));
    assert!(!refused.status.success());
    assert_eq!(query(&cluster, "SELECT to_regclass('third') IS NULL"), "t\n");
}

#[test]
fn a_query_is_published_and_what_masking_costs_is_told() {
    let Some((cluster, location)) = server() else { return };
    let desk = Desk::new();
    let young = "select age, town, diagnosis from persons where age < 45";
    let publish = ["anonymize", &location, "--query", young, "--qid", "age,town:10", "--into", "young", "-o", "out"];
    let output = desk.command().args(publish).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(
        query(&cluster, "SELECT count(*) FROM young"),
        query(&cluster, "SELECT count(*) FROM persons WHERE age < 45")
    );
    let said = desk.ok(&format!(
        "evaluate {location} --table persons --drop name --qid age,town:10 --target diagnosis --classifier naive-bayes"
    ));
    assert!(said.contains("diagnosis"), "{said}");
}

#[test]
fn what_would_be_sent_is_told_before_it_is() {
    let Some((cluster, location)) = server() else { return };
    let desk = Desk::new();
    let explain = format!("anonymize {location} --table persons --qid age,town:10 --drop name --into told --explain");
    let said = desk.ok(&explain);
    assert!(said.contains("1. count the combinations of values (350 rows come back)"), "{said}");
    assert!(said.contains("draw records to look at (at most 500 rows come back)"), "{said}");
    assert!(said.contains("recount what was written (at most 50 rows come back)"), "{said}");
    assert!(!desk.ok(&format!("{explain} --no-sample")).contains("draw records"));
    assert_eq!(query(&cluster, "SELECT to_regclass('told') IS NULL"), "t\n");
    assert!(desk.names().is_empty(), "nothing is published");
}

#[test]
fn without_a_sample_counts_say_which_columns_name_persons() {
    let Some((_cluster, location)) = server() else { return };
    let desk = Desk::new();
    let publish =
        format!("anonymize {location} --table persons --no-sample --qid age,town:10 --into counted_only -o out");
    let refused = desk.run(&publish);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("`name`"), "{said}");
    desk.ok(&format!("{publish} --drop name"));
    let report = desk.read("out/private/report.json");
    assert!(report.contains("\"looked_at\": 0"), "no record was drawn");
    let refused = desk.run(&format!("{publish} --drop name --target diagnosis --evaluate --force"));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("--no-sample"));
}

#[test]
fn the_tour_of_the_page_runs_as_it_is_written() {
    let Some((cluster, location)) = server() else { return };
    let patients = "SELECT 'p' || i AS name, 20 + i % 40 AS age, (ARRAY['f', 'm'])[1 + i % 2] AS sex, 'z' || i % 5 AS zip, \
        (ARRAY['flu', 'gout', 'asthma'])[1 + i % 3] AS diagnosis FROM generate_series(1, 900) i";
    query(&cluster, &format!("CREATE TABLE patients AS {patients}; CREATE TABLE patients_june AS {patients}"));
    let desk = Desk::new();
    for command in support::tour("how-to/postgresql.md") {
        desk.ok(&command.replace("postgresql://ann@db.example.org/care", &location));
    }
    assert_eq!(query(&cluster, "SELECT count(*) FROM patients_public"), "900\n");
    assert_eq!(query(&cluster, "SELECT count(*) FROM patients_june_public"), "900\n");
}

#[test]
fn what_contradicts_a_database_is_refused() {
    let Some((_cluster, location)) = server() else { return };
    let desk = Desk::with("t.csv", "age\n1\n2\n");
    let refused = |arguments: &str| {
        let output = desk.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused("anonymize t.csv --qid age:2 --into x -o out").contains("--into is about a database"));
    assert!(refused(&format!("anonymize {location} --qid age:2 -o out")).contains("either a table or a query"));
    assert!(
        refused(&format!("anonymize {location} --table persons --drop name --qid age:2 -o out")).contains("--into")
    );
    let said = refused(&format!("evaluate {location} t.csv --table persons --target diagnosis"));
    assert!(said.contains("those of a server have no order") && said.contains("leave out the masked table"), "{said}");
    let said = refused(&format!("evaluate t.csv {location} --target age"));
    assert!(said.contains("those of a server have no order"), "{said}");
    let secret = location.replace("cutline@", "cutline:tulip@");
    let said = refused(&format!("anonymize {secret} --table persons --qid age:2 --into p -o out"));
    assert!(said.contains("has a password in it") && !said.contains("tulip"), "{said}");
    assert_eq!(desk.names(), ["t.csv"]);
}
