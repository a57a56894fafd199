//! The same recoding on another table.

mod columns;
mod count;
mod file;

use std::io::Write;
use std::path::Path;

use cutline_arrow::crew::on_threads;
use cutline_engine::{CompressPlan, Engine, EngineError, Format, Order, Target, Unwatched, Written};
use cutline_model::recoding::{LabelError, SuppressHow, Unknown};
use cutline_model::{AttributeRecoding, Identifier, Qid, Recoding, Requirement};
use cutline_table::{AttributeMask, Mask, MaskPlan};
use cutline_verify::{Absent, Verdict};
use indexmap::IndexMap;

use self::file::OneFile;
use crate::against::compare;
use crate::columns::{names_of, position};
use crate::draft::check_countable;
use crate::error::read_text;
use crate::observer::Watching;
use crate::recount::{Claimed, failure, recount};
use crate::series::{Newcomers, People, Series, nobody_says};
use crate::staging::Product;
use crate::stream::Stream;
use crate::{After, Destination, Error, Note, Observer, Release, Shuffle, Stage, Table, Tokens, cores};

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
    /// What tokens follow from.
    pub tokens: Tokens,
    /// An earlier release that recipients may compare the table with.
    pub against: Option<Release>,
    /// Earlier releases, after which the table must be safe: only [`apply_after`] looks at them.
    pub after: Option<After>,
    /// The column that says whose record each is.
    pub person: Option<String>,
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
    /// Records that are held back, because they would stand out after earlier releases however they are masked.
    pub held_back: u64,
}

