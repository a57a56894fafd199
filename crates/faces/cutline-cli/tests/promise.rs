//! The complete verified release, or nothing.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::process::Stdio;
use std::time::Duration;

use support::{Desk, SETTLED, dataset};

const QID: &str = "--qid age,education,sex,hours-per-week,fnlwgt:20 --target income --null ?";

#[test]
fn a_full_disk_leaves_nothing() {
    let desk = Desk::new();
    // The largest file that the shell's children may write: the table does not fit.
    let script =
        format!("ulimit -f 256; exec {} anonymize {} {QID} -o out", env!("CARGO_BIN_EXE_cutline"), dataset("adult"));
    let status = desk.command_in_shell(&script).status().unwrap();
    assert!(!status.success());
    assert!(!desk.path("out").exists());
}

#[test]
fn a_kill_at_any_moment_leaves_all_or_nothing() {
    let desk = Desk::new();
    let adult = dataset("adult");
    for delay in (0..400).step_by(20) {
        let mut child = desk
            .command()
            .args(format!("anonymize {adult} {QID} -o out").split_whitespace())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        let _ = child.kill();
        child.wait().unwrap();
        if desk.path("out").exists() {
            for file in SETTLED.into_iter().chain(["private/report.json"]) {
                assert!(desk.path("out").join(file).exists(), "{file} is missing after {delay} ms");
            }
            desk.ok("verify out --qid age,education,sex,hours-per-week,fnlwgt:20");
            std::fs::remove_dir_all(desk.path("out")).unwrap();
        }
    }
    // What the killed runs left aside is gone after a run that ends.
    desk.ok(&format!("anonymize {adult} {QID} -o out"));
    assert_eq!(desk.names(), ["out"]);
}

#[test]
fn a_termination_leaves_nothing_aside() {
    let desk = Desk::new();
    let adult = dataset("adult");
    let script = format!(
        "{} anonymize {adult} {QID} -o out & child=$!; sleep 0.05; kill -TERM $child; wait $child",
        env!("CARGO_BIN_EXE_cutline")
    );
    let status = desk.command_in_shell(&script).status().unwrap();
    let names = desk.names();
    assert!(names.is_empty() && !status.success() || names == ["out"], "{names:?}");
}

#[test]
fn a_search_that_is_stopped_publishes_the_state_reached() {
    let desk = Desk::new();
    let adult = dataset("adult");
    desk.ok(&format!("anonymize {adult} {QID} --max-steps 2 -o out"));
    assert!(desk.read("out/private/report.json").contains("\"stopped\": \"max-steps\""));
    assert_eq!(desk.read("out/private/trace.jsonl").lines().count(), 2);
    desk.ok(&format!("anonymize {adult} {QID} --time-limit 0s -o late"));
    assert!(desk.read("late/private/report.json").contains("\"stopped\": \"time-limit\""));
    desk.ok("verify late --qid age,education,sex,hours-per-week,fnlwgt:20");
}

#[test]
fn a_bottom_up_search_that_is_stopped_publishes_nothing() {
    let desk = Desk::new();
    let output = desk.run(&format!("anonymize {} {QID} --algorithm bottom-up --max-steps 2 -o out", dataset("adult")));
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing was published"));
    assert!(desk.names().is_empty());
}
