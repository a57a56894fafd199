#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::collections::BTreeSet;

use cutline_model::Taxonomy;

use super::*;
use cutline::{Silent, Table};

/// Runs an attack on tables as the command would open them.
fn try_run(attack: &Attack, released: &str, external: &str) -> Result<AttackOutcome, Error> {
    let folder = tempfile::tempdir().unwrap();
    let table = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let location = path.display().to_string();
        Table::open(&location, &Default::default(), 1).unwrap()
    };
    attack.run(&table("released.csv", released), &table("external.csv", external), &Silent)
}

fn attack(on: &str) -> Attack {
    Attack { on: on.split(',').map(str::to_owned).collect(), ..Attack::default() }
}

fn run(attack: &Attack, released: &str, external: &str) -> AttackOutcome {
    try_run(attack, released, external).unwrap()
}

/// (from, persons) where there are any.
fn matches(outcome: &AttackOutcome) -> Vec<(u64, u64)> {
    outcome.matches.iter().filter(|class| class.persons > 0).map(|class| (class.from, class.persons)).collect()
}

const RELEASED: &str =
    "id,age,sex,ill\n1,<30,*,flu\n2,<30,*,flu\n3,[30-50),F,cold\n4,[30-50),M,flu\n5,>=50,M,cold\n6,>=50,*,flu\n";

#[test]
fn persons_match_all_records_whose_labels_cover_their_values() {
    let external = "id,age,sex,ill\n1,20,F,flu\n3,30,F,cold\n4,49,M,flu\n5,50,M,cold\n9,50,F,flu\n7,,F,flu\n";
    let all = Attack { truth: Some("id".into()), sensitive: vec!["ill".into()], ..attack("age,sex") };
    let outcome = run(&all, RELEASED, external);
    assert_eq!((outcome.records, outcome.groups, outcome.persons, outcome.matched), (6, 5, 6, 5));
    // Nobody's age is covered by a label for a missing one.
    assert_eq!(matches(&outcome), [(0, 1), (1, 3), (2, 2)]);
    assert_eq!((outcome.fewest, outcome.highest_success), (1, 1.0));
    assert!((outcome.expected_success - (0.5 + 1.0 + 1.0 + 0.5 + 1.0) / 5.0).abs() < 1e-12);
    let truth = outcome.truth.unwrap();
    // Persons 9 and 7 have no record.
    assert_eq!((truth.present, truth.among_matches, truth.highest_success), (4, 4, 1.0));
    assert!((truth.success - (0.5 + 1.0 + 1.0 + 0.5) / 6.0).abs() < 1e-12);
    let ill = &outcome.inferences[0];
    assert_eq!((ill.base_rate, ill.highest_confidence, ill.certain), (4.0 / 6.0, 1.0, 4));
    // The fourth person matches one of each: the first in byte order is guessed, and right.
    let truth = ill.truth.unwrap();
    assert_eq!((truth.persons, truth.right, truth.base_right, truth.certain_and_right), (5, 1.0, 0.6, 4));
}

#[test]
fn who_is_who_may_follow_from_the_order_of_records() {
    let released = "age\n<30\n<30\n>=30\n";
    let by_order = Attack { truth: Some(Attack::RECORD.into()), ..attack("age") };
    let truth = run(&by_order, released, "age\n20\n40\n50\n").truth.unwrap();
    // The second person's own record is not among the matches.
    assert_eq!((truth.present, truth.among_matches), (3, 2));
    assert!((truth.success - 1.5 / 3.0).abs() < 1e-12);
    let error = try_run(&by_order, released, "age\n20\n").unwrap_err();
    assert!(matches!(error, Error::Contradiction { .. }));
    let column = run(&by_order, "record,age\na,<30\n", "record,age\na,20\n").truth.unwrap();
    assert_eq!(column.among_matches, 1);
}

#[test]
fn a_person_may_have_several_records() {
    let by_id = Attack { truth: Some("id".into()), ..attack("age") };
    let truth = run(&by_id, "id,age\n1,<30\n1,<30\n2,<30\n,<30\n", "id,age\n1,20\n,20\n").truth.unwrap();
    assert_eq!((truth.present, truth.among_matches, truth.highest_success, truth.success), (1, 1, 0.5, 0.25));
}

