//! Search where the records are counted elsewhere, and only as finely as the search needs.
//!
//! Gains follow from counts by (attribute, value, label): a recoding is global. Groups are counted by [`View`]s. A search on a sample, with
//! the gains of the whole table, guesses how deep it will go; the exact search runs on the counts of the whole table at that frontier;
//! where it would refine what the frontier does not resolve, the table is counted again, deeper in whatever could still be refined and not
//! at all in what was found to be invalid. The result is the same recoding and the same trace as that of the search in memory.

use std::sync::atomic::{AtomicUsize, Ordering};

use cutline_table::{AttributeId, Codes, CompressedTable, Labels};

use super::candidates::{Best, Candidates, Settled};
use super::frontier::{Cells, Frontier, Further, View, parts_of};
use super::groups::{Groups, Watched};
use super::growth::Growth;
use super::judge::{Judge, ViewAudit, view_table};
use super::{End, State, TopDown};
use crate::gain::{Entropy, Gain, Records, Variance};
use crate::{Control, Outcome, Problem, Step};

/// Whoever counts records.
pub trait Tally {
    /// What can go wrong.
    type Error;

    /// Counts all records by each view: one answer for each, in their order.
    ///
    /// # Errors
    /// If they cannot be counted.
    fn tally(&mut self, views: &[View]) -> Result<Vec<Tallied>, Self::Error>;

    /// The same for views that are finer than the search needs them now. Nothing if they have more rows than there is room for.
    ///
    /// # Errors
    /// If they cannot be counted.
    fn tally_ahead(&mut self, views: &[View]) -> Result<Option<Vec<Tallied>>, Self::Error> {
        self.tally(views).map(Some)
    }

    /// How many rows may come back at once.
    fn room(&self) -> u64;
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
    /// The same problem on some records, with the same codes. Of several, the first goes deepest.
    pub samples: &'a [Problem<'a>],
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
        let mut counter = Counter { problem, tally, passes: 0 };
        let mut guessed = None;
        for sample in known.samples {
            let mut frontier = Frontier::new(problem);
            gains = self.guess(sample, gains, &mut frontier);
            guessed = counter.ahead(frontier, &gains)?;
            if guessed.is_some() {
                break;
            }
        }
        let mut counted = guessed.map_or_else(|| counter.needed(Frontier::new(problem), &gains), Ok)?;
        let told = AtomicUsize::new(0);
        let (mut rows, mut settled) = (0, Settled::new());
        loop {
            let Counted { mut frontier, cells, views, tallied } = counted;
            let of_views: Vec<usize> = tallied.iter().map(|tallied| tallied.weights.len()).collect();
            rows = rows.max(of_views.iter().sum());
            let progress = |step: &Step| {
                if told.fetch_max(step.number(), Ordering::Relaxed) < step.number() {
                    (control.progress)(step);
                }
            };
            let watched = Control { max_steps: control.max_steps, stop: control.stop, progress: &progress };
            let tables = audited_tables(problem, &views, &tallied);
            let problems: Vec<Problem<'_>> =
                views.iter().zip(&tables).map(|(view, table)| problem.of_view(view.qid, table)).collect();
            let candidates = Candidates::new(problem, self.score, G::WEIGHS_LOSS).without(settled);
            let mut state = State::<G>::begin(candidates, problem, gains, groups(&views, tallied));
            state.judge = judge(&views, &problems, &state);
            let (steps, end) = state.walk(&watched, |state, best| {
                frontier.resolves(best.attribute.0, &state.trees[best.attribute.0], best.target)
            });
            let best = match end {
                End::Stopped(stopped) => {
                    return Ok(Found { outcome: state.outcome(steps, stopped), passes: counter.passes, rows });
                }
                End::Unresolved(best) => (best.attribute, best.target),
            };
            frontier.settle(&state.trees, state.candidates.settled());
            let settled_cells = frontier.cells(problem, &state.gains);
            let growth = Growth::new((&cells, &settled_cells), &views, &of_views, problem.table().records);
            let further = state.next_steps(best, growth, counter.tally.room());
            settled = state.candidates.settled().clone();
            let State { trees, gains: of_state, .. } = state;
            gains = of_state;
            let mut ahead = None;
            if further.steps.len() > 1 || !further.whole.is_empty() {
                ahead = counter.ahead(frontier.reaching(problem, &gains, &trees, &further), &gains)?;
            }
            counted = match ahead {
                Some(counted) => counted,
                None => counter.needed(
                    frontier.reaching(problem, &gains, &trees, &Further { steps: vec![best], ..Further::default() }),
                    &gains,
                )?,
            };
        }
    }

    /// Goes as far as a search on some records does.
    fn guess<G: Gain>(&self, sample: &Problem<'_>, gains: Vec<G>, frontier: &mut Frontier) -> Vec<G> {
        let of_qid = |(index, qid)| Groups::new(sample.table(), index, qid);
        let groups = sample.qids().iter().enumerate().map(of_qid).collect();
        let candidates = Candidates::new(sample, self.score, G::WEIGHS_LOSS);
        let mut state = State::begin(candidates, sample, gains, groups);
        state.walk(&Control::unlimited(), |_, _| true);
        let State { trees, gains, .. } = state;
        frontier.reach(sample, &gains, &trees, &Further::default());
        gains
    }
}

