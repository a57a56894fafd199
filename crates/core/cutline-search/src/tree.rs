//! How an attribute is masked at the moment, and what a step would do.

mod nodes;

use std::ops::Range;

use cutline_model::recoding::{Interval, Label, Missing, TOP};
use cutline_model::{AttributeRecoding, Bound, Masking, Taxonomy};
use cutline_table::{Attribute, Domain};

use crate::grouping::Labelling;

pub(crate) use nodes::{Node, interval_root, taxonomy_nodes};
use nodes::{hang_intervals, pair_neighbours};

/// The tree of one attribute and the cut through it.
///
/// Every node stands for a run of codes. A taxonomy's tree is known beforehand; an interval tree grows by splits; a suppressed
/// attribute has no tree but the node ⊥, which loses its values one by one.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    shape: Shape,
    nodes: Vec<Node>,
    /// For each code, the child that it would move to of the node of the cut that it lies under.
    slot_of: Vec<u32>,
    /// What may never be refined or disclosed, by node or value; beyond the end nothing is closed.
    closed: Vec<bool>,
}

#[derive(Clone, Debug)]
enum Shape {
    Taxonomy,
    Intervals,
    Values { disclosed: Vec<bool> },
}

/// A refinement that was performed: who goes where.
#[derive(Debug)]
pub(crate) struct Parting {
    /// The node that was refined.
    pub(crate) node: u32,
    /// The nodes that took its place; for a disclosed value, none.
    pub(crate) children: Vec<u32>,
    /// The part that each code goes to, where nodes are refined: a position in `children`.
    part_of: Vec<u32>,
    /// The value that was disclosed.
    pub(crate) disclosed: Option<u32>,
}

impl Parting {
    /// What stays suppressed after a disclosure.
    pub(crate) const REST: u32 = 0;
    /// What a disclosure tells.
    pub(crate) const DISCLOSED: u32 = 1;

    /// The part that a code goes to: a position in `children`, or for a disclosure [`Parting::REST`] or [`Parting::DISCLOSED`].
    pub(crate) fn part_of(&self, code: usize) -> u32 {
        match self.disclosed {
            None => self.part_of[code],
            Some(value) if value as usize == code => Self::DISCLOSED,
            Some(_) => Self::REST,
        }
    }

    /// The number of parts that a group may fall into.
    pub(crate) fn parts(&self) -> usize {
        if self.disclosed.is_some() { 2 } else { self.children.len() }
    }
}

impl Tree {
    /// The topmost node.
    pub(crate) const ROOT: u32 = 0;

    pub(crate) fn new(attribute: &Attribute) -> Self {
        let domain = &attribute.domain;
        let codes = domain.len() as u32;
        let (shape, nodes) = match &attribute.masking {
            Masking::Generalize(taxonomy) => (Shape::Taxonomy, taxonomy_nodes(taxonomy, domain)),
            Masking::Discretize { .. } => (Shape::Intervals, interval_root(domain)),
            Masking::Suppress => (Shape::Values { disclosed: vec![false; codes as usize] }, vec![Node::new(0..codes)]),
        };
        Tree { shape, nodes, slot_of: (0..codes).collect(), closed: Vec::new() }
    }

    /// Never refines a node, or discloses a value.
    pub(crate) fn close(&mut self, target: u32) {
        let target = target as usize;
        if self.closed.len() <= target {
            self.closed.resize(target + 1, false);
        }
        self.closed[target] = true;
    }

    /// Never refines a node that has nothing below it yet.
    pub(crate) fn close_leaves(&mut self) {
        for node in (0..self.len()).filter(|&node| self.children(node).is_empty()).collect::<Vec<_>>() {
            self.close(node);
        }
    }

    /// May a node never be refined, or a value never be disclosed?
    pub(crate) fn is_closed(&self, target: u32) -> bool {
        self.closed.get(target as usize) == Some(&true)
    }

    /// Puts intervals below the full range, which begin with these codes. Returns what must be refined to tell them apart.
    pub(crate) fn hang(&mut self, starts: &[u32]) -> Vec<u32> {
        let label_of: Vec<u32> =
            (0..self.values()).map(|code| starts.partition_point(|&start| start <= code) as u32).collect();
        let full = self.nodes[Self::ROOT as usize].children.first().copied();
        hang_intervals(&mut self.nodes, &label_of);
        std::iter::once(Self::ROOT).chain(full).collect()
    }

