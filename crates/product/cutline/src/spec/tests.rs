//! What is read, what wins.

use super::*;

#[test]
fn the_example_of_the_contract_is_read() {
    let spec: Spec = toml::from_str(
        r#"
[input]
path = "patients.csv"
null = ["?"]

[purpose]
kind = "classification"
target = "readmitted"

[[qid]]
attributes = ["birth_year", "sex", "zip"]
k = 20

[attributes.zip]
taxonomy = "zip.txt"

[attributes.birth_year]
range = [1900, 2026]
"#,
    )
    .unwrap();
    assert_eq!(spec.qid[0].k, 20);
    assert_eq!(spec.attributes["birth_year"].range, Some((1900.0, 2026.0)));
    assert_eq!(spec.purpose.kind, Some(PurposeKind::Classification));
}

#[test]
fn flags_win() {
    let mut spec: Spec =
        toml::from_str("[input]\npath = \"a\"\n[purpose]\nkind = \"regression\"\ntarget = \"x\"").unwrap();
    spec.set("target", &"y".into()).unwrap();
    assert_eq!((spec.purpose.kind, spec.purpose.target.as_deref()), (None, Some("y")));
    assert_eq!(spec.input.path.as_deref(), Some("a"));
}

#[test]
fn files_are_beside_the_spec_and_servers_are_where_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let read = |path: &str| {
        let file = folder.path().join("release.toml");
        std::fs::write(&file, format!("[input]\npath = \"{path}\"")).unwrap();
        Spec::read(&file).unwrap().input.path.unwrap()
    };
    assert_eq!(read("a.csv"), folder.path().join("a.csv").to_string_lossy());
    for elsewhere in ["-", "postgresql://ann@db/care", "sc://spark:15002", "adbc:sqlite:care.db"] {
        assert_eq!(read(elsewhere), elsewhere);
    }
}

#[test]
fn misspelled_keys_are_refused() {
    assert!(toml::from_str::<Spec>("[input]\npaht = \"a\"").is_err());
}

#[test]
fn unknown_words_are_refused_with_their_position() {
    for text in [
        "[input]\nformat = \"xml\"",
        "[output]\nformat = \"xml\"",
        "[search]\ntime_limit = \"soon\"",
        "[search]\nalgorithm = \"magic\"",
        "[suppress]\nlimit = \"150%\"",
    ] {
        let error = toml::from_str::<Spec>(text).unwrap_err().to_string();
        assert!(error.contains("line 2, column"), "{error}");
    }
}

#[test]
fn a_spec_in_another_folder_names_the_file_that_was_meant() {
    let here = std::env::current_dir().unwrap();
    let seen = |file: &str, table: &str| seen_from(Path::new(file), table);
    for file in ["x.toml", "./x.toml"] {
        assert_eq!(seen(file, "t.csv"), "t.csv", "{file}");
    }
    assert_eq!(seen("specs/x.toml", "t.csv"), here.join("t.csv").to_str().unwrap());
    assert_eq!(seen("specs/x.toml", "/data/t.csv"), "/data/t.csv");
    for no_file in ["-", "postgresql://user@host/db", "sc://host:15002", "adbc:duckdb:t.db"] {
        assert_eq!(seen("specs/x.toml", no_file), no_file);
    }
}
