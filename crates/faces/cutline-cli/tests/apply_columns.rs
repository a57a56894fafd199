//! `apply` publishes the columns that the release had, and no other one unless it is named.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

/// A release of `id` (dropped), `card` (a token), `age`, `sex` and `ward`.
fn desk() -> Desk {
    let desk = Desk::with("t.csv", "id,card,age,sex,ward\n1,a,30,M,x\n2,b,30,M,y\n3,c,40,F,x\n4,d,40,F,y\n");
    desk.ok("anonymize t.csv --qid age,sex:2 --range age=0..120 --drop id --tokenize card -o out");
    desk
}

fn header(desk: &Desk, name: &str) -> String {
    desk.read(name).lines().next().unwrap().to_owned()
}

const FURTHER: &str = "patient,age,sex,ssn,ward\n1,35,M,123-45,x\n2,35,M,678-90,y\n";

#[test]
fn the_recoding_tells_the_published_columns() {
    let desk = desk();
    let recoding: serde_json::Value = serde_json::from_str(&desk.read("out/public/recoding.json")).unwrap();
    assert_eq!(recoding["columns"], serde_json::json!(["card", "age", "sex", "ward"]));
}

#[test]
fn columns_that_the_release_did_not_have_are_refused() {
    let desk = desk();
    desk.write("new.csv", FURTHER);
    let refused = desk.run("apply out/public/recoding.json new.csv -o new-out.csv");
    let errors = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{errors}");
    assert!(errors.contains("columns `patient`, `ssn`"), "{errors}");
    assert!(errors.contains("--keep patient") && errors.contains("--drop patient"), "{errors}");
    assert!(!errors.contains("123-45") && !desk.path("new-out.csv").exists());
}

#[test]
fn named_columns_are_published_or_left_out() {
    let desk = desk();
    desk.write("new.csv", FURTHER);
    desk.ok("apply out/public/recoding.json new.csv --drop patient,ssn -o dropped.csv");
    assert_eq!(header(&desk, "dropped.csv"), "age,sex,ward");
    desk.ok("apply out/public/recoding.json new.csv --keep patient --drop ssn -o kept.csv");
    assert_eq!(header(&desk, "kept.csv"), "patient,age,sex,ward");
    desk.ok("apply out/public/recoding.json new.csv --tokenize patient --tokenize ssn -o tokens.csv");
    assert!(!desk.read("tokens.csv").contains("123-45"));
}

#[test]
fn identifiers_of_the_release_stay_identifiers() {
    let desk = desk();
    desk.ok("apply out/public/recoding.json t.csv -o again.csv");
    assert_eq!(header(&desk, "again.csv"), "card,age,sex,ward");
    assert!(!desk.read("again.csv").contains("\na,"), "a token takes its place");
    for name in ["id", "card", "age"] {
        let refused = desk.run(&format!("apply out/public/recoding.json t.csv --keep {name} -o no.csv"));
        assert_eq!(refused.status.code(), Some(2), "{name}");
    }
    let unknown = desk.run("apply out/public/recoding.json t.csv --keep wrad -o no.csv");
    assert!(String::from_utf8(unknown.stderr).unwrap().contains("did you mean `ward`?"));
}

#[test]
fn a_recoding_that_does_not_tell_columns_publishes_what_it_masks_and_what_is_named() {
    let desk = desk();
    let mut recoding: serde_json::Value = serde_json::from_str(&desk.read("out/public/recoding.json")).unwrap();
    recoding.as_object_mut().unwrap().remove("columns");
    desk.write("old.json", recoding.to_string());
    let applied = desk.run("apply old.json t.csv -o masked.csv");
    assert!(applied.status.success());
    assert!(String::from_utf8(applied.stderr).unwrap().contains("left out: ward"));
    assert_eq!(header(&desk, "masked.csv"), "card,age,sex");
    desk.ok("apply old.json t.csv --keep ward -o kept.csv");
    assert_eq!(header(&desk, "kept.csv"), "card,age,sex,ward");
}

