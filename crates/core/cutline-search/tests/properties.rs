//! Top-down search against a naive implementation of its definition, on random small tables.

mod support;

use cutline_search::{Outcome, Problem, Refinement, SearchError, Stopped};
use cutline_table::LabelKind;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use support::cases::{Case, any_solvable_case, case, config, many_names};
use support::{naive, refinements};

fn close(ours: f64, naive: f64) -> bool {
    (ours - naive).abs() <= 1e-9 * naive.abs().max(1.0)
}

/// Are two steps the same, but for rounding?
fn same_step(ours: &Refinement, naive: &Refinement) -> bool {
    let Refinement { gain, loss, score, .. } = naive;
    let figures = Refinement { gain: *gain, loss: *loss, score: *score, ..ours.clone() };
    figures == *naive && close(ours.gain, *gain) && close(ours.loss, *loss) && close(ours.score, *score)
}

fn check_same(ours: &Outcome, naive: &Outcome) -> TestCaseResult {
    for (ours, naive) in refinements(ours).into_iter().zip(refinements(naive)) {
        prop_assert!(same_step(ours, naive), "ours:  {ours:?}\nnaive: {naive:?}");
    }
    prop_assert_eq!(ours.steps.len(), naive.steps.len());
    prop_assert_eq!(&ours.recoding, &naive.recoding);
    prop_assert_eq!(&ours.anonymity, &naive.anonymity);
    prop_assert_eq!(ours.stopped, Stopped::Complete);
    Ok(())
}

fn check_against_definition(case: &Case) -> TestCaseResult {
    let Case { sample, requirement, score } = case;
    if !case.is_solvable() {
        let table = sample.compress();
        let (records, k) = (sample.records.len() as u64, requirement.largest_k());
        prop_assert_eq!(Problem::new(&table, requirement).err(), Some(SearchError::TooFewRecords { records, k }));
        return Ok(());
    }
    check_same(&sample.search(requirement, *score), &naive::search(sample, requirement, *score))
}

/// Any step may be the last one that is published.
fn check_every_state(Case { sample, requirement, score }: &Case) -> TestCaseResult {
    let complete = sample.search(requirement, *score);
    for steps in 0..=complete.steps.len() {
        let stopped = sample.search_steps(requirement, *score, steps);
        prop_assert_eq!(&stopped.steps[..], &complete.steps[..steps]);
        let recount = sample.recount(requirement, &stopped.recoding);
        prop_assert_eq!(&stopped.anonymity, &recount);
        if let Some(step) = stopped.steps.last() {
            prop_assert_eq!(step.anonymity(), &recount[..]);
        }
        for (qid, anonymity) in requirement.qids().iter().zip(recount) {
            prop_assert!(anonymity >= qid.k, "{qid} has {anonymity} after {steps} steps");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn classification_follows_the_definition(case in case(LabelKind::Classes)) {
        check_against_definition(&case)?;
    }

    #[test]
    fn regression_follows_the_definition(case in case(LabelKind::Numbers)) {
        check_against_definition(&case)?;
    }

    #[test]
    fn general_purpose_follows_the_definition(case in case(LabelKind::None)) {
        check_against_definition(&case)?;
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn many_names_are_disclosed_by_the_definition(case in many_names()) {
        check_against_definition(&case)?;
    }

    #[test]
    fn every_state_satisfies_the_requirement(case in any_solvable_case()) {
        check_every_state(&case)?;
    }
}
