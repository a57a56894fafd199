//! Bottom-up search straight from its definition (design, section 4.2), without anything that makes it fast.
//!
//! Every generalization of every step is tried on all records: the generalized state is built, all records are grouped again for
//! every QID, and the loss is computed from the targets of the records. Nothing is pruned, and nothing is shared with the search
//! under test but the result's types.

mod tree;

use std::collections::BTreeMap;

use cutline_model::Requirement;
use cutline_model::recoding::Label;
use cutline_search::{Generalization, Outcome, Step, Stopped};
use cutline_table::LabelKind;

use super::naive::worth::Worth;
use super::{Cell, Sample};
use tree::{Cut, Move, Tree};

/// Searches until the requirement holds, or for so many steps.
pub(crate) fn search(sample: &Sample, requirement: &Requirement, max_steps: Option<usize>) -> Outcome {
    let naive = Naive::new(sample, requirement);
    search_until(sample, requirement, max_steps, |masked| naive.shortfall(&naive.smallest_groups(masked)) == 0)
}

/// Searches until the masked table is good enough: for each attribute and record, the node that it is masked to.
pub(crate) fn search_until(
    sample: &Sample,
    requirement: &Requirement,
    max_steps: Option<usize>,
    holds: impl Fn(&[Vec<usize>]) -> bool,
) -> Outcome {
    let naive = Naive::new(sample, requirement);
    let mut state: State = naive.trees.iter().map(Tree::start).collect();
    let mut steps = Vec::new();
    let mut stopped = Stopped::Complete;
    while !holds(&naive.masked(&state)) {
        if max_steps == Some(steps.len()) {
            stopped = Stopped::MaxSteps;
            break;
        }
        let best = naive.candidates(&state).into_iter().reduce(better).expect("the most masked state satisfies it");
        steps.push(naive.step(steps.len() + 1, &best));
        state = best.after;
    }
    Outcome {
        recoding: naive.trees.iter().zip(&state).map(|(tree, cut)| tree.recoding(cut)).collect(),
        regions: None,
        steps,
        stopped,
        anonymity: naive.anonymity(&state),
    }
}

/// A cut for each attribute.
type State = Vec<Cut>;

/// A generalization that is possible, and what it does.
struct Candidate {
    attribute: usize,
    generalized: Vec<Label>,
    into: Label,
    /// I(G).
    loss: f64,
    /// P(G).
    gain: u64,
    /// IP(G); `None` is infinite.
    ip: Option<f64>,
    /// The state that it leads to.
    after: State,
    anonymity: Vec<u64>,
}

struct Naive<'a> {
    trees: Vec<Tree<'a>>,
    targets: Vec<&'a Cell>,
    label: LabelKind,
    /// Attributes and threshold of each QID.
    qids: Vec<(Vec<usize>, u64)>,
}

impl<'a> Naive<'a> {
    fn new(sample: &'a Sample, requirement: &Requirement) -> Self {
        let attributes = 0..sample.attributes.len();
        let positions = |names: &[String]| {
            attributes.clone().filter(|&attribute| names.contains(&sample.attributes[attribute].0)).collect()
        };
        Naive {
            trees: attributes.clone().map(|attribute| Tree::new(sample, attribute)).collect(),
            targets: sample.records.iter().map(|record| &record.target).collect(),
            label: sample.label,
            qids: requirement.qids().iter().map(|qid| (positions(&qid.attributes), qid.k)).collect(),
        }
    }

    /// All possible generalizations, in the order that decides ties.
    fn candidates(&self, state: &State) -> Vec<Candidate> {
        let before = self.shortfall(&self.anonymity(state));
        let mut candidates = Vec::new();
        for (attribute, tree) in self.trees.iter().enumerate() {
            for possible in tree.moves(&state[attribute]) {
                let mut after = state.clone();
                after[attribute] = possible.after.clone();
                let anonymity = self.anonymity(&after);
                let loss = self.loss(&possible);
                let gain = before - self.shortfall(&anonymity);
                candidates.push(Candidate {
                    attribute,
                    generalized: possible.generalized,
                    into: possible.into,
                    loss,
                    gain,
                    ip: (gain > 0).then(|| loss / gain as f64),
                    after,
                    anonymity,
                });
            }
        }
        candidates
    }

    /// I(G): the impurity of all records that get the new label, less what they have now.
    fn loss(&self, possible: &Move) -> f64 {
        if self.label == LabelKind::None {
            return possible.masked as f64;
        }
        let targets = |records: &Vec<usize>| -> Vec<&Cell> {
            let targets = records.iter().map(|&record| self.targets[record]);
            // A number that is not known has no part in a variance; an unknown class is a class.
            targets.filter(|target| self.label == LabelKind::Classes || target.is_some()).collect()
        };
        let parts: Vec<Vec<&Cell>> = possible.parts.iter().map(targets).collect();
        let whole = parts.concat();
        if whole.is_empty() { 0.0 } else { Worth::of(self.label).gain(&whole, &parts) }
    }

    /// The sum of max(0, k − A) over the QIDs.
    fn shortfall(&self, anonymity: &[u64]) -> u64 {
        self.qids.iter().zip(anonymity).map(|((_, k), anonymity)| k.saturating_sub(*anonymity)).sum()
    }

    fn masked(&self, state: &State) -> Vec<Vec<usize>> {
        self.trees.iter().zip(state).map(|(tree, cut)| tree.masked(cut)).collect()
    }

    /// A(QID) of each QID.
    fn anonymity(&self, state: &State) -> Vec<u64> {
        self.smallest_groups(&self.masked(state))
    }

    fn smallest_groups(&self, masked: &[Vec<usize>]) -> Vec<u64> {
        let smallest = |(attributes, _): &(Vec<usize>, u64)| {
            let mut groups: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
            let vid = |record: usize| attributes.iter().map(|&attribute| masked[attribute][record]).collect();
            for vid in (0..self.targets.len()).map(vid) {
                *groups.entry(vid).or_default() += 1;
            }
            groups.into_values().min().unwrap_or(0)
        };
        self.qids.iter().map(smallest).collect()
    }

    fn step(&self, step: usize, best: &Candidate) -> Step {
        Step::Generalization(Generalization {
            step,
            attribute: self.trees[best.attribute].name.to_owned(),
            generalized: best.generalized.clone(),
            into: best.into.clone(),
            loss: best.loss,
            gain: best.gain as f64,
            ip: best.ip,
            anonymity: best.anonymity.clone(),
        })
    }
}

/// The least IP; then the least I; then the one that comes first.
fn better(best: Candidate, next: Candidate) -> Candidate {
    let next_wins = match (best.ip, next.ip) {
        (None, Some(_)) => true,
        (Some(_), None) => false,
        (Some(lowest), Some(ip)) if !tied(lowest, ip) => ip < lowest,
        _ => !tied(best.loss, next.loss) && next.loss < best.loss,
    };
    if next_wins { next } else { best }
}

/// Do two figures differ by less than one part in 10^12?
fn tied(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() < 1e-12 * a.abs().max(b.abs())
}
