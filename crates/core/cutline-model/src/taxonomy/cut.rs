//! Is a set of nodes a cut, what is above it, and what does it lack?

use std::ops::Range;

use super::draft::Draft;
use super::{NodeId, Taxonomy};

impl Taxonomy {
    /// Whether exactly one of the nodes is on each path from the root to a leaf. Their order does not matter.
    ///
    /// Nodes stand for ranges of leaves, so this asks whether the ranges follow each other without gap or overlap.
    pub fn is_cut(&self, nodes: &[NodeId]) -> bool {
        if nodes.iter().any(|node| node.index() >= self.len()) {
            return false;
        }
        let covered = self.ranges(nodes).iter().try_fold(0, |end, range| (range.start == end).then_some(range.end));
        covered == Some(self.leaves().len())
    }

    /// A cut with these nodes, and where none of them is, the topmost nodes that have none of them below; in tree order.
    /// Nothing if one of them is below another one.
    pub fn completed_cut(&self, nodes: &[NodeId]) -> Option<Vec<NodeId>> {
        let ranges = self.ranges(nodes);
        if ranges.windows(2).any(|pair| pair[0].end > pair[1].start) {
            return None;
        }
        let has_some = |node: NodeId| {
            let own = self.leaf_range(node);
            let after = ranges.partition_point(|range| range.end <= own.start);
            ranges.get(after).is_some_and(|range| range.start < own.end)
        };
        let mut chosen = vec![false; self.len()];
        nodes.iter().for_each(|node| chosen[node.index()] = true);
        let mut cut = Vec::new();
        let mut pending = vec![self.root()];
        while let Some(node) = pending.pop() {
            if chosen[node.index()] || !has_some(node) {
                cut.push(node);
            } else {
                pending.extend(self.children(node).iter().rev());
            }
        }
        Some(cut)
    }

    /// The tree of these nodes and what is above them: they become its leaves, and all other nodes are left out.
    ///
    /// Of no nodes, and of the root, the root alone is left: the one taxonomy without anything below its root.
    pub fn above(&self, nodes: &[NodeId]) -> Taxonomy {
        let mut kept = vec![false; self.len()];
        kept[NodeId::ROOT.index()] = true;
        nodes.iter().flat_map(|&node| self.ancestors(node)).for_each(|node| kept[node.index()] = true);
        Draft::part(self, &kept)
    }

    /// The leaves below each node, ascending.
    fn ranges(&self, nodes: &[NodeId]) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = nodes.iter().map(|&node| self.leaf_range(node)).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: &str = "Any\n  North\n    Kiel\n    Bonn\n  South\n    Ulm\n  Rome\n";

    fn nodes(taxonomy: &Taxonomy, labels: &[&str]) -> Vec<NodeId> {
        labels.iter().map(|label| taxonomy.node(label).unwrap()).collect()
    }

    #[test]
    fn above_a_cut_its_nodes_are_leaves() {
        let taxonomy = Taxonomy::from_outline(PLACES).unwrap();
        for (cut, left) in [
            (&["North", "South", "Rome"][..], "Any\n  North\n  South\n  Rome\n"),
            (&["Bonn", "Rome"], "Any\n  North\n    Bonn\n  Rome\n"),
            (&["Kiel", "Bonn", "Ulm", "Rome"], PLACES),
            (&["Any"], "Any\n"),
            (&[], "Any\n"),
        ] {
            assert_eq!(taxonomy.above(&nodes(&taxonomy, cut)).to_outline(), left, "{cut:?}");
        }
    }

    #[test]
    fn the_root_alone_can_be_stored() {
        let root = Taxonomy::from_outline(PLACES).unwrap().above(&[]);
        assert!(root.is_cut(&[root.root()]));
        assert_eq!(serde_json::from_str::<Taxonomy>(&root.to_json()).unwrap(), root);
    }

    #[test]
    fn what_a_cut_lacks_is_completed() {
        let taxonomy = Taxonomy::from_outline(PLACES).unwrap();
        for (given, completed) in [
            (&["Bonn"][..], Some(&["Kiel", "Bonn", "South", "Rome"][..])),
            (&["Ulm", "North"], Some(&["North", "Ulm", "Rome"])),
            (&["Rome", "South", "North"], Some(&["North", "South", "Rome"])),
            (&["Any"], Some(&["Any"])),
            (&[], Some(&["Any"])),
            (&["Kiel", "North"], None),
            (&["South", "Ulm"], None),
        ] {
            let found = taxonomy.completed_cut(&nodes(&taxonomy, given));
            assert_eq!(found, completed.map(|labels| nodes(&taxonomy, labels)), "{given:?}");
            assert!(found.is_none_or(|cut| taxonomy.is_cut(&cut)));
        }
    }
}
