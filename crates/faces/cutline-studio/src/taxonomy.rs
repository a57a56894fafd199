//! Trees to edit: proposed from a column, read from a file, written to one.

use cutline::model::{Taxonomy, TaxonomyError};
use cutline::{By, Error, TaxonomyPlan, build_taxonomy};
use serde::{Deserialize, Serialize};

use crate::watch::Task;

/// What puts the values of a column together.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Build {
    /// How they begin.
    Prefix,
    /// How alike the classes of their records are.
    Target,
    /// The calendar.
    Calendar,
    /// Stretches of equal width.
    Width,
    /// Stretches with about as many records each.
    Frequency,
    /// Nothing.
    Flat,
}

/// How a tree is written down.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Written {
    Outline,
    Arx,
    Json,
}

/// A tree in preorder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TreeView {
    pub(crate) nodes: Vec<TreeNode>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TreeNode {
    pub(crate) label: String,
    /// The place of the node above; nothing for the root.
    pub(crate) parent: Option<usize>,
}

impl TreeView {
    pub(crate) fn of(taxonomy: &Taxonomy) -> Self {
        let node = |node| TreeNode {
            label: taxonomy.label(node).to_owned(),
            parent: taxonomy.parent(node).map(|parent| parent.index()),
        };
        TreeView { nodes: taxonomy.nodes().map(node).collect() }
    }

    /// The taxonomy, if it is one.
    pub(crate) fn taxonomy(&self) -> Result<Taxonomy, TaxonomyError> {
        // A label may be anything but several lines, which JSON writes too.
        Taxonomy::from_json(&self.json(0, &self.children(), Taxonomy::MAX_HEIGHT + 1).to_string())
    }

    /// The children of each node. Nodes are in preorder: those below come after.
    fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent.filter(|&parent| parent < at) {
                children[parent].push(at);
            }
        }
        children
    }

    /// A node with what is below it, as far as so many levels. More make no taxonomy, and would make a large stack.
    fn json(&self, at: usize, below: &[Vec<usize>], levels: usize) -> serde_json::Value {
        let Some(node) = self.nodes.get(at).filter(|_| levels > 0) else { return serde_json::Value::Null };
        let children: Vec<serde_json::Value> = below[at].iter().map(|&at| self.json(at, below, levels - 1)).collect();
        match children.is_empty() && at > 0 {
            true => serde_json::Value::String(node.label.clone()),
            false => serde_json::json!({ "label": node.label, "children": children }),
        }
    }

    /// Its text, to be stored.
    pub(crate) fn written(&self, how: Written) -> Result<String, TaxonomyError> {
        let taxonomy = self.taxonomy()?;
        Ok(match how {
            Written::Outline => taxonomy.to_outline(),
            Written::Arx => taxonomy.to_arx(),
            Written::Json => taxonomy.to_json(),
        })
    }
}

/// A tree that the values of a column suggest.
pub(crate) fn proposed(
    table: &cutline::Table,
    (attribute, target): (&str, Option<&str>),
    by: Build,
    nulls: &[String],
    task: &Task,
) -> Result<TreeView, Error> {
    let (by, target) = match by {
        Build::Prefix => (By::Prefix, None),
        Build::Target => (By::Target, target.map(str::to_owned)),
        Build::Calendar => (By::Calendar, None),
        Build::Width => (By::Width, None),
        Build::Frequency => (By::Frequency, None),
        Build::Flat => (By::Values, None),
    };
    let plan = TaxonomyPlan {
        table: String::new(),
        attribute: attribute.to_owned(),
        by: Some(by),
        target,
        nulls: nulls.to_vec(),
    };
    Ok(TreeView::of(&build_taxonomy(table, &plan, task)?.taxonomy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_comes_back_as_it_went() {
        let outline = "Any\n  North\n    Kiel\n    Bonn\n  South\n    Ulm\n  Rome\n";
        let taxonomy = Taxonomy::parse(outline).unwrap();
        let view = TreeView::of(&taxonomy);
        assert_eq!(view.taxonomy().unwrap(), taxonomy);
        assert_eq!(view.written(Written::Outline).unwrap(), outline);
        assert_eq!(Taxonomy::parse(&view.written(Written::Arx).unwrap()).unwrap().len(), taxonomy.len());
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let node = |label: &str, parent| TreeNode { label: label.to_owned(), parent };
        for nodes in [vec![], vec![node("Any", None)], vec![node("Any", None), node("Any", Some(0))]] {
            assert!(TreeView { nodes }.taxonomy().is_err());
        }
        let deep = (0..100_000).map(|at: usize| node(&format!("n{at}"), at.checked_sub(1))).collect();
        assert!(TreeView { nodes: deep }.taxonomy().is_err());
        // A node above itself is below nothing.
        let cycle = vec![node("Any", None), node("a", Some(2)), node("b", Some(1)), node("c", Some(0))];
        assert_eq!(TreeView { nodes: cycle }.taxonomy().unwrap().len(), 2);
    }
}
