//! Do the conditions agree with a deliberately naive check, record by record and value by value, on random tables?

use std::collections::{BTreeMap, BTreeSet};

use cutline_verify::{Absent, Condition, ConditionFinding, Options, Verdict};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::conditions::with;
use crate::naive::{write_csv, write_json};
use crate::{Tables, all_values, claim};

const EPSILON: f64 = 1e-9;

/// The columns c0 and c1 are the QID, c2 has numbers and c3 texts; both have missing values.
fn record() -> impl Strategy<Value = Vec<String>> {
    let number = select(vec!["1", " 1", "2", "10", "-3", "1e1", "", " ", "?"]);
    let text = select(vec!["a", "b", "b ", "c<=d", "é", "", "?", "7"]);
    (select(vec!["x", "y", " y"]), select(vec!["u", "v"]), number, text)
        .prop_map(|(a, b, c, d)| [a, b, c, d].map(str::to_owned).to_vec())
}

fn condition() -> impl Strategy<Value = String> {
    let share = || select(vec!["0", "0.1", "0.2", "0.25", "0.5", "0.75", "1"]);
    let positive = || select(vec!["0.1", "0.25", "0.3333333333", "0.5", "0.75", "1"]);
    let kind = prop_oneof![
        (1..5u64).prop_map(|l| ("distinct-l", l.to_string())),
        (4..16u64).prop_map(|l| ("entropy-l", (l as f64 / 4.0).to_string())),
        (1..16u64, 2..5u64).prop_map(|(c, l)| ("recursive-l", format!("{},{l}", c as f64 / 4.0))),
        positive().prop_map(|share| ("alpha", share.to_owned())),
        (select(vec!["1", "b", "c<=d", "", "?", "none"]), share()).prop_map(|(v, s)| ("bound", format!("{v}<={s}"))),
        share().prop_map(|t| ("t-close", t.to_owned())),
        share().prop_map(|t| ("t-close-ordered", t.to_owned())),
    ];
    (kind, 2..4usize).prop_map(|((kind, parameter), column)| format!("{kind}:c{column}={parameter}"))
}

/// The sensitive value of a record, the missing one last in the order.
fn value(record: &[String], column: usize) -> (bool, String) {
    let cell = record[column].trim();
    let missing = cell.is_empty() || cell == "?";
    let number = cell.parse::<f64>().map(|number| number.to_string());
    (missing, if missing { String::new() } else { number.unwrap_or(cell.to_owned()) })
}

type Values = Vec<(bool, String)>;

/// The sensitive values of the records of every group.
fn groups(table: &[Vec<String>], column: usize) -> Vec<Values> {
    let mut groups: BTreeMap<&[String], Values> = BTreeMap::new();
    for record in table {
        groups.entry(&record[..2]).or_default().push(value(record, column));
    }
    groups.into_values().collect()
}

fn share(values: &[(bool, String)], wanted: &(bool, String)) -> f64 {
    values.iter().filter(|value| *value == wanted).count() as f64 / values.len() as f64
}

/// All values of the table in the order of the definition.
fn domain(all: &[(bool, String)]) -> Values {
    let mut domain: Values = all.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
    // Words stay in the order of their texts, behind all numbers.
    domain.sort_by(|a, b| {
        let number = |value: &(bool, String)| value.1.parse::<f64>().unwrap_or(f64::INFINITY);
        (a.0.cmp(&b.0)).then(number(a).partial_cmp(&number(b)).unwrap())
    });
    domain
}

/// Whether a group satisfies a condition with and without the records that lack a value, and the worse figure.
fn judge_both(kind: &str, parameter: &str, group: &[(bool, String)], all: &[(bool, String)]) -> (bool, f64) {
    let known = |values: &[(bool, String)]| values.iter().filter(|(missing, _)| !missing).cloned().collect::<Values>();
    let with = judge(kind, parameter, group, all);
    let without = match &known(group)[..] {
        [] => match kind {
            "distinct-l" => (parameter == "1", 1.0),
            "recursive-l" => (false, f64::INFINITY),
            "entropy-l" => (parameter.parse::<f64>().unwrap() <= 1.0, 1.0),
            _ => (true, 0.0),
        },
        group => judge(kind, parameter, group, &known(all)),
    };
    (with.0 && without.0, worse(kind)(with.1, without.1))
}

fn worse(kind: &str) -> fn(f64, f64) -> f64 {
    if kind == "distinct-l" || kind == "entropy-l" { f64::min } else { f64::max }
}

