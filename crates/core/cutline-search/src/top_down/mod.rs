//! Top-down refinement (`tdr`, 2007) and top-down specialization (`tds`, 2005).
//!
//! Start from the most masked table. While some refinement is valid and beneficial, apply the one with the highest score.
//!
//! | file | answers |
//! | --- | --- |
//! | `groups` | Which records share a qid? (TIPS and QITS) |
//! | `split`, `disclose`, `counts` | How does a group fall into parts, and how small would further refinements make them? |
//! | `candidates`, `disclosures` | Which refinements are valid and beneficial, and which of them is best? |
//! | `judge` | Does the requirement hold where it is more than k? |
//! | `frontier`, `tally` | How finely must records be counted that are elsewhere? |

mod candidates;
mod counts;
mod disclose;
mod disclosures;
mod frontier;
mod groups;
mod growth;
mod judge;
mod split;
mod tally;

use cutline_model::recoding::Label;
use cutline_table::{AttributeId, Labels};
use rayon::prelude::*;

use crate::audit::Audit;
use crate::gain::{Entropy, Gain, Kinds, Records, Variance};
use crate::tree::Tree;
use crate::{Control, Outcome, Problem, Refinement, Search, Step, Stopped};
use candidates::{Best, Candidates};
use groups::Groups;
use judge::Judge;

pub use frontier::View;
pub use tally::{Found, Known, Tallied, Tally};

/// Top-down search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TopDown {
    /// How gain and loss make a score.
    pub score: Score,
}

/// How gain and loss make a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Score {
    /// `InfoGain / (AnonyLoss + 1)` (2007 paper, equation 1).
    #[default]
    Tdr,
    /// `InfoGain / AnonyLoss`, or `InfoGain` where AnonyLoss is 0 (2005 paper, §4).
    Tds,
}

impl Score {
    fn of(self, gain: f64, loss: f64) -> f64 {
        match self {
            Score::Tdr => gain / (loss + 1.0),
            Score::Tds if loss == 0.0 => gain,
            Score::Tds => gain / loss,
        }
    }
}

impl Search for TopDown {
    fn search(&self, problem: &Problem<'_>, control: &Control<'_>) -> Outcome {
        match problem.table().labels {
            Labels::None => State::<Records>::new(problem, self.score).run(control).0,
            Labels::Classes { .. } => State::<Entropy>::new(problem, self.score).run(control).0,
            Labels::Numbers { .. } => State::<Variance>::new(problem, self.score).run(control).0,
        }
    }
}

/// What `tdr` finds, and the trees with their cuts.
pub(crate) fn tdr<G: Gain>(problem: &Problem<'_>, control: &Control<'_>) -> (Outcome, Vec<Tree>) {
    State::<G>::new(problem, Score::Tdr).run(control)
}

/// A candidate refinement as a person would read it, for tests and traces.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateView {
    /// The attribute's name.
    pub attribute: String,
    /// What would be refined.
    pub refined: Label,
    /// Information gained.
    pub gain: f64,
    /// Anonymity lost.
    pub loss: f64,
    /// The score.
    pub score: f64,
}

impl TopDown {
    /// The candidates of the most masked state, in the order of the table.
    pub fn first_candidates(&self, problem: &Problem<'_>) -> Vec<CandidateView> {
        match problem.table().labels {
            Labels::None => State::<Records>::new(problem, self.score).view(),
            Labels::Classes { .. } => State::<Entropy>::new(problem, self.score).view(),
            Labels::Numbers { .. } => State::<Variance>::new(problem, self.score).view(),
        }
    }
}

/// A masked table on its way down, and what could be done next.
struct State<'a, G: Gain> {
    problem: &'a Problem<'a>,
    /// Label statistics of each attribute.
    gains: Vec<G>,
    /// How each attribute is masked (the papers' ∪Cut, ∪Sup and ∪Int).
    trees: Vec<Tree>,
    /// The labels of the records whose value is suppressed, for each attribute without a tree.
    suppressed: Vec<G::Stats>,
    /// The qid groups of each QID.
    groups: Vec<Groups>,
    /// Valid and beneficial refinements.
    candidates: Candidates,
    /// Where the requirement is more than k.
    judge: Judge<'a>,
}

