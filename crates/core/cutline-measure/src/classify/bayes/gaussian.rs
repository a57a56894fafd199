//! Numeric columns as normal distributions, one for each class.

use crate::classify::{Classes, normal};

/// The precision of a column that has one value or none (Weka's value).
const DEFAULT_PRECISION: f64 = 0.01;

/// A deviation below this tells nothing about the scale.
const NO_DEVIATION: f64 = 1e-10;

/// The normal distribution of a column within a class, for numbers written down with limited precision.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Gaussian {
    precision: f64,
    mean: f64,
    deviation: f64,
}

impl Gaussian {
    /// The probability of what is rounded to the same number.
    pub(super) fn probability(&self, value: f64) -> f64 {
        let (from_mean, half) = (round(value, self.precision) - self.mean, self.precision / 2.0);
        normal::between((from_mean - half) / self.deviation, (from_mean + half) / self.deviation)
    }
}

/// The distributions of a column, for every class.
pub(super) fn fit(values: &[f64], classes: &Classes) -> Vec<Gaussian> {
    let precision = precision(values);
    let mut sums = vec![(0.0, 0.0, 0.0); classes.names.len()];
    for (&value, &class) in values.iter().zip(&classes.codes) {
        if !value.is_nan() {
            let (value, (count, sum, squares)) = (round(value, precision), &mut sums[class as usize]);
            *count += 1.0;
            *sum += value;
            *squares += value * value;
        }
    }
    let least = precision / 6.0;
    let gaussian = |(count, sum, squares): (f64, f64, f64)| {
        let mean = if count > 0.0 { sum / count } else { 0.0 };
        let deviation = if count > 0.0 { ((squares - mean * sum).abs() / count).sqrt() } else { 0.0 };
        Gaussian { precision, mean, deviation: if deviation > NO_DEVIATION { deviation.max(least) } else { least } }
    };
    sums.into_iter().map(gaussian).collect()
}

/// The average gap between neighbouring different values.
fn precision(values: &[f64]) -> f64 {
    let mut values: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    match values.as_slice() {
        [first, .., last] => (last - first) / (values.len() - 1) as f64,
        _ => DEFAULT_PRECISION,
    }
}

fn round(value: f64, precision: f64) -> f64 {
    (value / precision).round_ties_even() * precision
}
