//! Dates, a steward's own bins, top and bottom codes, rounding and ages: what real tables bring.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::collections::BTreeMap;

use support::Desk;

/// 240 persons, born between 1950 and 1989; those born before 1970 are ill.
fn births(write: impl Fn(u32, u32, u32) -> String) -> String {
    let person = |n: u32| {
        let (year, month, day) = (1950 + n % 40, 1 + n % 12, 1 + n % 28);
        format!("{},{},{}\n", write(year, month, day), n % 100, if year < 1970 { "yes" } else { "no" })
    };
    std::iter::once("birth,income,ill\n".to_owned()).chain((0..240).map(person)).collect()
}

fn iso(year: u32, month: u32, day: u32) -> String {
    format!("{year}-{month:02}-{day:02}")
}

/// The labels of a published column, and how many records have each.
fn labels(desk: &Desk, table: &str, column: usize) -> BTreeMap<String, usize> {
    let mut labels = BTreeMap::new();
    let text = desk.read(table);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    for record in reader.records() {
        *labels.entry(record.unwrap()[column].to_owned()).or_default() += 1;
    }
    labels
}

fn names(labels: &BTreeMap<String, usize>) -> Vec<&str> {
    labels.keys().map(String::as_str).collect()
}

#[test]
fn dates_are_masked_along_the_calendar() {
    let desk = Desk::with("births.csv", births(iso));
    desk.ok("anonymize births.csv --qid birth:30 --target ill -o out");
    let found = labels(&desk, "out/public/table.csv", 0);
    assert_eq!(names(&found), ["<1970", ">=1970"], "what tells most about the target is told");
    desk.ok("verify out");
    desk.ok("anonymize births.csv --qid birth:50 -o decades");
    let decades = labels(&desk, "decades/public/table.csv", 0);
    assert_eq!(names(&decades), ["1960s", "1970s", "<1960", ">=1980"]);
    let recoding: serde_json::Value = serde_json::from_str(&desk.read("decades/public/recoding.json")).unwrap();
    assert_eq!(recoding["attributes"]["birth"]["scale"]["values"], "dates");
}

/// Whatever the form, the same dates have the same labels.
#[test]
fn declared_forms_are_read_and_no_others() {
    let desk = Desk::with("iso.csv", births(iso));
    desk.write("german.csv", births(|year, month, day| format!("{day:02}.{month:02}.{year}")));
    desk.write("american.csv", births(|year, month, day| format!("{month}/{day}/{year}")));
    desk.write("times.csv", births(|year, month, day| format!("{year}-{month:02}-{day:02}T23:30:00-05:00")));
    desk.ok("anonymize iso.csv --qid birth:20 -o iso");
    let expected = labels(&desk, "iso/public/table.csv", 0);
    assert!(expected.len() > 4, "{expected:?}");
    for (name, flags) in [
        ("german", "--date-format birth=%d.%m.%Y"),
        ("american", "--date-format birth=%m/%d/%Y"),
        ("times", ""),
        ("times", "--date birth"),
    ] {
        let out = format!("{name}{}", flags.len());
        desk.ok(&format!("anonymize {name}.csv --qid birth:20 {flags} -o {out}"));
        assert_eq!(labels(&desk, &format!("{out}/public/table.csv"), 0), expected, "{name}");
    }
    // Whether 03.04. is in March or in April is never guessed: without a form these are names.
    desk.ok("anonymize german.csv --qid birth:2 -o names");
    assert!(labels(&desk, "names/public/table.csv", 0).keys().all(|label| label == "*" || label.contains('.')));
    for (flags, says) in [
        ("--date birth", "attribute `birth`, record 1: a value is not a date"),
        ("--date-format birth=%d.%m.%y", "nobody knows their century"),
        ("--date-format birth=%m.%Y", "does not tell day, month and year"),
        ("--date birth --range birth=0..9", "has a range, but is a date"),
        ("--age-at birth=soon", "`soon` is no date"),
    ] {
        let output = desk.run(&format!("anonymize german.csv --qid birth:20 {flags} -o none"));
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{flags}: {message}");
        assert!(message.contains(says) && !message.contains("01.01.1950"), "{flags}: {message}");
    }
}

#[test]
fn a_recoding_of_dates_masks_dates_that_nobody_had() {
    let desk = Desk::with("births.csv", births(iso));
    desk.ok("anonymize births.csv --qid birth:50 -o out");
    let others: String =
        ["1801-01-01", "1960-02-29", "1999-12-31", "2104-02-29"].map(|day| format!("{day},1,no\n")).concat();
    desk.write("others.csv", format!("birth,income,ill\n{others}"));
    desk.ok("apply out/public/recoding.json others.csv --qid birth:1 -o masked.csv");
    let found = labels(&desk, "masked.csv", 0);
    assert_eq!(found, BTreeMap::from([("<1960".to_owned(), 1), ("1960s".to_owned(), 1), (">=1980".to_owned(), 2)]));
    let sql = desk.run("sql out/public/recoding.json --dialect duckdb --table t --into m");
    assert_eq!(sql.status.code(), Some(2));
    assert!(String::from_utf8(sql.stderr).unwrap().contains("the column `birth` has dates"));
    desk.ok("attack out births.csv --truth record");
}

