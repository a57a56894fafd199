//! A server with TLS: its certificate is looked at, if that is asked for.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::net::TcpListener;
use std::process::Command;

use cutline::engine::{Engine, EngineError, SamplePlan, Unwatched};
use cutline_postgres::{Location, Postgres, Source};
use support::Cluster;

/// Makes an authority and a certificate for `localhost` that it signed.
fn certificates(cluster: &Cluster) {
    let run = |arguments: &str| {
        let mut command = Command::new("openssl");
        command.args(arguments.split(' ')).current_dir(cluster.path("."));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ours -keyout ours.key -out ours.crt");
    run("req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout server.key -out server.csr");
    std::fs::write(cluster.path("names"), "subjectAltName=DNS:localhost").unwrap();
    run("x509 -req -in server.csr -CA ours.crt -CAkey ours.key -CAcreateserial -days 2 -extfile names -out server.crt");
    run("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=theirs -keyout theirs.key -out theirs.crt");
    // The server refuses a key that others can read, or that is somebody else's.
    Command::new("chmod").arg("0600").arg(cluster.path("server.key")).status().unwrap();
    Command::new("chown").arg("postgres").arg(cluster.path("server.key")).output().unwrap();
}

#[test]
fn a_server_is_the_one_that_its_certificate_says() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let files = "-c ssl=on -c ssl_cert_file=../server.crt -c ssl_key_file=../server.key";
    let options = format!("-c listen_addresses=localhost -p {port} {files}");
    let Some(cluster) = Cluster::start_with(&options, certificates) else { return };
    let open = |mode: &str| {
        let location = format!("postgresql://cutline@localhost:{port}/postgres?{mode}");
        let secret = "select ssl from pg_stat_ssl where pid = pg_backend_pid() and ssl".to_owned();
        let engine = Postgres::open(&location.parse::<Location>().unwrap(), &Source::Query(secret))?;
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
