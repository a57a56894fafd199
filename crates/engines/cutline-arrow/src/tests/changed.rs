//! All passes read the same bytes, or nothing comes of it.

use std::fs;
use std::io::Write;
use std::path::Path;

use cutline_engine::EngineError;

use super::*;

/// Columns a, b and c of more than one block.
fn lines(record: impl Fn(usize) -> String) -> String {
    (0..40_000).map(|number| record(number) + "\n").collect()
}

fn csv() -> String {
    "a,b,c\n".to_owned() + &lines(|n| format!("{},{},{}", n % 10, n % 7, n % 3))
}

fn with_table(bytes: &[u8], name: &str, work: impl FnOnce(&Path, &Embedded)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let engine = Embedded::open(path.to_str().unwrap(), &SourceOptions::default(), 2).unwrap();
    let plan = CompressPlan { columns: vec![0], ..CompressPlan::default() };
    assert_eq!(engine.compress(&plan, &Unwatched).unwrap().records, 40_000);
    work(&path, &engine);
}

/// Everything as it is.
fn rewritten(engine: &Embedded) -> Result<usize, EngineError> {
    let keep = |source| OutputColumn { source, how: Treatment::Keep };
    let mask = MaskPlan::new(&[], Unknown::Error);
    let columns = (0..3).map(keep).collect();
    let plan = RewritePlan {
        columns,
        mask,
        nulls: Vec::new(),
        required: Vec::new(),
        order: Default::default(),
        cluster: None,
    };
    let masked = engine.masked_batches(&plan, &Unwatched)?;
    Ok(masked.batches.iter().map(|batch| batch.num_rows()).sum())
}

/// The table is read, then others bytes are written to the same file.
fn is_seen(before: &[u8], after: &[u8], name: &str) -> bool {
    let mut seen = false;
    with_table(before, name, |path, engine| {
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

#[test]
fn a_parquet_or_arrow_file_that_was_written_to_is_seen() {
    use cutline_engine::Format;
    let folder = tempfile::tempdir().unwrap();
    for format in [Format::Parquet, Format::Arrow] {
        let written = |text: &str| {
            let location = folder.path().join("t.out").display().to_string();
            let keep = |source| OutputColumn { source, how: Treatment::Keep };
            let mask = MaskPlan::new(&[], Unknown::Error);
            let columns = (0..3).map(keep).collect();
            let plan = RewritePlan {
                columns,
                mask,
                nulls: Vec::new(),
                required: Vec::new(),
                order: Default::default(),
                cluster: None,
            };
            let place = Place::File { location: location.clone(), format };
            of_text(&folder, text, 1).rewrite(&plan, &place, &Unwatched).unwrap();
            fs::read(location).unwrap()
        };
        let (before, after) = (written(&csv()), written(&csv().replacen("a,b,c", "c,b,a", 1)));
        assert!(is_seen(&before, &after, &format!("t.{}", format.extension())), "{format}");
        let half = &after[..after.len() / 2];
        assert!(is_seen(&before, half, &format!("t.{}", format.extension())), "{format}");
    }
}
