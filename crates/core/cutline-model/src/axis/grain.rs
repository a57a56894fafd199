//! Where may numbers be cut?

use super::Scale;
use crate::recoding::Interval;

/// The line that an attribute is cut on, and where.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Axis {
    /// How texts are numbers.
    pub scale: Scale,
    /// Where the line may be cut.
    pub grain: Grain,
    /// What is below or above is never told apart: bottom and top code.
    pub clamp: Option<(f64, f64)>,
}

/// Where a line may be cut.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Grain {
    /// At any value.
    #[default]
    Values,
    /// At these bounds only, ascending.
    Bounds(Vec<f64>),
    /// At multiples of a step only.
    Step(f64),
    /// Where the calendar cuts: within an interval at its longest units, so that years are told apart before months are.
    Calendar,
}

impl Axis {
    /// Numbers, cut anywhere.
    pub const PLAIN: Axis = Axis { scale: Scale::Numbers, grain: Grain::Values, clamp: None };

    /// Dates, cut where the calendar cuts.
    pub fn dates(scale: Scale) -> Self {
        Axis { scale, grain: Grain::Calendar, clamp: None }
    }

    /// The least number that can never be told apart from this one.
    ///
    /// # Guarantee
    /// Whatever bounds the line is cut at, a number and this one lie in the same interval: of [`Grain::Bounds`] and [`Grain::Step`]
    /// it is the bound below, and beyond a clamp its end.
    pub fn grained(&self, number: f64) -> f64 {
        let number = self.clamp.map_or(number, |(lower, upper)| number.clamp(lower, upper));
        match &self.grain {
            Grain::Values | Grain::Calendar => number,
            Grain::Bounds(bounds) => match bounds.partition_point(|&bound| bound <= number) {
                0 => bounds.first().map_or(number, |first| first.next_down()),
                above => bounds[above - 1],
            },
            Grain::Step(step) => multiple(number, *step),
        }
    }

    /// An interval as a label.
    pub fn label(&self, interval: Interval) -> String {
        self.scale.label(interval)
    }
}

/// The largest multiple of a step that is not above a number.
pub(crate) fn multiple(number: f64, step: f64) -> f64 {
    // As a person would write it: 3 times 0.1 is 0.3.
    let at = |count: f64| format!("{:.12e}", count * step).parse::<f64>().unwrap_or(count * step) + 0.0;
    let count = (number / step).floor();
    // Division rounds, and what is above by rounding is not below.
    [count + 1.0, count, count - 1.0].into_iter().map(at).find(|&multiple| multiple <= number).unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grained(grain: Grain, clamp: Option<(f64, f64)>, number: f64) -> f64 {
        Axis { scale: Scale::Numbers, grain, clamp }.grained(number)
    }

    #[test]
    fn numbers_go_to_the_bound_below() {
        let bins = || Grain::Bounds(vec![0.0, 18.0, 30.0]);
        for (number, bound) in [(0.0, 0.0), (17.9, 0.0), (18.0, 18.0), (29.0, 18.0), (99.0, 30.0)] {
            assert_eq!(grained(bins(), None, number), bound);
        }
        assert!(grained(bins(), None, -5.0) < 0.0, "what is below the first bound has a bin of its own");
        assert_eq!(grained(bins(), None, -5.0), grained(bins(), None, -1.0));
    }

    #[test]
    fn what_is_beyond_the_ends_cannot_be_told_apart() {
        let clamp = Some((0.0, 200_000.0));
        assert_eq!(grained(Grain::Values, clamp, 1e9), 200_000.0);
        assert_eq!(grained(Grain::Values, clamp, -1.0), 0.0);
        assert_eq!(grained(Grain::Step(1000.0), clamp, 1_999.0), 1000.0);
        assert_eq!(grained(Grain::Step(1000.0), clamp, 250_500.0), 200_000.0);
    }

    #[test]
    fn multiples_are_exact_whatever_the_step() {
        for (step, number, multiple) in [
            (0.1, 0.3, 0.3),
            (0.1, 0.7, 0.7),
            (0.1, 0.29, 0.2),
            (1000.0, -1.0, -1000.0),
            (5.0, 0.0, 0.0),
            (0.25, 1.0, 1.0),
            (7.0, 20.9, 14.0),
        ] {
            assert_eq!(grained(Grain::Step(step), None, number), multiple, "{number} by {step}");
        }
        for tenth in -500..500 {
            let number = f64::from(tenth) / 10.0;
            assert_eq!(grained(Grain::Step(0.1), None, number), number, "{number}");
        }
    }
}
