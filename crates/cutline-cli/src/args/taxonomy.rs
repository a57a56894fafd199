//! What to do with a taxonomy.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use super::InputArgs;

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