/// Whether a group satisfies a condition, and its figure.
fn judge(kind: &str, parameter: &str, group: &[(bool, String)], all: &[(bool, String)]) -> (bool, f64) {
    let domain = domain(all);
    let p: Vec<f64> = domain.iter().map(|value| share(group, value)).collect();
    let q: Vec<f64> = domain.iter().map(|value| share(all, value)).collect();
    let bound = || parameter.parse::<f64>().unwrap();
    match kind {
        "distinct-l" => {
            let distinct = group.iter().collect::<BTreeSet<_>>().len() as f64;
            (distinct >= bound(), distinct)
        }
        "entropy-l" => {
            let entropy: f64 = p.iter().filter(|&&p| p > 0.0).map(|p| -p * p.ln()).sum();
            (entropy >= bound().ln() - EPSILON, entropy.exp())
        }
        "recursive-l" => {
            let (c, l) = parameter.split_once(',').unwrap();
            let (c, l) = (c.parse::<f64>().unwrap(), l.parse::<usize>().unwrap());
            let mut counts: Vec<u64> = p.iter().map(|p| (p * group.len() as f64).round() as u64).collect();
            counts.sort_by(|a, b| b.cmp(a));
            let tail: u64 = counts.iter().skip(l - 1).sum();
            ((counts[0] as f64) < c * tail as f64, counts[0] as f64 / tail as f64)
        }
        "alpha" => {
            let highest = p.iter().copied().fold(0.0, f64::max);
            (highest <= bound() + EPSILON, highest)
        }
        "bound" => {
            let (wanted, most) = parameter.rsplit_once("<=").unwrap();
            let share = share(group, &value(&[wanted.to_owned()], 0));
            (share <= most.parse::<f64>().unwrap() + EPSILON, share)
        }
        "t-close" => {
            let distance = p.iter().zip(&q).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0;
            (distance <= bound() + EPSILON, distance)
        }
        "t-close-ordered" => {
            let upto = |shares: &[f64], i: usize| shares[..=i].iter().sum::<f64>();
            let work: f64 = (0..p.len()).map(|i| (upto(&p, i) - upto(&q, i)).abs()).sum();
            let distance = if p.len() == 1 { 0.0 } else { work / (p.len() - 1) as f64 };
            (distance <= bound() + EPSILON, distance)
        }
        other => panic!("{other}"),
    }
}

fn check(found: &ConditionFinding, table: &[Vec<String>]) {
    let text = found.condition.to_string();
    let (head, parameter) = text.split_once('=').unwrap();
    let (kind, column) = head.split_once(":c").unwrap();
    let column: usize = column.parse().unwrap();
    let all: Values = table.iter().map(|record| value(record, column)).collect();
    let groups = groups(table, column);
    let judged: Vec<(bool, f64)> = groups.iter().map(|group| judge_both(kind, parameter, group, &all)).collect();
    let violating = || groups.iter().zip(&judged).filter(|(_, (holds, _))| !holds);
    assert_eq!(found.violating_groups, violating().count() as u64, "{found:?}");
    assert_eq!(found.violating_records, violating().map(|(group, _)| group.len() as u64).sum::<u64>(), "{found:?}");
    let worst = judged.iter().map(|(_, figure)| *figure).reduce(worse(kind));
    let agrees = match (found.worst, worst) {
        (Some(found), Some(worst)) => found == worst || (found - worst).abs() < EPSILON,
        (found, worst) => found == worst,
    };
    assert!(agrees, "{found:?} {worst:?}");
}

/// The highest share of every value in any group and its share in the table.
fn check_confidences(verdict: &Verdict, table: &[Vec<String>], column: usize) {
    let groups = groups(table, column);
    let all: Values = table.iter().map(|record| value(record, column)).collect();
    let found = &verdict.findings[0].confidences[column - 2];
    let values = found.values.as_ref().unwrap();
    assert_eq!(values.len(), all.iter().collect::<BTreeSet<_>>().len());
    for of_value in values {
        let key = (of_value.value == cutline_verify::NULL_TEXT, of_value.value.replace(cutline_verify::NULL_TEXT, ""));
        let highest = groups.iter().map(|group| share(group, &key)).fold(0.0, f64::max);
        assert_eq!((of_value.highest_confidence, of_value.base_rate), (highest, share(&all, &key)));
    }
    let highest = values.iter().map(|value| value.highest_confidence).fold(0.0, f64::max);
    assert_eq!(found.highest_confidence, highest);
    let homogeneous = || groups.iter().filter(|group| group.iter().all(|value| *value == group[0]));
    let records = homogeneous().map(|group| group.len() as u64).sum::<u64>();
    assert_eq!((found.homogeneous_groups, found.homogeneous_records), (homogeneous().count() as u64, records));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..Default::default() })]

    #[test]
    fn conditions_and_confidences_agree_with_a_naive_check(
        table in vec(record(), 0..40),
        conditions in vec(condition(), 1..8),
    ) {
        let conditions: Vec<&str> = conditions.iter().map(String::as_str).collect();
        prop_assert!(conditions.iter().all(|text| text.parse::<Condition>().is_ok()));
        let claims = [with("c0,c1", 1, &conditions), claim("c0", 1)];
        let sensitive = vec!["c2".to_owned(), "c3".to_owned()];
        let options = Options { sensitive, nulls: vec!["?".into()], union: true, absent: Absent::Allow, ..all_values() };
        let tables = Tables::with("t.csv", write_csv(&table));
        let mut files = vec!["t.csv"];
        if !table.is_empty() {
            tables.write("t.jsonl", write_json(&table));
            files.push("t.jsonl");
        }
        for file in files {
            let verdict = tables.verify_with(file, &claims, &options).unwrap();
            let finding = &verdict.findings[0];
            finding.conditions.iter().for_each(|found| check(found, &table));
            [2, 3].into_iter().for_each(|column| check_confidences(&verdict, &table, column));
            let all_hold = finding.conditions.iter().all(ConditionFinding::holds);
            prop_assert_eq!(finding.holds(), !table.is_empty() && all_hold);
            prop_assert_eq!(&verdict.union.as_ref().unwrap().sizes, &finding.sizes);
        }
    }
}
