//! The arguments as they are typed.
//!
//! Each command has a struct of its own; what is a setting of a release is made from its definition (`crate::settings`) and flattened
//! into them.

mod audit;
mod evaluate;
mod sql;
mod taxonomy;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use cutline::model::{Qid, Share};

use crate::names;
use crate::settings::{Applying, Everything, Reading, Said};

pub(crate) use audit::{AttackArgs, ScreenArgs, VerifyArgs};
pub(crate) use evaluate::{ClassifierArg, EvaluateArgs, SplitArgs};
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
    /// Which columns identify persons, or give masked ones away?
    Screen(ScreenArgs),
    /// Write a stored recoding as statements for a database, and statements that verify the result
    Sql(Box<SqlArgs>),
    /// Look, try and publish in a page in the browser, on this machine only
    #[cfg(feature = "studio")]
    Studio(StudioArgs),
    /// Show, check, convert or build a taxonomy
    #[command(subcommand)]
    Taxonomy(TaxonomyCommand),
    /// Make a key of tokens
    #[command(subcommand)]
    Key(KeyCommand),
    /// Print the completions of a shell
    Completions(CompletionsArgs),
    /// Write manual pages, one for each command
    Man(ManArgs),
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
    pub(crate) read: Said<Reading>,
}

#[derive(Args, Debug)]
pub(crate) struct AnonymizeArgs {
    /// A spec (.toml), or a table: file, folder, pattern, or - for standard input
    #[arg(value_name = "SPEC.toml | DATA")]
    pub(crate) input: String,
    /// The folder to write: it appears complete, or not at all; - writes the table alone, to standard output (with --what-if it may be
    /// left out, and nothing is published)
    #[arg(short, long, required_unless_present_any = ["what-if", "explain"])]
    pub(crate) output: Option<PathBuf>,
    /// Of a table of a server: print the statements that would be sent and how many rows would come back; nothing is published
    #[arg(long)]
    pub(crate) explain: bool,
    /// Replace an existing release
    #[arg(long)]
    pub(crate) force: bool,
    /// An earlier release of overlapping persons: nothing is published if comparing both tells of fewer than k of them
    #[arg(long, value_name = "RELEASE")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) after: AfterArgs,
    /// Publish a version for each number of --clusters, in a folder of its own: together they satisfy the requirement, and all are published or none
    #[arg(long)]
    pub(crate) publish_all: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) settings: Said<Everything>,
}

/// Earlier releases, after which a new one must be safe.
#[derive(Args, Debug)]
pub(crate) struct AfterArgs {
    /// An earlier release of overlapping persons: together with it, the new one satisfies the requirement; repeat for several, in their order.
    /// Needs --person
    #[arg(long, value_name = "RELEASE")]
    pub(crate) after: Vec<PathBuf>,
    /// The table that an earlier release was made from; one for each --after, or none if the releases keep their persons themselves
    #[arg(long, value_name = "TABLE", requires = "after")]
    pub(crate) previous: Vec<String>,
    /// The most records that may be held back because too few with the same history entered or left, as in 5% [default: no limit]
    #[arg(long, value_name = "LIMIT", requires = "after")]
    pub(crate) hold_back: Option<Share>,
}

#[derive(Args, Debug)]
pub(crate) struct ApplyArgs {
    /// The recoding.json of a release
    pub(crate) recoding: PathBuf,
    /// A table: file, folder or pattern, or the location of a database
    pub(crate) data: String,
    /// The file to write, or - for standard output; its extension tells the format (.csv, .parquet, .arrow, .jsonl). A table of a
    /// database needs --into instead
    #[arg(short, long, required_unless_present = "into", conflicts_with = "into")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    pub(crate) force: bool,
    /// What must hold in this table beside what the release promised; one of its QIDs with another k takes its place
    #[arg(long, value_name = "NAMES:K")]
    pub(crate) qid: Vec<Qid>,
    /// A column that the release did not have, to be published as it is; repeat for several (to leave one out: --drop NAME)
    #[arg(long, value_name = "NAME")]
    pub(crate) keep: Vec<String>,
    /// An earlier release of overlapping persons: nothing is published if comparing both tells of fewer than k of them
    #[arg(long, value_name = "RELEASE")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) after: AfterArgs,
    /// The column that says whose record each is; it is not published
    #[arg(long, value_name = "NAME")]
    pub(crate) person: Option<String>,
    /// A private taxonomy that the release was made with, because the recoding has only what is above its cut; repeat for several
    #[arg(long, value_name = "NAME=FILE", value_parser = names::assignment)]
    pub(crate) taxonomy: Vec<(String, String)>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    #[command(flatten)]
    pub(crate) settings: Said<Applying>,
}

/// Serves a page on the loopback address, on a free port. Its address has a random token: whoever has it can do what the page can.
#[cfg(feature = "studio")]
#[derive(Args, Debug)]
pub(crate) struct StudioArgs {
    /// A table (file, folder, pattern, or the location of a database), a spec (.toml) or the folder of a release; without one, choose in
    /// the page
    #[arg(value_name = "DATA | SPEC | RELEASE")]
    pub(crate) input: Option<String>,
    /// Print the address and open no browser
    #[arg(long)]
    pub(crate) no_open: bool,
    #[command(flatten)]
    pub(crate) read: Said<Reading>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum KeyCommand {
    /// Make a new one, in a file that nobody else can read
    New {
        /// The file to write; it must not exist
        file: PathBuf,
    },
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell that is to complete the command
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The folder to write them to, as in ~/.local/share/man/man1
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}
