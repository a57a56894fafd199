//! Dates and times as Arrow and Parquet store them: types, zones, and what is published of them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, Date32Array, RecordBatch, StringArray, TimestampMicrosecondArray, TimestampSecondArray};
use arrow_schema::Schema;
use cutline::spec::Spec;
use cutline::{Counts, Job, Silent, Table};

const DAY: i64 = 86_400;

fn labels(column: ArrayRef, settings: &[(&str, &str)]) -> BTreeSet<String> {
    let batch = RecordBatch::try_from_iter([("birth", column)]).unwrap();
    let schema: Arc<Schema> = batch.schema();
    let table = Table::of_batches("births", schema, vec![batch], 2).unwrap();
    let mut spec = Spec::default();
    settings.iter().for_each(|&(name, value)| spec.set(name, &value.into()).unwrap());
    let job = Job::new(spec).unwrap();
    let draft = Counts::new(&job, &table, &Silent).unwrap().search(&job, &Silent).unwrap();
    let release = draft.publish_in_memory(&Silent).unwrap();
    let column = release.table.batches[0].column(0).clone();
    column.as_string_opt::<i32>().map_or_else(
        || column.as_string_view().iter().map(|label| label.unwrap().to_owned()).collect(),
        |texts| texts.iter().map(|label| label.unwrap().to_owned()).collect(),
    )
}

fn set(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

const QID: (&str, &str) = ("qid", "birth:2");

#[test]
fn dates_of_arrow_are_dates() {
    // Two of 1969-12-31, two of 1970-01-01, two of 2104-02-29.
    let days = Date32Array::from(vec![-1, -1, 0, 0, 49_001, 49_001]);
    assert_eq!(labels(Arc::new(days), &[QID]), set(&["<1970", "[1970, 2100)", ">=2100"]));
}

/// A moment is one day in one zone and the next day in another.
#[test]
fn the_day_of_a_moment_is_that_of_its_zone() {
    let moments = vec![0, 0, DAY - 1800, DAY - 1800, 40 * DAY, 40 * DAY];
    let seconds = |zone: Option<&str>| -> ArrayRef {
        let array = TimestampSecondArray::from(moments.clone());
        Arc::new(match zone {
            Some(zone) => array.with_timezone(zone),
            None => array,
        })
    };
    let one_day = set(&["<1970-02", ">=1970-02"]);
    assert_eq!(labels(seconds(None), &[QID]), one_day);
    assert_eq!(labels(seconds(Some("+00:00")), &[QID]), one_day);
    assert_eq!(labels(seconds(Some("UTC")), &[QID]), one_day);
    assert_eq!(labels(seconds(Some("Europe/Berlin")), &[QID]), one_day, "named zones are read in UTC");
    let berlin = labels(seconds(Some("+01:00")), &[QID]);
    assert_eq!(berlin, set(&["<1970-01-02", "[1970-01-02, 1970-02)", ">=1970-02"]));
}

#[test]
fn fractions_of_seconds_are_passed_over() {
    let moments: Vec<i64> = (0..8).map(|n| (n / 2) * 366 * DAY * 1_000_000 + n * 1_001).collect();
    let found = labels(Arc::new(TimestampMicrosecondArray::from(moments)), &[QID]);
    assert_eq!(found, set(&["<1971", "1971", "1972", ">=1973"]));
}

#[test]
fn texts_in_other_forms_are_dates_if_that_is_said() {
    let texts = StringArray::from(vec!["31.12.1999", "31.12.1999", "01.01.2000", "01.01.2000"]);
    let said = [QID, ("date-format", "birth=%d.%m.%Y")];
    assert_eq!(labels(Arc::new(texts.clone()), &said), set(&["<2000", ">=2000"]));
    assert_eq!(labels(Arc::new(texts), &[QID]), set(&["31.12.1999", "01.01.2000"]), "nobody guesses");
}
