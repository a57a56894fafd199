//! The possible generalizations of one attribute.

use cutline_model::recoding::Label;
use cutline_table::Attribute;

use super::absorb::Values;
use crate::bins::equal_frequency;
use crate::gain::Gain;
use crate::tree::Tree;

/// A generalization that could be applied next.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Candidate {
    /// The node to generalize to, or the value to absorb.
    pub(crate) target: u32,
    /// Its place among the attribute's candidates: the lowest code below it.
    position: u32,
    /// I(G).
    pub(crate) loss: f64,
}

impl Candidate {
    /// Where it comes among the attribute's candidates.
    pub(crate) fn place(&self) -> (u32, u32) {
        (self.position, self.target)
    }
}

/// Labels that become one: what a generalization does to groups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Merge {
    /// The labels that are replaced. For a value that is absorbed, ⊥ is one of them.
    pub(crate) from: Vec<u32>,
    /// The label that takes their place.
    pub(crate) to: u32,
}

/// An attribute's cut on its way up.
///
/// Labels in groups are nodes of the tree; for an attribute without a tree they are values, and ⊥ comes after them.
pub(crate) struct Climb<G: Gain> {
    tree: Tree,
    gain: G,
    /// The node above each node.
    parents: Vec<Option<u32>>,
    /// Children of each node that the cut is still below.
    open_children: Vec<u32>,
    /// In order. Of values that ⊥ may absorb, the first of each kind.
    candidates: Vec<Candidate>,
    /// The values of an attribute without a tree.
    values: Option<Values>,
    /// The labels of the records behind ⊥.
    absorbed: Option<G::Stats>,
}

/// The most bins that a continuous attribute starts with.
const MOST_BINS: usize = 64;

impl<G: Gain> Climb<G> {
    pub(crate) fn new(attribute: &Attribute, weights: &[u64], gain: G) -> Self {
        let continuous = !attribute.domain.as_numbers().is_empty();
        let bins = if continuous { equal_frequency(attribute, weights, MOST_BINS) } else { Vec::new() };
        let tree = Tree::expanded(attribute, bins);
        let nodes = tree.len() as usize;
        let mut climb = Climb {
            tree,
            gain,
            parents: vec![None; nodes],
            open_children: vec![0; nodes],
            candidates: Vec::new(),
            values: None,
            absorbed: None,
        };
        if climb.tree.is_suppressed() {
            climb.values = Some(Values::new(&climb.gain, climb.tree.values()));
            climb.update_absorptions();
        } else {
            climb.find_possible();
        }
        climb
    }

    /// The cut.
    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The generalizations that are possible now, in order, but for those that lose the same as one that comes before them.
    pub(crate) fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// What can be generalized to now, or absorbed.
    pub(crate) fn targets(&self) -> Vec<u32> {
        match &self.values {
            Some(values) => values.left().collect(),
            None => self.candidates.iter().map(|candidate| candidate.target).collect(),
        }
    }

    /// A generalization that is possible now.
    pub(crate) fn candidate(&self, target: u32) -> Candidate {
        if self.is_suppressed() { self.absorption(target) } else { self.generalization(target) }
    }

    /// Is this an attribute whose values are absorbed one by one?
    pub(crate) fn is_suppressed(&self) -> bool {
        self.tree.is_suppressed()
    }

    /// The label of suppressed values.
    pub(crate) fn bottom(&self) -> u32 {
        self.tree.values()
    }

    /// The label that each code starts with.
    pub(crate) fn start_labels(&self) -> Vec<u32> {
        let mut labels: Vec<u32> = (0..self.tree.values()).collect();
        if !self.is_suppressed() {
            for leaf in (0..self.tree.len()).filter(|&node| !self.tree.is_refined(node) && self.is_reached(node)) {
                let codes = self.tree.codes(leaf);
                labels[codes.start as usize..codes.end as usize].fill(leaf);
            }
        }
        labels
    }

