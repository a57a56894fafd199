//! Ties, odd columns, and how a bottom-up search is watched and stopped.

mod support;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use cutline_model::{AttributeRecoding, Bound, Masking};
use cutline_search::bottom_up::Pruning;
use cutline_search::{Control, Outcome, Step, Stopped};
use cutline_table::LabelKind;

use support::{Sample, generalizations, generalize, in_words, requirement, undeclared, within};

fn climb(sample: &Sample, qids: &[&str]) -> Outcome {
    sample.climb_steps(&requirement(qids), Pruning::On, None)
}

/// `attribute: generalized -> into` for each step.
fn trace(outcome: &Outcome) -> Vec<String> {
    let steps = generalizations(outcome).into_iter();
    steps.map(|step| format!("{}: {} -> {}", step.attribute, in_words(&step.generalized, ", "), step.into)).collect()
}

/// All three masking operations, with missing values.
fn sample() -> Sample {
    Sample::new(LabelKind::Classes)
        .attribute("sex", generalize("Any\n  M\n  F\n"))
        .attribute("age", undeclared())
        .attribute("city", Masking::Suppress)
        .records(6, "M 20 a Y")
        .records(3, "F 20 a N")
        .records(4, "M 30 b N")
        .records(5, "F ? a Y")
        .records(4, "F 40 c N")
        .records(1, "? 40 ? N")
}

const QIDS: [&str; 2] = ["sex,age:5", "age,city:7"];

/// Both have IP 2: `y` loses 4 and gains 2, `x` loses 2 and gains 1.
#[test]
fn ties_go_to_the_smaller_loss_first() {
    let sample = Sample::new(LabelKind::None)
        .attribute("y", generalize("Any\n  Q\n    c\n    d\n  w\n"))
        .attribute("x", generalize("Any\n  P\n    a\n    b\n  z\n"))
        .records(1, "c a -")
        .records(1, "c b -")
        .records(2, "d z -")
        .records(6, "w z -");
    let outcome = climb(&sample, &["y:4", "x:2"]);
    let figures: Vec<(f64, f64, Option<f64>)> =
        generalizations(&outcome).iter().map(|step| (step.loss, step.gain, step.ip)).collect();
    assert_eq!(trace(&outcome), ["x: a, b -> P", "y: c, d -> Q"]);
    assert_eq!(figures, [(2.0, 1.0, Some(2.0)), (4.0, 2.0, Some(2.0))]);
}

/// The names do not matter, nor the order of the QID.
#[test]
fn ties_go_to_the_attribute_that_comes_first() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("z", generalize("Any\n  0\n  1\n"))
        .attribute("a", generalize("Any\n  0\n  1\n"))
        .records(2, "0 0 Y")
        .records(2, "1 1 N");
    assert_eq!(trace(&climb(&sample, &["a,z:4"])), ["z: 0, 1 -> Any", "a: 0, 1 -> Any"]);
}

#[test]
fn ties_go_to_the_node_that_comes_first() {
    let levels = Sample::new(LabelKind::Classes)
        .attribute("level", generalize("Any\n  B\n    4\n    3\n  A\n    2\n    1\n"))
        .records(1, "1 Y")
        .records(1, "2 N")
        .records(1, "3 Y")
        .records(1, "4 N");
    assert_eq!(trace(&climb(&levels, &["level:2"])), ["level: 4, 3 -> B", "level: 2, 1 -> A"]);

    let ages = Sample::new(LabelKind::None)
        .attribute("age", undeclared())
        .records(1, "9 -")
        .records(1, "10 -")
        .records(1, "20 -")
        .records(1, "100 -")
        .records(2, "101 -");
    // Five bins: the last one waits for the other four.
    assert_eq!(trace(&climb(&ages, &["age:2"])), ["age: <10, [10-20) -> <20", "age: [20-100), [100-101) -> [20-101)"]);
    let whole = climb(&ages, &["age:5"]);
    assert_eq!(trace(&whole)[2..], ["age: <20, [20-101) -> <101", "age: <101, >=101 -> *"]);

    let cities = Sample::new(LabelKind::None)
        .attribute("city", Masking::Suppress)
        .records(1, "? -")
        .records(1, "b -")
        .records(1, "a9 -")
        .records(1, "a10 -")
        .records(1, "B -");
    let expected =
        ["city: B -> *", "city: a10, * -> *", "city: a9, * -> *", "city: b, * -> *", "city: missing, * -> *"];
    assert_eq!(trace(&climb(&cities, &["city:5"])), expected);
}

