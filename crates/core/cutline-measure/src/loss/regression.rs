//! RM, the regression metric: how much a number varies within the groups.
//!
//! Iyengar, KDD 2002, §3, which names both measures of dispersion and normalizes by the dispersion of a single group:
//!
//! ```text
//!   RM = Σ_G dispersion(G) / dispersion(all records)
//!   dispersion(G) = Σ_{r in G} (y_r − mean(G))²       or
//!                   Σ_{r in G} |y_r − median(G)|
//! ```
//!
//! The groups are those on all quasi attributes, and the suppressed records are a group of their own. Records without a number are
//! left out. RM is 0 where all numbers are the same: then there is nothing to lose. The median is the lower one: the smallest
//! number that at least half of the records do not exceed (any median gives the same sum).

use cutline_table::Labels;

use super::Partition;
use super::tally::Tally;

/// How dispersion is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dispersion {
    /// Squares of distances from the mean.
    #[default]
    Variance,
    /// Distances from the median, which outliers change less.
    Median,
}

/// RM, between 0 and 1; `None` unless the labels are numbers.
pub fn regression(labels: &Labels, partition: &Partition, weights: &[u64], dispersion: Dispersion) -> Option<f64> {
    Numbers::new(labels, partition, weights).map(|numbers| numbers.metric(dispersion))
}

/// A numeric target by groups.
pub(super) struct Numbers {
    /// The distinct numbers, moved and scaled into [-1, 1]: RM stays the same, and no square can overflow or lose its digits to a
    /// large mean.
    scaled: Vec<Option<f64>>,
    tally: Tally,
}

impl Numbers {
    pub(super) fn new(labels: &Labels, partition: &Partition, weights: &[u64]) -> Option<Self> {
        match labels {
            Labels::Numbers { values, codes } => {
                let tally = Tally::new(partition, codes, values.len(), weights);
                Some(Numbers { scaled: scaled(values), tally })
            }
            Labels::None | Labels::Classes { .. } => None,
        }
    }

    pub(super) fn metric(&self, dispersion: Dispersion) -> f64 {
        let mut whole = vec![0; self.scaled.len()];
        for &(code, records) in self.tally.groups().flatten() {
            whole[code as usize] += records;
        }
        let whole: Vec<(u32, u64)> = (0..).zip(whole).collect();
        let whole = self.dispersion(&whole, dispersion);
        let groups: f64 = self.tally.groups().map(|group| self.dispersion(group, dispersion)).sum();
        // No partition disperses more than the whole; rounding may say so.
        if whole > 0.0 { (groups / whole).min(1.0) } else { 0.0 }
    }

    fn dispersion(&self, group: &[(u32, u64)], dispersion: Dispersion) -> f64 {
        let known = |&(code, records): &(u32, u64)| self.scaled[code as usize].map(|number| (number, records));
        let known = group.iter().filter_map(known).filter(|&(_, records)| records > 0);
        match dispersion {
            Dispersion::Variance => squares(known),
            Dispersion::Median => deviations(known.collect()),
        }
    }
}

fn scaled(values: &[Option<f64>]) -> Vec<Option<f64>> {
    let known = || values.iter().flatten().copied();
    let (lower, upper) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    // Halves first: the sum or difference of two finite numbers may be none.
    let (centre, radius) = (lower / 2.0 + upper / 2.0, upper / 2.0 - lower / 2.0);
    let scale = |number: f64| if radius > 0.0 { (number - centre) / radius } else { 0.0 };
    values.iter().map(|value| value.map(scale)).collect()
}

/// Σ (y − mean)². Distances are from the first number, so that equal numbers give exactly 0.
fn squares(numbers: impl Iterator<Item = (f64, u64)> + Clone) -> f64 {
    let Some((first, _)) = numbers.clone().next() else { return 0.0 };
    let (sum, records) = numbers
        .clone()
        .fold((0.0, 0), |(sum, all), (number, records)| (sum + (number - first) * records as f64, all + records));
    let mean = sum / records as f64;
    numbers.map(|(number, records)| (number - first - mean).powi(2) * records as f64).sum()
}

/// Σ |y − median|.
fn deviations(mut numbers: Vec<(f64, u64)>) -> f64 {
    numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
    let all: u64 = numbers.iter().map(|&(_, records)| records).sum();
    let mut below = 0;
    let median = numbers.iter().find(|&&(_, records)| {
        below += records;
        below >= all - below
    });
    let Some(&(median, _)) = median else { return 0.0 };
    numbers.iter().map(|&(number, records)| (number - median).abs() * records as f64).sum()
}
