//! What is known of single attributes.

use clap::{Args, ValueEnum};

use crate::names;

/// What is known of single attributes.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Attributes")]
pub(crate) struct AttributeArgs {
    /// Taxonomy of an attribute: outline, ARX CSV or JSON; repeat for several
    #[arg(long, value_name = "NAME=FILE", value_parser = names::assignment)]
    pub(crate) taxonomy: Vec<(String, String)>,
    /// Publish nothing of these taxonomies that is below the cut: they were made from values of records (several: a,b)
    #[arg(long, value_name = "NAMES")]
    pub(crate) private_taxonomy: Vec<String>,
    /// Declared range of a continuous attribute
    #[arg(long, value_name = "NAME=LOW..HIGH", value_parser = names::range, allow_hyphen_values = true)]
    pub(crate) range: Vec<(String, (f64, f64))>,
    /// Treat as names, even if the values are numbers (several: a,b)
    #[arg(long, value_name = "NAMES")]
    pub(crate) categorical: Vec<String>,
    /// Treat as numbers (several: a,b)
    #[arg(long, value_name = "NAMES")]
    pub(crate) continuous: Vec<String>,
    #[command(flatten)]
    pub(crate) identifiers: IdentifierArgs,
    /// Missing values [default: value]
    #[arg(long, value_enum)]
    pub(crate) missing: Option<MissingArg>,
    /// Values that a taxonomy does not contain: refuse the table, or attach them to the root [default: error]
    #[arg(long, value_enum)]
    pub(crate) unknown: Option<UnknownArg>,
}

/// What becomes of identifiers.
#[derive(Args, Debug, Default)]
pub(crate) struct IdentifierArgs {
    /// Do not publish these columns (several: a,b)
    #[arg(long, value_name = "NAMES")]
    pub(crate) drop: Vec<String>,
    /// Replace the values of these columns by random tokens (several: a,b)
    #[arg(long, value_name = "NAMES")]
    pub(crate) tokenize: Vec<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MissingArg {
    /// Are values like others
    Value,
    /// Leave out records that lack a quasi value or the target
    Drop,
    /// Leave out records that lack any published value
    Complete,
    /// Refuse the table
    Error,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum UnknownArg {
    Error,
    Root,
}
