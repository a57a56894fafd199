//! What to check, and what to attack.

use std::path::PathBuf;

use clap::Args;
use cutline::model::Qid;

use crate::names;
use crate::settings::{Reading, Said, Verifying};

#[derive(Args, Debug)]
#[command(mut_arg("null", |null| null.help(VERIFY_NULL)), mut_arg("person", |person| person.help(VERIFY_PERSON)))]
pub(crate) struct VerifyArgs {
    /// A table, ours or not: file, folder or pattern; or a release's folder, which knows its own requirement
    pub(crate) data: PathBuf,
    /// Further releases of overlapping persons, in their order: what all of them tell together of their persons
    #[arg(value_name = "RELEASE")]
    pub(crate) further: Vec<PathBuf>,
    /// The table that each release was made from, if the releases do not keep their persons themselves (with --person)
    #[arg(long, value_name = "TABLE", requires = "further")]
    pub(crate) previous: Vec<String>,
    /// A QID and its k, as in age,sex,zip:10; repeat for several [default: the requirement of the release]
    #[arg(long, value_name = "NAMES:K")]
    pub(crate) qid: Vec<Qid>,
    /// List so many of the smallest groups
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) worst: usize,
    /// Show the values of the smallest groups, and how surely each sensitive value is told (they may identify persons)
    #[arg(long)]
    pub(crate) show_values: bool,
    /// Say how surely the values of these attributes can be inferred (several: a,b)
    #[arg(long, value_name = "NAMES")]
    pub(crate) sensitive: Vec<String>,
    /// Say what someone sees who knows the attributes of all QIDs together
    #[arg(long)]
    pub(crate) union: bool,
    /// Do not look at what the other columns give away
    #[arg(long)]
    pub(crate) no_screen: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) settings: Said<Verifying>,
}

const VERIFY_NULL: &str = "Text that stands for a missing sensitive value, beside the empty one; repeat for several";

const VERIFY_PERSON: &str = "The column that says which person a record is about: k counts persons, not records [default: that of the \
                             release, if its table has it; a note says whether other tokens repeat]";

#[derive(Args, Debug)]
#[command(after_help = ATTACK)]
pub(crate) struct AttackArgs {
    /// A published table, ours or not: a release, file, folder or pattern; several are compared, for persons who are in all of them
    #[arg(required = true)]
    pub(crate) released: Vec<String>,
    /// A table with exact values of persons; nobody knows more than the raw table
    pub(crate) external: String,
    /// Columns of both tables to compare, as in age,sex,zip; repeat for several attacks [default: each QID of the release]
    #[arg(long, value_name = "NAMES")]
    pub(crate) on: Vec<String>,
    /// Column of both tables that says who is who, or `record` if both have the same persons in the same order
    #[arg(long, value_name = "NAME")]
    pub(crate) truth: Option<String>,
    /// The column of the released table that says which person a record is about, so that persons are counted and not records; with
    /// --truth record it may be one of the external table [default: that of the release]
    #[arg(long, value_name = "NAME")]
    pub(crate) person: Option<String>,
    /// Attributes to infer (several: a,b)
    #[arg(long, value_name = "NAMES")]
    pub(crate) sensitive: Vec<String>,
    /// The recoding.json that was published with the table [default: that of the release]
    #[arg(long, value_name = "FILE")]
    pub(crate) recoding: Option<PathBuf>,
    /// A private taxonomy that the release was made with: what an adversary learns who has it; repeat for several
    #[arg(long, value_name = "NAME=FILE", value_parser = names::assignment)]
    pub(crate) taxonomy: Vec<(String, String)>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    #[command(flatten)]
    pub(crate) read: Said<Reading>,
}

const ATTACK: &str = "\
An exact value matches every label that covers it: the same text, a node above it in the recoding's taxonomy, an interval that \
contains it, or `*`. With the recoding, a value matches the one label that it has, and suppressed records match everybody. A \
private taxonomy is not in the recoding: without --taxonomy, a value that is no label itself matches all labels of its attribute, \
and an adversary who has the taxonomy, or guesses it from the labels, learns more than is said. No values are printed.";

#[derive(Args, Debug)]
#[command(after_help = SCREEN)]
pub(crate) struct ScreenArgs {
    /// A table that is to be published: file, folder or pattern
    pub(crate) data: String,
    /// What will be masked: a QID and its k, as in age,sex,zip:10; repeat for several [default: QIDs are proposed]
    #[arg(long, value_name = "NAMES:K")]
    pub(crate) qid: Vec<Qid>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    #[command(flatten)]
    pub(crate) read: Said<Reading>,
}

const SCREEN: &str = "\
alone: records whose value in this column nobody shares. smallest with QID: the smallest group for someone who knows the values of a \
QID and of this column. gives away: the share of records whose value of a QID's attribute is certain for whoever sees this column, \
where that is more than chance. Of more than 1,000,000 records (or 50 million cells) so many are drawn. No values are printed; what \
is printed was computed from hidden values, and is for the data steward alone.";
