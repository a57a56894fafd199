//! Times as people write them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// How long a search may take, written `30s`, `500ms`, `5m`, `1h` or as a number of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimit(pub Duration);

/// A text that is no time.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no duration: write a number and a unit, as in 30s, 5m or 1h")]
pub struct NoDuration(String);

/// The units by their milliseconds, the largest first.
const UNITS: [(&str, u128); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];

impl FromStr for TimeLimit {
    type Err = NoDuration;

    fn from_str(text: &str) -> Result<Self, NoDuration> {
        let text = text.trim();
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match &text[digits.len()..] {
            "" | "s" => Some(1.0),
            "ms" => Some(0.001),
            "m" | "min" => Some(60.0),
            "h" => Some(3600.0),
            _ => None,
        };
        let seconds = unit.and_then(|unit| digits.trim().parse::<f64>().ok().map(|number| number * unit));
        let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        duration.map(TimeLimit).ok_or_else(|| NoDuration(text.to_owned()))
    }
}

impl fmt::Display for TimeLimit {
    /// In the largest unit that makes it a whole number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.0.as_millis();
        let whole = Duration::from_millis(millis as u64) == self.0 && millis > 0;
        match UNITS.iter().find(|(_, unit)| whole && millis.is_multiple_of(*unit)) {
            Some((name, unit)) => write!(f, "{}{name}", millis / unit),
            None => write!(f, "{}s", self.0.as_secs_f64()),
        }
    }
}

impl Serialize for TimeLimit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeLimit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        for (text, millis) in [("30s", 30_000), ("500ms", 500), ("2m", 120_000), ("1h", 3_600_000), ("1.5", 1500)] {
            assert_eq!(text.parse(), Ok(TimeLimit(Duration::from_millis(millis))));
        }
        for text in ["", "s", "-1s", "soon", "5 parsecs"] {
            assert!(text.parse::<TimeLimit>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for (text, written) in
            [("30s", "30s"), ("120s", "2m"), ("1.5", "1500ms"), ("0", "0s"), ("1h", "1h"), ("1e-7", "0.0000001s")]
        {
            let limit: TimeLimit = text.parse().unwrap();
            assert_eq!(limit.to_string(), written);
            assert_eq!(written.parse(), Ok(limit));
        }
    }
}
