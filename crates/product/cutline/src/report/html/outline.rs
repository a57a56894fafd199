//! Trees as nested lists: what is above the cut, what is published, and, folded away, what is below it.

use std::fmt::Write;

use super::text::{count, escape};

/// The most nodes that are drawn of a tree.
const MOST_NODES: usize = 200;

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
    /// The tree from its first node.
    pub(super) fn html(&self) -> String {
        if self.nodes.is_empty() {
            return String::new();
        }
        let shown = self.nodes.iter().filter(|node| node.place != Place::Below).count();
        let mut budget = Budget { shown: MOST_NODES, below: MOST_NODES.saturating_sub(shown) };
        let mut text = String::from("<ul class=\"tree\">\n");
        self.draw(0, &self.sizes(), &mut budget, &mut text);
        text + "</ul>\n"
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
    fn draw(&self, index: usize, sizes: &[u64], budget: &mut Budget, text: &mut String) {
        let node = &self.nodes[index];
        let left = budget.of(node.place);
        *left -= 1;
        let _ = write!(text, "<li>");
        let folded = node.place == Place::Published && !node.children.is_empty();
        text.push_str(if folded { "<details><summary>" } else { "" });
        text.push_str(&node.html());
        text.push_str(if folded { "</summary>" } else { "" });
        if !node.children.is_empty() {
            text.push_str("\n<ul>\n");
            self.draw_children(node, sizes, budget, text);
            text.push_str("</ul>");
        }
        text.push_str(if folded { "</details>" } else { "" });
        text.push_str("</li>\n");
    }

    fn draw_children(&self, node: &Node, sizes: &[u64], budget: &mut Budget, text: &mut String) {
        let mut more = 0;
        for &child in &node.children {
            match *budget.of(self.nodes[child].place) {
                0 => more += sizes[child],
                _ => self.draw(child, sizes, budget, text),
            }
        }
        if more > 0 {
            let _ = writeln!(text, "<li class=\"more\">and {} more</li>", count(more));
        }
    }
}

impl Budget {
    fn of(&mut self, place: Place) -> &mut usize {
        if place == Place::Below { &mut self.below } else { &mut self.shown }
    }
}

impl Node {
    fn html(&self) -> String {
        let (class, aloud) = match self.place {
            Place::Above => ("above", ""),
            Place::Published => ("published", "<span class=\"aloud\"> (published)</span>"),
            Place::Below => ("below", ""),
        };
        let note = if self.note.is_empty() { String::new() } else { format!(" <small>{}</small>", escape(&self.note)) };
        format!("<bdi class=\"node {class}\">{}</bdi>{aloud}{note}", escape(&self.label))
    }
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
        let html = Outline { nodes }.html();
        assert_eq!(html.matches("<bdi").count(), MOST_NODES);
        assert!(html.contains("and 4,801 more"));
    }

    #[test]
    fn what_is_hidden_never_crowds_out_what_is_published() {
        let mut nodes = vec![
            node(Place::Above, vec![1, 2]),
            node(Place::Published, (3..1000).collect()),
            node(Place::Published, vec![]),
        ];
        nodes.extend((3..1000).map(|_| node(Place::Below, Vec::new())));
        let html = Outline { nodes }.html();
        assert_eq!(html.matches("node published").count(), 2);
        assert_eq!(html.matches("node below").count(), MOST_NODES - 3);
    }

    #[test]
    fn a_tree_that_is_one_long_path_is_drawn() {
        let mut nodes: Vec<Node> = (1..100_000).map(|next| node(Place::Above, vec![next])).collect();
        nodes.push(node(Place::Published, Vec::new()));
        assert!(Outline { nodes }.html().contains("and 99,800 more"));
    }
}
