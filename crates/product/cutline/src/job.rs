//! A release that makes sense: everything a user asked for, checked once.

mod access;
mod arguments;
mod attribute;
mod axis;
mod checks;
mod unsaid;
mod variant;

use std::sync::Arc;
use std::time::Duration;

use cutline_arrow::crew::MOST_THREADS;
use cutline_arrow::source::SourceOptions;
use cutline_arrow::{FileError, Notation};
use cutline_engine::Format;
use cutline_model::recoding::{Local, Suppression, Unknown};
use cutline_model::{Condition, Purpose, Qid, Requirement, Share, Taxonomy};
use cutline_search::bottom_up::BottomUp;
use cutline_search::genetic::{Genetic, MetricKind};
use cutline_search::local::{Flattened, Regional};
use cutline_search::refine::Refine;
use cutline_search::top_down::{Score, TopDown};
use cutline_search::{Pins, Search};
use cutline_table::CompressedTable;
use cutline_verify::{Population, SamplingFraction};
use indexmap::IndexMap;

pub(crate) use arguments::Arguments;
pub use attribute::read_taxonomy;
pub(crate) use attribute::{AttributeJob, coded};
pub(crate) use unsaid::MOST_REFINED;
pub use variant::Variant;

use checks::{
    check_evaluate, check_one, check_person, check_pins, check_sample, check_shift, check_targets, check_tokens,
    check_weight, depth, local,
};

use crate::cluster::Clustering;
use crate::objective::Targets;
use crate::screen::Depth;
use crate::series::Among;
use crate::spec::{self, Algorithm, IfMissing, Memory, PurposeKind, Spec};
use crate::{After, Error, Release, Shuffle, Table, Tokens};

/// A checked release. The same job on the same table always gives the same release.
#[derive(Clone, Debug)]
pub struct Job {
    /// What it was made from, for the report alone.
    pub(crate) arguments: Arguments,
    /// Where the table is, if that was said.
    pub(crate) location: Option<String>,
    pub(crate) source: SourceOptions,
    pub(crate) nulls: Vec<String>,
    pub(crate) missing: IfMissing,
    pub(crate) unknown: Unknown,
    pub(crate) purpose: Purpose,
    /// What is said of the target, and further ones.
    pub(crate) targets: Targets,
    /// How the clusters are found, if they are the purpose.
    pub(crate) clustering: Option<Clustering>,
    pub(crate) requirement: Requirement,
    /// The column that says which person a record is about, if groups count persons.
    pub(crate) person: Option<String>,
    /// The column of survey weights, if there is one.
    pub(crate) weight: Option<String>,
    /// How the table was drawn from a population, if it was.
    pub(crate) population: Option<Population>,
    pub(crate) attributes: IndexMap<String, AttributeJob>,
    /// The algorithm, if that was said or follows from the purpose; or else it follows from the number of records.
    pub(crate) algorithm: Option<Algorithm>,
    /// Is each group refined by itself, and how do labels then lie to each other?
    pub(crate) local: Option<Local>,
    /// Are its groups published under what they have in common?
    pub(crate) flatten: bool,
    /// The genetic search, but for what it minimizes.
    pub(crate) genetic: Genetic,
    /// What the genetic search minimizes, if that was said.
    pub(crate) metric: Option<MetricKind>,
    pub(crate) suppression: Suppression,
    pub(crate) max_steps: Option<usize>,
    pub(crate) time_limit: Option<Duration>,
    /// For everything that is left to chance.
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// Are other searches to be tried?
    pub(crate) tune: bool,
    /// How much of the allowed suppression the search may spend.
    pub(crate) spends: Share,
    /// How much memory a release may take, if that was said.
    pub(crate) memory: Option<Memory>,
    pub(crate) format: Option<Format>,
    /// Are interval bounds to be no values of records?
    pub(crate) round_bounds: bool,
    /// In which order are the records published?
    pub(crate) shuffle: Shuffle,
    /// What tokens follow from.
    pub(crate) tokens: Tokens,
    /// What is looked for in the published columns.
    pub(crate) depth: Depth,
    /// Are warnings errors?
    pub(crate) strict: bool,
    /// Does the report tell what the masking cost a model?
    pub(crate) evaluate: bool,
    /// Does the report tell what other requirements would come to?
    pub(crate) what_if: bool,
    /// An earlier release that recipients may compare this one with.
    pub(crate) against: Option<Release>,
    /// Earlier releases, after which this one must be safe.
    pub(crate) after: Option<After>,
    /// What several versions of a table have in common, if this is one of them.
    pub(crate) among: Option<Arc<Among>>,
}

