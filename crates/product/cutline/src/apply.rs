//! The same recoding on another table.

mod columns;
mod count;
mod file;

use std::path::Path;

use cutline_engine::{Engine, EngineError, Format, Order, Target, Written};
use cutline_model::recoding::{LabelError, SuppressHow, Unknown};
use cutline_model::{AttributeRecoding, Identifier, Qid, Recoding, Requirement};
use cutline_table::{AttributeMask, MaskPlan};
use cutline_verify::{Absent, Verdict};
use indexmap::IndexMap;

use self::file::OneFile;
use crate::against::compare;
use crate::columns::{names_of, position};
use crate::draft::check_countable;
use crate::error::read_text;
use crate::observer::Watching;
use crate::recount::{Claimed, failure, recount};
use crate::staging::Product;
use crate::{Destination, Error, Note, Observer, Release, Shuffle, Stage, cores};

/// A recoding to be applied.
#[derive(Clone, Debug)]
pub struct Apply {
    /// The recoding.
    pub recoding: Recoding,
    /// What must hold in the table it is applied to beside what was promised of the table it was made for. One with the attributes of a
    /// promised QID takes its place, with another threshold.
    pub qids: Vec<Qid>,
    /// What to do with values that a taxonomy does not contain.
    pub unknown: Unknown,
    /// Further identifiers.
    pub identifiers: IndexMap<String, Identifier>,
    /// Columns to be published as they are although the release did not have them.
    pub keep: Vec<String>,
    /// In which order records are published.
    pub shuffle: Shuffle,
    /// An earlier release that recipients may compare the table with.
    pub against: Option<Release>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Applied {
    /// What was recounted in the written table.
    pub verdict: Verdict,
    /// Records left out because a value is missing, if the recoding says so.
    pub dropped: u64,
    /// Records in groups that were too small, if the recoding may suppress any.
    pub suppressed: u64,
}

impl Apply {
    /// A stored recoding, to be applied as it is.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = read_text(path)?;
        let recoding =
            Recoding::from_json(&text).map_err(|source| Error::Recoding { path: path.to_owned(), source })?;
        Ok(Apply {
            recoding,
            qids: Vec::new(),
            unknown: Unknown::Error,
            identifiers: IndexMap::new(),
            keep: Vec::new(),
            shuffle: Shuffle::No,
            against: None,
        })
    }

    fn mask(&self, name: &str, attribute: &AttributeRecoding) -> AttributeMask {
        AttributeMask { recoding: attribute.clone(), unknown: self.recoding.unknown_of(name, self.unknown) }
    }

    /// The same error, unless it is about a value that only a private taxonomy can have.
    fn explained(&self, error: Error) -> Error {
        match error {
            Error::Engine(EngineError::Value { attribute, error: error @ LabelError::NotInTaxonomy { .. } })
                if self.recoding.has_private_taxonomy(&attribute) =>
            {
                Error::BelowPrivateCut { attribute, error }
            }
            error => error,
        }
    }

    /// What the written table must satisfy: a recoding that fits one table may leave small groups in another.
    fn requirement(&self) -> Result<Requirement, Error> {
        Ok(Requirement::new(self.recoding.requirement.asked_of(&self.qids))?)
    }
}

/// What the first pass found.
struct Looked {
    /// What becomes of records.
    mask: MaskPlan,
    /// How many records there are, if they were counted.
    records: Option<u64>,
}

/// The recoding's attributes in the table that it is applied to.
struct Quasi {
    /// Their columns.
    sources: Vec<usize>,
    mask: MaskPlan,
}

impl Quasi {
    fn new(apply: &Apply, names: &[String]) -> Result<Self, Error> {
        let attributes = &apply.recoding.attributes;
        let source = |name: &String| position(names, name, "masked by the recoding");
        let mask = MaskPlan {
            attributes: attributes.iter().map(|(name, attribute)| apply.mask(name, attribute)).collect(),
            places: None,
            suppress: None,
        };
        let by_regions = mask.by_regions(apply.recoding.regions.as_ref());
        Ok(Quasi {
            sources: attributes.keys().map(source).collect::<Result<_, _>>()?,
            // A recoding that was read has regions of its own attributes.
            mask: by_regions.map_err(|error| Error::Defect(error.to_string()))?,
        })
    }
}

