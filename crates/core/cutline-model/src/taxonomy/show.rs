//! A taxonomy as a drawing for people.

use super::{NodeId, Taxonomy};

impl Taxonomy {
    /// Draws the tree, a line for every node, with ` ◀` behind those that are marked (the nodes of a cut).
    ///
    /// ```text
    /// Any
    /// ├─ Secondary ◀
    /// │  ├─ 11th
    /// │  └─ 12th
    /// └─ University ◀
    /// ```
    ///
    /// Control characters in labels are escaped: the drawing goes to a terminal.
    pub fn show(&self, marked: &[NodeId]) -> String {
        let mut is_marked = vec![false; self.len()];
        for node in marked {
            is_marked[node.index()] = true;
        }
        let mut text = String::new();
        // For the node of the last line and its ancestors below the root: whether it is its parent's last child.
        let mut last: Vec<bool> = Vec::new();
        for node in self.nodes() {
            if let Some(parent) = self.parent(node) {
                last.truncate(self.depth(parent));
                text.extend(last.iter().map(|&is_last| if is_last { "   " } else { "│  " }));
                let is_last = self.children(parent).last() == Some(&node);
                text.push_str(if is_last { "└─ " } else { "├─ " });
                last.push(is_last);
            }
            push_printable(&mut text, self.label(node));
            text.push_str(if is_marked[node.index()] { " ◀\n" } else { "\n" });
        }
        text
    }
}

fn push_printable(text: &mut String, label: &str) {
    for character in label.chars() {
        if character.is_control() {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_branches_and_marks() {
        let tree = Taxonomy::from_outline("Any\n  A\n    a1\n      x\n    a2\n  B\n    b1\n    b2\n").unwrap();
        let cut = ["a1", "a2", "B"].map(|label| tree.node(label).unwrap());
        let expected = "\
Any
├─ A
│  ├─ a1 ◀
│  │  └─ x
│  └─ a2 ◀
└─ B ◀
   ├─ b1
   └─ b2
";
        assert_eq!(tree.show(&cut), expected);
        assert_eq!(tree.show(&[]), expected.replace(" ◀", ""));
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let tree = Taxonomy::from_json(r#"{"label": "Any", "children": ["a\nb\u001b[31m"]}"#).unwrap();
        assert_eq!(tree.show(&[]), "Any\n└─ a\\nb\\u{1b}[31m\n");
    }
}
