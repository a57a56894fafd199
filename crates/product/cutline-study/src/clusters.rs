//! Two tables with the same records in the same order, whoever masked one of them.

use std::collections::HashMap;

use cutline_engine::{CellKind, Engine, Sample, SamplePlan};
use cutline_measure::cluster::{
    ClusterError, ClusteringKind, Clusters, Contingency, EncodeNames, Points, another_start,
};
use cutline_model::{AttributeRecoding, Kind, Recoding, Scale};

use cutline::parts::{Known, MOST_DRAWN, TOO_FEW_CLUSTERS, names_of, position, space, too_few};
use cutline::spec::IfMissing;
use cutline::{Error, Observer, Stage, Watching};
use cutline_report::{Agreement, TableComparison};

use cutline::arrow::crew::on_threads;

/// How the clusters of two tables are compared.
#[derive(Clone, Debug)]
pub struct CompareOptions {
    /// How many there are.
    pub clusters: u32,
    /// How the raw table is clustered.
    pub algorithm: ClusteringKind,
    /// How the masked table is clustered.
    pub recipient: ClusteringKind,
    /// Where names lie.
    pub encode: EncodeNames,
    /// For both.
    pub seed: u64,
    /// The attributes that clusters are made of; all that both tables have if none are named.
    pub on: Vec<String>,
    /// Attributes that clusters are not made of.
    pub not_on: Vec<String>,
    /// What is known of the kinds of attributes.
    pub kinds: HashMap<String, Kind>,
    /// Texts that stand for a missing value, beside the empty one.
    pub nulls: Vec<String>,
    /// Which raw records were not published because a value is missing.
    pub missing: IfMissing,
    /// What the masked table was written by, if that is known: then its labels stand for the values behind them.
    pub recoding: Option<Recoding>,
    /// Threads to use. Results do not depend on it.
    pub threads: usize,
}

impl CompareOptions {
    /// How an attribute was masked, if that is known. What is below the labels of a private taxonomy is not.
    fn recoding_of(&self, name: &str) -> Option<&AttributeRecoding> {
        let recoding = self.recoding.as_ref().filter(|recoding| !recoding.has_private_taxonomy(name))?;
        recoding.attributes.get(name)
    }
}

/// What is known of an attribute: that which the release knew of it, or what is said.
fn known<'a>(name: &str, options: &'a CompareOptions) -> Known<'a> {
    let kind = options.kinds.get(name).copied();
    let known = Known { kind, encode: options.encode, ..Known::default() };
    let Some(recoding) = options.recoding_of(name) else { return known };
    // Whose kind was guessed, and of which nothing is told, may have been numbers.
    if recoding.taxonomy().is_some() || recoding.disclosed().is_some_and(<[String]>::is_empty) {
        return Known { taxonomy: recoding.taxonomy(), ..known };
    }
    match recoding.bounds().filter(|_| recoding.scale().is_some_and(Scale::is_numbers)) {
        None => Known { kind: Some(Kind::Categorical), ..known },
        Some(bounds) => {
            let ends = bounds.first().zip(bounds.last()).and_then(|(lower, upper)| lower.0.zip(upper.0));
            Known { kind: Some(Kind::Continuous), range: ends, ..known }
        }
    }
}

/// Clusters both tables and compares. Records belong together by their position.
pub fn compare_tables(
    raw: &dyn Engine,
    masked: &dyn Engine,
    options: &CompareOptions,
    observer: &dyn Observer,
) -> Result<TableComparison, Error> {
    if options.clusters < 2 {
        return Err(Error::Contradiction {
            what: TOO_FEW_CLUSTERS.to_owned(),
            hint: "use ‹clusters 2› or more".to_owned(),
        });
    }
    let names = shared(raw, masked, options)?;
    let leave_out = matches!(options.missing, IfMissing::Drop | IfMissing::Complete);
    let raw = draw(raw, &names, leave_out, options, observer)?;
    let masked = draw(masked, &names, false, options, observer)?;
    if raw.records != masked.records {
        return Err(Error::Contradiction {
            what: format!("the raw table has {} records, the masked one {}", raw.records, masked.records),
            hint: "records belong together by their position; if some were left out because a value is missing, say so with \
                   ‹null› and ‹missing complete›"
                .to_owned(),
        });
    }
    if raw.records < u64::from(options.clusters) {
        return Err(too_few(raw.records, options.clusters));
    }
    observer.stage(Stage::Evaluate, None);
    on_threads(options.threads, || compare(&names, &raw, &masked, options))
}

