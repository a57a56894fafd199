//! Axes: where values lie on them, and which are written beside them.

/// How values are spread over an axis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spread {
    /// Equal differences are equally long.
    Linear,
    /// Equal factors are equally long.
    Logarithmic,
}

/// More labels than this on a logarithmic axis, and only powers of ten are written.
const CROWDED: usize = 12;

/// An axis from one value to another.
pub(super) struct Axis {
    low: f64,
    high: f64,
    pub(super) spread: Spread,
}

impl Axis {
    /// As long as the values reach.
    pub(super) fn tight(values: impl Iterator<Item = f64>, spread: Spread) -> Self {
        let (low, high) = range(values);
        let (low, high) = if low < high { (low, high) } else { (low * 0.9, high * 1.1) };
        Axis { low, high, spread }
    }

    /// From a round number to another, with some space above.
    pub(super) fn round(values: impl Iterator<Item = f64>, spread: Spread) -> Self {
        let (low, high) = range(values);
        let (low, high) = match spread {
            Spread::Linear => {
                let step = step(high - low);
                ((low / step).floor() * step, ((high / step).floor() + 1.0) * step)
            }
            Spread::Logarithmic => (round_below(positive(low)), round_above(positive(high))),
        };
        Axis { low, high, spread }
    }

    /// Where a value lies: 0 at the lower end, 1 at the upper one.
    pub(super) fn share(&self, value: f64) -> f64 {
        let place = |value: f64| if self.spread == Spread::Logarithmic { positive(value).ln() } else { value };
        (place(value) - place(self.low)) / (place(self.high) - place(self.low))
    }

    /// Round numbers.
    pub(super) fn ticks(&self) -> Vec<f64> {
        if self.spread == Spread::Linear {
            return ticks((self.low, self.high));
        }
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let inside = |tick: &f64| (self.low * 0.999..=self.high * 1.001).contains(tick);
        let all = |times: &[f64]| -> Vec<f64> {
            let decade = |power| times.iter().map(move |times| times * 10f64.powi(power));
            (first..=last).flat_map(decade).filter(inside).collect()
        };
        let many = all(&ROUND);
        if many.len() > CROWDED { all(&ROUND[..1]) } else { many }
    }
}

/// The round numbers of a decade.
const ROUND: [f64; 3] = [1.0, 2.0, 5.0];

/// What a logarithm exists of.
fn positive(value: f64) -> f64 {
    value.max(1e-9)
}

fn round_below(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let below = ROUND.map(|times| times * power).into_iter().rfind(|&round| round <= value * 1.001);
    below.unwrap_or(power)
}

/// Larger than the value, so that an axis is never of no length.
fn round_above(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    [2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|&round| round > value).unwrap_or(10.0 * power)
}

pub(super) fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// A round distance between ticks, for about five of them.
fn step(span: f64) -> f64 {
    let rough = (span / 5.0).max(1e-6);
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|&step| step >= rough * 0.999).unwrap_or(power)
}

fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let step = step(high - low);
    let (first, last) = ((low / step).ceil() as i64, (high / step + 1e-6).floor() as i64);
    (first..=last).map(|tick| tick as f64 * step).collect()
}

/// A number in few characters: 0.001, 2.5, 500, 20k, 10M.
pub(super) fn short(value: f64) -> String {
    let (value, unit) = match value {
        large if large >= 1e6 => (large / 1e6, "M"),
        large if large >= 1e4 => (large / 1e3, "k"),
        small => (small, ""),
    };
    let places = match value {
        tiny if tiny > 0.0 && tiny < 0.01 => (-tiny.log10()).ceil() as usize,
        large if large >= 100.0 && !unit.is_empty() => 0,
        _ => 2,
    };
    let text = format!("{value:.places$}");
    let text = if places > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    text.to_owned() + unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks((14.0, 22.0)), [14.0, 16.0, 18.0, 20.0, 22.0]);
        assert_eq!(step(0.9), 0.2);
    }

    #[test]
    fn logarithmic_ticks_are_round_and_inside() {
        let axis = Axis::round([0.03, 1.3].into_iter(), Spread::Logarithmic);
        let labels: Vec<String> = axis.ticks().into_iter().map(short).collect();
        assert_eq!(labels, ["0.02", "0.05", "0.1", "0.2", "0.5", "1", "2"]);
        assert!(axis.share(0.2) > 0.45 && axis.share(0.2) < 0.55);
        let wide = Axis::round([0.001, 90_000.0].into_iter(), Spread::Logarithmic);
        let labels: Vec<String> = wide.ticks().into_iter().map(short).collect();
        assert_eq!(labels, ["0.001", "0.01", "0.1", "1", "10", "100", "1000", "10k", "100k"]);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, 0.005, 2.5, 1000.0].map(short), ["0", "0.005", "2.5", "1000"]);
        assert_eq!([45_220.0, 200_000.0, 226_110.0, 1e7].map(short), ["45.22k", "200k", "226k", "10M"]);
    }
}
