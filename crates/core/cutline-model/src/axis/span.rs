//! How stretches of the calendar are written, and read back.

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike, NaiveDate, Weekday};
use thiserror::Error;

use super::Unit;
use super::calendar::{date, number};
use super::form::iso;
use crate::recoding::TOP;

/// Days between two bounds, as a label: `1984`, `1984-Q2`, `1980s`, `1984-W09` (a week of ISO 8601), `[1984-03, 1984-09)`, `<1950`,
/// `>=2010-07`, `*`. The first bound belongs to it, the second does not.
///
/// ```
/// use cutline_model::recoding::DateSpan;
///
/// let span: DateSpan = "1984-Q2".parse()?;
/// assert_eq!(span, "[1984-04, 1984-07)".parse()?);
/// assert_eq!(span.to_string(), "1984-Q2");
/// # Ok::<(), cutline_model::recoding::NoDateSpan>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DateSpan {
    /// The first day, as days since 1970-01-01; none if it is not told.
    pub lower: Option<f64>,
    /// The day after the last one; none if it is not told.
    pub upper: Option<f64>,
}

/// A text that is no label of dates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "not a stretch of the calendar, as in 1980s, 1984, 1984-Q2, 1984-04, 1984-W09, 1984-04-05, [1984-03, 1984-09), <1984, >=1984 or *"
)]
pub struct NoDateSpan;

impl DateSpan {
    /// Does the day lie in it? Every day lies above and below what is not told.
    pub fn contains(&self, day: f64) -> bool {
        self.lower.is_none_or(|lower| lower <= day) && self.upper.is_none_or(|upper| day < upper)
    }

    /// The unit that it is, if it is one.
    fn unit(lower: NaiveDate, upper: NaiveDate) -> Option<Unit> {
        Unit::ALL.into_iter().find(|unit| unit.start(lower) == lower && unit.end(lower) == upper)
    }
}

impl fmt::Display for DateSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.lower.and_then(date), self.upper.and_then(date)) {
            (None, None) => f.write_str(TOP),
            (None, Some(upper)) => write!(f, "<{}", Start(upper)),
            (Some(lower), None) => write!(f, ">={}", Start(lower)),
            (Some(lower), Some(upper)) => match DateSpan::unit(lower, upper) {
                Some(Unit::Decade) => write!(f, "{:04}s", lower.year()),
                Some(Unit::Year) => write!(f, "{:04}", lower.year()),
                Some(Unit::Quarter) => write!(f, "{:04}-Q{}", lower.year(), lower.month0() / 3 + 1),
                Some(Unit::Month) => write!(f, "{:04}-{:02}", lower.year(), lower.month()),
                Some(Unit::Week) => write!(f, "{:04}-W{:02}", lower.iso_week().year(), lower.iso_week().week()),
                Some(Unit::Day) => write!(f, "{lower}"),
                None => write!(f, "[{}, {})", Start(lower), Start(upper)),
            },
        }
    }
}

/// The day with which something begins: a year or a month stands for its first day.
struct Start(NaiveDate);

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let day = self.0;
        match (day.month(), day.day()) {
            (1, 1) => write!(f, "{:04}", day.year()),
            (month, 1) => write!(f, "{:04}-{month:02}", day.year()),
            _ => write!(f, "{day}"),
        }
    }
}

impl FromStr for DateSpan {
    type Err = NoDateSpan;

    fn from_str(label: &str) -> Result<Self, NoDateSpan> {
        let label = label.trim();
        if label == TOP {
            return Ok(DateSpan { lower: None, upper: None });
        }
        if let Some(upper) = label.strip_prefix('<') {
            return Ok(DateSpan { lower: None, upper: Some(number(start(upper)?.0)) });
        }
        if let Some(lower) = label.strip_prefix(">=") {
            return Ok(DateSpan { lower: Some(number(start(lower)?.0)), upper: None });
        }
        if let Some(bounds) = label.strip_prefix('[') {
            let (lower, upper) =
                bounds.strip_suffix(')').and_then(|bounds| bounds.split_once(", ")).ok_or(NoDateSpan)?;
            let (lower, upper) = (number(start(lower)?.0), number(start(upper)?.0));
            let span = DateSpan { lower: Some(lower), upper: Some(upper) };
            return if lower < upper { Ok(span) } else { Err(NoDateSpan) };
        }
        let (lower, unit) = unit(label)?;
        Ok(DateSpan { lower: Some(number(lower)), upper: Some(number(unit.end(lower))) })
    }
}

