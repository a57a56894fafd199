//! The normal distribution: what pessimistic pruning and Naive Bayes need of it.

use std::f64::consts::PI;

/// Beyond this many standard deviations the tail's continued fraction is exact to the last bits, and the series slow.
const FAR: f64 = 5.0;

/// P(Z <= z) for a standard normal Z.
pub(super) fn cumulative(z: f64) -> f64 {
    if z < 0.0 { tail(-z) } else { 1.0 - tail(z) }
}

/// P(lower <= Z <= upper), taken on the side where nothing cancels.
pub(super) fn between(lower: f64, upper: f64) -> f64 {
    let (lower, upper) = if lower > 0.0 { (-upper, -lower) } else { (lower, upper) };
    (cumulative(upper) - cumulative(lower)).max(0.0)
}

/// The z with P(Z <= z) = `probability`, by bisection: it is needed once for a tree.
pub(super) fn quantile(probability: f64) -> f64 {
    let (mut lower, mut upper) = (-40.0, 40.0);
    for _ in 0..100 {
        let middle = f64::midpoint(lower, upper);
        if cumulative(middle) < probability {
            lower = middle;
        } else {
            upper = middle;
        }
    }
    f64::midpoint(lower, upper)
}

/// P(Z > z) for z >= 0.
fn tail(z: f64) -> f64 {
    let density = (-z * z / 2.0).exp() / (2.0 * PI).sqrt();
    if z > FAR {
        // Laplace's continued fraction of Mills' ratio: 1/(z + 1/(z + 2/(z + 3/(z + ...
        let fraction = (1..=60).rev().fold(z, |rest, step| z + f64::from(step) / rest);
        return density / fraction;
    }
    // Phi(z) = 1/2 + density * (z + z^3/3 + z^5/(3*5) + ...)
    let (mut term, mut sum, mut odd) = (z, z, 1.0);
    while term > sum * f64::EPSILON {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
    }
    (0.5 - density * sum).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cumulative_has_the_values_of_the_printed_tables() {
        for (z, expected) in [(0.0, 0.5), (1.0, 0.841_344_746_068_543), (-1.96, 0.024_997_895_148_220_4)] {
            assert!((cumulative(z) - expected).abs() < 1e-14, "{z}");
        }
        assert!((cumulative(-6.0) / 9.865_876_450_376_98e-10 - 1.0).abs() < 1e-12);
        assert!((cumulative(-FAR) / cumulative(-FAR - 1e-9) - 1.0).abs() < 1e-7, "both ways of computing meet");
    }

    #[test]
    fn quantile_undoes_cumulative() {
        assert!((quantile(0.75) - 0.674_489_750_196_082).abs() < 1e-13);
        assert!(quantile(0.5).abs() < 1e-13);
    }

    #[test]
    fn far_intervals_keep_their_probability() {
        assert!(between(10.0, 10.1) > 0.0);
        assert_eq!(between(10.0, 10.1), between(-10.1, -10.0));
    }
}
