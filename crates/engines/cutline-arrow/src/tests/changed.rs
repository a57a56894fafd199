//! All passes read the same bytes, or nothing comes of it.

use std::fs;
use std::io::Write;
use std::path::Path;

use cutline_engine::{EngineError, Format};

use super::*;

/// Columns a, b and c of more than one block.
fn lines(record: impl Fn(usize) -> String) -> String {
    (0..40_000).map(|number| record(number) + "\n").collect()
}

fn csv() -> String {
    "a,b,c\n".to_owned() + &lines(|n| format!("{},{},{}", n % 10, n % 7, n % 3))
}

/// What the first pass does with columns that are not grouped.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Others {
    Unread,
    /// All of their cells are known then.
    Drawn,
}

fn with_table(bytes: &[u8], name: &str, others: Others, work: impl FnOnce(&Path, &Embedded)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let engine = Embedded::open(path.to_str().unwrap(), &SourceOptions::default(), 2).unwrap();
    let plan = CompressPlan { columns: vec![0], ..CompressPlan::default() };
    let drawn = SamplePlan { size: 40_000, ..SamplePlan::all(vec![0, 1, 2], Vec::new(), Vec::new()) };
    let counted = match others {
        Others::Unread => engine.compress(&plan, &Unwatched).unwrap(),
        Others::Drawn => engine.compress_and_sample(&plan, &drawn, &Unwatched).unwrap().0,
    };
    assert_eq!(counted.table.records, 40_000);
    assert_eq!(engine.stored.get().map_or(0, Vec::len), if others == Others::Drawn { 2 } else { 0 });
    work(&path, &engine);
}

/// Everything as it is.
fn as_it_is(columns: usize) -> RewritePlan {
    RewritePlan {
        columns: (0..columns).map(|source| OutputColumn { source, how: Treatment::Keep }).collect(),
        mask: MaskPlan::new(&[], Unknown::Error),
        nulls: Vec::new(),
        required: Vec::new(),
        order: Default::default(),
        cluster: None,
        person: None,
    }
}

/// How many records are written in the format that they have.
fn rewritten(engine: &Embedded) -> Result<u64, EngineError> {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::File { location: folder.path().join("out"), format: engine.format().unwrap() };
    Ok(engine.rewrite(&as_it_is(3), &place, &Unwatched)?.records)
}

/// Is it seen when the table is read, and then other bytes are written to the same file? It must not matter what was read.
fn is_seen(before: &[u8], after: &[u8], name: &str) -> bool {
    let [one, other] = [Others::Unread, Others::Drawn].map(|others| is_seen_after(before, after, name, others));
    assert_eq!(one, other, "{name}");
    one
}

fn is_seen_after(before: &[u8], after: &[u8], name: &str, others: Others) -> bool {
    let mut seen = false;
    with_table(before, name, others, |path, engine| {
        assert_eq!(rewritten(engine).unwrap(), 40_000);
        // In place, as `cp` and most exports do.
        fs::OpenOptions::new().write(true).truncate(true).open(path).unwrap().write_all(after).unwrap();
        let plan = SamplePlan::all(vec![0], Vec::new(), Vec::new());
        seen = matches!(rewritten(engine), Err(EngineError::Changed(_)));
        assert_eq!(matches!(engine.sample(&plan, &Unwatched), Err(EngineError::Changed(_))), seen);
    });
    seen
}

#[test]
fn any_change_of_a_text_table_between_the_passes_is_seen() {
    let table = csv();
    assert!(!is_seen(table.as_bytes(), table.as_bytes(), "t.csv"), "the same bytes are no change");
    let reordered = table.replacen("a,b,c", "c,b,a", 1);
    let last = table.len() - 2;
    let last = table[..last].to_owned() + if &table[last..] == "0\n" { "1\n" } else { "0\n" };
    let longer = table.clone() + "0,0,0\n";
    let ragged = table.clone() + "0,0\n";
    let unclosed = table.clone() + "0,\"0,0\n";
    for (what, changed) in [
        ("columns in another order", &reordered),
        ("one value of the last record", &last),
        ("one record more", &longer),
        ("a record of fewer fields", &ragged),
        ("a quote that does not end", &unclosed),
        ("half of the records", &table[..table.len() / 2].to_owned()),
        ("nothing left", &String::new()),
    ] {
        assert!(is_seen(table.as_bytes(), changed.as_bytes(), "t.csv"), "{what}");
    }
}

