//! Searches under conditions and a budget, straight from their definitions: the naive searches, and a count of records wherever
//! the requirement is looked at.

use cutline_search::top_down::Score;
use cutline_search::{Outcome, Step};

use super::guarded::Guarded;
use super::naive::{Candidate, Naive, State, best};
use super::naive_bottom_up;

/// Top-down: without a budget, the best of all candidates that leave every group satisfying the requirement; with one, the best
/// candidate is performed if no more records must be suppressed than may be, and never looked at again otherwise.
pub(crate) fn top_down(guarded: &Guarded) -> Outcome {
    top_down_by(guarded, guarded.case.score)
}

/// The same, by another score.
fn top_down_by(guarded: &Guarded, score: Score) -> Outcome {
    let guard = guarded.guard();
    let naive = Naive::new(&guarded.case.sample, &guarded.case.requirement, score);
    let (state, steps) = descend(guarded, &naive);
    let labels = naive.masked(&state);
    let anonymity = guard.anonymity(&labels, &guard.publish(&labels));
    Outcome { anonymity, ..naive.outcome(&state, steps) }
}

/// The state that it ends in, and its steps.
pub(super) fn descend(guarded: &Guarded, naive: &Naive<'_>) -> (State, Vec<Step>) {
    let guard = guarded.guard();
    let mut state = naive.most_masked();
    let mut steps = Vec::new();
    let mut discarded: Vec<Candidate> = Vec::new();
    let mut open = candidates(guarded, naive, &state, &discarded);
    while let Some(mut chosen) = take_best(&mut open) {
        let labels = naive.masked(&chosen.after);
        let published = guard.publish(&labels);
        assert!(guarded.limit > 0 || published.suppressed() == 0, "only valid candidates are asked");
        if published.suppressed() > guarded.limit {
            discarded.push(chosen);
            continue;
        }
        chosen.anonymity = guard.anonymity(&labels, &published);
        steps.push(naive.step(steps.len() + 1, &chosen));
        state = chosen.after;
        open = candidates(guarded, naive, &state, &discarded);
    }
    (state, steps)
}

/// The candidates of a state, with losses in which groups smaller than k count as k.
fn candidates(guarded: &Guarded, naive: &Naive<'_>, state: &State, discarded: &[Candidate]) -> Vec<Candidate> {
    let guard = guarded.guard();
    let floored = |anonymity: &[u64]| -> Vec<u64> {
        anonymity.iter().zip(&guard.qids).map(|(&smallest, qid)| smallest.max(qid.k)).collect()
    };
    let before = floored(&naive.anonymity(state));
    let mut candidates = naive.candidates(state);
    candidates.retain(|candidate| !discarded.iter().any(|other| other.is(candidate)));
    if guarded.limit == 0 {
        candidates.retain(|candidate| guard.all_hold(&naive.masked(&candidate.after)));
    }
    for candidate in &mut candidates {
        candidate.loss = naive.loss(candidate.attribute, &before, &floored(&candidate.anonymity));
        candidate.score = naive.score(candidate.gain, candidate.loss);
    }
    candidates
}

fn take_best(open: &mut Vec<Candidate>) -> Option<Candidate> {
    let chosen = best(open.iter().cloned())?;
    open.retain(|candidate| !candidate.is(&chosen));
    Some(chosen)
}

/// Bottom-up: ends with the first state in which no more records must be suppressed than may be.
pub(crate) fn bottom_up(guarded: &Guarded) -> Outcome {
    let guard = guarded.guard();
    let holds = |labels: &[Vec<usize>]| guard.publish(labels).suppressed() <= guarded.limit;
    let mut outcome = naive_bottom_up::search_until(&guarded.case.sample, &guarded.case.requirement, None, holds);
    let labels = guarded.labels(&outcome.recoding);
    outcome.anonymity = guard.anonymity(&labels, &guard.publish(&labels));
    if let Some(Step::Generalization(last)) = outcome.steps.last_mut() {
        last.anonymity.clone_from(&outcome.anonymity);
    }
    outcome
}
