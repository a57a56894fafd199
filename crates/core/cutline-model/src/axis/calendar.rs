//! The calendar: days as numbers, and the bounds that people know.

use chrono::{Datelike, Days, Months, NaiveDate, Weekday};

/// What the calendar divides time into, the longest first.
///
/// Each begins where one of every shorter unit begins, but for weeks: a month may begin within one. That does no harm to a line that is cut
/// at the longest units first. Bounds of months are there before those of weeks are, and the week in which a month begins is cut in two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unit {
    /// Ten years, from one that ends with 0.
    Decade,
    /// January to December.
    Year,
    /// Three months.
    Quarter,
    /// From the first day to the last.
    Month,
    /// Monday to Sunday, as ISO 8601 counts them.
    Week,
    /// The shortest.
    Day,
}

impl Unit {
    /// All of them, the longest first.
    pub const ALL: [Unit; 6] = [Unit::Decade, Unit::Year, Unit::Quarter, Unit::Month, Unit::Week, Unit::Day];

    /// The first day of the unit that a day lies in.
    pub(crate) fn start(self, day: NaiveDate) -> NaiveDate {
        let (year, month) = match self {
            Unit::Decade => (day.year() - day.year().rem_euclid(10), 1),
            Unit::Year => (day.year(), 1),
            Unit::Quarter => (day.year(), day.month0() / 3 * 3 + 1),
            Unit::Month => (day.year(), day.month()),
            Unit::Week => return day.week(Weekday::Mon).checked_first_day().unwrap_or(day),
            Unit::Day => return day,
        };
        NaiveDate::from_ymd_opt(year, month, 1).unwrap_or(day)
    }

    /// The first day after the unit that begins on a day.
    pub(crate) fn end(self, start: NaiveDate) -> NaiveDate {
        let months = match self {
            Unit::Decade => 120,
            Unit::Year => 12,
            Unit::Quarter => 3,
            Unit::Month => 1,
            Unit::Week => return start.checked_add_days(Days::new(7)).unwrap_or(start),
            Unit::Day => return start.succ_opt().unwrap_or(start),
        };
        start.checked_add_months(Months::new(months)).unwrap_or(start)
    }
}

/// The longest unit that begins after one day and not after another, and the day on which it begins: where the two are told apart.
///
/// ```
/// use cutline_model::{Scale, Unit, boundary};
///
/// let day = |text| Scale::dates().read(text).unwrap_or_default();
/// assert_eq!(boundary(day("1984-03-05"), day("1984-11-20")), (Unit::Quarter, day("1984-10-01")));
/// assert_eq!(boundary(day("1979-12-31"), day("1984-11-20")), (Unit::Decade, day("1980-01-01")));
/// ```
pub fn boundary(before: f64, after: f64) -> (Unit, f64) {
    let day = date(after);
    let begins = |unit: &Unit| day.map(|day| number(unit.start(day))).filter(|&start| before < start);
    let found = Unit::ALL.iter().find_map(|unit| Some((*unit, begins(unit)?)));
    found.unwrap_or((Unit::Day, after))
}

/// Days since 1970-01-01.
pub(crate) fn number(day: NaiveDate) -> f64 {
    f64::from(day.to_epoch_days())
}

/// The day with a number; none if the calendar does not reach so far.
pub(crate) fn date(number: f64) -> Option<NaiveDate> {
    let whole = number.fract() == 0.0 && number.abs() < f64::from(i32::MAX);
    whole.then(|| NaiveDate::from_epoch_days(number as i32)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn units_begin_and_end_where_people_think() {
        for (unit, start, end) in [
            (Unit::Decade, "2000-01-01", "2010-01-01"),
            (Unit::Year, "2004-01-01", "2005-01-01"),
            (Unit::Quarter, "2004-01-01", "2004-04-01"),
            (Unit::Month, "2004-02-01", "2004-03-01"),
            (Unit::Week, "2004-02-23", "2004-03-01"),
            (Unit::Day, "2004-02-29", "2004-03-01"),
        ] {
            assert_eq!(unit.start(day("2004-02-29")), day(start), "{unit:?}");
            assert_eq!(unit.end(day(start)), day(end), "{unit:?}");
        }
    }

    #[test]
    fn days_before_1970_and_after_2100_have_numbers() {
        assert_eq!(number(day("1970-01-01")), 0.0);
        assert_eq!(number(day("1969-12-31")), -1.0);
        for text in ["0001-01-01", "1582-10-15", "1900-02-28", "2100-02-28", "9999-12-31"] {
            assert_eq!(date(number(day(text))), Some(day(text)));
        }
        // 1900 and 2100 are no leap years, 2000 was one.
        assert_eq!(number(day("1900-03-01")) - number(day("1900-02-28")), 1.0);
        assert_eq!(number(day("2000-03-01")) - number(day("2000-02-28")), 2.0);
        assert_eq!(number(day("2100-03-01")) - number(day("2100-02-28")), 1.0);
    }
}
