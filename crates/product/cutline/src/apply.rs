//! The same recoding on another table.

use std::path::Path;

use cutline_engine::{
    CompressPlan, Engine, EngineError, Format, OutputColumn, Place, RecordOrder, RewritePlan, Treatment,
};
use cutline_model::recoding::{LabelError, Labeler, Unknown};
use cutline_model::{AttributeRecoding, Condition, Identifier, Qid, Recoding, Requirement};
use cutline_search::SearchError;
use cutline_table::{AttributeId, AttributeMask, MaskPlan, Masked, TableCondition, TableQid};
use cutline_verify::{Absent, Verdict};
use indexmap::IndexMap;

use crate::against::compare;
use crate::columns::{names_of, position, published};
use crate::error::read_text;
use crate::folder::Synced;
use crate::observer::Watching;
use crate::recount::{Claimed, failure, recount};
use crate::staging::{Product, Staging};
use crate::{Destination, Error, Observer, Release, Stage, cores};

/// The same recoding on a table with nearly the same persons tells those by whom they differ.
const OVERLAP: &str = "if persons of this table are in an earlier release too, whoever has both learns of those by whom they differ; \
                       see to that with ‹against RELEASE›";

/// A recoding to be applied.
#[derive(Clone, Debug)]
pub struct Apply {
    /// The recoding.
    pub recoding: Recoding,
    /// What must hold in the table it is applied to, if not what held in the table it was made for.
    pub qids: Vec<Qid>,
    /// What to do with values that a taxonomy does not contain.
    pub unknown: Unknown,
    /// Further identifiers.
    pub identifiers: IndexMap<String, Identifier>,
    /// Columns to be published as they are although the release did not have them.
    pub keep: Vec<String>,
    /// An earlier release that recipients may compare the table with.
    pub against: Option<Release>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Applied {
    /// What was recounted in the written table.
    pub verdict: Verdict,
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
            against: None,
        })
    }

    /// Without its taxonomy, no value of a private attribute is known, so that none is known to be outside of it: `--unknown root` would
    /// publish nothing but the root. Where only that is published anyway, nothing need be known.
    fn mask(&self, name: &str, attribute: &AttributeRecoding) -> AttributeMask {
        let unknown = match attribute {
            AttributeRecoding::Generalize { taxonomy, .. } if self.recoding.has_private_taxonomy(name) => {
                if taxonomy.len() == 1 { Unknown::Root } else { Unknown::Error }
            }
            _ => self.unknown,
        };
        AttributeMask { recoding: attribute.clone(), unknown }
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
        let stored = || {
            self.recoding
                .requirement
                .qids
                .iter()
                .map(|qid| Qid { conditions: qid.conditions.clone(), ..Qid::new(qid.attributes.clone(), qid.k) })
        };
        let qids = if self.qids.is_empty() { stored().collect() } else { self.qids.clone() };
        Ok(Requirement::new(qids)?)
    }

    fn plan(&self, names: &[String], quasi: &Quasi, observer: &dyn Observer) -> Result<RewritePlan, Error> {
        for name in self.identifiers.keys() {
            position(names, name, "named as identifier")?;
        }
        let masked = |index: usize| quasi.sources.iter().position(|&source| source == index);
        let identifier = |index: usize| {
            let name = &names[index];
            self.identifiers.get(name).or_else(|| self.recoding.identifiers.get(name)).copied()
        };
        let columns = published(names.len(), masked, identifier)?;
        Ok(RewritePlan {
            columns: self.known(names, columns, observer)?,
            mask: quasi.mask.clone(),
            nulls: self.recoding.null.clone(),
            required: Vec::new(),
            order: RecordOrder::Kept,
            cluster: None,
        })
    }

    /// Of the columns of this table those that the release had or that were named: nobody looked at the others. A recoding that does
    /// not tell its release's columns publishes what it masks and what is named.
    fn known(
        &self,
        names: &[String],
        columns: Vec<OutputColumn>,
        observer: &dyn Observer,
    ) -> Result<Vec<OutputColumn>, Error> {
        self.check_kept(names, &columns)?;
        let had = self.recoding.columns.as_deref();
        let requirement = self.requirement()?;
        // What the requirement is about must be there to be recounted.
        let recounted = [requirement.attributes(), requirement.sensitive()].concat();
        let known = |name: &String| {
            self.keep.contains(name) || had.is_some_and(|had| had.contains(name)) || recounted.contains(&name.as_str())
        };
        let (known, further): (Vec<_>, Vec<_>) =
            columns.into_iter().partition(|column| !is_kept(column) || known(&names[column.source]));
        let further: Vec<String> = further.into_iter().map(|column| names[column.source].clone()).collect();
        match (further.is_empty(), had) {
            (true, _) => Ok(known),
            (false, Some(_)) => Err(Error::FurtherColumns(further)),
            (false, None) => {
                observer.note(&format!(
                    "the recoding does not tell which columns its release had, so these are left out: {}; publish them as \
                     they are with ‹keep NAME›",
                    further.join(", ")
                ));
                Ok(known)
            }
        }
    }

    /// Only what would be published as it is can be kept.
    fn check_kept(&self, names: &[String], columns: &[OutputColumn]) -> Result<(), Error> {
        for name in &self.keep {
            let index = position(names, name, "to be kept")?;
            if !columns.iter().any(|column| column.source == index && is_kept(column)) {
                return Err(Error::Contradiction {
                    what: format!("`{name}` cannot be kept as it is: it is masked or an identifier"),
                    hint: format!("take back ‹keep {name}›"),
                });
            }
        }
        Ok(())
    }

    /// The records of this table that the recoding leaves in groups that are too small: others than those of the table that it was
    /// made for, so they must be counted anew.
    fn suppress(
        &self,
        engine: &dyn Engine,
        requirement: &Requirement,
        quasi: &Quasi,
        observer: &dyn Observer,
    ) -> Result<MaskPlan, Error> {
        let Some(suppression) = self.recoding.suppression else { return Ok(quasi.mask.clone()) };
        observer.stage(Stage::Read, Some(engine.size()));
        let names = names_of(engine);
        let sensitive: Vec<String> = requirement.sensitive().into_iter().map(str::to_owned).collect();
        let mut columns = quasi.sources.clone();
        for name in &sensitive {
            columns.push(position(&names, name, "named in a condition")?);
        }
        let plan = CompressPlan { columns, nulls: self.recoding.null.clone(), ..CompressPlan::default() };
        let raw = engine.compress(&plan, &Watching(observer))?;
        let labelers: Vec<Labeler> = quasi.mask.attributes.iter().map(AttributeMask::labeler).collect();
        let masked = Masked::raw(&raw, &labelers, &sensitive).map_err(|(column, error)| EngineError::Value {
            attribute: self.recoding.attributes.get_index(column).map(|(name, _)| name.clone()).unwrap_or_default(),
            error,
        })?;
        let masked = masked.by_regions(quasi.mask.places.clone());
        let place = |name: &String| self.recoding.attributes.get_index_of(name).map(AttributeId);
        // A QID with columns that the recoding does not mask is only recounted.
        let masked_only = |qid: &Qid| {
            let attributes = qid.attributes.iter().map(place).collect::<Option<Vec<_>>>()?;
            let conditions = qid.conditions.iter().map(|condition| prepared(&masked, condition));
            Some(conditions.collect::<Result<_, _>>().map(|conditions| TableQid { attributes, k: qid.k, conditions }))
        };
        let qids = requirement.qids().iter().filter_map(masked_only).collect::<Result<Vec<TableQid>, Error>>()?;
        let suppressed = masked.suppress_with(&qids, suppression.how);
        let limit = suppression.limit.of(raw.records);
        if suppressed.records > limit {
            return Err(Error::SuppressLimit { suppressed: suppressed.records, limit });
        }
        Ok(quasi.mask.clone().suppressing(&suppressed, &qids))
    }
}

