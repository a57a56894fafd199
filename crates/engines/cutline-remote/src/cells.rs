//! What does a cell say? Cells come back as text, and are read here by one rule.

use cutline_engine::CellKind;

/// The alias of the table in all statements.
pub const ALIAS: &str = "s";

/// Reads the cells of a column: blanks around a value are no part of it; nothing, or a null marker, is a missing value, and so is what is
/// no number in a column of numbers.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    nulls: &'a [String],
    cells: CellKind,
}

impl<'a> Reader<'a> {
    /// A reader of a column, with the texts that stand for a missing value beside the empty one.
    pub fn new(nulls: &'a [String], cells: CellKind) -> Self {
        Reader { nulls, cells }
    }

    /// The value of a cell; `None` is missing.
    pub fn value<'c>(&self, cell: Option<&'c str>) -> Option<&'c str> {
        let value = cell?.trim();
        let missing = value.is_empty()
            || self.nulls.iter().any(|null| null.trim() == value)
            || self.cells == CellKind::Number && value == "NaN";
        (!missing).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_null_markers_are_no_values() {
        let nulls = ["?".to_owned(), " NA ".to_owned()];
        let reader = Reader::new(&nulls, CellKind::Text);
        assert_eq!(reader.value(Some(" \u{a0}Male\u{3000}")), Some("Male"));
        assert_eq!(reader.value(Some("NaN")), Some("NaN"));
        for cell in [None, Some(""), Some("  "), Some(" ?"), Some("NA")] {
            assert!(reader.value(cell).is_none());
        }
        assert!(Reader::new(&nulls, CellKind::Number).value(Some("NaN")).is_none());
    }
}
