//! How times grow: the power law nearest to them.

use std::fmt;

/// y = factor · x^exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PowerLaw {
    pub(super) exponent: f64,
    factor: f64,
    /// The largest factor between a point and the law.
    worst: f64,
}

impl PowerLaw {
    /// Least squares of ln y on ln x. One point, or several above each other, have no law.
    pub(super) fn fit(points: &[(f64, f64)]) -> Option<Self> {
        if points.iter().any(|&(x, y)| x <= 0.0 || y <= 0.0) {
            return None;
        }
        let points: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
        let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
        let spread: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
        if points.len() < 2 || spread <= 1e-12 {
            return None;
        }
        let exponent = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / spread;
        let height = mean_y - exponent * mean_x;
        let away = points.iter().map(|(x, y)| (y - height - exponent * x).abs());
        Some(PowerLaw { exponent, factor: height.exp(), worst: away.fold(0.0, f64::max).exp() })
    }

    /// What the law says of x.
    pub(super) fn at(&self, x: f64) -> f64 {
        self.factor * x.powf(self.exponent)
    }

    /// How far the point that fits worst is from the law, in percent.
    pub(super) fn off(&self) -> f64 {
        100.0 * (self.worst - 1.0)
    }
}

impl fmt::Display for PowerLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "records^{:.2}", self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_found_exactly() {
        let points = [1e5, 2e5, 1e6, 1e7].map(|x: f64| (x, 3e-7 * x.powf(1.25)));
        let law = PowerLaw::fit(&points).unwrap();
        assert!((law.exponent - 1.25).abs() < 1e-9 && law.off() < 1e-6);
        assert!((law.at(4e6) / (3e-7 * 4e6_f64.powf(1.25)) - 1.0).abs() < 1e-9);
        assert_eq!(law.to_string(), "records^1.25");
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let law = PowerLaw::fit(&[(1.0, 1.0), (2.0, 4.0), (4.0, 4.0)]).unwrap();
        assert!((law.exponent - 1.0).abs() < 1e-9);
        assert!((law.off() - 100.0 * (2f64.powf(2.0 / 3.0) - 1.0)).abs() < 1e-6, "{}", law.off());
    }

    #[test]
    fn one_point_has_no_law() {
        assert_eq!(PowerLaw::fit(&[]), None);
        assert_eq!(PowerLaw::fit(&[(1e5, 0.1)]), None);
        assert_eq!(PowerLaw::fit(&[(1e5, 0.1), (1e5, 0.2)]), None);
        assert_eq!(PowerLaw::fit(&[(1e5, 0.0), (2e5, 0.2)]), None);
    }
}
