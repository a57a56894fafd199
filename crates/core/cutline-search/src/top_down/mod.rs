//! Top-down refinement (`tdr`, 2007) and top-down specialization (`tds`, 2005).
//!
//! Start from the most masked table. While some refinement is valid and beneficial, apply the one with the highest score.
//!
//! | file | answers |
//! | --- | --- |
//! | `groups` | Which records share a qid? (TIPS and QITS) |
//! | `split`, `counts` | How does a group fall into parts, and how small would further refinements make them? |
//! | `candidates` | Which refinements are valid and beneficial, and which of them is best? |

mod candidates;
mod counts;
mod groups;
mod split;

use cutline_model::recoding::Label;
use cutline_table::{AttributeId, Labels};
use rayon::prelude::*;

use crate::audit::Audit;
use crate::gain::{Entropy, Gain, Kinds, Records, Variance};
use crate::tree::Tree;
use crate::{Control, Outcome, Problem, Refinement, Search, Step, Stopped};
use candidates::{Best, Candidates};
use groups::Groups;

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
            Labels::None => State::<Records>::new(problem, self.score).run(control),
            Labels::Classes { .. } => State::<Entropy>::new(problem, self.score).run(control),
            Labels::Numbers { .. } => State::<Variance>::new(problem, self.score).run(control),
        }
    }
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
    /// Its values by what they gain; none for attributes with a tree.
    kinds: Vec<Kinds>,
    /// The qid groups of each QID.
    groups: Vec<Groups>,
    /// Valid and beneficial refinements.
    candidates: Candidates,
    /// Where the requirement is more than k.
    audit: Option<Audit<'a>>,
}

impl<'a, G: Gain> State<'a, G> {
    /// The most masked state.
    fn new(problem: &'a Problem<'a>, score: Score) -> Self {
        let gains = G::count(problem.table());
        let trees: Vec<Tree> = problem.starts().iter().map(|start| start.tree().clone()).collect();
        let groups: Vec<Groups> = problem
            .qids()
            .par_iter()
            .enumerate()
            .map(|(index, qid)| Groups::new(problem.table(), index, qid))
            .collect();
        let candidates = Candidates::new(problem, score, G::WEIGHS_LOSS);
        let suppressed = gains.iter().zip(&trees).map(|(gain, tree)| gain.stats(0..tree.values())).collect();
        let kinds = gains.iter().zip(&trees).map(|(gain, tree)| match tree.is_suppressed() {
            true => Kinds::new(gain, tree.values()),
            false => Kinds::default(),
        });
        let kinds = kinds.collect();
        let mut state = State { problem, gains, trees, suppressed, kinds, groups, candidates, audit: None };
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
        state.audit = Audit::refining(problem, state.trees.iter());
        state
    }

    /// Algorithm 1 of the 2007 paper.
    fn run(mut self, control: &Control<'_>) -> Outcome {
        let mut steps = Vec::new();
        let mut stopped = Stopped::Complete;
        while let Some(best) = self.candidates.best(&self.anonymity()) {
            if let Some(reason) = control.stopped(steps.len()) {
                stopped = reason;
                break;
            }
            if !self.passes(&best) {
                self.candidates.discard(best.attribute, best.target);
                continue;
            }
            let step = self.perform(&best, steps.len() + 1);
            (control.progress)(&step);
            steps.push(step);
        }
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
        let Some(audit) = &mut self.audit else { return true };
        audit.try_refine(a, self.trees[a].labelling(Some(best.target)))
    }

    /// A(QID) of each QID in the table that would be published.
    fn published_anonymity(&self) -> Vec<u64> {
        self.audit.as_ref().map_or_else(|| self.anonymity(), |audit| audit.standing().anonymity.clone())
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

    /// Candidates `⊥ → {v, ⊥}` for all suppressed values; their gains change with every disclosure.
    fn update_disclosures(&mut self, attribute: usize) {
        let (tree, gain, whole) = (&self.trees[attribute], &self.gains[attribute], &self.suppressed[attribute]);
        let id = AttributeId(attribute);
        let beneficial = G::beneficial(whole);
        let suppressed: Vec<u32> = (0..tree.values())
            .filter(|&value| !tree.is_closed(value) && self.candidates.may_disclose(id, value))
            .collect();
        if !beneficial {
            for value in suppressed {
                match self.problem.starts()[attribute].forced().contains(&value) {
                    true => self.candidates.add_or_update(id, value, 0.0),
                    false => self.candidates.discard(id, value),
                }
            }
            return;
        }
        let kinds = &self.kinds[attribute];
        // A value of each kind that still has some.
        let mut examples = vec![None; kinds.len()];
        suppressed.iter().for_each(|&value| examples[kinds[value] as usize] = Some(value));
        let gain_of = |&value: &Option<u32>| value.map_or(0.0, |value| gain.disclosure_gain(whole, value));
        let gains: Vec<f64> = examples.par_iter().with_min_len(1 << 10).map(gain_of).collect();
        for value in suppressed {
            self.candidates.add_or_update(id, value, gains[kinds[value] as usize]);
        }
    }

    fn anonymity(&self) -> Vec<u64> {
        self.groups.iter().map(Groups::anonymity).collect()
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
