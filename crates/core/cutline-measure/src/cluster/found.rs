//! Clusters that were found, with the records that belong to them.

use super::{Bisecting, Centroids, ClusterError, Clusterer, ClusteringKind, KMeans, Points};

/// Clusters, and which one each record belongs to.
#[derive(Clone, Debug)]
pub struct Clusters {
    /// Where they are.
    pub centroids: Centroids,
    /// The cluster of each record.
    pub labels: Vec<u32>,
}

impl Clusters {
    /// Finds clusters, by an algorithm with its usual settings.
    ///
    /// # Errors
    /// If there are fewer records than clusters, or none to find.
    pub fn find(points: &Points, kind: ClusteringKind, clusters: u32, seed: u64) -> Result<Self, ClusterError> {
        Clusters::of(kind.clusterer(clusters, seed).fit(points)?, points)
    }

    /// Gives every record the nearest of some centroids.
    ///
    /// # Errors
    /// If the points lie in another space.
    pub fn of(centroids: Centroids, points: &Points) -> Result<Self, ClusterError> {
        let labels = centroids.assign(points)?;
        Ok(Clusters { centroids, labels })
    }

    /// k-means also starts from the clusters of the raw records; if that gives a smaller sum of squares, it is what a recipient who
    /// tries often enough finds, and so it counts.
    ///
    /// # Errors
    /// If the points are not the same records as the raw ones.
    pub fn or_from(
        self,
        raw: &Clusters,
        points: &Points,
        kind: ClusteringKind,
        seed: u64,
    ) -> Result<Self, ClusterError> {
        if kind != ClusteringKind::KMeans {
            return Ok(self);
        }
        let count = self.centroids.clusters();
        let start = Centroids::of_labels(points, &raw.labels)?;
        let method = KMeans { seed, ..KMeans::new(raw.centroids.clusters() as u32) };
        let centroids = method.fit_from(points, &start)?;
        if centroids.clusters() != count || centroids.sum_of_squares() >= self.centroids.sum_of_squares() {
            return Ok(self);
        }
        Clusters::of(centroids, points)
    }

    /// The clusters of every `step`-th record.
    #[must_use]
    pub fn thinned(&self, step: usize) -> Self {
        let labels = self.labels.iter().copied().step_by(step).collect();
        Clusters { centroids: self.centroids.clone(), labels }
    }
}

/// A start that neither labels nor tuning have had.
pub fn another_start(seed: u64) -> u64 {
    seed.wrapping_add(1000)
}

impl ClusteringKind {
    /// The algorithm with its usual settings.
    pub fn clusterer(self, clusters: u32, seed: u64) -> Box<dyn Clusterer + Sync> {
        match self {
            ClusteringKind::KMeans => Box::new(KMeans { seed, ..KMeans::new(clusters) }),
            ClusteringKind::Bisecting => Box::new(Bisecting { seed, ..Bisecting::new(clusters) }),
        }
    }
}
