//! The hierarchy files of ARX: a line for every value, with its less specific values up to the root.

use std::borrow::Cow;

use super::csv::{self, Record, Records};
use super::draft::Draft;
use super::format::without_bom;
use super::{NodeId, Taxonomy, TaxonomyError};

impl Taxonomy {
    /// Reads an ARX hierarchy: CSV without a header, a line `value;…;root` for every value.
    ///
    /// ```text
    /// 11th;Secondary;Any
    /// 12th;Secondary;Any
    /// Bachelors;Bachelors;Any
    /// ```
    ///
    /// The delimiter is `;`, or `,` if the first line has no `;`. All lines have as many fields as the first; a label that is
    /// repeated in the next field (as in the last line above) is one node. Children are in the order in which they first
    /// appear. Blanks around a field do not count unless they are quoted.
    ///
    /// # Errors
    ///
    /// A [`TaxonomyError`] with the line, if the lines do not describe one tree in which every label occurs once.
    pub fn from_arx(text: &str) -> Result<Taxonomy, TaxonomyError> {
        let text = without_bom(text);
        let mut reader = Reader::default();
        for record in Records::new(text, csv::delimiter(text).unwrap_or(';')) {
            reader.read(&record?)?;
        }
        reader.draft.finish()
    }

    /// Writes an ARX hierarchy with `;` between fields, a line for every leaf.
    ///
    /// All lines need the same number of fields, so leaves closer to the root are repeated: `Bachelors;Bachelors;Any`.
    pub fn to_arx(&self) -> String {
        let mut text = String::new();
        for leaf in self.leaves() {
            let padding = std::iter::repeat_n(leaf, self.height() - self.depth(leaf));
            for (field, node) in padding.chain(self.ancestors(leaf)).enumerate() {
                if field > 0 {
                    text.push(';');
                }
                csv::write_field(&mut text, self.label(node), ';');
            }
            text.push('\n');
        }
        text
    }
}

/// The tree that the lines read so far describe.
#[derive(Default)]
struct Reader {
    draft: Draft,
    /// The number of fields in the first line.
    width: Option<usize>,
    /// What the node at each position in the draft is.
    roles: Vec<Role>,
}

/// A label cannot be both: values are leaves, and something is below every group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A line starts with it.
    Value,
    /// It stands above a line's value.
    Group,
}

impl Reader {
    fn read(&mut self, record: &Record<'_>) -> Result<(), TaxonomyError> {
        self.check_fields(record)?;
        let line = record.line;
        let mut path = path_from_root(&record.fields).into_iter();
        let mut parent = self.root(path.next().unwrap_or_default(), line)?;
        let Some(value) = path.next_back() else {
            return Err(TaxonomyError::RootBelow { line, label: self.draft.label(parent).to_owned() });
        };
        for group in path {
            parent = self.group(parent, group, line)?;
        }
        self.value(parent, value, line)
    }

    fn check_fields(&mut self, record: &Record<'_>) -> Result<(), TaxonomyError> {
        let (line, found) = (record.line, record.fields.len());
        let expected = *self.width.get_or_insert(found);
        if expected < 2 {
            return Err(TaxonomyError::NoDelimiter { line });
        }
        if found != expected {
            return Err(TaxonomyError::FieldCount { line, expected, found });
        }
        if record.fields.iter().any(|label| label.is_empty()) {
            return Err(TaxonomyError::EmptyLabel { line: Some(line) });
        }
        Ok(())
    }

    /// The position of the root, which every line ends with.
    fn root(&mut self, label: &str, line: usize) -> Result<usize, TaxonomyError> {
        let root = NodeId::ROOT.index();
        if self.roles.is_empty() {
            return self.add(None, label, line, Role::Group);
        }
        if self.draft.label(root) != label {
            let root = self.draft.label(root).to_owned();
            return Err(TaxonomyError::TwoRoots { line, root, label: label.to_owned() });
        }
        Ok(root)
    }

    /// The position of a label that stands above the line's value.
    fn group(&mut self, parent: usize, label: &str, line: usize) -> Result<usize, TaxonomyError> {
        match self.known(parent, label, line)? {
            Some((position, first)) if self.roles[position] == Role::Value => {
                Err(TaxonomyError::ValueAndGroup { line, first, label: label.to_owned() })
            }
            Some((position, _)) => Ok(position),
            None => self.add(Some(parent), label, line, Role::Group),
        }
    }

    /// Adds the label that the line is about.
    fn value(&mut self, parent: usize, label: &str, line: usize) -> Result<(), TaxonomyError> {
        match self.known(parent, label, line)? {
            Some((position, first)) if self.roles[position] == Role::Group => {
                Err(TaxonomyError::ValueAndGroup { line, first, label: label.to_owned() })
            }
            // A label that is known to be a value is refused here, as a duplicate.
            _ => self.add(Some(parent), label, line, Role::Value).map(drop),
        }
    }

    /// The position and first line of a label that an earlier field has put below the same parent.
    fn known(&self, parent: usize, label: &str, line: usize) -> Result<Option<(usize, usize)>, TaxonomyError> {
        let Some((position, node)) = self.draft.find(label) else { return Ok(None) };
        let first = node.line.unwrap_or(line);
        match node.parent {
            None => Err(TaxonomyError::RootBelow { line, label: label.to_owned() }),
            Some(first_parent) if first_parent != parent => Err(TaxonomyError::TwoParents {
                line,
                first,
                label: label.to_owned(),
                first_parent: self.draft.label(first_parent).to_owned(),
                parent: self.draft.label(parent).to_owned(),
            }),
            Some(_) => Ok(Some((position, first))),
        }
    }

