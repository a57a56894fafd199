//! Steps 1 and 3 of the paper: find clusters, and give every record its own.

use cutline_engine::ClusterColumn;
use cutline_measure::cluster::{Centroids, ClusterError, ClusterRule, Clusters, KMeans, Points};
use rayon::prelude::*;

use super::drawn::{Drawn, defect};
use super::settings::{Clustering, too_few};
use crate::spec::ClusteringKind;
use crate::{Error, Note, Observer};

/// Starts that tuning tries, on so many records; and how many of them on all.
const STARTS: u32 = 160;
const FEW_RECORDS: usize = 10_000;
const KEPT_STARTS: usize = 40;

/// Clusters with a sum of squares that is larger by no more than this share are as good.
const AS_GOOD: f64 = 0.01;

/// The clusters of the raw records.
pub(super) fn raw_clusters(
    drawn: &Drawn,
    kind: ClusteringKind,
    clusters: u32,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Clusters, Error> {
    let records = drawn.sample.records;
    if records < u64::from(clusters) {
        return Err(too_few(records, clusters));
    }
    let found = Clusters::find(&drawn.raw, kind, clusters, seed).map_err(defect)?;
    let distinct = found.centroids.clusters();
    if distinct < clusters as usize {
        observer.note(&Note::FewClusters { found: distinct, asked: clusters });
    }
    Ok(found)
}

/// The rule that gives every record of the table its cluster, for both passes.
pub(super) fn rule(centroids: &Centroids, drawn: &Drawn) -> ClusterColumn {
    let spaces = drawn.attributes.iter().map(|attribute| attribute.space.clone()).collect();
    ClusterColumn {
        columns: drawn.attributes.iter().map(|attribute| attribute.source).collect(),
        rule: ClusterRule { spaces, centroids: centroids.clone() },
    }
}

/// Clusters of the raw records from several starts: those that are given, and others of a sum of squares that is hardly larger than
/// the least. On Adult two solutions with 6 clusters whose sums differ by 0.02 % have an overall F-measure of 0.67.
pub(super) fn structures(first: Clusters, drawn: &Drawn, clustering: &Clustering) -> Result<Vec<Clusters>, Error> {
    let count = first.centroids.clusters();
    let others = starts(&drawn.raw, clustering, count as u32)?;
    let sums = others.iter().map(Centroids::sum_of_squares);
    let least = sums.fold(first.centroids.sum_of_squares(), f64::min);
    let mut kept = vec![first];
    for centroids in others {
        if centroids.sum_of_squares() > least * (1.0 + AS_GOOD) || centroids.clusters() != count {
            continue;
        }
        let clusters = Clusters::of(centroids, &drawn.raw).map_err(defect)?;
        if kept.iter().all(|other| other.labels != clusters.labels) {
            kept.push(clusters);
        }
    }
    Ok(kept)
}

/// What is found from other starts.
fn starts(points: &Points, clustering: &Clustering, clusters: u32) -> Result<Vec<Centroids>, Error> {
    let seed = clustering.seed.wrapping_add(1);
    match clustering.raw {
        ClusteringKind::KMeans => k_means_starts(points, &KMeans { seed, ..KMeans::new(clusters) }).map_err(defect),
        // A start of it tries several times for every cluster, so there are no bad ones to sort out.
        ClusteringKind::Bisecting => {
            let fit = |start: u64| clustering.raw.clusterer(clusters, seed.wrapping_add(start)).fit(points);
            (0..KEPT_STARTS as u64 / 2).map(fit).collect::<Result<_, _>>().map_err(defect)
        }
    }
}

/// Many starts on few records, and the best of them continued on all records.
fn k_means_starts(points: &Points, method: &KMeans) -> Result<Vec<Centroids>, ClusterError> {
    let many = KMeans { restarts: STARTS, sample: FEW_RECORDS, ..method.clone() };
    let mut found = many.fit_all(points)?;
    found.sort_by(|one, other| one.sum_of_squares().total_cmp(&other.sum_of_squares()));
    found.truncate(KEPT_STARTS);
    found.par_iter().map(|start| method.fit_from(points, start)).collect()
}
