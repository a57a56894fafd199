//! How a table is read.

use clap::Args;

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

/// A delimiter is one character; `\t` and `tab` are the tab.
fn delimiter(text: &str) -> Result<char, String> {
    let mut characters = text.chars();
    match (text, characters.next(), characters.next()) {
        ("\\t" | "tab", ..) => Ok('\t'),
        (_, Some(character), None) => Ok(character),
        _ => Err("a delimiter is one character, or `tab`".to_owned()),
    }
}
