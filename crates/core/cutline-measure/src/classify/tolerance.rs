//! Comparisons as C4.5's successors make them: figures that differ by less than a millionth are equal.
//!
//! Fractional cases make sums that should be equal differ in their last bits. Without a tolerance, such bits would decide
//! between attributes, thresholds and classes.

/// Figures closer than this are equal (J48's value).
const SMALL: f64 = 1e-6;

/// Whether `one` is really greater than `other`.
pub(super) fn greater(one: f64, other: f64) -> bool {
    one - other > SMALL
}

/// Whether `one` is greater than `other`, or equal to it.
pub(super) fn at_least(one: f64, other: f64) -> bool {
    one >= other || other - one < SMALL
}

/// Whether a weight or a gain counts as nothing.
pub(super) fn nothing(figure: f64) -> bool {
    figure.abs() < SMALL
}

/// The position of the largest figure; of equal ones, the first.
pub(super) fn first_largest(figures: &[f64]) -> usize {
    let mut best = 0;
    for (index, &figure) in figures.iter().enumerate() {
        if greater(figure, figures[best]) {
            best = index;
        }
    }
    best
}

/// The position of the largest figure; of equal ones, the last.
pub(super) fn last_largest(figures: &[f64]) -> usize {
    let mut best = 0;
    for (index, &figure) in figures.iter().enumerate() {
        if at_least(figure, figures[best]) {
            best = index;
        }
    }
    best
}

/// A threshold between two numbers: their middle, or the lower one if there is no number between them.
///
/// Rounding can take the middle to the upper number, and then nothing would be above the threshold.
pub(super) fn between(lower: f64, upper: f64) -> f64 {
    let middle = f64::midpoint(lower, upper);
    if middle < upper { middle } else { lower }
}
