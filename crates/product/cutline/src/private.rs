//! Private taxonomies, given again.

use std::path::Path;

use cutline_engine::{CompressPlan, Engine, Unwatched};
use cutline_model::recoding::{RestoreError, Unknown};
use cutline_model::{AttributeRecoding, Classification, Recoding, Taxonomy};

use crate::columns::find_column;
use crate::job::{coded, read_taxonomy};
use crate::{Error, Table};

/// Reads a private taxonomy of a recoding from its file, or makes that of a classification from the codes of the table that the recoding
/// is applied to. The stored cut must be one of its cuts.
pub fn give_taxonomy(
    recoding: &mut Recoding,
    (attribute, path): (&str, &Path),
    table: Option<&Table>,
    unknown: Unknown,
) -> Result<(), Error> {
    let taxonomy = match (coded(path)?, table) {
        (Some(classification), Some(table)) => of_table(recoding, attribute, classification, table)?,
        _ => read_taxonomy(attribute, path)?,
    };
    recoding.restore_taxonomy(attribute, taxonomy, unknown).map_err(|error| match error {
        RestoreError::NotPrivate(_) => Error::Contradiction {
            what: error.to_string(),
            hint: "leave out this ‹taxonomy›: only private ones must be given again".to_owned(),
        },
        RestoreError::NoSuchNode { .. } => Error::Contradiction {
            what: format!("{}: {error}", path.display()),
            hint: "give the taxonomy that the release was made with; a value that ‹unknown root› attached to it can be added to the \
                   file, or is applied with ‹unknown root›"
                .to_owned(),
        },
        RestoreError::OtherRoot { .. } | RestoreError::NotACut(_) => Error::Contradiction {
            what: format!("{}: {error}", path.display()),
            hint: "give the taxonomy that the release was made with".to_owned(),
        },
    })
}

/// The tree of a classification above the codes of a table, and above what the recoding publishes.
fn of_table(
    recoding: &Recoding,
    attribute: &str,
    classification: &Classification,
    table: &Table,
) -> Result<Taxonomy, Error> {
    let plan = CompressPlan {
        columns: vec![find_column(table, attribute)?],
        nulls: recoding.null.clone(),
        ..CompressPlan::default()
    };
    let counted = table.compress(&plan, &Unwatched)?.table;
    let cut: Vec<&str> = match recoding.attributes.get(attribute) {
        Some(AttributeRecoding::Generalize { cut, .. }) => cut.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let values = counted.columns.first().into_iter().flat_map(|column| column.values()).map(|(text, _)| text);
    classification.taxonomy(values, &cut).map_err(|source| Error::Taxonomy {
        attribute: attribute.to_owned(),
        path: format!("builtin:{}", classification.name).into(),
        source: Box::new(source),
    })
}
