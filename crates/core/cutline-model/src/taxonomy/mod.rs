//! Which values does a categorical attribute have, and what are their less specific names?
//!
//! A [`Taxonomy`] is a tree. Its leaves are the values of an attribute, its inner nodes are less specific values, and a *cut*
//! through it (exactly one node on every path from the root to a leaf) says what is published. It is read from, and written
//! to, three formats:
//!
//! | format | looks like | functions |
//! | --- | --- | --- |
//! | outline | one label a line, two spaces a level | [`Taxonomy::from_outline`], [`Taxonomy::to_outline`] |
//! | ARX hierarchy | `leaf;…;root`, a line for every leaf | [`Taxonomy::from_arx`], [`Taxonomy::to_arx`] |
//! | JSON | `{"label": "Any", "children": ["Female", "Male"]}` | [`Taxonomy::from_json`], [`Taxonomy::to_json`] |
//!
//! ```
//! use cutline_model::Taxonomy;
//!
//! let sex = Taxonomy::parse("Any\n  Female\n  Male\n")?;
//! assert_eq!(sex.to_arx(), "Female;Any\nMale;Any\n");
//! # Ok::<(), cutline_model::TaxonomyError>(())
//! ```
//!
//! What holds for every taxonomy, whatever it was read from:
//!
//! - No label is empty, and no two nodes have the same one: a cut is stored as a list of labels.
//! - The root has something below it (unless all of that was hidden, see [`Taxonomy::above`]).
//! - No leaf is more than [`Taxonomy::MAX_HEIGHT`] levels below the root.

mod arx;
pub mod build;
mod builtin;
mod csv;
mod cut;
mod draft;
mod error;
mod format;
mod json;
mod nearest;
mod outline;
mod show;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::IndexSet;

pub use builtin::Classification;
use draft::Draft;
pub use error::TaxonomyError;

/// A node of a [`Taxonomy`]: its position in preorder (parents before children, siblings in the order of the file).
///
/// An id means something only to the taxonomy that gave it out (and to clones of it).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every taxonomy.
    pub const ROOT: NodeId = NodeId(0);

    /// The node's position in preorder, for indexing a table with an entry for every node.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The node at a position in preorder. [`Draft::add`] has made sure that positions fit.
    fn at(index: usize) -> NodeId {
        NodeId(index as u32)
    }
}

/// A tree over the values of a categorical attribute.
///
/// Nodes are kept in preorder, so the leaves below any node are neighbours in leaf order: a node stands for a *range* of
/// leaves ([`Taxonomy::leaf_range`]), and questions about cuts become questions about ranges.
///
/// Two taxonomies are equal if they have the same labels in the same tree, with siblings in the same order. Clones share the
/// tree: a table, its recoding and all that is said of it have one, however many leaves it has.
#[derive(Clone, Debug)]
pub struct Taxonomy {
    tree: Arc<Tree>,
}

#[derive(Debug)]
struct Tree {
    labels: LabelSet,
    nodes: Vec<Node>,
    leaves: Vec<NodeId>,
    /// The children of all nodes, those of each one side by side.
    children: Vec<NodeId>,
    height: usize,
}

/// Distinct labels in the order of their nodes, so that a label's position is that of its node.
type LabelSet = IndexSet<Box<str>, RandomState>;

#[derive(Debug, PartialEq, Eq)]
struct Node {
    parent: Option<NodeId>,
    /// Where its children are among all [`Tree::children`].
    children: Range<usize>,
    depth: usize,
    leaves: Range<usize>,
}

impl PartialEq for Taxonomy {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (&*self.tree, &*other.tree);
        self.shares_tree(other) || (one.nodes == two.nodes && one.labels.as_slice() == two.labels.as_slice())
    }
}

impl Eq for Taxonomy {}

impl Taxonomy {
    /// The most levels that a tree may have below its root.
    ///
    /// Real hierarchies have fewer than twenty. With a limit, every taxonomy that can be read can also be written into a
    /// `recoding.json` and read back (`serde_json` stops at 127 nested brackets, a level needs two, and the recoding around
    /// the taxonomy needs some), and no few bytes of input can blow up the stack or the size of an outline.
    pub const MAX_HEIGHT: usize = 60;

