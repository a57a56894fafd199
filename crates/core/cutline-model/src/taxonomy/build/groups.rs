//! Values whose records have alike classes.

use super::super::draft::Draft;
use super::super::{Taxonomy, TaxonomyError};
use super::alike::{Merge, merges};
use super::{Names, ROOT};

/// A value, and how many of its records are of each class.
pub type ClassCounts<'a> = (&'a str, Vec<u64>);

impl Taxonomy {
    /// The most values that [`Taxonomy::by_class`] is meant for: it keeps what every pair would lose.
    pub const MOST_ALIKE: usize = 2_000;

    /// A binary tree in which the values that are most alike are nearest: two groups at a time are put together, those whose union
    /// loses the least information about the class, counted in records. Every value has as many counts as there are classes.
    ///
    /// # Is such a tree good for a search?
    ///
    /// A binary tree lets a search stop after any two-way distinction, and the distinctions that tell most of the class are nearest
    /// to its root, so a top-down search comes to them first. Because losses are counted in records, rare values are put together
    /// first: splits near the root leave many records on both sides, which is what anonymity needs. Its danger is the chain, a tree
    /// as deep as there are values in which every step tells one value from the rest. Equal losses are therefore balanced, and below
    /// [`Taxonomy::MAX_HEIGHT`] levels, where least is lost, the values of a group are put below it without further levels.
    ///
    /// It is one attribute's tree. A search measures the gain of each attribute by itself, so two attributes that say the same (in
    /// Adult, marital status and relationship) look equally good at their roots, and refining both costs anonymity for nothing: build a
    /// tree for one of them only.
    ///
    /// The groups have no meaning but the class: they are numbered, and a person should rename those that do have one.
    ///
    /// # Errors
    ///
    /// [`TaxonomyError::NoValues`] without values, and those of labels: an empty one, or one that comes twice.
    pub fn by_class(values: &[ClassCounts]) -> Result<Taxonomy, TaxonomyError> {
        let texts: Vec<&str> = values.iter().map(|(text, _)| *text).collect();
        let counts: Vec<Vec<u64>> = values.iter().map(|(_, counts)| counts.clone()).collect();
        let merges = merges(&counts);
        // Without a merge there is a single value, or none.
        if merges.is_empty() { Taxonomy::flat(texts) } else { grown(&texts, &merges) }
    }
}

/// The tree of the merges, from the last one down.
fn grown(values: &[&str], merges: &[Merge]) -> Result<Taxonomy, TaxonomyError> {
    let below = |group: usize| group.checked_sub(values.len()).and_then(|at| merges.get(at));
    let mut names = Names::beside(values);
    let mut draft = Draft::default();
    let root = draft.add(None, &names.unused(ROOT.to_owned()), None)?;
    let mut number = 0;
    // Groups to be added, with their parents and the parents' depths. The order of addition is the order of the file.
    let last = &merges[merges.len() - 1];
    let mut pending = vec![(last.second, root, 0), (last.first, root, 0)];
    while let Some((group, parent, depth)) = pending.pop() {
        let Some(merge) = below(group) else {
            draft.add(Some(parent), values[group], None)?;
            continue;
        };
        let (parent, depth) = if depth + 1 < Taxonomy::MAX_HEIGHT {
            number += 1;
            (draft.add(Some(parent), &names.unused(format!("Group {number}")), None)?, depth + 1)
        } else {
            (parent, depth)
        };
        pending.extend([(merge.second, parent, depth), (merge.first, parent, depth)]);
    }
    draft.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_numbered_from_the_root_down() {
        let values = [
            ("clerk", vec![80, 20]),
            ("doctor", vec![10, 90]),
            ("driver", vec![85, 15]),
            ("judge", vec![5, 95]),
            ("nurse", vec![60, 40]),
        ];
        let tree = Taxonomy::by_class(&values).unwrap();
        assert_eq!(
            tree.to_outline(),
            "Any\n  Group 1\n    Group 2\n      clerk\n      driver\n    nurse\n  Group 3\n    doctor\n    judge\n"
        );
    }

    #[test]
    fn groups_are_not_named_like_values() {
        let values = [("Any", vec![1, 9]), ("Group 1", vec![1, 8]), ("b", vec![9, 1])];
        let tree = Taxonomy::by_class(&values).unwrap();
        assert_eq!(tree.to_outline(), "Any (2)\n  Group 1 (2)\n    Any\n    Group 1\n  b\n");
    }

    #[test]
    fn a_chain_is_cut_off_where_least_is_lost() {
        // Each value has a class of its own, and so many records that all before it are merged first.
        let counts = |index: usize| {
            (0..80).map(|class| if class == index { 1.7_f64.powi(index as i32) as u64 + 1 } else { 0 }).collect()
        };
        let values: Vec<(String, Vec<u64>)> = (0..80).map(|index| (format!("v{index:02}"), counts(index))).collect();
        let values: Vec<ClassCounts> = values.iter().map(|(text, counts)| (text.as_str(), counts.clone())).collect();
        let tree = Taxonomy::by_class(&values).unwrap();
        assert_eq!(tree.leaves().len(), 80);
        assert_eq!(tree.height(), Taxonomy::MAX_HEIGHT);
    }

    #[test]
    fn one_value_or_none() {
        assert_eq!(Taxonomy::by_class(&[("a", vec![3])]).unwrap().to_outline(), "Any\n  a\n");
        assert!(matches!(Taxonomy::by_class(&[]).unwrap_err(), TaxonomyError::NoValues { .. }));
    }
}