/// Applies a recoding to a table. The result is verified before it appears at the destination, as every table is.
pub fn apply(
    apply: &Apply,
    engine: &dyn Engine,
    format: Format,
    destination: &Destination,
    observer: &dyn Observer,
) -> Result<Applied, Error> {
    destination.check(Product::File)?;
    let into = || Ok(Box::new(OneFile::new(destination, format)?) as Box<dyn Target>);
    run(apply, engine, into, observer).map_err(|error| apply.explained(error))
}

/// The same, where the result appears at any target: a table beside the records, where these are in a database.
pub fn apply_into(
    apply: &Apply,
    engine: &dyn Engine,
    target: Box<dyn Target + '_>,
    observer: &dyn Observer,
) -> Result<Applied, Error> {
    run(apply, engine, || Ok(target), observer).map_err(|error| apply.explained(error))
}

fn run<'t>(
    apply: &Apply,
    engine: &dyn Engine,
    into: impl FnOnce() -> Result<Box<dyn Target + 't>, Error>,
    observer: &dyn Observer,
) -> Result<Applied, Error> {
    apply.shuffle.check(engine)?;
    let requirement = apply.requirement()?;
    let names = names_of(engine);
    let quasi = Quasi::new(apply, &names)?;
    let mut plan = apply.plan(&names, &quasi, observer)?;
    check_countable(plan.person.is_some(), engine.order() != Order::None)?;
    let looked = apply.look(engine, &requirement, &quasi, observer)?;
    plan.mask = looked.mask;
    let target = into()?;
    observer.stage(Stage::Write, Some(engine.size()));
    let place = target.place(engine.format().unwrap_or(Format::Csv))?;
    let written = engine.rewrite(&plan, &place, &Watching(observer))?;
    looked.records.map_or(Ok(()), |counted| check_counts(counted, &written, plan.mask.how()))?;
    let (qids, nulls) = (requirement.qids(), &apply.recoding.null[..]);
    // Of a person who is not published, what was written tells.
    let person = apply.recoding.requirement.person.as_deref().filter(|_| plan.person.is_none());
    // Somebody had the value of a bound when the release was made: that nobody has it now is no mistake.
    let absent = Absent::Allow;
    let claimed = Claimed { qids, nulls, sensitive: Vec::new(), absent, threads: cores(), person, population: None };
    let size = target.size(&written);
    let verdict = recount(target.recounted(&written)?.as_ref(), &written, &claimed, size, observer)?;
    if let Some(failure) = failure(&verdict) {
        return Err(Error::DoesNotHold(failure));
    }
    note_absent(&verdict, observer);
    match &apply.against {
        Some(earlier) => compare(earlier, &written, requirement.qids(), &apply.all_identifiers())?,
        None => observer.note(&Note::Overlap),
    }
    if observer.cancelled() {
        return Err(Error::Interrupted);
    }
    target.publish()?;
    Ok(Applied { verdict, dropped: written.dropped, suppressed: written.suppressed })
}

/// The second pass must have written all records that the first one counted.
fn check_counts(counted: u64, written: &Written, how: Option<SuppressHow>) -> Result<(), Error> {
    let left_out = if how == Some(SuppressHow::Drop) { written.suppressed } else { 0 };
    let second = written.records + left_out;
    if second == counted { Ok(()) } else { Err(Error::Changed { first: counted, second }) }
}

/// A bound on a value that nobody has holds. If the value is only written otherwise than it was, it protects nobody.
fn note_absent(verdict: &Verdict, observer: &dyn Observer) {
    let mut told: Vec<String> = Vec::new();
    for finding in verdict.findings.iter().flat_map(|finding| &finding.conditions).filter(|finding| finding.absent) {
        let condition = finding.condition.to_string();
        if !told.contains(&condition) {
            observer.note(&Note::NobodyHas { condition: condition.clone() });
            told.push(condition);
        }
    }
}
