//! Does a column that stands for persons repeat? k counts records: twelve visits of one patient are no group of ten persons.

use std::path::Path;

use cutline::Error;
use cutline::model::Identifier;
use cutline::verify::{Claim, Options, verify};

use super::recoding_of;
use crate::args::VerifyArgs;
use crate::{names, out};

/// The columns that were named, or the tokens of a release.
pub(super) fn named(args: &VerifyArgs) -> Result<Vec<String>, Error> {
    if !args.person.is_empty() {
        return Ok(args.person.iter().flat_map(|names| names::list(names)).collect());
    }
    let identifiers = recoding_of(&args.data)?.into_iter().flat_map(|recoding| recoding.identifiers);
    Ok(identifiers.filter(|(_, how)| *how == Identifier::Tokenize).map(|(name, _)| name).collect())
}

/// Says which of the columns have fewer values than the table has records. This reads the table once more, and remembers all values.
pub(super) fn warn(table: &Path, persons: &[String], options: &Options) -> Result<(), Error> {
    if persons.is_empty() {
        return Ok(());
    }
    let claims: Vec<Claim> = persons.iter().map(|name| Claim::new(vec![name.clone()], 1)).collect();
    let options = Options { worst: 0, keep_values: false, sensitive: Vec::new(), union: false, ..options.clone() };
    let verdict = verify(table, &claims, &options, &|_| {})?;
    for (name, finding) in persons.iter().zip(&verdict.findings).filter(|(_, finding)| finding.groups < verdict.records)
    {
        out::tell(format_args!(
            "note: `{name}` repeats: {} records, {} persons; k counts records, so a group of k may be fewer persons",
            verdict.records, finding.groups
        ));
    }
    Ok(())
}
