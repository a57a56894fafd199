//! Which name was meant?

use std::path::Path;

use crate::VerifyError;

/// Names that are less alike than this are not suggested.
const ALIKE: f64 = 0.4;

/// Names that are as alike as this are hardly a name and a value.
const MISSPELLED: f64 = 0.6;

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

    /// The same error, where of all columns only these may be told.
    pub(crate) fn telling(self, columns: &[String]) -> VerifyError {
        match self {
            VerifyError::UnknownColumn { file, column, .. } => VerifyError::unknown_column(&file, &column, columns),
            // A value that a record has twice looks like a column that a header has twice.
            VerifyError::DuplicateColumn { file, .. } if columns.is_empty() => VerifyError::NoHeader { file },
            other => other,
        }
    }
}

/// Is the first line of a file its header, and no record, of which no message may tell the values? It is if it has a claimed column, or one
/// that is spelled nearly so.
pub(crate) fn is_header(names: &[String], claimed: &[String]) -> bool {
    let numeral = |name: &String| name.starts_with(|first: char| first.is_ascii_digit());
    let misspelled = |column: &String| alike(column, names, MISSPELLED).is_some();
    claimed.iter().any(|column| names.contains(column)) || !names.iter().any(numeral) && claimed.iter().any(misspelled)
}

/// The name most like `column`, ignoring case; the first of several.
pub(crate) fn nearest(column: &str, names: &[String]) -> Option<String> {
    alike(column, names, ALIKE)
}

fn alike(column: &str, names: &[String], least: f64) -> Option<String> {
    let column = column.to_lowercase();
    let mut best: Option<(f64, &String)> = None;
    for name in names {
        let alike = strsim::normalized_damerau_levenshtein(&column, &name.to_lowercase());
        if alike >= least && best.is_none_or(|(most, _)| alike > most) {
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

    #[test]
    fn a_record_is_told_from_a_header_by_what_is_claimed() {
        let names = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let header = |line: &str, claimed: &str| is_header(&names(line), &names(claimed));
        assert!(header("age,sex,zip", "age,town") && header("age,sex,zip", "Age") && header("age,sex,zip", "agee"));
        assert!(!header("37,Smith,flu", "age,sex") && !header("Smith,m,flu", "age,sex") && !header("Ann,m,flu", "age"));
        assert!(header("2024,2025", "2024,2026"), "years are columns if they are claimed");
    }
}