impl Job {
    /// Checks a spec and reads the taxonomies that it names.
    pub fn new(spec: Spec) -> Result<Self, Error> {
        check_one(&spec)?;
        let requirement = requirement(&spec)?;
        let clustering = Clustering::new(&spec)?;
        let purpose = clustering.as_ref().map_or_else(|| purpose(&spec), |clustering| Ok(clustering.purpose()))?;
        check_targets(&spec, &purpose, &requirement)?;
        check_person(&spec, &requirement)?;
        check_weight(&spec, &purpose, &requirement)?;
        let seed = spec.search.seed.unwrap_or_default();
        let genetic = spec.search.genetic.check(seed)?;
        let targets = Targets::new(&spec)?;
        let local = local(&spec, &purpose, &requirement)?;
        check_evaluate(&spec, &purpose, &requirement)?;
        check_pins(&spec)?;
        check_tokens(&spec)?;
        check_shift(&spec)?;
        check_sample(&spec, &purpose)?;
        let mut attributes = IndexMap::new();
        for (name, attribute) in &spec.attributes {
            attributes.insert(name.clone(), AttributeJob::new(name, attribute, &requirement)?);
        }
        let tune = spec.search.tune == Some(true) && clustering.is_none();
        let threads = spec.search.threads.filter(|&threads| threads > 0).map(|threads| threads.min(MOST_THREADS));
        Ok(Job {
            source: source_options(&spec)?,
            nulls: spec.input.null.clone(),
            missing: spec.input.missing.unwrap_or_default(),
            unknown: match spec.input.unknown {
                None | Some(spec::IfUnknown::Error) => Unknown::Error,
                Some(spec::IfUnknown::Root) => Unknown::Root,
            },
            purpose,
            targets,
            requirement,
            person: spec.person.clone(),
            weight: spec.weight.clone(),
            population: population(&spec)?,
            attributes,
            algorithm: unsaid::said(&spec, clustering.as_ref()),
            clustering,
            local,
            flatten: spec.search.flatten.unwrap_or_default(),
            genetic,
            metric: spec.search.genetic.metric,
            suppression: suppression(&spec),
            max_steps: spec.search.max_steps,
            time_limit: spec.search.time_limit.map(|limit| limit.0),
            seed,
            threads: threads.unwrap_or_else(cores),
            memory: spec.search.memory,
            tune,
            spends: Share::ALL,
            format: spec.output.format,
            round_bounds: spec.output.round_bounds.unwrap_or(false),
            shuffle: Shuffle::new(&spec.output)?,
            tokens: Tokens::new(&spec.output)?,
            depth: depth(&spec),
            strict: spec.output.strict.unwrap_or(false),
            evaluate: spec.output.evaluate.unwrap_or(false),
            what_if: spec.output.what_if.unwrap_or(false),
            against: None,
            after: None,
            among: None,
            location: spec.input.path.clone(),
            arguments: Arguments::new(spec),
        })
    }

    /// Gives an attribute a taxonomy that does not come from a file.
    pub fn set_taxonomy(&mut self, attribute: &str, taxonomy: Taxonomy) {
        self.attributes.entry(attribute.to_owned()).or_default().taxonomy = Some(Arc::new(taxonomy));
    }

