//! What else a published table gives away, as far as it tells that itself.

use cutline::model::{Identifier, Qid};
use cutline::spec::Spec;
use cutline::{Error, NOBODY, Observer, Release, ScreenPlan, Table, cores, published_warnings, source_options};

use super::recoding_of;
use crate::args::VerifyArgs;

/// Columns that name persons or single them out, alone or with a QID. What is hidden is not known here.
pub(super) fn of(args: &VerifyArgs, qids: &[Qid], spec: &Spec, observer: &dyn Observer) -> Result<Vec<String>, Error> {
    if args.no_screen {
        return Ok(qids.iter().any(|qid| qid.k == 1).then(|| NOBODY.to_owned()).into_iter().collect());
    }
    let recoding = recoding_of(&args.data)?;
    let identifiers = recoding.iter().flat_map(|recoding| &recoding.identifiers);
    let tokens = identifiers.filter(|(_, how)| **how == Identifier::Tokenize).map(|(name, _)| name.clone());
    let mut nulls = spec.input.null.clone();
    nulls.extend(recoding.iter().flat_map(|recoding| recoding.null.iter().cloned()));
    let tokens = tokens.collect();
    let plan = ScreenPlan { qids: qids.to_vec(), nulls, masked: true, tokens, ..ScreenPlan::default() };
    let table = match Release::at(&args.data)? {
        Some(release) => release.open_table()?,
        None => Table::open(&args.data.to_string_lossy(), &source_options(spec)?, cores())?,
    };
    published_warnings(&table, &plan, observer)
}

/// A line each, below an empty one.
pub(super) fn shown(warnings: &[String]) -> String {
    let lines = warnings.iter().map(|warning| format!("warning: {warning}\n"));
    std::iter::once("\n".to_owned()).chain(lines).filter(|_| !warnings.is_empty()).collect()
}
