//! The 2004 paper's example, and what a bottom-up search does with each masking operation, purpose and odd column, on tables
//! small enough to check by hand.

mod support;

use std::collections::BTreeMap;

use cutline_model::recoding::{Label, Missing};
use cutline_model::{AttributeRecoding, Bound, Masking};
use cutline_search::bottom_up::Pruning;
use cutline_search::{Generalization, Outcome, Stopped};
use cutline_table::LabelKind;

use support::{Sample, generalizations, generalize, in_words, naive_bottom_up, requirement, undeclared, within};

/// Searches to the end, with and without pruning.
fn climb(sample: &Sample, qids: &[&str]) -> Outcome {
    let requirement = requirement(qids);
    let [outcome, unpruned] =
        [Pruning::On, Pruning::Off].map(|pruning| sample.climb_steps(&requirement, pruning, None));
    assert_eq!(outcome, unpruned);
    assert_eq!(outcome.stopped, Stopped::Complete);
    assert_eq!(outcome.anonymity, sample.recount(&requirement, &outcome.recoding));
    outcome
}

/// `attribute: generalized -> into | I, P, IP, A` for each step, figures with four digits.
fn trace(outcome: &Outcome) -> Vec<String> {
    let digits = |figure: f64| (figure * 1e4).round() / 1e4;
    let line = |step: &Generalization| {
        let ip = step.ip.map_or("-".to_owned(), |ip| digits(ip).to_string());
        let (from, loss) = (in_words(&step.generalized, ", "), digits(step.loss));
        format!("{}: {from} -> {} | {loss}, {}, {ip}, {:?}", step.attribute, step.into, step.gain, step.anonymity)
    };
    generalizations(outcome).into_iter().map(line).collect()
}

fn suppressed(disclosed: &[&str], missing: Option<Missing>) -> AttributeRecoding {
    let disclosed = disclosed.iter().map(|value| (*value).to_owned()).collect();
    AttributeRecoding::Suppress { disclosed, missing }
}

fn intervals(bounds: &[Option<f64>], missing: Option<Missing>) -> AttributeRecoding {
    AttributeRecoding::numbers(bounds.iter().copied().map(Bound).collect(), missing)
}

fn cut_of(recoding: &AttributeRecoding) -> (Vec<&str>, Option<Missing>) {
    match recoding {
        AttributeRecoding::Generalize { cut, missing, .. } => (cut.iter().map(String::as_str).collect(), *missing),
        other => panic!("no cut: {other:?}"),
    }
}

/// Figure 1. The text of its third hierarchy is damaged; this one makes the generalizations possible that Example 1 lists.
fn figure_1() -> Sample {
    Sample::new(LabelKind::Classes)
        .attribute("Relationship", generalize("ANY\n  e1\n    a1\n    b1\n  f1\n    c1\n    d1\n"))
        .attribute("Race", generalize("ANY\n  e2\n    a2\n    b2\n  f2\n    c2\n    d2\n"))
        .attribute("Workclass", generalize("ANY\n  g3\n    a3\n    b3\n    f3\n      c3\n      d3\n  e3\n"))
        .records(4, "c1 b2 a3 N")
        .records(4, "c1 b2 c3 N")
        .records(3, "c1 b2 d3 N")
        .records(2, "c1 c2 a3 Y")
        .records(1, "c1 c2 a3 N")
        .records(2, "c1 c2 b3 Y")
        .records(2, "c1 c2 b3 N")
        .records(4, "d1 c2 b3 Y")
        .records(2, "d1 c2 e3 Y")
        .records(2, "d1 d2 b3 Y")
        .records(1, "d1 d2 b3 N")
        .records(2, "d1 d2 e3 Y")
}

#[test]
fn the_papers_example() {
    let outcome = climb(&figure_1(), &["Relationship,Race,Workclass:3"]);
    assert_eq!(trace(&outcome), ["Race: c2, d2 -> f2 | 0.0008, 1, 0.0008, [3]"]);
    // e1 has no records: there is nothing to tell a1 from b1 for.
    assert_eq!(cut_of(&outcome.recoding[0]).0, ["e1", "c1", "d1"]);
    assert_eq!(cut_of(&outcome.recoding[1]).0, ["a2", "b2", "f2"]);
    assert_eq!(cut_of(&outcome.recoding[2]).0, ["a3", "b3", "c3", "d3", "e3"]);
    let text = |label: &Label| match label {
        Label::Text(text) => text.clone(),
        Label::Missing => String::new(),
    };
    let mut vids: BTreeMap<String, usize> = BTreeMap::new();
    for record in figure_1().masked(&outcome.recoding) {
        *vids.entry(record.iter().map(text).collect::<Vec<_>>().join(" ")).or_default() += 1;
    }
    assert_eq!((vids["d1 f2 e3"], vids["d1 f2 b3"], vids["c1 f2 a3"], vids["c1 f2 b3"]), (4, 7, 3, 4));
}

