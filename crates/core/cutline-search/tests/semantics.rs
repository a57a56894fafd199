//! What a top-down search does with each masking operation, purpose and odd column, on tables small enough to check by hand.

mod support;

use cutline_model::recoding::Missing;
use cutline_model::{AttributeRecoding, Bound, Masking};
use cutline_search::top_down::Score;
use cutline_search::{Outcome, Refinement, Stopped};
use cutline_table::LabelKind;

use support::{Sample, generalize, in_words, refinements, requirement, undeclared, within};

/// `attribute: refined -> into | gain, loss, A` for each step, figures with four digits.
fn trace(outcome: &Outcome) -> Vec<String> {
    let digits = |figure: f64| (figure * 1e4).round() / 1e4;
    let line = |step: &Refinement| {
        let (gain, loss) = (digits(step.gain), digits(step.loss));
        let into = in_words(&step.into, ", ");
        format!("{}: {} -> {into} | {gain}, {loss}, {:?}", step.attribute, step.refined, step.anonymity)
    };
    refinements(outcome).into_iter().map(line).collect()
}

fn suppressed(disclosed: &[&str], missing: Option<Missing>) -> AttributeRecoding {
    let disclosed = disclosed.iter().map(|value| (*value).to_owned()).collect();
    AttributeRecoding::Suppress { disclosed, missing }
}

fn intervals(bounds: &[Option<f64>], missing: Option<Missing>) -> AttributeRecoding {
    AttributeRecoding::numbers(bounds.iter().copied().map(Bound).collect(), missing)
}

fn cut_of(recoding: &AttributeRecoding) -> (&[String], Option<Missing>) {
    match recoding {
        AttributeRecoding::Generalize { cut, missing, .. } => (cut, *missing),
        other => panic!("no cut: {other:?}"),
    }
}

fn cities() -> Sample {
    Sample::new(LabelKind::Classes)
        .attribute("city", Masking::Suppress)
        .records(4, "a Y")
        .records(4, "b N")
        .records(2, "c Y")
        .records(2, "c N")
        .records(1, "d Y")
        .records(1, "d N")
}

/// `d` is too rare to be told; `c` stays suppressed to hide it.
#[test]
fn a_value_stays_suppressed_where_the_rest_would_be_too_few() {
    let outcome = cities().search(&requirement(&["city:4"]), Score::Tdr);
    assert_eq!(trace(&outcome), ["city: * -> a, * | 0.3705, 10, [4]", "city: * -> b, * | 0.2813, 0, [4]"]);
    assert_eq!(outcome.recoding, [suppressed(&["a", "b"], None)]);
}

/// Disclosing the last value renames ⊥: nothing is gained, and nothing lost.
#[test]
fn the_last_suppressed_value_is_a_candidate_like_any_other() {
    let outcome = cities().search(&requirement(&["city:2"]), Score::Tdr);
    let expected = [
        "city: * -> a, * | 0.3705, 10, [4]",
        "city: * -> b, * | 0.2813, 0, [4]",
        "city: * -> c, * | 0, 2, [2]",
        "city: * -> d, * | 0, 0, [2]",
    ];
    assert_eq!(trace(&outcome), expected);
    assert_eq!(outcome.recoding, [suppressed(&["a", "b", "c", "d"], None)]);
}

#[test]
fn missing_is_the_last_child_of_a_taxonomy() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("level", generalize("Any\n  Low\n    1\n    2\n  3\n"))
        .records(2, "1 Y")
        .records(2, "2 N")
        .records(4, "3 Y")
        .records(4, "? N");
    let outcome = sample.search(&requirement(&["level:2"]), Score::Tdr);
    let expected = ["level: Any -> Low, 3, missing | 0.6667, 8, [4]", "level: Low -> 1, 2 | 1, 2, [2]"];
    assert_eq!(trace(&outcome), expected);
    let cut = ["1", "2", "3"].map(str::to_owned);
    assert_eq!(cut_of(&outcome.recoding[0]), (&cut[..], Some(Missing::Published)));

    let masked = sample.search(&requirement(&["level:5"]), Score::Tdr);
    assert_eq!(cut_of(&masked.recoding[0]), (&["Any".to_owned()][..], Some(Missing::Masked)));
    assert_eq!(sample.recount(&requirement(&["level:5"]), &masked.recoding), [12]);
}

