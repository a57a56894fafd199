//! A taxonomy under construction: what all three formats are read into.

use std::ops::Range;
use std::sync::Arc;

use indexmap::IndexMap;
use indexmap::map::Entry;

use super::{Node, NodeId, Taxonomy, TaxonomyError};

/// Nodes in the order in which a file mentions them: parents before children, siblings in their final order, nothing else
/// promised. [`Draft::finish`] brings them into preorder.
#[derive(Default)]
pub(super) struct Draft {
    nodes: IndexMap<Arc<str>, DraftNode>,
}

/// What a file says about a label.
pub(super) struct DraftNode {
    /// The parent's position in the draft; `None` for the root.
    pub(super) parent: Option<usize>,
    /// Where the label was first seen, in formats with lines.
    pub(super) line: Option<usize>,
    depth: usize,
}

impl Draft {
    /// Adds a node below `parent`, or the root, and returns its position. Readers see to it that there is one root.
    pub(super) fn add(
        &mut self,
        parent: Option<usize>,
        label: &str,
        line: Option<usize>,
    ) -> Result<usize, TaxonomyError> {
        if label.is_empty() {
            return Err(TaxonomyError::EmptyLabel { line });
        }
        let depth = parent.map_or(0, |parent| self.nodes[parent].depth + 1);
        if depth > Taxonomy::MAX_HEIGHT {
            return Err(TaxonomyError::TooDeep { line, label: label.to_owned() });
        }
        if u32::try_from(self.nodes.len()).is_err() {
            return Err(TaxonomyError::TooLarge);
        }
        match self.nodes.entry(Arc::from(label)) {
            Entry::Occupied(entry) => {
                let first = entry.get().line;
                Err(TaxonomyError::DuplicateLabel { line, first, label: label.to_owned() })
            }
            Entry::Vacant(entry) => {
                let position = entry.index();
                entry.insert(DraftNode { parent, line, depth });
                Ok(position)
            }
        }
    }

    /// The node with this label and its position.
    pub(super) fn find(&self, label: &str) -> Option<(usize, &DraftNode)> {
        self.nodes.get_full(label).map(|(position, _, node)| (position, node))
    }

    /// The label of the node at a position.
    pub(super) fn label(&self, position: usize) -> &str {
        &self.nodes.get_index(position).expect("positions come from `add` and `find`").0[..]
    }

    /// The finished tree.
    pub(super) fn finish(self) -> Result<Taxonomy, TaxonomyError> {
        match self.nodes.len() {
            0 => Err(TaxonomyError::Empty),
            1 => Err(TaxonomyError::NoValues { root: self.label(0).to_owned() }),
            _ => Ok(self.tree()),
        }
    }

    /// The finished tree, which may be a root alone: the rest of a taxonomy of which everything is hidden.
    pub(super) fn finish_part(self) -> Result<Taxonomy, TaxonomyError> {
        if self.nodes.is_empty() { Err(TaxonomyError::Empty) } else { Ok(self.tree()) }
    }

    /// The part of a taxonomy that is kept. A node that is kept has its parent kept.
    pub(super) fn part(taxonomy: &Taxonomy, kept: &[bool]) -> Taxonomy {
        let mut draft = Draft::default();
        let mut place = vec![None; kept.len()];
        for node in taxonomy.nodes().filter(|node| kept[node.index()]) {
            place[node.index()] = Some(draft.nodes.len());
            let parent = taxonomy.parent(node).and_then(|parent| place[parent.index()]);
            let known = DraftNode { parent, line: None, depth: taxonomy.depth(node) };
            draft.nodes.insert(Arc::clone(&taxonomy.get(node).label), known);
        }
        draft.tree()
    }

    fn tree(self) -> Taxonomy {
        let order = self.preorder();
        let mut final_position = vec![0; order.len()];
        for (index, &position) in order.iter().enumerate() {
            final_position[position] = index;
        }
        let mut nodes: Vec<Node> = Vec::with_capacity(order.len());
        for (index, &position) in order.iter().enumerate() {
            let (label, node) = self.nodes.get_index(position).expect("the order has the positions of the draft");
            let parent = node.parent.map(|parent| final_position[parent]);
            if let Some(parent) = parent {
                nodes[parent].children.push(NodeId::at(index));
            }
            nodes.push(Node {
                label: Arc::clone(label),
                parent: parent.map(NodeId::at),
                children: Vec::new(),
                depth: node.depth,
                leaves: Range::default(),
            });
        }
        with_leaves(nodes)
    }

    /// The positions in preorder.
    fn preorder(&self) -> Vec<usize> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (position, node) in self.nodes.values().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(position);
            }
        }
        let mut order = Vec::with_capacity(children.len());
        let mut pending = vec![0];
        while let Some(position) = pending.pop() {
            order.push(position);
            pending.extend(children[position].iter().rev());
        }
        order
    }
}

/// Numbers the leaves of nodes in preorder and adds everything that follows from the tree.
fn with_leaves(mut nodes: Vec<Node>) -> Taxonomy {
    let mut leaves = Vec::new();
    for (index, node) in nodes.iter_mut().enumerate() {
        node.leaves = leaves.len()..leaves.len() + 1;
        if node.children.is_empty() {
            leaves.push(NodeId::at(index));
        }
    }
    // Children come after their parent, so going backwards every last child knows its end before its parent asks for it.
    for index in (0..nodes.len()).rev() {
        if let Some(last) = nodes[index].children.last() {
            nodes[index].leaves.end = nodes[last.index()].leaves.end;
        }
    }
    let by_label = nodes.iter().enumerate().map(|(index, node)| (Arc::clone(&node.label), NodeId::at(index))).collect();
    let height = nodes.iter().map(|node| node.depth).max().unwrap_or(0);
    Taxonomy { nodes, leaves, by_label, height }
}
