//! CM, the classification metric: how impure the groups are.
//!
//! Iyengar, KDD 2002, equations 1 and 2. With *N* records and *majority(G)* the class that most records of group *G* have,
//!
//! ```text
//!   CM = Σ_r penalty(r) / N
//!   penalty(r) = 1  if r is suppressed
//!                1  if class(r) ≠ majority(G(r))
//!                0  otherwise
//! ```
//!
//! With a cost matrix the penalty is cost(class(r), majority(G(r))), and the suppressed records are a group like any other: they
//! cost what it costs to take all of them for their majority class. The majority goes by numbers of records, not by costs; of two
//! classes with as many records the one that comes first is it.
//!
//! The groups are those on all quasi attributes. A missing class counts as a class of its own.

use cutline_table::{Costs, Labels};

use super::Partition;
use super::tally::Tally;

/// CM with a penalty of 1 for each record that is suppressed or not of its group's majority class; `None` unless the labels are
/// classes.
pub fn classification(labels: &Labels, partition: &Partition, weights: &[u64]) -> Option<f64> {
    tally(labels, partition, weights).map(|tally| penalty(&tally))
}

/// CM with a cost for each mistake; `None` unless the labels are classes. The costs must be those of the same classes.
pub fn classification_cost(labels: &Labels, partition: &Partition, weights: &[u64], costs: &Costs) -> Option<f64> {
    tally(labels, partition, weights).map(|tally| cost(&tally, costs))
}

/// The classes of each group.
pub(super) fn tally(labels: &Labels, partition: &Partition, weights: &[u64]) -> Option<Tally> {
    match labels {
        Labels::Classes { names, codes } => Some(Tally::new(partition, codes, names.len(), weights)),
        Labels::None | Labels::Numbers { .. } => None,
    }
}

/// Equation 1 with the penalty of equation 2.
pub(super) fn penalty(tally: &Tally) -> f64 {
    let wrong = |classes: &[(u32, u64)]| records(classes) - majority(classes).map_or(0, |(_, most)| most);
    let kept: u64 = tally.groups().rev().skip(1).map(wrong).sum();
    let suppressed = tally.groups().next_back().map_or(0, records);
    average((kept + suppressed) as f64, tally)
}

/// Equation 1 with the penalty that a cost matrix gives.
pub(super) fn cost(tally: &Tally, costs: &Costs) -> f64 {
    let cost = |classes: &[(u32, u64)]| {
        let predicted = majority(classes).map_or(0, |(class, _)| class as usize);
        let of_class = |&(class, records): &(u32, u64)| records as f64 * costs.cost(class as usize, predicted);
        classes.iter().map(of_class).sum::<f64>()
    };
    average(tally.groups().map(cost).sum(), tally)
}

/// The class with the most records, the first of several.
fn majority(classes: &[(u32, u64)]) -> Option<(u32, u64)> {
    classes.iter().copied().reduce(|best, class| if class.1 > best.1 { class } else { best })
}

fn average(sum: f64, tally: &Tally) -> f64 {
    match tally.groups().map(records).sum::<u64>() {
        0 => 0.0,
        records => sum / records as f64,
    }
}

fn records(classes: &[(u32, u64)]) -> u64 {
    classes.iter().map(|&(_, records)| records).sum()
}
