//! What the tests of all conditions share.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::*;

/// A condition on an attribute with these values.
pub(crate) fn named(text: &str, values: &[&str]) -> Box<dyn Check> {
    let values: Vec<Option<String>> = values.iter().map(|value| Some((*value).to_owned())).collect();
    text.parse::<Condition>().unwrap().prepare(&values).unwrap()
}

/// A condition on the attribute `s` with the values a, b and c.
pub(crate) fn check(text: &str) -> Box<dyn Check> {
    named(text, &["a", "b", "c"])
}

/// k-anonymity passes both groups; the condition refuses the first, and holds for the second if there is one.
pub(crate) fn refused(text: &str, violating: &[u64], holding: &[u64]) {
    let check = check(text);
    let whole = [100, 100, 100];
    assert!(!check.holds(&Group { counts: violating, whole: &whole }), "{text} {violating:?}");
    if !holding.is_empty() {
        assert!(check.holds(&Group { counts: holding, whole: &whole }), "{text} {holding:?}");
    }
}

/// If two groups satisfy the condition, so does their union; also where values are missing, or are texts of the same number.
pub(crate) fn union_closed(text: &str) {
    let check = check(text);
    // The property says something only if both happen.
    let holds = |counts: &[u64; 3]| check.holds(&Group { counts, whole: &[12, 10, 9] });
    let seen = [[7, 0, 0], [0, 7, 0], [3, 3, 3], [4, 3, 1], [1, 1, 1]].map(|counts| holds(&counts));
    assert!(seen.contains(&true) && seen.contains(&false), "{text} holds for all groups or for none");
    closed(text, ["a", "b", "c", "d"].map(Some));
    closed(text, [Some("a"), Some("b"), Some("c"), None]);
    closed(text, [Some("1"), Some("b"), Some("1.0"), None]);
}

fn closed(text: &str, values: [Option<&str>; 4]) {
    let values = values.map(|value| value.map(str::to_owned));
    let check = text.parse::<Condition>().unwrap().prepare(&values).unwrap();
    let counts =
        || prop::array::uniform4(0u64..8).prop_filter("a group has records", |counts| counts.iter().sum::<u64>() > 0);
    let config = Config { cases: 2000, failure_persistence: None, ..Config::default() };
    let result = TestRunner::new(config).run(&(counts(), counts(), counts()), |(one, other, rest)| {
        let union: [u64; 4] = std::array::from_fn(|value| one[value] + other[value]);
        let whole: [u64; 4] = std::array::from_fn(|value| union[value] + rest[value]);
        let group = |counts| Group { counts, whole: &whole };
        if check.holds(&group(&one)) && check.holds(&group(&other)) {
            prop_assert!(check.holds(&group(&union)), "{text} {values:?}: {one:?} + {other:?} in {whole:?}");
        }
        Ok(())
    });
    result.unwrap();
}

#[test]
fn conditions_are_read_as_they_are_written() {
    for (_, example, _) in RULES {
        assert_eq!(example.parse::<Condition>().unwrap().to_string(), example);
    }
    let condition: Condition = "distinct-l: my diagnosis = 3".parse().unwrap();
    assert_eq!((condition.attribute(), condition.name()), ("my diagnosis", "distinct-l"));
}

#[test]
fn what_is_no_condition_is_refused_with_an_example() {
    for text in [
        "distinct-l:s=0",
        "distinct-l:s=x",
        "distinct-l:=3",
        "distinct-l:s",
        "entropy-l:s=0.5",
        "recursive-l:s=2",
        "recursive-l:s=0,3",
        "recursive-l:s=2,1",
        "alpha:s=1.5",
        "bound:s=0.2",
        "bound:s=<=0.2",
        "t-close:s=-1",
    ] {
        let error = text.parse::<Condition>().unwrap_err();
        assert!(matches!(error, ConditionError::Arguments { .. }), "{text}: {error}");
    }
    assert!(matches!("l-diversity:s=3".parse::<Condition>(), Err(ConditionError::Unknown(_))));
}
