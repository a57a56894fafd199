//! How dates are written.

use std::fmt;
use std::str::FromStr;

use chrono::format::{Item, Numeric, StrftimeItems};
use chrono::{Datelike, NaiveDate, NaiveTime};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A declared form of dates, as in `%d.%m.%Y`: `%d` is the day, `%m` the month, `%Y` the year with four digits, `%b` the name of a month.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DateForm(String);

/// Why a text is no form of dates.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NoDateForm {
    /// A `%` is followed by something that means nothing.
    #[error("`{0}` is no form of dates: write %d for the day, %m for the month and %Y for the year, as in %d.%m.%Y")]
    Unknown(String),
    /// Years with two digits may be of any century.
    #[error("`{0}` has years of two digits, and nobody knows their century: use a column with %Y")]
    Century(String),
    /// Some part of a date is not told.
    #[error("`{0}` does not tell day, month and year")]
    Incomplete(String),
}

impl FromStr for DateForm {
    type Err = NoDateForm;

    fn from_str(text: &str) -> Result<Self, NoDateForm> {
        let items: Vec<Item<'_>> = StrftimeItems::new(text).collect();
        if items.contains(&Item::Error) {
            return Err(NoDateForm::Unknown(text.to_owned()));
        }
        let short = |item: &Item<'_>| matches!(item, Item::Numeric(Numeric::YearMod100, _));
        if items.iter().any(short) {
            return Err(NoDateForm::Century(text.to_owned()));
        }
        // Whatever tells this day tells all of its parts.
        let day = NaiveDate::from_ymd_opt(1987, 6, 25).unwrap_or_default();
        let moment = day.and_time(NaiveTime::MIN).and_utc();
        let mut written = String::new();
        let told = fmt::write(&mut written, format_args!("{}", moment.format(text))).is_ok();
        let form = DateForm(text.to_owned());
        if told && form.read(&written) == Some(day) { Ok(form) } else { Err(NoDateForm::Incomplete(text.to_owned())) }
    }
}

impl DateForm {
    /// The day that a text says. Times are passed over.
    pub(super) fn read(&self, text: &str) -> Option<NaiveDate> {
        NaiveDate::parse_from_str(text.trim(), &self.0).ok().filter(four_digits)
    }
}

impl fmt::Display for DateForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for DateForm {
    type Error = NoDateForm;

    fn try_from(text: String) -> Result<Self, NoDateForm> {
        text.parse()
    }
}

impl From<DateForm> for String {
    fn from(form: DateForm) -> Self {
        form.0
    }
}

/// Years of fewer digits are more likely shortened than meant.
fn four_digits(day: &NaiveDate) -> bool {
    (1000..=9999).contains(&day.year())
}

/// A date of ISO 8601, alone or with a time: `1984-03-05`, `1984-03-05T22:30:00+02:00`, `1984-03-05 22:30`. The day is that of the zone
/// which the time is told in.
pub(super) fn iso(text: &str) -> Option<NaiveDate> {
    let text = text.trim();
    let day = iso_day(text.get(..10)?)?;
    let rest = &text[10..];
    let is_time = rest.strip_prefix(['T', ' ', 't']).is_some_and(is_time);
    (rest.is_empty() || is_time).then_some(day).filter(four_digits)
}

fn iso_day(text: &str) -> Option<NaiveDate> {
    let bytes = text.as_bytes();
    if bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let digits = |range: std::ops::Range<usize>| -> Option<u32> {
        let part = &text[range];
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok()).flatten()
    };
    NaiveDate::from_ymd_opt(i32::try_from(digits(0..4)?).ok()?, digits(5..7)?, digits(8..10)?)
}

/// `22:30`, `22:30:05.25`, and a zone behind it.
fn is_time(text: &str) -> bool {
    let end = text.find(['Z', 'z', '+', '-', ' ']).unwrap_or(text.len());
    let (time, zone) = text.split_at(end);
    let number = |text: &str, below: u32| text.len() == 2 && text.parse::<u32>().is_ok_and(|number| number < below);
    let mut parts = time.splitn(3, ':');
    let clock =
        parts.next().is_some_and(|hours| number(hours, 24)) && parts.next().is_some_and(|part| number(part, 60));
    let seconds = parts.next().is_none_or(|seconds| {
        let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
        number(whole, 61) && !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit())
    });
    clock && seconds && is_zone(zone.trim())
}

fn is_zone(text: &str) -> bool {
    let offset = |text: &str| {
        let digits: String = text.chars().filter(|sign| *sign != ':').collect();
        matches!(digits.len(), 2 | 4) && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    ["", "Z", "z", "UTC"].contains(&text) || text.strip_prefix(['+', '-']).is_some_and(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_of_iso_8601_are_read() {
        let day = NaiveDate::from_ymd_opt(2024, 2, 29);
        for text in [
            "2024-02-29",
            " 2024-02-29 ",
            "2024-02-29T00:00:00",
            "2024-02-29 23:59",
            "2024-02-29T23:59:59.123456789Z",
            "2024-02-29T01:00:00+02:00",
            "2024-02-29 01:00:00-0500",
            "2024-02-29 01:00:00 UTC",
            "2024-02-29 01:00:00+00",
        ] {
            assert_eq!(iso(text), day, "{text}");
        }
    }

    #[test]
    fn what_could_be_two_dates_or_none_is_not_read() {
        for text in [
            "",
            "2024",
            "2024-02",
            "2023-02-29",
            "1900-02-29",
            "2024-13-01",
            "24-02-29",
            "29.02.2024",
            "02/03/2024",
            "20240229",
            "2024-02-29x",
            "2024-02-29T",
            "2024-02-29T25:00",
            "2024-02-29T10",
            "0024-02-29",
            "2024-2-9",
            "2024-02-29T10:00 CET",
            "２０２４-02-29",
            "\u{1F600}\u{1F600}\u{1F600}",
        ] {
            assert_eq!(iso(text), None, "{text}");
        }
    }

    #[test]
    fn declared_forms_say_which_part_is_which() {
        let read = |form: &str, text: &str| form.parse::<DateForm>().unwrap().read(text);
        let day = NaiveDate::from_ymd_opt(1984, 3, 5);
        assert_eq!(read("%d.%m.%Y", "05.03.1984"), day);
        assert_eq!(read("%m/%d/%Y", "3/5/1984"), day);
        assert_eq!(read("%Y%m%d", "19840305"), day);
        assert_eq!(read("%d %b %Y", "5 Mar 1984"), day);
        assert_eq!(read("%d.%m.%Y %H:%M", "05.03.1984 22:30"), day);
        for (form, text) in [("%d.%m.%Y", "30.02.1984"), ("%d.%m.%Y", "1984-03-05"), ("%d.%m.%Y", "05.03.84")] {
            assert_eq!(read(form, text), None, "{text}");
        }
    }

    #[test]
    fn forms_that_do_not_tell_the_day_are_refused() {
        for form in ["", "%m.%Y", "%Y", "%Q", "%d.%m.%y", "%D", "day"] {
            assert!(form.parse::<DateForm>().is_err(), "{form}");
        }
        assert!(matches!("%d.%m.%y".parse::<DateForm>(), Err(NoDateForm::Century(_))));
    }
}
