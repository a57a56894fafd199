//! Standard output that is closed or full: the command says what it can and ends with the status that its work deserves.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::fs::File;
use std::process::Stdio;

use support::Desk;

const TABLE: &str = "age,sex,ill\n30,M,no\n30,M,yes\n40,F,no\n40,F,yes\n";

/// Every command that prints, and its status if somebody listens; `#` in it is replaced by a number, so that names are new.
const COMMANDS: [(&str, i32); 12] = [
    ("anonymize t.csv --qid age,sex:2 -o again-#", 0),
    ("apply out/public/recoding.json t.csv -o applied-#.csv", 0),
    ("verify t.csv --qid age,sex:2", 0),
    ("verify t.csv --qid age,sex:3", 1),
    ("verify t.csv --qid age,sex:3 --json", 1),
    ("attack out t.csv", 0),
    ("evaluate t.csv out --target ill --holdout 1/2", 0),
    ("init t.csv -o spec-#.toml", 0),
    ("sql out/public/recoding.json --dialect sqlite --table t", 0),
    ("taxonomy show tree.txt", 0),
    ("--help", 0),
    ("anonymize --help", 0),
];

fn desk() -> Desk {
    let desk = Desk::with("t.csv", TABLE);
    desk.write("tree.txt", "Any\n  M\n  F\n");
    desk.ok("anonymize t.csv --qid age,sex:2 -o out");
    desk
}

/// The status and standard error of a command whose standard output is the given one.
fn ends(desk: &Desk, command: &str, stdout: Stdio) -> (Option<i32>, String) {
    let mut child = desk.command();
    child.args(command.split_whitespace()).stdout(stdout).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    // The reader goes away before anything is read.
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_reader_that_goes_away_changes_nothing() {
    let desk = desk();
    for (number, (command, status)) in COMMANDS.into_iter().enumerate() {
        let command = command.replace('#', &number.to_string());
        let (ended, errors) = ends(&desk, &command, Stdio::piped());
        assert_eq!(ended, Some(status), "cutline {command}\n{errors}");
        assert!(!errors.contains("panicked") && !errors.contains("error"), "cutline {command}\n{errors}");
    }
    assert!(desk.path("again-0/public/table.csv").exists());
}

#[test]
fn a_full_disk_behind_standard_output_is_an_error() {
    let desk = desk();
    for (number, (command, _)) in COMMANDS.into_iter().enumerate() {
        let command = command.replace('#', &number.to_string());
        let full = File::options().write(true).open("/dev/full").unwrap();
        let (ended, errors) = ends(&desk, &command, full.into());
        assert_eq!(ended, Some(2), "cutline {command}\n{errors}");
        assert!(errors.contains("error: cannot write to `standard output`"), "cutline {command}\n{errors}");
        assert!(!errors.contains("panicked"), "cutline {command}\n{errors}");
    }
    assert!(desk.path("again-0/public/table.csv").exists(), "what was verified and published stays");
}

#[test]
fn a_full_disk_behind_standard_error_does_not_panic() {
    let desk = desk();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut command = desk.command();
    let status = command.args(["verify", "no.csv", "--qid", "age:2"]).stderr(full).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn a_reader_that_gives_up_on_a_damaged_file_says_nothing_itself() {
    let lines: String = (0..200).map(|n| format!("secret-{},x{},{n}\n", n % 7, n % 3)).collect();
    let desk = Desk::with("t.csv", "a,b,c\n".to_owned() + &lines);
    desk.ok("anonymize t.csv --qid a,b:2 --keep c --format arrow -o out");
    let whole = std::fs::read(desk.path("out/public/table.arrow")).unwrap();
    let mut refused = 0;
    // Some of these make the reader of the format panic.
    for at in (300..700).step_by(4) {
        let mut damaged = whole.clone();
        damaged[at] = 0x7f;
        desk.write("damaged.arrow", damaged);
        let output = desk.run("verify damaged.arrow --qid a,b:1");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!told.contains("panicked") && !told.contains("secret"), "{at}: {told}");
        refused += usize::from(output.status.code() == Some(2));
    }
    assert!(refused > 10, "{refused}");
}
