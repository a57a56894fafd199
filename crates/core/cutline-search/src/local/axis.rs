//! Into what can the values of one attribute be told apart?

use std::ops::Range;

use cutline_model::recoding::{By, Unknown};
use cutline_model::{Bound, Masking, Taxonomy};
use cutline_table::{Attribute, Code, Codes, with_codes};

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
    /// Runs of codes between which each group may split: the code that begins each bin.
    Bins(Vec<u32>),
    /// Values that are told one by one.
    Values,
}

/// A node of a tree.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) codes: Range<u32>,
    pub(super) children: Vec<u32>,
    /// LM of an entry with its label.
    loss: f64,
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
    /// Before a bin; where numbers may be missing and none is, after telling so.
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
    pub(super) fn free(attribute: &'a Attribute, weights: &[u64], unknown: Unknown) -> Self {
        let shape = match &attribute.masking {
            Masking::Suppress => Shape::Values,
            Masking::Generalize(taxonomy) => {
                let nodes = taxonomy_nodes(taxonomy, &attribute.domain);
                let nodes = if unknown == Unknown::Root { unlisted(nodes, taxonomy, attribute) } else { nodes };
                Shape::tree(nodes, attribute, unknown)
            }
            Masking::Discretize { .. } => {
                let bins = equal_frequency(attribute, weights, MOST_BINS);
                Shape::Bins(bins.iter().map(|codes| codes.start).collect())
            }
        };
        Axis { attribute, shape }
    }

    /// The same, where all groups have their split points in common: `split` says which of some bins begins the right part.
    pub(super) fn nested(
        attribute: &'a Attribute,
        weights: &[u64],
        unknown: Unknown,
        split: impl Fn(&[Range<u32>]) -> usize,
    ) -> Self {
        if !matches!(attribute.masking, Masking::Discretize { .. }) {
            return Axis::free(attribute, weights, unknown);
        }
        let mut nodes = interval_root(&attribute.domain);
        halve(&mut nodes, &equal_frequency(attribute, weights, MOST_BINS), split);
        Axis { attribute, shape: Shape::tree(nodes, attribute, unknown) }
    }

    /// What is counted of each row: the bin of its number, or its code. Missing values of binned numbers are in a bin of their own.
    pub(super) fn column(&self) -> Codes {
        let Shape::Bins(starts) = &self.shape else { return self.attribute.codes.clone() };
        let bin = |code: u32| match self.attribute.domain.missing() == Some(code) {
            true => starts.len() as u32,
            false => starts.partition_point(|&start| start <= code) as u32 - 1,
        };
        let bin_of: Vec<u32> = (0..self.attribute.domain.len() as u32).map(bin).collect();
        Codes::from_codes(self.attribute.codes.iter().map(|code| bin_of[code as usize]), starts.len() + 1)
    }

    /// Can a group be told apart any further?
    pub(super) fn is_open(&self, spot: &Spot) -> bool {
        match (spot, &self.shape) {
            (Spot::Told, _) => false,
            (Spot::Node(node), Shape::Tree(nodes)) => !nodes[*node as usize].children.is_empty(),
            (Spot::Bins(bins), _) => bins.len() > 1,
            _ => true,
        }
    }

    /// Where every group begins.
    pub(super) fn whole(&self) -> Spot {
        match &self.shape {
            Shape::Tree(_) => Spot::Node(0),
            Shape::Values => Spot::Others(0),
            Shape::Bins(starts) if self.attribute.domain.missing().is_none() => Spot::Bins(0..starts.len() as u32),
            Shape::Bins(_) => Spot::Anything,
        }
    }

    /// The part of its group that each of some rows goes to.
    pub(super) fn part_of(&self, step: &Move, column: &Codes) -> Vec<u32> {
        match (step, &self.shape) {
            (Move::Refine(node), Shape::Tree(nodes)) => {
                let branch = &nodes[*node as usize];
                mapped(column, |code| branch.child(code))
            }
            (&Move::Split(bin), _) => mapped(column, |code| u32::from(code >= bin)),
            (&Move::Tell(value), _) => mapped(column, |code| u32::from(code != value)),
            _ => mapped(column, |code| u32::from(Some(code) == self.missing())),
        }
    }

    /// What stands for missing values in the column.
    pub(super) fn missing(&self) -> Option<u32> {
        let missing = self.attribute.domain.missing();
        if let Shape::Bins(starts) = &self.shape { missing.map(|_| starts.len() as u32) } else { missing }
    }

    /// What the parts know.
    pub(super) fn parts(&self, spot: &Spot, step: &Move) -> Vec<Spot> {
        match (step, &self.shape, spot) {
            (Move::Refine(node), Shape::Tree(nodes), _) => {
                nodes[*node as usize].children.iter().map(|&child| Spot::Node(child)).collect()
            }
            (&Move::Split(bin), Shape::Bins(starts), _) => {
                let bins = if let Spot::Bins(bins) = spot { bins.clone() } else { 0..starts.len() as u32 };
                vec![Spot::Bins(bins.start..bin), Spot::Bins(bin..bins.end)]
            }
            (Move::Missing, Shape::Bins(starts), _) => vec![Spot::Bins(0..starts.len() as u32), Spot::Told],
            (Move::Missing, _, Spot::Others(told)) => vec![Spot::Others(told + 1), Spot::Told],
            (Move::Tell(_), _, Spot::Others(told)) => vec![Spot::Told, Spot::Others(told + 1)],
            _ => Vec::new(),
        }
    }

    /// How a step is said: several splits where it goes down a tree, all but the last with one part that has records.
    pub(super) fn said(&self, spot: &Spot, step: &Move) -> Vec<Turn> {
        let two = |by: By| Turn { by, parts: 2, further: 0 };
        let domain = &self.attribute.domain;
        match (step, &self.shape, spot) {
            (Move::Refine(node), Shape::Tree(nodes), Spot::Node(from)) => self.path(nodes, *from, *node),
            (&Move::Split(bin), Shape::Bins(starts), _) => {
                let missing = (*spot == Spot::Anything).then(|| two(By::Missing));
                let at = two(By::At(Bound(Some(domain.split(starts[bin as usize])))));
                missing.into_iter().chain([at]).collect()
            }
            (&Move::Tell(value), ..) => vec![two(By::Value(domain.name(value).unwrap_or_default().to_owned()))],
            _ => vec![two(By::Missing)],
        }
    }

    fn path(&self, nodes: &[Branch], from: u32, to: u32) -> Vec<Turn> {
        let target = nodes[to as usize].codes.start;
        let mut path = Vec::new();
        let mut node = from;
        loop {
            let branch = &nodes[node as usize];
            let place = if node == to { 0 } else { branch.child(target) as usize };
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
                taxonomy.node_at(node as usize).map(|node| taxonomy.label(node).to_owned()).unwrap_or_default(),
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
        match (spot, &self.shape) {
            (Spot::Others(told), _) => share(domain.len() - *told as usize, domain.len()),
            (Spot::Node(node), Shape::Tree(nodes)) => nodes[*node as usize].loss,
            (Spot::Bins(bins), Shape::Bins(starts)) => {
                let code = |bin: u32| starts.get(bin as usize).copied().unwrap_or(domain.known() as u32);
                width(self.attribute, code(bins.start)..code(bins.end))
            }
            (Spot::Anything, _) => 1.0,
            _ => 0.0,
        }
    }
}

