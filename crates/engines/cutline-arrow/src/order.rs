//! Are the records in the order of a column? Then positions in the published table tell its values.

use std::borrow::Cow;
use std::cmp::Ordering;

use arrow_array::{Array, StringViewArray};
use cutline_engine::Direction;
use cutline_model::parse_number;

use crate::cells::CellReader;

/// The order is no accident if fewer than one in so many random orders of the same values is ascending or descending.
const ACCIDENTS: f64 = 1e6;

/// How values can be compared.
const WAYS: [fn(&str, &str) -> Option<Ordering>; 3] = [
    |one, other| parse_number(one)?.partial_cmp(&parse_number(other)?),
    |one, other| Some(one.cmp(other)),
    // P9 before P10: a counter with something in front of it.
    |one, other| Some(one.len().cmp(&other.len()).then_with(|| one.cmp(other))),
];

/// In which of the [`WAYS`] values have been ascending and descending so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Still {
    ascending: [bool; WAYS.len()],
    descending: [bool; WAYS.len()],
}

impl Still {
    const ALL: Self = Still { ascending: [true; WAYS.len()], descending: [true; WAYS.len()] };

    fn see(&mut self, one: &str, next: &str) {
        for (way, compare) in WAYS.iter().enumerate() {
            if !self.ascending[way] && !self.descending[way] {
                continue;
            }
            let order = compare(one, next);
            self.ascending[way] &= matches!(order, Some(Ordering::Less | Ordering::Equal));
            self.descending[way] &= matches!(order, Some(Ordering::Greater | Ordering::Equal));
        }
    }

    fn and(&mut self, other: Self) {
        for way in 0..WAYS.len() {
            self.ascending[way] &= other.ascending[way];
            self.descending[way] &= other.descending[way];
        }
    }

    fn direction(self) -> Option<Direction> {
        if self.ascending.contains(&true) {
            return Some(Direction::Ascending);
        }
        self.descending.contains(&true).then_some(Direction::Descending)
    }
}

/// The values of neighbouring records, as far as their order tells. Missing values have none.
pub(crate) struct Stretch {
    ends: Option<(String, String)>,
    still: Still,
    /// How often each value is repeated before another one comes; unknown if the values are in no order.
    runs: Vec<u64>,
}

impl Stretch {
    /// Looks at the values until they are in no order, which is soon in most columns.
    pub(crate) fn new(cells: &StringViewArray, reader: &CellReader) -> Self {
        let mut stretch = Stretch { ends: None, still: Still::ALL, runs: Vec::new() };
        let mut ends: Option<(Cow<'_, str>, Cow<'_, str>)> = None;
        for row in (0..cells.len()).filter(|&row| !cells.is_null(row)) {
            let Some(value) = reader.value(cells.value(row)) else { continue };
            match &mut ends {
                Some((_, last)) if *last == value => *stretch.runs.last_mut().unwrap_or(&mut 0) += 1,
                Some((_, last)) => {
                    stretch.still.see(last, &value);
                    stretch.runs.push(1);
                    *last = value;
                }
                none => {
                    *none = Some((value.clone(), value));
                    stretch.runs.push(1);
                }
            }
            if stretch.still.direction().is_none() {
                break;
            }
        }
        stretch.ends = ends.map(|(first, last)| (first.into_owned(), last.into_owned()));
        stretch
    }

    /// Have the values been in some order so far?
    pub(crate) fn is_in_order(&self) -> bool {
        self.still.direction().is_some()
    }
}

/// The order of a column, from stretch to stretch.
#[derive(Debug)]
pub(crate) struct ColumnOrder {
    last: Option<String>,
    still: Still,
    /// Values so far, and how many of them are equal to the last one.
    values: u64,
    equal: u64,
    /// The logarithm of the number of different orders of the values so far, up to a limit.
    orders: f64,
}

impl ColumnOrder {
    pub(crate) fn new() -> Self {
        ColumnOrder { last: None, still: Still::ALL, values: 0, equal: 0, orders: 0.0 }
    }

    /// Adds the records that follow.
    pub(crate) fn add(&mut self, stretch: Stretch) {
        let Some((first, last)) = stretch.ends else { return };
        self.still.and(stretch.still);
        let joined = self.last.as_ref() == Some(&first);
        if let Some(before) = &self.last {
            self.still.see(before, &first);
        }
        self.last = Some(last);
        if self.still.direction().is_none() {
            return;
        }
        for (number, run) in stretch.runs.into_iter().enumerate() {
            if number > 0 || !joined {
                self.equal = 0;
            }
            self.count(run);
        }
    }

    /// n! / (r₁! r₂! …) orders of n values with runs of r₁, r₂, …: one factor a value.
    fn count(&mut self, run: u64) {
        for _ in 0..run {
            self.values += 1;
            self.equal += 1;
            if self.orders <= limit() && self.equal < self.values {
                self.orders += (self.values as f64 / self.equal as f64).ln();
            }
        }
    }

    /// The order of all records, if there is one and it is no accident.
    pub(crate) fn direction(&self) -> Option<Direction> {
        self.still.direction().filter(|_| self.orders > limit())
    }
}

/// Two of all orders are in order.
fn limit() -> f64 {
    (2.0 * ACCIDENTS).ln()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::source::TextStyle;

    /// The order of values, in stretches of the given length.
    fn order(values: &[String], length: usize) -> Option<Direction> {
        let reader = CellReader::new(TextStyle::Plain, &["?".to_owned()]);
        let mut order = ColumnOrder::new();
        for part in values.chunks(length) {
            order.add(Stretch::new(&part.iter().map(Some).collect(), &reader));
        }
        order.direction()
    }

    fn texts(values: impl IntoIterator<Item = impl ToString>) -> Vec<String> {
        values.into_iter().map(|value| value.to_string()).collect()
    }

    #[test]
    fn counters_dates_and_names_in_order_are_seen() {
        let ascending = [
            texts(95..120),
            texts((95..120).map(|n| format!("P{n}"))),
            texts((10..31).map(|day| format!("2026-01-{day}"))),
            texts((0..40).map(|n| if n < 20 { "no" } else { "yes" })),
            texts((0..40).map(|n| if n % 3 == 0 { "?".to_owned() } else { n.to_string() })),
        ];
        for values in ascending {
            let backwards: Vec<String> = values.iter().rev().cloned().collect();
            for length in [1, 2, 7, 100] {
                assert_eq!(order(&values, length), Some(Direction::Ascending), "{length}");
                assert_eq!(order(&backwards, length), Some(Direction::Descending), "{length}");
            }
        }
    }

    #[test]
    fn what_may_be_an_accident_and_what_is_in_no_order_is_not_told() {
        assert_eq!(order(&texts(0..9), 4), None, "nine values are in order by chance once in 181,440 times");
        assert_eq!(order(&texts(0..11), 4), Some(Direction::Ascending));
        assert_eq!(order(&texts((0..1000).map(|_| "x")), 4), None, "one value has one order");
        assert_eq!(order(&texts((0..1000).map(|n| u8::from(n == 999))), 4), None, "the one may be anywhere");
        assert_eq!(order(&texts((0..1000).chain([5])), 100), None);
    }

    proptest! {
        #[test]
        fn stretches_do_not_matter(values in prop::collection::vec(0..3_u8, 0..60), sorted: bool, length in 1..20_usize) {
            let mut values = values;
            if sorted {
                values.sort_unstable();
            }
            let values = texts(values);
            prop_assert_eq!(order(&values, length), order(&values, 100));
        }
    }
}