#[test]
fn missing_numbers_are_told_from_the_full_range_before_it_is_split() {
    let hours = |masking| {
        Sample::new(LabelKind::Classes)
            .attribute("hours", masking)
            .records(3, "10 Y")
            .records(3, "20 N")
            .records(2, "? N")
    };
    let outcome = hours(within(0.0, 24.0)).search(&requirement(&["hours:2"]), Score::Tds);
    let expected = ["hours: * -> [0-24], missing | 0.2044, 6, [2]", "hours: [0-24] -> [0-20), [20-24] | 1, 0, [2]"];
    assert_eq!(trace(&outcome), expected);
    let bounds = [0.0, 20.0, 24.0].map(Some);
    assert_eq!(outcome.recoding, [intervals(&bounds, Some(Missing::Published))]);

    let outcome = hours(undeclared()).search(&requirement(&["hours:2"]), Score::Tds);
    let expected = ["hours: * -> *, missing | 0.2044, 6, [2]", "hours: * -> <20, >=20 | 1, 0, [2]"];
    assert_eq!(trace(&outcome), expected);
    let bounds = [None, Some(20.0), None];
    assert_eq!(outcome.recoding, [intervals(&bounds, Some(Missing::Published))]);

    let masked = hours(undeclared()).search(&requirement(&["hours:3"]), Score::Tds);
    assert_eq!(masked.recoding, [intervals(&[None, None], Some(Missing::Masked))]);
}

#[test]
fn a_missing_value_is_disclosed_after_all_others() {
    let sample =
        Sample::new(LabelKind::Classes).attribute("city", Masking::Suppress).records(3, "? Y").records(3, "z N");
    let outcome = sample.search(&requirement(&["city:2"]), Score::Tdr);
    assert_eq!(trace(&outcome), ["city: * -> z, * | 1, 3, [3]"]);
    assert_eq!(outcome.recoding, [suppressed(&["z"], Some(Missing::Masked))]);

    let sample = sample.records(2, "y Y").records(2, "y N");
    let outcome = sample.search(&requirement(&["city:2"]), Score::Tdr);
    // Missing and `z` leave as good a rest behind, and so do missing and `y`: the named values come first.
    let expected = ["city: * -> z, * | 0.3958, 7, [3]", "city: * -> y, * | 0.2917, 0, [3]"];
    assert_eq!(trace(&outcome), expected);
}

#[test]
fn missing_targets_are_a_class() {
    let sample =
        Sample::new(LabelKind::Classes).attribute("city", Masking::Suppress).records(2, "a Y").records(2, "b ?");
    let outcome = sample.search(&requirement(&["city:2"]), Score::Tdr);
    assert_eq!(trace(&outcome), ["city: * -> a, * | 1, 2, [2]"]);
}

/// Variance of {1, 1, 1, 3, 3, 3} is 1, that of all nine known targets 18.
#[test]
fn regression_reduces_the_variance_of_known_targets() {
    let sample = Sample::new(LabelKind::Numbers)
        .attribute("age", within(0.0, 100.0))
        .records(3, "20 1")
        .records(2, "20 ?")
        .records(3, "30 3")
        .records(3, "40 11");
    let outcome = sample.search(&requirement(&["age:3"]), Score::Tdr);
    let expected = ["age: [0-100] -> [0-40), [40-100] | 18, 8, [3]", "age: [0-40) -> [0-30), [30-40) | 1, 0, [3]"];
    assert_eq!(trace(&outcome), expected);
}

#[test]
fn general_purpose_refines_most_records_first() {
    let sample = Sample::new(LabelKind::None)
        .attribute("level", generalize("Any\n  Low\n    1\n    2\n  High\n    3\n    4\n"))
        .attribute("age", undeclared())
        .records(2, "1 10 -")
        .records(2, "2 20 -")
        .records(3, "3 30 -")
        .records(3, "4 40 -");
    let outcome = sample.search(&requirement(&["level:2", "age:3"]), Score::Tdr);
    let expected = [
        "level: Any -> Low, High | 10, 6, [4, 10]",
        "age: * -> <30, >=30 | 10, 6, [4, 4]",
        "level: High -> 3, 4 | 6, 1, [3, 4]",
        "age: >=30 -> [30-40), >=40 | 6, 1, [3, 3]",
        "level: Low -> 1, 2 | 4, 1, [2, 3]",
    ];
    assert_eq!(trace(&outcome), expected);
    assert!(refinements(&outcome).iter().all(|step| step.score == step.gain));
}

