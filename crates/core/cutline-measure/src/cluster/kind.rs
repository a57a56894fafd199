//! The ways to cluster by name.

use std::fmt;

use cutline_settings::choices;

choices! {
    /// A clustering algorithm.
    #[derive(Default)]
    pub enum ClusteringKind {
        /// Basic k-means
        #[default]
        KMeans = "k-means",
        /// Bisecting k-means
        Bisecting = "bisecting",
    }
}

choices! {
    /// What a recipient makes of a masked name.
    #[derive(Default)]
    pub enum MaskedNames {
        /// The values below them in the taxonomy, all equally probable
        #[default]
        Leaves = "leaves",
        /// Values like others, for a recipient who has only the table
        Values = "values",
    }
}

impl fmt::Display for ClusteringKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClusteringKind::KMeans => "k-means",
            ClusteringKind::Bisecting => "bisecting k-means",
        })
    }
}
