//! What the statements make: a view, a table, a table that is brought up to date, or rules for PostgreSQL Anonymizer.

mod labels;
mod merge;
mod table;
mod view;

use std::fmt;
use std::str::FromStr;

use crate::plan::Plan;
use crate::{SqlError, Statements, TableName};

/// What the statements make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A view on the table. It changes with the table, so it must be verified again when that has changed.
    View,
    /// A table of its own.
    Table,
    /// An earlier masked table, brought up to date by a key.
    Merge,
    /// Rules for PostgreSQL Anonymizer: a masking function for each column, and `SECURITY LABEL`s.
    Labels,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 4] = [Form::View, Form::Table, Form::Merge, Form::Labels];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Form::View => "view",
            Form::Table => "table",
            Form::Merge => "merge",
            Form::Labels => "labels",
        }
    }

    /// What is made of a table if nothing else is said.
    pub fn usual_name(self, table: &TableName) -> TableName {
        match self {
            Form::Labels => table.without_schema().with_suffix("_masks"),
            Form::View | Form::Table | Form::Merge => table.with_suffix("_public"),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Form {
    type Err = SqlError;

    fn from_str(text: &str) -> Result<Self, SqlError> {
        Form::ALL.into_iter().find(|form| form.name() == text).ok_or_else(|| SqlError::Form(text.to_owned()))
    }
}

/// The statements of a plan.
pub(crate) fn statements(plan: &Plan<'_>) -> Result<Statements, SqlError> {
    match plan.request.form {
        Form::View => view::statements(plan),
        Form::Table => table::statements(plan),
        Form::Merge => merge::statements(plan),
        Form::Labels => labels::statements(plan),
    }
}

/// Statements that recount a masked table.
fn verification(plan: &Plan<'_>, table: &TableName) -> Result<Vec<String>, SqlError> {
    crate::verify::statements(plan.dialect(), plan.requirement.qids(), &plan.recoding.null, table)
}

/// Where something is made that has not been verified yet, if a transaction does not hide it.
fn staging(plan: &Plan<'_>) -> TableName {
    plan.request.into.with_suffix("_cutline_staging")
}