    /// The number of nodes, inner nodes and leaves.
    #[expect(clippy::len_without_is_empty, reason = "a taxonomy has a root and at least one leaf")]
    pub fn len(&self) -> usize {
        self.tree.nodes.len()
    }

    /// All nodes in preorder: entry `i` is the node with index `i`.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + Clone {
        (0..self.len()).map(NodeId::at)
    }

    /// The node with this index.
    pub fn node_at(&self, index: usize) -> Option<NodeId> {
        (index < self.len()).then(|| NodeId::at(index))
    }

    /// The node above all others.
    pub fn root(&self) -> NodeId {
        NodeId::ROOT
    }

    /// What the node is called, in files and in published tables.
    pub fn label(&self, node: NodeId) -> &str {
        &self.tree.labels[node.index()]
    }

    /// The node directly above, or `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.get(node).parent
    }

    /// The nodes directly below, in the order of the file.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        &self.tree.children[self.get(node).children.clone()]
    }

    /// Whether the node is a value of the attribute, with nothing below it.
    pub fn is_leaf(&self, node: NodeId) -> bool {
        self.get(node).children.is_empty()
    }

    /// The node with this label, inner node or leaf.
    pub fn node(&self, label: &str) -> Option<NodeId> {
        self.tree.labels.get_index_of(label).map(NodeId::at)
    }

    /// The leaves in preorder. The leaf with rank `r` is `leaves().nth(r)`, which takes constant time.
    pub fn leaves(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + Clone {
        self.tree.leaves.iter().copied()
    }

    /// A leaf's position among [`Taxonomy::leaves`]; for an inner node, the position of the first leaf below it.
    pub fn leaf_rank(&self, node: NodeId) -> usize {
        self.get(node).leaves.start
    }

    /// The ranks of the leaves below a node (of the leaf itself, for a leaf). Never empty.
    pub fn leaf_range(&self, node: NodeId) -> Range<usize> {
        self.get(node).leaves.clone()
    }

    /// The number of steps from the root to the deepest leaf: 1 for a root with values directly below it.
    pub fn height(&self) -> usize {
        self.tree.height
    }

    /// The number of steps from the root to the node: 0 for the root.
    pub fn depth(&self, node: NodeId) -> usize {
        self.get(node).depth
    }

    /// The node itself, its parent, and so on up to the root.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + Clone {
        std::iter::successors(Some(node), |&below| self.parent(below))
    }

    /// A copy with further leaves directly under the root, after the existing children and in the order given.
    ///
    /// This is how a leaf for missing values, or values that a file does not mention, get a place in the tree. All existing
    /// nodes keep their ids and ranks.
    ///
    /// # Errors
    ///
    /// [`TaxonomyError::DuplicateLabel`] if a value is already a label of the tree (a leaf or an inner node) or comes twice,
    /// [`TaxonomyError::EmptyLabel`] if one is empty.
    pub fn attach(&self, values: impl IntoIterator<Item = String>) -> Result<Taxonomy, TaxonomyError> {
        let mut values = values.into_iter().peekable();
        if values.peek().is_none() && self.len() > 1 {
            return Ok(self.clone());
        }
        let mut draft = Draft::of(self, self.len());
        for value in values {
            draft.add(Some(NodeId::ROOT.index()), &value, None)?;
        }
        draft.finish()
    }

    /// A copy without so many leaves that were [attached](Taxonomy::attach) last. All other nodes keep their ids and ranks.
    ///
    /// # Errors
    ///
    /// If nothing would be left.
    pub fn detach(&self, values: usize) -> Result<Taxonomy, TaxonomyError> {
        if values == 0 {
            return Ok(self.clone());
        }
        Draft::of(self, self.len().saturating_sub(values)).finish()
    }

    /// Is this one of its nodes, if a tree that it was attached to or detached from has it?
    pub fn has(&self, node: NodeId) -> bool {
        node.index() < self.len()
    }

    /// Is the other one a clone of this one, or this one of it? Then a node of one is the same node of the other.
    pub fn shares_tree(&self, other: &Taxonomy) -> bool {
        Arc::ptr_eq(&self.tree, &other.tree)
    }

    fn get(&self, node: NodeId) -> &Node {
        &self.tree.nodes[node.index()]
    }
}