impl Apply {
    /// A stored recoding, to be applied as it is.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = read_text(path)?;
        let recoding =
            Recoding::from_json(&text).map_err(|source| Error::Recoding { path: path.to_owned(), source })?;
        Ok(Apply::new(recoding))
    }

    /// A recoding, to be applied as it is.
    pub(crate) fn new(recoding: Recoding) -> Self {
        Apply {
            recoding,
            qids: Vec::new(),
            unknown: Unknown::Error,
            identifiers: IndexMap::new(),
            keep: Vec::new(),
            shuffle: Shuffle::No,
            tokens: Tokens::Fresh,
            against: None,
            after: None,
            person: None,
        }
    }

    /// Holds back whoever would stand out under the recoding's labels after earlier releases, if anybody does. Then no group is left that a
    /// recoding would suppress: what its budget allows is that of another table.
    fn hold_back(
        &self,
        series: &Series,
        table: &Table,
        newcomers: &Newcomers<'_>,
        after: &After,
    ) -> Result<Option<(Series, Table)>, Error> {
        let (person, name) = newcomers.person;
        let all = names_of(table);
        let Quasi { sources, mask } = Quasi::new(self, &all)?;
        let sensitive = newcomers.sensitive.iter().map(|name| position(&all, name, "named in a condition"));
        let plan = CompressPlan {
            columns: [&sources[..], &[person], &sensitive.collect::<Result<Vec<_>, _>>()?].concat(),
            nulls: newcomers.nulls.to_vec(),
            required: newcomers.required.clone(),
            ..CompressPlan::default()
        };
        let raw = table.compress(&plan, &Unwatched)?.table;
        let records = raw.records + series.held_back();
        let names: Vec<String> = self.recoding.attributes.keys().cloned().collect();
        let census = newcomers.census(&raw, sources.len(), sources.len() + 1);
        let people = People::new(raw.select(&(0..=sources.len()).collect::<Vec<_>>()), None);
        let qids = newcomers.requirement.qids();
        let (next, held) = series.hold_back(&people, &Mask::new(&mask), (&names, name), qids, &census)?;
        if held.is_empty() {
            return Ok(None);
        }
        after.check(next.held_back(), records)?;
        Ok(Some((next, table.without(person, held)?)))
    }

    /// What becomes of the records of a table, suppressed ones among them.
    pub(crate) fn masking(&self, engine: &dyn Engine, observer: &dyn Observer) -> Result<Masking, Error> {
        let names = names_of(engine);
        let quasi = Quasi::new(self, &names)?;
        let looked = self.look(engine, &self.requirement()?, &quasi, observer)?;
        Ok(Masking { sources: quasi.sources, required: self.required(&names), plan: looked.mask })
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

/// How a recoding masks a table.
pub(crate) struct Masking {
    /// The columns of its attributes.
    pub(crate) sources: Vec<usize>,
    /// Records that lack a value of these are left out.
    pub(crate) required: Vec<usize>,
    /// What becomes of the others.
    pub(crate) plan: MaskPlan,
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
        Ok(Quasi { sources: attributes.keys().map(source).collect::<Result<_, _>>()?, mask: by_regions? })
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
    let to = (format, Sink::File(destination));
    to_sink(apply, engine, to, Overlap::Unknown, observer).map_err(|error| apply.explained(error))
}

/// The same for a table with persons of earlier releases: together with them it satisfies the requirement. Records that would stand out
/// however they are masked are held back.
pub fn apply_after(
    apply: &Apply,
    table: &Table,
    format: Format,
    destination: &Destination,
    observer: &dyn Observer,
) -> Result<Applied, Error> {
    after(apply, table, (format, Sink::File(destination)), observer).map_err(|error| apply.explained(error))
}

/// The same, into a stream: the table is written aside and verified there before the first byte goes out.
pub fn apply_to(
    apply: &Apply,
    table: &Table,
    format: Format,
    stream: &mut dyn Write,
    observer: &dyn Observer,
) -> Result<Applied, Error> {
    after(apply, table, (format, Sink::Stream(stream)), observer).map_err(|error| apply.explained(error))
}

/// Where the masked table goes.
enum Sink<'a> {
    File(&'a Destination),
    Stream(&'a mut dyn Write),
}

fn after(apply: &Apply, table: &Table, to: (Format, Sink<'_>), observer: &dyn Observer) -> Result<Applied, Error> {
    let Some(after) = &apply.after else { return to_sink(apply, table, to, Overlap::Unknown, observer) };
    let names = names_of(table);
    let name = apply.person.as_deref().ok_or_else(|| nobody_says(after))?;
    let person = position(&names, name, "named as person")?;
    let requirement = apply.requirement()?;
    let unmasked = apply.unmasked(&names)?;
    let newcomers = Newcomers {
        person: (person, name),
        nulls: &apply.recoding.null,
        required: apply.required(&names),
        requirement: &requirement,
        sensitive: after.sensitive_beside(&requirement, &unmasked),
        unmasked,
        key: None,
    };
    let counted = newcomers.count(table, observer)?;
    let census = newcomers.census(&counted, 0, 1);
    let (mut series, present) = on_threads(0, || Series::new(after, &newcomers, &census, observer))?;
    let mut table = table.without(person, present.held)?;
    // Who is held back may leave others under labels that are too rare now.
    while let Some((next, without)) = apply.hold_back(&series, &table, &newcomers, after)? {
        (series, table) = (next, without);
    }
    let applied = to_sink(apply, &table, to, Overlap::Known, observer)?;
    Ok(Applied { held_back: series.held_back(), ..applied })
}

/// Is it known what earlier releases tell of the persons?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Overlap {
    Known,
    Unknown,
}

/// The same, where the result appears at any target: a table beside the records, where these are in a database.
pub fn apply_into(
    apply: &Apply,
    engine: &dyn Engine,
    target: Box<dyn Target + '_>,
    observer: &dyn Observer,
) -> Result<Applied, Error> {
    if apply.after.is_some() {
        return Err(Error::Contradiction {
            what: "what earlier releases tell of the persons in a database is not known".to_owned(),
            hint: "export the table and mask the file".to_owned(),
        });
    }
    let format = engine.format().unwrap_or(Format::Csv);
    let into = (format, || Ok(target));
    run(apply, engine, into, Overlap::Unknown, observer).map_err(|error| apply.explained(error))
}

fn to_sink(
    apply: &Apply,
    engine: &dyn Engine,
    (format, sink): (Format, Sink<'_>),
    overlap: Overlap,
    observer: &dyn Observer,
) -> Result<Applied, Error> {
    if let Sink::File(destination) = &sink {
        check_unpacked(&destination.path)?;
        destination.check(Product::File)?;
    }
    let into = || match sink {
        Sink::File(destination) => Ok(Box::new(OneFile::new(destination, format)?) as Box<dyn Target>),
        Sink::Stream(stream) => Ok(Box::new(Stream::new(stream)?) as Box<dyn Target>),
    };
    run(apply, engine, (format, into), overlap, observer)
}

/// Tables are written as they are: a name that says otherwise would mislead whoever reads it.
fn check_unpacked(path: &Path) -> Result<(), Error> {
    match Format::is_packed(&path.to_string_lossy()) {
        false => Ok(()),
        true => Err(Error::Contradiction {
            what: format!("`{}` would be packed, and tables are written as they are", path.display()),
            hint: "leave out the last extension and pack the file afterwards".to_owned(),
        }),
    }
}

fn run<'t>(
    apply: &Apply,
    engine: &dyn Engine,
    (format, into): (Format, impl FnOnce() -> Result<Box<dyn Target + 't>, Error>),
    overlap: Overlap,
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
    let written = engine.rewrite(&plan, &target.place(format)?, &Watching(observer))?;
    looked.records.map_or(Ok(()), |counted| check_counts(counted, &written, plan.mask.how()))?;
    let claimed = Claimed {
        qids: requirement.qids(),
        nulls: &apply.recoding.null,
        sensitive: Vec::new(),
        // Somebody had the value of a bound when the release was made: that nobody has it now is no mistake.
        absent: Absent::Allow,
        threads: cores(),
        // Of a person who is not published, what was written tells.
        person: apply.recoding.requirement.person.as_deref().filter(|_| plan.person.is_none()),
        population: None,
        notation: Default::default(),
    };
    let size = target.size(&written);
    let verdict = recount(target.recounted(&written)?.as_ref(), &written, &claimed, size, observer)?;
    if let Some(failure) = failure(&verdict) {
        return Err(Error::DoesNotHold(failure));
    }
    note_absent(&verdict, observer);
    match &apply.against {
        Some(earlier) => compare(earlier, &written, requirement.qids(), &apply.all_identifiers())?,
        None if overlap == Overlap::Known => {}
        None => observer.note(&Note::Overlap),
    }
    if observer.cancelled() {
        return Err(Error::Interrupted);
    }
    target.publish()?;
    Ok(Applied { verdict, dropped: written.dropped, suppressed: written.suppressed, held_back: 0 })
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
