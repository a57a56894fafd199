//! Private taxonomies, given again.

use std::path::Path;

use cutline_model::Recoding;
use cutline_model::recoding::{RestoreError, Unknown};

use crate::Error;
use crate::job::read_taxonomy;

/// Reads a private taxonomy of a recoding from its file. The stored cut must be one of its cuts.
pub fn give_taxonomy(recoding: &mut Recoding, attribute: &str, path: &Path, unknown: Unknown) -> Result<(), Error> {
    let taxonomy = read_taxonomy(attribute, path)?;
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
