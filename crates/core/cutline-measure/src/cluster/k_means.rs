//! Basic k-means.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::means::sizes;
use super::sample::sample;
use super::start::plus_plus;
use super::{Centroids, ClusterError, Clusterer, Points};

/// Basic k-means (MacQueen, 1967; Lloyd's rounds), started by k-means++.
#[derive(Clone, Debug, PartialEq)]
pub struct KMeans {
    /// The number of clusters.
    pub clusters: u32,
    /// How often to start. The result with the least sum of squares is kept, the first one of several.
    pub restarts: u32,
    /// Seed of all random choices.
    pub seed: u64,
    /// The largest number of rounds after each start.
    pub max_iterations: u32,
    /// A round that lowers the sum of squares by no more than this share of it is the last one. With 0 it goes on until
    /// nothing changes.
    pub tolerance: f64,
    /// The largest number of rows to look at; of a longer table a sample of that size is clustered.
    pub sample: usize,
}

impl KMeans {
    /// The usual settings.
    pub fn new(clusters: u32) -> Self {
        KMeans { clusters, restarts: 10, seed: 0, max_iterations: 100, tolerance: 1e-6, sample: 50_000 }
    }

    /// Rounds of k-means from given centroids, such as those of the raw table for the masked one. Clusters keep their
    /// numbers unless one has to be left out for want of records.
    ///
    /// # Errors
    /// As [`Clusterer::fit`], and if the centroids are in another space.
    pub fn fit_from(&self, points: &Points, starts: &Centroids) -> Result<Centroids, ClusterError> {
        self.check(points)?;
        starts.check(points)?;
        let all: Vec<usize> = (0..starts.clusters()).collect();
        Ok(self.rounds(&sample(points, self.sample, self.seed), starts.select(&all)))
    }

    /// The results of all starts, good and bad.
    ///
    /// # Errors
    /// As [`Clusterer::fit`].
    pub fn fit_all(&self, points: &Points) -> Result<Vec<Centroids>, ClusterError> {
        self.check(points)?;
        let points = sample(points, self.sample, self.seed);
        let whole = Centroids::whole(&points);
        let run = |mut random: Xoshiro256PlusPlus| {
            let starts = plus_plus(&points, &whole, self.clusters as usize, &mut random);
            self.rounds(&points, starts)
        };
        Ok(self.streams().into_par_iter().map(run).collect())
    }

    pub(super) fn check(&self, points: &Points) -> Result<(), ClusterError> {
        let settings = [
            ("clusters", self.clusters as usize),
            ("restarts", self.restarts as usize),
            ("max_iterations", self.max_iterations as usize),
            ("sample", self.sample),
        ];
        if let Some((name, _)) = settings.into_iter().find(|&(_, value)| value == 0) {
            return Err(ClusterError::Zero(name));
        }
        if !(0.0..=1.0).contains(&self.tolerance) {
            return Err(ClusterError::Tolerance(self.tolerance));
        }
        if points.records() == 0 { Err(ClusterError::Empty) } else { Ok(()) }
    }

    /// Independent streams of random numbers, one for each start.
    fn streams(&self) -> Vec<Xoshiro256PlusPlus> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let next = |_| {
            random.jump();
            random.clone()
        };
        (0..self.restarts).map(next).collect()
    }

    fn rounds(&self, points: &Points, mut centroids: Centroids) -> Centroids {
        let mut labels = vec![0; points.rows()];
        let mut next = labels.clone();
        let mut sum = centroids.label(points, &mut labels);
        centroids.history = vec![sum];
        for _ in 0..self.max_iterations {
            fill_empty_clusters(points, &centroids, &mut labels);
            centroids.follow(points, &labels);
            let lower = centroids.label(points, &mut next);
            centroids.history.push(lower);
            let settled =
                next == labels || (sum - lower <= self.tolerance * sum && empty(points, &centroids, &next).is_empty());
            std::mem::swap(&mut labels, &mut next);
            sum = lower;
            if settled {
                break;
            }
        }
        without_empty_clusters(points, centroids, &labels)
    }
}

impl Clusterer for KMeans {
    fn fit(&self, points: &Points) -> Result<Centroids, ClusterError> {
        let runs = self.fit_all(points)?.into_iter();
        let best = runs.min_by(|one, other| one.sum_of_squares().total_cmp(&other.sum_of_squares()));
        best.ok_or(ClusterError::Zero("restarts"))
    }
}

/// Clusters without records.
fn empty(points: &Points, centroids: &Centroids, labels: &[u32]) -> Vec<usize> {
    let sizes = sizes(labels, points.weights(), centroids.clusters());
    (0..sizes.len()).filter(|&cluster| sizes[cluster] == 0).collect()
}

/// Gives every cluster without records the row that is farthest from its centroid (the first one of several) and is not
/// alone in its cluster. That lowers the sum of squares. Rows at their centroid stay: then there are fewer distinct
/// points than clusters.
fn fill_empty_clusters(points: &Points, centroids: &Centroids, labels: &mut [u32]) {
    let empty = empty(points, centroids, labels);
    if empty.is_empty() {
        return;
    }
    let mut sizes = sizes(labels, points.weights(), centroids.clusters());
    let mut distances = centroids.distances(points);
    for cluster in empty {
        let mut farthest = None;
        for (row, (&label, &weight)) in labels.iter().zip(points.weights()).enumerate() {
            let best = farthest.map_or(0.0, |best: usize| distances[best]);
            if weight > 0 && sizes[label as usize] > weight && distances[row] > best {
                farthest = Some(row);
            }
        }
        let Some(row) = farthest else { return };
        sizes[labels[row] as usize] -= points.weights()[row];
        sizes[cluster] = points.weights()[row];
        labels[row] = cluster as u32;
        distances[row] = 0.0;
    }
}

fn without_empty_clusters(points: &Points, centroids: Centroids, labels: &[u32]) -> Centroids {
    let empty = empty(points, &centroids, labels);
    if empty.is_empty() {
        return centroids;
    }
    let kept: Vec<usize> = (0..centroids.clusters()).filter(|cluster| !empty.contains(cluster)).collect();
    centroids.select(&kept)
}
