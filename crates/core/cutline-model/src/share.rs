//! Shares of a whole.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// A share from 0 to 1, written `1%` or `0.01`.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default)]
pub struct Share(f64);

/// Why a text is no share.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is no share; write a percentage as in 1%, or a number from 0 to 1")]
pub struct ShareError(String);

impl Share {
    /// Nothing.
    pub const NONE: Share = Share(0.0);
    /// Everything.
    pub const ALL: Share = Share(1.0);

    /// A share, if the number is one.
    pub fn new(share: f64) -> Option<Self> {
        (0.0..=1.0).contains(&share).then_some(Share(share))
    }

    /// A short percentage of which so many records out of `records` are no more: two digits that matter, or more if that would be all.
    pub fn allowing(part: u64, records: u64) -> Self {
        let exact = part as f64 / records.max(1) as f64 * 100.0;
        let digits = if exact > 0.0 { 1 - exact.log10().floor() as i32 } else { 0 };
        let rounded = |digits: i32| {
            let scale = 10f64.powi(digits);
            Share(((exact * scale).ceil() / scale / 100.0).min(1.0))
        };
        let mut shares = (digits..digits + 12).map(rounded);
        let enough = |share: &Share| share.of(records) >= part && (part >= records || share.0 < 1.0);
        shares.find(enough).unwrap_or(Share::ALL)
    }

    /// The share as a number from 0 to 1.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The most records out of so many that are no more than this share.
    pub fn of(self, records: u64) -> u64 {
        // A share like 0.29 of 100 is 28.999… in floating point.
        let exact = self.0 * records as f64;
        let nearest = exact.round();
        let records_below = if (exact - nearest).abs() <= 1e-9 * nearest { nearest } else { exact.floor() };
        (records_below as u64).min(records)
    }
}

impl FromStr for Share {
    type Err = ShareError;

    fn from_str(text: &str) -> Result<Self, ShareError> {
        let (number, scale) = match text.trim().strip_suffix('%') {
            Some(percent) => (percent, 100.0),
            None => (text, 1.0),
        };
        let share = number.trim().parse::<f64>().ok().and_then(|number| Share::new(number / scale));
        share.ok_or_else(|| ShareError(text.to_owned()))
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounded so that 0.07 reads 7%, not 7.000000000000001%.
        write!(f, "{}%", (self.0 * 1e10).round() / 1e8)
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(f64),
            Text(String),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::Number(number) => number.to_string(),
            Written::Text(text) => text,
        };
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percentages_or_numbers() {
        assert_eq!("1%".parse(), Ok(Share(0.01)));
        assert_eq!(" 0.5 ".parse(), Ok(Share(0.5)));
        assert_eq!("100 %".parse(), Ok(Share::ALL));
        for text in ["1", "0"] {
            assert!(text.parse::<Share>().is_ok());
        }
        for text in ["", "%", "2", "-1%", "101%", "one", "nan"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
        assert_eq!((Share(0.07).to_string(), Share(0.005).to_string()), ("7%".to_owned(), "0.5%".to_owned()));
    }

    #[test]
    fn a_short_share_allows_all_that_it_should() {
        let written = |part, records| Share::allowing(part, records).to_string();
        assert_eq!(written(2, 45222), "0.0045%");
        assert_eq!(written(1204, 45222), "2.7%");
        assert_eq!([written(0, 9), written(9, 9), written(1, 3)], ["0%", "100%", "34%"]);
        for records in [1u64, 7, 100, 45222, 1_000_003] {
            for part in (0..=records).step_by((records / 97).max(1) as usize) {
                let share: Share = written(part, records).parse().unwrap();
                assert!(share.of(records) >= part, "{share} of {records} is less than {part}");
                assert!(part == records || share < Share::ALL, "{share} is all of {records}");
            }
        }
    }

    #[test]
    fn a_share_of_records_is_never_more_than_the_share() {
        assert_eq!((Share(0.29).of(100), Share(0.01).of(199), Share::ALL.of(7), Share::NONE.of(7)), (29, 1, 7, 0));
    }
}
