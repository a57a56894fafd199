//! Which columns identify persons, or give masked ones away?
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::fmt::Write;

use support::{Desk, dataset};

fn patients() -> Desk {
    Desk::with("patients.csv", std::fs::read(support::root().join("examples/patients.csv")).unwrap())
}

/// A court's table with what nobody thinks of: a code that repeats the offence, a judge who sits in one district only.
fn court() -> Desk {
    let mut table = "case_number,defendant,filed,sex,age,district,offence,statute,judge,note\n".to_owned();
    for n in 0..600_u32 {
        let (district, offence) = (n % 5, n * 7 % 11);
        let letters = |n: u32| [n, n / 26].map(|n| char::from(b'a' + (n % 26) as u8)).iter().collect::<String>();
        let (first, last) = (letters(n * 3), letters(n * 5 + 1));
        let filed = format!("2025-{:02}-{:02}T{:02}:{:02}", n % 12 + 1, n % 28 + 1, n % 9 + 8, n * 13 % 60);
        let judge = if district == 2 { "J9".to_owned() } else { format!("J{}", n * 31 % 4) };
        let (sex, age) = (if n % 3 == 0 { "F" } else { "M" }, 18 + n * 17 % 50);
        let note = if n % 2 == 0 { "adjourned" } else { "" };
        writeln!(
            table,
            "{}-CR-{n:05},A{first} B{last},{filed},{sex},{age},d{district},o{offence},{},{judge},{note}",
            2025 - n % 3,
            400 + offence * 9
        )
        .unwrap();
    }
    Desk::with("court.csv", table)
}

#[test]
fn an_example_table_is_screened() {
    let desk = patients();
    insta::assert_snapshot!(desk.ok("screen patients.csv"));
    insta::assert_snapshot!(desk.ok("screen patients.csv --qid birth_year,sex,zip:10"));
}

#[test]
fn names_case_numbers_times_and_codes_that_repeat_a_masked_column_are_seen() {
    let desk = court();
    insta::assert_snapshot!(desk.ok("screen court.csv --qid sex,age,district,offence:10"));
}

#[test]
fn what_the_datasets_say() {
    let desk = Desk::new();
    let said = |arguments: &str, name: &str| {
        let path = dataset(name);
        let printed = desk.ok(&format!("screen {path} --null ? {arguments}"));
        format!("$ cutline screen {name} {arguments}\n{}", printed.replace(&path, name))
    };
    let qid = "--qid age,workclass,education,marital-status,occupation,race,sex:50";
    insta::assert_snapshot!(said(qid, "adult/train.csv.gz"));
    insta::assert_snapshot!(said("", "adult/train.csv.gz"));
    insta::assert_snapshot!(said("--qid A9,A11,A10,A8,A15,A7,A14:20", "crx/crx.csv.gz"));
    insta::assert_snapshot!(said("--qid age,personal-status,job,housing,foreign-worker:10", "german/german.csv.gz"));
}

#[test]
fn the_screen_as_data_has_a_row_for_each_column_and_no_value() {
    let desk = court();
    let json: serde_json::Value =
        serde_json::from_str(&desk.ok("screen court.csv --qid age,offence:10 --json")).unwrap();
    let column = |name: &str| json["columns"].as_array().unwrap().iter().find(|column| column["name"] == name).unwrap();
    assert_eq!(column("statute")["reveals"][0]["attribute"], "offence");
    assert_eq!(column("statute")["reveals"][0]["share"], 1.0);
    assert_eq!(column("case_number")["identifier"], true);
    assert_eq!(column("case_number")["unique_share"], 1.0);
    assert_eq!(column("age")["role"], "quasi");
    assert_eq!((&column("sex")["distinct"], &column("sex")["identifier"]), (&2.into(), &false.into()));
    assert!(column("sex")["with_qid"]["smallest"].is_u64() && column("sex")["with_qid"]["records_below_k"].is_u64());
    let text = json.to_string();
    assert!(!text.contains("adjourned") && !text.contains("-CR-") && !text.contains("J9"));
}

#[test]
fn the_screen_does_not_depend_on_threads() {
    let desk = court();
    let run = |threads: u32| desk.ok(&format!("screen court.csv --qid age,district:10 --json --threads {threads}"));
    assert_eq!(run(1), run(4));
}

#[test]
fn what_cannot_be_screened_is_said() {
    let desk = Desk::with("t.csv", "a,b\n");
    for (arguments, message) in [("t.csv", "no records"), ("t.csv --qid c:2", "no column `c`")] {
        let output = desk.run(&format!("screen {arguments}"));
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(message), "{arguments}");
    }
}
