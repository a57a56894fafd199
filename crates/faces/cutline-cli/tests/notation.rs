//! Numbers with a decimal comma, and tables whose header says what columns are.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

const COMMA: &str =
    "income;born;ill\n1.200,50;01.02.1980;no\n999;02.02.1980;no\n2.000.000;03.02.1980;yes\n2.500,5;04.02.1980;yes\n";
const SAID: &str = "--decimal , --thousands . --qid income:2 --target ill --keep born";

fn refused(desk: &Desk, arguments: &str) -> String {
    let output = desk.run(arguments);
    assert_eq!(output.status.code(), Some(2), "cutline {arguments}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_decimal_comma_is_read_everywhere_and_labels_are_plain() {
    let desk = Desk::with("t.csv", COMMA);
    let plain = COMMA.replace('.', "").replace(',', ".").replace("01021980", "a");
    desk.write("plain.csv", plain);
    desk.ok(&format!("anonymize t.csv {SAID} -o out"));
    desk.ok("anonymize plain.csv --qid income:2 --target ill --keep born -o plain");
    let labels =
        |table: &str| -> Vec<String> { table.lines().map(|line| line.split(';').next().unwrap().to_owned()).collect() };
    let table = desk.read("out/public/table.csv");
    assert_eq!(labels(&table), ["income", "<2500.5", "<2500.5", ">=2500.5", ">=2500.5"]);
    assert_eq!(labels(&table), labels(&desk.read("plain/public/table.csv")));
    assert!(table.contains("01.02.1980"), "what is published as it is keeps its text");
    desk.ok("apply out/public/recoding.json t.csv --decimal , --thousands . -o again.csv");
    assert_eq!(desk.read("again.csv"), table);
    desk.ok("init t.csv --decimal , --thousands . -o spec.toml");
    assert!(desk.read("spec.toml").contains("decimal = \",\"\nthousands = \".\"\n"), "{}", desk.read("spec.toml"));
}

#[test]
fn a_target_with_a_decimal_comma_is_a_number() {
    let desk = Desk::with("t.csv", "age;dose\n30;0,5\n31;0,75\n40;1,5\n41;2,25\n");
    desk.ok("anonymize t.csv --decimal , --qid age:2 --purpose regression --target dose -o out");
    assert!(desk.read("out/public/table.csv").contains("<40;0,5"));
}

#[test]
fn a_column_of_two_notations_is_refused() {
    let desk = Desk::with("t.csv", "income;x\n1,5;a\n1.234;a\n2,5;b\n3,5;b\n");
    let told = refused(&desk, "anonymize t.csv --decimal , --qid income:2 -o out");
    assert!(told.contains("`t.csv`: column `income`") && told.contains("--thousands ."), "{told}");
    let told = refused(&desk, "anonymize t.csv --decimal , --thousands , --qid income:2 -o out");
    assert!(told.contains("',' cannot stand"), "{told}");
    assert!(refused(&desk, "anonymize t.csv --decimal ,, --qid income:2 -o out").contains("one character"));
}

const ARFF: &str = "@relation people\n@attribute age numeric\n@attribute grade {1,2,3}\n@attribute 'lives in' {Bonn, 'New York'}\n@data\n\
                    30,1,Bonn\n30,1,'New York'\n40,2,Bonn\n40,2,?\n";

#[test]
fn the_header_of_arff_says_what_columns_are() {
    let desk = Desk::with("t.arff", ARFF);
    desk.ok("anonymize t.arff --qid age,grade:2 -o out");
    let recoding = desk.read("out/public/recoding.json");
    assert!(recoding.contains("\"suppress\"") && recoding.contains("\"discretize\""), "{recoding}");
    let table = desk.read("out/public/table.csv");
    assert!(table.starts_with("age,grade,lives in\n") && table.contains("New York"), "{table}");
    let told = desk.run("init t.arff -o spec.toml");
    assert!(told.status.success() && desk.read("spec.toml").contains("categorical"), "{}", desk.read("spec.toml"));
}

#[test]
fn what_the_header_of_arff_does_not_allow_is_told_with_its_place() {
    let desk = Desk::with("t.arff", ARFF.replace("40,2,?", "old,2,?"));
    let told = refused(&desk, "anonymize t.arff --qid age,grade:2 -o out");
    assert!(told.contains("`t.arff` line 9: column `age`: the value is no number") && !told.contains("old"), "{told}");
    desk.write("u.arff", ARFF.replace("40,2", "40,4"));
    assert!(refused(&desk, "anonymize u.arff --qid age,grade:2 -o out").contains("line 8: column `grade`"));
}

#[test]
fn formats_that_are_only_read_are_not_verified() {
    let desk = Desk::with("t.arff", ARFF);
    let told = refused(&desk, "verify t.arff --input-format arff --qid age:2");
    assert!(told.contains("ARFF") && told.contains("export"), "{told}");
}

/// `1,5` and `1,50` are one value of the verifier, too, and weights are numbers.
#[test]
fn the_verifier_reads_a_decimal_comma() {
    let desk = Desk::with("t.csv", "town;dose;weight\nUlm;1,5;2,5\nUlm;1,50;1.000,5\n");
    let verified = |flags: &str| desk.run(&format!("verify t.csv --qid town:2 {flags}")).status.code();
    assert_eq!(verified("--condition distinct-l:dose=2"), Some(0), "as texts they are two");
    assert_eq!(verified("--condition distinct-l:dose=2 --decimal ,"), Some(1));
    let told = desk.ok("verify t.csv --qid town:2 --weight weight --decimal , --thousands .");
    assert!(told.contains("of a population of about 1003"), "{told}");
    let refused =
        desk.run("anonymize t.csv --qid town:2 --condition distinct-l:dose=2 --decimal , --thousands . -o out");
    assert_eq!(refused.status.code(), Some(1), "the search and the recount agree");
    desk.ok("anonymize t.csv --qid town:2 --weight weight --decimal , --thousands . -o weighted");
}

#[test]
fn bounds_of_dates_and_trees_of_numbers_are_spoken_of_plainly() {
    let desk = Desk::with("t.csv", "age,birth\n30,1980-01-01\n31,1981-01-01\n40,1990-01-01\n41,1991-01-01\n");
    let said = refused(&desk, "anonymize t.csv --qid birth:2 --range birth=1900-01-01..2026-12-31 -o out");
    assert!(said.contains("`1900-01-01` is a date") && said.contains("the calendar"), "{said}");
    desk.write("age.txt", "Any\n  thirties\n    30\n    31\n  forties\n    40\n    41\n");
    desk.ok("anonymize t.csv --qid age:2 --drop birth --taxonomy age=age.txt -o out");
    assert!(desk.read("out/public/table.csv").contains("thirties"));
    let said = refused(&desk, "anonymize t.csv --qid age:2 --drop birth --taxonomy age=age.txt --continuous age -o no");
    assert!(said.contains("take back --continuous"), "{said}");
}
