//! How large the groups of each QID are.
//!
//! Discernibility charges every record with the number of records that it cannot be told from, and a suppressed record with all of
//! them (Bayardo & Agrawal, "Data privacy through optimal k-anonymization", ICDE 2005). With *a(g)* the records of group *g*:
//!
//! ```text
//!   Σ_g a(g)² + suppressed · N
//! ```
//!
//! The average group size is that of the groups that are published; C_AVG is its multiple of *k* (LeFevre, DeWitt & Ramakrishnan,
//! "Mondrian multidimensional k-anonymity", ICDE 2006), 1 where no group is larger than it must be.

use cutline_table::{CompressedTable, TableQid};
use serde::Serialize;

use super::Partition;

/// The groups of one QID.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QidLoss {
    /// The QID's attributes.
    pub attributes: Vec<String>,
    /// Its threshold.
    pub k: u64,
    /// The number of groups with published records.
    pub groups: u64,
    /// Σ a(g)², with N for each suppressed record.
    pub discernibility: u64,
    /// Published records for each group; left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_group_size: Option<f64>,
    /// C_AVG: the average group size as a multiple of k.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c_avg: Option<f64>,
}

impl QidLoss {
    /// What the groups of a QID lose; the partition must be the one on its attributes.
    pub fn new(table: &CompressedTable, qid: &TableQid, partition: &Partition) -> Self {
        let average = average_group_size(partition);
        QidLoss {
            attributes: qid.attributes.iter().map(|attribute| table.attributes[attribute.0].name.clone()).collect(),
            k: qid.k,
            groups: partition.kept().len() as u64,
            discernibility: discernibility(partition),
            average_group_size: average,
            c_avg: average.map(|average| average / qid.k.max(1) as f64),
        }
    }
}

/// Σ a(g)², with N for each suppressed record. (It would take more than four thousand million records to reach the largest `u64`,
/// which is given for anything above.)
pub fn discernibility(partition: &Partition) -> u64 {
    let suppressed = partition.suppressed();
    let records = partition.kept().iter().sum::<u64>() + suppressed;
    let kept: u128 = partition.kept().iter().map(|&size| u128::from(size).pow(2)).sum();
    u64::try_from(kept + u128::from(suppressed) * u128::from(records)).unwrap_or(u64::MAX)
}

/// Published records for each group of published records; `None` if there are none.
pub fn average_group_size(partition: &Partition) -> Option<f64> {
    let groups = partition.kept();
    (!groups.is_empty()).then(|| groups.iter().sum::<u64>() as f64 / groups.len() as f64)
}
