//! Durations as people write them.

use std::time::Duration;

use crate::Error;

/// Reads `30s`, `500ms`, `5m`, `1h` or a number of seconds.
pub(crate) fn parse(text: &str) -> Result<Duration, Error> {
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
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or_else(|| Error::Contradiction {
        what: format!("`{text}` is no duration"),
        hint: "write a number and a unit, as in 30s, 5m or 1h".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        for (text, millis) in [("30s", 30_000), ("500ms", 500), ("2m", 120_000), ("1h", 3_600_000), ("1.5", 1500)] {
            assert_eq!(parse(text).unwrap(), Duration::from_millis(millis));
        }
        for text in ["", "s", "-1s", "soon", "5 parsecs"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
