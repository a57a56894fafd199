//! By how much are the dates of a person moved?

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int64Type};
use arrow_array::{ArrayRef, Date32Array, Int64Array};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, TimeUnit};
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Dates are moved by so many weeks at most, to either side.
const MOST: u32 = 52;

/// A number below twice the most weeks, for a person. Whoever has none is one person.
///
/// It follows from the half of the person's HMAC-SHA-256 that no token shows, so that a token of the same key tells nothing of it.
pub(crate) fn number(keyed: &Hmac<Sha256>, person: Option<&str>) -> u32 {
    let code = keyed.clone().chain_update(person.unwrap_or_default()).finalize().into_bytes();
    let unseen = code[16..24].iter().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
    (unseen % u64::from(2 * MOST)) as u32
}

/// The weeks that a number stands for: never none, so that no date is published as it is.
pub(crate) fn weeks(number: u32) -> i64 {
    let weeks = i64::from(number) - i64::from(MOST);
    if weeks < 0 { weeks } else { weeks + 1 }
}

/// Does a type say days by itself?
pub(crate) fn has_days(kind: &DataType) -> bool {
    matches!(kind, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..))
}

/// Days and moments some weeks away; `None` if their type cannot hold one.
pub(crate) fn moved(column: &ArrayRef, weeks: &[i64]) -> Result<Option<ArrayRef>, ArrowError> {
    let day = match column.data_type() {
        DataType::Date32 => return Ok(moved_days(column, weeks)),
        DataType::Timestamp(TimeUnit::Second, _) => 86_400,
        DataType::Timestamp(TimeUnit::Microsecond, _) => 86_400_000_000,
        DataType::Timestamp(TimeUnit::Nanosecond, _) => 86_400_000_000_000,
        _ => 86_400_000,
    };
    let numbers = cast(column, &DataType::Int64)?;
    let later = |(number, weeks): (Option<i64>, &i64)| match number {
        Some(number) => number.checked_add(7 * weeks * day).map(Some),
        None => Some(None),
    };
    let moved: Option<Int64Array> = numbers.as_primitive::<Int64Type>().iter().zip(weeks).map(later).collect();
    moved.map(|moved| cast(&moved, column.data_type())).transpose()
}

fn moved_days(column: &ArrayRef, weeks: &[i64]) -> Option<ArrayRef> {
    let later = |(day, weeks): (Option<i32>, &i64)| match day {
        Some(day) => i32::try_from(i64::from(day) + 7 * weeks).ok().map(Some),
        None => Some(None),
    };
    let moved: Option<Date32Array> = column.as_primitive::<Date32Type>().iter().zip(weeks).map(later).collect();
    Some(Arc::new(moved?))
}

#[cfg(test)]
mod tests {
    use arrow_array::{Array, TimestampNanosecondArray};

    use super::*;

    #[test]
    fn every_number_of_weeks_is_there_once_but_for_none() {
        let all: Vec<i64> = (0..2 * MOST).map(weeks).collect();
        let expected: Vec<i64> = (-52..=52).filter(|&weeks| weeks != 0).collect();
        assert_eq!(all, expected);
    }

    #[test]
    fn days_and_moments_keep_their_type_and_their_time() {
        let days: ArrayRef = Arc::new(Date32Array::from(vec![Some(0), None, Some(-1)]));
        let later = moved(&days, &[1, 1, -52]).unwrap().unwrap();
        assert_eq!(later.as_primitive::<Date32Type>(), &Date32Array::from(vec![Some(7), None, Some(-365)]));
        let moments = TimestampNanosecondArray::from(vec![Some(1), None]).with_timezone("Europe/Berlin");
        let moments: ArrayRef = Arc::new(moments);
        let later = moved(&moments, &[2, 2]).unwrap().unwrap();
        assert_eq!(later.data_type(), moments.data_type());
        let numbers = cast(&later, &DataType::Int64).unwrap();
        assert_eq!(
            numbers.as_primitive::<Int64Type>(),
            &Int64Array::from(vec![Some(14 * 86_400_000_000_000 + 1), None])
        );
        let last: ArrayRef = Arc::new(TimestampNanosecondArray::from(vec![i64::MAX]));
        assert!(moved(&last, &[1]).unwrap().is_none(), "no date is lost without a word");
    }
}
