//! How dates are written.

use std::fmt::{self, Write};
use std::str::FromStr;

use chrono::format::{Item, Numeric, Parsed, StrftimeItems, parse};
use chrono::{Datelike, NaiveDate, NaiveTime, TimeDelta};
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

    /// A day some weeks later, in this form, with the time that the text tells. Forms with a zone are not written.
    pub(super) fn moved(&self, text: &str, weeks: i64) -> Option<String> {
        let day = later(self.read(text)?, weeks)?;
        let mut parts = Parsed::new();
        parse(&mut parts, text.trim(), StrftimeItems::new(&self.0)).ok()?;
        let mut written = String::new();
        match parts.to_naive_time() {
            Ok(time) => write!(written, "{}", day.and_time(time).format(&self.0)).ok()?,
            Err(_) => write!(written, "{}", day.format(&self.0)).ok()?,
        }
        Some(written).filter(|written| self.read(written) == Some(day))
    }
}

/// So many weeks after a day.
fn later(day: NaiveDate, weeks: i64) -> Option<NaiveDate> {
    day.checked_add_signed(TimeDelta::try_weeks(weeks)?).filter(four_digits)
}

/// A day of ISO 8601 some weeks later, with the time and the zone behind it.
pub(super) fn iso_moved(text: &str, weeks: i64) -> Option<String> {
    let text = text.trim();
    let day = later(iso(text)?, weeks)?;
    Some(format!("{day}{}", &text[10..]))
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
    fn moved_dates_keep_their_form_their_weekday_and_their_time() {
        for (form, text, later, earlier) in [
            ("%d.%m.%Y", "26.02.2024", "04.03.2024", "19.02.2024"),
            ("%m/%d/%Y", "2/26/2024", "03/04/2024", "02/19/2024"),
            ("%Y%m%d", "20240226", "20240304", "20240219"),
            ("%a %d %b %Y", "Mon 26 Feb 2024", "Mon 04 Mar 2024", "Mon 19 Feb 2024"),
            ("%d.%m.%Y %H:%M", "26.02.2024 08:30", "04.03.2024 08:30", "19.02.2024 08:30"),
        ] {
            let form: DateForm = form.parse().unwrap();
            assert_eq!(form.moved(text, 1).as_deref(), Some(later), "{form}");
            assert_eq!(form.moved(text, -1).as_deref(), Some(earlier), "{form}");
        }
        assert_eq!(iso_moved(" 2024-12-30T08:30:00+02:00 ", 1).as_deref(), Some("2025-01-06T08:30:00+02:00"));
        assert_eq!(iso_moved("9999-12-30", 1), None, "the year would have five digits");
        assert_eq!(iso_moved("soon", 1), None);
    }

    #[test]
    fn forms_that_do_not_tell_the_day_are_refused() {
        for form in ["", "%m.%Y", "%Y", "%Q", "%d.%m.%y", "%D", "day"] {
            assert!(form.parse::<DateForm>().is_err(), "{form}");
        }
        assert!(matches!("%d.%m.%y".parse::<DateForm>(), Err(NoDateForm::Century(_))));
    }
}