fn is_kept(column: &OutputColumn) -> bool {
    matches!(column.how, Treatment::Keep)
}

/// A condition, ready for the sensitive attribute of a table. Conditions name only attributes that were grouped.
fn prepared(masked: &Masked<'_>, condition: &Condition) -> Result<TableCondition, Error> {
    let sensitive = masked.sensitive().iter().position(|sensitive| sensitive.name == condition.attribute());
    let sensitive = sensitive.unwrap_or_default();
    let values = masked.sensitive().get(sensitive).map_or(&[][..], |sensitive| &sensitive.values);
    let check = condition.prepare(values).map_err(SearchError::from)?.into();
    Ok(TableCondition { sensitive, check })
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
    run(apply, engine, format, destination, observer).map_err(|error| apply.explained(error))
}

fn run(
    apply: &Apply,
    engine: &dyn Engine,
    format: Format,
    destination: &Destination,
    observer: &dyn Observer,
) -> Result<Applied, Error> {
    destination.check(Product::File)?;
    let requirement = apply.requirement()?;
    let names = names_of(engine);
    let quasi = Quasi::new(apply, &names)?;
    let mut plan = apply.plan(&names, &quasi, observer)?;
    plan.mask = apply.suppress(engine, &requirement, &quasi, observer)?;
    let staging = Staging::new(destination, Product::File)?;
    let name = format!("table.{}", format.extension());
    let place = Place::File { location: staging.path(&name).to_string_lossy().into_owned(), format };
    observer.stage(Stage::Write, Some(engine.size()));
    let written = engine.rewrite(&plan, &place, &Watching(observer))?;
    // Where records are suppressed, the conditions were made ready for the table as it was read.
    let absent = if plan.mask.suppress.is_some() { Absent::Allow } else { Absent::Refuse };
    let claimed = Claimed { qids: requirement.qids(), nulls: &apply.recoding.null, absent, threads: cores() };
    let path = staging.path(&name);
    let size = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
    let verdict = recount(&Synced(path), &written, &claimed, size, observer)?;
    if let Some(failure) = failure(&verdict) {
        return Err(Error::DoesNotHold(failure));
    }
    match &apply.against {
        Some(earlier) => compare(earlier, &staging.path(&name), requirement.qids(), &apply.identifiers)?,
        None => observer.note(OVERLAP),
    }
    if observer.cancelled() {
        return Err(Error::Interrupted);
    }
    staging.publish(&name)?;
    Ok(Applied { verdict, suppressed: written.suppressed })
}
