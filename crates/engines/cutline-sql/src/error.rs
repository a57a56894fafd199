//! What cannot be said in SQL, and what to do instead.

use cutline_model::RequirementError;
use thiserror::Error;

use crate::{Dialect, Form};

/// Why there are no statements.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SqlError {
    /// There is no such dialect.
    #[error("`{0}` is no dialect")]
    Dialect(String),
    /// There is no such form.
    #[error("`{0}` is no form of statements")]
    Form(String),
    /// A text names no table.
    #[error("`{0}` is no name of a table")]
    TableName(String),
    /// A name cannot be written.
    #[error("the name `{name}` cannot be used: {problem}")]
    Name {
        /// The name, with escapes.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A label or value has a NUL character.
    #[error("a value of the recoding has a NUL character, which no server can store in a text")]
    Nul,
    /// The requirement makes no sense.
    #[error(transparent)]
    Requirement(#[from] RequirementError),
    /// A QID has an attribute that is neither masked nor published.
    #[error("the QID {{{qid}}} has the column `{column}`, which would not be published")]
    NotPublished {
        /// The QID's attributes.
        qid: String,
        /// The column.
        column: String,
    },
    /// A column is named twice.
    #[error("the column `{0}` is named twice")]
    Twice(String),
    /// A name is used by the statements themselves.
    #[error("the column name `{0}` starts with `cutline_`, as the names in the statements do")]
    Reserved(String),
    /// An identifier was named among the columns.
    #[error("the column `{0}` is an identifier that the recoding drops")]
    Dropped(String),
    /// An identifier is to be replaced by tokens.
    #[error(
        "the column `{0}` is an identifier that becomes tokens, which no statement can make: their key must be known to nobody"
    )]
    Tokenized(String),
    /// Dates are to be moved.
    #[error("the dates of the column `{0}` are moved, which no statement can do: the key must be known to nobody")]
    Shifted(String),
    /// The form needs a key.
    #[error("the form `merge` needs a column that tells which record is which")]
    NoKey,
    /// The key is masked.
    #[error("the key `{0}` is masked, so it does not tell which record is which")]
    MaskedKey(String),
    /// The dialect lacks the form.
    #[error("there is no form `{form}` for {dialect}")]
    NoSuchForm {
        /// The form.
        form: Form,
        /// The dialect.
        dialect: Dialect,
    },
    /// Suppression that statements cannot find.
    #[error("the recoding may suppress records, and {0}")]
    Suppression(&'static str),
    /// Records that rules for columns cannot leave out.
    #[error("the recoding leaves out records that lack a value, and a rule for one column cannot")]
    Required,
    /// Dates that statements cannot read.
    #[error("the column `{0}` has dates, which the statements cannot read")]
    Dates(String),
    /// Persons that statements cannot count.
    #[error("every group must have k persons by the column `{0}`, and statements count records")]
    Persons(String),
    /// A label that does not follow from its value alone.
    #[error("the groups of the recoding have labels of their own, which no statement gives yet")]
    Regions,
    /// A condition that statements cannot check.
    #[error("the condition `{0}` cannot be checked by a statement")]
    Condition(String),
}

impl SqlError {
    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            SqlError::Dialect(_) => {
                "the dialects are postgres, spark, duckdb, sqlite, bigquery, snowflake, tsql and mysql"
            }
            SqlError::Form(_) => "the forms are view, table, merge and labels",
            SqlError::TableName(_) => {
                "write name, schema.name or catalog.schema.name; a part with a point in it stands in double quotes"
            }
            SqlError::NotPublished { .. } => "name it with ‹columns›, or ask for another QID with ‹qid›",
            SqlError::Dropped(_) => "leave it out of ‹columns›",
            SqlError::Tokenized(_) | SqlError::Shifted(_) => {
                "leave it out of ‹columns›, or apply the recoding to the exported table"
            }
            SqlError::NoKey => "name it with ‹key›; it is published",
            SqlError::MaskedKey(_) => "name another column with ‹key›",
            SqlError::NoSuchForm { .. } => {
                "`labels` are rules of PostgreSQL Anonymizer: use ‹dialect postgres›, or another form"
            }
            SqlError::Suppression(_)
            | SqlError::Required
            | SqlError::Dates(_)
            | SqlError::Persons(_)
            | SqlError::Regions
            | SqlError::Condition(_) => "export the table and apply the recoding to it",
            SqlError::Name { .. }
            | SqlError::Nul
            | SqlError::Requirement(_)
            | SqlError::Twice(_)
            | SqlError::Reserved(_) => {
                return None;
            }
        })
    }
}
