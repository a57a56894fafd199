//! Trees before anything is refined: of taxonomies, of intervals, of pairs of neighbours.

use std::ops::Range;

use cutline_model::Taxonomy;
use cutline_table::Domain;

use super::Tree;

/// A run of codes, and what it would be refined into.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) codes: Range<u32>,
    pub(crate) children: Vec<u32>,
    /// Is the cut below it?
    pub(super) refined: bool,
}

impl Node {
    pub(crate) fn new(codes: Range<u32>) -> Self {
        Node { codes, children: Vec::new(), refined: false }
    }
}

/// All nodes of a taxonomy in preorder; missing values get a leaf directly under the root, the last node.
pub(crate) fn taxonomy_nodes(taxonomy: &Taxonomy, domain: &Domain) -> Vec<Node> {
    let codes_before = codes_before(taxonomy, domain);
    let code = |rank: usize| codes_before[rank];
    let mut nodes: Vec<Node> = Vec::with_capacity(taxonomy.len() + 1);
    for node in taxonomy.nodes() {
        let leaves = taxonomy.leaf_range(node);
        let children = taxonomy.children(node).iter().map(|child| child.index() as u32).collect();
        nodes.push(Node { codes: code(leaves.start)..code(leaves.end), children, refined: false });
    }
    if let Some(missing) = domain.missing() {
        let leaf = nodes.len() as u32;
        nodes.push(Node::new(missing..missing + 1));
        nodes[Tree::ROOT as usize].codes = 0..missing + 1;
        nodes[Tree::ROOT as usize].children.push(leaf);
    }
    nodes
}

/// For each rank of a leaf, and for one beyond the last, how many values come before it. Asked for every node, of which there may be far
/// more than values.
fn codes_before(taxonomy: &Taxonomy, domain: &Domain) -> Vec<u32> {
    let mut ranks = domain.as_leaves().iter().map(|&leaf| taxonomy.leaf_rank(leaf)).peekable();
    let mut before = 0;
    let count = |rank: usize| {
        let own = before;
        before += u32::from(ranks.next_if(|&next| next == rank).is_some());
        own
    };
    (0..=taxonomy.leaves().len()).map(count).collect()
}

/// Puts the runs of equal labels below the node of the full range.
pub(super) fn hang_intervals(nodes: &mut Vec<Node>, label_of: &[u32]) {
    let full = nodes[Tree::ROOT as usize].children.first().copied().unwrap_or(Tree::ROOT) as usize;
    let codes = nodes[full].codes.clone();
    let labels = &label_of[codes.start as usize..codes.end as usize];
    let mut start = codes.start;
    for run in labels.chunk_by(|a, b| a == b).filter(|run| run.len() < labels.len()) {
        let child = nodes.len() as u32;
        nodes.push(Node::new(start..start + run.len() as u32));
        nodes[full].children.push(child);
        start += run.len() as u32;
    }
}

/// Hangs a binary tree over the bins below the node of the full range.
pub(super) fn pair_neighbours(nodes: &mut Vec<Node>, bins: Vec<Range<u32>>) {
    let full = nodes[Tree::ROOT as usize].children.first().copied().unwrap_or(Tree::ROOT);
    let first = nodes.len() as u32;
    nodes.extend(bins.into_iter().map(Node::new));
    let mut level: Vec<u32> = (first..nodes.len() as u32).collect();
    while level.len() > 2 {
        let mut above = Vec::with_capacity(level.len().div_ceil(2));
        for pair in level.chunks(2) {
            if let [left, right] = *pair {
                let codes = nodes[left as usize].codes.start..nodes[right as usize].codes.end;
                above.push(nodes.len() as u32);
                nodes.push(Node { codes, children: vec![left, right], refined: false });
            } else {
                above.push(pair[0]);
            }
        }
        level = above;
    }
    if level.len() == 2 {
        nodes[full as usize].children = level;
    }
}

/// The full range; where values are missing, a root above {full range, missing}.
pub(crate) fn interval_root(domain: &Domain) -> Vec<Node> {
    let codes = domain.len() as u32;
    match domain.missing() {
        Some(missing) if missing > 0 => {
            let root = Node { codes: 0..codes, children: vec![1, 2], refined: false };
            vec![root, Node::new(0..missing), Node::new(missing..codes)]
        }
        _ => vec![Node::new(0..codes)],
    }
}
