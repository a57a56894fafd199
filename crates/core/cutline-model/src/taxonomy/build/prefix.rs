//! Codes that begin alike.

use super::super::draft::Draft;
use super::super::{Taxonomy, TaxonomyError};
use super::{Names, ROOT};

/// With more characters to come than this, a label ends in one `*` instead of one for each.
const MOST_STARS: usize = 8;

impl Taxonomy {
    /// A tree of shared prefixes: `13053` is below `1305*`, `130**`, `13***` and `Any`, as far as these distinguish anything.
    ///
    /// Every inner node but the root is the longest prefix of all values below it, and no node has a single child: where all
    /// values below a node go on alike, the node is that longer prefix. A label has a `*` for each further character if there is
    /// the same, small number of them in all values below it, and one `*` otherwise. Characters are Unicode scalar values.
    ///
    /// Prefixes that would be deeper than [`Taxonomy::MAX_HEIGHT`] are left out.
    ///
    /// # Errors
    ///
    /// [`TaxonomyError::NoValues`] without values, and those of labels: an empty one, or one that comes twice.
    pub fn by_prefix<'a>(values: impl IntoIterator<Item = &'a str>) -> Result<Taxonomy, TaxonomyError> {
        let mut values: Vec<&str> = values.into_iter().collect();
        values.sort_unstable();
        let mut names = Names::beside(&values);
        let mut draft = Draft::default();
        let root = draft.add(None, &names.unused(ROOT.to_owned()), None)?;
        Trie { draft: &mut draft, names: &mut names }.add_below(root, 0, &values)?;
        draft.finish()
    }
}

struct Trie<'a> {
    draft: &'a mut Draft,
    names: &'a mut Names,
}

impl Trie<'_> {
    /// Adds sorted values below a node, those that share a longer prefix than all of them below a node of their own. Goes no deeper
    /// than the tree may be high.
    fn add_below(&mut self, parent: usize, depth: usize, values: &[&str]) -> Result<(), TaxonomyError> {
        let shared = shared_prefix(values).len();
        let next = |value: &str| value[shared..].chars().next();
        let may_nest = depth + 1 < Taxonomy::MAX_HEIGHT;
        for group in values.chunk_by(|one, other| may_nest && next(one) == next(other)) {
            match group {
                [value] => {
                    self.draft.add(Some(parent), value, None)?;
                }
                // The same value twice: let the draft say so.
                [value, .., last] if value == last => {
                    let twice = [self.draft.add(Some(parent), value, None), self.draft.add(Some(parent), last, None)];
                    twice.into_iter().collect::<Result<Vec<_>, _>>()?;
                }
                _ => {
                    let node = self.draft.add(Some(parent), &self.names.unused(label(group)), None)?;
                    self.add_below(node, depth + 1, group)?;
                }
            }
        }
        Ok(())
    }
}

/// What sorted values have in common at their beginning: what the first and the last have.
fn shared_prefix<'a>(values: &[&'a str]) -> &'a str {
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return "" };
    let mut characters = first.char_indices().zip(last.chars());
    let end = characters.find(|((_, one), other)| one != other).map(|((at, _), _)| at);
    &first[..end.unwrap_or(first.len().min(last.len()))]
}

fn label(values: &[&str]) -> String {
    let prefix = shared_prefix(values);
    let mut further = values.iter().map(|value| value[prefix.len()..].chars().count());
    let first = further.next().unwrap_or_default();
    let stars = if first <= MOST_STARS && further.all(|count| count == first) { first } else { 1 };
    format!("{prefix}{}", "*".repeat(stars))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(values: &[&str]) -> String {
        Taxonomy::by_prefix(values.iter().copied()).unwrap().to_outline()
    }

    #[test]
    fn zip_codes_lose_their_last_digits() {
        assert_eq!(
            outline(&["13068", "14850", "13053", "13054", "94110", "14853"]),
            "Any\n  1****\n    130**\n      1305*\n        13053\n        13054\n      13068\n    1485*\n      14850\n      \
             14853\n  94110\n"
        );
    }

    #[test]
    fn the_root_is_any_even_if_all_begin_alike() {
        assert_eq!(outline(&["13053", "13068"]), "Any\n  13053\n  13068\n");
        assert_eq!(outline(&["13053"]), "Any\n  13053\n");
    }

    #[test]
    fn codes_of_mixed_lengths_end_in_one_star() {
        assert_eq!(
            outline(&["E11.9", "E11", "E11.65", "I10", "E10"]),
            "Any\n  E1*\n    E10\n    E11*\n      E11\n      E11.*\n        E11.65\n        E11.9\n  I10\n"
        );
    }

    #[test]
    fn characters_are_not_bytes() {
        // é and è share their first byte.
        assert_eq!(outline(&["éa1", "éb1", "èa1"]), "Any\n  èa1\n  é**\n    éa1\n    éb1\n");
    }

    #[test]
    fn labels_that_are_values_are_numbered() {
        assert_eq!(
            outline(&["1305*", "13051", "13052", "2", "Any"]),
            "Any (2)\n  1305* (2)\n    1305*\n    13051\n    13052\n  2\n  Any\n"
        );
    }

    #[test]
    fn a_value_that_comes_twice_is_an_error() {
        for values in [&["a", "a"][..], &["a", "b", "b"], &["ab", "ac", "ac", "ac"]] {
            let error = Taxonomy::by_prefix(values.iter().copied()).unwrap_err();
            assert!(matches!(error, TaxonomyError::DuplicateLabel { .. }), "{values:?}");
        }
        assert!(matches!(Taxonomy::by_prefix([]).unwrap_err(), TaxonomyError::NoValues { .. }));
        assert!(matches!(Taxonomy::by_prefix([""]).unwrap_err(), TaxonomyError::EmptyLabel { .. }));
    }

    #[test]
    fn the_tree_is_never_too_high() {
        let values: Vec<String> = (1..=100).map(|length| "a".repeat(length)).collect();
        let tree = Taxonomy::by_prefix(values.iter().map(String::as_str)).unwrap();
        assert_eq!((tree.height(), tree.leaves().len()), (Taxonomy::MAX_HEIGHT, 100));
    }
}
