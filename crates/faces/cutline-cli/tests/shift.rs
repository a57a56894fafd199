//! Dates that are moved: by weeks, all of a person by the same number.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use cutline::model::Scale;
use support::Desk;

/// Two stays of each of forty patients, from one to seven nights.
fn stays() -> String {
    let first = Scale::dates().read("2024-01-01").unwrap();
    let line = |stay: i32| {
        let admission = first + f64::from(11 * stay % 300);
        let (from, to) = (written(admission), written(admission + f64::from(1 + stay % 7)));
        format!("p{},{},{from}T10:30,{to}\n", stay % 40, ["Ulm", "Bonn"][(stay % 2) as usize])
    };
    format!("patient,town,admission,discharge\n{}", (0..80).map(line).collect::<String>())
}

/// The day with a number, by walking through days.
fn written(number: f64) -> String {
    let months = (2023..2027).flat_map(|year| (1..=12).map(move |month| (year, month)));
    let mut days = months.flat_map(|(year, month)| (1..=31).map(move |day| format!("{year}-{month:02}-{day:02}")));
    days.find(|text| Scale::dates().read(text) == Some(number)).unwrap()
}

/// Admission and discharge of every record, as days.
fn read(table: &str) -> Vec<(f64, f64)> {
    let places: Vec<usize> = ["admission", "discharge"]
        .iter()
        .map(|name| table.lines().next().unwrap().split(',').position(|other| other == *name).unwrap())
        .collect();
    let day = |line: &str, place: usize| Scale::dates().read(line.split(',').nth(place).unwrap()).unwrap();
    table.lines().skip(1).map(|line| (day(line, places[0]), day(line, places[1]))).collect()
}

fn desk() -> Desk {
    Desk::with("stays.csv", stays())
}

const SHIFT: &str = "--qid town:5 --person patient --shift admission,discharge";

fn refused(desk: &Desk, arguments: &str) -> String {
    let output = desk.run(arguments);
    assert!(!output.status.success(), "cutline {arguments}");
    String::from_utf8(output.stderr).unwrap()
}

/// The weeks by which each record was moved.
fn weeks(desk: &Desk, release: &str) -> Vec<f64> {
    let (raw, published) = (read(&stays()), read(&desk.read(&format!("{release}/public/table.csv"))));
    raw.iter().zip(&published).map(|(raw, published)| (published.0 - raw.0) / 7.0).collect()
}

#[test]
fn lengths_of_stays_survive_and_a_person_is_moved_as_a_whole() {
    let desk = desk();
    desk.ok(&format!("anonymize stays.csv {SHIFT} -o out"));
    let published = desk.read("out/public/table.csv");
    assert!(published.lines().nth(1).unwrap().contains("T10:30"), "{published}");
    let lengths = |records: Vec<(f64, f64)>| records.iter().map(|(from, to)| to - from).collect::<Vec<_>>();
    assert_eq!(lengths(read(&published)), lengths(read(&stays())));
    let weeks = weeks(&desk, "out");
    assert!(weeks.iter().all(|weeks| weeks.fract() == 0.0 && (1.0..=52.0).contains(&weeks.abs())), "{weeks:?}");
    // The patients of the second forty records are those of the first.
    assert_eq!(weeks[..40], weeks[40..]);
    let mut distinct: Vec<i64> = weeks.iter().map(|&weeks| weeks as i64).collect();
    distinct.sort_unstable();
    distinct.dedup();
    assert!(distinct.len() > 10 && distinct[0] < 0 && distinct[distinct.len() - 1] > 0, "{distinct:?}");
}

#[test]
fn the_number_of_weeks_follows_from_the_key() {
    let desk = desk();
    desk.ok("key new one.key");
    desk.ok("key new other.key");
    for (key, out) in [("--token-key one.key", "a"), ("--token-key one.key", "b"), ("--token-key other.key", "c")] {
        desk.ok(&format!("anonymize stays.csv {SHIFT} {key} -o {out}"));
    }
    assert_eq!(weeks(&desk, "a"), weeks(&desk, "b"));
    assert_ne!(weeks(&desk, "a"), weeks(&desk, "c"));
    desk.ok(&format!("anonymize stays.csv {SHIFT} -o r1"));
    desk.ok(&format!("anonymize stays.csv {SHIFT} -o r2"));
    assert_ne!(weeks(&desk, "r1"), weeks(&desk, "r2"), "nobody keeps the key");
    // As Python says, of bytes 16 to 24 of hmac.new(bytes(range(1, 17)), b"p0", "sha256").digest()
    desk.write("one.key", "0102030405060708090a0b0c0d0e0f10\n");
    desk.ok(&format!("anonymize stays.csv {SHIFT} --token-key one.key -o known"));
    assert_eq!(weeks(&desk, "known")[0], 8.0);
}

#[test]
fn declared_forms_are_written_as_they_were() {
    let desk = Desk::with("t.csv", "p,town,day\n1,Ulm,05.03.2024\n2,Ulm,29.02.2024\n2,Ulm,\n");
    desk.ok("anonymize t.csv --qid town:2 --person p --shift day --date-format day=%d.%m.%Y -o out");
    let published = desk.read("out/public/table.csv");
    let days: Vec<&str> = published.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert!(days[0].len() == 10 && days[0] != "05.03.2024" && days[0].matches('.').count() == 2, "{published}");
    assert_eq!(days[2], "", "what is missing stays missing");
}

#[test]
fn what_cannot_be_moved_is_refused_in_plain_words() {
    let desk = desk();
    let said = refused(&desk, "anonymize stays.csv --qid town:5 --drop patient --shift admission -o out");
    assert!(said.contains("nobody said whose they are") && said.contains("--person"), "{said}");
    let said = refused(&desk, "anonymize stays.csv --qid town,admission:5 --person patient --shift admission -o out");
    assert!(said.contains("is in a QID") && said.contains("along the calendar"), "{said}");
    let said = refused(&desk, "anonymize stays.csv --qid town:5 --person patient --shift patient -o out");
    assert!(said.contains("no dates to move"), "{said}");
    let said = refused(&desk, &format!("anonymize stays.csv {SHIFT} --age-at admission=2026-01-01 -o out"));
    assert!(said.contains("--age-at"), "{said}");
    let said = refused(&desk, "anonymize stays.csv --qid admission:5 --person patient --shift town -o out");
    assert!(said.contains("`town`") && said.contains("not a date") && !said.contains("Ulm"), "{said}");
    assert!(!desk.path("out").exists());
}

/// A recoding does not hold the key, and dates are never published as they are because of that.
#[test]
fn a_stored_recoding_does_not_publish_dates_that_were_moved() {
    let desk = desk();
    desk.ok(&format!("anonymize stays.csv {SHIFT} -o out"));
    let said = refused(&desk, "apply out/public/recoding.json stays.csv -o next.csv");
    assert!(said.contains("moved the dates of `admission`") && said.contains("--drop admission"), "{said}");
    desk.ok("apply out/public/recoding.json stays.csv --drop admission --drop discharge -o next.csv");
    assert!(!desk.read("next.csv").contains("admission"));
    assert!(refused(&desk, "sql out/public/recoding.json --from t").contains("error"));
}
