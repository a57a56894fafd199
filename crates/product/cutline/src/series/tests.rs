mod in_memory;
#[path = "../../tests/support/worlds.rs"]
mod worlds;

use std::collections::HashMap;
use std::sync::Arc;

use cutline_model::Qid;

use super::anonymity::Trajectories;
use super::hold_back::hold_back;
use super::patterns::Known;
use super::published::{PersonKey, PersonRows, Published};
use super::sensed::{Census, Sensed};

/// A release of one attribute: who has which label.
fn release(persons: &[(u128, &str)]) -> Published {
    let mut published = Published { attributes: vec!["town".to_owned()], ..Published::default() };
    let mut rows = Vec::new();
    for &(person, label) in persons {
        let row = vec![Some(label.to_owned())];
        let number = published.rows.iter().position(|other| *other == row).unwrap_or_else(|| {
            published.rows.push(row.clone());
            published.rows.len() - 1
        });
        rows.push((person, number as u32));
    }
    published.persons = PersonRows::new(rows);
    published
}

fn qids(k: u64) -> Vec<Qid> {
    vec![Qid::new(vec!["town".to_owned()], k)]
}

#[test]
fn what_a_release_keeps_of_its_persons_reads_back() {
    let key = PersonKey::fresh().unwrap();
    let published = release(&[(key.digest("ann"), "Oslo"), (key.digest("bob"), "*"), (key.digest("cy"), "Oslo")]);
    let text = published.to_text(key);
    assert!(!text.contains("ann"), "no names");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &text).unwrap();
    assert_eq!(Published::read(file.path()).unwrap(), (key, published));
    let cut_off = text.lines().take(3).map(|line| format!("{line}\n")).collect();
    let other = text.replace("persons/1", "persons/9");
    for damaged in [String::new(), "{}".to_owned(), other, cut_off, text.clone() + "zz 1\n", text + "00 9\n"] {
        std::fs::write(file.path(), damaged).unwrap();
        let error = Published::read(file.path()).unwrap_err().to_string();
        assert!(error.contains("is not what a release keeps"), "{error}");
    }
    assert_eq!(format!("{key:?}"), "PersonKey");
}

#[test]
fn whole_numbers_with_and_without_decimals_are_one_person() {
    let key = PersonKey::fresh().unwrap();
    let same = |one: &str, other: &str| key.digest(one) == key.digest(other);
    assert!(same("7", "7.0") && same("7.00", "7") && same("120.0", "120"));
    for (one, other) in [("7", "007"), ("7", "7."), ("7", "7.5"), ("a", "a.0"), ("7.0.0", "7.0"), ("", ".0")] {
        assert!(!same(one, other), "{one} {other}");
    }
}

#[test]
fn those_who_stand_out_are_held_back_and_no_others() {
    let towns = |persons: std::ops::Range<u128>, town: &'static str| persons.map(move |person| (person, town));
    let first: Vec<(u128, &str)> = towns(0..10, "Oslo").chain(towns(10..13, "Bern")).collect();
    // Two of Oslo left, nobody of Bern; one entered.
    let present: Vec<u128> = (2..13).chain([99]).collect();
    let mut known = Known::new(PersonKey::fresh().unwrap(), &[release(&first)], &qids(3));
    let patterns = known.patterns_of(&present);
    known.count_absent(&patterns);
    known.check(&patterns, &qids(3)).unwrap();
    let held = hold_back(&mut known, &patterns, &[], &qids(3), &Sensed::default());
    let held: Vec<u128> = present.iter().zip(held).filter(|(_, held)| *held).map(|(person, _)| *person).collect();
    assert_eq!(held, [2, 99], "one more of Oslo, so that three are absent, and the one who entered");
}

#[test]
fn what_earlier_releases_tell_is_told() {
    let first = release(&[(1, "Oslo"), (2, "Oslo"), (3, "Oslo"), (4, "Bern"), (5, "Bern"), (6, "Bern")]);
    let second = release(&[(1, "Oslo"), (2, "Oslo"), (3, "Bern"), (4, "Bern"), (5, "Bern"), (6, "Bern")]);
    let releases = [first, second];
    let mut known = Known::new(PersonKey::fresh().unwrap(), &releases, &qids(3));
    known.count_absent(&[]);
    let error = known.check(&[], &qids(3)).unwrap_err().to_string();
    assert!(error.contains("3 persons in 2 groups of {town}") && error.contains("the smallest 1"), "{error}");
    let trajectories = Trajectories::new(&releases, &qids(3));
    let together = &trajectories.together().qids[0];
    let figures = (together.anonymity, together.trajectories, together.too_small, together.persons_in_those);
    assert_eq!(figures, (1, 3, 2, 3));
    let timeline = trajectories.timeline(vec![Some("a".to_owned()), None]);
    assert_eq!((timeline[1].alone[0], timeline[1].together[0], timeline[1].entered, timeline[1].left), (2, 1, 0, 0));
}

#[test]
fn everybody_is_found_by_the_first_bits_of_their_digest() {
    let key = PersonKey::fresh().unwrap();
    let label = |person: u128| ["Oslo", "Bern", "Rome"][(person % 3) as usize];
    for persons in [0, 1, 2, 3, 100, 1000] {
        let digests: Vec<u128> = (0..persons).map(|person| key.digest(&person.to_string())).collect();
        let digests = [&digests[..], &[0, u128::MAX][..(persons % 2) as usize * 2]].concat();
        let published: Vec<(u128, &str)> = digests.iter().map(|&digest| (digest, label(digest))).collect();
        let known = Known::new(key, &[release(&published)], &qids(2));
        let alike = |one: u128, other: u128| known.pattern(one) == known.pattern(other);
        for &digest in &digests {
            assert!(digests.iter().all(|&other| alike(digest, other) == (label(digest) == label(other))));
            assert_ne!(known.pattern(digest), known.pattern(key.digest("nobody")));
        }
    }
}

#[test]
fn a_person_who_is_in_no_release_is_known_by_that() {
    let known = Known::new(PersonKey::fresh().unwrap(), &[release(&[(1, "Oslo")])], &qids(2));
    assert_ne!(known.pattern(1), known.pattern(2));
    let histories: HashMap<u32, u32> = [(0, 0), (1, 1)].into();
    let found = known.histories(&["age".to_owned()]);
    assert!(histories.iter().all(|(&pattern, &history)| found.of_row.get(pattern as usize) == history));
}