#[test]
fn any_change_of_packed_text_and_of_json_lines_is_seen() {
    let pack = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
    let (table, reordered) = (csv(), csv().replacen("a,b,c", "b,a,c", 1));
    assert!(is_seen(&pack(&table), &pack(&reordered), "t.csv.zst"));
    let other = |n: usize| if n == 39_999 { 9 } else { n % 3 };
    let json = |c: &dyn Fn(usize) -> usize| lines(|n| format!("{{\"a\":{},\"b\":{},\"c\":{}}}", n % 10, n % 7, c(n)));
    assert!(is_seen(json(&|n| n % 3).as_bytes(), json(&other).as_bytes(), "t.jsonl"));
}

/// A table as a file of another format.
fn converted(csv: &str, format: Format) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let location = folder.path().join("t.out").display().to_string();
    let place = Place::File { location: location.clone().into(), format };
    of_text(&folder, csv, 1).rewrite(&as_it_is(3), &place, &Unwatched).unwrap();
    fs::read(location).unwrap()
}

/// The same batches as a stream, which has no index.
fn streamed(arrow: &[u8]) -> Vec<u8> {
    let reader = arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(arrow), None).unwrap();
    let mut writer = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &reader.schema()).unwrap();
    reader.for_each(|batch| writer.write(&batch.unwrap()).unwrap());
    writer.into_inner().unwrap()
}

#[test]
fn a_parquet_or_arrow_file_that_was_written_to_is_seen() {
    for format in [Format::Parquet, Format::Arrow] {
        let (before, after) = (converted(&csv(), format), converted(&csv().replacen("a,b,c", "c,b,a", 1), format));
        assert!(is_seen(&before, &after, &format!("t.{}", format.extension())), "{format}");
        let half = &after[..after.len() / 2];
        assert!(is_seen(&before, half, &format!("t.{}", format.extension())), "{format}");
    }
}

/// Writes other bytes of the same length to a file, and sets its times back.
fn replace_in_place(path: &Path, bytes: &[u8]) {
    let file = fs::OpenOptions::new().write(true).open(path).unwrap();
    let modified = file.metadata().unwrap().modified().unwrap();
    (&file).write_all(bytes).unwrap();
    file.set_modified(modified).unwrap();
}

#[test]
fn no_length_and_no_time_hides_that_a_file_was_written_to() {
    let arrow = converted(&csv(), Format::Arrow);
    for (name, whole) in
        [("t.parquet", converted(&csv(), Format::Parquet)), ("t.arrow", arrow.clone()), ("s.arrow", streamed(&arrow))]
    {
        with_table(&whole, name, Others::Drawn, |path, engine| {
            let published =
                |engine: &Embedded| engine.masked_batches(&as_it_is(3), &Unwatched).map(|masked| masked.batches);
            let before = published(engine).unwrap();
            let (mut seen, places) = (0, 97);
            for place in 0..places {
                let mut other = whole.clone();
                other[whole.len() * place / places] ^= 1 << (place % 8);
                replace_in_place(path, &other);
                match published(engine) {
                    Err(EngineError::Changed(_)) => seen += 1,
                    // Not every byte of a file means something.
                    other => assert_eq!(other.unwrap(), before, "{name} at {place}"),
                }
            }
            assert!(seen > places * 3 / 4, "{name}: {seen}");
            replace_in_place(path, &whole);
            assert_eq!(published(engine).unwrap(), before, "{name}: the same bytes are no change");
        });
    }
}

#[test]
fn columns_exchanged_between_opening_a_file_and_reading_it_are_seen() {
    let exchanged = csv().replacen("a,b,c", "c,b,a", 1);
    let arrow = |csv: &str| converted(csv, Format::Arrow);
    let pairs = [
        ("t.parquet", converted(&csv(), Format::Parquet), converted(&exchanged, Format::Parquet)),
        ("t.arrow", arrow(&csv()), arrow(&exchanged)),
        ("s.arrow", streamed(&arrow(&csv())), streamed(&arrow(&exchanged))),
    ];
    for (name, before, after) in pairs {
        assert_eq!(before.len(), after.len(), "{name}: only names change places");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, before).unwrap();
        let engine = Embedded::open(path.to_str().unwrap(), &SourceOptions::default(), 2).unwrap();
        replace_in_place(&path, &after);
        let plan = CompressPlan { columns: vec![0], ..CompressPlan::default() };
        assert!(matches!(engine.compress(&plan, &Unwatched), Err(EngineError::Changed(_))), "{name}");
    }
}
