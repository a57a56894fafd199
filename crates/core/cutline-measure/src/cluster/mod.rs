//! Are the clusters of the raw records still there?
//!
//! Clusters of raw and masked tables and their comparison, after *Privacy-preserving data publishing for cluster
//! analysis* (Fung, Wang, Wang and Hung, 2009), "the paper" below.
//!
//! ```text
//! raw codes ────► Axis ──► Points ──► Clusterer::fit ──► Centroids::assign ──┐
//!                (same Space)                                                ├──► Contingency: F-measure, match point
//! masked codes ─► Axis ──► Points ──► Clusterer::fit ──► Centroids::assign ──┘
//! ```
//!
//! # The space
//!
//! A record is a row of small codes and every code of an attribute is a point ([`Axis`]):
//!
//! | value | point |
//! | --- | --- |
//! | a number | the number, scaled to \[0, 1\] |
//! | an interval | its midpoint, scaled the same way |
//! | a category of a taxonomy | its place in the order of leaves, scaled to \[0, 1\] ([`EncodeNames`]) |
//! | a masked one | the middle of the leaves below it |
//! | another category | one-hot, divided by √2: two different categories have distance 1 |
//! | a masked one | uniform over the leaves below it, divided by √2 |
//! | a missing one | a leaf of its own |
//! | missing where there is one dimension | no point: it has no distance from anything and moves no centroid |
//!
//! One-hot vectors exist for codes, never for records. In every round the squared distance of every code from every
//! centroid is put into a table; the distance of a record is a sum of entries of that table, one for each attribute.
//! Centroids follow from the number of records for each (attribute, code, cluster). These are whole numbers, and all
//! other sums are over fixed chunks in a fixed order, so the same table and seed give the same clusters on any number
//! of threads.
//!
//! ```
//! use cutline_measure::cluster::{Axis, Clusterer, Contingency, KMeans, Points, Scale};
//! use cutline_table::Codes;
//!
//! # fn main() -> Result<(), cutline_measure::cluster::ClusterError> {
//! let age = Scale::new(20.0, 60.0)?;
//! let codes = || Codes::U8(vec![0, 1, 2, 3]);
//! let raw = Axis::continuous(age, [Some(20.0), Some(25.0), Some(55.0), Some(60.0)]);
//! let masked = Axis::intervals(age, [Some((20.0, 40.0)), Some((20.0, 40.0)), Some((40.0, 60.0)), Some((40.0, 60.0))]);
//! let weights = vec![3, 1, 2, 2];
//! let raw = Points::new(vec![(raw, codes())], weights.clone())?;
//! let masked = Points::new(vec![(masked, codes())], weights.clone())?;
//!
//! let method = KMeans::new(2);
//! let (before, after) = (method.fit(&raw)?.assign(&raw)?, method.fit(&masked)?.assign(&masked)?);
//! let table = Contingency::new(&before, &after, &weights)?;
//! assert_eq!(table.match_point(), 1.0);
//! # Ok(())
//! # }
//! ```

mod axis;
mod bisecting;
mod centroids;
mod compare;
mod error;
mod found;
mod gain;
mod k_means;
mod kind;
mod means;
mod points;
mod rule;
mod sample;
mod space;
mod start;
mod tables;
mod tree;

pub use axis::{Axis, Scale, Space};
pub use bisecting::{Bisecting, SplitFirst};
pub use centroids::Centroids;
pub use compare::{BestMatch, Contingency};
pub use error::ClusterError;
pub use found::{Clusters, another_start};
pub use gain::{information_gain, split_gain};
pub use k_means::KMeans;
pub use kind::{ClusteringKind, EncodeNames, MaskedNames};
pub use points::Points;
pub use rule::ClusterRule;
pub use space::{AttributeSpace, Leaves};

/// A way to find clusters.
///
/// # Guarantee
/// The result is a function of the points and the settings: neither the number of threads nor the time changes it.
pub trait Clusterer {
    /// Finds clusters, at most as many as were asked for: fewer if there are fewer distinct points.
    ///
    /// # Errors
    /// If there are no records, or a setting makes no sense.
    fn fit(&self, points: &Points) -> Result<Centroids, ClusterError>;
}
