//! A binary regression tree with reduced-error pruning.
//!
//! Splits as in Breiman et al., *Classification and Regression Trees* (1984): two branches with the least sum of squared
//! deviations. Two branches, not one a value as in C4.5: with the values in the order of their mean target, the best of all
//! divisions into two is among the cuts of that order (Fisher 1958), and columns with many values are not preferred.
//!
//! Pruning as in Quinlan 1987, *Simplifying decision trees*: a third of the rows, drawn by a seed, is kept out of growing, and
//! a subtree stays only if it predicts them better than its mean does. Then means are taken over all rows.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::{RegressionModel, Regressor, mean};
use crate::classify::tolerance::between;
use crate::classify::{Column, Instances, MISSING, Values};

/// Below this many rows, handing columns to threads takes longer than looking at them.
const WORTH_THREADS: usize = 1000;

/// A tree is never deeper, so that recursion fits a thread's stack: a skewed target is peeled off leaf by leaf.
const DEEPEST: usize = 500;

/// The learner and its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegressionTree {
    /// The fewest rows of a leaf, of those that are grown from and whose value is known.
    pub min_leaf: usize,
    /// Decides which rows are kept for pruning.
    pub seed: u64,
}

impl Default for RegressionTree {
    fn default() -> Self {
        Self { min_leaf: 5, seed: 0 }
    }
}

/// What [`RegressionTree`] learned.
#[derive(Debug, Clone, PartialEq)]
pub struct RegressionTreeModel {
    root: Node,
}

impl RegressionTree {
    /// Learns from every row of the table.
    pub fn model(&self, rows: &Instances<Values>) -> RegressionTreeModel {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(self.seed));
        let (kept, grown) = order.split_at_mut(rows.len() / 3);
        kept.sort_unstable();
        grown.sort_unstable();
        let mut root = grow(rows, grown, self.min_leaf.max(1), 0);
        root.prune(rows, kept);
        root.refit(rows, &(0..rows.len()).collect::<Vec<usize>>());
        RegressionTreeModel { root }
    }
}

impl Regressor for RegressionTree {
    fn train(&self, rows: &Instances<Values>) -> Box<dyn RegressionModel> {
        Box::new(self.model(rows))
    }
}

impl RegressionTreeModel {
    /// How many leaves the tree has.
    pub fn leaves(&self) -> usize {
        self.root.leaves()
    }
}