#[test]
fn general_purpose_discloses_frequent_values_first() {
    let sample = Sample::new(LabelKind::None)
        .attribute("city", Masking::Suppress)
        .records(2, "a -")
        .records(5, "b -")
        .records(3, "c -");
    let outcome = sample.search(&requirement(&["city:2"]), Score::Tds);
    let expected = ["city: * -> b, * | 5, 5, [5]", "city: * -> c, * | 3, 3, [2]", "city: * -> a, * | 2, 0, [2]"];
    assert_eq!(trace(&outcome), expected);
}

#[test]
fn with_one_class_nothing_is_beneficial() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("sex", generalize("Any\n  M\n  F\n"))
        .attribute("age", undeclared())
        .attribute("city", Masking::Suppress)
        .records(5, "M 30 a Y")
        .records(5, "F 40 b Y");
    let outcome = sample.search(&requirement(&["sex,age,city:1"]), Score::Tdr);
    assert_eq!((outcome.steps.len(), outcome.stopped), (0, Stopped::Complete));
    assert!(outcome.recoding.iter().all(AttributeRecoding::is_top));
    assert_eq!(outcome.anonymity, [10]);
}

/// Refining a node costs nothing where all records go to one child; an interval with one value cannot be split.
#[test]
fn constant_columns() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("sex", generalize("Any\n  M\n  Other\n    F\n"))
        .attribute("age", within(0.0, 99.0))
        .attribute("city", Masking::Suppress)
        .records(3, "F 30 a Y")
        .records(3, "F 30 a N");
    let outcome = sample.search(&requirement(&["sex,age,city:6"]), Score::Tdr);
    let expected = ["sex: Any -> M, Other | 0, 0, [6]", "sex: Other -> F | 0, 0, [6]", "city: * -> a, * | 0, 0, [6]"];
    assert_eq!(trace(&outcome), expected);
    assert_eq!(cut_of(&outcome.recoding[0]).0, ["M", "F"]);
    assert_eq!(outcome.recoding[1], intervals(&[Some(0.0), Some(99.0)], None));
}

#[test]
fn a_column_without_any_number_stays_masked() {
    let sample = Sample::new(LabelKind::Classes).attribute("age", undeclared()).records(3, "? Y").records(3, "? N");
    let outcome = sample.search(&requirement(&["age:1"]), Score::Tdr);
    assert_eq!(outcome.steps, []);
    assert_eq!(outcome.recoding, [intervals(&[None, None], Some(Missing::Masked))]);
}

/// Both score 1: `sex` has gain 4 and loss 4, `city` gain 7 and loss 7.
#[test]
fn ties_go_to_the_higher_gain_first() {
    let sample = Sample::new(LabelKind::Numbers)
        .attribute("sex", generalize("Any\n  M\n  F\n"))
        .attribute("city", generalize("Any\n  a\n  b\n"))
        .records(1, "M a 8")
        .records(1, "M b 4")
        .records(2, "M b 0")
        .records(4, "F b -1");
    let outcome = sample.search(&requirement(&["sex:1", "city:1"]), Score::Tds);
    let expected = ["city: Any -> a, b | 7, 7, [8, 1]", "sex: Any -> M, F | 4, 4, [4, 1]"];
    assert_eq!(trace(&outcome), expected);
}

/// The names do not matter, nor the order of the QID.
#[test]
fn ties_go_to_the_attribute_that_comes_first() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("z", generalize("Any\n  0\n  1\n"))
        .attribute("a", generalize("Any\n  0\n  1\n"))
        .records(4, "0 0 Y")
        .records(4, "1 1 N");
    let outcome = sample.search(&requirement(&["a,z:4"]), Score::Tdr);
    let attributes: Vec<&str> = outcome.steps.iter().map(|step| step.attribute().unwrap()).collect();
    assert_eq!(attributes, ["z", "a"]);
}
