//! Columns that are no text, as text.

use arrow_array::{ArrayRef, BinaryArray, FixedSizeBinaryArray, RecordBatch, TimestampSecondArray};
use cutline_engine::{Blame, EngineError};

use super::*;

fn engine(column: ArrayRef) -> Embedded {
    let batch = RecordBatch::try_from_iter([("x", column)]).unwrap();
    Embedded::of_batches("memory", batch.schema(), vec![batch], 1).unwrap()
}

fn values(engine: &Embedded) -> Result<Vec<Option<String>>, EngineError> {
    let plan = SamplePlan::all(vec![0], Vec::new(), Vec::new());
    Ok(engine.sample(&plan, &Unwatched)?.columns.remove(0).texts)
}

#[test]
fn bytes_that_are_no_text_are_an_error_and_not_missing() {
    let text = engine(Arc::new(BinaryArray::from(vec![Some(&b"a"[..]), None])));
    assert_eq!(values(&text).unwrap(), [Some("a".to_owned()), None]);
    let bytes = engine(Arc::new(BinaryArray::from(vec![Some(&b"a"[..]), None, Some(&b"\xff"[..])])));
    let error = values(&bytes).unwrap_err();
    assert_eq!(
        (error.to_string(), error.blame()),
        ("`memory`: column `x` holds values that are not text".to_owned(), Blame::Data)
    );
}

#[test]
fn a_type_that_has_no_text_is_told_with_its_column() {
    let codes = engine(Arc::new(FixedSizeBinaryArray::try_from(vec![b"ab", b"cd"]).unwrap()));
    assert_eq!(values(&codes).unwrap_err().to_string(), "`memory`: column `x` holds values that are not text");
}

#[test]
fn times_of_a_named_zone_are_read_in_utc() {
    for (zone, expected) in [
        ("Europe/Berlin", "2026-01-01T00:00:00Z"),
        ("UTC", "2026-01-01T00:00:00Z"),
        ("+01:00", "2026-01-01T01:00:00+01:00"),
    ] {
        let times = TimestampSecondArray::from(vec![Some(1_767_225_600), None]).with_timezone(zone);
        let engine = engine(Arc::new(times));
        assert_eq!(values(&engine).unwrap(), [Some(expected.to_owned()), None]);
        let folder = tempfile::tempdir().unwrap();
        let location = folder.path().join("t.csv").display().to_string();
        let place = Place::File { location: location.clone().into(), format: cutline_engine::Format::Csv };
        let columns = vec![OutputColumn { source: 0, how: Treatment::Keep }];
        let mask = MaskPlan::new(&[], Unknown::Error);
        let plan = RewritePlan {
            columns,
            mask,
            nulls: Vec::new(),
            required: Vec::new(),
            order: Default::default(),
            cluster: None,
            person: None,
        };
        engine.rewrite(&plan, &place, &Unwatched).unwrap();
        assert_eq!(std::fs::read_to_string(location).unwrap(), format!("x\n{expected}\n\"\"\n"));
    }
}
