//! Steps 3 and 4 of the paper: are the clusters still there after masking?

use std::time::Instant;

use cutline_measure::cluster::{Clusters, Contingency, another_start};
use cutline_model::recoding::Unknown;
use cutline_table::{CompressedTable, MaskPlan, Masked};

use super::approach::Approach;
use super::drawn::{Drawn, defect};
use super::settings::Clustering;
use super::{Agreement, Benefit, ClusterMasking, ClusterReport, ClusterSeconds};
use crate::find::{Found, judge};
use crate::job::Job;
use crate::{Error, Observer, Stage};

/// Searches, as a release does: how records would be masked.
pub(super) fn masked_by(
    approach: &Approach,
    job: &Job,
    table: &CompressedTable,
    observer: &dyn Observer,
) -> Result<MaskPlan, Error> {
    let (outcome, qids) = approach.search(job, table, observer)?;
    let masked = Masked::of(table, &outcome.recoding, outcome.regions.as_ref())
        .map_err(|error| Error::Defect(error.to_string()))?;
    let suppressed = masked.suppress_with(&qids, job.suppression.how);
    let plan = MaskPlan::new(&outcome.recoding, Unknown::Root).by_regions(outcome.regions.as_ref());
    Ok(plan.map_err(|error| Error::Defect(error.to_string()))?.suppressing(&suppressed, &qids))
}

/// Searches without a look at the clusters.
pub(super) fn blindly(job: &Job, table: &CompressedTable, observer: &dyn Observer) -> Result<Found, Error> {
    let (outcome, qids) = Approach::blind(table.attributes.len()).search(job, table, &Quiet(observer))?;
    judge(job, table.clone(), outcome, qids)
}

/// Searches that are only compared with: stopping the search for a release must not stop them, and nobody is told of their steps.
pub(super) struct Quiet<'a>(pub(super) &'a dyn Observer);

impl Observer for Quiet<'_> {
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}

/// Compares the clusters after guided masking, and those after blind masking, with the raw ones.
pub(super) fn evaluate(
    job: &Job,
    drawn: &Drawn,
    clusters: &Clusters,
    guided: &Found,
    blind: &Found,
    observer: &dyn Observer,
) -> Result<ClusterReport, Error> {
    observer.stage(Stage::Evaluate, None);
    let start = Instant::now();
    let standard = Clustering::default();
    let clustering = job.clustering.as_ref().unwrap_or(&standard);
    let agreement = |found: &Found| agreement(clustering, drawn, clusters, &found.mask(Unknown::Root)?);
    let guided = agreement(guided)?;
    stop_if(observer)?;
    let blind = agreement(blind)?;
    let better = blind.f_measure > guided.f_measure;
    let benefit = Benefit::new((&guided).into(), (&blind).into());
    Ok(ClusterReport {
        clusters: clusters.centroids.clusters() as u32,
        algorithm: clustering.raw,
        recipient: clustering.recipient,
        encode_names: clustering.encode,
        masked_names: clustering.names,
        published: if better { ClusterMasking::Blind } else { ClusterMasking::Guided },
        compared: guided.contingency.records(),
        records: drawn.sample.records,
        attributes: drawn.gains(&clusters.labels)?,
        guided,
        blind,
        benefit,
        raw: raw_again(clustering, drawn, clusters)?,
        comparison: clustering.comparison.clone(),
        label_name: clustering.label_name.clone(),
        tuned: None,
        seconds: ClusterSeconds { evaluate: start.elapsed().as_secs_f64(), ..ClusterSeconds::default() },
    })
}

/// The clusters of the masked records against those of the raw ones.
pub(super) fn agreement(
    clustering: &Clustering,
    drawn: &Drawn,
    raw: &Clusters,
    plan: &MaskPlan,
) -> Result<Agreement, Error> {
    let points = drawn.masked(plan)?;
    if points.records() == 0 {
        // All drawn records are left out: there is nothing to cluster.
        return Ok(Agreement::new(Contingency::from_counts(Vec::new()).map_err(defect)?));
    }
    let count = raw.centroids.clusters() as u32;
    let &Clustering { recipient, seed, .. } = clustering;
    let masked = Clusters::find(&points, recipient, count, seed).map_err(defect)?;
    let masked = masked.or_from(raw, &points, recipient, seed).map_err(defect)?;
    let contingency = Contingency::new(&raw.labels, &masked.labels, points.weights()).map_err(defect)?;
    Ok(Agreement::new(contingency))
}

/// What the recipient would find in the raw records, from another start: how much of a difference is not due to masking?
/// Where the recipient uses another algorithm, this is the paper's section 5.1.5.
pub(super) fn raw_again(clustering: &Clustering, drawn: &Drawn, raw: &Clusters) -> Result<Agreement, Error> {
    let count = raw.centroids.clusters() as u32;
    let other = Clusters::find(&drawn.raw, clustering.recipient, count, another_start(clustering.seed));
    let other = other.map_err(defect)?;
    let contingency = Contingency::new(&raw.labels, &other.labels, drawn.raw.weights()).map_err(defect)?;
    Ok(Agreement::new(contingency))
}

pub(super) fn stop_if(observer: &dyn Observer) -> Result<(), Error> {
    if observer.cancelled() { Err(Error::Interrupted) } else { Ok(()) }
}
