//! A cut through a taxonomy as bits between neighbouring values.

use std::ops::Range;

use cutline_model::{AttributeRecoding, Taxonomy};
use cutline_table::Domain;

use super::super::random::Random;
use super::{Decoded, Segment};
use crate::tree::{Tree, taxonomy_nodes};

/// The nodes of a taxonomy that differ in the values of the table below them. Bit i is the place between codes i and i + 1.
#[derive(Debug)]
pub(super) struct Cut {
    nodes: Vec<Node>,
    /// The lowest node that holds the values on both sides of a bit.
    owner: Vec<usize>,
    codes: u32,
    /// M.
    leaves: usize,
}

#[derive(Debug)]
struct Node {
    codes: Range<u32>,
    parent: usize,
    children: Vec<usize>,
    /// (M_P − 1)/(M − 1).
    loss: f64,
}

impl Node {
    /// The bits between values below the node.
    fn inner(&self) -> Range<usize> {
        self.codes.start as usize..(self.codes.end as usize).saturating_sub(1)
    }
}

impl Cut {
    pub(super) fn new(taxonomy: &Taxonomy, domain: &Domain) -> Self {
        let codes = domain.len() as u32;
        let missing = usize::from(domain.missing().is_some());
        let total = taxonomy.leaves().len() + missing;
        let mut cut = Cut { nodes: Vec::new(), owner: vec![0; codes.saturating_sub(1) as usize], codes, leaves: total };
        if codes > 0 {
            let all = taxonomy_nodes(taxonomy, domain);
            let below: Vec<usize> = taxonomy.nodes().map(|node| taxonomy.leaf_range(node).len()).collect();
            // A missing value is one more leaf under the root.
            let leaves = |node: u32| match node {
                Tree::ROOT => total,
                node => below.get(node as usize).copied().unwrap_or(1),
            };
            let loss = |node: u32| if total > 1 { (leaves(node) - 1) as f64 / (total - 1) as f64 } else { 0.0 };
            cut.add(&all, Tree::ROOT, 0, &loss);
        }
        cut
    }

    /// Adds a node and what is below it. Of nodes with the same values the lowest is taken: it says more and groups the same.
    fn add(&mut self, all: &[crate::tree::Node], node: u32, parent: usize, loss: &dyn Fn(u32) -> f64) -> usize {
        let codes = &all[node as usize].codes;
        let children = &all[node as usize].children;
        if let Some(&same) = children.iter().find(|&&child| all[child as usize].codes == *codes) {
            return self.add(all, same, parent, loss);
        }
        let id = self.nodes.len();
        self.nodes.push(Node { codes: codes.clone(), parent, children: Vec::new(), loss: loss(node) });
        let inner = self.nodes[id].inner();
        self.owner[inner].fill(id);
        for &child in children.iter().filter(|&&child| !all[child as usize].codes.is_empty()) {
            let child = self.add(all, child, id, loss);
            self.nodes[id].children.push(child);
        }
        id
    }

    /// The bits between the children of a node.
    fn separators(&self, node: usize) -> impl Iterator<Item = usize> {
        self.nodes[node].children.iter().skip(1).map(|&child| self.nodes[child].codes.start as usize - 1)
    }

    /// The fewest bits to change below a node, and in `refined` which nodes of the nearest cut are refined.
    fn nearest(&self, node: usize, bits: &[bool], ones: &[u32], refined: &mut [bool]) -> u32 {
        let inner = self.nodes[node].inner();
        let generalize = ones[inner.end] - ones[inner.start];
        if generalize == 0 {
            return 0;
        }
        let set = self.separators(node).filter(|&bit| !bits[bit]).count() as u32;
        let below = |&child: &usize| self.nearest(child, bits, ones, refined);
        let refine = set + self.nodes[node].children.iter().map(below).sum::<u32>();
        refined[node] = refine <= generalize;
        refine.min(generalize)
    }

    /// Writes the bits of a cut.
    fn write(&self, node: usize, refined: &[bool], bits: &mut [bool]) {
        if !refined[node] {
            return bits[self.nodes[node].inner()].fill(false);
        }
        self.separators(node).for_each(|bit| bits[bit] = true);
        self.nodes[node].children.iter().for_each(|&child| self.write(child, refined, bits));
    }

    fn runs(&self, node: usize, bits: &[bool], decoded: &mut Decoded<'_>) {
        let Node { codes, children, loss, .. } = &self.nodes[node];
        if bits[self.nodes[node].inner()].contains(&true) {
            children.iter().for_each(|&child| self.runs(child, bits, decoded));
        } else {
            decoded.run(codes.clone(), *loss);
        }
    }
}

impl Segment for Cut {
    fn len(&self) -> usize {
        self.owner.len()
    }

    fn loses(&self) -> bool {
        self.leaves > 1
    }

    fn repair(&self, bits: &mut [bool]) {
        if bits.is_empty() {
            return;
        }
        let mut ones = vec![0; bits.len() + 1];
        for (index, &bit) in bits.iter().enumerate() {
            ones[index + 1] = ones[index] + u32::from(bit);
        }
        let mut refined = vec![false; self.nodes.len()];
        self.nearest(0, bits, &ones, &mut refined);
        self.write(0, &refined, bits);
    }

    /// Telling two values apart refines all nodes that hold both (b3 ⇒ b2, b4, b5, b6); no longer telling them apart generalizes
    /// to the lowest of those.
    fn flip(&self, bits: &mut [bool], at: usize, _: &mut Random) {
        let owner = self.owner[at];
        if bits[at] {
            return bits[self.nodes[owner].inner()].fill(false);
        }
        let mut node = owner;
        loop {
            self.separators(node).for_each(|bit| bits[bit] = true);
            if node == 0 {
                return;
            }
            node = self.nodes[node].parent;
        }
    }

    fn decode(&self, bits: &[bool], mut decoded: Decoded<'_>) {
        if self.codes > 0 {
            self.runs(0, bits, &mut decoded);
        }
    }

    fn encode(&self, label_of: &[u32], _: &AttributeRecoding) -> Vec<bool> {
        label_of.windows(2).map(|pair| pair[0] != pair[1]).collect()
    }
}