/// Why a search does not go on.
enum End {
    Stopped(Stopped),
    /// Records were not counted finely enough for its next step.
    Unresolved(Best),
}

impl<'a, G: Gain> State<'a, G> {
    /// The most masked state.
    fn new(problem: &'a Problem<'a>, score: Score) -> Self {
        let qids = problem.qids().par_iter().enumerate();
        let groups = qids.map(|(index, qid)| Groups::new(problem.table(), index, qid)).collect();
        let mut state =
            State::begin(Candidates::new(problem, score, G::WEIGHS_LOSS), problem, G::count(problem.table()), groups);
        state.judge =
            Audit::refining(problem, state.trees.iter()).map_or(Judge::Counts, |audit| Judge::Whole(Box::new(audit)));
        state
    }

    /// The most masked state, on groups that were counted here or elsewhere. Nobody judges it yet.
    fn begin(candidates: Candidates, problem: &'a Problem<'a>, gains: Vec<G>, groups: Vec<Groups>) -> Self {
        let trees: Vec<Tree> = problem.starts().iter().map(|start| start.tree().clone()).collect();
        let suppressed = gains.iter().zip(&trees).map(|(gain, tree)| gain.stats(0..tree.values())).collect();
        let mut state = State { problem, gains, trees, suppressed, groups, candidates, judge: Judge::Counts };
        for (attribute, tree) in state.trees.iter().enumerate().filter(|(_, tree)| tree.is_suppressed()) {
            let kinds = Kinds::new(&state.gains[attribute], tree.values());
            let values = (0..tree.values()).filter(|&value| !tree.is_closed(value));
            state.candidates.add_values(AttributeId(attribute), kinds, values);
        }
        for attribute in 0..state.trees.len() {
            state.add_candidates(attribute, &[Tree::ROOT]);
        }
        for groups in &mut state.groups {
            groups.count_roots(&state.trees, &state.candidates);
        }
        for (attribute, start) in problem.starts().iter().enumerate() {
            start.forced().iter().for_each(|&target| state.part(AttributeId(attribute), target));
        }
        state.candidates.drop_invalid();
        state
    }

    fn run(mut self, control: &Control<'_>) -> (Outcome, Vec<Tree>) {
        let outcome = match self.walk(control, |_, _| true) {
            (steps, End::Stopped(stopped)) => self.outcome(steps, stopped),
            (steps, End::Unresolved(_)) => self.outcome(steps, Stopped::Complete),
        };
        (outcome, self.trees)
    }

    /// Algorithm 1 of the 2007 paper, as far as records are counted finely enough.
    fn walk(&mut self, control: &Control<'_>, resolves: impl Fn(&Self, &Best) -> bool) -> (Vec<Step>, End) {
        let mut steps = Vec::new();
        while let Some(best) = self.best() {
            if let Some(reason) = control.stopped(steps.len()) {
                return (steps, End::Stopped(reason));
            }
            if !self.passes(&best) {
                self.candidates.settle(best.attribute, best.target);
                continue;
            }
            if !resolves(self, &best) {
                return (steps, End::Unresolved(best));
            }
            let step = self.perform(&best, steps.len() + 1);
            (control.progress)(&step);
            steps.push(step);
        }
        (steps, End::Stopped(Stopped::Complete))
    }

    fn best(&mut self) -> Option<Best> {
        let anonymity = self.anonymity();
        self.candidates.best(&anonymity)
    }

    fn outcome(&self, steps: Vec<Step>, stopped: Stopped) -> Outcome {
        let attributes = &self.problem.table().attributes;
        let recoding = self.trees.iter().zip(attributes).map(|(tree, attribute)| tree.recoding(attribute)).collect();
        Outcome { recoding, regions: None, steps, stopped, anonymity: self.published_anonymity() }
    }

    /// Performs the best refinement and updates scores and validity (lines 5 and 6).
    fn perform(&mut self, best: &Best, step: usize) -> Step {
        let AttributeId(a) = best.attribute;
        let attribute = &self.problem.table().attributes[a];
        let (refined, into) = self.trees[a].labels(attribute, best.target);
        self.part(best.attribute, best.target);
        self.candidates.drop_invalid();
        self.judge.performed(a, &self.trees[a]);
        Step::Refinement(Refinement {
            step,
            attribute: attribute.name.clone(),
            refined,
            into,
            gain: best.gain,
            loss: best.loss,
            score: best.score,
            anonymity: self.published_anonymity(),
        })
    }

