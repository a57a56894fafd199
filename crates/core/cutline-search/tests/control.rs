//! How a search is started, watched and stopped.

mod support;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use cutline_model::Masking;
use cutline_search::top_down::Score;
use cutline_search::{Control, Problem, SearchError, Stopped};
use cutline_table::LabelKind;

use support::{Sample, generalize, requirement, undeclared};

/// Four steps to the end.
fn sample() -> Sample {
    Sample::new(LabelKind::Classes)
        .attribute("sex", generalize("Any\n  M\n  F\n"))
        .attribute("age", undeclared())
        .attribute("city", Masking::Suppress)
        .records(6, "M 20 a Y")
        .records(3, "F 20 a N")
        .records(4, "M 30 b N")
        .records(5, "F 30 a Y")
        .records(4, "F 40 c N")
}

const QIDS: [&str; 2] = ["sex,age:3", "age,city:3"];

#[test]
fn every_number_of_steps_is_publishable() {
    let requirement = requirement(&QIDS);
    let complete = sample().search(&requirement, Score::Tdr);
    assert!(complete.steps.len() >= 4, "{:?}", complete.steps);
    for steps in 0..complete.steps.len() {
        let outcome = sample().search_steps(&requirement, Score::Tdr, steps);
        assert_eq!(outcome.stopped, Stopped::MaxSteps);
        assert_eq!(outcome.steps, complete.steps[..steps]);
        let recount = sample().recount(&requirement, &outcome.recoding);
        assert_eq!(outcome.anonymity, recount);
        assert!(recount.iter().all(|&anonymity| anonymity >= 3));
        if let Some(last) = outcome.steps.last() {
            assert_eq!(last.anonymity(), recount);
        }
    }
}

#[test]
fn a_limit_that_is_not_needed_does_not_show() {
    let requirement = requirement(&QIDS);
    let complete = sample().search(&requirement, Score::Tdr);
    for steps in [complete.steps.len(), complete.steps.len() + 1, usize::MAX] {
        assert_eq!(sample().search_steps(&requirement, Score::Tdr, steps), complete);
    }
}

#[test]
fn the_caller_can_stop_between_two_steps() {
    for reason in [Stopped::Interrupted, Stopped::TimeLimit] {
        let asked = AtomicUsize::new(0);
        let stop = || (asked.fetch_add(1, Ordering::Relaxed) >= 2).then_some(reason);
        let control = Control { stop: &stop, ..Control::unlimited() };
        let outcome = sample().search_with(&requirement(&QIDS), Score::Tdr, &control);
        assert_eq!((outcome.steps.len(), outcome.stopped), (2, reason));
        let limited = sample().search_steps(&requirement(&QIDS), Score::Tdr, 2);
        assert_eq!(outcome.recoding, limited.recoding);
    }
}

#[test]
fn a_search_that_is_stopped_at_once_publishes_the_most_masked_state() {
    let control = Control { stop: &|| Some(Stopped::Interrupted), ..Control::unlimited() };
    let outcome = sample().search_with(&requirement(&QIDS), Score::Tdr, &control);
    assert_eq!((outcome.steps.len(), outcome.anonymity), (0, vec![22, 22]));
    assert!(outcome.recoding.iter().all(|recoding| recoding.is_top()));
}

#[test]
fn progress_is_told_every_step() {
    let told = Mutex::new(Vec::new());
    let progress = |step: &cutline_search::Step| told.lock().unwrap().push(step.clone());
    let control = Control { progress: &progress, ..Control::unlimited() };
    let outcome = sample().search_with(&requirement(&QIDS), Score::Tdr, &control);
    let numbers: Vec<usize> = outcome.steps.iter().map(|step| step.number()).collect();
    assert_eq!(numbers, (1..=outcome.steps.len()).collect::<Vec<_>>());
    assert_eq!(told.into_inner().unwrap(), outcome.steps);
}

#[test]
fn fewer_records_than_k_cannot_be_published() {
    let table = sample().compress();
    let error = Problem::new(&table, &requirement(&["sex,age:3", "city:23"])).unwrap_err();
    assert_eq!(error, SearchError::TooFewRecords { records: 22, k: 23 });
}

#[test]
fn as_many_records_as_k_are_published_as_one_group() {
    let outcome = sample().search(&requirement(&["sex,age,city:22"]), Score::Tdr);
    assert_eq!((outcome.steps.len(), outcome.stopped), (0, Stopped::Complete));
    assert_eq!(outcome.anonymity, [22]);
}

#[test]
fn qids_of_unknown_attributes_are_refused() {
    let table = sample().compress();
    let error = Problem::new(&table, &requirement(&["sex,zip:3"])).unwrap_err();
    assert_eq!(error, SearchError::UnknownAttribute("zip".to_owned()));
}

#[test]
fn reasons_have_the_names_of_the_report() {
    let names = [
        (Stopped::Complete, "complete"),
        (Stopped::MaxSteps, "max-steps"),
        (Stopped::TimeLimit, "time-limit"),
        (Stopped::Interrupted, "interrupted"),
    ];
    for (reason, name) in names {
        assert_eq!(reason.to_string(), name);
        assert_eq!(serde_json::to_value(reason).unwrap(), name);
    }
}