/// Nothing is done to a column that all records agree on, as long as another one helps.
#[test]
fn constant_columns() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("sex", generalize("Any\n  M\n  Other\n    F\n"))
        .attribute("age", within(0.0, 99.0))
        .attribute("city", Masking::Suppress)
        .attribute("level", generalize("All\n  1\n  2\n"))
        .records(3, "F 30 a 1 Y")
        .records(3, "F 30 a 2 N");
    let outcome = climb(&sample, &["sex,age,city,level:4"]);
    assert_eq!(trace(&outcome), ["level: 1, 2 -> All"]);
    let AttributeRecoding::Generalize { cut, .. } = &outcome.recoding[0] else { panic!("{:?}", outcome.recoding) };
    assert_eq!(cut, &["M", "F"]);
    let bounds = [0.0, 99.0].map(|bound| Bound(Some(bound))).to_vec();
    assert_eq!(outcome.recoding[1], AttributeRecoding::numbers(bounds, None));
    assert_eq!(outcome.recoding[2], AttributeRecoding::Suppress { disclosed: vec!["a".to_owned()], missing: None });
}

#[test]
fn a_column_without_any_number_stays_masked() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("age", undeclared())
        .attribute("sex", generalize("Any\n  M\n  F\n"))
        .records(3, "? M Y")
        .records(3, "? F N");
    let outcome = climb(&sample, &["age,sex:6"]);
    assert_eq!(trace(&outcome), ["sex: M, F -> Any"]);
    assert!(outcome.recoding[0].is_top());
}

#[test]
fn as_many_records_as_k_are_published_as_one_group() {
    for label in [LabelKind::Classes, LabelKind::None] {
        let outcome = climb(&Sample { label, ..sample() }, &["sex,age,city:23"]);
        assert_eq!((&outcome.anonymity[..], outcome.stopped), (&[23][..], Stopped::Complete));
        assert!(outcome.recoding.iter().all(AttributeRecoding::is_top), "{:?}", outcome.recoding);
        // One for sex; two for the numbers, one for missing; four for the values.
        assert_eq!(outcome.steps.len(), 1 + 3 + 4);
    }
}

#[test]
fn a_search_can_be_stopped_after_every_step() {
    let requirement = requirement(&QIDS);
    let complete = climb(&sample(), &QIDS);
    assert!(complete.steps.len() >= 4, "{:?}", trace(&complete));
    for steps in 0..complete.steps.len() {
        let outcome = sample().climb_steps(&requirement, Pruning::On, Some(steps));
        assert_eq!((outcome.stopped, &outcome.steps[..]), (Stopped::MaxSteps, &complete.steps[..steps]));
        assert_eq!(outcome.anonymity, sample().recount(&requirement, &outcome.recoding));
        let holds = requirement.qids().iter().zip(&outcome.anonymity).all(|(qid, &anonymity)| anonymity >= qid.k);
        assert!(!holds);
    }
}

#[test]
fn a_limit_that_is_not_needed_does_not_show() {
    let complete = climb(&sample(), &QIDS);
    assert_eq!(complete.stopped, Stopped::Complete);
    for steps in [complete.steps.len(), complete.steps.len() + 1, usize::MAX] {
        assert_eq!(sample().climb_steps(&requirement(&QIDS), Pruning::On, Some(steps)), complete);
    }
    let stop = Control { max_steps: Some(0), stop: &|| Some(Stopped::Interrupted), ..Control::unlimited() };
    let outcome = sample().climb_with(&requirement(&["sex,age,city:1"]), Pruning::On, &stop);
    assert_eq!((outcome.steps.len(), outcome.stopped), (0, Stopped::Complete));
}

#[test]
fn the_caller_can_stop_between_two_steps() {
    for (reason, limit) in [(Stopped::Interrupted, 2), (Stopped::TimeLimit, 0)] {
        let asked = AtomicUsize::new(0);
        let stop = || (asked.fetch_add(1, Ordering::Relaxed) >= limit).then_some(reason);
        let control = Control { stop: &stop, ..Control::unlimited() };
        let outcome = sample().climb_with(&requirement(&QIDS), Pruning::On, &control);
        assert_eq!((outcome.steps.len(), outcome.stopped), (limit, reason));
        let limited = sample().climb_steps(&requirement(&QIDS), Pruning::On, Some(limit));
        assert_eq!((outcome.recoding, outcome.anonymity), (limited.recoding, limited.anonymity));
    }
}

#[test]
fn progress_is_told_every_step() {
    let told = Mutex::new(Vec::new());
    let progress = |step: &Step| told.lock().unwrap().push(step.clone());
    let control = Control { progress: &progress, ..Control::unlimited() };
    let outcome = sample().climb_with(&requirement(&QIDS), Pruning::On, &control);
    let numbers: Vec<usize> = outcome.steps.iter().map(Step::number).collect();
    assert_eq!(numbers, (1..=outcome.steps.len()).collect::<Vec<_>>());
    assert_eq!(told.into_inner().unwrap(), outcome.steps);
}
