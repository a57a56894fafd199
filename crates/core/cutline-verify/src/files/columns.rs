//! Which of a file's columns are claimed, and do all files have the same ones?

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::VerifyError;

/// Finds the claimed columns in every file, and checks the files against the first.
#[derive(Debug)]
pub(crate) struct Columns<'a> {
    claimed: &'a [String],
    first: Option<(PathBuf, BTreeSet<String>)>,
}

impl<'a> Columns<'a> {
    pub(crate) fn new(claimed: &'a [String]) -> Self {
        Columns { claimed, first: None }
    }

    /// The claimed columns' names.
    pub(crate) fn claimed(&self) -> &'a [String] {
        self.claimed
    }

    /// The positions of the claimed columns among the `names` of a file.
    pub(crate) fn locate(&mut self, file: &Path, names: &[String]) -> Result<Vec<usize>, VerifyError> {
        let set = distinct(file, names)?;
        match &self.first {
            Some((first, expected)) => same(first, expected, file, &set)?,
            None => self.first = Some((file.to_owned(), set)),
        }
        let position = |column: &String| {
            let found = names.iter().position(|name| name == column);
            found.ok_or_else(|| VerifyError::unknown_column(file, column, names))
        };
        self.claimed.iter().map(position).collect()
    }
}

fn distinct(file: &Path, names: &[String]) -> Result<BTreeSet<String>, VerifyError> {
    let mut set = BTreeSet::new();
    for name in names {
        if !set.insert(name.clone()) {
            let column = name.clone();
            return Err(VerifyError::DuplicateColumn { file: file.to_owned(), column });
        }
    }
    Ok(set)
}

fn same(first: &Path, expected: &BTreeSet<String>, file: &Path, found: &BTreeSet<String>) -> Result<(), VerifyError> {
    if expected == found {
        return Ok(());
    }
    Err(VerifyError::ColumnsDiffer {
        file: file.to_owned(),
        first: first.to_owned(),
        missing: expected.difference(found).cloned().collect(),
        added: found.difference(expected).cloned().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|&name| name.into()).collect()
    }

    #[test]
    fn files_may_order_their_columns_differently() {
        let claimed = names(&["b"]);
        let mut columns = Columns::new(&claimed);
        assert_eq!(columns.locate(Path::new("1"), &names(&["a", "b"])).unwrap(), [1]);
        assert_eq!(columns.locate(Path::new("2"), &names(&["b", "a"])).unwrap(), [0]);
    }

    #[test]
    fn files_with_other_columns_are_refused() {
        let claimed = names(&["b"]);
        let mut columns = Columns::new(&claimed);
        columns.locate(Path::new("1"), &names(&["a", "b"])).unwrap();
        let error = columns.locate(Path::new("2"), &names(&["b", "c"])).unwrap_err();
        assert_eq!(error.to_string(), "2: the columns differ from those of 1: `a` missing, `c` added");
    }
}
