//! Trees as nested lists: what is above the cut, what is published, and, folded away, what is below it.

use std::borrow::Cow;

use maud::{Markup, html};

use crate::number::{count, counted};

/// The most nodes that are drawn of a tree.
const MOST_NODES: usize = 200;

/// A tree that shows more nodes than this is folded away.
const MOST_UNFOLDED: usize = 40;

/// A tree that can be drawn. Nodes have numbers from 0, the root's; children come after their parents.
///
/// There may be far more nodes than are drawn: what is said of one is asked for where it is drawn, and nowhere else.
pub(super) trait DrawnTree {
    /// Where each node lies.
    fn places(&self) -> impl Iterator<Item = Place> + Clone;

    fn place(&self, node: usize) -> Place;

    fn children(&self, node: usize) -> impl Iterator<Item = usize>;

    fn label(&self, node: usize) -> Cow<'_, str>;

    /// What is to be said of a node beside its label; often nothing.
    fn note(&self, node: usize) -> Cow<'_, str>;

    /// The tree from its first node. One that would fill screens is folded away.
    fn html(&self) -> Markup {
        if self.places().next().is_none() {
            return html! {};
        }
        let shown = self.places().filter(|&place| place != Place::Below).count();
        let mut budget = Budget { shown: MOST_NODES, below: MOST_NODES.saturating_sub(shown) };
        let tree = html! { ul.tree { (self.draw(0, &self.sizes(), &mut budget)) } };
        if shown <= MOST_UNFOLDED {
            return tree;
        }
        let labels = self.places().filter(|&place| place == Place::Published).count();
        html! { details.fold { summary { "All " (counted(labels as u64, "label")) } (tree) } }
    }

    /// The number of nodes from each node on down.
    fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![1; self.places().count()];
        for node in (0..sizes.len()).rev() {
            sizes[node] = 1 + self.children(node).map(|child| sizes[child]).sum::<u64>();
        }
        sizes
    }

    /// Every call spends one of the budget, so the depth of calls is bounded by it.
    fn draw(&self, node: usize, sizes: &[u64], budget: &mut Budget) -> Markup {
        *budget.of(self.place(node)) -= 1;
        if self.children(node).next().is_none() {
            return html! { li { (self.draw_label(node)) } "\n" };
        }
        let children = html! { ul { (self.draw_children(node, sizes, budget)) } };
        // What is above the cut can be folded by the reader; what is below it must be unfolded to be seen.
        let above = self.place(node) == Place::Above;
        html! {
            li {
                @if self.place(node) == Place::Below { (self.draw_label(node)) (children) }
                @else { details open[above] { summary { (self.draw_label(node)) } (children) } }
            }
            "\n"
        }
    }

    fn draw_children(&self, node: usize, sizes: &[u64], budget: &mut Budget) -> Markup {
        let mut more = 0;
        html! {
            @for child in self.children(node) {
                @if *budget.of(self.place(child)) > 0 { (self.draw(child, sizes, budget)) }
                @else { ({ more += sizes[child]; "" }) }
            }
            @if more > 0 { li.more { "and " (count(more)) " more" } }
        }
    }

    fn draw_label(&self, node: usize) -> Markup {
        let (text, note) = (self.label(node), self.note(node));
        html! {
            @match self.place(node) {
                Place::Above => bdi.node.above { (text) },
                Place::Published => { (label(&text)) span.aloud { " (published)" } }
                Place::Below => bdi.node.below { (text) },
            }
            @if !note.is_empty() { " " small { (note) } }
        }
    }
}

/// A tree of which everything is known beforehand. Children come after their parents.
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
pub(super) struct Budget {
    shown: usize,
    below: usize,
}

impl Outline {
    /// The tree with its labels written otherwise.
    pub(super) fn reading(mut self, read: impl Fn(&str) -> String) -> Self {
        self.nodes.iter_mut().for_each(|node| node.label = read(&node.label));
        self
    }
}

impl DrawnTree for Outline {
    fn places(&self) -> impl Iterator<Item = Place> + Clone {
        self.nodes.iter().map(|node| node.place)
    }

    fn place(&self, node: usize) -> Place {
        self.nodes[node].place
    }

    fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        self.nodes[node].children.iter().copied()
    }

    fn label(&self, node: usize) -> Cow<'_, str> {
        Cow::Borrowed(&self.nodes[node].label)
    }

    fn note(&self, node: usize) -> Cow<'_, str> {
        Cow::Borrowed(&self.nodes[node].note)
    }
}

impl Budget {
    fn of(&mut self, place: Place) -> &mut usize {
        if place == Place::Below { &mut self.below } else { &mut self.shown }
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
