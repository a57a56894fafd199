//! Is every defect of a file reported, with its line, and without values?

use cutline_verify::{Blame, Options, VerifyError};

use crate::{Tables, claim};

/// The error of a file on the columns `a` and `b`.
fn error(name: &str, content: impl AsRef<[u8]>) -> VerifyError {
    let tables = Tables::with(name, content);
    let error = tables.verify(name, &[claim("a,b", 2)]).unwrap_err();
    let messages = format!("{error} {error:?}");
    assert!(!messages.contains("secret"), "{messages}");
    error
}

#[test]
fn empty_files() {
    for name in ["t.csv", "t.tsv", "t.parquet", "t.arrow", "t.jsonl"] {
        assert!(matches!(error(name, ""), VerifyError::EmptyFile { .. }), "{name}");
    }
    for content in ["\n\n", "\r\n", "\u{feff}"] {
        assert!(matches!(error("t.csv", content), VerifyError::EmptyFile { .. }), "{content:?}");
        assert!(matches!(error("t.jsonl", content), VerifyError::EmptyFile { .. }), "{content:?}");
    }
    let tables = Tables::with("t.csv", "\n");
    let options = Options { header: false, ..Options::default() };
    let error = tables.verify_with("t.csv", &[claim("column1", 2)], &options).unwrap_err();
    assert!(matches!(error, VerifyError::EmptyFile { .. }));
}

#[test]
fn an_unknown_column() {
    let tables = Tables::with("t.csv", "age,sex\n1,2\n");
    let error = tables.verify("t.csv", &[claim("sex,agee", 2)]).unwrap_err();
    assert_eq!(error.blame(), Blame::Request);
    let VerifyError::UnknownColumn { column, columns, nearest, .. } = error else { panic!("{error}") };
    assert_eq!((column.as_str(), nearest.as_deref()), ("agee", Some("age")));
    assert_eq!(columns, ["age", "sex"]);
}

/// Somebody forgot to say that there is no header.
#[test]
fn the_values_of_a_first_record_are_not_told() {
    for line in ["37,Smith,flu", "Smith,m,flu", "flu,flu,Ann"] {
        let tables = Tables::with("t.csv", format!("{line}\nJones,f,cold\n"));
        let error = tables.verify("t.csv", &[claim("age,sex", 2)]).unwrap_err().to_string();
        assert!(error.contains("is its first line a record"), "{error}");
        assert!(line.split(',').all(|value| !error.contains(&format!("`{value}`"))), "{error}");
    }
}

#[test]
fn two_columns_with_one_name() {
    let error = error("t.csv", "a,b,c,b\n");
    assert!(matches!(error, VerifyError::DuplicateColumn { column, .. } if column == "b"));
}

#[test]
fn ragged_rows() {
    let cases = [
        ("a,b\n1,2\nsecret\n", 3, 1),
        ("a,b\n1,2\nsecret,2,3\n", 3, 3),
        ("a,b\r\n1,2\r\nsecret\r\n", 3, 1),
        ("a,b\n\n\n1,2\n\nsecret\n", 6, 1),
        ("a,b\n\"1\n1\n1\",2\nsecret\n", 5, 1),
        ("\u{feff}a,b\r\n1,2\r\n\r\nsecret", 4, 1),
    ];
    for (content, expected_line, expected_cells) in cases {
        let error = error("t.csv", content);
        assert_eq!(error.blame(), Blame::Data);
        let VerifyError::RaggedRow { line, expected, found, .. } = error else { panic!("{error}") };
        assert_eq!((line, expected, found), (expected_line, 2, expected_cells), "{content:?}");
    }
}

#[test]
fn a_ragged_row_after_many_batches() {
    let content = "a,b\n".to_owned() + &"1,2\n".repeat(30_000) + "secret\n";
    let error = error("t.csv", content);
    assert!(matches!(error, VerifyError::RaggedRow { line: 30_002, .. }), "{error}");
}

#[test]
fn text_that_is_not_utf8() {
    let line = |name: &str, content: &[u8]| match error(name, content) {
        VerifyError::NotUtf8 { line, .. } => line,
        other => panic!("{other}"),
    };
    assert_eq!(line("t.csv", b"a,\xff\n"), 1);
    assert_eq!(line("t.csv", b"a,b\n1,2\n1,secret\xff\n"), 3);
    assert_eq!(line("t.csv", b"a,b\r\n1,\xff\r\n\xff,1\r\n"), 2, "the first line, not column");
    assert_eq!(line("t.jsonl", b"{\"a\":1,\"b\":2}\n\n{\"a\":1,\"b\":\"\xff\"}\n"), 3);
    // UTF-16 is known by its mark. What is none is not read as something else.
    let VerifyError::Io { source, .. } = error("t.csv", b"\xff\xfea\0,\0b\0\n") else { panic!("half a character") };
    assert_eq!(source.to_string(), "not valid UTF-16LE");
}

#[test]
fn the_earlier_of_two_errors_is_reported() {
    let error = error("t.csv", b"a,b\n1,\xff\n1,2\n1\n");
    assert!(matches!(error, VerifyError::NotUtf8 { line: 2, .. }), "{error}");
}

#[test]
fn a_quote_that_is_never_closed() {
    let line = |content: &str| match error("t.csv", content) {
        VerifyError::UnclosedQuote { line, .. } => line,
        other => panic!("{other}"),
    };
    assert_eq!(line("a,b\n1,2\n1,\"secret\n1,2\n1,2\n"), 3);
    assert_eq!(line("a,b\r\n1,2\r\n1,\"secret"), 3);
    assert_eq!(line("a,b\n1,\""), 2);
    assert_eq!(line("a,\"b\n1,secret\n"), 1, "in the header");
}

#[test]
fn lines_that_are_not_one_json_object() {
    let good = "{\"a\":1,\"b\":2}\n";
    let bad = [
        "{\"a\":1,\"b\":\"secret\"\n",
        "{\"a\":1,\"b\":{\"c\":\"secret\"}}\n",
        "{\"a\":1,\"b\":[\"secret\"]}\n",
        "[\"secret\"]\n",
        "\"secret\"\n",
        "null\n",
        "{\"a\":1,\"b\":2}{\"a\":1,\"b\":\"secret\"}\n",
        "secret\n",
        "{\"a\":1,\n\"b\":\"secret\"}\n",
    ];
    for line in bad {
        let error = error("t.jsonl", format!("{good}\n{good}{line}{good}"));
        assert!(matches!(error, VerifyError::BadJson { line: 4, .. }), "{line} {error}");
    }
    let first = error("t.jsonl", "[1]\n");
    assert!(matches!(first, VerifyError::BadJson { line: 1, .. }), "{first}");
}

#[test]
fn damaged_compression() {
    for name in ["t.csv.gz", "t.csv.zst", "t.jsonl.gz"] {
        let error = error(name, "secret, and not compressed");
        assert!(matches!(error, VerifyError::Io { .. }), "{name} {error}");
        assert_eq!(error.blame(), Blame::Machine);
    }
}

#[test]
fn claims_are_checked_before_the_file() {
    let tables = Tables::new();
    let error = tables.verify("none.csv", &[claim("a", 0)]).unwrap_err();
    assert!(matches!(error, VerifyError::ZeroThreshold { .. }));
    let error = tables.verify("none.csv", &[]).unwrap_err();
    assert!(matches!(error, VerifyError::NoClaims));
}
