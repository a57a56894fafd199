//! Every format in and out, and what must survive on the way.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::{Desk, SETTLED};

const TABLE: &str = "id,age,sex,\"note, quoted\",amount,class\r\n\
                     007,30,M,\"a \"\"b\"\"\",1.50,Y\r\n\
                     008,30,M,,1e3,Y\r\n\
                     009,40,F,\"\",0x1F,N\r\n\
                     010,40,F,\"two\nlines\", 5 ,N\r\n";

#[test]
fn columns_outside_the_qids_keep_their_bytes() {
    let desk = Desk::with("t.csv", TABLE);
    desk.ok("anonymize t.csv --qid age,sex:2 --target class --keep id -o out");
    // Telling M from * would not help to predict the class, so it is not beneficial.
    let expected = TABLE.replace(",30,M,", ",<40,*,").replace(",40,F,", ",>=40,F,");
    assert_eq!(desk.read("out/public/table.csv"), expected);
}

#[test]
fn a_stray_carriage_return_gets_quotes() {
    for end in ["\n", "\r\n"] {
        let desk = Desk::with("t.csv", ["age,note", "1,a\rb", "1,c", "2,d", "2,e", ""].join(end));
        desk.ok("anonymize t.csv --qid age:2 -o out");
        assert_eq!(
            desk.read("out/public/table.csv"),
            ["age,note", "<2,\"a\rb\"", "<2,c", ">=2,d", ">=2,e", ""].join(end)
        );
    }
}

#[test]
fn a_byte_order_mark_and_blank_lines_are_no_data() {
    let desk = Desk::with("t.csv", "\u{feff}age;sex\n1;M\n\n1;M\n2;F\n2;F\n");
    desk.ok("anonymize t.csv --qid age,sex:2 -o out");
    assert!(desk.read("out/public/table.csv").starts_with("age;sex\n"));
    assert!(desk.ok("verify out --qid age,sex:2 --delimiter ;").contains("4 records"));
    // The delimiter and names with blanks are understood as in `anonymize`.
    assert!(desk.ok("verify out --qid age,sex:2").contains("4 records"));
    desk.write("blanks.csv", "age, sex\n1, M\n1, M\n");
    assert!(desk.ok("verify blanks.csv --qid age,sex:2").contains("2 records"));
    let refused = desk.run("verify out --qid age,sex:2 --delimiter é");
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn identifiers_are_dropped_or_tokenized() {
    let desk = Desk::with("t.csv", "id,name,age\n1,Ann,30\n2,Bob,30\n1,Ann,30\n");
    desk.ok("anonymize t.csv --qid age:2 --drop name --tokenize id -o out");
    let published = desk.read("out/public/table.csv");
    let rows: Vec<Vec<&str>> = published.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["id", "age"]);
    assert_eq!(rows[1][0], rows[3][0], "equal values have equal tokens");
    assert_ne!(rows[1][0], rows[2][0]);
    assert_eq!(rows[1][0].len(), 32);
    for file in SETTLED.into_iter().chain(["private/report.json"]) {
        assert!(!desk.read(&format!("out/{file}")).contains("Ann"), "{file}");
    }
    // Applying the recoding treats the identifiers in the same way.
    desk.ok("apply out/public/recoding.json t.csv -o again.csv");
    assert!(!desk.read("again.csv").contains("Ann"));
}

#[test]
fn every_format_can_be_written_and_read_back() {
    let desk = Desk::with("t.csv", "age,sex,amount\n30,M,1.5\n30,M,\n40,F,2\n40,F,3\n");
    desk.ok("anonymize t.csv --qid age,sex:2 --format parquet -o p");
    desk.ok("anonymize t.csv --qid age,sex:2 --format arrow -o a");
    desk.ok("anonymize t.csv --qid age,sex:2 --format jsonl -o j");
    for (folder, table) in [("p", "public/table.parquet"), ("a", "public/table.arrow"), ("j", "public/table.jsonl")] {
        assert!(desk.ok(&format!("verify {folder} --qid age,sex:2")).contains("4 records"));
        // Reading it again, and publishing it again as CSV.
        desk.ok(&format!("anonymize {folder}/{table} --qid age,sex:2 --format csv -o again-{folder}"));
    }
    assert_eq!(desk.read("again-p/public/table.csv"), desk.read("again-a/public/table.csv"));
    assert_eq!(desk.read("again-p/public/table.csv"), desk.read("again-j/public/table.csv"));
}

#[test]
fn blanks_and_digits_of_columns_that_are_published_as_they_are_stay() {
    let desk = Desk::with("t.csv", "age,code,size\n1, 7,1\n1,7 ,2\n1,7,3\n");
    desk.write("t.jsonl", "{\"a\":1,\"v\":9007199254740993}\n{\"a\":1,\"v\":1.5}\n");
    for format in ["parquet", "arrow"] {
        desk.ok(&format!("anonymize t.csv --qid age:2 --format {format} -o {format}"));
        desk.ok(&format!("anonymize {format}/public/table.{format} --qid age:2 --format csv -o {format}-back"));
        let back = desk.read(&format!("{format}-back/public/table.csv"));
        assert_eq!(back.lines().skip(1).collect::<Vec<_>>(), ["*, 7,1", "*,7 ,2", "*,7,3"], "{format}");
        desk.ok(&format!("anonymize t.jsonl --qid a:2 --format {format} -o {format}-long"));
        desk.ok(&format!("anonymize {format}-long/public/table.{format} --qid a:2 --format csv -o {format}-long-back"));
        let back = desk.read(&format!("{format}-long-back/public/table.csv"));
        assert_eq!(back.lines().skip(1).collect::<Vec<_>>(), ["*,9007199254740993", "*,1.5"], "{format}");
    }
}

