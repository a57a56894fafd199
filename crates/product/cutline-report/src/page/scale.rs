//! From numbers to places on an axis, and the round numbers that mark it.

/// How an axis is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scale {
    /// Even, from zero.
    FromZero,
    /// Even, from a round number below the smallest to one above the largest.
    Fitted,
    /// Even, from the smallest number to the largest.
    Exact,
    /// Even, from 0 to 1.
    Share,
    /// By powers of ten. For numbers from 1.
    Log,
}

/// An axis.
pub(super) struct Span {
    scale: Scale,
    lower: f64,
    upper: f64,
    /// Round numbers on it.
    pub(super) ticks: Vec<f64>,
}

impl Span {
    /// An axis that has room for all the numbers.
    pub(super) fn new(scale: Scale, numbers: impl Iterator<Item = f64>) -> Self {
        let ends = numbers.filter(|number| number.is_finite()).fold(None, |ends: Option<(f64, f64)>, number| {
            Some(ends.map_or((number, number), |(lower, upper)| (lower.min(number), upper.max(number))))
        });
        let (lower, upper) = ends.unwrap_or((0.0, 1.0));
        match scale {
            Scale::Log => Self::decades(lower.max(1.0), upper.max(1.0)),
            Scale::FromZero => Self::even(scale, lower.min(0.0), upper.max(0.0)),
            Scale::Share => Self::even(scale, 0.0, 1.0),
            Scale::Fitted | Scale::Exact => Self::even(scale, lower, upper),
        }
    }

    fn decades(lower: f64, upper: f64) -> Self {
        let (first, last) = (lower.log10().floor() as i32, upper.log10().ceil() as i32);
        let last = last.max(first + 1);
        let ticks = (first..=last).map(|power| 10f64.powi(power)).collect();
        Span { scale: Scale::Log, lower: f64::from(first), upper: f64::from(last), ticks }
    }

    fn even(scale: Scale, lower: f64, upper: f64) -> Self {
        if upper - lower <= f64::EPSILON * upper.abs() {
            let room = if upper == 0.0 { 1.0 } else { upper.abs() / 2.0 };
            let (lower, tick) = if scale == Scale::FromZero { (lower, 0.0) } else { (lower - room, upper) };
            return Span { scale, lower, upper: upper + room, ticks: vec![tick] };
        }
        let rough = (upper - lower) / if scale == Scale::Exact { 6.0 } else { 4.0 };
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].iter().map(|step| step * power).find(|&step| step >= rough).unwrap_or(rough);
        let (first, last) = ((lower / step).floor(), (upper / step).ceil());
        let ticks = (0..=(last - first) as u32).map(|tick| (first + f64::from(tick)) * step);
        let (from, to) = if scale == Scale::Exact { (lower, upper) } else { (first * step, last * step) };
        Span { scale, lower: from, upper: to, ticks: ticks.filter(|tick| (from..=to).contains(tick)).collect() }
    }

    /// Where a number lies, from 0 to 1.
    pub(super) fn place(&self, number: f64) -> f64 {
        let number = if self.scale == Scale::Log { number.max(1.0).log10() } else { number };
        ((number - self.lower) / (self.upper - self.lower)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_around_the_numbers() {
        assert_eq!(Span::new(Scale::Log, [79.0, 10683.0].into_iter()).ticks, [10.0, 100.0, 1e3, 1e4, 1e5]);
        assert_eq!(Span::new(Scale::FromZero, [0.7, 1.9].into_iter()).ticks, [0.0, 0.5, 1.0, 1.5, 2.0]);
        assert_eq!(Span::new(Scale::Exact, [1.0, 86.0].into_iter()).ticks, [20.0, 40.0, 60.0, 80.0]);
        assert_eq!(Span::new(Scale::Fitted, [176.0, 240.0].into_iter()).ticks, [160.0, 180.0, 200.0, 220.0, 240.0]);
    }

    #[test]
    fn every_axis_has_a_length() {
        for scale in [Scale::Log, Scale::FromZero, Scale::Fitted, Scale::Exact, Scale::Share] {
            for numbers in [vec![], vec![0.0], vec![1.0], vec![-3.0, -3.0], vec![f64::NAN], vec![1e300, 2e300]] {
                let span = Span::new(scale, numbers.clone().into_iter());
                let place = span.place(numbers.first().copied().unwrap_or(0.5));
                assert!(numbers.iter().any(|number| number.is_nan()) || (0.0..=1.0).contains(&place), "{numbers:?}");
            }
        }
    }
}