#[test]
fn an_age_is_published_in_place_of_a_date_of_birth() {
    let desk = Desk::with("births.csv", births(iso));
    desk.ok("anonymize births.csv --qid birth:20 --age-at birth=2026-01-01 --bins birth=36,46,56,66 -o out");
    let found = labels(&desk, "out/public/table.csv", 0);
    assert_eq!(names(&found), ["<46", ">=66", "[46-56)", "[56-66)"]);
    assert_eq!(found["<46"], 60, "born in 1980 or later, but for the first of January 1980");
}

#[test]
fn a_steward_chooses_the_bounds() {
    let desk = Desk::with("births.csv", births(iso));
    let published = |flags: &str, out: &str| {
        desk.ok(&format!("anonymize births.csv --drop birth --qid income:2 {flags} -o {out}"));
        desk.ok(&format!("verify {out}"));
        labels(&desk, &format!("{out}/public/table.csv"), 0)
    };
    let bins = published("--bins income=0,18,30,65", "bins");
    assert_eq!(names(&bins), ["<18", ">=65", "[18-30)", "[30-65)"]);
    let rounded = published("--round income=25 --range income=0..100", "rounded");
    assert_eq!(names(&rounded), ["[0-25)", "[25-50)", "[50-75)", "[75-100]"]);
    let clamped = published("--clamp income=10..20", "clamped");
    assert!(clamped.contains_key(">=20") && clamped.contains_key("<11"), "{clamped:?}");
    assert_eq!(clamped[">=20"], 180);
    for (flags, says) in [
        ("--bins income=18,0", "do not ascend"),
        ("--bins income=1,2 --round income=5", "has bins and a step to round to"),
        ("--bins income=-5,50 --range income=0..100", "outside of its declared range"),
        ("--round income=0", "cannot be rounded to that"),
        ("--round income=1e-300", "cannot be rounded to that"),
        ("--clamp income=9..1", "the bottom code of `income` is not below its top code"),
        ("--bins income=1,2 --categorical income", "has bins, but is declared categorical"),
    ] {
        let output = desk.run(&format!("anonymize births.csv --drop birth --qid income:2 {flags} -o none"));
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{flags}: {message}");
        assert!(message.contains(says), "{flags}: {message}");
    }
}

/// The bounds of a declared grid are no values of records: rounding leaves them alone, and what was searched is what is published.
#[test]
fn rounded_bounds_stay_on_the_stewards_grid() {
    let desk = Desk::with("births.csv", births(iso));
    for grid in ["--bins income=0,18,30,50,65", "--round income=15"] {
        desk.ok(&format!("anonymize births.csv --qid income:10 --drop birth {grid} -o plain --force"));
        desk.ok(&format!("anonymize births.csv --qid income:10 --drop birth {grid} --round-bounds -o rounded --force"));
        assert_eq!(desk.read("plain/public/table.csv"), desk.read("rounded/public/table.csv"), "{grid}");
    }
}

/// The page shows what the command prints.
#[test]
fn the_examples_of_the_guide_run() {
    let page = std::fs::read_to_string(support::root().join("docs/how-to/real-tables.md")).unwrap();
    let desk = Desk::with("births.csv", births(iso));
    desk.write("visits.csv", visits());
    desk.write(
        "stays.csv",
        "patient,town,admission,discharge\n1,Ulm,2024-02-26,2024-03-01\n2,Ulm,2023-12-30,2024-01-02\n",
    );
    let answer =
        |n: u32| format!("{},{},{}\n", ["Bonn", "Ulm"][n as usize % 2], 1 + n % 7, ["yes", "no"][n as usize / 2 % 2]);
    desk.write("survey.csv", format!("town,weight,ill\n{}", (0..60).map(answer).collect::<String>()));
    let blocks = page.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    let mut commands = 0;
    for line in blocks.flat_map(str::lines).filter_map(|line| line.strip_prefix("cutline ")) {
        desk.ok(line);
        commands += 1;
    }
    assert!(commands >= 6, "{commands}");
    for label in ["1960s", "1970s", "<1960", ">=1980"] {
        assert!(page.contains(&format!("`{label}`")), "{label}");
    }
}

/// Thirty patients, some of whom come again and again.
fn visits() -> String {
    let visit = |n: u32| format!("p{},{},{}\n", n % (1 + n % 30), ["Bonn", "Ulm"][n as usize % 2], n);
    std::iter::once("patient,town,cost\n".to_owned()).chain((0..300).map(visit)).collect()
}
