//! A taxonomy with the cut through it.

use std::borrow::Cow;

use cutline_model::{NodeId, Taxonomy};

use super::outline::{DrawnTree, Place};
use crate::number::counted;

/// The tree, with every node above, on or below the cut.
pub(super) struct WithCut<'a> {
    taxonomy: &'a Taxonomy,
    places: Vec<Place>,
}

impl<'a> WithCut<'a> {
    pub(super) fn new(taxonomy: &'a Taxonomy, cut: &[String]) -> Self {
        WithCut { taxonomy, places: places(taxonomy, cut) }
    }

    fn node(&self, index: usize) -> NodeId {
        // Nodes are numbered as the taxonomy does it.
        self.taxonomy.node_at(index).unwrap_or(NodeId::ROOT)
    }
}

impl DrawnTree for WithCut<'_> {
    fn places(&self) -> impl Iterator<Item = Place> + Clone {
        self.places.iter().copied()
    }

    fn place(&self, node: usize) -> Place {
        self.places[node]
    }

    fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        self.taxonomy.children(self.node(node)).iter().map(|child| child.index())
    }

    fn label(&self, node: usize) -> Cow<'_, str> {
        Cow::Borrowed(self.taxonomy.label(self.node(node)))
    }

    fn note(&self, node: usize) -> Cow<'_, str> {
        note(self.taxonomy, self.node(node), self.places[node])
    }
}

/// Where each node lies, in preorder.
fn places(taxonomy: &Taxonomy, cut: &[String]) -> Vec<Place> {
    let mut places = vec![Place::Above; taxonomy.len()];
    for node in cut.iter().filter_map(|label| taxonomy.node(label)) {
        places[node.index()] = Place::Published;
    }
    for node in taxonomy.nodes() {
        // Parents come first: they know already.
        let above = taxonomy.parent(node).map(|parent| places[parent.index()]);
        if above.is_some_and(|above| above != Place::Above) {
            places[node.index()] = Place::Below;
        }
    }
    places
}

fn note(taxonomy: &Taxonomy, node: NodeId, place: Place) -> Cow<'static, str> {
    match place {
        Place::Published if !taxonomy.is_leaf(node) => {
            format!("{}, not told apart", counted(taxonomy.leaf_range(node).len() as u64, "value")).into()
        }
        _ => Cow::Borrowed(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_above_on_or_below_the_cut() {
        let taxonomy = Taxonomy::parse("Any\n  School\n    9th\n    10th\n  University\n").expect("a taxonomy");
        let cut = ["School", "University"].map(str::to_owned);
        use Place::{Above, Below, Published};
        assert_eq!(places(&taxonomy, &cut), [Above, Published, Below, Below, Published]);
        let html = WithCut::new(&taxonomy, &cut).html().0;
        assert!(html.contains("<details><summary><bdi class=\"node published\">School</bdi>"));
        assert!(html.contains("2 values, not told apart"));
        assert!(html.contains("<bdi class=\"node below\">9th</bdi>"));
    }
}