    fn add(&mut self, parent: Option<usize>, label: &str, line: usize, role: Role) -> Result<usize, TaxonomyError> {
        let position = self.draft.add(parent, label, Some(line))?;
        self.roles.push(role);
        Ok(position)
    }
}

/// A line's labels from the root down. A label that is repeated in the next field is no step.
fn path_from_root<'a>(fields: &'a [Cow<'_, str>]) -> Vec<&'a str> {
    let mut path: Vec<&str> = fields.iter().rev().map(|field| field.as_ref()).collect();
    path.dedup();
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDUCATION: &str = "11th;Secondary;Any\nBachelors;Bachelors;Any\n12th;Secondary;Any\n";

    fn error(text: &str) -> TaxonomyError {
        Taxonomy::from_arx(text).unwrap_err()
    }

    #[test]
    fn reads_the_same_tree_as_an_outline() {
        let outline = "Any\n  Secondary\n    11th\n    12th\n  Bachelors\n";
        let tree = Taxonomy::from_arx(EDUCATION).unwrap();
        assert_eq!(tree, Taxonomy::from_outline(outline).unwrap());
        assert_eq!(tree.to_arx(), "11th;Secondary;Any\n12th;Secondary;Any\nBachelors;Bachelors;Any\n");
    }

    #[test]
    fn tolerates_commas_bom_crlf_blank_lines_and_blanks() {
        let text = "\u{feff}11th, Secondary ,Any\r\n\r\n\"Bachelors\",Bachelors,Any\r\n12th,Secondary,Any";
        assert_eq!(Taxonomy::from_arx(text).unwrap(), Taxonomy::from_arx(EDUCATION).unwrap());
    }

    #[test]
    fn a_repeated_root_is_one_root() {
        let tree = Taxonomy::from_arx("Male;*;*\nFemale;Female;*\n").unwrap();
        assert_eq!(tree.to_outline(), "*\n  Male\n  Female\n");
    }

    #[test]
    fn labels_are_quoted_where_needed() {
        let tree =
            Taxonomy::from_json(r#"{"label": "*", "children": ["a;b", "say \"x\"", " c", "d,e", "[0-1)"]}"#).unwrap();
        let text = tree.to_arx();
        assert_eq!(text, "\"a;b\";*\n\"say \"\"x\"\"\";*\n\" c\";*\nd,e;*\n\"[0-1)\";*\n");
        assert_eq!(Taxonomy::from_arx(&text).unwrap(), tree);
    }

    #[test]
    fn field_errors_name_the_line() {
        assert_eq!(error("a\nb\n"), TaxonomyError::NoDelimiter { line: 1 });
        assert_eq!(error("a;A;*\n\nb;*\n"), TaxonomyError::FieldCount { line: 3, expected: 3, found: 2 });
        assert_eq!(error("a;A;*\nb;;*\n"), TaxonomyError::EmptyLabel { line: Some(2) });
        assert_eq!(error("a;A;*;\n"), TaxonomyError::EmptyLabel { line: Some(1) });
        assert_eq!(error("\"a;A;*\n"), TaxonomyError::BadQuote { line: 1 });
    }

    #[test]
    fn a_line_with_another_root_is_an_error() {
        let expected = TaxonomyError::TwoRoots { line: 2, root: "*".into(), label: "Any".into() };
        assert_eq!(error("a;A;*\nb;B;Any\n"), expected);
    }

    #[test]
    fn two_parents_are_named() {
        assert_eq!(
            error("a;X;A;*\nb;X;A;*\nc;X;B;*\n").to_string(),
            "line 3: `X` is below `B` here, but below `A` on line 1: rename one of them"
        );
        assert!(matches!(error("a;A;*\na;B;*\n"), TaxonomyError::TwoParents { line: 2, first: 1, .. }));
        assert!(matches!(error("A;B;A;*\n"), TaxonomyError::TwoParents { line: 1, first: 1, .. }));
    }

    #[test]
    fn duplicate_value_names_both_lines() {
        let expected = TaxonomyError::DuplicateLabel { line: Some(3), first: Some(1), label: "a".into() };
        assert_eq!(error("a;A;*\nb;A;*\na;A;*\n"), expected);
    }

    #[test]
    fn a_value_cannot_be_a_group() {
        let expected = TaxonomyError::ValueAndGroup { line: 2, first: 1, label: "Other".into() };
        assert_eq!(error("Other;Other;*\nx;Other;*\n"), expected);
        assert_eq!(error("x;Other;*\nOther;Other;*\n"), expected);
    }

    #[test]
    fn the_root_cannot_be_a_value_or_group() {
        assert_eq!(error("a;A;*\n*;*;*\n"), TaxonomyError::RootBelow { line: 2, label: "*".into() });
        assert_eq!(error("a;A;*\n*;A;*\n"), TaxonomyError::RootBelow { line: 2, label: "*".into() });
        assert_eq!(error("a;*;A;*\n"), TaxonomyError::RootBelow { line: 1, label: "*".into() });
    }

    #[test]
    fn a_line_with_very_many_levels_is_an_error_and_no_crash() {
        let text = (0..100_000).map(|level| level.to_string()).collect::<Vec<_>>().join(";");
        assert!(matches!(error(&text), TaxonomyError::TooDeep { line: Some(1), .. }));
    }
}
