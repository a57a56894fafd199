//! Steps 3 and 4 of the paper: are the clusters still there after masking?

use std::time::Instant;

use cutline_measure::cluster::Contingency;
use cutline_model::AttributeRecoding;
use cutline_search::Outcome;
use cutline_table::{CompressedTable, Labels, Masked, Suppressed, TableQid};

use super::drawn::{Drawn, Masking, defect};
use super::label::Clusters;
use super::report::{Agreement, Benefit, ClusterReport, ClusterSeconds};
use super::settings::Clustering;
use crate::find::{self, Found};
use crate::job::Job;
use crate::{Error, Observer, Stage};

/// A recoding, and what becomes of records in groups that are too small.
#[derive(Clone, Debug)]
pub(super) struct Recoded {
    recoding: Vec<AttributeRecoding>,
    qids: Vec<TableQid>,
    suppressed: Suppressed,
}

impl Recoded {
    /// What was found for the release.
    pub(super) fn of(found: &Found) -> Self {
        let Found { outcome, qids, suppressed, .. } = found;
        Recoded { recoding: outcome.recoding.clone(), qids: qids.clone(), suppressed: suppressed.clone() }
    }

    /// Searches, as a release does.
    pub(super) fn search(job: &Job, table: &CompressedTable, observer: &dyn Observer) -> Result<Self, Error> {
        let (outcome, qids) = find::search(job, table, observer)?;
        Recoded::of_outcome(job, table, &outcome, &qids)
    }

    /// What a search found.
    pub(super) fn of_outcome(
        job: &Job,
        table: &CompressedTable,
        outcome: &Outcome,
        qids: &[TableQid],
    ) -> Result<Self, Error> {
        let masked = Masked::new(table, &outcome.recoding).map_err(|error| Error::Defect(error.to_string()))?;
        let suppressed = masked.suppress_with(qids, job.suppression.how);
        Ok(Recoded { recoding: outcome.recoding.clone(), qids: qids.to_vec(), suppressed })
    }

    /// Is nothing left of an attribute?
    pub(super) fn is_top(&self, attribute: usize) -> bool {
        self.recoding[attribute].is_top()
    }

    pub(super) fn qids(&self) -> &[TableQid] {
        &self.qids
    }

    /// Searches without a look at the clusters: the paper's *distort* masking, with Score(v) = |T[v]|.
    pub(super) fn blind(job: &Job, table: &CompressedTable, observer: &dyn Observer) -> Result<Self, Error> {
        let table = CompressedTable { labels: Labels::None, ..table.clone() };
        Recoded::search(job, &table, &Finishing(observer))
    }

    fn masking(&self) -> Masking<'_> {
        Masking { recoding: &self.recoding, qids: &self.qids, suppressed: &self.suppressed }
    }
}

/// Stopping the search for a release must not stop the one that it is compared with.
struct Finishing<'a>(&'a dyn Observer);

impl Observer for Finishing<'_> {
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}

/// Compares the clusters after guided masking, and those after blind masking, with the raw ones.
pub(super) fn evaluate(
    job: &Job,
    drawn: &Drawn,
    clusters: &Clusters,
    guided: &Recoded,
    table: &CompressedTable,
    observer: &dyn Observer,
) -> Result<ClusterReport, Error> {
    observer.stage(Stage::Evaluate, None);
    let start = Instant::now();
    let standard = Clustering::default();
    let clustering = job.clustering.as_ref().unwrap_or(&standard);
    let guided = agreement(clustering, drawn, clusters, guided)?;
    stop_if(observer)?;
    let blind = agreement(clustering, drawn, clusters, &Recoded::blind(job, table, observer)?)?;
    let benefit = Benefit::new((guided.f_measure, guided.match_point), (blind.f_measure, blind.match_point));
    Ok(ClusterReport {
        clusters: clusters.centroids.clusters() as u32,
        algorithm: clustering.raw,
        recipient: clustering.recipient,
        masked_names: clustering.names,
        compared: guided.contingency.records(),
        records: drawn.sample.records,
        attributes: drawn.gains(&clusters.labels)?,
        guided,
        blind,
        benefit,
        raw: raw_agreement(clustering, drawn, clusters)?,
        comparison: clustering.comparison.clone(),
        label_name: clustering.label_name.clone(),
        tuned: None,
        seconds: ClusterSeconds { label: 0.0, evaluate: start.elapsed().as_secs_f64() },
    })
}

/// The clusters of the masked records against those of the raw ones.
pub(super) fn agreement(
    clustering: &Clustering,
    drawn: &Drawn,
    raw: &Clusters,
    recoded: &Recoded,
) -> Result<Agreement, Error> {
    let points = drawn.masked(&recoded.masking())?;
    if points.records() == 0 {
        // All drawn records are left out: there is nothing to cluster.
        return Ok(Agreement::new(Contingency::from_counts(Vec::new()).map_err(defect)?));
    }
    let count = raw.centroids.clusters() as u32;
    let masked = Clusters::find(&points, clustering.recipient, count, clustering.seed, Some(raw))?;
    let contingency = Contingency::new(&raw.labels, &masked.labels, points.weights()).map_err(defect)?;
    Ok(Agreement::new(contingency))
}

/// Two algorithms on the raw records, if there are two (the paper's section 5.1.5).
pub(super) fn raw_agreement(
    clustering: &Clustering,
    drawn: &Drawn,
    raw: &Clusters,
) -> Result<Option<Agreement>, Error> {
    if clustering.recipient == clustering.raw {
        return Ok(None);
    }
    let count = raw.centroids.clusters() as u32;
    let other = Clusters::find(&drawn.raw, clustering.recipient, count, clustering.seed, None)?;
    let contingency = Contingency::new(&raw.labels, &other.labels, drawn.raw.weights()).map_err(defect)?;
    Ok(Some(Agreement::new(contingency)))
}

pub(super) fn stop_if(observer: &dyn Observer) -> Result<(), Error> {
    if observer.cancelled() { Err(Error::Interrupted) } else { Ok(()) }
}
