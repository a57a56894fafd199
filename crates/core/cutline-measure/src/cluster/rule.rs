//! Which cluster does a record belong to?

use cutline_table::{BlockColumn, Codes};
use serde::{Deserialize, Serialize};

use super::{AttributeSpace, Centroids, ClusterError, Points};

/// Gives every record the cluster whose centroid is nearest: where values lie, and where the clusters are, as data.
///
/// The first pass over the records groups by it, the second one may write it; no other representation of the records is needed, so that a
/// table of any length can be labelled. A record's cluster depends on its own cells only: not on its neighbours, and not on which block it
/// is in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClusterRule {
    /// Where the values of each attribute lie.
    pub spaces: Vec<AttributeSpace>,
    /// Where the clusters are.
    pub centroids: Centroids,
}

impl ClusterRule {
    /// How many clusters there are: every label is below this number.
    pub fn clusters(&self) -> u32 {
        self.centroids.clusters() as u32
    }

    /// The cluster of each record, from its cells in the order of [`ClusterRule::spaces`]. Distances are worked out for the distinct cells of
    /// a block; those of a record are sums of them.
    ///
    /// # Errors
    /// If the cells do not fit: a defect of whoever made the rule.
    pub fn assign(&self, records: usize, cells: &[&BlockColumn]) -> Result<Vec<u32>, ClusterError> {
        let column = |(space, cells): (&AttributeSpace, &&BlockColumn)| {
            Ok((space.raw(&cells.texts)?, Codes::U32(cells.codes.clone())))
        };
        let columns = self.spaces.iter().zip(cells).map(column).collect::<Result<Vec<_>, ClusterError>>()?;
        self.centroids.assign(&Points::new(columns, vec![1; records])?)
    }
}
