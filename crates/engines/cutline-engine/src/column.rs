//! The columns of a table, as far as a release has to know them.

use cutline_model::parse_number;
use serde::{Deserialize, Serialize};

/// What the cells of a column are stored as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CellKind {
    /// Text: also everything that a CSV file holds.
    Text,
    /// Names out of a list, whatever they look like: that is said where the records are.
    Category,
    /// Whole numbers.
    Integer,
    /// Other numbers.
    Number,
    /// True or false.
    Boolean,
    /// Dates without a time.
    Date,
    /// Points in time, and times of a day.
    Time,
    /// Bytes.
    Binary,
    /// Lists, structures and the like: they can be published as they are, or not at all.
    Nested,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name. Names are unique in a table.
    pub name: String,
    /// What its cells are stored as.
    pub cells: CellKind,
}

impl Column {
    /// Can the cells be read as values?
    pub fn has_values(&self) -> bool {
        !matches!(self.cells, CellKind::Nested | CellKind::Binary)
    }
}

/// Do the names of columns look like values, as they do if the first record is taken for a header? Then no message may show them.
pub fn look_like_values<'a>(names: impl IntoIterator<Item = &'a String>) -> bool {
    let like_a_value = |name: &String| name.starts_with(|first: char| first.is_ascii_digit()) || name.contains('@');
    names.into_iter().any(|name| name == "?" || like_a_value(name) || parse_number(name).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_may_be_values_are_told_from_names() {
        let names = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        for line in ["39,State-gov,77516", "Ann,1944-05-01", "Ann,ann@example.org", "M,-0.5", "M,?"] {
            assert!(look_like_values(&names(line)), "{line}");
        }
        assert!(!look_like_values(&names("age,capital-gain,Work Hrs,column4,q1,ZIP+4,zip.code")));
    }
}
