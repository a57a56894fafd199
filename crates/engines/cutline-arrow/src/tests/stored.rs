//! What the first pass looked at is written as what the second would read.

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

/// What the first pass does, and on how many threads.
#[derive(Clone, Copy)]
struct First<'a> {
    threads: usize,
    grouped: &'a [usize],
    /// So many records are drawn. If none are, other texts are missing values than in the second pass, so that this knows nothing.
    drawn: Option<usize>,
}

const FIRST: First<'_> = First { threads: 2, grouped: &[0, 1], drawn: None };

/// The bytes of the published table, and how many columns were known because they were drawn from.
fn published(source: &Path, format: Format, first: First<'_>, which: Which) -> (Vec<u8>, usize) {
    let engine = Embedded::open(source.to_str().unwrap(), &SourceOptions::default(), first.threads).unwrap();
    let columns = first.grouped.to_vec();
    let counted = CompressPlan { columns, required: which.required(), ..CompressPlan::default() };
    match first.drawn {
        Some(size) => {
            let columns = (0..9).collect();
            let drawn = SamplePlan { columns, nulls: Vec::new(), required: which.required(), size, seed: 0 };
            engine.compress_and_sample(&counted, &drawn, &Unwatched).unwrap();
        }
        None => {
            let other = CompressPlan { nulls: vec!["?".to_owned()], ..counted };
            engine.compress(&other, &Unwatched).unwrap();
        }
    }
    let location = source.with_extension("out");
    let place = Place::File { location: location.clone(), format };
    let written = engine.rewrite(&which.plan(), &place, &Unwatched).unwrap();
    let all = matches!(which, Which::All | Which::Shuffled);
    assert_eq!(written.records as usize == RECORDS, all, "{which:?}");
    (std::fs::read(location).unwrap(), engine.stored.get().map_or(0, Vec::len))
}

#[test]
fn what_was_looked_at_is_written_as_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    for source in ["t.csv", "t.parquet"] {
        let path = folder.path().join(source);
        write(&batch(), &path, if source == "t.csv" { Format::Csv } else { Format::Parquet });
        for format in [Format::Csv, Format::Parquet, Format::Arrow, Format::JsonLines] {
            for which in [Which::All, Which::Kept, Which::Shuffled] {
                let read = published(&path, format, FIRST, which);
                assert_eq!(read.1, 0);
                // All but those of many values, and those that are written in two ways.
                for (grouped, known) in [(&[0, 1][..], 4), (&[0, 4, 6], 3)] {
                    let looked_at = First { threads: 3, grouped, drawn: Some(RECORDS) };
                    let looked_at = published(&path, format, looked_at, which);
                    assert!(looked_at.0 == read.0, "{source} as {format:?}, {which:?}, {grouped:?}");
                    assert_eq!(looked_at.1, known);
                }
            }
        }
        // Nothing is known of all records where some are not drawn, or left out.
        for (size, which) in [(RECORDS - 1, Which::All), (RECORDS, Which::Complete)] {
            let read = published(&path, Format::Parquet, FIRST, which);
            let drawn = First { drawn: Some(size), ..FIRST };
            assert!(published(&path, Format::Parquet, drawn, which) == read && read.1 == 0);
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
        let read = published(&path, format, FIRST, Which::All);
        for grouped in [&[0, 1][..], &[0, 4, 6]] {
            let looked_at = First { threads: 1, grouped, drawn: Some(RECORDS) };
            assert!(published(&path, format, looked_at, Which::All).0 == read.0, "{format:?}, {grouped:?}");
        }
    }
}