/// `1980s`, `1984-Q2` and `1984-W09`, and what [`start`] reads.
fn unit(text: &str) -> Result<(NaiveDate, Unit), NoDateSpan> {
    if let Some(decade) = text.strip_suffix('s') {
        let (day, unit) = start(decade)?;
        let decade = unit == Unit::Year && day.year() % 10 == 0;
        return if decade { Ok((day, Unit::Decade)) } else { Err(NoDateSpan) };
    }
    if let Some((year, week)) = text.split_once("-W") {
        return monday(year, week).map(|monday| (monday, Unit::Week)).ok_or(NoDateSpan);
    }
    match text.split_once("-Q") {
        Some((year, quarter)) => {
            let month = ["1", "2", "3", "4"].iter().position(|number| *number == quarter).ok_or(NoDateSpan)?;
            let (day, unit) = start(year)?;
            let day = NaiveDate::from_ymd_opt(day.year(), 3 * month as u32 + 1, 1).filter(|_| unit == Unit::Year);
            Ok((day.ok_or(NoDateSpan)?, Unit::Quarter))
        }
        None => start(text),
    }
}

/// The day with which a week begins. Its year is that of its Thursday (ISO 8601).
fn monday(year: &str, week: &str) -> Option<NaiveDate> {
    let digits = |text: &str, length| text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    let (year, week) = (year.parse().ok().filter(|_| digits(year, 4))?, week.parse().ok().filter(|_| digits(week, 2))?);
    NaiveDate::from_isoywd_opt(year, week, Weekday::Mon)
}

/// `1984`, `1984-04` and `1984-04-05`: a day and the unit that begins with it.
fn start(text: &str) -> Result<(NaiveDate, Unit), NoDateSpan> {
    let (whole, unit) = match text.len() {
        4 => (format!("{text}-01-01"), Unit::Year),
        7 => (format!("{text}-01"), Unit::Month),
        10 => (text.to_owned(), Unit::Day),
        _ => return Err(NoDateSpan),
    };
    iso(&whole).map(|day| (day, unit)).ok_or(NoDateSpan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_those_that_people_read() {
        for label in [
            "1980s",
            "1984",
            "1984-Q2",
            "1984-04",
            "1984-W09",
            "2020-W53",
            "1984-02-29",
            "[1984-03, 1984-09)",
            "[1950, 1980)",
            "[1984-03-05, 1984-04)",
            "<1950",
            "<1984-03",
            ">=2010-07",
            ">=2010-07-04",
            "*",
            "2100s",
            "1900-Q1",
        ] {
            let span: DateSpan = label.parse().unwrap();
            assert_eq!(span.to_string(), label);
        }
        let same = |one: &str, other: &str| assert_eq!(one.parse::<DateSpan>(), other.parse(), "{one} {other}");
        same("1980s", "[1980, 1990)");
        same("1984-Q4", "[1984-10, 1985)");
        same("1984-02", "[1984-02, 1984-03)");
        same("1984-W10", "[1984-03-05, 1984-03-12)");
        // The year of a week is that of its Thursday.
        same("2020-W53", "[2020-12-28, 2021-01-04)");
        same("1985-W01", "[1984-12-31, 1985-01-07)");
    }

    #[test]
    fn other_texts_are_no_labels() {
        for text in [
            "",
            "84",
            "1984s",
            "1984-Q5",
            "1984-W00",
            "1984-W53",
            "1984-W9",
            "1984-W+9",
            "1984-13",
            "1984-02-30",
            "[1984, 1984)",
            "[1984,1985)",
            "[1984, 1985",
            "<",
            "x",
        ] {
            assert_eq!(text.parse::<DateSpan>(), Err(NoDateSpan), "{text}");
        }
    }

    #[test]
    fn what_is_written_reads_back_and_has_its_days() {
        let days =
            [-719_162, -25_567, -1, 0, 58, 59, 10_956, 11_016, 47_541, 2_932_896].map(|day| Some(f64::from(day)));
        for lower in days.into_iter().chain([None]) {
            for upper in days.into_iter().chain([None]).filter(|upper| upper.is_none() || lower < *upper) {
                let span = DateSpan { lower, upper };
                // Years before 1000 are written, but never read from a table.
                if lower.is_none_or(|lower| lower > -300_000.0) && upper.is_none_or(|upper| upper > -300_000.0) {
                    assert_eq!(span.to_string().parse(), Ok(span), "{span}");
                }
                assert!(lower.is_none_or(|lower| span.contains(lower) && !span.contains(lower - 1.0)));
                assert!(upper.is_none_or(|upper| !span.contains(upper)));
            }
        }
    }
}
