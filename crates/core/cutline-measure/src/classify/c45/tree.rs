//! What does the tree say about a row?

use std::fmt;
use std::sync::Arc;

use crate::classify::tolerance::{first_largest, nothing};
use crate::classify::{Column, Domain, Feature, Instances, MISSING, Model};

/// What a node asks.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Test {
    /// Which value? A branch for each.
    Value { column: usize },
    /// At most the threshold (first branch), or above (second)?
    AtMost { column: usize, threshold: f64 },
}

impl Test {
    pub(super) fn branches(&self, features: &[Feature]) -> usize {
        match self {
            Self::AtMost { .. } => 2,
            Self::Value { column } => match &features[*column].domain {
                Domain::Nominal(values) => values.len(),
                Domain::Numeric => unreachable!("numbers have a threshold"),
            },
        }
    }

    /// Where the row goes; none if its value is missing.
    pub(super) fn branch(&self, columns: &[Column], row: usize) -> Option<usize> {
        match (self, &columns[self.column()]) {
            (Self::Value { .. }, Column::Nominal(codes)) => (codes[row] != MISSING).then_some(codes[row] as usize),
            (Self::AtMost { threshold, .. }, Column::Numeric(values)) => {
                (!values[row].is_nan()).then_some(usize::from(values[row] > *threshold))
            }
            _ => unreachable!("the columns are those of the training table"),
        }
    }

    fn column(&self) -> usize {
        match self {
            Self::Value { column } | Self::AtMost { column, .. } => *column,
        }
    }

    /// The condition of a branch as text.
    fn condition(&self, features: &[Feature], branch: usize) -> String {
        let Feature { name, domain } = &features[self.column()];
        match (self, domain) {
            (Self::Value { .. }, Domain::Nominal(values)) => format!("{name} = {}", values[branch]),
            (Self::AtMost { threshold, .. }, _) => {
                format!("{name} {} {threshold}", if branch == 0 { "<=" } else { ">" })
            }
            _ => unreachable!("numbers have a threshold"),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    /// The weight of every class.
    pub(super) counts: Vec<f64>,
    pub(super) split: Option<Split>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Split {
    pub(super) test: Test,
    pub(super) children: Vec<Node>,
}

impl Node {
    pub(super) fn weight(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Adds up a figure of the leaves.
    pub(super) fn sum_over_leaves(&self, figure: &dyn Fn(&[f64]) -> f64) -> f64 {
        match &self.split {
            None => figure(&self.counts),
            Some(split) => split.children.iter().map(|child| child.sum_over_leaves(figure)).sum(),
        }
    }

    fn nodes(&self) -> usize {
        1 + self.split.iter().flat_map(|split| &split.children).map(Node::nodes).sum::<usize>()
    }

    /// A leaf no training case reached: it knows nothing, and its parent answers.
    fn is_empty(&self) -> bool {
        self.split.is_none() && nothing(self.weight())
    }

    fn add_own(&self, weight: f64, distribution: &mut [f64]) {
        let total = self.weight();
        for (sum, count) in distribution.iter_mut().zip(&self.counts) {
            *sum += weight * count / total;
        }
    }

    /// Adds the classes of the leaves a row reaches, in proportion to how much of it reaches them.
    fn add(&self, columns: &[Column], row: usize, weight: f64, distribution: &mut [f64]) {
        let Some(split) = &self.split else { return self.add_own(weight, distribution) };
        match split.test.branch(columns, row) {
            Some(branch) => match split.children.get(branch) {
                Some(child) if !child.is_empty() => child.add(columns, row, weight, distribution),
                _ => self.add_own(weight, distribution),
            },
            None => {
                let total: f64 = split.children.iter().map(Node::weight).sum();
                for child in split.children.iter().filter(|child| !child.is_empty()) {
                    child.add(columns, row, weight * child.weight() / total, distribution);
                }
            }
        }
    }
}

/// A decision tree learned by [`C45`](super::C45).
///
/// Shown as text, one line for every branch, as C4.5 and J48 do. Behind a leaf's class stand the weight of its training
/// cases and, if there are any, of those of other classes.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    features: Arc<[Feature]>,
    classes: Arc<[String]>,
    root: Node,
}

impl Tree {
    pub(super) fn new(rows: &Instances, root: Node) -> Self {
        Self { features: Arc::clone(&rows.features), classes: Arc::clone(&rows.labels.names), root }
    }

    /// How many leaves the tree has, those without training cases included.
    pub fn leaves(&self) -> usize {
        self.root.sum_over_leaves(&|_| 1.0) as usize
    }

    /// How many nodes the tree has, leaves included.
    pub fn size(&self) -> usize {
        self.root.nodes()
    }

    /// The column the root asks for; none if the tree is a leaf.
    pub fn root(&self) -> Option<&str> {
        self.root.split.as_ref().map(|split| self.features[split.test.column()].name.as_str())
    }

    fn write_leaf(&self, leaf: &Node, parent: &Node, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = if leaf.is_empty() { &parent.counts } else { &leaf.counts };
        let class = self.classes.get(first_largest(counts)).map_or("", String::as_str);
        let total = leaf.weight();
        let wrong = if leaf.is_empty() { 0.0 } else { total - leaf.counts[first_largest(counts)] };
        write!(f, ": {class} ({}", rounded(total))?;
        if wrong > 0.005 { writeln!(f, "/{})", rounded(wrong)) } else { writeln!(f, ")") }
    }

    fn write_branches(&self, node: &Node, depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(split) = &node.split else { return Ok(()) };
        for (branch, child) in split.children.iter().enumerate() {
            write!(f, "{}{}", "|   ".repeat(depth), split.test.condition(&self.features, branch))?;
            match child.split {
                None => self.write_leaf(child, node, f)?,
                Some(_) => {
                    writeln!(f)?;
                    self.write_branches(child, depth + 1, f)?;
                }
            }
        }
        Ok(())
    }
}

impl Model for Tree {
    fn distribution(&self, rows: &Instances, row: usize) -> Vec<f64> {
        let classes = self.classes.len();
        // A tree grown from nothing knows nothing.
        if self.root.is_empty() {
            return vec![1.0 / classes as f64; classes];
        }
        let mut distribution = vec![0.0; classes];
        self.root.add(&rows.columns, row, 1.0, &mut distribution);
        distribution
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.root.split {
            None => self.write_leaf(&self.root, &self.root, f),
            Some(_) => self.write_branches(&self.root, 0, f),
        }
    }
}

/// Two digits after the point at most, one at least.
fn rounded(weight: f64) -> String {
    format!("{:?}", (weight * 100.0).round() / 100.0)
}
