//! Tables that LibreOffice and R wrote are read as the same table written by hand: see `data/written/README.md`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::path::Path;

use support::Desk;

const REQUIREMENT: &str = "--qid income:2 --qid birth:2 --drop name";

/// The published labels and towns, whatever separates and quotes them.
fn published(file: &str, flags: &str) -> String {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/written").join(file);
    let desk = Desk::new();
    std::fs::copy(data, desk.path(file)).unwrap();
    desk.ok(&format!("anonymize {file} {flags} {REQUIREMENT} --format csv -o out"));
    let table = desk.read("out/public/table.csv");
    let separator = table.chars().find(|character| [',', ';', '\t'].contains(character)).unwrap();
    // A comma stands in labels, too, where it separates nothing.
    let text = table.replace('"', "").replace(separator, "|").replace("| ", ", ");
    text.replace("true", "TRUE").replace("false", "FALSE")
}

#[test]
fn spreadsheets_of_libreoffice_are_the_table_written_by_hand() {
    let by_hand = published("people.csv", "");
    assert!(by_hand.contains("Köln|[1980, 2000)|<2500|TRUE"), "{by_hand}");
    for file in ["libreoffice.ods", "libreoffice.xlsx"] {
        assert_eq!(published(file, ""), by_hand, "{file}");
    }
}

#[test]
fn tables_of_r_are_the_table_written_by_hand() {
    let by_hand = published("people.csv", "");
    for (file, flags) in [
        ("r.csv", "--null NA"),
        ("r.tsv", "--null NA"),
        ("r-csv2.csv", "--null NA --decimal , --encoding latin1"),
        ("r-csv2-utf16.csv", "--null NA --decimal , --encoding utf-16le"),
    ] {
        // Where something stands for a missing value, the same stands for a missing label.
        assert_eq!(published(file, flags).replace("|NA|", "||"), by_hand, "{file}");
    }
}
