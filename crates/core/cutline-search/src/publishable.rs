//! Is what a search found still within the budget when it is published?

use cutline_table::{Masked, Settled};

use crate::{Control, Outcome, Problem, Search};

/// Runs a search, and again with a smaller budget if what it found cannot be published.
///
/// A search counts the records that its recoding suppresses. A published recoding tells nothing of values that only suppressed
/// records have ([`Settled`]), and where there are conditions that can suppress more than may be. Where earlier releases tell of the records,
/// those who vanish must be enough to hide among, which a search of single groups does not foresee. Without a budget nothing is suppressed
/// and nothing is taken out, so a requirement that can be satisfied always is.
pub fn publishable(search: &dyn Search, problem: &Problem<'_>, control: &Control<'_>) -> Outcome {
    let mut tried = problem.clone();
    loop {
        let outcome = search.search(&tried, control);
        let Some(suppressed) = excess(problem, &tried, &outcome) else { return outcome };
        // After earlier releases more may vanish than a search meant, so the budget itself must get smaller for this to end.
        let half = suppressed.min(tried.limit()) / 2;
        tried = tried.suppressing(half, problem.how());
    }
}

/// How many records a search meant to suppress, if publishing what it found would suppress more than the problem allows.
fn excess(problem: &Problem<'_>, tried: &Problem<'_>, outcome: &Outcome) -> Option<u64> {
    let parted = problem.qids().iter().any(|qid| qid.histories.is_some());
    // Without conditions a group that others join stays large enough.
    if tried.limit() == 0 || !problem.is_conditional() && !parted {
        return None;
    }
    let (table, qids, how) = (problem.table(), problem.qids(), problem.how());
    // A recoding of this very table has a label for each of its values.
    let meant = Masked::of(table, &outcome.recoding, outcome.regions.as_ref()).ok()?.suppress_with(qids, how).records;
    let settled =
        Settled::new(table, outcome.recoding.clone(), outcome.regions.clone(), qids, how).ok()?.suppressed.records;
    // What was stopped before the requirement held is no better with a smaller budget.
    let foreseen = meant <= tried.limit() || parted;
    (foreseen && settled > problem.limit()).then_some(meant)
}
