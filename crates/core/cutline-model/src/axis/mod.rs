//! The line that the values of an attribute lie on: how a text becomes a number, where the line may be cut, and how a piece is written.
//!
//! | file | answers |
//! | --- | --- |
//! | `calendar` | Where does the calendar cut? |
//! | `form` | Which day does this text say? |
//! | `span` | How is a stretch of the calendar written, and read back? |
//! | `grain` | Where may numbers be cut? |

mod calendar;
mod form;
mod grain;
mod span;

use std::fmt;
use std::str::FromStr;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

pub use calendar::{Unit, boundary};
pub(crate) use calendar::{date, number};
pub use form::{DateForm, NoDateForm};
pub(crate) use grain::multiple;
pub use grain::{Axis, Grain};
pub use span::{DateSpan, NoDateSpan};

use crate::parse_number;
use crate::recoding::Interval;

/// How the texts of an attribute are numbers on a line.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "values", rename_all = "kebab-case")]
pub enum Scale {
    /// They are numbers.
    #[default]
    Numbers,
    /// They are dates, which count as days since 1970-01-01. Times of a day are passed over.
    Dates {
        /// How they are written, if not as ISO 8601 says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        form: Option<DateForm>,
    },
    /// They are dates of birth, which count as completed years of life at a date.
    Ages {
        /// The date.
        at: Date,
        /// How they are written, if not as ISO 8601 says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        form: Option<DateForm>,
    },
}

impl Scale {
    /// Dates as ISO 8601 writes them.
    pub const fn dates() -> Self {
        Scale::Dates { form: None }
    }

    /// Are they numbers as they are written?
    pub fn is_numbers(&self) -> bool {
        *self == Scale::Numbers
    }

    /// The number that a text stands for.
    pub fn read(&self, text: &str) -> Option<f64> {
        match self {
            Scale::Numbers => parse_number(text),
            Scale::Dates { form } => day(text, form.as_ref()).map(calendar::number),
            Scale::Ages { at, form } => at.0.years_since(day(text, form.as_ref())?).map(f64::from),
        }
    }

    /// Does a text say a day, whatever number that is?
    pub fn says_day(&self, text: &str) -> bool {
        match self {
            Scale::Numbers => false,
            Scale::Dates { form } | Scale::Ages { form, .. } => day(text, form.as_ref()).is_some(),
        }
    }

    /// The text that says a date some weeks later, or earlier, written in the same form; a time of day stays as it is. `None` if it is no
    /// such date, or the calendar of four digits ends before.
    ///
    /// ```
    /// use cutline_model::Scale;
    ///
    /// assert_eq!(Scale::dates().moved("2024-02-26T08:30", 1).as_deref(), Some("2024-03-04T08:30"));
    /// ```
    pub fn moved(&self, text: &str, weeks: i64) -> Option<String> {
        match self {
            Scale::Dates { form: None } => form::iso_moved(text, weeks),
            Scale::Dates { form: Some(form) } => form.moved(text, weeks),
            Scale::Numbers | Scale::Ages { .. } => None,
        }
    }

    /// An interval as a label.
    pub fn label(&self, interval: Interval) -> String {
        match self {
            Scale::Numbers | Scale::Ages { .. } => interval.to_string(),
            Scale::Dates { .. } => DateSpan { lower: interval.lower, upper: interval.upper }.to_string(),
        }
    }
}

fn day(text: &str, form: Option<&DateForm>) -> Option<NaiveDate> {
    form.map_or_else(|| form::iso(text), |form| form.read(text))
}

/// A day, as ISO 8601 writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Date(NaiveDate);

impl FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        form::iso(text).map(Date).ok_or_else(|| format!("`{text}` is no date, as in 2026-01-31"))
    }
}

impl TryFrom<String> for Date {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Date> for String {
    fn from(date: Date) -> Self {
        date.to_string()
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_completed_years() {
        let ages = |at: &str| Scale::Ages { at: at.parse().unwrap(), form: None };
        assert_eq!(ages("2026-01-01").read("1984-01-01"), Some(42.0));
        assert_eq!(ages("2026-01-01").read("1984-01-02"), Some(41.0));
        // Who was born on a leap day is a year older on the first of March.
        assert_eq!(ages("2025-02-28").read("2004-02-29"), Some(20.0));
        assert_eq!(ages("2025-03-01").read("2004-02-29"), Some(21.0));
        assert_eq!(ages("2026-01-01").read("2026-01-02"), None, "not born yet");
        assert_eq!(ages("2026-01-01").read("1984"), None);
    }

    #[test]
    fn scales_read_back_from_json() {
        for scale in [
            Scale::Numbers,
            Scale::dates(),
            Scale::Dates { form: Some("%d.%m.%Y".parse().unwrap()) },
            Scale::Ages { at: "2026-01-01".parse().unwrap(), form: None },
        ] {
            let text = serde_json::to_string(&scale).unwrap();
            assert_eq!(serde_json::from_str::<Scale>(&text).unwrap(), scale, "{text}");
        }
        assert!(serde_json::from_str::<Scale>(r#"{"values":"dates","form":"%y"}"#).is_err());
    }
}
