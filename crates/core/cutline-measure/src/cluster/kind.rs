//! The ways to cluster by name.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A clustering algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClusteringKind {
    /// Basic k-means.
    #[default]
    KMeans,
    /// Bisecting k-means.
    Bisecting,
}

/// What a recipient makes of a masked name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MaskedNames {
    /// The values below it, all equally probable: the recipient knows the taxonomies.
    #[default]
    Leaves,
    /// A value like others: the recipient has nothing but the table.
    Values,
}

impl fmt::Display for ClusteringKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClusteringKind::KMeans => "k-means",
            ClusteringKind::Bisecting => "bisecting k-means",
        })
    }
}
