//! A server with TLS: its certificate is looked at, if that is asked for.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

#[path = "../../cutline-remote/tests/support/certificates.rs"]
mod certificates;
mod support;

use std::net::TcpListener;
use std::process::Command;

use cutline::engine::{Engine, EngineError, SamplePlan, Unwatched};
use cutline_postgres::{Location, Source};
use support::Cluster;

/// The server refuses a key that others can read, or that is somebody else's.
fn certificates_of(cluster: &Cluster) {
    certificates::make(&cluster.path("."));
    Command::new("chmod").arg("0600").arg(cluster.path("server.key")).status().unwrap();
    Command::new("chown").arg("postgres").arg(cluster.path("server.key")).output().unwrap();
}

#[test]
fn a_server_is_the_one_that_its_certificate_says() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let files = "-c ssl=on -c ssl_cert_file=../server.crt -c ssl_key_file=../server.key";
    let options = format!("-c listen_addresses=localhost -p {port} {files}");
    let Some(cluster) = Cluster::start_with(&options, certificates_of) else { return };
    let open = |mode: &str| {
        let location = format!("postgresql://cutline@localhost:{port}/postgres?{mode}");
        let secret = "select ssl from pg_stat_ssl where pid = pg_backend_pid() and ssl".to_owned();
        let engine = cutline_postgres::open(&location.parse::<Location>().unwrap(), &Source::Query(secret))?;
        let sample = engine.sample(&SamplePlan::all(vec![0], Vec::new(), Vec::new()), &Unwatched)?;
        Ok::<_, EngineError>(sample.drawn)
    };
    let file = |name: &str| cluster.path(name).display().to_string();
    let is_secret = |mode: &str| open(mode).unwrap() == 1;
    assert!(is_secret("sslmode=require") && is_secret("sslmode=prefer") && !is_secret("sslmode=disable"));
    assert!(is_secret(&format!("sslmode=verify-full&sslrootcert={}", file("ours.crt"))));
    let refused = open(&format!("sslmode=verify-full&sslrootcert={}", file("theirs.crt"))).unwrap_err().to_string();
    assert!(refused.contains("cannot connect to localhost") && refused.contains("certificate"), "{refused}");
}
