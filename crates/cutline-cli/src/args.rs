//! The arguments as they are typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use cutline::model::{Condition, Qid, Share};

use crate::clusters::{ClusterArgs, CompareArgs, QidArg};
use crate::commands::evaluate;
use crate::names;

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
    /// Show, check or convert a taxonomy
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

/// What a table's files look like.
#[derive(Args, Debug, Default, Clone)]
pub(crate) struct ShapeArgs {
    /// Format of the input, where its extension does not tell: csv, parquet, arrow or jsonl
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<String>,
    /// Character between the fields of a CSV file
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub(crate) delimiter: Option<char>,
    /// The CSV file has no header line; columns are named column1, column2, ...
    #[arg(long)]
    pub(crate) no_header: bool,
}

/// How a table is read.
#[derive(Args, Debug, Default, Clone)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputArgs {
    /// Text that stands for a missing value, beside the empty one; repeat for several
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) null: Vec<String>,
    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
    /// Names of the columns of a file without a header, separated by commas
    #[arg(long, value_name = "NAMES")]
    pub(crate) columns: Option<String>,
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
}

/// What must hold, and what for.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Requirement and purpose")]
pub(crate) struct RequirementArgs {
    /// A QID and its k, as in age,sex,zip:10; repeat for several (for --clusters also ks to compare: 5,20 or 5..100)
    #[arg(long, value_name = "NAMES:K")]
    pub(crate) qid: Vec<QidArg>,
    /// Attribute to predict: the purpose is classification, unless --purpose says regression
    #[arg(long, value_name = "NAME")]
    pub(crate) target: Option<String>,
    /// What the table is published for
    #[arg(long, value_enum)]
    pub(crate) purpose: Option<PurposeArg>,
    /// A further target and its weight, for a genetic search and the report; repeat for several
    #[arg(long, value_name = "NAME[:WEIGHT]", value_parser = names::weighted)]
    pub(crate) also_target: Vec<(String, Option<f64>)>,
    /// Weight of the target itself, beside further targets [default: 1]
    #[arg(long, value_name = "WEIGHT")]
    pub(crate) target_weight: Option<f64>,
    /// What it costs to take a class for another one [default: 1]; repeat for several
    #[arg(long, value_name = "ACTUAL,PREDICTED=COST", value_parser = names::cost)]
    pub(crate) cost: Vec<(String, String, f64)>,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,
    /// Accept that the target is in a QID and gets masked
    #[arg(long)]
    pub(crate) allow_target_in_qid: bool,
    /// The largest share of records that may be suppressed, as in 1% [default: 0, for genetic no limit]
    #[arg(long, value_name = "SHARE")]
    pub(crate) suppress_limit: Option<Share>,
    /// What becomes of suppressed records [default: mask]
    #[arg(long, value_enum)]
    pub(crate) suppress_how: Option<SuppressHowArg>,
}

/// What must hold of the sensitive values of every group.
#[derive(Args, Debug, Default)]
pub(crate) struct ConditionArgs {
    /// A condition on every group, as in distinct-l:diagnosis=3; repeat for several. Others: entropy-l:diagnosis=2.5,
    /// recursive-l:diagnosis=2,3, alpha:diagnosis=0.5, t-close:diagnosis=0.2, t-close-ordered:income=0.2
    #[arg(long, value_name = "NAME:ATTRIBUTE=BOUND")]
    pub(crate) condition: Vec<Condition>,
    /// No group may point to this value with more confidence; repeat for several
    #[arg(long, value_name = "ATTRIBUTE=VALUE<=SHARE", value_parser = names::bound)]
    pub(crate) bound: Vec<Condition>,
}

