//! Tables that come and go through pipes.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::io::Write;
use std::process::{Output, Stdio};

use support::Desk;

const TABLE: &str = "age,sex,ill\n30,M,no\n31,M,yes\n40,F,no\n41,F,yes\n";

/// Runs the command with something on its standard input, and a place for temporary files of its own.
fn piped(desk: &Desk, arguments: &str, input: &[u8]) -> Output {
    std::fs::create_dir_all(desk.path("tmp")).unwrap();
    let mut command = desk.command();
    command.args(arguments.split_whitespace()).env("TMPDIR", desk.path("tmp"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(std::fs::read_dir(desk.path("tmp")).unwrap().count(), 0, "nothing is left behind");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_pipeline_gets_the_same_table_as_a_folder_and_nothing_else() {
    let desk = Desk::with("t.csv", TABLE);
    desk.ok("anonymize t.csv --qid age,sex:2 -o out");
    let output = piped(&desk, "anonymize - --input-format csv --qid age,sex:2 -o -", TABLE.as_bytes());
    let told = text(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert_eq!(text(&output.stdout), desk.read("out/public/table.csv"));
    assert!(told.contains("standard output: 4 records") && told.contains("holds"), "{told}");
    let quiet = piped(&desk, "anonymize - --input-format csv --qid age,sex:2 -o - --quiet", TABLE.as_bytes());
    assert_eq!((text(&quiet.stdout), text(&quiet.stderr)), (text(&output.stdout), String::new()));
    assert_eq!(desk.names(), ["out", "t.csv", "tmp"]);
}

#[test]
fn a_pipe_may_be_packed_and_the_format_another_one() {
    let desk = Desk::new();
    let packed = desk.command_in_shell(&format!("printf '{TABLE}' | xz")).output().unwrap().stdout;
    assert!(packed.len() > 20);
    let output = piped(&desk, "anonymize - --input-format csv --format jsonl --qid age,sex:2 -o -", &packed);
    assert_eq!(text(&output.stdout).lines().count(), 4, "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("{\"age\":"));
    let parquet = piped(&desk, "anonymize - --input-format csv --format parquet --qid age,sex:2 -o -", &packed);
    assert!(parquet.stdout.starts_with(b"PAR1") && parquet.stdout.ends_with(b"PAR1"));
}

#[test]
fn a_stored_recoding_masks_a_pipe() {
    let desk = Desk::with("t.csv", TABLE);
    desk.ok("anonymize t.csv --qid age,sex:2 -o out");
    let output = piped(&desk, "apply out/public/recoding.json - --input-format csv -o -", TABLE.as_bytes());
    assert_eq!(text(&output.stdout), desk.read("out/public/table.csv"), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("standard output: 4 records"));
    let packed = desk.run("apply out/public/recoding.json t.csv -o masked.csv.gz");
    assert_eq!(packed.status.code(), Some(2));
    assert!(text(&packed.stderr).contains("would be packed"), "{}", text(&packed.stderr));
}

#[test]
fn what_does_not_hold_sends_no_byte() {
    let desk = Desk::with("t.csv", TABLE);
    let output = piped(&desk, "anonymize - --input-format csv --qid age,sex:9 -o -", TABLE.as_bytes());
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    desk.ok("anonymize t.csv --qid age,sex:2 -o out");
    let other = "age,sex,ill\n30,M,no\n";
    let output = piped(&desk, "apply out/public/recoding.json - --input-format csv -o -", other.as_bytes());
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{}", text(&output.stderr));
}

#[test]
fn a_reader_that_goes_away_is_told_of_and_nothing_is_left() {
    let desk = Desk::new();
    let rows: String = (0..40_000).map(|row| format!("{},M,{row}\n", row % 50)).collect();
    desk.write("t.csv", format!("age,sex,visit\n{rows}"));
    std::fs::create_dir(desk.path("tmp")).unwrap();
    let mut command = desk.command();
    command.args("anonymize t.csv --qid age,sex:2 --keep visit -o -".split_whitespace());
    let mut child =
        command.env("TMPDIR", desk.path("tmp")).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("error: the table was not read to its end") && !told.contains("panicked"), "{told}");
    assert_eq!(std::fs::read_dir(desk.path("tmp")).unwrap().count(), 0);
    assert_eq!(desk.names(), ["t.csv", "tmp"]);
}

#[test]
fn what_standard_output_has_no_room_for_is_refused() {
    let desk = Desk::with("t.csv", TABLE);
    let output = desk.run("anonymize t.csv --qid age,sex:2 --clusters 2,3 -o -");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(text(&output.stderr).contains("compared"), "{}", text(&output.stderr));
}