    /// The same, checked against what else is said of the attribute.
    ///
    /// # Errors
    /// If it is declared continuous.
    pub fn give_taxonomy(&mut self, attribute: &str, taxonomy: Taxonomy) -> Result<(), Error> {
        if let Some(said) = self.attributes.get(attribute) {
            said.check_categorical(attribute)?;
        }
        self.set_taxonomy(attribute, taxonomy);
        Ok(())
    }

    /// Publishes nothing of an attribute's taxonomy that is below the cut, because it was made from values of records.
    pub fn hide_taxonomy(&mut self, attribute: &str) {
        self.attributes.entry(attribute.to_owned()).or_default().private = true;
    }

    /// Names an earlier release: what tells too much of those by whom the new one differs from it is not published.
    pub fn set_against(&mut self, earlier: Release) {
        self.against = Some(earlier);
    }

    /// Names earlier releases: the new one together with them satisfies the requirement.
    pub fn set_after(&mut self, after: After) {
        self.after = Some(after).filter(|after| !after.earlier.is_empty());
    }

    /// Opens the table that the spec names.
    pub fn open(&self) -> Result<Table, Error> {
        let location = self.location.as_deref().ok_or(Error::NotSaid {
            what: "no input is named".to_owned(),
            hint: "name a table, or set `path` under [input]",
        })?;
        Table::open(location, &self.source, self.threads)
    }

    /// What is said of the line.
    pub(crate) fn pins(&self) -> Vec<Pins> {
        let pinned = self.attributes.iter().filter(|(_, said)| !(said.open.is_empty() && said.closed.is_empty()));
        let pins = pinned.map(|(name, said)| Pins {
            attribute: name.clone(),
            open: said.open.clone(),
            closed: said.closed.clone(),
        });
        pins.collect()
    }

    /// The algorithm, set up for the table.
    pub(crate) fn search(&self, table: &CompressedTable) -> Result<Box<dyn Search + Sync>, Error> {
        if let Some(local) = self.local {
            let regional = Regional { local, unknown: self.unknown };
            return Ok(if self.flatten { Box::new(Flattened(regional)) } else { Box::new(regional) });
        }
        Ok(match self.algorithm_for(table.records) {
            Algorithm::Refine => Box::new(Refine),
            Algorithm::Tdr => Box::new(TopDown { score: Score::Tdr }),
            Algorithm::Tds => Box::new(TopDown { score: Score::Tds }),
            Algorithm::BottomUp => Box::new(BottomUp::default()),
            Algorithm::Genetic => Box::new(Genetic { objective: Some(self.objective(table)?), ..self.genetic.clone() }),
        })
    }
}

/// The machine's cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How to open the input that a spec describes.
pub fn source_options(spec: &Spec) -> Result<SourceOptions, Error> {
    let delimiter = match spec.input.delimiter {
        Some(delimiter) if !delimiter.is_ascii() => return Err(FileError::BadDelimiter { delimiter }.into()),
        delimiter => delimiter.map(|delimiter| delimiter as u8),
    };
    Ok(SourceOptions {
        format: spec.input.format,
        delimiter,
        header: spec.input.header,
        columns: spec.input.columns.clone(),
        encoding: spec.input.encoding.as_deref().map(str::parse).transpose()?,
        notation: Notation::new(spec.input.decimal, spec.input.thousands)?,
        sheet: spec.input.sheet.clone(),
    })
}

fn purpose(spec: &Spec) -> Result<Purpose, Error> {
    let target = spec.purpose.target.clone();
    let needs_target = |target: Option<String>, kind: &str| {
        target.ok_or(Error::NotSaid {
            what: format!("the purpose {kind} needs a target"),
            hint: "name the attribute to predict with ‹target›",
        })
    };
    match (spec.purpose.kind, target) {
        (None, None) => Ok(Purpose::General),
        (Some(PurposeKind::General), None) => Ok(Purpose::General),
        (Some(PurposeKind::General), Some(target)) => Err(Error::Contradiction {
            what: format!("the purpose is general, yet there is a target `{target}`"),
            hint: "leave out ‹target›, or use ‹purpose classification›".to_owned(),
        }),
        (Some(PurposeKind::Regression), target) => {
            Ok(Purpose::Regression { target: needs_target(target, "regression")? })
        }
        (_, target) => Ok(Purpose::Classification { target: needs_target(target, "classification")? }),
    }
}