#[test]
fn the_trace_is_written_like_that_of_top_down_search() {
    let outcome = climb(&figure_1(), &["Relationship,Race,Workclass:3"]);
    let step = Generalization { loss: 0.5, ip: Some(0.5), ..generalizations(&outcome)[0].clone() };
    let expected = r#"{"step":1,"attribute":"Race","generalized":["c2","d2"],"into":"f2","loss":0.5,"gain":1.0,"ip":0.5,"anonymity":[3]}"#;
    assert_eq!(serde_json::to_string(&cutline_search::Step::Generalization(step)).unwrap(), expected);
}

#[test]
fn a_requirement_that_holds_needs_no_step() {
    let outcome = climb(&figure_1(), &["Relationship,Race,Workclass:2"]);
    assert_eq!((trace(&outcome), outcome.anonymity), (vec![], vec![2]));
}

/// No generalization touches all four anonymity vids at first. `Mid` renames 3 and loses nothing, nor does `High`.
#[test]
fn without_a_critical_generalization_the_least_loss_decides() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("level", generalize("Any\n  Low\n    1\n    2\n  Mid\n    3\n  High\n    4\n    5\n"))
        .records(1, "1 Y")
        .records(1, "2 N")
        .records(3, "3 Y")
        .records(1, "4 N")
        .records(1, "5 N");
    let outcome = climb(&sample, &["level:2"]);
    let expected =
        ["level: 3 -> Mid | 0, 0, -, [1]", "level: 4, 5 -> High | 0, 0, -, [1]", "level: 1, 2 -> Low | 1, 1, 1, [2]"];
    assert_eq!(trace(&outcome), expected);
}

/// P is the decrease of both shortfalls: `Low` raises one QID from 2 to 4 and the other from 1 to 2.
#[test]
fn several_qids_have_their_own_thresholds() {
    let sample = Sample::new(LabelKind::None)
        .attribute("level", generalize("Any\n  Low\n    1\n    2\n  High\n    3\n    4\n"))
        .attribute("city", Masking::Suppress)
        .records(2, "1 a -")
        .records(1, "1 b -")
        .records(1, "2 a -")
        .records(1, "2 b -")
        .records(4, "3 a -")
        .records(6, "4 b -");
    let outcome = climb(&sample, &["level:5", "level,city:2"]);
    let expected = ["level: 1, 2 -> Low | 5, 3, 1.6667, [4, 2]", "level: 3, 4 -> High | 10, 1, 10, [5, 2]"];
    assert_eq!(trace(&outcome), expected);
    assert_eq!(outcome.recoding[1], suppressed(&["a", "b"], None));
}

#[test]
fn equal_records_count_as_often_as_they_occur() {
    let mut heavy = figure_1();
    heavy.records = std::iter::repeat_n(figure_1().records, 5).flatten().collect();
    let (light, heavy) = (climb(&figure_1(), &["Relationship,Race,Workclass:7"]), {
        climb(&heavy, &["Relationship,Race,Workclass:35"])
    });
    assert_eq!(heavy.recoding, light.recoding);
    assert!(light.steps.len() > 3);
    for (heavy, light) in generalizations(&heavy).into_iter().zip(generalizations(&light)) {
        assert_eq!((&heavy.generalized, &heavy.into), (&light.generalized, &light.into));
        assert_eq!(heavy.gain, 5.0 * light.gain);
        assert!((heavy.loss - light.loss).abs() < 1e-12);
    }
}

/// {1, 1, 1, 3, 3, 3} have variance 1, {11, 11, 11, 15} have 3.
#[test]
fn regression_loses_variance_of_known_targets() {
    let sample = Sample::new(LabelKind::Numbers)
        .attribute("age", within(0.0, 100.0))
        .records(3, "20 1")
        .records(2, "20 ?")
        .records(3, "30 3")
        .records(3, "40 11")
        .records(1, "50 15");
    let outcome = climb(&sample, &["age:4"]);
    let expected =
        ["age: [40-50), [50-100] -> [40-100] | 3, 2, 1.5, [3]", "age: [0-30), [30-40) -> [0-40) | 1, 1, 1, [4]"];
    assert_eq!(trace(&outcome), expected);
    assert_eq!(outcome.recoding, [intervals(&[0.0, 40.0, 100.0].map(Some), None)]);
}

#[test]
fn regression_loses_nothing_where_no_target_is_known() {
    let sample = Sample::new(LabelKind::Numbers)
        .attribute("city", generalize("Any\n  P\n    a\n    b\n  Q\n    c\n    d\n"))
        .records(1, "a 1")
        .records(1, "b 3")
        .records(2, "c ?")
        .records(2, "d ?");
    let outcome = climb(&sample, &["city:3"]);
    let expected =
        ["city: a, b -> P | 1, 1, 1, [2]", "city: c, d -> Q | 0, 0, -, [2]", "city: P, Q -> Any | 0, 1, 0, [6]"];
    assert_eq!(trace(&outcome), expected);
}

/// The first absorbed value is only renamed; then `c` masks fewer records than `b`.
#[test]
fn general_purpose_absorbs_rare_values_first() {
    let sample = Sample::new(LabelKind::None)
        .attribute("city", Masking::Suppress)
        .records(2, "a -")
        .records(5, "b -")
        .records(3, "c -");
    let outcome = climb(&sample, &["city:3"]);
    assert_eq!(trace(&outcome), ["city: a -> * | 2, 0, -, [2]", "city: c, * -> * | 3, 1, 3, [5]"]);
    assert_eq!(outcome.recoding, [suppressed(&["b"], None)]);
}

