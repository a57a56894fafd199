//! What is told: the one policy of what everybody may read of a release, beside its table.
//!
//! **Every file under `public/` is a function of the published table and the public part of the spec.** [`Told::new`] is the only place
//! where such files are made.
//!
//! | may this be told? | answer |
//! | --- | --- |
//! | a value, a bound, a node of a cut | only if it follows from labels that published records show: [`Settled`](cutline_table::Settled) takes out everything else before the table is written |
//! | a node of a private taxonomy, a value that ‹unknown root› attached, that values are missing | as [`stored`](crate::stored) says |
//! | into which regions records fall (‹local›) | where that follows from the labels of groups, and not where single names are told apart: as [`stored`](crate::stored) says |
//! | a setting | those of [`public_spec`] alone: a new one is private until somebody puts it there |
//! | counts, sizes of groups, risks | as the verifier counted them in the published table: [`PublicReport::new`] sees no others |
//! | what holds | what was recounted, and what follows from how the table was made: [`Guarantee`] says which is which |
//! | steps, losses, why, raw counts, times, keys | never: they are for the steward, under `private/` |
//!
//! `tests/public_report.rs` of the command changes what a table hides, and compares all public bytes.

use cutline_arrow::crew::on_threads;
use cutline_model::recoding::Regions;
use cutline_model::{Guarantee, Identifier, Recoding};
use cutline_report::{PublicReport, page};
use cutline_verify::Verdict;

use crate::reporting::public_spec;
use crate::stored::stored;
use crate::{Draft, Error, Release, Shuffle};

/// All that is told of a release.
pub(crate) struct Told {
    recoding: Recoding,
    report: PublicReport,
}

impl Told {
    /// What may be told of a draft whose table was written and recounted, by this recoding.
    pub(crate) fn new(draft: &Draft, verdict: &Verdict, recoding: Recoding) -> Result<Self, Error> {
        let Draft { job, columns, found, .. } = draft;
        let recoding = on_threads(job.threads, || stored(recoding, found))?;
        let report = PublicReport::new(verdict, &recoding, &public_spec(job, columns, draft.format()));
        Ok(Told { recoding, report })
    }

    /// Is something of the recoding for the steward alone?
    pub(crate) fn withholds(&self) -> bool {
        self.recoding.regions.as_ref().is_some_and(Regions::are_withheld)
    }

    /// The public files, but for the table.
    pub(crate) fn files(&self) -> [(&'static str, String); 3] {
        [
            ("recoding.json", self.recoding.to_json()),
            ("report.json", self.report.to_json()),
            ("report.html", page::public(&self.report, &self.recoding).to_string()),
        ]
    }
}

impl Draft {
    /// What will hold of the published table, and how it is known.
    pub fn guarantees(&self) -> Vec<Guarantee> {
        let order = (self.job.shuffle != Shuffle::No).then_some(Guarantee::RandomOrder);
        let requirement = Guarantee::of_qids(self.job.requirement.qids());
        requirement.into_iter().chain(tokens(&self.columns.identifiers())).chain(order).collect()
    }
}

impl Release {
    /// What its recoding says that holds, and how it is known.
    pub fn guarantees(&self) -> Vec<Guarantee> {
        let requirement = Guarantee::of_qids(&self.requirement());
        requirement.into_iter().chain(tokens(&self.recoding().identifiers)).collect()
    }
}

fn tokens(identifiers: &indexmap::IndexMap<String, Identifier>) -> impl Iterator<Item = Guarantee> + '_ {
    let tokens = identifiers.iter().filter(|(_, how)| **how == Identifier::Tokenize);
    tokens.map(|(column, _)| Guarantee::Tokens { column: column.clone() })
}
