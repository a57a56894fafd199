//! One number of clusters, compared over thresholds.

use cutline::cluster::{Comparison, compare};
use cutline::spec::{ClusteringKind, Spec};
use cutline::{Destination, Error, Silent, publish};

use super::super::data::{defect, job};
use super::{Categories, Data, Table};

/// A table of the paper.
pub(super) struct Subject<'a> {
    pub(super) name: &'static str,
    pub(super) table: &'a Table,
    pub(super) categories: Categories,
    /// Any attribute, to look at the clusters with hardly anything masked.
    pub(super) first: &'static str,
}

/// How it is clustered.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    pub(super) raw: ClusteringKind,
    pub(super) recipient: ClusteringKind,
    pub(super) clusters: u32,
    pub(super) seed: u64,
}

impl Setting {
    /// The same algorithm for raw and masked records.
    pub(super) fn alone(algorithm: ClusteringKind, clusters: u32, seed: u64) -> Self {
        Setting { raw: algorithm, recipient: algorithm, clusters, seed }
    }

    fn spec(&self, subject: &Subject<'_>, qid: &[&str], k: u64) -> Spec {
        let mut spec = subject.table.spec(qid, k);
        let target = spec.purpose.target.take();
        spec.purpose.clusters = vec![self.clusters];
        spec.purpose.clustering.algorithm = Some(self.raw);
        spec.purpose.clustering.recipient = Some(self.recipient);
        spec.purpose.clustering.not_on = target.into_iter().collect();
        spec.search.seed = Some(self.seed);
        spec
    }

    /// The nine attributes that tell most about the clusters of the raw records.
    pub(super) fn ranked(&self, data: &Data, subject: &Subject<'_>) -> Result<Vec<String>, Error> {
        let job = job(self.spec(subject, &[subject.first], 2), subject.categories)?;
        let destination = Destination { path: data.folder.path().join("ranked"), force: true };
        let report = publish(&job, &job.open()?, &destination, &Silent)?;
        let clusters = report.clusters.ok_or_else(|| defect("a release for clusters does not report them"))?;
        Ok(clusters.attributes.into_iter().take(9).map(|attribute| attribute.name).collect())
    }

    /// All thresholds.
    pub(super) fn compared(
        &self,
        data: &Data,
        subject: &Subject<'_>,
        qid: &[&str],
        thresholds: &[u64],
        tune: bool,
    ) -> Result<Comparison, Error> {
        let mut spec = self.spec(subject, qid, thresholds[0]);
        spec.purpose.clustering.thresholds = thresholds.to_vec();
        spec.search.tune = Some(tune);
        let job = job(spec, subject.categories)?;
        let destination = Destination { path: data.folder.path().join("compared"), force: true };
        compare(&job, &job.open()?, &destination, &Silent)
    }
}
