//! A taxonomy under construction: what all three formats are read into.

use std::sync::Arc;

use super::{LabelSet, Node, NodeId, Taxonomy, TaxonomyError, Tree};

/// Nodes in the order in which a file mentions them: parents before children, siblings in their final order, nothing else
/// promised. [`Draft::finish`] brings them into preorder.
#[derive(Default)]
pub(super) struct Draft {
    labels: LabelSet,
    /// As many as there are labels.
    nodes: Vec<DraftNode>,
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
    /// The first nodes of a taxonomy.
    pub(super) fn of(taxonomy: &Taxonomy, nodes: usize) -> Draft {
        let mut labels = taxonomy.tree.labels.clone();
        labels.truncate(nodes);
        let known = |node: &Node| DraftNode { parent: node.parent.map(NodeId::index), line: None, depth: node.depth };
        Draft { labels, nodes: taxonomy.tree.nodes.iter().take(nodes).map(known).collect() }
    }

    /// One that will have so many nodes.
    pub(super) fn with_room(nodes: usize) -> Draft {
        Draft {
            labels: LabelSet::with_capacity_and_hasher(nodes, Default::default()),
            nodes: Vec::with_capacity(nodes),
        }
    }

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
        match self.labels.insert_full(Box::from(label)) {
            (first, false) => {
                let first = self.nodes[first].line;
                Err(TaxonomyError::DuplicateLabel { line, first, label: label.to_owned() })
            }
            (position, true) => {
                self.nodes.push(DraftNode { parent, line, depth });
                Ok(position)
            }
        }
    }

    /// The node with this label and its position.
    pub(super) fn find(&self, label: &str) -> Option<(usize, &DraftNode)> {
        self.labels.get_index_of(label).map(|position| (position, &self.nodes[position]))
    }

    /// The label of the node at a position.
    pub(super) fn label(&self, position: usize) -> &str {
        &self.labels[position]
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
            draft.labels.insert(Box::from(taxonomy.label(node)));
            draft.nodes.push(known);
        }
        draft.tree()
    }

    fn tree(self) -> Taxonomy {
        if self.is_in_preorder() { self.numbered() } else { self.in_preorder().numbered() }
    }

    /// Are the nodes in preorder already, as those of an outline are? Then each is below the one before, or below one of those above that.
    fn is_in_preorder(&self) -> bool {
        let mut path = Vec::new();
        self.nodes.iter().enumerate().all(|(position, node)| {
            path.truncate(node.depth);
            let follows = path.last().copied() == node.parent;
            path.push(position);
            follows
        })
    }

    fn in_preorder(self) -> Draft {
        let order = self.preorder();
        let mut final_position = vec![0; order.len()];
        let mut sorted = Draft::with_room(order.len());
        for (index, &position) in order.iter().enumerate() {
            final_position[position] = index;
            let DraftNode { parent, line, depth } = self.nodes[position];
            sorted.labels.insert(self.labels[position].clone());
            sorted.nodes.push(DraftNode { parent: parent.map(|parent| final_position[parent]), line, depth });
        }
        sorted
    }

    /// The positions in preorder.
    fn preorder(&self) -> Vec<usize> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (position, node) in self.nodes.iter().enumerate() {
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

    /// The tree of nodes in preorder, with everything that follows from it.
    fn numbered(self) -> Taxonomy {
        let (ends, children) = self.children();
        let mut leaves = Vec::new();
        let mut nodes: Vec<Node> = Vec::with_capacity(self.nodes.len());
        for (index, &DraftNode { parent, depth, .. }) in self.nodes.iter().enumerate() {
            let own = if index == 0 { 0 } else { ends[index - 1] }..ends[index];
            let first = leaves.len();
            if own.is_empty() {
                leaves.push(NodeId::at(index));
            }
            nodes.push(Node { parent: parent.map(NodeId::at), children: own, depth, leaves: first..first + 1 });
        }
        // Children come after their parent, so going backwards every last child knows its end before its parent asks for it.
        for index in (0..nodes.len()).rev() {
            if let Some(last) = children[nodes[index].children.clone()].last() {
                nodes[index].leaves.end = nodes[last.index()].leaves.end;
            }
        }
        let height = nodes.iter().map(|node| node.depth).max().unwrap_or(0);
        Taxonomy { tree: Arc::new(Tree { labels: self.labels, nodes, leaves, children, height }) }
    }

    /// The children of all nodes side by side, and for each node where its own end.
    fn children(&self) -> (Vec<usize>, Vec<NodeId>) {
        let parents = || self.nodes.iter().map(|node| node.parent);
        let mut place = vec![0; self.nodes.len()];
        parents().flatten().for_each(|parent| place[parent] += 1);
        let mut before = 0;
        for place in &mut place {
            before += std::mem::replace(place, before);
        }
        let mut children = vec![NodeId::ROOT; before];
        for (index, parent) in parents().enumerate() {
            let Some(parent) = parent else { continue };
            children[place[parent]] = NodeId::at(index);
            place[parent] += 1;
        }
        (place, children)
    }
}
