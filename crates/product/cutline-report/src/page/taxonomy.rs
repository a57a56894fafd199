//! A taxonomy with the cut through it.

use cutline_model::{NodeId, Taxonomy};

use super::outline::{Node, Outline, Place};
use crate::number::counted;

/// The tree, with every node above, on or below the cut.
pub(super) fn outline(taxonomy: &Taxonomy, cut: &[String]) -> Outline {
    let places = places(taxonomy, cut);
    let node = |node: NodeId| Node {
        label: taxonomy.label(node).to_owned(),
        note: note(taxonomy, node, places[node.index()]),
        place: places[node.index()],
        children: taxonomy.children(node).iter().map(|child| child.index()).collect(),
    };
    Outline { nodes: taxonomy.nodes().map(node).collect() }
}

/// Where each node lies, in preorder.
pub(super) fn places(taxonomy: &Taxonomy, cut: &[String]) -> Vec<Place> {
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

fn note(taxonomy: &Taxonomy, node: NodeId, place: Place) -> String {
    match place {
        Place::Published if !taxonomy.is_leaf(node) => {
            format!("{}, not told apart", counted(taxonomy.leaf_range(node).len() as u64, "value"))
        }
        _ => String::new(),
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
        let html = outline(&taxonomy, &cut).html().0;
        assert!(html.contains("<details><summary><bdi class=\"node published\">School</bdi>"));
        assert!(html.contains("2 values, not told apart"));
        assert!(html.contains("<bdi class=\"node below\">9th</bdi>"));
    }
}
