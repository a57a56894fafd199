//! Which statements to write.

use std::path::PathBuf;

use clap::Args;
use cutline::model::Qid;
use cutline_sql::{Dialect, Form, TableName};

use crate::names;

#[derive(Args, Debug)]
pub(crate) struct SqlArgs {
    /// The recoding.json of a release
    pub(crate) recoding: PathBuf,
    /// Whose SQL: postgres, spark, duckdb, sqlite, bigquery, snowflake, tsql or mysql
    #[arg(long, value_name = "DIALECT")]
    pub(crate) dialect: Dialect,
    /// The table to mask, as in patients or care.patients
    #[arg(long, value_name = "NAME")]
    pub(crate) table: TableName,
    /// What to make: view, table, merge (an earlier masked table, brought up to date) or labels (rules for PostgreSQL Anonymizer)
    #[arg(long = "as", value_name = "FORM", default_value = "view")]
    pub(crate) form: Form,
    /// Its name; for labels the schema of the masking functions [default: that of the table with _public, or _masks, behind it]
    #[arg(long, value_name = "NAME")]
    pub(crate) into: Option<TableName>,
    /// Columns to publish beside the masked ones, as in ward,diagnosis; masked ones may be among them, to say the order
    #[arg(long, value_name = "NAMES")]
    pub(crate) columns: Option<String>,
    /// For merge: the column that tells which record is which; it is published
    #[arg(long, value_name = "NAME")]
    pub(crate) key: Option<String>,
    /// What must hold in this table beside what the release promised; one of its QIDs with another k takes its place
    #[arg(long, value_name = "NAMES:K")]
    pub(crate) qid: Vec<Qid>,
    /// A private taxonomy that the release was made with, because the recoding has only what is above its cut; repeat for several
    #[arg(long, value_name = "NAME=FILE", value_parser = names::assignment)]
    pub(crate) taxonomy: Vec<(String, String)>,
    /// Values that a taxonomy does not contain: make the statement fail, or publish the root's label
    #[arg(long, value_name = "error|root")]
    pub(crate) unknown: Option<cutline::spec::IfUnknown>,
    /// Text that stands for a missing value, beside the empty one and those of the recoding; repeat for several
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) null: Vec<String>,
}
