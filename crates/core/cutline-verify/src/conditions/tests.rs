//! What all conditions have in common: their texts, and their guarantee.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// Conditions of every kind with bounds that random groups satisfy now and then.
const CONDITIONS: &[&str] = &[
    "distinct-l:s=3",
    "entropy-l:s=2.2",
    "recursive-l:s=1.5,2",
    "recursive-l:s=4,3",
    "alpha:s=0.5",
    "bound:s=v1<=0.3",
    "t-close:s=0.35",
    "t-close-ordered:s=0.25",
];

const VALUES: usize = 5;

/// Judges a group with these counts of the values v0, v1, ... in a table with those.
fn judged(condition: &Condition, group: &[u64], table: &[u64]) -> Judged {
    let texts: Vec<String> = (0..table.len()).map(|value| format!("v{value}")).collect();
    let texts = texts.into_iter().map(|text| Some(text.into())).collect();
    let table = Values { texts, counts: table.to_vec(), nulls: &[] };
    let cells = group.iter().enumerate().filter(|(_, count)| **count > 0);
    let cells: Vec<Cell> = cells.map(|(value, &count)| Cell { group: 0, value: value as u32, count }).collect();
    condition.rule.judge(&table)(&cells)
}

fn condition(text: &str) -> Condition {
    text.parse().unwrap()
}

#[test]
fn every_kind_has_a_form_that_can_be_read_and_is_tested() {
    for form in Condition::forms() {
        let condition = condition(form);
        assert_eq!(condition.to_string(), form);
        assert!(CONDITIONS.iter().any(|text| self::condition(text).name() == condition.name()), "{form}");
    }
}

#[test]
fn texts_are_read_and_printed() {
    let cases = [
        ("distinct-l:a=3", "distinct-l:a=3"),
        (" distinct-l : a b = 3 ", "distinct-l:a b=3"),
        ("entropy-l:a=2.50", "entropy-l:a=2.5"),
        ("entropy-l:a=1", "entropy-l:a=1"),
        ("recursive-l:a= 2.0 , 3 ", "recursive-l:a=2,3"),
        ("alpha:urn:x=1e-3", "alpha:urn:x=0.001"),
        ("t-close:a=-0", "t-close:a=0"),
        ("t-close-ordered:a=1", "t-close-ordered:a=1"),
        ("bound:income=<=50K<=0.5", "bound:income=<=50K<=0.5"),
        ("bound:a= x = y <= .2", "bound:a=x = y<=0.2"),
        ("bound:a=<=0.1", "bound:a=<=0.1"),
    ];
    for (text, printed) in cases {
        let read = condition(text);
        assert_eq!(read.to_string(), printed);
        assert_eq!(condition(printed), read);
    }
    assert_eq!(condition("alpha:urn:x=0.5").attribute(), "urn:x");
    assert_ne!(condition("alpha:a=0.5"), condition("alpha:a=0.50001"));
    assert_eq!(format!("{:?}", condition("alpha:a=0.5")), "Condition(alpha:a=0.5)");
}

#[test]
fn texts_that_say_no_condition_are_refused() {
    let problem = |text: &str| match text.parse::<Condition>() {
        Err(VerifyError::BadCondition { problem, .. }) => problem,
        other => panic!("{text}: {other:?}"),
    };
    for text in ["distinct-l", "distinct-l:a", "alpha:0.5", "bound:a<"] {
        assert_eq!(problem(text), "there is no `=` behind an attribute", "{text}");
    }
    assert_eq!(problem("distinct-l: =3"), "it names no attribute");
    let bad = [
        "distinct-l:a=0 distinct-l:a=2.5 distinct-l:a= distinct-l:a=-1",
        "entropy-l:a=0.9 entropy-l:a=nan entropy-l:a=inf entropy-l:a=x",
        "recursive-l:a=2 recursive-l:a=0,2 recursive-l:a=2,1 recursive-l:a=inf,2 recursive-l:a=2,2.5 recursive-l:a=,",
        "alpha:a=0 alpha:a=1.1 alpha:a=nan alpha:a=50%",
        "bound:a=x bound:a=x<=1.5 bound:a=x<= bound:a=x<=-0.1",
        "t-close:a=-0.1 t-close:a=2 t-close-ordered:a=nan t-close-ordered:a=",
    ];
    bad.iter().flat_map(|line| line.split(' ')).for_each(|text| assert!(!problem(text).is_empty()));
}

