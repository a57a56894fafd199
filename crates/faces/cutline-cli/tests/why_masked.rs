//! Why is it masked, and what if something else was asked for? Told to the steward, and to nobody else.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::fmt::Write;

use support::{Desk, root};

/// 20 young ones who are not ill, 20 old ones who are, and two without an age.
fn lacking() -> Desk {
    let mut table = String::from("age,ill\n");
    (0..20).for_each(|person| writeln!(table, "{},no\n{},yes", 20 + person % 3, 60 + person % 3).unwrap());
    table.push_str(",no\n,yes\n");
    Desk::with("t.csv", table)
}

fn patients() -> Desk {
    let desk = Desk::new();
    for name in ["patients.csv", "zip.txt"] {
        desk.write(name, std::fs::read(root().join("examples").join(name)).unwrap());
    }
    desk
}

/// The part of an output that begins with a line and ends before an empty line or the times.
fn part(output: &str, begins: &str) -> String {
    let lines = output.lines().skip_while(|line| !line.starts_with(begins));
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty() && !line.starts_with("time:")).collect();
    lines.join("\n")
}

#[test]
fn two_records_without_an_age_do_not_silently_mask_the_column() {
    let desk = lacking();
    let output = desk.ok("anonymize t.csv --qid age:5 --target ill -o out");
    insta::assert_snapshot!(part(&output, "why is it masked?"));
    // Both ways out lead out.
    for (way, folder) in [("--suppress-limit 4.8%", "limit"), ("--missing drop", "drop")] {
        let output = desk.ok(&format!("anonymize t.csv --qid age:5 --target ill {way} -o {folder}"));
        assert!(output.contains("<60  >=60") && !output.contains("why is it masked?"), "{output}");
    }
}

#[test]
fn what_stands_in_the_way_is_told_in_a_line() {
    let desk = patients();
    let flags = "--qid birth_year,sex,zip:20 --target readmitted --taxonomy zip=zip.txt --drop patient_id";
    let output = desk.ok(&format!("anonymize patients.csv {flags} -o out"));
    insta::assert_snapshot!(part(&output, "why is it masked?"));
}

#[test]
fn conditions_that_would_break_are_named() {
    let desk = Desk::with("t.csv", "sex,zip,ill\n".to_owned() + &"m,1,flu\nm,2,cold\nf,1,flu\nf,2,cold\n".repeat(10));
    let output = desk.ok("anonymize t.csv --qid sex,zip:5 --categorical zip --condition distinct-l:ill=2 -o out");
    insta::assert_snapshot!(part(&output, "why is it masked?"));
}

#[test]
fn other_requirements_are_compared_and_nothing_is_published() {
    let desk = patients();
    let flags = "--qid birth_year,sex,zip:20 --target readmitted --taxonomy zip=zip.txt --drop patient_id";
    let output = desk.ok(&format!("anonymize patients.csv {flags} --what-if"));
    insta::assert_snapshot!(output);
    assert_eq!(desk.names(), ["patients.csv", "zip.txt"]);
    // What is said of the release as it is, is what comes of it.
    let published = desk.ok(&format!("anonymize patients.csv {flags} --what-if -o out"));
    assert_eq!(
        part(&published, "what if"),
        part(&output, "what if").replace("\nnothing is published; choose, and name a folder with --output", "")
    );
    let report: serde_json::Value = serde_json::from_str(&desk.read("out/private/report.json")).unwrap();
    let as_it_is = &report["what_if"]["alternatives"][0];
    assert_eq!(as_it_is["change"], "nothing");
    assert_eq!(as_it_is["figures"]["groups"], report["qids"][0]["groups"]);
    assert_eq!(as_it_is["figures"]["smallest"], report["qids"][0]["anonymity"]);
    assert_eq!(as_it_is["figures"]["error"], report["metrics"]["classification"]);
}

#[test]
fn only_the_steward_is_told_why() {
    let desk = patients();
    let flags = "--qid birth_year,sex,zip:20 --target readmitted --taxonomy zip=zip.txt --drop patient_id";
    desk.ok(&format!("anonymize patients.csv {flags} -o with --what-if"));
    desk.ok(&format!("anonymize patients.csv {flags} -o without"));
    for name in ["table.csv", "recoding.json", "report.json", "report.html"] {
        assert_eq!(desk.read(&format!("with/public/{name}")), desk.read(&format!("without/public/{name}")), "{name}");
        assert!(!desk.read(&format!("with/public/{name}")).contains("Why is it masked?"));
    }
    let page = desk.read("with/private/report.html");
    assert!(page.contains("Why is it masked?") && page.contains("What if?"));
    let report: serde_json::Value = serde_json::from_str(&desk.read("without/private/report.json")).unwrap();
    let names: Vec<&str> =
        report["why"].as_array().unwrap().iter().map(|why| why["attribute"].as_str().unwrap()).collect();
    assert_eq!(names, ["birth_year", "sex", "zip"]);
}

#[test]
fn names_of_columns_do_not_eat_the_first_record() {
    let desk = Desk::with("t.csv", "30,M,no\n30,M,yes\n40,F,no\n40,F,yes\n");
    let output = desk.ok("anonymize t.csv --columns age,sex,ill --qid age,sex:2 -o out");
    assert!(output.starts_with("out: 4 records"), "{output}");
    desk.write("names.csv", "age,sex,ill\n30,M,no\n30,M,yes\n");
    assert!(
        desk.ok("anonymize names.csv --columns age,sex,ill --qid age,sex:2 -o named").starts_with("named: 2 records")
    );
    desk.write("texts.csv", "Ann,F\nBob,M\n");
    let refused = desk.run("anonymize texts.csv --columns name,sex --qid sex:2 -o texts");
    insta::assert_snapshot!(String::from_utf8(refused.stderr).unwrap());
}

#[test]
fn a_taxonomy_or_a_range_for_what_is_not_masked_is_told() {
    let desk = patients();
    let told = |flags: &str| {
        let output = desk.run(&format!("anonymize patients.csv --qid birth_year,sex:20 {flags} -o out --force"));
        assert!(output.status.success());
        let told = String::from_utf8(output.stderr).unwrap();
        told.lines().filter(|line| line.contains(" has a ")).map(|line| format!("{line}\n")).collect::<String>()
    };
    insta::assert_snapshot!(
        told("--taxonomy zip=zip.txt --keep patient_id") + &told("--range patient_id=1..9999 --keep patient_id")
    );
    // What is not published at all may have what it wants.
    assert_eq!(told("--range patient_id=1..9999 --drop patient_id"), "");
}

#[test]
fn an_interval_of_one_whole_number_reads_as_that_number() {
    let mut table = String::from("rooms,price\n");
    (1..=6).for_each(|rooms| (0..10).for_each(|price| writeln!(table, "{rooms},{price}").unwrap()));
    let desk = Desk::with("t.csv", table);
    let output = desk.ok("anonymize t.csv --qid rooms:10 -o out");
    assert!(output.contains("<2  2  3  4  5  >=6"), "{output}");
    assert!(desk.read("out/public/table.csv").contains("\n[2-3),"), "what is published stays an interval");
}
