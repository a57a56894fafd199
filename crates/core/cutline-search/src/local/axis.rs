//! Into what can the values of one attribute be told apart?

use std::ops::Range;

use cutline_model::recoding::By;
use cutline_model::{Bound, Masking};
use cutline_table::Attribute;

use crate::bins::equal_frequency;
use crate::refine::MOST_BINS;
use crate::tree::{Node, interval_root, taxonomy_nodes};

/// An attribute as groups are refined by it.
#[derive(Debug)]
pub(super) struct Axis<'a> {
    pub(super) attribute: &'a Attribute,
    pub(super) shape: Shape,
}

#[derive(Debug)]
pub(super) enum Shape {
    /// Nodes that are refined into their children: a taxonomy, or intervals that all groups have in common.
    Tree(Vec<Branch>),
    /// Runs of codes between which each group may split.
    Bins {
        /// The bin of each code.
        of: Vec<u32>,
        /// The code that begins each bin.
        starts: Vec<u32>,
    },
    /// Values that are told one by one.
    Values,
}

/// A node of a tree.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) codes: Range<u32>,
    pub(super) children: Vec<u32>,
    /// For each of its codes, the place of the child that has it.
    child_of: Vec<u32>,
}

/// What a group knows of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Spot {
    /// A node of the tree.
    Node(u32),
    /// Some of the bins.
    Bins(Range<u32>),
    /// Numbers and missing values.
    Anything,
    /// All values but so many.
    Others(u32),
    /// One value.
    Told,
}

/// How a group is told apart by an attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Move {
    /// At a node of the tree, which may be below that of the group if no record is elsewhere: into its children.
    Refine(u32),
    /// Before a bin.
    Split(u32),
    /// Missing values from others.
    Missing,
    /// One value from others.
    Tell(u32),
}

/// One split of several.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Turn {
    pub(super) by: By,
    /// How many parts there are.
    pub(super) parts: usize,
    /// The place of the one that is split further.
    pub(super) further: usize,
}

impl<'a> Axis<'a> {
    /// An attribute of which each group chooses its own split points.
    pub(super) fn free(attribute: &'a Attribute, weights: &[u64]) -> Self {
        let shape = match &attribute.masking {
            Masking::Suppress => Shape::Values,
            Masking::Generalize(taxonomy) => Shape::tree(taxonomy_nodes(taxonomy, &attribute.domain)),
            Masking::Discretize { .. } => {
                let bins = equal_frequency(attribute, weights, MOST_BINS);
                Shape::Bins { of: bin_of(&bins), starts: bins.iter().map(|codes| codes.start).collect() }
            }
        };
        Axis { attribute, shape }
    }

    /// The same, where all groups have their split points in common: `split` says which of some bins begins the right part.
    pub(super) fn nested(attribute: &'a Attribute, weights: &[u64], split: impl Fn(&[Range<u32>]) -> usize) -> Self {
        if !matches!(attribute.masking, Masking::Discretize { .. }) {
            return Axis::free(attribute, weights);
        }
        let mut nodes = interval_root(&attribute.domain);
        halve(&mut nodes, &equal_frequency(attribute, weights, MOST_BINS), split);
        Axis { attribute, shape: Shape::tree(nodes) }
    }

    /// Where every group begins.
    pub(super) fn whole(&self) -> Spot {
        match &self.shape {
            Shape::Tree(_) => Spot::Node(0),
            Shape::Values => Spot::Others(0),
            Shape::Bins { starts, .. } if self.attribute.domain.missing().is_none() => {
                Spot::Bins(0..starts.len() as u32)
            }
            Shape::Bins { .. } => Spot::Anything,
        }
    }

    /// The part of its group that a code goes to.
    pub(super) fn part(&self, step: &Move, code: u32) -> usize {
        match (step, &self.shape) {
            (Move::Refine(node), Shape::Tree(nodes)) => nodes[*node as usize].child(code),
            (Move::Split(bin), Shape::Bins { of, .. }) => usize::from(of[code as usize] >= *bin),
            (Move::Missing, _) => usize::from(self.attribute.domain.missing() == Some(code)),
            (Move::Tell(value), _) => usize::from(code != *value),
            _ => 0,
        }
    }

    /// What the parts know.
    pub(super) fn parts(&self, spot: &Spot, step: &Move) -> Vec<Spot> {
        match (step, &self.shape, spot) {
            (Move::Refine(node), Shape::Tree(nodes), _) => {
                nodes[*node as usize].children.iter().map(|&child| Spot::Node(child)).collect()
            }
            (&Move::Split(bin), _, Spot::Bins(bins)) => vec![Spot::Bins(bins.start..bin), Spot::Bins(bin..bins.end)],
            (Move::Missing, Shape::Bins { starts, .. }, _) => vec![Spot::Bins(0..starts.len() as u32), Spot::Told],
            (Move::Missing, _, Spot::Others(told)) => vec![Spot::Others(told + 1), Spot::Told],
            (Move::Tell(_), _, Spot::Others(told)) => vec![Spot::Told, Spot::Others(told + 1)],
            _ => Vec::new(),
        }
    }

    /// How a step is said: several splits where it goes down a tree, all but the last with one part that has records.
    pub(super) fn said(&self, spot: &Spot, step: &Move) -> Vec<Turn> {
        let in_two = |by: By| vec![Turn { by, parts: 2, further: 0 }];
        let domain = &self.attribute.domain;
        match (step, &self.shape, spot) {
            (Move::Refine(node), Shape::Tree(nodes), Spot::Node(from)) => self.path(nodes, *from, *node),
            (&Move::Split(bin), Shape::Bins { starts, .. }, _) => {
                in_two(By::At(Bound(Some(domain.split(starts[bin as usize])))))
            }
            (&Move::Tell(value), ..) => in_two(By::Value(domain.name(value).unwrap_or_default().to_owned())),
            _ => in_two(By::Missing),
        }
    }

