//! Purpose `regression`: reduction of variance.

use std::ops::{Add, Range, Sub};

use cutline_table::{Attribute, CompressedTable, Labels, with_codes};
use rayon::prelude::*;

use super::{Gain, best_split};

/// The target's moments for one attribute, summed up over its codes.
#[derive(Clone)]
pub(crate) struct Variance {
    sums: Vec<Moments>,
    steps_per_unit: f64,
}

/// Exact sums over the records whose target is known.
///
/// The target is measured in whole steps (see [`Steps`]), so that sums do not depend on the order of records or threads.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Moments {
    records: u64,
    sum: i128,
    squares: i128,
}

impl Add for Moments {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Moments {
            records: self.records + other.records,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }
}

impl Sub for Moments {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Moments {
            records: self.records - other.records,
            sum: self.sum - other.sum,
            squares: self.squares - other.squares,
        }
    }
}

impl Moments {
    fn of(steps: i64, weight: u64) -> Self {
        let sum = i128::from(steps) * i128::from(weight);
        Moments { records: weight, sum, squares: sum * i128::from(steps) }
    }

    /// The sum of squared distances from the mean, times the number of records: an exact whole number.
    pub(crate) fn scatter(&self) -> i128 {
        i128::from(self.records) * self.squares - self.sum * self.sum
    }

    /// The variance, in squares of steps.
    pub(crate) fn variance(&self) -> f64 {
        if self.records == 0 { 0.0 } else { self.scatter() as f64 / (self.records as f64).powi(2) }
    }

    /// What a part contributes to the reduction of variance, in squares of steps: the distance of its mean.
    ///
    /// What the variance loses is the variance of the parts' means. Computed so, nothing cancels: equal gains come out equal, however
    /// small they are.
    pub(crate) fn share(&self, part: &Moments) -> f64 {
        let records = i128::from(self.records);
        if records == 0 || part.records == 0 {
            return 0.0;
        }
        let distance = records * part.sum - i128::from(part.records) * self.sum;
        (distance as f64).powi(2) / part.records as f64 / (records as f64).powi(3)
    }
}

/// The moments of each row of a table.
pub(crate) struct Targets {
    of_row: Vec<Moments>,
    steps_per_unit: f64,
}

impl Targets {
    pub(crate) fn new(table: &CompressedTable) -> Self {
        let Labels::Numbers { values, codes } = &table.labels else {
            return Targets { of_row: Vec::new(), steps_per_unit: 1.0 };
        };
        let steps = Steps::for_values(values);
        let moments_of = |(code, &weight): (u32, &u64)| {
            values[code as usize].map_or(Moments::default(), |value| Moments::of(steps.of(value), weight))
        };
        Targets { of_row: codes.iter().zip(table.worth()).map(moments_of).collect(), steps_per_unit: steps.per_unit }
    }

    /// How many squares of steps a square of the target's unit has.
    pub(crate) fn square(&self) -> f64 {
        self.steps_per_unit.powi(2)
    }

    pub(crate) fn of_row(&self, row: usize) -> Moments {
        self.of_row[row]
    }
}

/// The target's numbers as whole multiples of a power of two, at most 2^30 of them from the middle of the range: fine enough for
/// a score (a billionth of the range), exact for whole numbers and short fractions, and small enough that no sum overflows for
/// tables of up to 2^32 records.
struct Steps {
    middle: f64,
    per_unit: f64,
}

impl Steps {
    fn for_values(values: &[Option<f64>]) -> Self {
        const MOST: f64 = (1u64 << 30) as f64;
        let known = || values.iter().flatten().copied();
        let (lowest, highest) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
        if lowest >= highest {
            return Steps { middle: if lowest.is_finite() { lowest } else { 0.0 }, per_unit: 1.0 };
        }
        let middle = (lowest / 2.0 + highest / 2.0).round();
        let reach = (highest - middle).max(middle - lowest);
        Steps { middle, per_unit: (MOST / reach).log2().floor().clamp(-1000.0, 1000.0).exp2() }
    }

