//! Bad input gets a clear message, status 2 (or 1), and nothing is written.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

const TABLE: &str = "age,sex,zip,class\n30,M,1000,Y\n40,F,1000,N\n50,M,2000,Y\n60,F,2000,N\n";

/// What the user sees, without the name of the temporary folder, and what is left on the desk.
fn transcript(desk: &Desk, arguments: &str) -> String {
    let before = desk.names();
    let output = desk.run(arguments);
    assert_eq!(desk.names(), before, "cutline {arguments} left something behind");
    assert!(output.stdout.is_empty(), "an error is no result");
    let status = output.status.code().unwrap();
    format!("$ cutline {arguments}\n{}[exit status {status}]\n", String::from_utf8_lossy(&output.stderr))
}

fn transcripts(cases: &[(&str, &[u8], &str)]) -> String {
    let run = |&(name, content, arguments): &(&str, &[u8], &str)| {
        let desk = if name.is_empty() { Desk::new() } else { Desk::with(name, content) };
        transcript(&desk, arguments)
    };
    cases.iter().map(run).collect::<Vec<_>>().join("\n")
}

#[test]
fn tables_that_cannot_be_read() {
    insta::assert_snapshot!(transcripts(&[
        ("", b"", "anonymize absent.csv --qid age:2 -o out"),
        ("t.csv", b"", "anonymize t.csv --qid age:2 -o out"),
        ("t.csv", b"age,sex\n", "anonymize t.csv --qid age:2 -o out"),
        ("t.csv", b"age,sex\n1,M\n2\n3,F\n", "anonymize t.csv --qid age:2 -o out"),
        ("t.csv", b"age,sex\n1,M\n2,F,x\n", "anonymize t.csv --qid age:2 -o out"),
        ("t.csv", b"age,sex,age\n1,M,2\n", "anonymize t.csv --qid age:2 -o out"),
        ("t.csv", b"age,sex\n1,M\n2,\xff\n", "anonymize t.csv --qid age:2 -o out"),
        ("t.csv", b"age,sex\n1,\"M\n2,F\n", "anonymize t.csv --qid age:2 -o out"),
        ("t.xyz", b"age,sex\n1,M\n", "anonymize t.xyz --qid age:2 -o out"),
        ("t.parquet", b"PAR1 this is none", "anonymize t.parquet --qid age:2 -o out"),
        ("t.csv.gz", b"this is not packed", "anonymize t.csv.gz --qid age:2 -o out"),
        ("t.jsonl", b"{\"age\": 1}\nnonsense\n", "anonymize t.jsonl --qid age:2 -o out"),
    ]));
}

#[test]
fn requirements_that_make_no_sense() {
    let table = TABLE.as_bytes();
    insta::assert_snapshot!(transcripts(&[
        ("t.csv", table, "anonymize t.csv -o out"),
        ("t.csv", table, "anonymize t.csv --qid age,sxe:2 -o out"),
        ("t.csv", table, "anonymize t.csv --qid age:0 -o out"),
        ("t.csv", table, "anonymize t.csv --qid age -o out"),
        ("t.csv", table, "anonymize t.csv --qid age,age:2 -o out"),
        ("t.csv", table, "anonymize t.csv --qid age:5 -o out"),
        ("t.csv", table, "anonymize t.csv --qid age:2 --target clas -o out"),
        ("t.csv", table, "anonymize t.csv --qid age,class:2 --target class -o out"),
        ("t.csv", table, "anonymize t.csv --qid age:2 --purpose regression -o out"),
        ("t.csv", table, "anonymize t.csv --qid age:2 --purpose regression --target class -o out"),
        ("t.csv", table, "anonymize t.csv --qid age:2 --drop age -o out"),
        ("t.csv", table, "anonymize t.csv --qid age:2 --time-limit soon -o out"),
        ("t.csv", table, "anonymize t.csv --qid age:2 --format xml -o out"),
    ]));
}

#[test]
fn values_that_do_not_fit() {
    let table = TABLE.as_bytes();
    insta::assert_snapshot!(transcripts(&[
        ("t.csv", table, "anonymize t.csv --qid age:2 --range age=0..50 -o out"),
        ("t.csv", table, "anonymize t.csv --qid sex:2 --continuous sex -o out"),
        ("t.csv", b"age,sex\n1,M\n,F\n", "anonymize t.csv --qid age:2 --missing error -o out"),
        ("t.csv", b"age,sex\n1,\n2,\n", "anonymize t.csv --qid age:2 --missing complete -o out"),
    ]));
}