    /// The node that stands for exactly these codes; where several do, the lowest.
    pub(crate) fn node_of(&self, codes: &Range<u32>) -> Option<u32> {
        self.nodes.iter().rposition(|node| node.codes == *codes).map(|node| node as u32)
    }

    /// The tree of bottom-up search, with nothing generalized yet: the cut is all values, or for a continuous attribute the
    /// `bins` (runs of codes), above which neighbours are paired level by level. Where a taxonomy has no records, there is
    /// nothing to tell apart, and the cut lies at the topmost such node.
    pub(crate) fn expanded(attribute: &Attribute, bins: Vec<Range<u32>>) -> Self {
        let mut tree = Tree::new(attribute);
        match &mut tree.shape {
            Shape::Taxonomy => {}
            Shape::Intervals => pair_neighbours(&mut tree.nodes, bins),
            Shape::Values { disclosed } => disclosed.fill(true),
        }
        for node in &mut tree.nodes {
            node.refined = !node.children.is_empty() && !node.codes.is_empty();
        }
        tree
    }

    /// The tree with the cut that gives codes these labels: runs of equal ones are below one node of it. Where several nodes
    /// have the same values below them, the cut lies at the lowest. Of a suppressed attribute, label 0 is `*`.
    pub(crate) fn labelled(attribute: &Attribute, label_of: &[u32]) -> Self {
        let mut tree = Tree::new(attribute);
        match &mut tree.shape {
            Shape::Taxonomy => {}
            Shape::Intervals => hang_intervals(&mut tree.nodes, label_of),
            Shape::Values { disclosed } => {
                disclosed.iter_mut().zip(label_of).for_each(|(told, &label)| *told = label > 0);
            }
        }
        for index in 0..tree.nodes.len() {
            let Node { codes, children, .. } = &tree.nodes[index];
            let labels = &label_of[codes.start as usize..codes.end as usize];
            let differ = labels.windows(2).any(|pair| pair[0] != pair[1]);
            let same_below = children.iter().any(|&child| tree.nodes[child as usize].codes == *codes);
            tree.nodes[index].refined = !children.is_empty() && !codes.is_empty() && (differ || same_below);
        }
        tree
    }

