//! A taxonomy from a table, and the table masked with it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::fmt::Write;

use support::{Desk, dataset};

/// Zip codes, of which few are frequent enough to be published as they are; some are missing.
fn zips() -> Desk {
    let mut csv = "zip,sex,class\n".to_owned();
    for record in 0..240 {
        let zip = ["02139", "02140", "02141", "10001", "10002", "?"][(record * record / 7) % 6];
        let rare = ["02138", "02199", "10099", "94110", "94111"];
        let zip = if record % 16 == 0 { rare[record / 16 % 5] } else { zip };
        let class = if zip.starts_with('0') { "yes" } else { "no" };
        writeln!(csv, "{zip},{},{class}", ["F", "M"][record % 2]).unwrap();
    }
    Desk::with("t.csv", csv)
}

/// What the user is told when it does not work: nothing is on standard output, and nothing is left behind.
fn refused(desk: &Desk, arguments: &str) -> String {
    let before = desk.names();
    let output = desk.run(arguments);
    assert_eq!(output.status.code(), Some(2), "cutline {arguments}");
    assert!(output.stdout.is_empty());
    assert_eq!(desk.names(), before);
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn zip_codes_from_table_to_release() {
    let desk = zips();
    let built = desk.run("taxonomy build t.csv --attribute zip --null ? -o zip.txt");
    assert!(built.status.success() && built.stdout.is_empty());
    assert!(String::from_utf8_lossy(&built.stderr).contains("zip.txt has values of the table"));
    assert_eq!(
        desk.read("zip.txt"),
        "Any\n  021**\n    0213*\n      02138\n      02139\n    0214*\n      02140\n      02141\n    02199\n  100**\n    1000*\n      \
         10001\n      10002\n    10099\n  9411*\n    94110\n    94111\n"
    );
    let checked = desk.ok("taxonomy check zip.txt --data t.csv --column zip --null ?");
    assert!(checked.contains("all 10 values of `zip` are leaves"), "{checked}");
    desk.ok("anonymize t.csv --qid zip,sex:3 --target class --null ? --taxonomy zip=zip.txt -o out");
    let published = desk.read("out/public/table.csv");
    assert!(published.contains("021**,") && !published.contains("02199"), "{published}");
    assert!(desk.ok("verify out/public/table.csv --qid zip,sex:3").contains("holds"));
    // Nothing of the release is in the way of building it again, by force only.
    assert!(refused(&desk, "taxonomy build t.csv --attribute zip -o zip.txt").contains("`zip.txt` exists already"));
    desk.ok("taxonomy build t.csv --attribute zip --by values --null ? -o zip.txt --force");
    assert_eq!(desk.read("zip.txt").lines().filter(|line| line.starts_with("  ")).count(), 10);
    assert_eq!(desk.names(), ["out", "t.csv", "zip.txt"]);
}

#[test]
fn values_with_alike_classes_come_together() {
    let desk = Desk::new();
    let adult = dataset("adult/train.csv.gz");
    let built = desk.ok(&format!("taxonomy build {adult} --attribute marital-status --target income --null ?"));
    assert_eq!(
        built,
        "Any\n  Group 1\n    Group 2\n      Divorced\n      Group 3\n        Group 4\n          Married-spouse-absent\n          \
         Widowed\n        Separated\n    Never-married\n  Group 5\n    Married-AF-spouse\n    Married-civ-spouse\n"
    );
    desk.ok(&format!(
        "taxonomy build {adult} --attribute occupation --target income --null ? --format json -o occupation.json"
    ));
    desk.ok(&format!(
        "anonymize {adult} --qid occupation,sex,age:50 --target income --null ? --taxonomy occupation=occupation.json -o out"
    ));
    assert!(desk.ok("verify out/public/table.csv --qid occupation,sex,age:50").contains("holds"));
}

#[test]
fn every_format_can_be_read_back() {
    let desk = Desk::with("t.csv", "code\n\"{1;a\"\n\"[2,b\"\n\"{1;c\"\n\"one\ntwo\"\n");
    for format in ["arx", "json"] {
        desk.ok(&format!("taxonomy build t.csv --attribute code --by prefix --format {format} -o tree.{format}"));
        let checked = desk.ok(&format!("taxonomy check tree.{format} --data t.csv --column code"));
        assert!(checked.contains("all 4 values"), "{checked}");
    }
    let message = refused(&desk, "taxonomy build t.csv --attribute code -o tree.txt");
    assert_eq!(
        message.lines().filter(|line| !line.starts_with("note: ")).collect::<Vec<_>>(),
        [
            "error: attribute `code`, record 4: the value has a line break, which an outline cannot hold",
            "hint: use --format json or arx"
        ]
    );
    assert!(!message.contains("two"), "no value of a record is in a message");
}

#[test]
fn what_is_not_said_is_chosen_and_told() {
    let desk = Desk::with("t.csv", "code,word,number,class\nE11.9,red,1,a\nE11.65,blue,2,b\nI10,green,3,a\n");
    let told = |arguments: &str| {
        let output = desk.run(&format!("taxonomy build t.csv {arguments}"));
        assert!(output.status.success(), "{arguments}");
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (tree, note) = told("--attribute code");
    assert_eq!(tree, "Any\n  E11.*\n    E11.65\n    E11.9\n  I10\n");
    assert_eq!(note, "note: 3 values of `code`, by how they begin: 1 group, 3 levels\n");
    let (tree, note) = told("--attribute word");
    assert_eq!(tree, "Any\n  blue\n  green\n  red\n");
    assert!(note.contains("--target NAME groups them") && note.contains("--by prefix"), "{note}");
    let (tree, _) = told("--attribute word --target class");
    assert_eq!(tree, "Any\n  blue\n  Group 1\n    green\n    red\n");
    let (tree, _) = told("--attribute number --by prefix");
    assert_eq!(tree, "Any\n  1\n  2\n  3\n");
    let (_, note) = told("--attribute number --by target --target class");
    assert!(note.contains("`number` has numbers; without a taxonomy they are published as intervals"), "{note}");
}

#[test]
fn what_cannot_be_built_is_refused() {
    let desk = Desk::with("t.csv", "colour,age,same,none,class\nred,30,x,?,a\nblue,40,x,?,b\n");
    desk.write("empty.csv", "colour,class\n");
    let many: String = (0..2001).map(|number| format!("name{number},{}\n", number % 3)).collect();
    desk.write("many.csv", format!("name,class\n{many}"));
    for (arguments, expected) in [
        ("t.csv --attribute color", "no column `color` (named as attribute)\nhint: did you mean `colour`?"),
        ("t.csv --attribute colour --target clas", "no column `clas` (named as target)\nhint: did you mean `class`?"),
        ("t.csv --attribute age", "`age` has numbers, which need no taxonomy"),
        ("t.csv --attribute age --target class", "`age` has numbers, which need no taxonomy"),
        ("t.csv --attribute same", "`same` has a single value"),
        ("t.csv --attribute none --null ?", "`none` has no values"),
        ("t.csv --attribute colour --by target", "--by target needs a target"),
        ("t.csv --attribute colour --by prefix --target class", "the target `class` is looked at only by --by target"),
        ("t.csv --attribute colour --target colour", "`colour` cannot be the attribute and the target"),
        ("empty.csv --attribute colour", "`empty.csv` has no records"),
        ("many.csv --attribute name --target class", "`name` has 2001 distinct values; at most 2000 can be compared"),
        ("many.csv --attribute class --by target --target name", "the target `name` has 2001 classes; at most 100"),
    ] {
        let message = refused(&desk, &format!("taxonomy build {arguments} -o tree.txt"));
        assert!(message.contains(expected), "cutline taxonomy build {arguments}\n{message}");
    }
}
