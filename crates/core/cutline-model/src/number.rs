//! Numbers as people write them, and the shortest way to write them back.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Reads a number from a cell: optional sign, decimal point, exponent; blanks around it are ignored.
///
/// Only finite numbers count: `nan` and `inf` have no place on an axis that is cut into intervals.
pub fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim();
    // `f64::from_str` also reads "nan", "inf" and "infinity"; a number starts with a digit, a sign or a point.
    let first = text.bytes().next()?;
    if !(first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'.')) {
        return None;
    }
    // `-0` and `0` are one value: adding zero turns the former into the latter.
    text.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number + 0.0)
}

/// The shortest digits that read back to the same number; an exponent only where plain digits would fill a line.
pub fn shortest(number: f64) -> String {
    const READABLE: usize = 21;
    let plain = number.to_string();
    if plain.len() <= READABLE { plain } else { format!("{number:e}") }
}

/// An interval bound as it is stored: whole numbers without a fraction, an undeclared outer bound as `null`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bound(pub Option<f64>);

impl Serialize for Bound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
        match self.0 {
            None => serializer.serialize_none(),
            Some(number) if number.fract() == 0.0 && number.abs() <= EXACT => serializer.serialize_i64(number as i64),
            Some(number) => serializer.serialize_f64(number),
        }
    }
}

impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<f64>::deserialize(deserializer).map(Bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_as_people_write_them() {
        for (text, number) in [
            ("42", 42.0),
            (" 7 ", 7.0),
            ("+5", 5.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("1e3", 1000.0),
            ("-0", 0.0),
            ("007", 7.0),
        ] {
            assert_eq!(parse_number(text), Some(number), "{text}");
        }
        assert!(parse_number("-0").is_some_and(|zero| zero.is_sign_positive()));
    }

    #[test]
    fn refuses_what_is_no_finite_number() {
        for text in ["", " ", "nan", "inf", "-inf", "1,234", "0x1F", "12a", "1e999", "٣", "+", "-", "."] {
            assert_eq!(parse_number(text), None, "{text}");
        }
    }

    #[test]
    fn writes_the_shortest_form_that_reads_back() {
        for (number, text) in [
            (37.0, "37"),
            (0.1, "0.1"),
            (1e300, "1e300"),
            (1e-7, "0.0000001"),
            (100000.0, "100000"),
            (2e-22, "2e-22"),
            (-1234567.0, "-1234567"),
        ] {
            assert_eq!(shortest(number), text);
            assert_eq!(parse_number(text), Some(number));
        }
    }

    #[test]
    fn bounds_read_back_to_the_last_bit() {
        // With seventeen digits a reader that rounds twice is off by one.
        let mut bits = 0x3fb9_9999_9999_999a_u64;
        for _ in 0..2_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = f64::from_bits(bits);
            let bound = Bound(number.is_finite().then_some(number));
            let stored = serde_json::to_string(&bound).unwrap();
            assert_eq!(serde_json::from_str::<Bound>(&stored).unwrap(), bound, "{stored}");
        }
    }

    #[test]
    fn stores_whole_bounds_without_a_fraction() {
        let stored = serde_json::to_string(&[Bound(None), Bound(Some(37.0)), Bound(Some(0.5))]).unwrap();
        assert_eq!(stored, "[null,37,0.5]");
    }
}