/// The table at a frontier.
struct Counted {
    frontier: Frontier,
    cells: Cells,
    views: Vec<View>,
    tallied: Vec<Tallied>,
}

/// Counts, and says how often it did.
struct Counter<'c, T> {
    problem: &'c Problem<'c>,
    tally: &'c mut T,
    passes: usize,
}

impl<T: Tally> Counter<'_, T> {
    /// At a frontier that the search needs now, whatever it takes.
    fn needed<G: Gain>(&mut self, frontier: Frontier, gains: &[G]) -> Result<Counted, T::Error> {
        let cells = frontier.cells(self.problem, gains);
        let views = cells.views(self.problem);
        self.passes += 1;
        let tallied = self.tally.tally(&views)?;
        Ok(Counted { frontier, cells, views, tallied })
    }

    /// At one that it will probably need, if there is room for the rows.
    fn ahead<G: Gain>(&mut self, frontier: Frontier, gains: &[G]) -> Result<Option<Counted>, T::Error> {
        let cells = frontier.cells(self.problem, gains);
        let views = cells.views(self.problem);
        self.passes += 1;
        let tallied = self.tally.tally_ahead(&views)?;
        Ok(tallied.map(|tallied| Counted { frontier, cells, views, tallied }))
    }
}

fn groups(views: &[View], tallied: Vec<Tallied>) -> Vec<Groups> {
    let group = |(view, tallied): (&View, Tallied)| {
        let of = (view.qid, view.attributes.clone());
        Groups::of_rows(of, Watched::Some(view.watched.clone()), tallied.columns, tallied.weights)
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
    /// The best refinement, and those with the highest scores that could follow it, as long as there is room for the rows. If there is for
    /// all of them, whatever could follow those: every value of an attribute that may still be refined.
    fn next_steps(&self, best: (AttributeId, u32), mut growth: Growth<'_>, room: u64) -> Further {
        let anonymity = self.anonymity();
        let mut all: Vec<Best> = self.candidates.all(&anonymity).collect();
        all.sort_by(|one, other| other.score.total_cmp(&one.score));
        let others = all.iter().map(|other| (other.attribute, other.target)).filter(|other| *other != best);
        let fits = |(AttributeId(a), target): &(AttributeId, u32)| {
            growth.add(*a, parts_of(&self.trees[*a], *target) - 1);
            growth.rows() <= room as f64
        };
        let steps: Vec<(AttributeId, u32)> = [best].into_iter().chain(others).take_while(fits).collect();
        if steps.len() < all.len() {
            return Further { steps, whole: Vec::new() };
        }
        let mut refined: Vec<usize> = steps.iter().map(|(AttributeId(a), _)| *a).collect();
        refined.sort_unstable();
        refined.dedup();
        refined.sort_by_key(|&a| self.trees[a].values());
        let whole = |a: &usize| growth.fits(*a, self.trees[*a].values() as usize, room);
        Further { steps, whole: refined.into_iter().filter(whole).collect() }
    }
}
