//! What is refused or noted, and in which words.

use super::{Desk, QID, RELEASES, desk, ends, wards, year};

#[test]
fn persons_that_are_written_otherwise_are_noticed() {
    let desk = desk();
    desk.write("others.csv", year(0..48).replace("\np", "\nP"));
    let (status, _, notes) = ends(&desk, &format!("anonymize others.csv {QID} --after 2024 -o others"));
    assert_eq!(status, Some(0), "{notes}");
    assert!(notes.contains("nobody of the earlier releases is in the table") && notes.contains("`id`"), "{notes}");
    let (_, _, notes) = ends(&desk, &format!("anonymize 2025.csv {QID} --after 2024 -o 2025"));
    assert!(!notes.contains("nobody of the earlier releases"), "{notes}");
}

#[test]
fn whole_numbers_are_the_same_person_with_and_without_decimals() {
    let numbers = year(0..48).replace("\np", "\n");
    let desk = Desk::with("2024.csv", &numbers);
    let decimals = numbers.replace("\n", ".0\n").replace("ill.0", "ill");
    // The decimals belong to the first field.
    let moved = |line: &str| match line.strip_suffix(".0").and_then(|line| line.split_once(',')) {
        Some((id, rest)) => format!("{id}.0,{rest}\n"),
        None => format!("{line}\n"),
    };
    desk.write("2025.csv", decimals.lines().map(moved).collect::<String>());
    desk.ok(&format!("anonymize 2024.csv {QID} -o 2024"));
    let (status, told, notes) = ends(&desk, &format!("anonymize 2025.csv {QID} --after 2024 -o 2025"));
    assert!(status == Some(0) && !notes.contains("nobody"), "{notes}");
    let last = told.lines().find(|line| line.starts_with("this release")).unwrap();
    assert_eq!(last.split_whitespace().skip(2).take(3).collect::<Vec<_>>(), ["48", "0", "0"], "{told}");
    desk.write("both.csv", format!("{numbers}7.0,27,M,Bern,flu\n"));
    let (status, _, errors) = ends(&desk, &format!("anonymize both.csv {QID} -o both"));
    assert!(status == Some(2) && errors.contains("written in several ways"), "{errors}");
}

#[test]
fn earlier_releases_are_named_once_and_are_releases() {
    let desk = desk();
    let after = |more: &str| ends(&desk, &format!("anonymize 2025.csv {QID} {more} -o 2025"));
    let (status, _, errors) = after("--after 2024 --after ./2024/");
    assert!(status == Some(2) && errors.contains("is named twice"), "{errors}");
    let (status, _, errors) = after("--after 2024.csv");
    assert!(status == Some(2) && errors.contains("`2024.csv` is no release"), "{errors}");
    let local = "anonymize 2025.csv --qid age,sex:4 --drop town --after 2024 --local nested -o local";
    let (status, _, errors) = ends(&desk, &format!("{local} --drop id"));
    assert!(status == Some(2) && errors.contains("name the column") && errors.contains("--person"), "{errors}");
    let (status, _, errors) = ends(&desk, &format!("{local} --person id"));
    assert!(
        status == Some(2) && errors.contains("promised more on {age, sex}") && errors.contains("--local"),
        "{errors}"
    );
    assert_eq!(after("--after 2024").0, Some(0));
    let both = "--after 2024 --after 2025 --previous 2024.csv --previous 2025.csv";
    let (status, _, errors) = ends(&desk, &format!("anonymize 2025.csv {QID} {both} -o 2026"));
    assert!(status == Some(2) && errors.contains("needs no --previous"), "{errors}");
}

#[test]
fn versions_leave_no_records_out() {
    let desk = Desk::with("t.csv", year(0..120));
    let versions = "anonymize t.csv --drop id --qid age,sex,town:5 --range age=0..120 --clusters 2,3 --publish-all";
    for more in ["--suppress-limit 5%", "--algorithm genetic --suppress-limit 5%"] {
        let (status, _, errors) = ends(&desk, &format!("{versions} {more} -o out"));
        assert!(status == Some(2) && errors.contains("hint: take back --suppress-limit"), "{errors}");
    }
    // A genetic search has no budget then, although it has one otherwise.
    let genetic = "--algorithm genetic --population 10 --iterations 100";
    let (status, told, errors) = ends(&desk, &format!("{versions} {genetic} -o out"));
    assert_eq!(status, Some(0), "{errors}");
    assert!(told.contains("true anonymity of all versions together"), "{told}");
    for version in ["clusters-2", "clusters-3"] {
        assert_eq!(desk.read(&format!("out/{version}/public/table.csv")).lines().count(), 121, "{version}");
    }
    desk.write("t.csv", wards(240));
    desk.write("all.toml", format!("{RELEASES}\n[suppress]\nlimit = \"5%\"\n"));
    let (status, _, errors) = ends(&desk, "anonymize all.toml -o both");
    assert!(status == Some(2) && errors.contains("hint: take back --suppress-limit"), "{errors}");
}

#[test]
fn somebody_who_is_not_born_yet_has_no_age() {
    let desk = Desk::with("t.csv", "birth,ill\n1984-01-02,flu\n1990-01-01,cold\n2027-05-05,flu\n");
    let (status, _, errors) = ends(&desk, "anonymize t.csv --qid birth:2 --age-at birth=2026-01-01 -o out");
    assert!(status == Some(2) && errors.contains("a date of birth lies after the date"), "{errors}");
    assert!(errors.contains("--age-at birth=DATE") && !errors.contains("2027"), "{errors}");
}

#[test]
fn records_that_lack_a_value_are_counted_without_those_of_whoever_is_held_back() {
    let desk = Desk::new();
    let persons: Vec<(String, u32)> = (0..40).map(|n| (format!("P{n:02}"), 30 + n % 2 * 20)).collect();
    let first: String = persons.iter().map(|(pid, age)| format!("{pid},{age}\n")).collect();
    desk.write("t0.csv", format!("pid,age\n{first}"));
    desk.ok("anonymize t0.csv --qid age:5 --person pid -q -o r0");
    // Everybody has a record without an age; X is new and alone, and is held back with both records.
    let newcomer = [("X".to_owned(), 90)];
    let second = persons.iter().chain(&newcomer).map(|(pid, age)| format!("{pid},{age}\n{pid},\n"));
    desk.write("t1.csv", format!("pid,age\n{}", second.collect::<String>()));
    for budget in ["", "--suppress-limit 10%"] {
        let flags = "--qid age:5 --person pid --after r0 --missing drop --force -o r1";
        let said = desk.ok(&format!("anonymize t1.csv {flags} {budget}"));
        assert!(said.contains("40 records (40 left out: a value is missing)"), "{said}");
        desk.ok("verify r0 r1");
    }
}
