//! Which bits are valid, by listing everything that may be published.

use std::collections::BTreeSet;

use cutline_model::{NodeId, Taxonomy};

use super::*;

/// All valid strings of bits of an attribute.
pub(super) fn valid_bits(attribute: &Attribute) -> BTreeSet<Vec<bool>> {
    let codes = attribute.domain.len();
    match &attribute.masking {
        Masking::Generalize(taxonomy) => {
            labellings_of_cuts(taxonomy, attribute).iter().map(|labels| boundaries(labels)).collect()
        }
        Masking::Discretize { .. } => intervals(attribute).iter().map(|labels| boundaries(labels)).collect(),
        Masking::Suppress => subsets(codes).collect(),
    }
}

/// Where neighbours differ.
pub(super) fn boundaries<T: PartialEq>(labels: &[T]) -> Vec<bool> {
    labels.windows(2).map(|pair| pair[0] != pair[1]).collect()
}

fn subsets(of: usize) -> impl Iterator<Item = Vec<bool>> {
    (0u32..1 << of).map(move |set| (0..of).map(|bit| set >> bit & 1 == 1).collect())
}

/// All cuts below and at a node.
fn cuts(taxonomy: &Taxonomy, node: NodeId) -> Vec<Vec<NodeId>> {
    let mut all = vec![vec![node]];
    if !taxonomy.is_leaf(node) {
        all.extend(refined(taxonomy, node));
    }
    all
}

/// All cuts below a node.
fn refined(taxonomy: &Taxonomy, node: NodeId) -> Vec<Vec<NodeId>> {
    let mut all = vec![Vec::new()];
    for &child in taxonomy.children(node) {
        let below = cuts(taxonomy, child);
        let join = |left: &Vec<NodeId>| below.iter().map(|right| [&left[..], right].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(join).collect();
    }
    all
}

/// The label of each code for every cut; `None` for missing values that can be told from others.
fn labellings_of_cuts(taxonomy: &Taxonomy, attribute: &Attribute) -> Vec<Vec<Option<NodeId>>> {
    let label = |cut: &Vec<NodeId>, leaf: NodeId| taxonomy.ancestors(leaf).find(|node| cut.contains(node));
    let leaves = attribute.domain.as_leaves();
    // Missing values are a leaf under the root: masked if the root is published.
    let missing = |cut: &Vec<NodeId>| {
        let root = cut.contains(&taxonomy.root()).then(|| taxonomy.root());
        attribute.domain.missing().map(|_| root)
    };
    let labels = |cut: Vec<NodeId>| leaves.iter().map(|&leaf| label(&cut, leaf)).chain(missing(&cut)).collect();
    cuts(taxonomy, taxonomy.root()).into_iter().map(labels).collect()
}

/// The label of each code for every choice of end points, and for the masked root where values are missing.
fn intervals(attribute: &Attribute) -> Vec<Vec<usize>> {
    let known = attribute.domain.known();
    let interval = |ends: &Vec<bool>, number: usize| ends[..number].iter().filter(|end| **end).count();
    let missing = attribute.domain.missing().map(|_| usize::MAX);
    let split = |ends: Vec<bool>| (0..known).map(|number| interval(&ends, number)).chain(missing).collect();
    let mut all: Vec<Vec<usize>> = subsets(known.saturating_sub(1)).map(split).collect();
    all.push(vec![0; attribute.domain.len()]);
    all
}
