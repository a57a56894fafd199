//! Which name was meant?

use std::path::Path;

use crate::VerifyError;

/// Names that are less alike than this are not suggested.
const ALIKE: f64 = 0.4;

impl VerifyError {
    /// The error for a claimed column that is not among those of a file or table.
    pub fn unknown_column(table: &Path, column: &str, columns: &[String]) -> VerifyError {
        VerifyError::UnknownColumn {
            file: table.to_owned(),
            column: column.to_owned(),
            columns: columns.to_vec(),
            nearest: nearest(column, columns),
        }
    }
}

/// The name most like `column`, ignoring case; the first of several.
pub(crate) fn nearest(column: &str, names: &[String]) -> Option<String> {
    let column = column.to_lowercase();
    let mut best: Option<(f64, &String)> = None;
    for name in names {
        let alike = strsim::normalized_damerau_levenshtein(&column, &name.to_lowercase());
        if alike >= ALIKE && best.is_none_or(|(most, _)| alike > most) {
            best = Some((alike, name));
        }
    }
    best.map(|(_, name)| name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_ignores_case_and_far_names() {
        let columns = ["Sex", "age", "zip"].map(str::to_owned);
        assert_eq!(nearest("AGE", &columns).as_deref(), Some("age"));
        assert_eq!(nearest("zpi", &columns).as_deref(), Some("zip"));
        assert_eq!(nearest("occupation", &columns), None);
    }
}