#[test]
fn what_the_recoding_tells_is_used() {
    let recoding = r#"{"format": "cutline-recoding/1", "null": ["?"],
        "attributes": {"sex": {"operation": "suppress", "disclosed": ["F"]}, "edu": {"operation": "generalize", "cut": ["Low", "High"],
        "taxonomy": {"label": "Any", "children": [{"label": "Low", "children": ["1st", "2nd"]}, "High"]}}},
        SUPPRESSION "requirement": {"qids": []}}"#;
    let attack = |suppression: &str| Attack {
        recoding: Some(Recoding::from_json(&recoding.replace("SUPPRESSION", suppression)).unwrap()),
        ..attack("sex,edu")
    };
    let persons = "sex,edu\nF,1st\nM,2nd\nF,High\nM,?\n";
    let released = "sex,edu\nF,Low\n*,Low\n*,Low\nF,High\n";
    // Without the recoding `*` could be anybody, and nothing says what is below `Low`.
    assert_eq!(matches(&run(&super::tests::attack("sex,edu"), released, persons)), [(0, 3), (1, 1)]);
    assert_eq!(matches(&run(&attack(""), released, persons)), [(0, 1), (1, 2), (2, 1)]);
    // A record that is all `*` was suppressed: anybody may be behind it, if records may be suppressed at all.
    let released = "sex,edu\nF,Low\n*,Low\n*,Low\n*,*\n";
    let may = attack(r#""suppression": {"limit": "50%", "how": "mask"},"#);
    assert_eq!(matches(&run(&may, released, persons)), [(1, 2), (2, 2)]);
    // Who knows all QIDs knows which persons' groups are missing: only those may be behind it.
    let mut all = may;
    let recoding = all.recoding.as_mut().unwrap();
    let achieved = |names: &[&str]| {
        let names: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
        serde_json::from_str(&format!(r#"{{"attributes": [{}], "k": 2, "anonymity": 2}}"#, names.join(","))).unwrap()
    };
    recoding.requirement.qids.push(achieved(&["sex", "edu"]));
    assert_eq!(matches(&run(&all, released, persons)), [(1, 3), (2, 1)]);
    all.recoding.as_mut().unwrap().requirement.qids.push(achieved(&["age"]));
    assert_eq!(matches(&run(&all, released, persons)), [(1, 2), (2, 2)]);
    assert_eq!(matches(&run(&attack(""), released, persons)), [(0, 2), (1, 1), (2, 1)]);
}

#[test]
fn columns_that_a_table_lacks_are_named() {
    for (attack, released, external) in [
        (attack("agee"), "age\n1\n", "age\n1\n"),
        (Attack { sensitive: vec!["ill".into()], ..attack("age") }, "age\n1\n", "age,ill\n1,x\n"),
        (Attack { truth: Some("id".into()), ..attack("age") }, "age,id\n1,1\n", "age\n1\n"),
    ] {
        let error = try_run(&attack, released, external).unwrap_err();
        assert!(matches!(error, Error::UnknownColumn { .. }), "{error}");
    }
    let empty = try_run(&attack("age"), "age\n", "age\n1\n").unwrap_err();
    assert!(matches!(empty, Error::NoRecords(_)));
    assert!(matches!(try_run(&Attack::default(), "a\n", "a\n"), Err(Error::NotSaid { .. })));
}

/// Small tables with labels of several levels, joined by comparing every person with every record.
#[test]
fn the_join_agrees_with_comparing_everybody_with_everything() {
    let taxonomy = Taxonomy::from_outline("Any\n  A\n    a\n    b\n  B\n    c\n").unwrap();
    let (labels, values) = (["a", "b", "c", "A", "B", "Any", "*"], ["a", "b", "c"]);
    let (intervals, numbers) = (["<3", "[3-5)", "[5-9]", "4", "*", ">=6"], ["1", "3", "4", "5", "6", "9", "12"]);
    let recoding = Recoding::from_json(
        r#"{"format": "cutline-recoding/1", "attributes": {"x": {"operation": "generalize", "cut": ["Any"],
        "taxonomy": {"label": "Any", "children": [{"label": "A", "children": ["a", "b"]}, {"label": "B", "children": ["c"]}]}}},
        "requirement": {"qids": []}}"#,
    )
    .unwrap();
    let inside = |label: &str, number: f64| match label {
        "*" => true,
        "<3" => number < 3.0,
        "[3-5)" => (3.0..5.0).contains(&number),
        "[5-9]" => (5.0..=9.0).contains(&number),
        ">=6" => number >= 6.0,
        other => other.parse() == Ok(number),
    };
    let covers = |label: &str, value: &str| {
        label == "*" || taxonomy.ancestors(taxonomy.node(value).unwrap()).any(|node| taxonomy.label(node) == label)
    };
    let mut state = 7_u64;
    let mut draw = |most: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % most
    };
    for _ in 0..40 {
        let records: Vec<_> =
            (0..1 + draw(30)).map(|_| (labels[draw(labels.len())], intervals[draw(intervals.len())])).collect();
        let persons: Vec<_> = (0..1 + draw(30)).map(|_| (values[draw(3)], numbers[draw(numbers.len())])).collect();
        let csv = |rows: &[(&str, &str)]| rows.iter().map(|(x, y)| format!("{x},{y}\n")).collect::<String>();
        let with_taxonomy = Attack { recoding: Some(recoding.clone()), ..attack("x,y") };
        let outcome = run(&with_taxonomy, &format!("x,y\n{}", csv(&records)), &format!("x,y\n{}", csv(&persons)));
        let own = records.iter().map(|(x, _)| *x).collect::<BTreeSet<_>>();
        // A table with no other labels than the recoding's is its own, and joined by the recoding.
        if own.iter().all(|label| ["Any", "*"].contains(label)) {
            continue;
        }
        let counts = persons.iter().map(|(x, y)| {
            let number: f64 = y.parse().unwrap();
            records.iter().filter(|(label, interval)| covers(label, x) && inside(interval, number)).count() as u64
        });
        let counts: Vec<u64> = counts.collect();
        let least = counts.iter().copied().filter(|&count| count > 0).min().unwrap_or(0);
        let found = counts.iter().filter(|count| **count > 0).count() as u64;
        assert_eq!((outcome.matched, outcome.fewest), (found, least));
        for class in &outcome.matches {
            let within = |count: &&u64| **count >= class.from && class.to.is_none_or(|to| **count <= to);
            assert_eq!(class.persons, counts.iter().filter(within).count() as u64);
        }
    }
}