#[test]
fn conditions_of_the_release_stay_where_another_threshold_is_said() {
    let desk = Desk::with("t.csv", "age,sex,ill\n30,M,flu\n30,M,hiv\n40,F,flu\n40,F,hiv\n");
    desk.ok("anonymize t.csv --qid age,sex:2 --range age=0..120 --condition distinct-l:ill=2 -o out");
    desk.write("alike.csv", "age,sex,ill\n30,M,hiv\n30,M,hiv\n40,F,hiv\n40,F,hiv\n");
    for qid in ["", "--qid age,sex:2", "--qid sex,age:1", "--qid sex:2"] {
        let refused = desk.run(&format!("apply out/public/recoding.json alike.csv {qid} -o no.csv"));
        assert!(!refused.status.success() && !desk.path("no.csv").exists(), "{qid}");
    }
    desk.ok("apply out/public/recoding.json t.csv --qid age,sex:2 -o again.csv");
}

#[test]
fn a_masked_column_is_neither_dropped_nor_tokenized() {
    let desk = desk();
    for how in ["drop", "tokenize"] {
        let refused = desk.run(&format!("apply out/public/recoding.json t.csv --{how} age -o no.csv"));
        assert_eq!(refused.status.code(), Some(2), "{how}");
        assert!(!desk.path("no.csv").exists());
    }
}

/// Whoever says that an attacker knows a column does not say that it may be published, and k = 1 asks for nothing.
#[test]
fn a_qid_of_a_column_that_nobody_masks_does_not_publish_it() {
    let desk = desk();
    desk.write("new.csv", FURTHER);
    let refused = desk.run("apply out/public/recoding.json new.csv --qid ssn:1 --drop patient -o no.csv");
    let errors = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(2) && errors.contains("`ssn`"), "{errors}");
    let mut recoding: serde_json::Value = serde_json::from_str(&desk.read("out/public/recoding.json")).unwrap();
    recoding.as_object_mut().unwrap().remove("columns");
    desk.write("old.json", recoding.to_string());
    assert_eq!(desk.run("apply old.json new.csv --qid ssn:1 --drop patient -o no.csv").status.code(), Some(2));
    assert!(!desk.path("no.csv").exists());
    desk.ok("apply out/public/recoding.json new.csv --qid ssn:1 --drop patient --keep ssn -o kept.csv");
    assert_eq!(header(&desk, "kept.csv"), "age,sex,ssn,ward");
}

#[test]
fn a_further_qid_takes_nothing_back_that_was_promised() {
    let desk = desk();
    desk.write("new.csv", "age,sex,ward\n30,M,x\n30,M,y\n40,F,x\n");
    for further in ["", "--qid ward:1", "--qid age:1 --qid sex:1"] {
        let refused = desk.run(&format!("apply out/public/recoding.json new.csv {further} -o no.csv"));
        assert!(refused.status.code() == Some(1) && !desk.path("no.csv").exists(), "{further}");
    }
    desk.ok("apply out/public/recoding.json new.csv --qid sex,age:1 -o again.csv");
}

/// What is read is not replaced by what is written: the raw table would be gone.
#[test]
fn an_input_is_never_the_output() {
    let desk = desk();
    desk.write("zip.txt", "Any\n  1\n  2\n");
    let before = desk.read("t.csv");
    for output in ["t.csv", "./t.csv", "out/public/recoding.json", "zip.txt"] {
        let flags = "--format csv --force --taxonomy zip=zip.txt";
        let refused = desk.run(&format!("apply out/public/recoding.json t.csv {flags} -o {output}"));
        let errors = String::from_utf8(refused.stderr).unwrap();
        assert!(refused.status.code() == Some(2) && errors.contains("is an input"), "{output}: {errors}");
    }
    assert_eq!(desk.read("t.csv"), before);
}
