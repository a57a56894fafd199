//! Which cells does a CSV file have?

use std::io::Write;

use cutline_verify::Options;

use crate::{Tables, all_values, claim, groups_of};

/// All groups of a CSV text on the columns `a` and `b`.
fn csv_groups(content: impl AsRef<[u8]>) -> Vec<String> {
    let tables = Tables::with("t.csv", content);
    groups_of(&tables.path("t.csv"), "a,b", &all_values())
}

#[test]
fn quoted_cells_may_have_delimiters_quotes_and_newlines() {
    let content = "a,b\n\"x,y\",\"1\n2\"\n\"x,y\",\"1\n2\"\n\"say \"\"x\"\"\",z\n";
    assert_eq!(csv_groups(content), ["1 say \"x\"|z", "2 x,y|1\n2"]);
}

#[test]
fn a_byte_order_mark_is_not_part_of_the_first_name() {
    assert_eq!(csv_groups("\u{feff}a,b\n1,2\n"), ["1 1|2"]);
    assert_eq!(csv_groups("\u{feff}\"a\",b\n1,2\n"), ["1 1|2"]);
}

#[test]
fn line_ends_are_not_part_of_the_last_cell() {
    assert_eq!(csv_groups("a,b\r\n1,2\r\n1,2\r\n"), ["2 1|2"]);
    assert_eq!(csv_groups("a,b\n1,2\n1,2"), ["2 1|2"], "no line end at the end of the file");
    assert_eq!(csv_groups("a,b\n1,2\r\n1,2\n"), ["2 1|2"], "mixed line ends");
}

#[test]
fn a_quoted_empty_cell_is_an_empty_cell() {
    assert_eq!(csv_groups("a,b\n,1\n\"\",1\n ,1\n"), ["1  |1", "2 |1"]);
}

#[test]
fn cells_that_join_to_the_same_text_are_different() {
    assert_eq!(csv_groups("a,b\nab,c\na,bc\n"), ["1 a|bc", "1 ab|c"]);
}

#[test]
fn blank_lines_are_skipped_but_not_quoted_empty_cells() {
    let tables = Tables::with("t.csv", "a\n\nx\n\n\"\"\n");
    assert_eq!(groups_of(&tables.path("t.csv"), "a", &all_values()), ["1 ", "1 x"]);
}

#[test]
fn columns_that_nobody_claims_are_not_looked_at() {
    assert_eq!(csv_groups(b"x,b,a\n\xff,2,1\n,2,1\n"), ["2 1|2"]);
}

#[test]
fn a_header_without_records_holds_nothing() {
    let tables = Tables::with("t.csv", "a,b\n");
    let verdict = tables.verify("t.csv", &[claim("a,b", 1)]).unwrap();
    assert_eq!(verdict.records, 0);
    assert_eq!((verdict.findings[0].anonymity, verdict.findings[0].groups), (0, 0));
    assert!(!verdict.holds());
}

#[test]
fn without_a_header_columns_are_numbered_and_the_first_row_counts() {
    let tables = Tables::with("t.csv", "1,x\n2,x\n1,x\n");
    let options = Options { header: false, ..all_values() };
    let path = tables.path("t.csv");
    assert_eq!(groups_of(&path, "column1,column2", &options), ["1 2|x", "2 1|x"]);
}

#[test]
fn one_record_is_counted_with_and_without_a_header() {
    let tables = Tables::with("t.csv", "1,x\n");
    let options = Options { header: false, ..all_values() };
    assert_eq!(groups_of(&tables.path("t.csv"), "column2,column1", &options), ["1 x|1"]);
    assert_eq!(csv_groups("a,b\n1,x"), ["1 1|x"]);
}

#[test]
fn tabs_and_other_delimiters() {
    let tables = Tables::with("t.tsv", "a\tb\n1,1\t2\n");
    assert_eq!(groups_of(&tables.path("t.tsv"), "a,b", &all_values()), ["1 1,1|2"]);
    let path = tables.write("t.csv", "a;b\n1,1;2\n");
    let options = Options { delimiter: Some(b';'), ..all_values() };
    assert_eq!(groups_of(&path, "a,b", &options), ["1 1,1|2"]);
}

#[test]
fn compressed_files() {
    let content = "a,b\n1,2\n1,2\n3,4\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(content.as_bytes()).unwrap();
    let mut gzip = gzip.finish().unwrap();
    let tables = Tables::with("t.csv.gz", &gzip);
    let expected = ["1 3|4", "2 1|2"];
    assert_eq!(groups_of(&tables.path("t.csv.gz"), "a,b", &all_values()), expected);

    let mut second = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    second.write_all(b"3,4\n3,4\n").unwrap();
    gzip.extend(second.finish().unwrap());
    let path = tables.write("two-members.csv.gz", &gzip);
    assert_eq!(groups_of(&path, "a,b", &all_values()), ["2 1|2", "3 3|4"]);

    let zstd = zstd::encode_all(content.as_bytes(), 0).unwrap();
    let path = tables.write("t.csv.zst", zstd);
    assert_eq!(groups_of(&path, "a,b", &all_values()), expected);
}

#[test]
fn many_batches_and_long_cells_are_all_counted() {
    let long = "x".repeat(300_000);
    let mut content = String::from("a,b\n");
    (0..10_000).for_each(|i| content.push_str(&format!("{},{}\n", i % 7, i % 3)));
    (0..20).for_each(|_| content.push_str(&format!("{long},0\n")));
    let tables = Tables::with("t.csv", content);
    let verdict = tables.verify("t.csv", &[claim("a,b", 20)]).unwrap();
    assert_eq!((verdict.records, verdict.findings[0].groups), (10_020, 22));
    assert_eq!(verdict.findings[0].anonymity, 20);
    assert!(verdict.holds());
}
