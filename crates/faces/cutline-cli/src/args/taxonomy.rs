//! What to do with a taxonomy.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use cutline::By;

use crate::settings::{Reading, Said};

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
        read: Said<Reading>,
    },
    /// Propose a taxonomy for a column, to be edited
    ///
    /// Codes that begin alike, or values whose records have alike classes, are put together. The file contains the values of the
    /// table; it is an input, do not publish it. Anonymize with --private-taxonomy NAME beside --taxonomy NAME=FILE, so that no file
    /// of the release tells what is below the cut.
    Build(BuildArgs),
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
        /// Replace an existing file
        #[arg(long)]
        force: bool,
    },
}

#[derive(Args, Debug)]
pub(crate) struct BuildArgs {
    /// A table: file, folder or pattern
    pub(crate) data: String,
    /// The column whose values are to be the leaves
    #[arg(long, value_name = "NAME")]
    pub(crate) attribute: String,
    /// What puts values together [default: target if there is one, prefix for what looks like codes, values otherwise]
    #[arg(long, value_enum)]
    pub(crate) by: Option<ByArg>,
    /// The column whose classes are to be predicted
    #[arg(long, value_name = "NAME")]
    pub(crate) target: Option<String>,
    /// The file to write [default: standard output]
    #[arg(short, long)]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    pub(crate) force: bool,
    /// The format to write
    #[arg(long, alias = "to", value_enum, default_value = "outline")]
    pub(crate) format: TaxonomyFormat,
    #[command(flatten)]
    pub(crate) read: Said<Reading>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ByArg {
    /// Codes that begin alike: 13053 is below 1305*, 130** and so on
    Prefix,
    /// Values whose records have alike classes of the target
    Target,
    /// Dates of the same decade, year, quarter and month
    Calendar,
    /// Numbers of stretches of equal width: 5, 10, 50 and so on
    Width,
    /// Numbers of stretches with about as many records each
    Frequency,
    /// Nothing: all values are directly below the root, to be grouped by hand
    Values,
}

impl From<ByArg> for By {
    fn from(by: ByArg) -> By {
        match by {
            ByArg::Prefix => By::Prefix,
            ByArg::Target => By::Target,
            ByArg::Calendar => By::Calendar,
            ByArg::Width => By::Width,
            ByArg::Frequency => By::Frequency,
            ByArg::Values => By::Values,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TaxonomyFormat {
    Outline,
    Arx,
    Json,
}