#[test]
fn missing_is_the_last_child_of_a_taxonomy() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("level", generalize("Any\n  Low\n    1\n    2\n  3\n"))
        .records(2, "1 Y")
        .records(1, "2 N")
        .records(4, "3 Y")
        .records(1, "? N");
    let raw = climb(&sample, &["level:1"]);
    assert_eq!(cut_of(&raw.recoding[0]), (vec!["1", "2", "3"], Some(Missing::Published)));
    let outcome = climb(&sample, &["level:2"]);
    let expected = ["level: 1, 2 -> Low | 0.9183, 0, -, [1]", "level: Low, 3, missing -> Any | 0.4669, 1, 0.4669, [8]"];
    assert_eq!(trace(&outcome), expected);
    assert_eq!(cut_of(&outcome.recoding[0]), (vec!["Any"], Some(Missing::Masked)));
}

#[test]
fn missing_numbers_join_the_full_range_last() {
    let hours = |masking| {
        Sample::new(LabelKind::Classes)
            .attribute("hours", masking)
            .records(3, "10 Y")
            .records(3, "20 N")
            .records(1, "? N")
    };
    let outcome = climb(&hours(undeclared()), &["hours:2"]);
    let expected = ["hours: <20, >=20 -> * | 1, 0, -, [1]", "hours: *, missing -> * | 0.1281, 1, 0.1281, [7]"];
    assert_eq!(trace(&outcome), expected);
    assert_eq!(outcome.recoding, [intervals(&[None, None], Some(Missing::Masked))]);

    let outcome = climb(&hours(within(0.0, 24.0)), &["hours:2"]);
    let expected =
        ["hours: [0-20), [20-24] -> [0-24] | 1, 0, -, [1]", "hours: [0-24], missing -> * | 0.1281, 1, 0.1281, [7]"];
    assert_eq!(trace(&outcome), expected);
    assert_eq!(outcome.recoding, [intervals(&[Some(0.0), Some(24.0)], Some(Missing::Masked))]);

    let halfway = hours(undeclared()).climb_steps(&requirement(&["hours:2"]), Pruning::On, Some(1));
    assert_eq!(halfway.recoding, [intervals(&[None, None], Some(Missing::Published))]);
}

#[test]
fn a_missing_value_is_absorbed_like_any_other() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("city", Masking::Suppress)
        .records(1, "? Y")
        .records(3, "z N")
        .records(2, "y Y");
    let outcome = climb(&sample, &["city:2"]);
    assert_eq!(trace(&outcome), ["city: y -> * | 0, 0, -, [1]", "city: missing, * -> * | 0, 1, 0, [3]"]);
    assert_eq!(outcome.recoding, [suppressed(&["z"], Some(Missing::Masked))]);
    let raw = climb(&sample, &["city:1"]);
    assert_eq!(raw.recoding, [suppressed(&["y", "z"], Some(Missing::Published))]);
}

/// 130 numbers become 64 bins of two or three: `floor(64 * before / 130)`.
#[test]
fn many_numbers_start_in_equal_frequency_bins() {
    let mut sample = Sample::new(LabelKind::Classes).attribute("age", undeclared());
    for age in 1..=130 {
        sample = sample.records(1, &format!("{age} {}", if age * age % 7 < 3 { "Y" } else { "N" }));
    }
    let outcome = climb(&sample, &["age:2"]);
    assert_eq!((trace(&outcome), &outcome.anonymity[..]), (vec![], &[2][..]));
    let AttributeRecoding::Discretize { bounds, .. } = &outcome.recoding[0] else { panic!("{:?}", outcome.recoding) };
    assert_eq!(
        (bounds.len(), bounds[1], bounds[2], bounds[63]),
        (65, Bound(Some(4.0)), Bound(Some(6.0)), Bound(Some(129.0)))
    );

    let outcome = climb(&sample, &["age:9"]);
    let naive = naive_bottom_up::search(&sample, &requirement(&["age:9"]), None);
    assert_eq!((outcome.steps.len(), &outcome.recoding), (naive.steps.len(), &naive.recoding));
    assert!(outcome.steps.len() > 32);
}

/// Names of their own, one by one behind ⊥: more steps than are planned at once before any group matters.
#[test]
fn a_long_way_that_only_losses_decide() {
    let mut sample =
        Sample::new(LabelKind::Classes).attribute("name", Masking::Suppress).attribute("age", undeclared());
    for number in 0..400 {
        let class = if number % 3 == 0 { "Y" } else { "N" };
        sample = sample.records(1, &format!("n{number} {} {class}", number * 7 % 60));
    }
    let outcome = climb(&sample, &["name,age:5"]);
    let gains: Vec<f64> = generalizations(&outcome).iter().map(|step| step.gain).collect();
    let first = gains.iter().position(|&gain| gain > 0.0);
    assert!(first.is_some_and(|first| first > 300), "{first:?} of {}", gains.len());
}
