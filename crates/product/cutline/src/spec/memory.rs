//! Sizes of memory as people write them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// How much memory a release may take, written `2GiB`, `500MB` or as a number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory(pub u64);

/// A text that is no size.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no size: write a number and a unit, as in 2GiB or 500MB")]
pub struct NoSize(String);

/// The units by their bytes, the largest first.
const UNITS: [(&str, u64); 8] = [
    ("TiB", 1 << 40),
    ("TB", 1_000_000_000_000),
    ("GiB", 1 << 30),
    ("GB", 1_000_000_000),
    ("MiB", 1 << 20),
    ("MB", 1_000_000),
    ("KiB", 1 << 10),
    ("KB", 1000),
];

impl FromStr for Memory {
    type Err = NoSize;

    /// Upper and lower case say the same, and so does `G` for `GiB`.
    fn from_str(text: &str) -> Result<Self, NoSize> {
        let text = text.trim();
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match &text[digits.len()..].to_ascii_lowercase()[..] {
            "" | "b" => Some(1),
            unit => UNITS
                .iter()
                .find(|(name, _)| {
                    let name = name.to_ascii_lowercase();
                    name == unit || name.strip_suffix("ib") == Some(unit)
                })
                .map(|(_, bytes)| *bytes),
        };
        let number = digits.trim().parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite());
        match (number, unit) {
            (Some(number), Some(unit)) if number * unit as f64 >= 1.0 => Ok(Memory((number * unit as f64) as u64)),
            _ => Err(NoSize(text.to_owned())),
        }
    }
}

impl fmt::Display for Memory {
    /// In the largest unit that makes it a whole number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS.iter().find(|(_, unit)| self.0.is_multiple_of(*unit)) {
            Some((name, unit)) => write!(f, "{}{name}", self.0 / unit),
            None => write!(f, "{}", self.0),
        }
    }
}

impl Serialize for Memory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Memory {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_written_back() {
        let read = [
            ("2GiB", 2 << 30),
            ("2g", 2 << 30),
            ("1.5 MB", 1_500_000),
            ("500mb", 500_000_000),
            ("4096", 4096),
            ("100kB", 100_000),
        ];
        for (text, bytes) in read {
            let memory: Memory = text.parse().unwrap();
            assert_eq!(memory, Memory(bytes), "{text}");
            assert_eq!(memory.to_string().parse(), Ok(memory), "{text}");
        }
        assert_eq!(Memory(2 << 30).to_string(), "2GiB");
        for text in ["", "much", "-1GB", "1 xB", "0", "NaN", "1e400GB"] {
            assert!(text.parse::<Memory>().is_err(), "{text}");
        }
    }
}
