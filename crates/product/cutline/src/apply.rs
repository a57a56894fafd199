//! The same recoding on another table.

mod columns;
mod count;

use std::path::Path;

use cutline_engine::{CompressPlan, Engine, EngineError, Format, Place, Unwatched};
use cutline_model::recoding::{LabelError, Unknown};
use cutline_model::{AttributeRecoding, Identifier, Qid, Recoding, Requirement};
use cutline_table::{AttributeMask, Mask, MaskPlan};
use cutline_verify::{Absent, Verdict};
use indexmap::IndexMap;

use crate::against::compare;
use crate::columns::{names_of, position};
use crate::error::read_text;
use crate::folder::Synced;
use crate::observer::Watching;
use crate::recount::{Claimed, failure, recount};
use crate::series::{Newcomers, People, Series, nobody_says};
use crate::staging::{Product, Staging};
use crate::{After, Destination, Error, Note, Observer, Release, Shuffle, Silent, Stage, Table, cores};

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
            against: None,
            after: None,
            person: None,
        }
    }

    /// Holds back whoever would stand out under the recoding's labels after earlier releases, if anybody does.
    fn hold_back(
        &self,
        series: &Series,
        table: &Table,
        newcomers: &Newcomers<'_>,
        after: &After,
    ) -> Result<Option<(Series, Table)>, Error> {
        let (person, name) = newcomers.person;
        let masking = self.masking(table, &Silent)?;
        let plan = CompressPlan {
            columns: [&masking.sources[..], &[person]].concat(),
            nulls: newcomers.nulls.to_vec(),
            required: newcomers.required.clone(),
            ..CompressPlan::default()
        };
        let raw = table.compress(&plan, &Unwatched)?.table;
        let records = raw.records + series.held_back();
        let names: Vec<String> = self.recoding.attributes.keys().cloned().collect();
        let people = People::new(raw, None);
        let (next, held) = series.hold_back(&people, &Mask::new(&masking.plan), (&names, name), newcomers.qids)?;
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
        let plan = self.look(engine, &self.requirement()?, &quasi, observer)?;
        Ok(Masking { sources: quasi.sources, required: self.required(&names), plan })
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
    let run = || run(apply, engine, (format, destination), Overlap::Unknown, observer);
    run().map_err(|error| apply.explained(error))
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
    let Some(after) = &apply.after else { return self::apply(apply, table, format, destination, observer) };
    let names = names_of(table);
    let name = apply.person.as_deref().ok_or_else(|| nobody_says(after))?;
    let person = position(&names, name, "named as person")?;
    let requirement = apply.requirement()?;
    let newcomers = Newcomers {
        person: (person, name),
        nulls: &apply.recoding.null,
        required: apply.required(&names),
        qids: requirement.qids(),
        key: None,
    };
    let run = || {
        let (mut series, held) = Series::new(after, &newcomers, &newcomers.count(table, observer)?, observer)?;
        let mut table = table.without(person, held)?;
        // Who is held back may leave others under labels that are too rare now.
        while let Some((next, without)) = apply.hold_back(&series, &table, &newcomers, after)? {
            (series, table) = (next, without);
        }
        let applied = run(apply, &table, (format, destination), Overlap::Known, observer)?;
        Ok(Applied { held_back: series.held_back(), ..applied })
    };
    run().map_err(|error| apply.explained(error))
}

/// Is it known what earlier releases tell of the persons?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Overlap {
    Known,
    Unknown,
}

fn run(
    apply: &Apply,
    engine: &dyn Engine,
    (format, destination): (Format, &Destination),
    overlap: Overlap,
    observer: &dyn Observer,
) -> Result<Applied, Error> {
    destination.check(Product::File)?;
    apply.shuffle.check(engine)?;
    let requirement = apply.requirement()?;
    let names = names_of(engine);
    let quasi = Quasi::new(apply, &names)?;
    let mut plan = apply.plan(&names, &quasi, observer)?;
    plan.mask = apply.look(engine, &requirement, &quasi, observer)?;
    let staging = Staging::new(destination, Product::File)?;
    let name = format!("table.{}", format.extension());
    let place = Place::File { location: staging.path(&name), format };
    observer.stage(Stage::Write, Some(engine.size()));
    let written = engine.rewrite(&plan, &place, &Watching(observer))?;
    let (qids, nulls) = (requirement.qids(), &apply.recoding.null[..]);
    // Of a person who is not published, what was written tells.
    let person = apply.recoding.requirement.person.as_deref().filter(|_| plan.person.is_none());
    // Somebody had the value of a bound when the release was made: that nobody has it now is no mistake.
    let absent = Absent::Allow;
    let claimed = Claimed { qids, nulls, sensitive: Vec::new(), absent, threads: cores(), person, population: None };
    let path = staging.path(&name);
    let size = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
    let verdict = recount(&Synced(path), &written, &claimed, size, observer)?;
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
    staging.publish(&name)?;
    Ok(Applied { verdict, dropped: written.dropped, suppressed: written.suppressed, held_back: 0 })
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