    /// Forgets splits that were only looked at: intervals of the cut have no parts then.
    pub(crate) fn forget_splits(&mut self, attribute: &Attribute) {
        // What tells missing values from others is no split.
        let fixed = usize::from(attribute.domain.missing().is_some());
        if let Shape::Intervals = self.shape {
            self.nodes.iter_mut().skip(fixed).filter(|node| !node.refined).for_each(|node| node.children.clear());
        }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Is the cut below this node?
    pub(crate) fn is_refined(&self, node: u32) -> bool {
        self.nodes[node as usize].refined
    }

    /// Generalizes the children of a node to it, or takes a value back behind ⊥.
    pub(crate) fn generalize(&mut self, target: u32) {
        match &mut self.shape {
            Shape::Values { disclosed } => disclosed[target as usize] = false,
            _ => self.nodes[target as usize].refined = false,
        }
    }

    /// The codes below a node.
    pub(crate) fn codes(&self, node: u32) -> Range<u32> {
        self.nodes[node as usize].codes.clone()
    }

    /// What a node would be refined into.
    pub(crate) fn children(&self, node: u32) -> &[u32] {
        &self.nodes[node as usize].children
    }

    /// Is this an attribute without a tree?
    pub(crate) fn is_suppressed(&self) -> bool {
        matches!(self.shape, Shape::Values { .. })
    }

    /// The number of codes.
    pub(crate) fn values(&self) -> u32 {
        self.slot_of.len() as u32
    }

    /// For each code, the child of its node that it would move to (for a suppressed attribute, the code itself).
    pub(crate) fn slots(&self) -> &[u32] {
        &self.slot_of
    }

    /// How many different slots the codes under a node have.
    pub(crate) fn width(&self, node: u32) -> usize {
        if self.is_suppressed() { self.slot_of.len() } else { self.children(node).len() }
    }

    /// Gives a new node of the cut its children: an interval is split at the code that `split` chooses.
    pub(crate) fn grow(&mut self, node: u32, split: impl FnOnce(Range<u32>) -> u32) {
        let codes = self.codes(node);
        let splittable = matches!(self.shape, Shape::Intervals) && self.children(node).is_empty() && codes.len() > 1;
        if splittable {
            let middle = split(codes.clone());
            let first = self.nodes.len() as u32;
            self.nodes.push(Node::new(codes.start..middle));
            self.nodes.push(Node::new(middle..codes.end));
            self.nodes[node as usize].children = vec![first, first + 1];
        }
        for (slot, &child) in self.nodes[node as usize].children.iter().enumerate() {
            let codes = self.nodes[child as usize].codes.clone();
            self.slot_of[codes.start as usize..codes.end as usize].fill(slot as u32);
        }
    }

    /// Refines a node, or discloses a value.
    pub(crate) fn refine(&mut self, target: u32) -> Parting {
        if let Shape::Values { disclosed } = &mut self.shape {
            disclosed[target as usize] = true;
            let (children, part_of) = (Vec::new(), Vec::new());
            return Parting { node: Self::ROOT, children, part_of, disclosed: Some(target) };
        }
        let part_of = self.slot_of.clone();
        let children = self.children(target).to_vec();
        self.nodes[target as usize].refined = true;
        Parting { node: target, children, part_of, disclosed: None }
    }

    /// The labels of a candidate and of what it would be refined into.
    pub(crate) fn labels(&self, attribute: &Attribute, target: u32) -> (Label, Vec<Label>) {
        if self.is_suppressed() {
            let value = attribute.domain.name(target).map_or(Label::Missing, Label::from);
            return (TOP.into(), vec![value, TOP.into()]);
        }
        let into = self.children(target).iter().map(|&child| self.label(attribute, child)).collect();
        (self.label(attribute, target), into)
    }

    fn label(&self, attribute: &Attribute, node: u32) -> Label {
        let codes = self.codes(node);
        let missing = attribute.domain.missing();
        if missing == Some(codes.start) && !codes.is_empty() && node != Self::ROOT {
            return Label::Missing;
        }
        match &attribute.masking {
            Masking::Generalize(taxonomy) => {
                taxonomy.node_at(node as usize).map_or(Label::Missing, |node| taxonomy.label(node).into())
            }
            Masking::Discretize { .. } if missing.is_some() && node == Self::ROOT => TOP.into(),
            Masking::Discretize { range, axis } => {
                let (lower, upper) =
                    (bound(&attribute.domain, *range, codes.start), bound(&attribute.domain, *range, codes.end));
                Label::Text(axis.label(Interval {
                    lower,
                    upper,
                    closed: codes.end as usize == attribute.domain.known(),
                }))
            }
            Masking::Suppress => TOP.into(),
        }
    }

    /// The cut as it is stored.
    pub(crate) fn recoding(&self, attribute: &Attribute) -> AttributeRecoding {
        let domain = &attribute.domain;
        let missing =
            |published: bool| domain.missing().map(|_| if published { Missing::Published } else { Missing::Masked });
        let root_refined = self.nodes[Self::ROOT as usize].refined;
        match (&attribute.masking, &self.shape) {
            (Masking::Generalize(taxonomy), _) => AttributeRecoding::Generalize {
                cut: self
                    .cut()
                    .into_iter()
                    .filter(|&node| node < taxonomy.len())
                    .map(|node| label_at(taxonomy, node))
                    .collect(),
                missing: missing(root_refined),
                taxonomy: taxonomy.as_ref().clone(),
            },
            (Masking::Discretize { range, axis }, _) => {
                let known = self.cut().into_iter().map(|node| self.nodes[node].codes.clone());
                let ends = known.map(|codes| (codes.end as usize).min(domain.known()) as u32);
                let mut ends: Vec<u32> = ends.filter(|&end| end > 0).collect();
                // The missing leaf ends where the last interval does.
                ends.dedup();
                let mut bounds: Vec<_> =
                    std::iter::once(0).chain(ends).map(|code| Bound(bound(domain, *range, code))).collect();
                if bounds.len() == 1 {
                    // No value is known, yet there is a range.
                    bounds.push(Bound(range.map(|(_, upper)| upper)));
                }
                AttributeRecoding::Discretize { bounds, scale: axis.scale.clone(), missing: missing(root_refined) }
            }
            (Masking::Suppress, Shape::Values { disclosed }) => AttributeRecoding::Suppress {
                disclosed: (0..domain.known())
                    .filter(|&value| disclosed[value])
                    .filter_map(|value| domain.name(value as u32).map(str::to_owned))
                    .collect(),
                missing: missing(domain.missing().is_some_and(|code| disclosed[code as usize])),
            },
            (Masking::Suppress, _) => AttributeRecoding::Suppress { disclosed: Vec::new(), missing: None },
        }
    }

    /// The label of each code, if a node were refined or a value disclosed besides.
    pub(crate) fn labelling(&self, also: Option<u32>) -> Labelling {
        let mut label_of = vec![0; self.slot_of.len()];
        let mut labels = 1;
        if let Shape::Values { disclosed } = &self.shape {
            let told = |&value: &usize| disclosed[value] || also == Some(value as u32);
            for value in (0..label_of.len()).filter(told) {
                label_of[value] = labels;
                labels += 1;
            }
            return Labelling { label_of, labels: labels as usize };
        }
        // Nodes without values need no label: there are never more labels than codes, however large a taxonomy is.
        let codes = self.cut_with(also).into_iter().map(|node| &self.nodes[node].codes);
        let cut: Vec<&Range<u32>> = codes.filter(|codes| !codes.is_empty()).collect();
        for (label, codes) in cut.iter().enumerate() {
            label_of[codes.start as usize..codes.end as usize].fill(label as u32);
        }
        Labelling { label_of, labels: cut.len().max(1) }
    }

    /// The label of each code, if an interval of the cut were split besides.
    pub(crate) fn labelling_split(&self, node: u32, split: u32) -> Labelling {
        let Labelling { mut label_of, labels } = self.labelling(None);
        label_of[split as usize..self.codes(node).end as usize].fill(labels as u32);
        Labelling { label_of, labels: labels + 1 }
    }

    /// Is nothing told?
    pub(crate) fn is_top(&self) -> bool {
        match &self.shape {
            Shape::Values { disclosed } => !disclosed.contains(&true),
            _ => !self.nodes[Self::ROOT as usize].refined,
        }
    }

    /// Is the value told?
    pub(crate) fn is_disclosed(&self, value: u32) -> bool {
        self.disclosed().is_some_and(|disclosed| disclosed[value as usize])
    }

    /// Which values are told, if they are told one by one.
    pub(crate) fn disclosed(&self) -> Option<&[bool]> {
        match &self.shape {
            Shape::Values { disclosed } => Some(disclosed),
            _ => None,
        }
    }

    /// Says for each code which child of its node it would move to, where nodes of the cut have children.
    pub(crate) fn grow_cut(&mut self) {
        for node in self.cut() {
            if !self.nodes[node].children.is_empty() {
                self.grow(node as u32, |codes| codes.start);
            }
        }
    }

    /// The node of the cut that each code is under.
    pub(crate) fn nodes_by_code(&self) -> Vec<u32> {
        let mut node_of = vec![Self::ROOT; self.slot_of.len()];
        for node in self.cut() {
            let codes = &self.nodes[node].codes;
            node_of[codes.start as usize..codes.end as usize].fill(node as u32);
        }
        node_of
    }

    /// The nodes of the cut in tree order.
    pub(crate) fn cut(&self) -> Vec<usize> {
        self.cut_with(None)
    }

    /// The nodes of the cut in tree order, if a node were refined besides.
    fn cut_with(&self, also: Option<u32>) -> Vec<usize> {
        let mut cut = Vec::new();
        let mut pending = vec![Self::ROOT as usize];
        while let Some(node) = pending.pop() {
            let Node { refined, children, .. } = &self.nodes[node];
            if *refined || also == Some(node as u32) {
                pending.extend(children.iter().rev().map(|&child| child as usize));
            } else {
                cut.push(node);
            }
        }
        cut
    }
}

fn label_at(taxonomy: &Taxonomy, node: usize) -> String {
    taxonomy.node_at(node).map(|node| taxonomy.label(node).to_owned()).unwrap_or_default()
}

/// The number at which the interval that begins with this code begins, and the one before it ends.
fn bound(domain: &Domain, range: Option<(f64, f64)>, code: u32) -> Option<f64> {
    match code as usize {
        0 => range.map(|(lower, _)| lower),
        code if code >= domain.known() => range.map(|(_, upper)| upper),
        code => Some(domain.split(code as u32)),
    }
}