#[test]
fn taxonomies_that_do_not_fit() {
    let cases = [
        ("Any\n  Male\n  Female\n", "sex"),
        ("Any\n  M\n    F\n", "sex"),
        ("Any\n   M\n  F\n", "sex"),
        ("Any\n  M\n  F\n  M\n", "sex"),
        ("Any\n  M\nOther\n  F\n", "sex"),
        ("", "sex"),
        ("M;Any\nF;Any;x\n", "sex"),
        ("M;Any\nF;All\n", "sex"),
        ("{\"label\": \"Any\", \"children\": [\"M\" \"F\"]}", "sex"),
        ("Any\n  M\n  F\n", "sexx"),
    ];
    let run = |(taxonomy, attribute): (&str, &str)| {
        let desk = Desk::with("t.csv", TABLE);
        desk.write("tree.txt", taxonomy);
        transcript(&desk, &format!("anonymize t.csv --qid sex:2 --taxonomy {attribute}=tree.txt -o out"))
    };
    insta::assert_snapshot!(cases.map(run).join("\n"));
}

#[test]
fn specs_that_cannot_be_read() {
    let cases = ["[input]\npaht = \"t.csv\"\n", "[input\n", "[[qid]]\nattributes = [\"age\"]\nk = -1\n"];
    let run = |spec: &str| {
        let desk = Desk::with("t.csv", TABLE);
        desk.write("release.toml", spec);
        transcript(&desk, "anonymize release.toml -o out")
    };
    insta::assert_snapshot!(cases.map(run).join("\n"));
}

#[test]
fn destinations_that_are_taken() {
    let desk = Desk::with("t.csv", TABLE);
    desk.write("out", "a file");
    let file = transcript(&desk, "anonymize t.csv --qid age:2 -o out --force");
    let folder = Desk::with("t.csv", TABLE);
    std::fs::create_dir(folder.path("out")).unwrap();
    folder.write("out/diary.txt", "dear diary");
    let refused = transcript(&folder, "anonymize t.csv --qid age:2 -o out");
    let not_ours = transcript(&folder, "anonymize t.csv --qid age:2 -o out --force");
    insta::assert_snapshot!([file, refused, not_ours].join("\n"));
    assert_eq!(folder.read("out/diary.txt"), "dear diary");
}

#[test]
fn messages_never_show_values_of_records() {
    let cases = [
        ("age,name\nSecret17,Alice\nSecret18\n", "anonymize t.csv --qid age:2 -o out", "1 fields"),
        ("age,name\nSecret17,Alice\n", "anonymize t.csv --qid age:1 --continuous age -o out", "not a number"),
        ("age,name\n1017,Alice\n", "anonymize t.csv --qid age:1 --range age=0..9 -o out", "outside the declared range"),
        ("age,name\nSecret17,Alice\n", "verify t.csv --qid age:2", ""),
    ];
    for (table, arguments, expected) in cases {
        let output = Desk::with("t.csv", table).run(arguments);
        assert!(!output.status.success());
        let message = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(message.contains(expected), "{message}");
        assert!(!["Secret", "1017", "Alice"].iter().any(|value| message.contains(value)), "{message}");
    }
}

/// Somebody forgot `--no-header`: no message may list the values of the first record.
#[test]
fn the_first_record_is_not_listed_as_columns() {
    for record in ["37,Smith,flu", "Smith,m,flu", "Ann,m,flu"] {
        let desk = Desk::with("t.csv", format!("{record}\nJones,f,cold\n"));
        desk.ok("demo -o demo");
        for command in [
            "anonymize t.csv --qid age:2 -o out",
            "anonymize t.csv --qid zip:2 --target ill -o out",
            "verify t.csv --qid age:2",
            "apply demo/public/recoding.json t.csv -o out.csv",
            "evaluate t.csv t.csv --target ill",
            "attack t.csv t.csv --on age",
            "taxonomy build t.csv --attribute age -o tree.txt",
        ] {
            let output = desk.run(command);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!output.status.success(), "{command}: {said}");
            let told: Vec<&str> = record.split(',').filter(|value| value.len() > 2 && said.contains(value)).collect();
            assert!(told.is_empty(), "{command} tells the values of a record: {said}");
        }
    }
}