    /// Refines a node or discloses a value, and counts the groups that this makes.
    fn part(&mut self, attribute: AttributeId, target: u32) {
        let AttributeId(a) = attribute;
        if !self.trees[a].is_suppressed() {
            // A node that must be open may be no candidate, which would know its children.
            self.trees[a].grow(target, |codes| codes.start);
        }
        let parting = self.trees[a].refine(target);
        if let Some(value) = parting.disclosed {
            self.suppressed[a] = G::without(&self.suppressed[a], &self.gains[a].stats(value..value + 1));
        }
        self.candidates.discard(attribute, target);
        if parting.disclosed.is_none() && self.trees[a].codes(target).is_empty() {
            // No record is below it: it was no candidate, and no group changes.
            return;
        }
        self.add_candidates(a, &parting.children);
        for groups in self.groups.iter_mut().filter(|groups| groups.contains(attribute)) {
            groups.refine(attribute, &parting, &self.trees, &self.candidates);
        }
    }

    /// Does the requirement with its conditions hold after a refinement, when no more records are suppressed than may be? Asked of
    /// the best candidate only: one that is found invalid is taken out for good, and the next best is asked. For conditions that
    /// are union-closed, without suppression, the result is the same as if all candidates were asked all the time.
    fn passes(&mut self, best: &Best) -> bool {
        let AttributeId(a) = best.attribute;
        self.judge.passes(a, &self.trees[a], best.target)
    }

    /// A(QID) of each QID in the table that would be published.
    fn published_anonymity(&self) -> Vec<u64> {
        self.judge.anonymity(self.anonymity())
    }

    /// Makes candidates of the nodes that can be refined with a benefit; finds the split of new intervals.
    fn add_candidates(&mut self, attribute: usize, nodes: &[u32]) {
        let gain = &self.gains[attribute];
        let domain = &self.problem.table().attributes[attribute].domain;
        let id = AttributeId(attribute);
        if self.trees[attribute].is_suppressed() {
            return self.update_disclosures(attribute);
        }
        for &node in nodes {
            let tree = &mut self.trees[attribute];
            if tree.is_closed(node) {
                continue;
            }
            tree.grow(node, |codes| gain.split_of(domain, codes));
            let whole = gain.stats(tree.codes(node));
            // What must be open is counted like a candidate until it is, whether it gains or not.
            let wanted = G::beneficial(&whole) || self.problem.starts()[attribute].forced().contains(&node);
            if tree.children(node).is_empty() || !wanted {
                continue;
            }
            let parts: Vec<_> = tree.children(node).iter().map(|&child| gain.stats(tree.codes(child))).collect();
            self.candidates.add(id, node, tree.codes(node).start, gain.gain(&whole, &parts));
        }
    }

    /// Candidates `⊥ → {v, ⊥}` for all suppressed values: their gains change with every disclosure.
    fn update_disclosures(&mut self, attribute: usize) {
        let (gain, whole) = (&self.gains[attribute], &self.suppressed[attribute]);
        let id = AttributeId(attribute);
        match G::beneficial(whole) {
            true => self.candidates.set_gains(id, |value| gain.disclosure_gain(whole, value)),
            false => self.candidates.keep_values(id, self.problem.starts()[attribute].forced()),
        }
    }

    /// A(QID) of each QID. Those of which there are several views have the same in all of them.
    fn anonymity(&self) -> Vec<u64> {
        let smallest = |qid: usize| self.groups.iter().find(|groups| groups.qid() == qid).map_or(0, Groups::anonymity);
        (0..self.problem.qids().len()).map(smallest).collect()
    }

    fn view(&self) -> Vec<CandidateView> {
        let anonymity = self.anonymity();
        let view = |best: Best| {
            let attribute = &self.problem.table().attributes[best.attribute.0];
            let (refined, _) = self.trees[best.attribute.0].labels(attribute, best.target);
            CandidateView {
                attribute: attribute.name.clone(),
                refined,
                gain: best.gain,
                loss: best.loss,
                score: best.score,
            }
        };
        self.candidates.all(&anonymity).map(view).collect()
    }
}
