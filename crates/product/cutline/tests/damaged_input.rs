//! Specs and tables that people and other programs write: whatever is in them, reading ends with a value or an error, and what both
//! readers accept, they count alike.
//!
//! Plain property tests: they need no other toolchain, and `PROPTEST_CASES=100000` runs them for as long as one likes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use cutline::Table;
use cutline::arrow::source::SourceOptions;
use cutline::engine::{ColumnProfile, Engine, Unwatched};
use cutline::spec::Spec;
use cutline::verify::{Claim, Options, verify};
use proptest::collection::vec;
use proptest::prelude::*;

const SPEC: &str = r#"conditions = ["distinct-l:ill=2", "bound:ill=HIV<=0.5"]
[input]
path = "table.csv"
missing = "drop"
null = ["?"]
[purpose]
kind = "classification"
target = "class"
[[qid]]
attributes = ["age", "a \"b\""]
k = 4
[attributes.age]
range = [0, 99.5]
[attributes."a \"b\""]
taxonomy = "t.txt"
private = true
[search]
algorithm = "genetic"
time_limit = "30s"
genetic = { iterations = 200 }
[suppress]
limit = "1%"
how = "drop"
"#;
const CSV: &str = "age,town,ill\n31,\"Ulm, \"\"so\"\"\",flu\n32,Kiel é,\n,\"two\nlines\",gout\n33,Bonn,flu\n";
const LINES: &str = "{\"age\": 31, \"town\": \"Ulm \\u00e9\", \"ill\": null}\n{\"age\": 3.5e1, \"town\": \"\", \"ill\": \"flu\"}\n{\"age\": 33, \"ill\": \"x\"}\n";

/// Bytes that mean something in one of the formats.
const PIECES: [&[u8]; 20] = [
    b"",
    b" ",
    b"\t",
    b"\n",
    b"\r\n",
    b"\r",
    b"\"",
    b"\"\"",
    b",",
    b";",
    b"{",
    b"}",
    b"[",
    b"]",
    b"null",
    b"1e999",
    b"\xff",
    b"\0",
    b"\xef\xbb\xbf",
    b"\\",
];

/// Replaces some stretches of bytes by pieces, takes them out, or doubles them.
fn damaged(whole: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    vec((0..whole.len(), 0..10usize, 0..PIECES.len() + 1), 1..5).prop_map(move |changes| {
        let mut bytes = whole.clone();
        for (at, length, piece) in changes {
            let from = at.min(bytes.len());
            let to = (from + length).min(bytes.len());
            let doubled = bytes[from..to].repeat(2);
            bytes.splice(from..to, PIECES.get(piece).map_or(doubled, |piece| piece.to_vec()));
        }
        bytes
    })
}

/// What the reader of releases sees of the columns, if it accepts the table.
fn profiles(path: &Path) -> Option<Vec<ColumnProfile>> {
    let table = Table::open(path.to_str().unwrap(), &SourceOptions::default(), 1).ok()?;
    table.profile(&[], &Unwatched).ok()
}

/// Both readers end; where both accept the table, they have seen as many records.
fn readers_agree(name: &str, content: &[u8]) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    let profiles = profiles(&path).unwrap_or_default();
    let names =
        if profiles.is_empty() { vec!["age".to_owned()] } else { profiles.iter().map(|p| p.name.clone()).collect() };
    let verdict = verify(&path, &[Claim::new(names, 1)], &Options::default(), &|_| ());
    if let (Some(profile), Ok(verdict)) = (profiles.first(), verdict) {
        prop_assert_eq!(verdict.records, profile.records);
    }
    Ok(())
}

fn spec_is_read_or_refused(content: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("release.toml");
    std::fs::write(&path, content).unwrap();
    let _ = Spec::read(&path);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(500)))]

    #[test]
    fn a_damaged_spec_is_read_or_refused(content in damaged(SPEC.into())) {
        spec_is_read_or_refused(&content);
    }

    #[test]
    fn a_damaged_csv_file_is_read_alike_or_refused(content in damaged(CSV.into())) {
        readers_agree("t.csv", &content)?;
    }

    #[test]
    fn damaged_json_lines_are_read_alike_or_refused(content in damaged(LINES.into())) {
        readers_agree("t.jsonl", &content)?;
    }

    #[test]
    fn a_damaged_parquet_file_is_read_alike_or_refused(content in damaged(parquet())) {
        readers_agree("t.parquet", &content)?;
    }

    #[test]
    fn a_damaged_arrow_file_is_read_alike_or_refused(content in damaged(arrow())) {
        readers_agree("t.arrow", &content)?;
    }

    #[test]
    fn a_damaged_compressed_arrow_file_is_read_alike_or_refused(content in damaged(compressed(CompressionType::ZSTD))) {
        readers_agree("t.arrow", &content)?;
    }
}

