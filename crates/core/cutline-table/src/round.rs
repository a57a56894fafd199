//! Bounds that are no values of records.

/// How bounds between neighbouring numbers are written: with no more decimals than the numbers themselves have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rounding {
    decimals: i32,
}

impl Rounding {
    pub(crate) fn new(numbers: &[f64]) -> Self {
        Rounding { decimals: numbers.iter().map(|&number| decimals(number)).max().unwrap_or(0) }
    }

    /// The shortest number strictly between two others: a multiple of the largest power of ten that has one there; of several the
    /// largest. `None` where there is none, because the two differ by one unit of the last decimal.
    pub(crate) fn between(self, lower: f64, upper: f64) -> Option<f64> {
        let largest = lower.abs().max(upper.abs());
        // One more digit than the larger one has: then 0 is tried first.
        let highest = largest.log10().floor() as i32 + 1;
        (-self.decimals..=highest).rev().find_map(|exponent| {
            // The text is read as the nearest number, which a product with a power of ten need not be.
            let unit: f64 = format!("1e{exponent}").parse().ok()?;
            let multiple = (upper / unit).ceil() - 1.0;
            let number = format!("{multiple}e{exponent}").parse::<f64>().ok()? + 0.0;
            (lower < number && number < upper).then_some(number)
        })
    }
}

/// The digits behind the point in the shortest way to write a number.
fn decimals(number: f64) -> i32 {
    let text = format!("{number:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let behind = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
    (behind - exponent.parse::<i32>().unwrap_or(0)).max(0)
}

#[cfg(test)]
mod tests {
    use crate::Domain;

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
            (&[0.25, 1.0], &[0.25, 0.9]),
            (&[1234.0, 1_000_000.0], &[1234.0, 900_000.0]),
            (&[0.0, 1e-7], &[0.0, 1e-7]),
            (&[7.0], &[7.0]),
            (&[], &[]),
        ] {
            assert_eq!(splits(numbers), expected, "{numbers:?}");
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
