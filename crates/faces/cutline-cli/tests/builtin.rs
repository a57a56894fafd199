//! Classifications that come with the program.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

const CODES: &str = "code,age\nI21.4,30\nI21.0,30\nI25.1,30\nJ45,30\nJ44,30\n";

fn refused(desk: &Desk, arguments: &str) -> String {
    let output = desk.run(arguments);
    assert_eq!(output.status.code(), Some(2), "cutline {arguments}");
    String::from_utf8(output.stderr).unwrap()
}

/// The first column of a table.
fn labels(table: &str) -> Vec<&str> {
    table.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect()
}

#[test]
fn every_classification_is_listed_with_source_and_licence() {
    let told = Desk::new().ok("taxonomy list");
    for name in ["countries", "countries-3", "country-names", "icd-10", "isco-08", "nace-2", "nuts"] {
        assert!(told.contains(&format!("builtin:{name}\n")), "{told}");
    }
    assert!(told.contains("Eurostat") && told.contains("M49") && told.contains("--taxonomy"), "{told}");
}

#[test]
fn countries_are_masked_to_regions_and_the_list_is_published() {
    let desk = Desk::with("t.csv", "country,ill\nFR,no\nDE,no\nTZ,yes\nKE,yes\n");
    desk.ok("anonymize t.csv --qid country:2 --target ill --taxonomy country=builtin:countries -o out");
    assert_eq!(labels(&desk.read("out/public/table.csv")), ["Europe", "Europe", "Africa", "Africa"]);
    // Everything is known: the recoding masks countries that its table did not have.
    desk.write("other.csv", "country,ill\nES,no\nIT,no\nMA,no\nEG,no\n");
    desk.ok("apply out/public/recoding.json other.csv -o masked.csv");
    assert_eq!(labels(&desk.read("masked.csv")), ["Europe", "Europe", "Africa", "Africa"]);
    assert!(desk.ok("taxonomy show builtin:country-names --cut Europe").contains("France"));
    let told = refused(&desk, "anonymize t.csv --qid country:2 --taxonomy country=builtin:countries-3 -o no");
    assert!(told.contains("`FR`") || told.contains("not in"), "{told}");
}

#[test]
fn codes_are_masked_along_their_classification_and_the_table_s_own_are_not_told() {
    let desk = Desk::with("t.csv", CODES);
    desk.ok("anonymize t.csv --qid code:2 --taxonomy code=builtin:icd-10 -o out");
    let table = desk.read("out/public/table.csv");
    assert_eq!(labels(&table), ["I20-I25", "I20-I25", "I20-I25", "J40-J47", "J40-J47"]);
    let recoding = desk.read("out/public/recoding.json");
    assert!(recoding.contains("I20-I25") && !recoding.contains("I21") && !recoding.contains("J44"), "{recoding}");
    // On another table the classification is named again, and its codes may be others.
    desk.write("other.csv", "code,age\nI20,30\nI24.8,30\nJ43.9,30\nJ47,30\n");
    let told = refused(&desk, "apply out/public/recoding.json other.csv -o masked.csv");
    assert!(told.contains("--taxonomy code="), "{told}");
    desk.ok("apply out/public/recoding.json other.csv --taxonomy code=builtin:icd-10 -o masked.csv");
    assert_eq!(labels(&desk.read("masked.csv")), ["I20-I25", "I20-I25", "J40-J47", "J40-J47"]);
}

#[test]
fn what_is_no_code_is_told_and_may_be_attached_to_the_root() {
    let desk = Desk::with("t.csv", format!("{CODES}heart,30\nlung,30\n"));
    let anonymize = "anonymize t.csv --qid code:2 --taxonomy code=builtin:icd-10";
    let told = refused(&desk, &format!("{anonymize} -o out"));
    assert!(told.contains("`code`") && told.contains("--unknown root"), "{told}");
    desk.ok(&format!("{anonymize} --unknown root -o out"));
    let told = refused(&desk, "anonymize t.csv --qid code:2 --taxonomy code=builtin:klingon -o no");
    assert!(told.contains("builtin:klingon") && told.contains("icd-10"), "{told}");
    let told = refused(&desk, "taxonomy show builtin:icd-10");
    assert!(told.contains("follows from the codes"), "{told}");
}

#[test]
fn a_spec_names_them_too() {
    let desk = Desk::with("t.csv", CODES);
    desk.write(
        "spec.toml",
        "[input]\npath = \"t.csv\"\n[[qid]]\nattributes = [\"code\"]\nk = 2\n[attributes.code]\ntaxonomy = \"builtin:icd-10\"\n",
    );
    std::fs::create_dir(desk.path("sub")).unwrap();
    std::fs::rename(desk.path("spec.toml"), desk.path("sub/spec.toml")).unwrap();
    std::fs::rename(desk.path("t.csv"), desk.path("sub/t.csv")).unwrap();
    desk.ok("anonymize sub/spec.toml -o out");
    assert!(desk.read("out/public/table.csv").contains("I20-I25"));
}
