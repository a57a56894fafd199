//! Tables that come in unusual ways, and what their records give away.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::process::Stdio;
use std::time::{Duration, Instant};

use support::Desk;

const TABLE: &str = "age,sex\n30,M\n40,F\n30,M\n40,F\n";

#[test]
fn a_pipe_is_read_like_a_file() {
    let desk = Desk::with("t.csv", TABLE);
    desk.ok("anonymize t.csv --qid age,sex:2 -o whole");
    for script in [
        "mkfifo pipe.csv; cat t.csv > pipe.csv & CUTLINE anonymize pipe.csv --qid age,sex:2 -o out",
        "cat t.csv | CUTLINE anonymize /dev/stdin --input-format csv --qid age,sex:2 -o out",
        "cat t.csv | CUTLINE anonymize - --input-format csv --qid age,sex:2 -o out",
        "CUTLINE anonymize - --input-format csv --qid age,sex:2 -o out < t.csv",
    ] {
        let script = script.replace("CUTLINE", env!("CARGO_BIN_EXE_cutline"));
        let output = desk.command_in_shell(&script).output().unwrap();
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(desk.read("out/public/table.csv"), desk.read("whole/public/table.csv"));
        std::fs::remove_dir_all(desk.path("out")).unwrap();
    }
}

#[test]
fn who_waits_for_a_pipe_can_be_terminated() {
    let desk = Desk::new();
    assert!(desk.command_in_shell("mkfifo pipe.csv").status().unwrap().success());
    let arguments = ["anonymize", "pipe.csv", "--qid", "age:2", "-o", "out"];
    let mut child = desk.command().args(arguments).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(desk.command_in_shell(&format!("kill -TERM {}", child.id())).status().unwrap().success());
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("still waiting");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(desk.names(), ["pipe.csv"]);
}

#[test]
fn more_threads_than_any_machine_has_do_no_harm() {
    let desk = Desk::with("t.csv", TABLE);
    desk.ok("anonymize t.csv --qid age,sex:2 -o one --threads 1");
    desk.ok("anonymize t.csv --qid age,sex:2 -o many --threads 100000");
    assert_eq!(desk.read("many/public/table.csv"), desk.read("one/public/table.csv"));
    desk.ok("apply one/public/recoding.json t.csv -o applied.csv --threads 100000");
}

#[test]
fn the_first_record_of_a_table_without_a_header_is_not_told() {
    for table in ["39,State-gov,Bachelors\n50,Private,Masters\n", "7,7,Bachelors\n8,8,Masters\n"] {
        let desk = Desk::with("t.csv", table);
        let output = desk.run("anonymize t.csv --qid age,work:2 -o out");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("--no-header"), "{told}");
        assert!(!["39", "7", "State", "Bachelors"].iter().any(|value| told.contains(value)), "{told}");
    }
}

/// What is said of a table of ids, ages and diagnoses.
fn notes(records: impl Iterator<Item = (usize, usize, &'static str)>) -> String {
    let lines: String = records.map(|(id, age, diag)| format!("{id},{age},{diag}\n")).collect();
    let desk = Desk::with("t.csv", "id,age,diag\n".to_owned() + &lines);
    let output = desk.run("anonymize t.csv --qid age:2 --drop id --condition distinct-l:diag=2 -o out");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    told
}

#[test]
fn records_in_the_order_of_what_is_hidden_are_told() {
    let diag = |n: usize| ["flu", "cold", "hiv"][n * 7 % 3];
    let mixed = |n: usize| n * 37 % 60;
    let by_id = notes((0..60).map(|n| (n, mixed(n) / 10, diag(n))));
    assert!(by_id.contains("ascending order of `id`, which is an identifier"), "{by_id}");
    let by_age = notes((0..60).map(|n| (mixed(n), 10 - n / 10, diag(n))));
    assert!(by_age.contains("descending order of `age`, which is masked"), "{by_age}");
    let by_diag = notes((0..60).map(|n| (mixed(n), mixed(n) / 20, ["cold", "flu", "hiv"][n / 20])));
    assert!(by_diag.contains("ascending order of `diag`, which is sensitive"), "{by_diag}");
    assert_eq!(notes((0..60).map(|n| (mixed(n), mixed(n + 1) / 10, diag(n)))), "");
}

#[test]
fn an_identifier_that_repeats_is_told_because_k_counts_records() {
    let diag = |n: usize| ["flu", "cold", "hiv"][n * 7 % 3];
    let visits = notes((0..60).map(|n| (n * 37 % 60 / 5, n * 11 % 60 / 20, diag(n))));
    assert!(visits.contains("60 records have 12 different values of `id`, which is an identifier"), "{visits}");
}

#[test]
fn a_shuffled_release_has_the_same_records_in_no_order() {
    let lines: String = (0..500).map(|n| format!("{n},{},{}\n", n / 50, n * 7 % 13)).collect();
    let desk = Desk::with("t.csv", "id,age,note\n".to_owned() + &lines);
    desk.ok("anonymize t.csv --qid age:50 --drop id -o plain");
    for format in ["csv", "parquet", "arrow"] {
        let arguments = format!("anonymize t.csv --qid age:50 --drop id --shuffle --format {format} -o {format}");
        let output = desk.run(&arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "nothing need be said of the order");
        assert_eq!(std::fs::read_dir(desk.path(format).join("public")).unwrap().count(), 4);
    }
    let lines = |name: &str| desk.read(name).lines().map(str::to_owned).collect::<Vec<_>>();
    let (plain, shuffled) = (lines("plain/public/table.csv"), lines("csv/public/table.csv"));
    assert_ne!(plain, shuffled);
    let sorted = |mut lines: Vec<String>| {
        lines[1..].sort();
        lines
    };
    assert_eq!(sorted(plain), sorted(shuffled));
    desk.ok("verify parquet --qid age:50");
}
