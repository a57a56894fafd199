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

choices! {
    /// Where names lie.
    #[derive(Default)]
    pub enum EncodeNames {
        /// By their place in the taxonomy, so that neighbours lie close; names without a taxonomy are equal or not
        #[default]
        Taxonomy = "taxonomy",
        /// Equal or not, all alike
        OneHot = "one-hot",
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
