//! Which way a record goes through the splits of bisecting k-means.

use serde::{Deserialize, Serialize};

/// Splits of clusters in two. Those of split *s* have the centres 2*s* and 2*s* + 1.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Tree {
    splits: Vec<[Branch; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Branch {
    Cluster(u32),
    Split(usize),
}

impl Tree {
    /// Splits a cluster: one half keeps its number, the other one has the next free number.
    pub(super) fn split(&mut self, cluster: u32) {
        let split = self.splits.len();
        for branch in self.splits.iter_mut().flatten() {
            if *branch == Branch::Cluster(cluster) {
                *branch = Branch::Split(split);
            }
        }
        self.splits.push([Branch::Cluster(cluster), Branch::Cluster(split as u32 + 1)]);
    }

    /// The cluster of a record with these squared distances from the centres, and the distance from that cluster's
    /// centre.
    pub(super) fn descend(&self, distances: &[f64]) -> (u32, f64) {
        let mut split = 0;
        loop {
            let side = usize::from(distances[2 * split + 1] < distances[2 * split]);
            match self.splits[split][side] {
                Branch::Cluster(cluster) => return (cluster, distances[2 * split + side]),
                Branch::Split(next) => split = next,
            }
        }
    }
}
