//! The cut of one attribute on its way up.

use cutline_table::Attribute;

use crate::bins::equal_frequency;
use crate::tree::Tree;

/// Labels that become one: what a generalization does to groups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Merge {
    /// The labels that are replaced. For a value that is absorbed, ⊥ is one of them.
    pub(crate) from: Vec<u32>,
    /// The label that takes their place.
    pub(crate) to: u32,
}

/// The cut, and who is above whom.
///
/// Labels in groups are nodes of the tree; for an attribute without a tree they are values, and ⊥ comes after them.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    tree: Tree,
    /// The node above each node.
    parents: Vec<Option<u32>>,
    /// Children of each node that the cut is still below.
    open_children: Vec<u32>,
}

/// The most bins that a continuous attribute starts with.
const MOST_BINS: usize = 64;

impl Cut {
    /// Nothing is generalized.
    pub(crate) fn new(attribute: &Attribute, weights: &[u64]) -> Self {
        let continuous = !attribute.domain.as_numbers().is_empty();
        let bins = if continuous { equal_frequency(attribute, weights, MOST_BINS) } else { Vec::new() };
        let tree = Tree::expanded(attribute, bins);
        let nodes = tree.len();
        let mut cut = Cut { tree, parents: vec![None; nodes as usize], open_children: vec![0; nodes as usize] };
        for node in (0..nodes).filter(|&node| cut.tree.is_refined(node)) {
            for &child in cut.tree.children(node) {
                cut.parents[child as usize] = Some(node);
                cut.open_children[node as usize] += u32::from(cut.tree.is_refined(child));
            }
        }
        cut
    }

    /// The tree that it runs through.
    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Is this an attribute whose values are absorbed one by one?
    pub(crate) fn is_suppressed(&self) -> bool {
        self.tree.is_suppressed()
    }

    /// The label of suppressed values.
    pub(crate) fn bottom(&self) -> u32 {
        self.tree.values()
    }

    /// Labels are below this number.
    pub(crate) fn labels(&self) -> usize {
        if self.is_suppressed() { self.bottom() as usize + 1 } else { self.tree.len() as usize }
    }

    /// The label of each code.
    pub(crate) fn label_of(&self) -> Vec<u32> {
        if !self.is_suppressed() {
            return self.tree.nodes_by_code();
        }
        let label = |value: u32| if self.tree.is_disclosed(value) { value } else { self.bottom() };
        (0..self.tree.values()).map(label).collect()
    }

    /// What can be generalized to now, or absorbed.
    pub(crate) fn targets(&self) -> Vec<u32> {
        match self.is_suppressed() {
            true => (0..self.tree.values()).filter(|&value| self.tree.is_disclosed(value)).collect(),
            false => (0..self.tree.len()).filter(|&node| self.is_possible(node)).collect(),
        }
    }

    /// A generalization is possible once the cut runs through all children of its node.
    fn is_possible(&self, node: u32) -> bool {
        self.tree.is_refined(node) && self.open_children[node as usize] == 0
    }

    /// The generalization that would replace this label, if it is possible now.
    fn above(&self, label: u32) -> Option<u32> {
        self.parents[label as usize].filter(|&parent| self.is_possible(parent))
    }

    /// The generalizations that touch all of some groups, which have these labels. Of an attribute with a tree there is at most one; where
    /// all groups have ⊥, any value could join it.
    pub(crate) fn touching(&self, labels: impl Iterator<Item = u32>) -> Vec<u32> {
        if !self.is_suppressed() {
            return one_of(labels.map(|label| self.above(label))).flatten().into_iter().collect();
        }
        let mut disclosed = labels.filter(|&label| label != self.bottom()).peekable();
        match disclosed.peek() {
            None => self.targets(),
            Some(_) => one_of(disclosed).into_iter().collect(),
        }
    }

    /// What a generalization does to groups.
    pub(crate) fn merge(&self, target: u32) -> Merge {
        match self.is_suppressed() {
            true => Merge { from: vec![target, self.bottom()], to: self.bottom() },
            false => Merge { from: self.tree.children(target).to_vec(), to: target },
        }
    }

    /// Generalizes. Gives the generalization that becomes possible by that, if there is one.
    pub(crate) fn generalize(&mut self, target: u32) -> Option<u32> {
        self.tree.generalize(target);
        if self.is_suppressed() {
            return None;
        }
        let parent = self.parents[target as usize]?;
        self.open_children[parent as usize] -= 1;
        Some(parent).filter(|&parent| self.is_possible(parent))
    }
}

/// The item that all items are equal to.
fn one_of<T: PartialEq>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.all(|item| item == first).then_some(first)
}
