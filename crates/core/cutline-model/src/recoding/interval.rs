//! How intervals are written, and read back.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{Bound, Scale, parse_number, shortest};

/// The label of an attribute of which nothing is published.
pub const TOP: &str = "*";

/// Numbers between two bounds, as a label. The lower bound belongs to it.
///
/// A bound that was not declared would be the data's own extreme, which may identify someone, and is never written: `<37`, `>=37`, `*`.
///
/// ```
/// use cutline_model::recoding::Interval;
///
/// let interval: Interval = "[-5-37)".parse()?;
/// assert!(interval.contains(-5.0) && !interval.contains(37.0));
/// assert_eq!(interval.to_string(), "[-5-37)");
/// # Ok::<(), cutline_model::recoding::NoInterval>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The least number; none if it is not told.
    pub lower: Option<f64>,
    /// The bound above; none if it is not told.
    pub upper: Option<f64>,
    /// Does the upper bound belong to it? That of an attribute's last interval does.
    pub closed: bool,
}

/// A text that is no label of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not an interval, as in [1-37), [37-99], <37, >=37, 37 or *")]
pub struct NoInterval;

impl Interval {
    /// Does the number lie in it? Every number lies above and below what is not told.
    pub fn contains(&self, number: f64) -> bool {
        let below = |upper: f64| number < upper || (self.closed && number == upper);
        self.lower.is_none_or(|lower| lower <= number) && self.upper.is_none_or(below)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.lower.map(shortest), self.upper.map(shortest)) {
            (None, None) => f.write_str(TOP),
            (None, Some(upper)) => write!(f, "<{upper}"),
            (Some(lower), None) => write!(f, ">={lower}"),
            (Some(lower), Some(upper)) => write!(f, "[{lower}-{upper}{}", if self.closed { ']' } else { ')' }),
        }
    }
}

impl FromStr for Interval {
    type Err = NoInterval;

    /// Reads `[1-37)`, `[37-99]`, `<37`, `>=37`, `*`, and a number by itself.
    fn from_str(label: &str) -> Result<Self, NoInterval> {
        let number = |text: &str| parse_number(text).ok_or(NoInterval);
        let label = label.trim();
        if label == TOP {
            return Ok(Interval { lower: None, upper: None, closed: true });
        }
        if let Some(upper) = label.strip_prefix('<') {
            return Ok(Interval { lower: None, upper: Some(number(upper)?), closed: false });
        }
        if let Some(lower) = label.strip_prefix(">=") {
            return Ok(Interval { lower: Some(number(lower)?), upper: None, closed: true });
        }
        let Some(bounds) = label.strip_prefix('[') else {
            let only = Some(number(label)?);
            return Ok(Interval { lower: only, upper: only, closed: true });
        };
        let closed = bounds.ends_with(']');
        let bounds = bounds.strip_suffix([']', ')']).ok_or(NoInterval)?;
        // A minus may also be a sign, or belong to an exponent: only one of them has a number on either side.
        let mut splits = bounds.match_indices('-').map(|(at, _)| (&bounds[..at], &bounds[at + 1..]));
        let ends = splits.find_map(|(lower, upper)| Some((parse_number(lower)?, parse_number(upper)?)));
        let (lower, upper) = ends.ok_or(NoInterval)?;
        Ok(Interval { lower: Some(lower), upper: Some(upper), closed })
    }
}

/// The labels of all intervals between the bounds.
pub fn interval_labels(bounds: &[Bound], scale: &Scale) -> Vec<String> {
    let last = bounds.len().saturating_sub(2);
    let interval =
        |(index, pair): (usize, &[Bound])| Interval { lower: pair[0].0, upper: pair[1].0, closed: index == last };
    bounds.windows(2).enumerate().map(|pair| scale.label(interval(pair))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_ranges_are_written_out() {
        let bounds = [1.0, 37.0, 99.0].map(|number| Bound(Some(number)));
        assert_eq!(interval_labels(&bounds, &Scale::Numbers), ["[1-37)", "[37-99]"]);
    }

    #[test]
    fn undeclared_extremes_are_never_written() {
        let bounds = [None, Some(37.0), Some(50.5), None].map(Bound);
        assert_eq!(interval_labels(&bounds, &Scale::Numbers), ["<37", "[37-50.5)", ">=50.5"]);
        assert_eq!(interval_labels(&[Bound(None), Bound(None)], &Scale::Numbers), ["*"]);
    }

    #[test]
    fn what_is_written_reads_back() {
        let numbers = [None, Some(-1e300), Some(-7.5), Some(-0.001), Some(0.0), Some(1e-7), Some(37.0), Some(1e21)];
        for lower in numbers {
            for upper in numbers.into_iter().filter(|upper| upper.is_none() || lower.is_none() || *upper > lower) {
                for closed in [upper.is_none(), upper.is_none() || lower.is_some()] {
                    let interval = Interval { lower, upper, closed };
                    assert_eq!(interval.to_string().parse(), Ok(interval), "{interval}");
                }
            }
        }
        for text in ["", "[", "[-)", ">=", "<x", "20s", "[1-2", "1-2"] {
            assert!(text.parse::<Interval>().is_err(), "{text}");
        }
    }

    #[test]
    fn intervals_are_read_whatever_their_signs() {
        let interval = |lower, upper, closed| Interval { lower, upper, closed };
        for (label, expected) in [
            ("[1-37)", interval(Some(1.0), Some(37.0), false)),
            ("[37-99]", interval(Some(37.0), Some(99.0), true)),
            ("[-5--1.5)", interval(Some(-5.0), Some(-1.5), false)),
            ("[-1e-7-2e-3]", interval(Some(-1e-7), Some(2e-3), true)),
            ("<-3", interval(None, Some(-3.0), false)),
            (">=1e300", interval(Some(1e300), None, true)),
            (" 37", interval(Some(37.0), Some(37.0), true)),
            ("*", interval(None, None, true)),
        ] {
            assert_eq!(label.parse(), Ok(expected), "{label}");
        }
    }

    #[test]
    fn a_number_is_in_one_interval_of_each_list() {
        for bounds in [[None, Some(3.0), Some(5.0), None], [Some(1.0), Some(3.0), Some(5.0), Some(9.0)]] {
            let labels = interval_labels(&bounds.map(Bound), &Scale::Numbers);
            let intervals: Vec<Interval> = labels.iter().map(|label| label.parse().unwrap()).collect();
            for number in [1.0, 2.9, 3.0, 4.0, 5.0, 9.0] {
                assert_eq!(intervals.iter().filter(|interval| interval.contains(number)).count(), 1, "{number}");
            }
        }
    }
}
