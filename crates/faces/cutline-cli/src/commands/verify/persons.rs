//! Does a column that stands for persons repeat? k counts records: twelve visits of one patient are no group of ten persons.

use std::path::Path;

use cutline::Error;
use cutline::model::{Identifier, Recoding};
use cutline::spec::Spec;
use cutline::verify::{Claim, Options, verify};

use super::recoding_of;
use crate::args::VerifyArgs;
use crate::out;

/// The column that was named, or that of a release whose table has it: groups count persons by it.
pub(super) fn counted(args: &VerifyArgs, spec: &Spec) -> Result<Option<String>, Error> {
    let published = |recoding: Recoding| {
        let Recoding { requirement, columns, .. } = recoding;
        requirement.person.filter(|name| columns.is_some_and(|columns| columns.contains(name)))
    };
    let own = || Ok(recoding_of(&args.data)?.and_then(published));
    spec.person.clone().map_or_else(own, |name| Ok(Some(name)))
}

/// The tokens of a release by which nobody counts persons.
pub(super) fn others(args: &VerifyArgs, spec: &Spec) -> Result<Vec<String>, Error> {
    let counted = counted(args, spec)?;
    let identifiers = recoding_of(&args.data)?.into_iter().flat_map(|recoding| recoding.identifiers);
    let tokens = identifiers.filter(|(_, how)| *how == Identifier::Tokenize).map(|(name, _)| name);
    Ok(tokens.filter(|name| counted.as_ref() != Some(name)).collect())
}

/// Says which of the columns have fewer values than the table has records. This reads the table once more, and remembers all values.
pub(super) fn warn(table: &Path, persons: &[String], options: &Options) -> Result<(), Error> {
    if persons.is_empty() {
        return Ok(());
    }
    let claims: Vec<Claim> = persons.iter().map(|name| Claim::new(vec![name.clone()], 1)).collect();
    let options = Options {
        worst: 0,
        keep_values: false,
        sensitive: Vec::new(),
        persons: None,
        population: None,
        union: false,
        ..options.clone()
    };
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