/// The attributes that clusters are made of: of those that both tables have.
fn shared(raw: &dyn Engine, masked: &dyn Engine, options: &CompareOptions) -> Result<Vec<String>, Error> {
    let flat = raw.columns().iter().filter(|column| column.cells != CellKind::Nested);
    let masked = names_of(masked);
    let both = flat.map(|column| column.name.clone()).filter(|name| masked.contains(name));
    let both: Vec<String> = both.collect();
    for name in options.on.iter().chain(&options.not_on) {
        position(&both, name, "named as an attribute of clusters")?;
    }
    let usual = |name: &String| !options.not_on.contains(name) && (options.on.is_empty() || options.on.contains(name));
    let names: Vec<String> = both.into_iter().filter(usual).collect();
    if names.is_empty() {
        return Err(Error::Contradiction {
            what: "the tables share no attribute to make clusters of".to_owned(),
            hint: "are they versions of one table?".to_owned(),
        });
    }
    Ok(names)
}

fn draw(
    engine: &dyn Engine,
    names: &[String],
    leave_out: bool,
    options: &CompareOptions,
    observer: &dyn Observer,
) -> Result<Sample, Error> {
    observer.stage(Stage::Label, Some(engine.size()));
    let all = names_of(engine);
    let columns: Vec<usize> = names.iter().filter_map(|name| all.iter().position(|own| own == name)).collect();
    let required = if leave_out { columns.clone() } else { Vec::new() };
    let plan = SamplePlan { columns, nulls: options.nulls.clone(), required, size: MOST_DRAWN, seed: options.seed };
    Ok(engine.sample(&plan, &Watching(observer))?)
}

fn compare(
    names: &[String],
    raw: &Sample,
    masked: &Sample,
    options: &CompareOptions,
) -> Result<TableComparison, Error> {
    let (mut raw_columns, mut masked_columns) = (Vec::new(), Vec::new());
    for (name, (raw, masked)) in names.iter().zip(raw.columns.iter().zip(&masked.columns)) {
        let space = space(name, known(name, options), raw)?;
        raw_columns.push((space.raw(&raw.texts).map_err(defect)?, raw.codes.clone()));
        let published = options.recoding_of(name).map(|recoding| space.published(recoding, &masked.texts));
        masked_columns.push(match published.transpose().map_err(defect)?.flatten() {
            Some((axis, label_of)) => {
                let codes = masked.codes.recoded(&label_of, axis.codes());
                (axis, codes)
            }
            None => (space.foreign(&masked.texts), masked.codes.clone()),
        });
    }
    let weights = vec![1; raw.drawn];
    let raw_points = Points::new(raw_columns, weights.clone()).map_err(defect)?;
    let masked_points = Points::new(masked_columns, weights.clone()).map_err(defect)?;
    let &CompareOptions { clusters, algorithm, recipient, seed, .. } = options;
    let before = Clusters::find(&raw_points, algorithm, clusters, seed).map_err(defect)?;
    let agreement = |other: &Clusters| {
        Ok::<_, Error>(Agreement::new(Contingency::new(&before.labels, &other.labels, &weights).map_err(defect)?))
    };
    let after = Clusters::find(&masked_points, recipient, clusters, seed);
    let after = after.and_then(|after| after.or_from(&before, &masked_points, recipient, seed)).map_err(defect)?;
    let again = Clusters::find(&raw_points, recipient, clusters, another_start(seed)).map_err(defect)?;
    Ok(TableComparison {
        clusters: before.centroids.clusters() as u32,
        algorithm,
        recipient,
        attributes: names.to_vec(),
        compared: raw.drawn as u64,
        records: raw.records,
        dropped: raw.dropped,
        masked: agreement(&after)?,
        raw: agreement(&again)?,
    })
}

/// Nothing a user says can make these happen.
fn defect(error: ClusterError) -> Error {
    Error::Defect(format!("clustering: {error}"))
}
