//! Search where the records are counted elsewhere, and only as finely as the search needs.
//!
//! Gains follow from counts by (attribute, value, label): a recoding is global. Groups are counted by [`View`]s. A search on a sample, with
//! the gains of the whole table, guesses how deep it will go; the exact search runs on the counts of the whole table at that frontier;
//! where it would refine what the frontier does not resolve, the table is counted again, one step deeper around the present cut. The result
//! is the same recoding and the same trace as that of the search in memory.

use std::sync::atomic::{AtomicUsize, Ordering};

use cutline_table::{AttributeId, Codes, CompressedTable, Labels};

use super::candidates::Best;
use super::frontier::{Frontier, View};
use super::groups::{Groups, Watched};
use super::judge::{Judge, ViewAudit, view_table};
use super::{End, State, TopDown};
use crate::gain::{Entropy, Gain, Records, Variance};
use crate::{Control, Outcome, Problem, Step};

/// After a guess, so many further refinements are resolved at once: each may double the rows, and saves a pass if it comes next.
const FEW: usize = 3;

/// Whoever counts records.
pub trait Tally {
    /// What can go wrong.
    type Error;

    /// Counts all records by each view: one answer for each, in their order.
    ///
    /// # Errors
    /// If they cannot be counted.
    fn tally(&mut self, views: &[View]) -> Result<Vec<Tallied>, Self::Error>;
}

/// The records of a view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tallied {
    /// For each attribute of the view, the cell of each row.
    pub columns: Vec<Codes>,
    /// For each sensitive attribute of the problem's table, the value of each row; none if there are no conditions.
    pub sensitive: Vec<Codes>,
    /// The records of each row.
    pub weights: Vec<u64>,
}

/// What is known of a table before groups are counted.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The problem. Of its table, the codes of attributes are not looked at.
    pub problem: &'a Problem<'a>,
    /// For each attribute, a table with it alone and the labels.
    pub marginals: &'a [CompressedTable],
    /// The same problem on some records, with the same codes and thresholds in proportion.
    pub sample: Option<&'a Problem<'a>>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The result.
    pub outcome: Outcome,
    /// How often the records were counted.
    pub passes: usize,
    /// The most rows that came back at once.
    pub rows: usize,
}

impl TopDown {
    /// Searches a table that is counted elsewhere.
    ///
    /// # Errors
    /// If it cannot be counted.
    pub fn search_counting<T: Tally>(
        &self,
        known: Known<'_>,
        tally: &mut T,
        control: &Control<'_>,
    ) -> Result<Found, T::Error> {
        match known.problem.table().labels {
            Labels::None => self.counting::<Records, T>(known, tally, control),
            Labels::Classes { .. } => self.counting::<Entropy, T>(known, tally, control),
            Labels::Numbers { .. } => self.counting::<Variance, T>(known, tally, control),
        }
    }

    fn counting<G: Gain, T: Tally>(
        &self,
        known: Known<'_>,
        tally: &mut T,
        control: &Control<'_>,
    ) -> Result<Found, T::Error> {
        let problem = known.problem;
        let mut gains: Vec<G> = known.marginals.iter().flat_map(G::count).collect();
        let mut frontier = Frontier::new(problem);
        if let Some(sample) = known.sample {
            gains = self.guess(sample, gains, &mut frontier);
        }
        let told = AtomicUsize::new(0);
        let (mut passes, mut rows) = (0, 0);
        loop {
            let views = frontier.views(problem, &gains);
            let tallied = tally.tally(&views)?;
            passes += 1;
            rows = rows.max(tallied.iter().map(|tallied| tallied.weights.len()).sum());
            let progress = |step: &Step| {
                if told.fetch_max(step.number(), Ordering::Relaxed) < step.number() {
                    (control.progress)(step);
                }
            };
            let watched = Control { max_steps: control.max_steps, stop: control.stop, progress: &progress };
            let tables = audited_tables(problem, &views, &tallied);
            let problems: Vec<Problem<'_>> =
                views.iter().zip(&tables).map(|(view, table)| problem.of_view(view.qid, table)).collect();
            let mut state = State::<G>::begin(problem, self.score, gains, groups(&views, tallied));
            state.judge = judge(&views, &problems, &state);
            let (steps, end) = state.walk(&watched, |state, best| {
                frontier.resolves(best.attribute.0, &state.trees[best.attribute.0], best.target)
            });
            let best = match end {
                End::Stopped(stopped) => {
                    return Ok(Found { outcome: state.outcome(steps, stopped), passes, rows });
                }
                End::Unresolved(best) => (best.attribute, best.target),
            };
            let further = state.next_steps(best, if known.sample.is_some() { FEW } else { usize::MAX });
            let State { trees, gains: counted, .. } = state;
            gains = counted;
            frontier.reach(problem, &gains, &trees, &further);
        }
    }

    /// Goes as far as a search on some records does.
    fn guess<G: Gain>(&self, sample: &Problem<'_>, gains: Vec<G>, frontier: &mut Frontier) -> Vec<G> {
        let of_qid = |(index, qid)| Groups::new(sample.table(), index, qid);
        let groups = sample.qids().iter().enumerate().map(of_qid).collect();
        let mut state = State::begin(sample, self.score, gains, groups);
        state.walk(&Control::unlimited(), |_, _| true);
        let State { trees, gains, .. } = state;
        frontier.reach(sample, &gains, &trees, &[]);
        gains
    }
}

fn groups(views: &[View], tallied: Vec<Tallied>) -> Vec<Groups> {
    let group = |(view, tallied): (&View, Tallied)| {
        let of = (view.qid, view.attributes.clone());
        Groups::of_rows(of, Watched::One(view.watched), tallied.columns, tallied.weights)
    };
    views.iter().zip(tallied).map(group).collect()
}

/// The views as tables, where there is more to ask of groups than how large they are.
fn audited_tables(problem: &Problem<'_>, views: &[View], tallied: &[Tallied]) -> Vec<CompressedTable> {
    match problem.needs_audit() {
        false => Vec::new(),
        true => views.iter().zip(tallied).map(|(view, tallied)| view_table(problem, view, tallied)).collect(),
    }
}

fn judge<'a, G: Gain>(views: &[View], problems: &'a [Problem<'a>], state: &State<'_, G>) -> Judge<'a> {
    let audits = views.iter().zip(problems).filter_map(|(view, problem)| ViewAudit::new(view, problem, &state.trees));
    let audits: Vec<ViewAudit<'a>> = audits.collect();
    if audits.is_empty() { Judge::Counts } else { Judge::Views(audits) }
}

impl<G: Gain> State<'_, G> {
    /// The best refinement, and those with the highest scores that could follow it; of an attribute without a tree only what is told next.
    fn next_steps(&self, best: (AttributeId, u32), most: usize) -> Vec<(AttributeId, u32)> {
        let anonymity = self.anonymity();
        let mut others: Vec<Best> =
            self.candidates.all(&anonymity).filter(|other| !self.trees[other.attribute.0].is_suppressed()).collect();
        others.sort_by(|one, other| other.score.total_cmp(&one.score));
        let others = others.into_iter().map(|other| (other.attribute, other.target)).filter(|other| *other != best);
        others.take(most).chain([best]).collect()
    }
}