impl ConditionArgs {
    /// All of them.
    pub(crate) fn all(&self) -> Vec<Condition> {
        self.condition.iter().chain(&self.bound).cloned().collect()
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SuppressHowArg {
    /// All their quasi values become `*` (left out if they are too few to be a group)
    Mask,
    /// They are left out
    Drop,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PurposeArg {
    Classification,
    Regression,
    Clustering,
    General,
}

/// What is known of single attributes.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Attributes")]
pub(crate) struct AttributeArgs {
    /// Taxonomy of an attribute: outline, ARX CSV or JSON; repeat for several
    #[arg(long, value_name = "NAME=FILE", value_parser = names::assignment)]
    pub(crate) taxonomy: Vec<(String, String)>,
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

/// How to search.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// Search algorithm [default: tdr]
    #[arg(long, value_enum)]
    pub(crate) algorithm: Option<AlgorithmArg>,
    /// Stop after so many steps and publish the state reached
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<usize>,
    /// Stop after so long and publish the state reached, as in 30s or 5m
    #[arg(long, value_name = "TIME")]
    pub(crate) time_limit: Option<String>,
    /// For algorithms that draw random numbers (tdr, tds and bottom-up draw none)
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) genetic: GeneticArgs,
    /// Threads to use; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum AlgorithmArg {
    /// Top-down refinement (2007)
    Tdr,
    /// Top-down specialization (2005)
    Tds,
    /// Bottom-up generalization (2004)
    BottomUp,
    /// Genetic search (2002)
    Genetic,
}

/// Settings of the genetic search.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Genetic search")]
pub(crate) struct GeneticArgs {
    /// What is minimized [default: cm for classification, rm for regression, lm otherwise]
    #[arg(long, value_enum)]
    pub(crate) metric: Option<MetricArg>,
    /// Candidates that live at a time [default: 200]
    #[arg(long, value_name = "N")]
    pub(crate) population: Option<usize>,
    /// Candidates that are evaluated [default: 50000]
    #[arg(long, value_name = "N")]
    pub(crate) iterations: Option<usize>,
    /// Probability that a bit of a child is changed [default: one bit on average]
    #[arg(long, value_name = "RATE")]
    pub(crate) mutation: Option<f64>,
    /// How much more often the best is a parent than the median, 1 to 2 [default: 1.5]
    #[arg(long)]
    pub(crate) bias: Option<f64>,
    /// Start from random candidates only, without the result of tdr
    #[arg(long)]
    pub(crate) unseeded: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MetricArg {
    /// General loss
    Lm,
    /// Records that are not of their group's majority class
    Cm,
    /// Variance within groups
    Rm,
    /// Distance from the median within groups
    RmMedian,
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

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// A table, ours or not: file, folder or pattern
    pub(crate) data: PathBuf,
    /// A QID and its k, as in age,sex,zip:10; repeat for several
    #[arg(long, value_name = "NAMES:K", required = true)]
    pub(crate) qid: Vec<Qid>,
    /// List so many of the smallest groups
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) worst: usize,
    /// Show the values of the smallest groups, and how surely each sensitive value is told (they may identify persons)
    #[arg(long)]
    pub(crate) show_values: bool,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,
    /// Say how surely the values of these attributes can be inferred (several: a,b)
    #[arg(long, value_name = "NAMES")]
    pub(crate) sensitive: Vec<String>,
    /// Text that stands for a missing sensitive value, beside the empty one; repeat for several
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) null: Vec<String>,
    /// Say what someone sees who knows the attributes of all QIDs together
    #[arg(long)]
    pub(crate) union: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
}

#[derive(Args, Debug)]
#[command(after_help = ATTACK)]
pub(crate) struct AttackArgs {
    /// A published table, ours or not: a release, file, folder or pattern
    pub(crate) released: String,
    /// A table with exact values of persons; nobody knows more than the raw table
    pub(crate) external: String,
    /// Columns of both tables to compare, as in age,sex,zip; repeat for several attacks [default: each QID of the release]
    #[arg(long, value_name = "NAMES")]
    pub(crate) on: Vec<String>,
    /// Column of both tables that says who is who, or `record` if both have the same persons in the same order
    #[arg(long, value_name = "NAME")]
    pub(crate) truth: Option<String>,
    /// Attributes to infer (several: a,b)
    #[arg(long, value_name = "NAMES")]
    pub(crate) sensitive: Vec<String>,
    /// The recoding.json that was published with the table [default: that of the release]
    #[arg(long, value_name = "FILE")]
    pub(crate) recoding: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

const ATTACK: &str = "\
An exact value matches every label that covers it: the same text, a node above it in the recoding's taxonomy, an interval that \
contains it, or `*`. With the recoding, a value matches the one label that it has, and suppressed records match everybody. No \
values are printed.";

#[derive(Args, Debug)]
#[command(after_help = EVALUATE, mut_arg("qid", |qid| qid.value_parser(evaluate::qid).help(EVALUATE_QID)))]
pub(crate) struct EvaluateArgs {
    /// The raw table; by itself, a spec (.toml) or a table to be masked as the flags say
    #[arg(value_name = "RAW | SPEC.toml | DATA")]
    pub(crate) input: String,
    /// A masked table with the same records in the same order, or a release
    #[arg(conflicts_with_all = ["together", "taxonomy", "range", "algorithm", "max_steps", "time_limit", "metric", "cost"])]
    pub(crate) masked: Option<String>,
    #[command(flatten)]
    pub(crate) split: SplitArgs,
    /// What learns, if the target is a class
    #[arg(long, value_enum, default_value = "both")]
    pub(crate) classifier: ClassifierArg,
    /// Mask training and test records together, then divide them
    #[arg(long)]
    pub(crate) together: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) requirement: RequirementArgs,
    #[command(flatten)]
    pub(crate) clusters: CompareArgs,
    #[command(flatten)]
    pub(crate) attributes: AttributeArgs,
    #[command(flatten)]
    pub(crate) read: InputArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

const EVALUATE: &str = "\
baseline: learned from and tested on the raw table; masked: on the masked one; removed: on the raw one without the masked \
attributes. With two tables, the masked attributes are the columns that differ, or those of --qid. With one table, every \
training part is masked by itself and the recoding applied to the test part. Nothing is published.";

const EVALUATE_QID: &str =
    "A QID and its k, as in age,sex,zip:10; with two tables, the names of masked attributes; repeat for several";

/// Which records train, which test. Without any of these a third of the records tests.
#[derive(Args, Debug, Default)]
pub(crate) struct SplitArgs {
    /// The first N records train, the others test
    #[arg(long, value_name = "N", group = "split")]
    pub(crate) train_records: Option<usize>,
    /// A random share of the records tests, as in 1/3 or 20% [default: 1/3]
    #[arg(long, value_name = "SHARE", group = "split", value_parser = evaluate::share)]
    pub(crate) holdout: Option<Share>,
    /// Cross-validation with N folds
    #[arg(long, value_name = "N", group = "split")]
    pub(crate) folds: Option<usize>,
    /// A raw table to test with: all records of RAW train
    #[arg(long, value_name = "RAW_TEST", group = "split", requires = "masked", requires = "masked_test")]
    pub(crate) test: Option<String>,
    /// The same table masked
    #[arg(long, value_name = "MASKED_TEST", requires = "test")]
    pub(crate) masked_test: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ClassifierArg {
    /// C4.5 and Naive Bayes
    Both,
    #[value(name = "c4.5")]
    C45,
    NaiveBayes,
}

#[derive(Subcommand, Debug)]
pub(crate) enum TaxonomyCommand {
    /// Draw the tree
    Show {
        /// The taxonomy: outline, ARX CSV or JSON
        file: PathBuf,
        /// Mark these nodes, as in --cut Primary,Secondary
        #[arg(long, value_name = "LABELS")]
        cut: Option<String>,
    },
    /// Is the file a taxonomy, and does it contain all values of a column?
    Check {
        /// The taxonomy: outline, ARX CSV or JSON
        file: PathBuf,
        /// A table whose values must be leaves
        #[arg(long, requires = "column")]
        data: Option<String>,
        /// The column of that table
        #[arg(long, requires = "data")]
        column: Option<String>,
        #[command(flatten)]
        input: InputArgs,
    },
    /// Write the taxonomy in another format
    Convert {
        /// The taxonomy: outline, ARX CSV or JSON
        file: PathBuf,
        /// The format to write
        #[arg(long, value_enum)]
        to: TaxonomyFormat,
        /// The file to write [default: standard output]
        #[arg(short, long)]
        output: Option<PathBuf>,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TaxonomyFormat {
    Outline,
    Arx,
    Json,
}

/// A delimiter is one character; `\t` and `tab` are the tab.
fn delimiter(text: &str) -> Result<char, String> {
    let mut characters = text.chars();
    match (text, characters.next(), characters.next()) {
        ("\\t" | "tab", ..) => Ok('\t'),
        (_, Some(character), None) => Ok(character),
        _ => Err("a delimiter is one character, or `tab`".to_owned()),
    }
}
