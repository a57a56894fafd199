//! What does a cell say? Cells come back as text, and are read here by one rule.

use cutline_sql::{Dialect, SqlError, value_of};

use crate::source::ServerColumn;

/// The alias of the table in all statements.
pub(crate) const ALIAS: &str = "s";

impl ServerColumn {
    /// The cell as statements compare it: whole numbers as they are, everything else by the bytes of its text, whatever the collation.
    pub(crate) fn cell(&self) -> String {
        let name = format!("{ALIAS}.{}", self.quoted);
        if self.whole { name } else { format!("(({name})::text COLLATE \"C\")") }
    }

    /// The type of [`ServerColumn::cell`].
    pub(crate) fn cell_type(&self) -> &'static str {
        if self.whole { "bigint" } else { "text" }
    }

    /// The value as text without blanks around it, NULL where it is missing.
    pub(crate) fn value(&self, nulls: &[String]) -> Result<String, SqlError> {
        value_of(Dialect::Postgres, &format!("{ALIAS}.{}", self.quoted), nulls)
    }
}

/// A condition that holds for records with a value in every one of these columns; nothing if that is not asked for.
pub(crate) fn present(columns: &[&ServerColumn], nulls: &[String]) -> Result<Option<String>, SqlError> {
    let there = columns.iter().map(|column| Ok(format!("({}) IS NOT NULL", column.value(nulls)?)));
    let there = there.collect::<Result<Vec<_>, SqlError>>()?;
    Ok((!there.is_empty()).then(|| there.join(" AND ")))
}

/// Reads cells: blanks around a value are no part of it; nothing, or a null marker, is a missing value.
pub(crate) struct Reader<'a> {
    nulls: &'a [String],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(nulls: &'a [String]) -> Self {
        Reader { nulls }
    }

    pub(crate) fn value<'c>(&self, cell: Option<&'c str>) -> Option<&'c str> {
        let value = cell?.trim();
        (!value.is_empty() && self.nulls.iter().all(|null| null.trim() != value)).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_null_markers_are_no_values() {
        let nulls = ["?".to_owned(), " NA ".to_owned()];
        let reader = Reader::new(&nulls);
        assert_eq!(reader.value(Some(" \u{a0}Male\u{3000}")), Some("Male"));
        assert!(
            [None, Some(""), Some("  "), Some(" ?"), Some("NA")].into_iter().all(|cell| reader.value(cell).is_none())
        );
    }
}
