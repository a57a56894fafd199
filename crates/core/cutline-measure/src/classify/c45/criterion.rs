//! How much a split tells: information, gain and gain ratio (C4.5, chapter 2).
//!
//! All figures are kept times the number of cases: the information of a set is `N log N - sum of n log n` bits, so that
//! parts add up without weighting.

use crate::classify::tolerance::nothing;

/// `n log2 n`; nothing for nothing.
pub(super) fn n_log_n(n: f64) -> f64 {
    if nothing(n) || n < 0.0 { 0.0 } else { n * n.log2() }
}

/// Bits needed to tell the classes of all cases.
pub(super) fn information(classes: &[f64]) -> f64 {
    n_log_n(classes.iter().sum()) - classes.iter().map(|&weight| n_log_n(weight)).sum::<f64>()
}

/// Gain of a split in bits a case, from the information before and after.
///
/// The information is that of the cases with a known value, `total` the weight of all: the gain is scaled down by the
/// known share (C4.5, chapter 3), and `known/total * (before - after)/known` is what stands here.
pub(super) fn gain(before: f64, after: f64, total: f64) -> f64 {
    let bits = before - after;
    if nothing(bits) { 0.0 } else { bits / total }
}

/// Bits a case to tell the branch; cases with an unknown value are one more branch (C4.5, chapter 3).
pub(super) fn split_information(branches: &[f64], total: f64) -> f64 {
    let known: f64 = branches.iter().sum();
    let parts: f64 = branches.iter().map(|&weight| n_log_n(weight)).sum();
    (n_log_n(total) - parts - n_log_n(total - known)) / total
}

/// Gain per bit needed to tell the branch.
pub(super) fn gain_ratio(gain: f64, branches: &[f64], total: f64) -> f64 {
    let bits = split_information(branches, total);
    if nothing(bits * total) { 0.0 } else { gain / bits }
}
