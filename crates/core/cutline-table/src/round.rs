//! Bounds that are no values of records.

/// How bounds between neighbouring numbers are written: with no more decimals than the numbers themselves have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rounding {
    decimals: i32,
}

impl Rounding {
    pub(crate) fn new(numbers: &[f64]) -> Self {
        Rounding { decimals: numbers.iter().map(|&number| -Decimal::of(number).exponent).max().unwrap_or(0).max(0) }
    }

    /// The shortest number strictly between two others: a multiple of the largest power of ten that has one there; of several the
    /// largest. `None` where there is none, because the two differ by one unit of the last decimal.
    pub(crate) fn between(self, lower: f64, upper: f64) -> Option<f64> {
        let limit = Decimal::of(upper);
        // One more digit than the larger one has: then 0 is tried first.
        let highest = limit.magnitude().max(Decimal::of(lower).magnitude());
        (-self.decimals..=highest).rev().find_map(|exponent| {
            let multiple = limit.last_multiple_below(exponent)?;
            let number = format!("{multiple}e{exponent}").parse::<f64>().ok()? + 0.0;
            (lower < number && number < upper).then_some(number)
        })
    }
}

/// A number as its shortest text says it, `digits × 10^exponent`: 0.07 is 7 × 10^-2, which no power of two divides.
#[derive(Clone, Copy, Debug)]
struct Decimal {
    digits: i128,
    exponent: i32,
}

impl Decimal {
    fn of(number: f64) -> Self {
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (whole, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        // At most 17 digits, and an exponent of at most three.
        let digits = format!("{whole}{behind}").parse().unwrap_or(0);
        Decimal { digits, exponent: exponent.parse().unwrap_or(0) - behind.len() as i32 }
    }

    /// A power of ten that is larger than the number.
    fn magnitude(self) -> i32 {
        self.exponent + self.digits.unsigned_abs().to_string().len() as i32
    }

    /// The largest whole number of these powers of ten that is less than this number; nothing if it has too many digits.
    fn last_multiple_below(self, exponent: i32) -> Option<i128> {
        let power = |exponent: u32| 10_i128.checked_pow(exponent);
        let shift = self.exponent.abs_diff(exponent);
        if self.exponent >= exponent {
            return Some(power(shift).and_then(|power| self.digits.checked_mul(power))? - 1);
        }
        // A power of ten beyond all digits: the quotient is a fraction of one.
        let Some(power) = power(shift) else { return Some(if self.digits > 0 { 0 } else { -1 }) };
        Some((self.digits - 1).div_euclid(power))
    }
}

#[cfg(test)]
mod tests {
    use crate::Domain;
    use crate::random::Random;

    /// The bounds below the numbers.
    fn splits(numbers: &[f64]) -> Vec<f64> {
        let mut domain = Domain::numbers(numbers.to_vec(), false);
        domain.round_splits();
        (0..numbers.len() as u32).map(|code| domain.split(code)).collect()
    }

    #[test]
    fn a_bound_is_as_short_as_what_lies_around_it_allows() {
        for (numbers, expected) in [
            (&[12.0, 40.0][..], &[12.0, 30.0][..]),
            (&[36.0, 37.0, 39.0], &[36.0, 37.0, 38.0]),
            (&[51000.0, 51337.42], &[51000.0, 51300.0]),
            (&[-5.0, 8.0], &[-5.0, 0.0]),
            (&[-50.0, -3.0], &[-50.0, -10.0]),
            (&[0.01, 0.02, 0.05], &[0.01, 0.02, 0.04]),
            (&[0.01, 0.07], &[0.01, 0.06]),
            (&[0.25, 1.0], &[0.25, 0.9]),
            (&[1234.0, 1_000_000.0], &[1234.0, 900_000.0]),
            (&[0.0, 1e-7], &[0.0, 1e-7]),
            (&[7.0], &[7.0]),
            (&[], &[]),
        ] {
            assert_eq!(splits(numbers), expected, "{numbers:?}");
        }
    }

    /// The shortest number between two numbers of ten-thousandths: one after the other is tried, in whole numbers.
    fn naive(lower: i64, upper: i64) -> i64 {
        let decimals = (0..5).find(|&d| [lower, upper].iter().all(|n| n % 10_i64.pow(4 - d) == 0)).unwrap();
        let units = (4 - decimals..10).rev().map(|exponent| 10_i64.pow(exponent));
        let mut between = units.flat_map(|unit| (lower + 1..upper).rev().filter(move |number| number % unit == 0));
        between.next().unwrap_or(upper)
    }

    #[test]
    fn bounds_of_decimals_are_those_of_a_search_in_whole_numbers() {
        let mut random = Random(7);
        for _ in 0..4000 {
            let unit = [1, 10, 100, 1000, 10_000][random.below(5) as usize];
            let lower = (random.below(400) as i64 - 200) * unit;
            let upper = lower + (1 + random.below(30) as i64) * unit;
            let number = |ten_thousandths: i64| format!("{ten_thousandths}e-4").parse::<f64>().unwrap();
            assert_eq!(splits(&[number(lower), number(upper)])[1], number(naive(lower, upper)), "{lower} {upper}");
        }
    }

    #[test]
    fn bounds_keep_numbers_apart_whatever_they_are() {
        let mut state = 1_u64;
        for _ in 0..2000 {
            let mut draw = || {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                f64::from_bits(state ^ (state >> 29))
            };
            let mut numbers: Vec<f64> = (0..5).map(|_| draw()).filter(|number| number.is_finite()).collect();
            numbers.sort_by(f64::total_cmp);
            numbers.dedup();
            for (pair, split) in numbers.windows(2).zip(splits(&numbers).iter().skip(1)) {
                assert!(pair[0] < *split && *split <= pair[1], "{pair:?}: {split}");
            }
        }
    }
}
