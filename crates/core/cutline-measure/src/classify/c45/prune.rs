//! Pruning: what of the tree is worth keeping? (C4.5, chapter 4)

use super::grow::{Case, Learner, largest_branch};
use super::tree::Node;
use crate::classify::normal;
use crate::classify::tolerance::{at_least, first_largest, nothing};

/// A smaller tree may have this many more errors (C4.5 release 8).
const SLACK: f64 = 0.1;

/// A subtree must have at least this many training errors fewer than a leaf, or it collapses (J48).
const FEWER: f64 = 1e-3;

impl Node {
    /// Replaces subtrees that do not classify the training rows better than a leaf would.
    pub(super) fn collapse(&mut self) {
        let as_leaf = training_errors(&self.counts);
        if self.split.is_some() && self.sum_over_leaves(&training_errors) >= as_leaf - FEWER {
            self.split = None;
        }
        for child in self.split.iter_mut().flat_map(|split| &mut split.children) {
            child.collapse();
        }
    }
}

pub(super) struct Pruner<'a> {
    learner: &'a Learner<'a>,
    bound: UpperBound,
    raise: bool,
}

impl<'a> Pruner<'a> {
    pub(super) fn new(learner: &'a Learner<'a>, confidence: f64, raise: bool) -> Self {
        Self { learner, bound: UpperBound::new(confidence), raise }
    }

    /// Prunes from the leaves up; `cases` are those that reach the node.
    pub(super) fn prune(&self, node: &mut Node, cases: &[Case]) {
        let Some(split) = &mut node.split else { return };
        for (child, part) in split.children.iter_mut().zip(self.learner.divide(&split.test, cases)) {
            self.prune(child, &part);
        }
        let largest = largest_branch(&split.children);
        let as_branch = if self.raise { self.errors_of_branch(&split.children[largest], cases) } else { f64::INFINITY };
        let as_leaf = self.bound.errors(&node.counts);
        let as_tree = node.sum_over_leaves(&|counts| self.bound.errors(counts));

        if at_least(as_tree + SLACK, as_leaf) && at_least(as_branch + SLACK, as_leaf) {
            node.split = None;
        } else if at_least(as_tree + SLACK, as_branch)
            && let Some(split) = &mut node.split
        {
            *node = split.children.swap_remove(largest);
            self.learner.recount(node, cases);
            self.prune(node, cases);
        }
    }

    /// Pessimistic errors if all cases went down this branch.
    fn errors_of_branch(&self, branch: &Node, cases: &[Case]) -> f64 {
        match &branch.split {
            None => self.bound.errors(&self.learner.count(cases)),
            Some(split) => {
                let parts = self.learner.divide(&split.test, cases);
                split.children.iter().zip(parts).map(|(child, part)| self.errors_of_branch(child, &part)).sum()
            }
        }
    }
}

/// Cases of the other classes than the most frequent one.
fn training_errors(counts: &[f64]) -> f64 {
    counts.iter().sum::<f64>() - counts.get(first_largest(counts)).unwrap_or(&0.0)
}

/// The upper bound of the errors of a leaf that made some on its training cases.
pub(super) struct UpperBound {
    confidence: f64,
    /// The normal deviate that is exceeded with this confidence.
    z: f64,
}

impl UpperBound {
    pub(super) fn new(confidence: f64) -> Self {
        Self { confidence, z: normal::quantile(1.0 - confidence) }
    }

    /// Training errors and what is added to them.
    fn errors(&self, counts: &[f64]) -> f64 {
        let (cases, errors) = (counts.iter().sum(), training_errors(counts));
        if nothing(cases) { 0.0 } else { errors + self.added(cases, errors) }
    }

    /// What is added to `errors` of `cases`.
    ///
    /// Without errors the binomial bound `U(0, N) = 1 - CF^(1/N)` is exact. Between none and one error it is interpolated.
    /// From there on, the normal approximation with continuity correction stands for the binomial one.
    pub(super) fn added(&self, cases: f64, errors: f64) -> f64 {
        if errors < 1.0 {
            let none = cases * (1.0 - self.confidence.powf(1.0 / cases));
            return if errors == 0.0 { none } else { none + errors * (self.added(cases, 1.0) - none) };
        }
        if errors + 0.5 >= cases {
            return (cases - errors).max(0.0);
        }
        let (z, share) = (self.z, (errors + 0.5) / cases);
        let spread = (share / cases - share * share / cases + z * z / (4.0 * cases * cases)).sqrt();
        let bound = (share + z * z / (2.0 * cases) + z * spread) / (1.0 + z * z / cases);
        bound * cases - errors
    }
}
