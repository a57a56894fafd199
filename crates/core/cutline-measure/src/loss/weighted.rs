//! Several targets at once.
//!
//! Iyengar, KDD 2002, §3: if there are several targets, their normalized metrics are combined by a weighted sum with weights that
//! the user chooses. Divided by the sum of the weights, the result is on the scale of a single metric:
//!
//! ```text
//!   Σ_i w_i m_i / Σ_i w_i
//! ```

use cutline_table::{CompressedTable, Costs, Labels};

use super::Partition;
use super::classification::{classification, classification_cost};
use super::regression::{Dispersion, regression};

/// A target and how much it matters.
#[derive(Clone, Copy, Debug)]
pub struct WeighedTarget<'a> {
    /// 0 for the table's `labels`, 1 for the first of its `further` labels, and so on.
    pub index: usize,
    /// Its weight, not negative.
    pub weight: f64,
    /// If it is a class: what mistakes cost. Costs above 1 give it more than its weight.
    pub costs: Option<&'a Costs>,
    /// If it is a number: how dispersion is measured.
    pub dispersion: Dispersion,
}

impl WeighedTarget<'_> {
    /// A target with equal costs, or dispersion measured by variance.
    pub fn new(index: usize, weight: f64) -> Self {
        WeighedTarget { index, weight, costs: None, dispersion: Dispersion::default() }
    }

    /// The target's own metric: CM for classes, RM for numbers; `None` if the table has no such target.
    pub fn metric(&self, table: &CompressedTable, partition: &Partition) -> Option<f64> {
        let labels = match self.index {
            0 => &table.labels,
            index => table.further.get(index - 1)?,
        };
        match (labels, self.costs) {
            (Labels::None, _) => None,
            (Labels::Classes { .. }, None) => classification(labels, partition, table.worth()),
            (Labels::Classes { .. }, Some(costs)) => classification_cost(labels, partition, table.worth(), costs),
            (Labels::Numbers { .. }, _) => regression(labels, partition, table.worth(), self.dispersion),
        }
    }
}

/// The weighted average of the targets' metrics; `None` if the table lacks one of them or no weight is above 0.
pub fn weighted(table: &CompressedTable, partition: &Partition, targets: &[WeighedTarget<'_>]) -> Option<f64> {
    let metrics = targets.iter().map(|target| target.metric(table, partition)).collect::<Option<Vec<f64>>>()?;
    let weights: f64 = targets.iter().map(|target| target.weight).sum();
    let sum: f64 = targets.iter().zip(metrics).map(|(target, metric)| target.weight * metric).sum();
    (weights > 0.0).then(|| sum / weights)
}
