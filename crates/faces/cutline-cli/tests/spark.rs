//! `cutline` on a table of a Spark cluster.
#![cfg(feature = "spark")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

#[path = "../../../engines/cutline-remote/tests/support/certificates.rs"]
mod certificates;
#[path = "../../../engines/cutline-spark/tests/support/mod.rs"]
mod servers;
mod support;
#[path = "support/tls.rs"]
mod tls;

use arrow_schema::DataType;
use servers::{Server, parquet};
use support::Desk;

/// A server with a table: its path.
fn server() -> Option<(Server, String)> {
    let server = Server::sail()?;
    let records = (1..=500).map(|i| format!("p{i},{},t{},{}\n", 20 + i % 50, i % 7, ["flu", "gout", "asthma"][i % 3]));
    let csv = format!("name,age,town,diagnosis\n{}", records.collect::<String>());
    let file = server.path("persons.parquet");
    parquet(&file, &csv, &[DataType::Utf8, DataType::Int32, DataType::Utf8, DataType::Utf8]);
    Some((server, file))
}

#[test]
fn a_table_is_looked_at_published_and_verified_where_it_is() {
    let Some((server, file)) = server() else { return };
    let (location, desk, into) = (server.url(), Desk::new(), server.path("persons_public"));
    let said = desk.ok(&format!("init {location} --table {file}"));
    assert!(said.contains("500 records") && said.contains("identifier"), "{said}");
    assert!(desk.read("release.toml").contains("persons.parquet"));
    let publish =
        format!("anonymize {location} --table {file} --qid age,town:10 --drop name --target diagnosis --into {into}");
    let said = desk.ok(&format!("{publish} -o out"));
    assert!(said.contains("500 records") && said.contains("holds"), "{said}");
    for file in ["public/recoding.json", "public/report.html", "private/report.json"] {
        assert!(desk.path("out").join(file).is_file(), "{file}");
    }
    assert_eq!(servers::records(into.as_ref()).len(), 500);
    let said = desk.ok(&format!("verify {location} --table {into} --qid age,town:10"));
    assert!(said.contains("500 records"), "{said}");
    assert_eq!(desk.run(&format!("verify {location} --table {file} --qid age,town:10")).status.code(), Some(1));
    let again = desk.run(&format!("{publish} -o other"));
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8(again.stderr).unwrap().contains("exists already"));
    let said = desk.ok(&format!("screen {location} --table {file} --qid age,town:10"));
    assert!(said.contains("name"), "{said}");
}

#[test]
fn a_recoding_is_applied_to_a_table_where_it_is() {
    let Some((server, file)) = server() else { return };
    let (location, desk) = (server.url(), Desk::new());
    let (first, second) = (server.path("first"), server.path("second"));
    desk.ok(&format!(
        "anonymize {location} --table {file} --qid age,town:10 --drop name --target diagnosis --into {first} -o out"
    ));
    let apply = format!("apply out/public/recoding.json {location} --table {file} --into {second}");
    let said = desk.ok(&apply);
    assert!(said.contains("second: 500 records"), "{said}");
    assert_eq!(servers::records(second.as_ref()), servers::records(first.as_ref()));
    let said = desk.run(&format!("{apply} -o file.csv"));
    assert_eq!(said.status.code(), Some(2));
    let evaluate = format!("evaluate {location} --table {file} --drop name --qid age,town:10 --target diagnosis");
    let said = desk.ok(&format!("{evaluate} --classifier naive-bayes"));
    assert!(said.contains("diagnosis"), "{said}");
}

#[test]
fn the_tour_of_the_page_runs_as_it_is_written() {
    let Some(server) = Server::sail() else { return };
    let record = |i: usize| {
        let (sex, diagnosis) = (["f", "m"][i % 2], ["flu", "gout", "asthma"][i % 3]);
        format!("p{i},{},{sex},z{},{diagnosis}\n", 20 + i % 40, i % 5)
    };
    let csv = format!("name,age,sex,zip,diagnosis\n{}", (1..=900).map(record).collect::<String>());
    let types = [DataType::Utf8, DataType::Int32, DataType::Utf8, DataType::Utf8, DataType::Utf8];
    for name in ["patients.parquet", "june.parquet"] {
        parquet(&server.path(name), &csv, &types);
    }
    let desk = Desk::new();
    for command in support::tour("how-to/spark.md") {
        let command = command.replace("sc://spark.example.org:15002", &server.url());
        desk.ok(&command.replace("/data/", &server.path("")));
    }
    assert_eq!(servers::records(server.path("june_public").as_ref()).len(), 900);
}

#[test]
fn what_a_cluster_cannot_do_is_refused() {
    let Some((server, file)) = server() else { return };
    let desk = Desk::new();
    let refused = |arguments: &str| {
        let output = desk.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        String::from_utf8(output.stderr).unwrap()
    };
    let publish = format!("anonymize {} --table {file} --drop name --qid age:2 -o out --into", server.url());
    let said = refused(&format!("{publish} s3a://bucket/out"));
    assert!(said.contains("cannot be renamed") && said.contains("catalog.schema.name"), "{said}");
    let said = refused(&format!("anonymize {}/;token=tulip --table {file} --qid age:2 -o out", server.url()));
    assert!(said.contains("has a token in it") && !said.contains("tulip"), "{said}");
    let said = refused(&format!("verify {} --table nobody --qid age:2", server.url()));
    assert!(said.contains("the server failed while looking at the table"), "{said}");
    assert!(desk.names().is_empty());
}

#[test]
fn a_server_with_tls_is_the_one_that_its_certificate_says() {
    let Some((server, file)) = server() else { return };
    let desk = Desk::new();
    certificates::make(&desk.path(""));
    let port = tls::in_front_of(server.port(), &desk.path("server.crt"), &desk.path("server.key"));
    let verify = |location: &str, authority: &str| {
        let mut command = desk.command();
        command.env("SSL_CERT_FILE", desk.path(authority)).env("SPARK_CONNECT_AUTHENTICATE_TOKEN", "tulip");
        let output = command.args(["verify", location, "--table", &file, "--qid", "age:2"]).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        (output.status.success(), said)
    };
    let secret = format!("sc://localhost:{port}/;use_ssl=true");
    let (done, said) = verify(&secret, "ours.crt");
    assert!(done && said.contains("500 records"), "{said}");
    let (done, said) = verify(&secret, "theirs.crt");
    assert!(!done && said.contains("cannot connect to localhost") && said.contains("certificate"), "{said}");
    let (done, said) = verify(&format!("sc://localhost:{port}"), "ours.crt");
    assert!(!done && said.contains("whether it wants TLS") && !said.contains("tulip"), "{said}");
}
