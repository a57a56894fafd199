//! The outline format: one label a line, two spaces a level.

use super::draft::Draft;
use super::format::without_bom;
use super::{Taxonomy, TaxonomyError};

/// Spaces a level.
const INDENT: usize = 2;

impl Taxonomy {
    /// Reads an outline: one label a line, two spaces a level, the root first.
    ///
    /// ```text
    /// Any
    ///   Secondary
    ///     11th
    ///     12th
    ///   University
    /// ```
    ///
    /// Blank lines are skipped and blanks at the end of a line do not count. There are no comments: `#` is a label like any
    /// other.
    ///
    /// # Errors
    ///
    /// A [`TaxonomyError`] with the line, for bad indentation, a second root, a label that is used twice, or no values.
    pub fn from_outline(text: &str) -> Result<Taxonomy, TaxonomyError> {
        let mut draft = Draft::default();
        // The positions of the last line's node and its ancestors, the root first.
        let mut path: Vec<usize> = Vec::new();
        for (index, row) in without_bom(text).lines().enumerate() {
            let line = index + 1;
            let row = row.trim_end();
            if row.is_empty() {
                continue;
            }
            let (level, label) = split_indent(row, line)?;
            check_level(level, path.len(), line)?;
            if let (0, Some(&root)) = (level, path.first()) {
                let root = draft.label(root).to_owned();
                return Err(TaxonomyError::TwoRoots { line, root, label: label.to_owned() });
            }
            path.truncate(level);
            path.push(draft.add(path.last().copied(), label, Some(line))?);
        }
        draft.finish()
    }

    /// Writes the outline that [`Taxonomy::from_outline`] reads.
    ///
    /// An outline cannot hold every label: line breaks in a label are written as spaces, and blanks at its ends are lost when
    /// it is read. [`Taxonomy::fits_outline`] tells whether this concerns any label.
    pub fn to_outline(&self) -> String {
        let mut text = String::new();
        for node in self.nodes() {
            text.extend(std::iter::repeat_n(' ', INDENT * self.depth(node)));
            text.extend(self.label(node).chars().map(|character| if is_break(character) { ' ' } else { character }));
            text.push('\n');
        }
        text
    }

    /// Whether an outline can hold a label: not one with a line break, or with blanks at its ends.
    pub fn outline_holds(label: &str) -> bool {
        !label.contains(is_break) && label.trim() == label
    }

    /// Whether [`Taxonomy::to_outline`] loses nothing, so that reading it gives the same taxonomy.
    pub fn fits_outline(&self) -> bool {
        Taxonomy::from_outline(&self.to_outline()).is_ok_and(|read| read == *self)
    }
}

/// The level of a row that is not blank, and its label.
fn split_indent(row: &str, line: usize) -> Result<(usize, &str), TaxonomyError> {
    let label = row.trim_start_matches(' ');
    let spaces = row.len() - label.len();
    // A tab, or the no-break spaces of text that was copied from a web page.
    if !spaces.is_multiple_of(INDENT) || label.starts_with(char::is_whitespace) {
        return Err(TaxonomyError::BadIndent { line });
    }
    Ok((spaces / INDENT, label))
}

/// A node may be at most one level below the line before, which is at level `open - 1`.
fn check_level(level: usize, open: usize, line: usize) -> Result<(), TaxonomyError> {
    match (level, open) {
        (1.., 0) => Err(TaxonomyError::IndentedRoot { line }),
        (level, open) if level > open => Err(TaxonomyError::IndentJump { line }),
        _ => Ok(()),
    }
}

fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        Taxonomy::from_outline(text).unwrap_err().to_string()
    }

    #[test]
    fn reads_levels_as_parents() {
        let tree = Taxonomy::from_outline("Any\n  A\n    a1\n    a2\n  b\n").unwrap();
        let parent = |label| tree.label(tree.parent(tree.node(label).unwrap()).unwrap());
        assert_eq!([parent("A"), parent("a1"), parent("a2"), parent("b")], ["Any", "A", "A", "Any"]);
    }

    #[test]
    fn tolerates_bom_crlf_blank_lines_and_trailing_blanks() {
        let tidy = Taxonomy::from_outline("Any\n  a b\n  c\n").unwrap();
        assert_eq!(Taxonomy::from_outline("\u{feff}Any \t\r\n\r\n  a b  \r\n \t \r\n  c").unwrap(), tidy);
    }

    #[test]
    fn hash_is_a_label() {
        let tree = Taxonomy::from_outline("#\n  # a\n  b\n").unwrap();
        assert_eq!(tree.label(tree.root()), "#");
        assert!(tree.node("# a").is_some());
    }

    #[test]
    fn indentation_errors_name_the_line() {
        let bad = |line| TaxonomyError::BadIndent { line };
        assert_eq!(Taxonomy::from_outline("Any\n a\n"), Err(bad(2)));
        assert_eq!(Taxonomy::from_outline("Any\n\n\ta\n"), Err(bad(3)));
        assert_eq!(Taxonomy::from_outline("Any\n  \ta\n"), Err(bad(2)));
        assert_eq!(Taxonomy::from_outline("Any\n\u{a0}\u{a0}a\n"), Err(bad(2)));
        assert_eq!(Taxonomy::from_outline("Any\n    a\n"), Err(TaxonomyError::IndentJump { line: 2 }));
        assert_eq!(Taxonomy::from_outline("Any\n  a\n      b\n"), Err(TaxonomyError::IndentJump { line: 3 }));
        assert_eq!(Taxonomy::from_outline("\n  Any\n  a\n"), Err(TaxonomyError::IndentedRoot { line: 2 }));
        assert_eq!(message("Any\n a\n"), "line 2: bad indent: use two spaces a level, and no tabs");
    }

    #[test]
    fn second_root_is_an_error() {
        let error = TaxonomyError::TwoRoots { line: 4, root: "Any".into(), label: "All".into() };
        assert_eq!(Taxonomy::from_outline("Any\n  a\n\nAll\n  b\n"), Err(error));
    }

    #[test]
    fn duplicate_label_names_both_lines() {
        assert_eq!(
            message("Any\n  A\n    x\n  B\n    x\n"),
            "line 5: the label `x` is already used on line 3: every label, of a value or of a group, must be unique; \
             remove or rename one"
        );
        assert!(message("Any\n  A\n    Any\n").starts_with("line 3: the label `Any` is already used on line 1"));
    }

    #[test]
    fn root_alone_has_no_values() {
        assert_eq!(message("Any\n"), "the root `Any` has no values: write them below it");
    }

    #[test]
    fn too_many_levels_are_an_error() {
        let levels =
            |height: usize| (0..=height).map(|level| format!("{}n{level}\n", "  ".repeat(level))).collect::<String>();
        assert_eq!(Taxonomy::from_outline(&levels(60)).unwrap().height(), 60);
        let error = TaxonomyError::TooDeep { line: Some(62), label: "n61".into() };
        assert_eq!(Taxonomy::from_outline(&levels(10_000)), Err(error));
    }

    #[test]
    fn labels_that_an_outline_cannot_hold_are_found() {
        let tree = Taxonomy::from_outline("Any\n  a\n").unwrap();
        assert!(tree.fits_outline() && Taxonomy::outline_holds("a b"));
        for label in [" b", "b ", "b\nc", "b\rc", "\t"] {
            assert!(!tree.attach([label.to_owned()]).unwrap().fits_outline(), "{label:?}");
            assert!(!Taxonomy::outline_holds(label), "{label:?}");
        }
        assert_eq!(tree.attach(["b\n  c".to_owned()]).unwrap().to_outline(), "Any\n  a\n  b   c\n");
    }
}
