//! Trees as nested lists: what is above the cut, what is published, and, folded away, what is below it.

use maud::{Markup, html};

use crate::number::{count, counted};

/// The most nodes that are drawn of a tree.
const MOST_NODES: usize = 200;

/// A tree that shows more nodes than this is folded away.
const MOST_UNFOLDED: usize = 40;

/// A tree. Children come after their parents.
#[derive(Default)]
pub(super) struct Outline {
    pub(super) nodes: Vec<Node>,
}

/// A node and where it lies.
pub(super) struct Node {
    pub(super) label: String,
    /// What is to be said of it.
    pub(super) note: String,
    pub(super) place: Place,
    pub(super) children: Vec<usize>,
}

/// Where a node lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Less specific than what is published.
    Above,
    /// On the cut.
    Published,
    /// More specific than what is published.
    Below,
}

/// How many more nodes may be drawn. What is published comes before what is not.
struct Budget {
    shown: usize,
    below: usize,
}

impl Outline {
    /// The tree with its labels written otherwise.
    pub(super) fn reading(mut self, read: impl Fn(&str) -> String) -> Self {
        self.nodes.iter_mut().for_each(|node| node.label = read(&node.label));
        self
    }

    /// The tree from its first node. One that would fill screens is folded away.
    pub(super) fn html(&self) -> Markup {
        if self.nodes.is_empty() {
            return html! {};
        }
        let places = || self.nodes.iter().map(|node| node.place);
        let shown = places().filter(|&place| place != Place::Below).count();
        let mut budget = Budget { shown: MOST_NODES, below: MOST_NODES.saturating_sub(shown) };
        let tree = html! { ul.tree { (self.draw(0, &self.sizes(), &mut budget)) } };
        if shown <= MOST_UNFOLDED {
            return tree;
        }
        let labels = places().filter(|&place| place == Place::Published).count();
        html! { details.fold { summary { "All " (counted(labels as u64, "label")) } (tree) } }
    }

    /// The number of nodes from each node on down.
    fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![1; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            sizes[index] = 1 + node.children.iter().map(|&child| sizes[child]).sum::<u64>();
        }
        sizes
    }

    /// Every call spends one of the budget, so the depth of calls is bounded by it.
    fn draw(&self, index: usize, sizes: &[u64], budget: &mut Budget) -> Markup {
        let node = &self.nodes[index];
        *budget.of(node.place) -= 1;
        if node.children.is_empty() {
            return html! { li { (node.html()) } "\n" };
        }
        let children = html! { ul { (self.draw_children(node, sizes, budget)) } };
        // What is above the cut can be folded by the reader; what is below it must be unfolded to be seen.
        let above = node.place == Place::Above;
        html! {
            li {
                @if node.place == Place::Below { (node.html()) (children) }
                @else { details open[above] { summary { (node.html()) } (children) } }
            }
            "\n"
        }
    }

    fn draw_children(&self, node: &Node, sizes: &[u64], budget: &mut Budget) -> Markup {
        let mut more = 0;
        html! {
            @for &child in &node.children {
                @if *budget.of(self.nodes[child].place) > 0 { (self.draw(child, sizes, budget)) }
                @else { ({ more += sizes[child]; "" }) }
            }
            @if more > 0 { li.more { "and " (count(more)) " more" } }
        }
    }
}

impl Budget {
    fn of(&mut self, place: Place) -> &mut usize {
        if place == Place::Below { &mut self.below } else { &mut self.shown }
    }
}

impl Node {
    fn html(&self) -> Markup {
        html! {
            @match self.place {
                Place::Above => bdi.node.above { (self.label) },
                Place::Published => { (label(&self.label)) span.aloud { " (published)" } }
                Place::Below => bdi.node.below { (self.label) },
            }
            @if !self.note.is_empty() { " " small { (self.note) } }
        }
    }
}

/// A label that records show.
pub(super) fn label(label: &str) -> Markup {
    html! { bdi.node.published { (label) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(place: Place, children: Vec<usize>) -> Node {
        Node { label: "x".to_owned(), note: String::new(), place, children }
    }

    #[test]
    fn a_huge_tree_is_cut_short_and_says_so() {
        let mut nodes = vec![node(Place::Above, (1..=5000).collect())];
        nodes.extend((0..5000).map(|_| node(Place::Published, Vec::new())));
        let html = Outline { nodes }.html().0;
        assert_eq!(html.matches("<bdi").count(), MOST_NODES);
        assert!(html.contains("and 4,801 more"));
    }

    #[test]
    fn a_tree_that_fills_screens_can_be_folded() {
        let tree = |labels: usize| {
            let mut nodes = vec![node(Place::Above, (1..=labels).collect())];
            nodes.extend((0..labels).map(|_| node(Place::Published, Vec::new())));
            Outline { nodes }.html().0
        };
        assert!(tree(90).starts_with("<details class=\"fold\"><summary>All 90 labels</summary>"));
        assert!(tree(9).starts_with("<ul"));
    }

    #[test]
    fn what_is_hidden_never_crowds_out_what_is_published() {
        let mut nodes = vec![
            node(Place::Above, vec![1, 2]),
            node(Place::Published, (3..1000).collect()),
            node(Place::Published, vec![]),
        ];
        nodes.extend((3..1000).map(|_| node(Place::Below, Vec::new())));
        let html = Outline { nodes }.html().0;
        assert_eq!(html.matches("node published").count(), 2);
        assert_eq!(html.matches("node below").count(), MOST_NODES - 3);
    }

    #[test]
    fn a_tree_that_is_one_long_path_is_drawn() {
        let mut nodes: Vec<Node> = (1..100_000).map(|next| node(Place::Above, vec![next])).collect();
        nodes.push(node(Place::Published, Vec::new()));
        assert!(Outline { nodes }.html().0.contains("and 99,800 more"));
    }
}