impl Shape {
    fn tree(nodes: Vec<Node>, attribute: &Attribute, unknown: Unknown) -> Self {
        let losses = losses(&nodes, attribute, unknown);
        let branch = |(node, loss): (&Node, f64)| {
            let mut child_of = vec![0; if node.children.is_empty() { 0 } else { node.codes.len() }];
            for (place, &child) in (0..).zip(&node.children) {
                let codes = &nodes[child as usize].codes;
                let offset = node.codes.start;
                child_of[(codes.start - offset) as usize..(codes.end - offset) as usize].fill(place);
            }
            Branch { codes: node.codes.clone(), children: node.children.clone(), loss, child_of }
        };
        Shape::Tree(nodes.iter().zip(losses).map(branch).collect())
    }
}

/// The nodes of a taxonomy, where the root has one more child for the values that were attached to it and for missing ones.
fn unlisted(mut nodes: Vec<Node>, taxonomy: &Taxonomy, attribute: &Attribute) -> Vec<Node> {
    let given = taxonomy.len() - attribute.attached;
    let first = nodes.get(given).map_or(attribute.domain.len() as u32, |node| node.codes.start);
    nodes.truncate(given);
    nodes[0].children.retain(|&child| (child as usize) < given);
    nodes[0].children.push(given as u32);
    nodes.push(Node::new(first..attribute.domain.len() as u32));
    nodes
}

/// LM of an entry with the label of each node.
fn losses(nodes: &[Node], attribute: &Attribute, unknown: Unknown) -> Vec<f64> {
    let missing = attribute.domain.missing();
    match &attribute.masking {
        Masking::Generalize(taxonomy) => {
            let all = taxonomy.leaves().len() - attribute.attached + usize::from(missing.is_some());
            let behind = |(place, node)| if place == 0 { all } else { taxonomy.leaf_range(node).len() };
            // The missing values of a taxonomy are a node after its own; with those that it lacks they have the label of its root.
            let own = taxonomy.nodes().take(taxonomy.len() - attribute.attached).enumerate();
            let own = own.map(|node| share(behind(node), all));
            let beside = if unknown == Unknown::Root { share(all, all) } else { 0.0 };
            own.chain(std::iter::repeat(beside)).take(nodes.len()).collect()
        }
        _ => {
            let loss = |(place, node): (usize, &Node)| match missing {
                Some(_) if place == 0 => 1.0,
                Some(code) if node.codes.start == code => 0.0,
                _ => width(attribute, node.codes.clone()),
            };
            nodes.iter().enumerate().map(loss).collect()
        }
    }
}

/// The share of values that a label leaves possible, but for the one.
fn share(behind: usize, all: usize) -> f64 {
    if all > 1 { behind.saturating_sub(1) as f64 / (all - 1) as f64 } else { 0.0 }
}

impl Branch {
    /// The place of the child that has a code.
    pub(super) fn child(&self, code: u32) -> u32 {
        self.child_of[(code - self.codes.start) as usize]
    }
}

fn mapped(column: &Codes, map: impl Fn(u32) -> u32) -> Vec<u32> {
    with_codes!(column, codes => codes.iter().map(|code| map(code.index() as u32)).collect())
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