    fn path(&self, nodes: &[Branch], from: u32, to: u32) -> Vec<Turn> {
        let target = nodes[to as usize].codes.start;
        let mut path = Vec::new();
        let mut node = from;
        loop {
            let branch = &nodes[node as usize];
            let place = if node == to { 0 } else { branch.child(target) };
            path.push(Turn { by: self.by(nodes, node), parts: branch.children.len(), further: place });
            if node == to {
                return path;
            }
            node = branch.children[place];
        }
    }

    fn by(&self, nodes: &[Branch], node: u32) -> By {
        let branch = &nodes[node as usize];
        match &self.attribute.masking {
            Masking::Generalize(taxonomy) => By::Node(
                taxonomy.nodes().nth(node as usize).map(|node| taxonomy.label(node).to_owned()).unwrap_or_default(),
            ),
            _ if self.attribute.domain.missing().is_some() && node == 0 => By::Missing,
            _ => {
                let second = branch.children.get(1).map_or(0, |&child| nodes[child as usize].codes.start);
                By::At(Bound(Some(self.attribute.domain.split(second))))
            }
        }
    }

    /// LM of an entry that is published like this (2002 paper, §3).
    pub(super) fn loss(&self, spot: &Spot) -> f64 {
        let domain = &self.attribute.domain;
        let share =
            |behind: usize, all: usize| if all > 1 { behind.saturating_sub(1) as f64 / (all - 1) as f64 } else { 0.0 };
        let width = |codes| width(self.attribute, codes);
        match (spot, &self.shape) {
            (Spot::Told, _) => 0.0,
            (Spot::Anything, _) => 1.0,
            (Spot::Others(told), _) => share(domain.len() - *told as usize, domain.len()),
            (Spot::Bins(bins), Shape::Bins { starts, of }) => {
                let code = |bin: u32| starts.get(bin as usize).copied().unwrap_or(of.len() as u32);
                width(code(bins.start)..code(bins.end))
            }
            (Spot::Node(node), Shape::Tree(nodes)) => match &self.attribute.masking {
                Masking::Generalize(taxonomy) => {
                    let missing = usize::from(domain.missing().is_some());
                    let all = taxonomy.leaves().len() + missing;
                    let behind = taxonomy.nodes().nth(*node as usize).map_or(1, |node| taxonomy.leaf_range(node).len());
                    share(behind + if *node == 0 { missing } else { 0 }, all)
                }
                _ if *node == 0 && domain.missing().is_some() => 1.0,
                _ if domain.missing() == Some(nodes[*node as usize].codes.start) => 0.0,
                _ => width(nodes[*node as usize].codes.clone()),
            },
            _ => 0.0,
        }
    }
}

impl Shape {
    fn tree(nodes: Vec<Node>) -> Self {
        let branch = |node: &Node| {
            let mut child_of = vec![0; if node.children.is_empty() { 0 } else { node.codes.len() }];
            for (place, &child) in (0..).zip(&node.children) {
                let codes = &nodes[child as usize].codes;
                let offset = node.codes.start;
                child_of[(codes.start - offset) as usize..(codes.end - offset) as usize].fill(place);
            }
            Branch { codes: node.codes.clone(), children: node.children.clone(), child_of }
        };
        Shape::Tree(nodes.iter().map(branch).collect())
    }
}

impl Branch {
    pub(super) fn child(&self, code: u32) -> usize {
        self.child_of[(code - self.codes.start) as usize] as usize
    }
}

/// How much of the range of all numbers those with some codes take.
pub(super) fn width(attribute: &Attribute, codes: Range<u32>) -> f64 {
    let numbers = attribute.domain.as_numbers();
    match (numbers.get(codes.start as usize), numbers.get(codes.end.saturating_sub(1) as usize)) {
        (Some(lower), Some(upper)) if codes.end > codes.start => {
            // Halves, where the difference of the extremes would be no finite number.
            let all = numbers[numbers.len() - 1] / 2.0 - numbers[0] / 2.0;
            if all > 0.0 { (upper / 2.0 - lower / 2.0) / all } else { 0.0 }
        }
        _ => 0.0,
    }
}

/// The bin of each code.
fn bin_of(bins: &[Range<u32>]) -> Vec<u32> {
    (0..).zip(bins).flat_map(|(bin, codes)| codes.clone().map(move |_| bin)).collect()
}

/// Hangs a binary tree over the bins below the node of the full range: the same splits for all groups.
fn halve(nodes: &mut Vec<Node>, bins: &[Range<u32>], split: impl Fn(&[Range<u32>]) -> usize) {
    let full = nodes[0].children.first().copied().unwrap_or(0);
    let mut pending = vec![(full, 0..bins.len())];
    while let Some((node, of)) = pending.pop() {
        if of.len() < 2 {
            continue;
        }
        let middle = of.start + split(&bins[of.clone()]);
        for part in [of.start..middle, middle..of.end] {
            let child = nodes.len() as u32;
            nodes.push(Node::new(bins[part.start].start..bins[part.end - 1].end));
            nodes[node as usize].children.push(child);
            pending.push((child, part));
        }
    }
}