#[test]
fn classes_that_are_too_many_are_refused_and_not_counted() {
    let records: String = (0..6000).map(|n| format!("{},{},{}.5\n", n % 90, n * 7919 % 5000, n * 31)).collect();
    let desk = Desk::with("t.csv", &("age,zip,income\n".to_owned() + &records));
    let refused = desk.run("anonymize t.csv --qid age,zip:10 --target income --memory 256MiB -o out");
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("6000 classes of 5092 values are more than fit into the memory"), "{message}");
    assert!(message.contains("--purpose regression") && !desk.path("out").exists(), "{message}");
    desk.ok("anonymize t.csv --qid age,zip:10 --target income --purpose regression --memory 256MiB -o out");
    let refused = desk.run("anonymize t.csv --qid age:10 --target income --evaluate -o models");
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("`income` has 6000 classes, and models are trained for at most 1000"), "{message}");
    assert!(!desk.path("models").exists());
}

#[test]
fn json_lines_and_folders_are_tables() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("parts")).unwrap();
    desk.write("parts/1.jsonl", "{\"age\": 30, \"sex\": \"M\"}\n{\"age\": 30, \"sex\": \"M\"}\n");
    desk.write("parts/2.jsonl", "{\"age\": 40, \"sex\": \"F\"}\n{\"age\": 40, \"sex\": \"F\"}\n");
    assert!(desk.ok("anonymize parts --qid age,sex:2 -o out").contains("4 records"));
    assert_eq!(desk.read("out/public/table.csv").lines().count(), 5);
}

#[test]
fn a_recoding_applies_to_another_table_only_if_that_is_safe() {
    let desk = Desk::with("t.csv", "age,sex\n30,M\n30,M\n40,F\n40,F\n");
    desk.ok("anonymize t.csv --qid age,sex:2 --range age=0..120 -o out");
    desk.write("safe.csv", "age,sex\n35,M\n35,M\n");
    desk.write("unsafe.csv", "age,sex\n35,M\n45,F\n45,F\n");
    desk.ok("apply out/public/recoding.json safe.csv -o safe-out.csv");
    let refused = desk.run("apply out/public/recoding.json unsafe.csv -o unsafe-out.csv");
    assert_eq!(refused.status.code(), Some(1));
    assert!(!desk.path("unsafe-out.csv").exists());
    desk.ok("apply out/public/recoding.json unsafe.csv --qid age,sex:1 -o unsafe-out.csv");
    assert!(
        desk.run("apply out/public/recoding.json safe.csv -o safe-out.csv").status.code() == Some(2),
        "not without --force"
    );
    desk.ok("apply out/public/recoding.json safe.csv -o safe-out.csv --force");
}

#[test]
fn init_writes_a_spec_that_runs() {
    let rows: String =
        (0..60).map(|i| format!("{i},{},{},{}\n", 20 + i % 3, ["M", "F"][i % 2], ["flu", "cold"][i % 2])).collect();
    let desk = Desk::with("patients.csv", format!("patient_id,age,sex,diagnosis\n{rows}"));
    desk.ok("init patients.csv");
    let spec = desk.read("release.toml");
    assert!(spec.contains("attributes = [\"age\", \"sex\"]"), "{spec}");
    assert!(spec.contains("role = \"identifier\""), "{spec}");
    desk.ok("anonymize release.toml -o out");
    assert!(desk.read("out/public/table.csv").starts_with("age,sex,diagnosis\n"));
    assert_eq!(desk.run("init patients.csv").status.code(), Some(2), "an edited spec is not overwritten");
    // Paths in a spec count from its own folder.
    std::fs::create_dir(desk.path("specs")).unwrap();
    desk.ok("init patients.csv -o specs/release.toml");
    desk.ok("anonymize specs/release.toml -o again");
    assert!(desk.read("again/public/table.csv").starts_with("age,sex,diagnosis\n"));
}

#[test]
fn taxonomies_convert_to_every_format_and_back() {
    let outline = "Any\n  Low\n    1st\n    2nd\n  High\n";
    let desk = Desk::with("tree.txt", outline);
    for format in ["arx", "json", "outline"] {
        desk.ok(&format!("taxonomy convert tree.txt --to {format} -o tree.{format}"));
        assert!(desk.read(&format!("tree.{format}")).ends_with('\n'));
        assert_eq!(desk.ok(&format!("taxonomy convert tree.{format} --to outline")), outline);
    }
    assert!(desk.ok("taxonomy show tree.txt --cut Low,High").contains("Low \u{25c0}"));
    desk.write("t.csv", "level\n1st\n3rd\n");
    let missing = desk.run("taxonomy check tree.txt --data t.csv --column level");
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("`3rd` is not in the taxonomy"));
}
