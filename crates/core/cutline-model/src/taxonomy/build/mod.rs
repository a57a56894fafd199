//! Which tree do the values of a column suggest, if nobody has drawn one?
//!
//! | how | what is put together | function |
//! | --- | --- | --- |
//! | prefix | codes that begin alike | [`Taxonomy::by_prefix`] |
//! | calendar | dates of a decade, a year, a quarter, a month | [`Taxonomy::by_calendar`] |
//! | width, frequency | numbers of a stretch | [`Taxonomy::by_width`], [`Taxonomy::by_frequency`] |
//! | class | values whose records have alike classes | [`Taxonomy::by_class`] |
//! | values | nothing: a root with all values, to be edited | [`Taxonomy::flat`] |
//!
//! All are proposals for a person to edit. Their leaves are exactly the values given, their labels are unique, and no inner node has
//! a single child (but the root, if there is a single value).
//!
//! Labels of inner nodes are published where a cut goes through them. They tell prefixes or nothing (`Group 7`), and never a value:
//! a group that is named after one of its values would tell that somebody has it.

mod alike;
mod codes;
mod groups;
mod line;
mod prefix;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use super::draft::Draft;
use super::{Taxonomy, TaxonomyError};

pub use codes::look_like_codes;
pub use groups::ClassCounts;

/// What the root is called, if no value is.
const ROOT: &str = "Any";

impl Taxonomy {
    /// A root with all values directly below it, in the order given.
    ///
    /// # Errors
    ///
    /// [`TaxonomyError::NoValues`] without values, and those of labels: an empty one, or one that comes twice.
    pub fn flat<'a>(values: impl IntoIterator<Item = &'a str>) -> Result<Taxonomy, TaxonomyError> {
        let values: Vec<&str> = values.into_iter().collect();
        let mut draft = Draft::default();
        let root = draft.add(None, &Names::beside(&values).unused(ROOT.to_owned()), None)?;
        for value in values {
            draft.add(Some(root), value, None)?;
        }
        draft.finish()
    }
}

/// Names for inner nodes, beside the values.
struct Names {
    used: HashSet<String>,
}

impl Names {
    fn beside(values: &[&str]) -> Self {
        Names { used: values.iter().map(|&value| value.to_owned()).collect() }
    }

    /// The name that is wanted, or the first of `name (2)`, `name (3)`, ... that nothing is called.
    fn unused(&mut self, wanted: String) -> String {
        let numbered = (2..).map(|number: usize| format!("{wanted} ({number})"));
        let name = std::iter::once(wanted.clone()).chain(numbered).find(|name| !self.used.contains(name));
        let name = name.unwrap_or(wanted);
        self.used.insert(name.clone());
        name
    }
}
