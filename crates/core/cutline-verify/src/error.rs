//! Why a table could not be recounted.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::Format;

/// How many column names an error message lists, and how many characters of each. A file that is no
/// table may have a "name" with all of its content.
const LISTED: usize = 40;
const CHARACTERS: usize = 60;

/// Who can do something about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    /// The claims, the path or the options are wrong.
    Request,
    /// The table is damaged, or not what its extension says.
    Data,
    /// A well-formed table that this crate does not read.
    Unsupported,
    /// The machine: a file that cannot be read, a table that is too large.
    Machine,
}

/// Why a table could not be recounted. No message contains a value of a record.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    // Blame::Request
    /// There is nothing to verify.
    #[error("there is no QID to verify")]
    NoClaims,
    /// A claim without attributes; `claim` counts from 1.
    #[error("QID {claim} has no attributes")]
    NoAttributes {
        /// The claim's number, from 1.
        claim: usize,
    },
    /// A claim with k = 0, which every table satisfies.
    #[error("the k of QID {claim} is 0, it must be at least 1")]
    ZeroThreshold {
        /// The claim's number, from 1.
        claim: usize,
    },
    /// A claim that names an attribute twice.
    #[error("a QID names the attribute `{attribute}` twice")]
    RepeatedAttribute {
        /// The attribute.
        attribute: String,
    },
    /// A sensitive attribute that is also in the QID, so that every group has one value of it.
    #[error(
        "QID {claim} has the attribute {}, which cannot be sensitive in it as well: all records of a group have the \
        same value of it",
        quoted(attribute)
    )]
    SensitiveInQid {
        /// The claim's number, from 1.
        claim: usize,
        /// The attribute.
        attribute: String,
    },
    /// The column of persons is something else, too.
    #[error(
        "claim {claim}: {} says which person a record is about, so it is in no QID and not sensitive",
        quoted(attribute)
    )]
    PersonClash {
        /// The claim's number, from 1.
        claim: usize,
        /// The attribute.
        attribute: String,
    },
    /// A masked weight is no number any more.
    #[error("claim {claim}: {} has survey weights, so it is in no QID", quoted(attribute))]
    WeightInQid {
        /// The claim's number, from 1.
        claim: usize,
        /// The attribute.
        attribute: String,
    },
    /// The text of a condition starts with no known name.
    #[error("{} is no condition; the conditions are {}", quoted(condition), listed(forms))]
    UnknownCondition {
        /// The text as given.
        condition: String,
        /// The forms of all conditions.
        forms: Vec<String>,
    },
    /// The text of a condition does not say what its form asks for.
    #[error("the condition {}: {problem}; its form is `{form}`", quoted(condition))]
    BadCondition {
        /// The text as given.
        condition: String,
        /// What is wrong with it.
        problem: &'static str,
        /// How it is written.
        form: &'static str,
    },
    /// A condition is about a value that no record has, so that it would hold whatever the groups are.
    #[error("no record has the value that the condition {} is about", quoted(condition))]
    AbsentValue {
        /// The condition.
        condition: String,
    },
    /// A claim names a column that the table does not have.
    #[error("{}: there is no column {}{}; {}", file.display(), quoted(column),
        nearest.as_ref().map(|name| format!(", the nearest is {}", quoted(name))).unwrap_or_default(),
        if columns.is_empty() { "is its first line a record, and no header?".to_owned() } else { format!("the columns are {}", listed(columns)) })]
    UnknownColumn {
        /// The file that lacks the column.
        file: PathBuf,
        /// The claimed column.
        column: String,
        /// The columns that the file has; none if what is taken for their names may be a record.
        columns: Vec<String>,
        /// The one of them that is spelled most like the claimed one, if any is.
        nearest: Option<String>,
    },
    /// The path names nothing.
    #[error("{}: there is no such file or folder", path.display())]
    MissingFile {
        /// The path as given.
        path: PathBuf,
    },
    /// The folder or pattern has no files.
    #[error("{}: there are no files here", path.display())]
    NoFiles {
        /// The folder or pattern.
        path: PathBuf,
    },
    /// The path is not a valid glob pattern.
    #[error("{}: this is not a valid pattern", path.display())]
    BadPattern {
        /// The path as given.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The name of an encoding that nobody knows.
    #[error("{} is no encoding of characters", quoted(name))]
    Encoding {
        /// The name.
        name: String,
    },
    /// The extension does not tell the format.
    #[error("{}: the extension does not tell the format of this file", file.display())]
    UnknownExtension {
        /// The file.
        file: PathBuf,
    },

    // Blame::Data
    /// A file without content, not even a header.
    #[error("{}: the file is empty", file.display())]
    EmptyFile {
        /// The file.
        file: PathBuf,
    },
    /// Two columns have the same name.
    #[error("{}: there are two columns named {}", file.display(), quoted(column))]
    DuplicateColumn {
        /// The file.
        file: PathBuf,
        /// The name.
        column: String,
    },
    /// The first line of a file has two equal entries, and nothing in it is claimed.
    #[error("{}: is its first line a record, and no header? Two of its entries are the same", file.display())]
    NoHeader {
        /// The file.
        file: PathBuf,
    },
    /// A file of a folder or pattern has other columns than the first.
    #[error("{}: the columns differ from those of {}: {} missing, {} added",
        file.display(), first.display(), listed(missing), listed(added))]
    ColumnsDiffer {
        /// The file that differs.
        file: PathBuf,
        /// The table's first file.
        first: PathBuf,
        /// Columns of the first file that this one lacks.
        missing: Vec<String>,
        /// Columns of this file that the first one lacks.
        added: Vec<String>,
    },
    /// A row with more or fewer cells than the header.
    #[error("{}:{line}: the row has {found} cells, the table has {expected} columns",
        file.display())]
    RaggedRow {
        /// The file.
        file: PathBuf,
        /// The line on which the row starts.
        line: u64,
        /// The number of columns.
        expected: u64,
        /// The number of cells in this row.
        found: u64,
    },
    /// A name or a claimed cell that is not UTF-8.
    #[error("{}:{line}: the text is not UTF-8", file.display())]
    NotUtf8 {
        /// The file.
        file: PathBuf,
        /// The line on which the row starts.
        line: u64,
    },
    /// The file ends inside a quoted cell.
    #[error("{}:{line}: the row has a quote that is never closed", file.display())]
    UnclosedQuote {
        /// The file.
        file: PathBuf,
        /// The line on which the row starts.
        line: u64,
    },
    /// A line that is not a JSON object with plain values in the claimed columns.
    #[error("{}:{line}: the line is not one JSON object with plain values in the columns to verify",
        file.display())]
    BadJson {
        /// The file.
        file: PathBuf,
        /// The line.
        line: u64,
    },
    /// The file is not a Parquet or Arrow file, or is damaged.
    #[error("{}: the file cannot be read as {format}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The format it should have.
        format: Format,
        /// What the format's reader says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },

    /// Counts that were taken elsewhere are not those of one table: it has changed between two statements, or one was wrong.
    #[error("the counts are not those of one table: {problem}")]
    BadCounts {
        /// What is wrong with them.
        problem: &'static str,
    },

    /// The column of survey weights has a cell that is none.
    #[error("a survey weight is missing or is no number above 0: give every record one, or name no column of weights")]
    BadWeight,

    // Blame::Unsupported
    /// A claimed column's type has no unique text form.
    #[error("{}: the column {} has the type {data_type}, which cannot be compared as text",
        file.display(), quoted(column))]
    UnsupportedType {
        /// The file.
        file: PathBuf,
        /// The column.
        column: String,
        /// Its Arrow type.
        data_type: String,
    },
    /// A claimed column has a value that its type allows but that has no text form, or refers to a value that is not there.
    #[error("{}: the column {} has a value that cannot be compared as text", file.display(),
        quoted(column))]
    UnsupportedValue {
        /// The file.
        file: PathBuf,
        /// The column.
        column: String,
    },
    /// Something else that this crate does not read, such as a folder inside a folder.
    #[error("{}: {what}", path.display())]
    Unsupported {
        /// The file or folder.
        path: PathBuf,
        /// What about it.
        what: &'static str,
    },

    // Blame::Machine
    /// The operating system cannot read a file, or its compressed content is damaged.
    #[error("{}: the file cannot be read", file.display())]
    Io {
        /// The file or folder.
        file: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A table that is not in files cannot be recounted where it is.
    #[error("{table}: the table cannot be recounted: {source}")]
    Elsewhere {
        /// The table's name.
        table: String,
        /// What was said there.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// More than four billion distinct values or groups.
    #[error("the table has more than {} distinct {what}", u32::MAX)]
    TooLarge {
        /// `values` or `groups`.
        what: &'static str,
    },
}

impl VerifyError {
    /// Who can do something about this error.
    pub fn blame(&self) -> Blame {
        use VerifyError as E;
        match self {
            E::NoClaims
            | E::NoAttributes { .. }
            | E::ZeroThreshold { .. }
            | E::RepeatedAttribute { .. }
            | E::SensitiveInQid { .. }
            | E::PersonClash { .. }
            | E::WeightInQid { .. }
            | E::UnknownCondition { .. }
            | E::BadCondition { .. }
            | E::AbsentValue { .. }
            | E::UnknownColumn { .. }
            | E::MissingFile { .. }
            | E::NoFiles { .. }
            | E::BadPattern { .. }
            | E::Encoding { .. }
            | E::UnknownExtension { .. } => Blame::Request,
            E::EmptyFile { .. }
            | E::DuplicateColumn { .. }
            | E::NoHeader { .. }
            | E::ColumnsDiffer { .. }
            | E::RaggedRow { .. }
            | E::NotUtf8 { .. }
            | E::UnclosedQuote { .. }
            | E::BadJson { .. }
            | E::Unreadable { .. }
            | E::BadCounts { .. }
            | E::BadWeight => Blame::Data,
            E::UnsupportedType { .. } | E::UnsupportedValue { .. } | E::Unsupported { .. } => Blame::Unsupported,
            E::Io { .. } | E::Elsewhere { .. } | E::TooLarge { .. } => Blame::Machine,
        }
    }
}

/// Column names for a message: all of a usual table, the first ones of a wide table.
fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return "none".into();
    }
    let mut list = names.iter().take(LISTED).map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
    if names.len() > LISTED {
        list.push_str(&format!(" and {} more", names.len() - LISTED));
    }
    list
}

/// A column name for a message: on one line and not too long.
fn quoted(name: &str) -> String {
    let start: String = name.chars().take(CHARACTERS).collect();
    let more = if start.len() < name.len() { "..." } else { "" };
    format!("`{}{more}`", start.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_column_comes_with_the_nearest_and_the_list() {
        let error = VerifyError::UnknownColumn {
            file: "t.csv".into(),
            column: "agee".into(),
            columns: vec!["age".into(), "sex".into()],
            nearest: Some("age".into()),
        };
        assert_eq!(
            error.to_string(),
            "t.csv: there is no column `agee`, the nearest is `age`; the columns are `age`, `sex`"
        );
        assert_eq!(error.blame(), Blame::Request);
    }

    #[test]
    fn a_wide_table_is_not_listed_in_full() {
        let names: Vec<String> = (0..100).map(|i| format!("c{i}")).collect();
        assert!(listed(&names).ends_with("`c39` and 60 more"));
        assert_eq!(listed(&[]), "none");
        assert_eq!(quoted("a\nb"), "`a\\nb`");
        assert_eq!(quoted(&"é".repeat(70)), format!("`{}...`", "é".repeat(60)));
    }
}