    /// Is the node part of the tree? (Building an interval tree may leave spare nodes.)
    fn is_reached(&self, node: u32) -> bool {
        node == Tree::ROOT || self.parents[node as usize].is_some()
    }

    /// The generalization that would replace this label, if it is possible now.
    pub(crate) fn above(&self, label: u32) -> Option<u32> {
        let parent = self.parents[label as usize]?;
        (self.open_children[parent as usize] == 0 && self.tree.is_refined(parent)).then_some(parent)
    }

    /// What a generalization does to groups.
    pub(crate) fn merge(&self, target: u32) -> Merge {
        if self.is_suppressed() {
            Merge { from: vec![target, self.bottom()], to: self.bottom() }
        } else {
            Merge { from: self.tree.children(target).to_vec(), to: target }
        }
    }

    /// The label of a generalization, and the labels it replaces.
    pub(crate) fn labels(&self, attribute: &Attribute, target: u32) -> (Label, Vec<Label>) {
        let (into, mut generalized) = self.tree.labels(attribute, target);
        if self.is_suppressed() && self.absorbed.is_none() {
            generalized.truncate(1);
        }
        (into, generalized)
    }

    /// Applies a generalization to the cut.
    pub(crate) fn apply(&mut self, target: u32) {
        self.tree.generalize(target);
        if let Some(values) = &mut self.values {
            values.absorb(target);
            let value = self.gain.stats(target..target + 1);
            self.absorbed = Some(match &self.absorbed {
                None => value,
                Some(absorbed) => G::with(absorbed, &value),
            });
            self.update_absorptions();
            return;
        }
        self.candidates.retain(|candidate| candidate.target != target);
        if let Some(parent) = self.parents[target as usize] {
            self.open_children[parent as usize] -= 1;
            self.add_if_possible(parent);
        }
    }

    /// Finds who is above whom, and what is possible at the start.
    fn find_possible(&mut self) {
        let mut pending = vec![Tree::ROOT];
        let mut inner = Vec::new();
        while let Some(node) = pending.pop() {
            if !self.tree.is_refined(node) {
                continue;
            }
            inner.push(node);
            for &child in self.tree.children(node) {
                self.parents[child as usize] = Some(node);
                self.open_children[node as usize] += u32::from(self.tree.is_refined(child));
                pending.push(child);
            }
        }
        inner.into_iter().for_each(|node| self.add_if_possible(node));
    }

    /// A generalization is possible once the cut runs through all its children.
    fn add_if_possible(&mut self, node: u32) {
        if self.open_children[node as usize] > 0 {
            return;
        }
        let candidate = self.generalization(node);
        let place = self.candidates.partition_point(|other| other.place() < candidate.place());
        self.candidates.insert(place, candidate);
    }

    fn generalization(&self, node: u32) -> Candidate {
        let whole = self.gain.stats(self.tree.codes(node));
        let parts: Vec<G::Stats> =
            self.tree.children(node).iter().map(|&child| self.gain.stats(self.tree.codes(child))).collect();
        Candidate { target: node, position: self.tree.codes(node).start, loss: self.gain.gain(&whole, &parts) }
    }

    /// Every value that ⊥ has not absorbed could be next; what that loses depends on what ⊥ holds already.
    fn update_absorptions(&mut self) {
        let firsts = self.values.iter().flat_map(Values::firsts);
        let mut candidates: Vec<Candidate> = firsts.map(|value| self.absorption(value)).collect();
        candidates.sort_unstable_by_key(Candidate::place);
        self.candidates = candidates;
    }

    fn absorption(&self, value: u32) -> Candidate {
        let part = self.gain.stats(value..value + 1);
        let whole = self.absorbed.as_ref().map_or(part.clone(), |absorbed| G::with(absorbed, &part));
        Candidate { target: value, position: value, loss: self.gain.disclosure_gain(&whole, value) }
    }
}