impl RegressionModel for RegressionTreeModel {
    fn predict(&self, rows: &Instances<Values>, row: usize) -> f64 {
        let mut node = &self.root;
        while let Some(split) = &node.split {
            node = &split.children[usize::from(split.above(&rows.columns, row))];
        }
        node.mean
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Node {
    mean: f64,
    split: Option<Box<Split>>,
}

#[derive(Debug, Clone, PartialEq)]
struct Split {
    column: usize,
    test: Test,
    /// Where rows go whose value is missing or was not seen here: the branch with more rows.
    default_above: bool,
    children: [Node; 2],
}

#[derive(Debug, Clone, PartialEq)]
enum Test {
    /// Numbers above the threshold go to the second branch.
    Threshold(f64),
    /// For every code, its branch if training rows of the node had it.
    Codes(Vec<Option<bool>>),
}

impl Split {
    fn above(&self, columns: &[Column], row: usize) -> bool {
        let known = match (&self.test, &columns[self.column]) {
            (Test::Threshold(threshold), Column::Numeric(values)) => {
                (!values[row].is_nan()).then_some(values[row] > *threshold)
            }
            (Test::Codes(branches), Column::Nominal(codes)) => branches.get(codes[row] as usize).copied().flatten(),
            _ => unreachable!("the columns are those of the training table"),
        };
        known.unwrap_or(self.default_above)
    }

    fn divide(&self, columns: &[Column], rows: &[usize]) -> [Vec<usize>; 2] {
        let (above, below) = rows.iter().partition(|&&row| self.above(columns, row));
        [below, above]
    }
}

impl Node {
    fn leaves(&self) -> usize {
        self.split.as_ref().map_or(1, |split| split.children.iter().map(Node::leaves).sum())
    }

    /// Prunes from the leaves up and returns the squared errors on the rows kept for it.
    fn prune(&mut self, rows: &Instances<Values>, kept: &[usize]) -> f64 {
        let as_leaf: f64 = kept.iter().map(|&row| (rows.labels.0[row] - self.mean).powi(2)).sum();
        let Some(split) = &mut self.split else { return as_leaf };
        let parts = split.divide(&rows.columns, kept);
        let as_tree: f64 = split.children.iter_mut().zip(&parts).map(|(child, part)| child.prune(rows, part)).sum();
        if as_leaf <= as_tree {
            self.split = None;
        }
        as_leaf.min(as_tree)
    }

    /// Takes the means over these rows.
    fn refit(&mut self, rows: &Instances<Values>, all: &[usize]) {
        self.mean = mean(all.iter().map(|&row| rows.labels.0[row]));
        if let Some(split) = &mut self.split {
            let parts = split.divide(&rows.columns, all);
            split.children.iter_mut().zip(&parts).for_each(|(child, part)| child.refit(rows, part));
        }
    }
}

fn grow(rows: &Instances<Values>, grown: &[usize], min_leaf: usize, depth: usize) -> Node {
    let mean = mean(grown.iter().map(|&row| rows.labels.0[row]));
    let best = if depth < DEEPEST { best_split(rows, grown, min_leaf) } else { None };
    let Some(best) = best else { return Node { mean, split: None } };
    let leaf = || Node { mean, split: None };
    let mut split =
        Split { column: best.column, test: best.test, default_above: best.default_above, children: [leaf(), leaf()] };
    split.children = split.divide(&rows.columns, grown).map(|part| grow(rows, &part, min_leaf, depth + 1));
    Node { mean, split: Some(Box::new(split)) }
}

struct Candidate {
    column: usize,
    test: Test,
    default_above: bool,
    reduction: f64,
}

/// The split with the largest reduction of squared deviations; of equal ones, the first column's.
fn best_split(rows: &Instances<Values>, grown: &[usize], min_leaf: usize) -> Option<Candidate> {
    if grown.len() < 2 * min_leaf {
        return None;
    }
    let candidate = |column: usize| candidate(rows, grown, column, min_leaf);
    let candidates: Vec<Option<Candidate>> = if grown.len() < WORTH_THREADS {
        (0..rows.columns.len()).map(candidate).collect()
    } else {
        (0..rows.columns.len()).into_par_iter().map(candidate).collect()
    };
    candidates.into_iter().flatten().reduce(|best, next| if next.reduction > best.reduction { next } else { best })
}

/// Rows with the same value: how many, and the sum of their targets.
#[derive(Clone, Copy, Default)]
struct Group {
    rows: usize,
    sum: f64,
}

impl Group {
    fn and(self, other: Self) -> Self {
        Self { rows: self.rows + other.rows, sum: self.sum + other.sum }
    }

    /// What the mean explains of the sum of squares: `sum^2 / n`.
    fn explained(self) -> f64 {
        if self.rows > 0 { self.sum * self.sum / self.rows as f64 } else { 0.0 }
    }
}

fn candidate(rows: &Instances<Values>, grown: &[usize], column: usize, min_leaf: usize) -> Option<Candidate> {
    // Centred on the node's mean, or sums of squares of large targets would lose the small differences.
    let centre = mean(grown.iter().map(|&row| rows.labels.0[row]));
    let target = |row: usize| rows.labels.0[row] - centre;
    match &rows.columns[column] {
        Column::Numeric(values) => {
            let mut known: Vec<(f64, usize)> =
                grown.iter().filter(|&&row| !values[row].is_nan()).map(|&row| (values[row], row)).collect();
            known.sort_by(|one, other| one.0.total_cmp(&other.0));
            let mut groups: Vec<(f64, Group)> = Vec::new();
            for (value, row) in known {
                let one = Group { rows: 1, sum: target(row) };
                match groups.last_mut() {
                    Some((last, group)) if *last == value => *group = group.and(one),
                    _ => groups.push((value, one)),
                }
            }
            let cut = Cut::best(groups.iter().map(|&(_, group)| group), min_leaf)?;
            let threshold = between(groups[cut.below - 1].0, groups[cut.below].0);
            Some(cut.candidate(column, Test::Threshold(threshold)))
        }
        Column::Nominal(codes) => {
            let mut by_code: Vec<Group> = Vec::new();
            for &row in grown.iter().filter(|&&row| codes[row] != MISSING) {
                let code = codes[row] as usize;
                if by_code.len() <= code {
                    by_code.resize(code + 1, Group::default());
                }
                by_code[code] = by_code[code].and(Group { rows: 1, sum: target(row) });
            }
            let mut order: Vec<usize> = (0..by_code.len()).filter(|&code| by_code[code].rows > 0).collect();
            let mean_of = |code: usize| by_code[code].sum / by_code[code].rows as f64;
            order.sort_by(|&one, &other| mean_of(one).total_cmp(&mean_of(other)));
            let cut = Cut::best(order.iter().map(|&code| by_code[code]), min_leaf)?;
            let mut branches = vec![None; by_code.len()];
            for (position, &code) in order.iter().enumerate() {
                branches[code] = Some(position >= cut.below);
            }
            Some(cut.candidate(column, Test::Codes(branches)))
        }
    }
}

struct Cut {
    /// How many groups are below.
    below: usize,
    reduction: f64,
    default_above: bool,
}

impl Cut {
    /// The first cut between groups with the largest reduction, if there is one.
    fn best(groups: impl Iterator<Item = Group> + Clone, min_leaf: usize) -> Option<Self> {
        let all = groups.clone().fold(Group::default(), Group::and);
        let mut below = Group::default();
        let mut best: Option<Self> = None;
        for (index, group) in groups.enumerate() {
            below = below.and(group);
            let above = Group { rows: all.rows - below.rows, sum: all.sum - below.sum };
            if below.rows < min_leaf || above.rows < min_leaf {
                continue;
            }
            let reduction = below.explained() + above.explained() - all.explained();
            if reduction > best.as_ref().map_or(0.0, |best| best.reduction) {
                best = Some(Self { below: index + 1, reduction, default_above: above.rows > below.rows });
            }
        }
        best
    }

    fn candidate(self, column: usize, test: Test) -> Candidate {
        Candidate { column, test, default_above: self.default_above, reduction: self.reduction }
    }
}
