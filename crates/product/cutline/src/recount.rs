//! A written table is read back and counted, with code that shares nothing with what wrote it.

use std::cell::Cell;
use std::num::NonZeroUsize;

use cutline_engine::{Format, InputFormat, Written};
use cutline_model::Qid;
use cutline_verify::{Absent, Claim, Finding, Notation, Options, Persons, Population, Recount, Verdict};

use crate::{Error, Observer, Stage};

/// What a written table must satisfy, and how it is read.
pub(crate) struct Claimed<'a> {
    pub(crate) qids: &'a [Qid],
    /// Texts that stand for a missing value, beside the empty one.
    pub(crate) nulls: &'a [String],
    /// Further attributes of which it is told how surely groups tell their values.
    pub(crate) sensitive: Vec<String>,
    /// May a condition be about a value that no record has?
    pub(crate) absent: Absent,
    pub(crate) threads: usize,
    /// The published column that says which person a record is about. If there is none, what was written may tell it.
    pub(crate) person: Option<&'a str>,
    /// How the table was drawn from a population, if it was.
    pub(crate) population: Option<Population>,
    /// How numbers are written in columns of a text file that are published as they are.
    pub(crate) notation: Notation,
}

/// Recounts what was written. An observer is told the progress in parts of `size`.
pub(crate) fn recount(
    table: &dyn Recount,
    written: &Written,
    claimed: &Claimed<'_>,
    size: u64,
    observer: &dyn Observer,
) -> Result<Verdict, Error> {
    observer.stage(Stage::Verify, Some(size));
    let done = Cell::new(0);
    // The verifier counts records.
    let progress = |records: u64| {
        let now = (size as f64 * records as f64 / written.records.max(1) as f64) as u64;
        observer.advance(now.saturating_sub(done.replace(now)));
    };
    let format = written.place.format().map(file_format);
    let mut options = Options { format, delimiter: written.delimiter, ..claimed.options() };
    if written.place.format().is_some_and(|format| format != Format::Csv) {
        options.notation = Notation::default();
    }
    options.persons = options.persons.or_else(|| written.persons.as_deref().map(|told| Persons::Numbers(told.into())));
    let verdict = table.recount(&claimed.claims()?, &options, &progress)?;
    if verdict.records != written.records {
        return Err(Error::Unverified(format!(
            "{} records were written, {} read back",
            written.records, verdict.records
        )));
    }
    Ok(verdict)
}

impl Claimed<'_> {
    pub(crate) fn options(&self) -> Options {
        Options {
            nulls: self.nulls.to_vec(),
            sensitive: sensitive(self),
            persons: self.person.map(|name| Persons::Column(name.to_owned())),
            population: self.population.clone(),
            notation: self.notation,
            union: self.qids.len() > 1,
            absent: self.absent,
            threads: NonZeroUsize::new(self.threads),
            ..Options::default()
        }
    }

    pub(crate) fn claims(&self) -> Result<Vec<Claim>, Error> {
        self.qids.iter().map(claim).collect()
    }
}

/// A notation as the verifier, which has its own readers, calls it.
pub fn verified_notation(notation: cutline_arrow::Notation) -> Notation {
    let (decimal, thousands) = notation.characters();
    Notation { decimal, thousands }
}

/// A format as the verifier, which has its own readers, calls it.
fn file_format(format: Format) -> cutline_verify::Format {
    match format {
        Format::Csv => cutline_verify::Format::Csv,
        Format::Parquet => cutline_verify::Format::Parquet,
        Format::Arrow => cutline_verify::Format::Arrow,
        Format::JsonLines => cutline_verify::Format::JsonLines,
    }
}

/// The same for a format that is read: the verifier reads what is published, with readers of its own.
///
/// # Errors
/// If nothing is published in the format.
pub fn verified_format(format: InputFormat) -> Result<cutline_verify::Format, Error> {
    match format {
        InputFormat::Table(format) => Ok(file_format(format)),
        other => Err(Error::Contradiction {
            what: format!("only CSV, Parquet, Arrow and JSON lines are verified, not {other}"),
            hint: "export the table as CSV".to_owned(),
        }),
    }
}

/// What a recount says against a table, if it says anything.
pub(crate) fn failure(verdict: &Verdict) -> Option<String> {
    verdict.findings.iter().find(|finding| !finding.holds()).map(broken)
}

/// Are all groups large enough?
fn enough(finding: &Finding) -> bool {
    finding.persons.as_ref().map_or(finding.anonymity, |persons| persons.smallest) >= finding.k
}

fn broken(finding: &Finding) -> String {
    let qid = finding.attributes.join(", ");
    match finding.conditions.iter().find(|condition| !condition.holds()) {
        Some(broken) if enough(finding) => {
            format!("{} groups of {{{qid}}} violate `{}`", broken.violating_groups, broken.condition)
        }
        _ => match &finding.persons {
            Some(persons) => {
                format!("the smallest group of {{{qid}}} has {} persons, k is {}", persons.smallest, finding.k)
            }
            None => format!("the smallest group of {{{qid}}} has {} records, k is {}", finding.anonymity, finding.k),
        },
    }
}

/// The attributes that conditions are about and those that are watched, to tell how sure an attacker can be.
fn sensitive(claimed: &Claimed<'_>) -> Vec<String> {
    let conditions = claimed.qids.iter().flat_map(|qid| &qid.conditions).map(|condition| condition.attribute());
    let mut names: Vec<String> = Vec::new();
    for name in conditions.chain(claimed.sensitive.iter().map(String::as_str)) {
        if !names.iter().any(|other| other == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// A QID as the verifier reads it: it has its own understanding of every condition.
fn claim(qid: &Qid) -> Result<Claim, Error> {
    let conditions = qid.conditions.iter().map(|condition| condition.to_string().parse());
    Ok(Claim { conditions: conditions.collect::<Result<_, _>>()?, ..Claim::new(qid.attributes.clone(), qid.k) })
}