#[test]
fn errors_say_how_conditions_are_written() {
    let error = "alpha:a=7".parse::<Condition>().unwrap_err();
    assert_eq!(error.blame(), crate::Blame::Request);
    assert_eq!(
        error.to_string(),
        "the condition `alpha:a=7`: the share must be a number above 0, at most 1; its form is `alpha:ATTR=0.5`"
    );
    let error = "l-diversity:a=3".parse::<Condition>().unwrap_err();
    let message = error.to_string();
    assert!(
        message.starts_with("`l-diversity:a=3` is no condition; the conditions are `distinct-l:ATTR=3`, `"),
        "{message}"
    );
}

#[test]
fn the_distances_of_the_t_closeness_paper() {
    // Its salaries 3k to 11k, all equally frequent: {3k, 4k, 5k} has the distance 0.375, {6k, 8k, 11k} 0.167.
    let table = [1; 9];
    let ordered = condition("t-close-ordered:s=0.2");
    let lowest = judged(&ordered, &[1, 1, 1, 0, 0, 0, 0, 0, 0], &table);
    assert!((lowest.figure - 0.375).abs() < 1e-12 && !lowest.holds);
    let spread = judged(&ordered, &[0, 0, 0, 1, 0, 1, 0, 0, 1], &table);
    assert!((spread.figure - 1.0 / 6.0).abs() < 1e-12 && spread.holds);
    assert_eq!(judged(&ordered, &[4], &[9]).figure, 0.0, "one value");
}

#[test]
fn bounds_that_are_met_exactly_are_met_whatever_the_rounding() {
    let holds = |text: &str, group: &[u64]| judged(&condition(text), group, &[10, 10, 10]).holds;
    assert!(holds("alpha:s=0.3333333333333333", &[1, 1, 1]));
    assert!(holds("entropy-l:s=3", &[7, 7, 7]));
    assert!(holds("t-close:s=0", &[3, 3, 3]));
    assert!(holds("t-close:s=0.1", &[13, 10, 7]));
    assert!(!holds("alpha:s=0.3333", &[1, 1, 1]));
    assert!(!holds("recursive-l:s=2,2", &[4, 1, 1]), "4 < 2 (1 + 1) is strict");
    assert!(holds("recursive-l:s=2.001,2", &[4, 1, 1]));
}

/// Counts with many zeros.
fn counts() -> impl Strategy<Value = Vec<u64>> {
    let counts = vec(prop_oneof![2 => Just(0), 3 => 1..6u64, 1 => 1..100_000u64], VALUES);
    counts.prop_filter("a group has records", |counts| counts.iter().any(|&count| count > 0))
}

fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_union_of_two_groups_satisfies_what_both_do(a in counts(), b in counts(), rest in counts()) {
        let union = sum(&a, &b);
        let table = sum(&union, &rest);
        for text in CONDITIONS {
            let condition = condition(text);
            let [a, b, union] = [&a, &b, &union].map(|group| judged(&condition, group, &table));
            prop_assert!(union.holds || !a.holds || !b.holds, "{}: {:?} {:?} {:?}", text, a, b, union);
            // The figure of the union is no worse than the worse one, whatever the bound.
            let worse = match condition.rule.worst() {
                Worst::Smallest => union.figure + TOLERANCE < a.figure.min(b.figure),
                Worst::Largest => union.figure - TOLERANCE > a.figure.max(b.figure),
            };
            prop_assert!(!worse, "{}: {:?} {:?} {:?}", text, a, b, union);
        }
    }

    #[test]
    fn the_text_of_a_condition_is_read_back(
        attribute in "[^=]{0,9}[^=\\s]", value in ".{0,9}", real in 0.0..=1.0f64, c in any::<f64>(), l in 2..99u64,
    ) {
        let (more, c) = (1.0 + real * 9.0, c.abs());
        let mut texts = vec![
            format!("distinct-l:{attribute}={l}"), format!("entropy-l:{attribute}={more}"),
            format!("bound:{attribute}={value}<={real}"), format!("t-close:{attribute}={real}"),
            format!("t-close-ordered:{attribute}={real}"),
        ];
        texts.extend((c > 0.0 && c.is_finite()).then(|| format!("recursive-l:{attribute}={c},{l}")));
        texts.extend((real > 0.0).then(|| format!("alpha:{attribute}={real}")));
        for text in texts {
            let read: Condition = text.parse().unwrap();
            prop_assert_eq!(read.attribute(), attribute.trim());
            prop_assert_eq!(&read.to_string().parse::<Condition>().unwrap(), &read);
        }
    }
}
