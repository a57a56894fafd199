//! Outcomes against the definitions.

use cutline_search::bottom_up::{BottomUp, Pruning};
use cutline_search::refine::Refine;
use cutline_search::top_down::TopDown;
use cutline_search::{Generalization, Outcome, Refinement, Step};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::guarded::Guarded;
use super::{naive_guarded, naive_refine};

/// Top-down search does what its definition says, and what it finds can be published.
pub(crate) fn check_top_down(guarded: &Guarded) -> TestCaseResult {
    let outcome = guarded.search(&TopDown { score: guarded.case.score });
    check_published(guarded, &outcome)?;
    check_same(&outcome, &naive_guarded::top_down(guarded))
}

/// The same for our own search.
pub(crate) fn check_refine(guarded: &Guarded) -> TestCaseResult {
    let outcome = guarded.search(&Refine);
    check_published(guarded, &outcome)?;
    check_same(&outcome, &naive_refine::search(guarded))
}

/// The same for bottom-up search.
pub(crate) fn check_bottom_up(guarded: &Guarded) -> TestCaseResult {
    let naive = naive_guarded::bottom_up(guarded);
    for pruning in [Pruning::On, Pruning::Off] {
        let outcome = guarded.search(&BottomUp { pruning });
        check_published(guarded, &outcome)?;
        check_same(&outcome, &naive)?;
    }
    Ok(())
}

/// The outcome against a recount of the table that would be published.
pub(crate) fn check_published(guarded: &Guarded, outcome: &Outcome) -> TestCaseResult {
    let guard = guarded.guard();
    let labels = guarded.labels(&outcome.recoding);
    let published = guard.publish(&labels);
    prop_assert!(published.suppressed() <= guarded.limit, "{}", published.suppressed());
    prop_assert_eq!(&outcome.anonymity, &guard.anonymity(&labels, &published));
    match guard.recount(&labels, &published) {
        Ok(smallest) => prop_assert!(smallest.iter().zip(&outcome.anonymity).all(|(written, said)| written >= said)),
        Err(violated) => prop_assert!(false, "{violated}"),
    }
    Ok(())
}

/// Same steps, same recoding, same anonymity, but for rounding.
fn check_same(ours: &Outcome, naive: &Outcome) -> TestCaseResult {
    for (ours, naive) in ours.steps.iter().zip(&naive.steps) {
        prop_assert!(same_step(ours, naive), "ours:  {ours:?}\nnaive: {naive:?}");
    }
    prop_assert_eq!(ours.steps.len(), naive.steps.len(), "ours: {:?}\nnaive: {:?}", ours.steps, naive.steps);
    prop_assert_eq!(&ours.recoding, &naive.recoding);
    prop_assert_eq!(&ours.anonymity, &naive.anonymity);
    prop_assert_eq!(ours.stopped, naive.stopped);
    Ok(())
}

fn same_step(ours: &Step, naive: &Step) -> bool {
    match (ours, naive) {
        (Step::Refinement(ours), Step::Refinement(naive)) => same_refinement(ours, naive),
        (Step::Generalization(ours), Step::Generalization(naive)) => same_generalization(ours, naive),
        _ => false,
    }
}

fn same_refinement(ours: &Refinement, naive: &Refinement) -> bool {
    let Refinement { gain, loss, score, .. } = naive;
    let rounded = Refinement { gain: *gain, loss: *loss, score: *score, ..ours.clone() };
    rounded == *naive && close(ours.gain, *gain) && close(ours.loss, *loss) && close(ours.score, *score)
}

fn same_generalization(ours: &Generalization, naive: &Generalization) -> bool {
    let Generalization { loss, ip, .. } = naive;
    let rounded = Generalization { loss: *loss, ip: *ip, ..ours.clone() };
    let same_ip = match (ours.ip, naive.ip) {
        (Some(ours), Some(naive)) => close(ours, naive),
        (ours, naive) => ours == naive,
    };
    rounded == *naive && close(ours.loss, *loss) && same_ip
}

fn close(ours: f64, naive: f64) -> bool {
    (ours - naive).abs() <= 1e-9 * naive.abs().max(1.0)
}