/// The QIDs, each with its own conditions and those of all.
fn requirement(spec: &Spec) -> Result<Requirement, Error> {
    let with_all = |qid: &Qid| {
        let mut qid = qid.clone();
        let more = spec.conditions.iter().filter(|condition| !qid.conditions.contains(condition)).cloned();
        let more: Vec<Condition> = more.collect();
        qid.conditions.extend(more);
        qid
    };
    Ok(Requirement::new(spec.qid.iter().map(with_all).collect())?)
}

/// A genetic search weighs suppression against other losses, so it needs no limit; the others suppress nothing unless told to.
fn suppression(spec: &Spec) -> Suppression {
    let standard = if spec.search.algorithm == Some(Algorithm::Genetic) { Share::ALL } else { Share::NONE };
    Suppression { limit: spec.suppress.limit.unwrap_or(standard), how: spec.suppress.how.unwrap_or_default() }
}

/// How a table was drawn from a population, as far as that is told.
///
/// # Errors
/// If the fraction is none.
pub fn population(spec: &Spec) -> Result<Option<Population>, Error> {
    let fraction = spec.sampling_fraction.map(|share| {
        SamplingFraction::new(share).map(Population::Fraction).ok_or_else(|| Error::NotSaid {
            what: format!("{share} is no share of a population"),
            hint: "write ‹sampling-fraction› as a number above 0 and up to 1, as in 0.05",
        })
    });
    Ok(fraction.transpose()?.or_else(|| spec.weight.clone().map(Population::Weights)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(text: &str) -> Result<Job, Error> {
        Job::new(toml::from_str(text).unwrap())
    }

    /// With one QID, and some settings.
    pub(super) fn with(settings: &[(&str, &str)]) -> Job {
        let mut spec = Spec::default();
        spec.set("qid", &"age,town:5".into()).unwrap();
        settings.iter().for_each(|(name, value)| spec.set(name, &(*value).into()).unwrap());
        Job::new(spec).unwrap()
    }

    const QID: &str = "[[qid]]\nattributes = [\"age\"]\nk = 2\n";

    #[test]
    fn the_purpose_follows_from_what_is_said() {
        assert_eq!(*job(QID).unwrap().purpose(), Purpose::General);
        let classification = job(&format!("{QID}[purpose]\ntarget = \"y\"")).unwrap();
        assert_eq!(*classification.purpose(), Purpose::Classification { target: "y".into() });
        assert!(matches!(job(&format!("{QID}[purpose]\nkind = \"regression\"")), Err(Error::NotSaid { .. })));
    }

    #[test]
    fn a_target_in_a_qid_must_be_meant() {
        let text = format!("{QID}[purpose]\ntarget = \"age\"\n");
        assert!(matches!(job(&text), Err(Error::Contradiction { .. })));
        assert!(job(&format!("{text}allow_target_in_qid = true")).is_ok());
    }

    #[test]
    fn contradictions_are_refused() {
        for attributes in [
            "role = \"identifier\"",
            "range = [5, 5]",
            "range = [1, 2]\nkind = \"categorical\"",
            "range = [1, 2]\ntaxonomy = \"x\"",
            "private = true",
        ] {
            let error = job(&format!("{QID}[attributes.age]\n{attributes}")).unwrap_err();
            assert!(matches!(error, Error::Contradiction { .. }), "{attributes}: {error}");
        }
        assert!(matches!(job("[input]\npath = \"x\""), Err(Error::Requirement(_))));
    }
}
