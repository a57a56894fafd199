//! The arguments as they are typed.
//!
//! Each command has a struct of its own; what several commands share is flattened into them: how a table is read (`input`), what must
//! hold (`requirement`), what is known of attributes (`attributes`), how to search (`search`).

mod attributes;
mod audit;
mod evaluate;
mod input;
mod requirement;
mod search;
mod sql;
mod taxonomy;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use cutline::model::Qid;

use crate::clusters::ClusterArgs;
use crate::names;

pub(crate) use attributes::{AttributeArgs, IdentifierArgs, MissingArg, UnknownArg};
pub(crate) use audit::{AttackArgs, VerifyArgs};
pub(crate) use evaluate::{ClassifierArg, EvaluateArgs, SplitArgs};
pub(crate) use input::{InputArgs, ShapeArgs};
pub(crate) use requirement::{ConditionArgs, PurposeArg, RequirementArgs, SuppressHowArg};
pub(crate) use search::{AlgorithmArg, GeneticArgs, MetricArg, SearchArgs};
pub(crate) use sql::SqlArgs;
pub(crate) use taxonomy::{BuildArgs, TaxonomyCommand, TaxonomyFormat};

/// Publish person-level tables that stay useful for a purpose and satisfy a privacy requirement.
#[derive(Parser, Debug)]
#[command(name = "cutline", version, max_term_width = 110, after_help = EXIT)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT: &str = "Exit status: 0 done; 1 the requirement cannot be met, or verify says no; 2 the input or the arguments are \
                    wrong; 3 a defect of Cutline; 130 interrupted.";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Anonymize the built-in Adult table, start to end
    Demo(DemoArgs),
    /// Look at a table, propose roles, write a commented spec
    Init(InitArgs),
    /// Mask a table for its purpose and publish it
    Anonymize(Box<AnonymizeArgs>),
    /// Apply a stored recoding to another table
    Apply(ApplyArgs),
    /// Does a table satisfy a requirement?
    Verify(VerifyArgs),
    /// What would an adversary learn about persons whose values are known?
    Attack(AttackArgs),
    /// What did masking cost, or what would it cost?
    Evaluate(Box<EvaluateArgs>),
    /// Write a stored recoding as statements for a database, and statements that verify the result
    Sql(Box<SqlArgs>),
    /// Show, check, convert or build a taxonomy
    #[command(subcommand)]
    Taxonomy(TaxonomyCommand),
}

#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    /// The folder to write
    #[arg(short, long, default_value = "cutline-demo")]
    pub(crate) output: PathBuf,
    /// Threads to use [default: all cores]
    #[arg(long)]
    pub(crate) threads: Option<usize>,
}

#[derive(Args, Debug)]
pub(crate) struct InitArgs {
    /// A table: file, folder or pattern
    pub(crate) data: String,
    /// The spec to write
    #[arg(short, long, default_value = "release.toml")]
    pub(crate) output: PathBuf,
    /// Replace an existing spec
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Args, Debug, Default)]
pub(crate) struct AnonymizeArgs {
    /// A spec (.toml), or a table: file, folder or pattern
    #[arg(value_name = "SPEC.toml | DATA")]
    pub(crate) input: String,
    /// The folder to write: it appears complete, or not at all
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// Replace an existing release
    #[arg(long)]
    pub(crate) force: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) requirement: RequirementArgs,
    #[command(flatten)]
    pub(crate) clusters: ClusterArgs,
    #[command(flatten)]
    pub(crate) attributes: AttributeArgs,
    #[command(flatten)]
    pub(crate) read: InputArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Format of the published table: csv, parquet, arrow or jsonl [default: that of the input, csv for jsonl]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<String>,
    /// Write interval bounds that are no values of records, where their decimals leave room
    #[arg(long, help_heading = "Output")]
    pub(crate) round_bounds: bool,
    /// Tell in the report what masking cost models that predict the target (learned from two thirds of the records, tested on the others;
    /// of more than 100,000 records, so many are drawn)
    #[arg(long, help_heading = "Output")]
    pub(crate) evaluate: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ApplyArgs {
    /// The recoding.json of a release
    pub(crate) recoding: PathBuf,
    /// A table: file, folder or pattern
    pub(crate) data: String,
    /// The file to write; its extension tells the format (.csv, .parquet, .arrow, .jsonl)
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    pub(crate) force: bool,
    /// What must hold in this table, if not what held in the recoding's own
    #[arg(long, value_name = "NAMES:K")]
    pub(crate) qid: Vec<Qid>,
    /// A private taxonomy that the release was made with, because the recoding has only what is above its cut; repeat for several
    #[arg(long, value_name = "NAME=FILE", value_parser = names::assignment)]
    pub(crate) taxonomy: Vec<(String, String)>,
    /// Values that a taxonomy does not contain: refuse the table, or publish the root's label
    #[arg(long, value_enum)]
    pub(crate) unknown: Option<UnknownArg>,
    #[command(flatten)]
    pub(crate) identifiers: IdentifierArgs,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}
