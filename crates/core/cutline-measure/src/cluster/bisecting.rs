//! Bisecting k-means.

use super::sample::sample;
use super::{Centroids, ClusterError, Clusterer, KMeans, Points};

/// Bisecting k-means (Steinbach, Karypis and Kumar, 2000): starts with one cluster of all records and splits a cluster
/// in two, by the best of several runs of 2-means, until there are enough.
#[derive(Clone, Debug, PartialEq)]
pub struct Bisecting {
    /// The number of clusters.
    pub clusters: u32,
    /// How often 2-means tries each split.
    pub trials: u32,
    /// Which cluster is split next.
    pub split_first: SplitFirst,
    /// Seed of all random choices.
    pub seed: u64,
    /// The largest number of rounds of each run of 2-means.
    pub max_iterations: u32,
    /// When 2-means stops, see [`KMeans::tolerance`].
    pub tolerance: f64,
    /// The largest number of rows to look at; of a longer table a sample of that size is clustered.
    pub sample: usize,
}

/// Which cluster is split next; the first one of several. Clusters of a single point are never split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SplitFirst {
    /// The one with the most records, as in the paper (section 5).
    #[default]
    Largest,
    /// The one with the largest sum of squares. Finds clusters of very different sizes better.
    MostScattered,
}

impl Bisecting {
    /// The usual settings.
    pub fn new(clusters: u32) -> Self {
        let KMeans { seed, max_iterations, tolerance, sample, .. } = KMeans::new(clusters);
        Bisecting { clusters, trials: 5, split_first: SplitFirst::default(), seed, max_iterations, tolerance, sample }
    }

    fn check(&self, points: &Points) -> Result<(), ClusterError> {
        if self.trials == 0 {
            return Err(ClusterError::Zero("trials"));
        }
        self.halving(0).check(points)?;
        if self.clusters == 0 { Err(ClusterError::Zero("clusters")) } else { Ok(()) }
    }

    /// The 2-means of a split.
    fn halving(&self, split: u64) -> KMeans {
        let seed = self.seed.wrapping_add(split);
        let &Bisecting { trials: restarts, max_iterations, tolerance, sample, .. } = self;
        KMeans { clusters: 2, restarts, seed, max_iterations, tolerance, sample }
    }

    /// The cluster to split next, if any can be.
    fn next(&self, parts: &[Part]) -> Option<usize> {
        let size = |part: &Part| match self.split_first {
            SplitFirst::Largest => part.points.records() as f64,
            SplitFirst::MostScattered => part.scatter,
        };
        let candidates = parts.iter().enumerate().rev().filter(|(_, part)| part.divisible);
        candidates.max_by(|(_, one), (_, other)| size(one).total_cmp(&size(other))).map(|(cluster, _)| cluster)
    }
}

impl Clusterer for Bisecting {
    fn fit(&self, points: &Points) -> Result<Centroids, ClusterError> {
        self.check(points)?;
        let points = sample(points, self.sample, self.seed).into_owned();
        let mut centroids = Centroids::whole(&points);
        let mut parts = vec![Part::new(points, &centroids)];
        let mut history = vec![parts[0].scatter];
        while parts.len() < self.clusters as usize {
            let Some(cluster) = self.next(&parts) else { break };
            let halves = self.halving(history.len() as u64).fit(&parts[cluster].points)?;
            if halves.clusters() < 2 {
                parts[cluster].divisible = false;
                continue;
            }
            let [first, second] = parts[cluster].split(&halves);
            parts[cluster] = first;
            parts.push(second);
            centroids.split(cluster, &halves);
            history.push(parts.iter().map(|part| part.scatter).sum());
        }
        centroids.history = history;
        Ok(centroids)
    }
}

/// The records of a cluster.
struct Part {
    points: Points,
    /// The sum of squares.
    scatter: f64,
    divisible: bool,
}

impl Part {
    fn new(points: Points, centroid: &Centroids) -> Self {
        let scatter = centroid.label(&points, &mut vec![0; points.rows()]);
        Part { divisible: scatter > 0.0, points, scatter }
    }

    fn split(&self, halves: &Centroids) -> [Part; 2] {
        let mut labels = vec![0; self.points.rows()];
        halves.label(&self.points, &mut labels);
        [0, 1].map(|half| {
            let rows: Vec<usize> = (0..labels.len()).filter(|&row| labels[row] == half).collect();
            let weights = rows.iter().map(|&row| self.points.weights()[row]).collect();
            Part::new(self.points.select(&rows, weights), &halves.select(&[half as usize]))
        })
    }
}