    fn of(&self, value: f64) -> i64 {
        ((value - self.middle) * self.per_unit).round() as i64
    }
}

impl Gain for Variance {
    type Stats = Moments;

    fn count(table: &CompressedTable) -> Vec<Self> {
        let Targets { of_row: moments, steps_per_unit } = Targets::new(table);
        let count = |attribute: &Attribute| {
            let mut sums = vec![Moments::default(); attribute.domain.len() + 1];
            with_codes!(&attribute.codes, column => {
                for (&code, &row) in column.iter().zip(&moments) {
                    let sum = &mut sums[code as usize + 1];
                    *sum = *sum + row;
                }
            });
            for index in 1..sums.len() {
                sums[index] = sums[index] + sums[index - 1];
            }
            Variance { sums, steps_per_unit }
        };
        table.attributes.par_iter().map(count).collect()
    }

    fn stats(&self, codes: Range<u32>) -> Moments {
        self.sums[codes.end as usize] - self.sums[codes.start as usize]
    }

    fn without(whole: &Moments, part: &Moments) -> Moments {
        *whole - *part
    }

    fn with(one: &Moments, other: &Moments) -> Moments {
        *one + *other
    }

    fn gain(&self, whole: &Moments, parts: &[Moments]) -> f64 {
        parts.iter().map(|part| whole.share(part)).sum::<f64>() / self.steps_per_unit.powi(2)
    }

    fn disclosure_gain(&self, whole: &Moments, code: u32) -> f64 {
        let part = self.stats(code..code + 1);
        self.gain(whole, &[part, *whole - part])
    }

    /// More than one distinct target value among the records.
    fn beneficial(whole: &Moments) -> bool {
        whole.scatter() > 0
    }

    /// The variance of the target.
    fn price(&self, table: &Moments, _attributes: usize) -> f64 {
        table.variance() / self.steps_per_unit.powi(2)
    }

    fn lost(price: f64, hidden: u64, whole: &Moments) -> f64 {
        price * hidden as f64 / whole.records.max(1) as f64
    }

    fn split(&self, codes: Range<u32>) -> u32 {
        let whole = self.stats(codes.clone());
        best_split(codes.clone(), |split| {
            let left = self.stats(codes.start..split);
            self.gain(&whole, &[left, whole - left])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(values: &[f64], steps: &Steps) -> Moments {
        values.iter().fold(Moments::default(), |sum, &value| sum + Moments::of(steps.of(value), 1))
    }

    fn variance(values: &[f64]) -> f64 {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64
    }

    #[test]
    fn gain_is_the_reduction_of_variance() {
        for (left, right) in
            [(&[1.0, 2.0][..], &[4.0][..]), (&[-1e9], &[0.25, 7.5]), (&[1e-9], &[2e-9]), (&[0.1, 0.2], &[0.3])]
        {
            let all = [left, right].concat();
            let steps = Steps::for_values(&all.iter().copied().map(Some).collect::<Vec<_>>());
            let parts = [moments(left, &steps), moments(right, &steps)];
            let ours =
                Variance { sums: Vec::new(), steps_per_unit: steps.per_unit }.gain(&moments(&all, &steps), &parts);
            let share = |part: &[f64]| part.len() as f64 / all.len() as f64;
            let expected = variance(&all) - share(left) * variance(left) - share(right) * variance(right);
            assert!((ours - expected).abs() <= 1e-8 * expected, "{ours} is not {expected}");
        }
    }

    #[test]
    fn one_number_is_nothing_to_gain_from() {
        let steps = Steps::for_values(&[Some(5.0), Some(6.0)]);
        assert!(!Variance::beneficial(&moments(&[5.0, 5.0, 5.0], &steps)));
        assert!(Variance::beneficial(&moments(&[5.0, 6.0], &steps)));
    }
}
