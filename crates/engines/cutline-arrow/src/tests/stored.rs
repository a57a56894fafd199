//! What the first pass drew from is written as what the second would read.

use std::path::Path;

use arrow_array::{ArrayRef, Float64Array, Int8Array, RecordBatch, StringViewArray, UInt64Array};
use cutline_engine::Format;
use cutline_model::recoding::SuppressHow;
use cutline_table::{AttributeId, Suppressed, TableQid};

use super::*;
use crate::sink;
use crate::source::TextStyle;

/// A masked column, then texts and numbers that are published as they are: few of them, many, missing ones, and the same one written in two ways.
fn batch() -> RecordBatch {
    let some = |n: usize, text: String| (!n.is_multiple_of(11)).then_some(text);
    let texts = |text: &dyn Fn(usize) -> Option<String>| -> ArrayRef {
        Arc::new((0..RECORDS).map(text).collect::<StringViewArray>())
    };
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("masked", texts(&|n| Some(cell(n)))),
        ("few", texts(&|n| some(n, format!("a text of many letters {}", n % 13)))),
        ("many", texts(&|n| Some(format!("{}", n * 7919 % 50_000)))),
        ("ways", texts(&|n| Some(if n % 1000 == 999 { " x".to_owned() } else { "x".to_owned() }))),
        ("quoted", texts(&|n| Some(format!("\"{}\", {}", n % 3, n % 2)))),
        ("narrow", Arc::new((0..RECORDS).map(|n| (!n.is_multiple_of(5)).then_some(n as i8)).collect::<Int8Array>())),
        ("whole", Arc::new((0..RECORDS as i64).map(|n| n * n % 977 - 400).collect::<Int64Array>())),
        ("large", Arc::new((0..RECORDS as u64).map(|n| u64::MAX - n % 3).collect::<UInt64Array>())),
        ("real", Arc::new((0..RECORDS).map(|n| n as f64 / 8.0).collect::<Float64Array>())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, column)| (name, column, true))).unwrap()
}

fn write(batch: &RecordBatch, path: &Path, format: Format) {
    let file = std::fs::File::create(path).unwrap();
    let (encoder, mut writer) = sink::create(file, path, format, &batch.schema(), TextStyle::Plain, 1).unwrap();
    writer.write(encoder.encode(batch).unwrap()).unwrap();
    writer.finish().unwrap();
}

/// Which records are published, and in which order.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Which {
    All,
    /// Those with a number in a column of which some are missing.
    Complete,
    /// Those that are not suppressed.
    Kept,
    Shuffled,
}

impl Which {
    fn required(self) -> Vec<usize> {
        if self == Which::Complete { vec![5] } else { Vec::new() }
    }

    fn plan(self) -> RewritePlan {
        let recoding = AttributeRecoding::Suppress { disclosed: ["x".to_owned()].into(), missing: None };
        let suppressed = Suppressed {
            rows: Vec::new(),
            records: u64::from(self == Which::Kept),
            // One of the two labels.
            qids: vec![vec![Box::from([1])]],
            how: SuppressHow::Drop,
        };
        let mask = MaskPlan::new(&[recoding], Unknown::Error);
        let how = |source| if source == 0 { Treatment::Mask(0) } else { Treatment::Keep };
        RewritePlan {
            columns: (0..9).map(|source| OutputColumn { source, how: how(source) }).collect(),
            mask: mask.suppressing(&suppressed, &[TableQid::new(vec![AttributeId(0)], 2)]),
            nulls: Vec::new(),
            required: self.required(),
            order: if self == Which::Shuffled { RecordOrder::Random([7; 16]) } else { RecordOrder::Kept },
            cluster: None,
            person: None,
        }
    }
}

/// The bytes of the published table, where the first pass drew so many records, or none; and how many columns are known then.
fn published(source: &Path, format: Format, (threads, size): (usize, Option<usize>), which: Which) -> (Vec<u8>, usize) {
    let engine = Embedded::open(source.to_str().unwrap(), &SourceOptions::default(), threads).unwrap();
    let counted = CompressPlan { columns: vec![0, 1], required: which.required(), ..CompressPlan::default() };
    match size {
        Some(size) => {
            let columns = (0..9).collect();
            let drawn = SamplePlan { columns, nulls: Vec::new(), required: which.required(), size, seed: 0 };
            engine.compress_and_sample(&counted, &drawn, &Unwatched).unwrap();
        }
        None => drop(engine.compress(&counted, &Unwatched).unwrap()),
    }
    let location = source.with_extension("out");
    let place = Place::File { location: location.clone(), format };
    let written = engine.rewrite(&which.plan(), &place, &Unwatched).unwrap();
    let all = matches!(which, Which::All | Which::Shuffled);
    assert_eq!(written.records as usize == RECORDS, all, "{which:?}");
    (std::fs::read(location).unwrap(), engine.stored.get().map_or(0, Vec::len))
}

#[test]
fn what_was_drawn_from_is_written_as_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    for source in ["t.csv", "t.parquet"] {
        let path = folder.path().join(source);
        write(&batch(), &path, if source == "t.csv" { Format::Csv } else { Format::Parquet });
        for format in [Format::Csv, Format::Parquet, Format::Arrow, Format::JsonLines] {
            for which in [Which::All, Which::Kept, Which::Shuffled] {
                let read = published(&path, format, (2, None), which);
                assert_eq!(read.1, 0);
                let drawn = published(&path, format, (3, Some(RECORDS)), which);
                assert!(drawn.0 == read.0, "{source} as {format:?}, {which:?}");
                assert_eq!(drawn.1, 4, "not those of many values, nor those that are written in two ways");
            }
        }
        // Nothing is known of all records where some are not drawn, or left out.
        for (size, which) in [(RECORDS - 1, Which::All), (RECORDS, Which::Complete)] {
            let read = published(&path, Format::Parquet, (2, None), which);
            assert!(published(&path, Format::Parquet, (2, Some(size)), which) == read && read.1 == 0);
        }
    }
}

#[test]
fn columns_that_lack_nothing_still_lack_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    let fields = batch()
        .schema()
        .fields()
        .iter()
        .map(|field| field.as_ref().clone().with_nullable(field.name() == "few" || field.name() == "narrow"))
        .collect::<Vec<_>>();
    let strict = RecordBatch::try_new(Arc::new(Schema::new(fields)), batch().columns().to_vec()).unwrap();
    write(&strict, &path, Format::Parquet);
    for format in [Format::Parquet, Format::Arrow] {
        let read = published(&path, format, (1, None), Which::All);
        assert!(published(&path, format, (1, Some(RECORDS)), Which::All).0 == read.0, "{format:?}");
    }
}
