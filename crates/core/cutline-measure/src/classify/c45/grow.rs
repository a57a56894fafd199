//! Growing: which column splits, and where does a case go?

use rayon::prelude::*;

use super::candidate::{Candidate, Cases, Prepared};
use super::tree::{Node, Split, Test};
use crate::classify::Instances;
use crate::classify::tolerance::{first_largest, greater, last_largest, nothing};

/// A gain this little below the average still counts as average (C4.5 release 8).
const ALMOST: f64 = 1e-3;

/// A nominal column with at least this share of values a row says little about other rows (C4.5 release 8).
const MANY_VALUES: f64 = 0.3;

/// Below this many cases, handing columns to threads takes longer than looking at them.
const WORTH_THREADS: usize = 1000;

/// A tree is never deeper, so that recursion fits a thread's stack. Trees of real tables have some dozen levels.
const DEEPEST: usize = 500;

/// A row of a node, or the part of it that is there when the value a split asked for was missing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Case {
    pub(super) row: u32,
    pub(super) weight: f64,
}

pub(super) struct Learner<'a> {
    pub(super) rows: &'a Instances,
    columns: Vec<Prepared<'a>>,
    /// Columns whose gain goes into the average.
    averaged: Vec<bool>,
    class_count: usize,
    min_cases: f64,
}

impl<'a> Learner<'a> {
    pub(super) fn new(rows: &'a Instances, min_cases: f64) -> Self {
        let columns: Vec<Prepared<'a>> = rows
            .features
            .par_iter()
            .zip(&rows.columns)
            .map(|(feature, column)| Prepared::new(feature, column))
            .collect();
        // Columns with many values have high gains for no reason. They raise the average only if all are like that.
        let few = |column: &Prepared<'_>| match column {
            Prepared::Nominal { values, .. } => (*values as f64) < MANY_VALUES * rows.len() as f64,
            Prepared::Numeric { .. } => true,
        };
        let mut averaged: Vec<bool> = columns.iter().map(few).collect();
        if !averaged.contains(&true) {
            averaged.fill(true);
        }
        Self { rows, columns, averaged, class_count: rows.labels.names.len(), min_cases }
    }

    pub(super) fn all_cases(&self) -> Vec<Case> {
        (0..self.rows.len() as u32).map(|row| Case { row, weight: 1.0 }).collect()
    }

    /// The weight of every class.
    pub(super) fn count(&self, cases: &[Case]) -> Vec<f64> {
        let mut counts = vec![0.0; self.class_count];
        for case in cases {
            counts[self.rows.labels.codes[case.row as usize] as usize] += case.weight;
        }
        counts
    }

    /// The unpruned tree of cases that have come down some levels.
    pub(super) fn grow(&self, cases: &[Case], depth: usize) -> Node {
        let counts = self.count(cases);
        let test = if depth < DEEPEST { self.choose(cases, &counts) } else { None };
        let Some(test) = test else { return Node { counts, split: None } };
        let children = self.divide(&test, cases).iter().map(|part| self.grow(part, depth + 1)).collect();
        Node { counts, split: Some(Split { test, children }) }
    }

    /// The test with the highest gain ratio among those with at least average gain; of equal ones, the first.
    fn choose(&self, cases: &[Case], counts: &[f64]) -> Option<Test> {
        let total: f64 = counts.iter().sum();
        let pure = counts.is_empty() || nothing(total - counts[first_largest(counts)]);
        if pure || greater(2.0 * self.min_cases, total) {
            return None;
        }
        let candidates = self.candidates(cases, total);
        let average = self.average_gain(&candidates)?;
        let mut best: Option<(usize, Candidate)> = None;
        for (column, candidate) in candidates.into_iter().enumerate() {
            let Some(candidate) = candidate else { continue };
            let ratio = best.map_or(0.0, |(_, best)| best.ratio);
            if candidate.gain >= average - ALMOST && greater(candidate.ratio, ratio) {
                best = Some((column, candidate));
            }
        }
        let (column, candidate) = best?;
        Some(match candidate.middle {
            None => Test::Value { column },
            Some(middle) => Test::AtMost { column, threshold: self.columns[column].threshold(middle) },
        })
    }

    /// The split of every column.
    pub(super) fn candidates(&self, cases: &[Case], total: f64) -> Vec<Option<Candidate>> {
        let node = Cases {
            cases,
            classes: &self.rows.labels.codes,
            class_count: self.class_count,
            total,
            min_cases: self.min_cases,
        };
        if cases.len() < WORTH_THREADS {
            self.columns.iter().map(|column| column.candidate(&node)).collect()
        } else {
            self.columns.par_iter().map(|column| column.candidate(&node)).collect()
        }
    }

    /// The average over the possible splits; none if there is none. If only columns with many values can split, there is
    /// no average they could reach, in C4.5 as in J48.
    pub(super) fn average_gain(&self, candidates: &[Option<Candidate>]) -> Option<f64> {
        let averaged = candidates.iter().zip(&self.averaged).filter(|(_, averaged)| **averaged);
        let gains: Vec<f64> = averaged.filter_map(|(candidate, _)| candidate.map(|it| it.gain)).collect();
        (!gains.is_empty()).then(|| gains.iter().sum::<f64>() / gains.len() as f64)
    }

    /// The cases of every branch. A case without the value goes to all, in proportion to the cases that have one.
    pub(super) fn divide(&self, test: &Test, cases: &[Case]) -> Vec<Vec<Case>> {
        let mut parts: Vec<Vec<Case>> = vec![Vec::new(); test.branches(&self.rows.features)];
        let mut known = vec![0.0; parts.len()];
        let mut unknown = Vec::new();
        for &case in cases {
            match test.branch(&self.rows.columns, case.row as usize) {
                Some(branch) => {
                    known[branch] += case.weight;
                    parts[branch].push(case);
                }
                None => unknown.push(case),
            }
        }
        let total: f64 = known.iter().sum();
        let even = 1.0 / parts.len() as f64;
        for case in unknown {
            for (part, known) in parts.iter_mut().zip(&known) {
                let share = if nothing(total) { even } else { known / total };
                if greater(share, 0.0) {
                    part.push(Case { row: case.row, weight: case.weight * share });
                }
            }
        }
        parts
    }

    /// Counts the classes below a node anew, for the cases that reach it now.
    pub(super) fn recount(&self, node: &mut Node, cases: &[Case]) {
        node.counts = self.count(cases);
        if let Some(split) = &mut node.split {
            for (child, part) in split.children.iter_mut().zip(self.divide(&split.test, cases)) {
                self.recount(child, &part);
            }
        }
    }
}

/// The branch with the most cases; of equal ones, the last, as in J48.
pub(super) fn largest_branch(children: &[Node]) -> usize {
    last_largest(&children.iter().map(Node::weight).collect::<Vec<f64>>())
}
