//! Bottom-up search against a naive implementation of its definition, on random small tables.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use cutline_model::{Qid, Requirement};
use cutline_search::bottom_up::Pruning;
use cutline_search::{Generalization, Outcome};
use cutline_table::LabelKind;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use support::cases::{Case, any_solvable_case, case, config, many_numbers};
use support::pools::{all_equal, all_have_the_same_bytes, on_all_pools};
use support::{generalizations, naive_bottom_up};

const BOTH: [Pruning; 2] = [Pruning::On, Pruning::Off];

fn close(ours: f64, naive: f64) -> bool {
    (ours - naive).abs() <= 1e-9 * naive.abs().max(1.0)
}

/// Are two steps the same, but for rounding?
fn same_step(ours: &Generalization, naive: &Generalization) -> bool {
    let Generalization { loss, ip, .. } = naive;
    let same_ip = match (ours.ip, naive.ip) {
        (Some(ours), Some(naive)) => close(ours, naive),
        (ours, naive) => ours == naive,
    };
    let figures = Generalization { loss: *loss, ip: *ip, ..ours.clone() };
    figures == *naive && close(ours.loss, *loss) && same_ip
}

fn check_same(ours: &Outcome, naive: &Outcome) -> TestCaseResult {
    for (ours, naive) in generalizations(ours).into_iter().zip(generalizations(naive)) {
        prop_assert!(same_step(ours, naive), "ours:  {ours:?}\nnaive: {naive:?}");
    }
    prop_assert_eq!(ours.steps.len(), naive.steps.len());
    prop_assert_eq!(&ours.recoding, &naive.recoding);
    prop_assert_eq!(&ours.anonymity, &naive.anonymity);
    prop_assert_eq!(ours.stopped, naive.stopped);
    Ok(())
}

/// Up to the end, or for so many steps.
fn check_against_definition(case: &Case, max_steps: Option<usize>) -> TestCaseResult {
    let Case { sample, requirement, .. } = case;
    let naive = naive_bottom_up::search(sample, requirement, max_steps);
    for pruning in BOTH {
        check_same(&sample.climb_steps(requirement, pruning, max_steps), &naive)?;
    }
    Ok(())
}

/// The requirement with larger thresholds: `part` of the records, in 256ths, for every other QID.
fn stricter(Case { sample, requirement, score }: &Case, part: u8) -> Case {
    let k = (sample.records.len() * (usize::from(part) + 1)).div_ceil(256) as u64;
    let raised =
        |(index, qid): (usize, &Qid)| Qid { k: if index % 2 == 0 { k.max(qid.k) } else { qid.k }, ..qid.clone() };
    let qids = requirement.qids().iter().enumerate().map(raised).collect();
    Case { sample: sample.clone(), requirement: Requirement::new(qids).unwrap(), score: *score }
}

fn solvable(label: LabelKind) -> impl Strategy<Value = Case> {
    case(label).prop_filter("records fewer than k", Case::is_solvable)
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn classification_follows_the_definition(case in solvable(LabelKind::Classes)) {
        check_against_definition(&case, None)?;
    }

    #[test]
    fn regression_follows_the_definition(case in solvable(LabelKind::Numbers)) {
        check_against_definition(&case, None)?;
    }

    #[test]
    fn general_purpose_follows_the_definition(case in solvable(LabelKind::None)) {
        check_against_definition(&case, None)?;
    }

    #[test]
    fn large_thresholds_follow_the_definition(case in any_solvable_case(), part: u8) {
        check_against_definition(&stricter(&case, part), None)?;
    }
}

/// Every state on the way is the one that the steps so far lead to, and its anonymity is what a recount gives.
fn check_every_state(case: &Case) -> TestCaseResult {
    let Case { sample, requirement, .. } = case;
    let complete = sample.climb_steps(requirement, Pruning::On, None);
    for steps in 0..=complete.steps.len() {
        let stopped = sample.climb_steps(requirement, Pruning::On, Some(steps));
        prop_assert_eq!(&stopped.steps[..], &complete.steps[..steps]);
        check_same(&stopped, &naive_bottom_up::search(sample, requirement, Some(steps)))?;
        let recount = sample.recount(requirement, &stopped.recoding);
        prop_assert_eq!(&stopped.anonymity, &recount);
        if let Some(step) = stopped.steps.last() {
            prop_assert_eq!(step.anonymity(), &recount[..]);
        }
        let holds = requirement.qids().iter().zip(&recount).all(|(qid, &anonymity)| anonymity >= qid.k);
        prop_assert_eq!(holds, steps == complete.steps.len());
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn every_state_is_what_a_recount_says(case in any_solvable_case(), part: u8) {
        check_every_state(&stricter(&case, part / 2))?;
    }

    /// More than 64 different numbers: the search starts from bins.
    #[test]
    fn bins_follow_the_definition(case in many_numbers()) {
        check_against_definition(&case, None)?;
    }

    #[test]
    fn outcomes_do_not_depend_on_threads(case in any_solvable_case(), part: u8) {
        let Case { sample, requirement, .. } = stricter(&case, part);
        let outcomes = on_all_pools(|| sample.climb_steps(&requirement, Pruning::On, None));
        prop_assert!(all_equal(&outcomes), "{:?}", outcomes);
        prop_assert!(all_have_the_same_bytes(&outcomes), "{:?}", outcomes);
    }
}