fn batch() -> RecordBatch {
    let ages: ArrayRef = Arc::new(Int64Array::from_iter((0..60).map(|record| (record % 7 > 0).then_some(record))));
    let towns: ArrayRef = Arc::new(StringArray::from_iter((0..60).map(|record| Some(format!("town {}", record % 5)))));
    RecordBatch::try_from_iter([("age", ages), ("town", towns)]).unwrap()
}

fn parquet() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = parquet::arrow::ArrowWriter::try_new(&mut bytes, batch().schema(), None).unwrap();
    writer.write(&batch()).unwrap();
    writer.close().unwrap();
    bytes
}

fn arrow() -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), &batch().schema()).unwrap();
    writer.write(&batch()).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

fn compressed(how: CompressionType) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(Some(how)).unwrap();
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &batch().schema(), options).unwrap();
    writer.write(&batch()).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

fn compressed_stream(how: CompressionType) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(Some(how)).unwrap();
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &batch().schema(), options).unwrap();
    writer.write(&batch()).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

/// Where the index says that the head of a message is shorter than it is, a buffer begins elsewhere, and whatever is there is its size.
#[test]
fn a_head_that_the_index_cuts_short_is_no_reason_to_reserve_what_follows() {
    let whole = compressed(CompressionType::ZSTD);
    let footer = whole.len() - 10 - i32::from_le_bytes(*whole[..whole.len() - 6].last_chunk().unwrap()) as usize;
    let block = *arrow_ipc::root_as_footer(&whole[footer..]).unwrap().recordBatches().unwrap().get(0);
    let written = [block.offset().to_le_bytes(), i64::from(block.metaDataLength()).to_le_bytes()].concat();
    let place = (footer..whole.len()).find(|&place| whole[place..].starts_with(&written)).unwrap() + 8;
    for head in 0..block.metaDataLength() {
        let mut content = whole.clone();
        content[place..place + 4].copy_from_slice(&head.to_le_bytes());
        readers_agree("t.arrow", &content).unwrap();
    }
}

/// Each compressed buffer in turn says that it takes more memory than there is, or than it can. To reserve that would end the program.
#[test]
fn a_buffer_that_says_it_is_huge_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.arrow");
    for (how, magic) in
        [(CompressionType::LZ4_FRAME, [4, 0x22, 0x4d, 0x18]), (CompressionType::ZSTD, [0x28, 0xb5, 0x2f, 0xfd])]
    {
        for whole in [compressed(how), compressed_stream(how)] {
            std::fs::write(&path, &whole).unwrap();
            assert_eq!(profiles(&path).unwrap()[0].records, 60);
            let buffers: Vec<usize> = (8..whole.len() - 4).filter(|&place| whole[place..place + 4] == magic).collect();
            assert!(buffers.len() >= 2, "some buffers are compressed");
            for (buffer, said) in buffers.iter().flat_map(|buffer| [(buffer, 1_i64 << 61), (buffer, 1 << 40)]) {
                let mut content = whole.clone();
                content[buffer - 8..*buffer].copy_from_slice(&said.to_le_bytes());
                std::fs::write(&path, content).unwrap();
                assert!(profiles(&path).is_none());
                let claim = Claim::new(vec!["age".to_owned(), "town".to_owned()], 1);
                assert!(verify(&path, &[claim], &Options::default(), &|_| ()).is_err());
            }
        }
    }
}

#[test]
fn the_whole_files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for (name, content, records) in
        [("t.csv", CSV.into(), 4), ("t.jsonl", LINES.into(), 3), ("t.parquet", parquet(), 60), ("t.arrow", arrow(), 60)]
    {
        std::fs::write(folder.path().join(name), content).unwrap();
        assert_eq!(profiles(&folder.path().join(name)).unwrap()[0].records, records, "{name}");
    }
    std::fs::write(folder.path().join("s.toml"), SPEC).unwrap();
    Spec::read(&folder.path().join("s.toml")).unwrap();
}
