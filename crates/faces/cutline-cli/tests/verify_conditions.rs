//! `cutline verify` with conditions on sensitive values, and with risk.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use serde_json::Value;
use support::Desk;

/// Three groups of four by (age, sex): the first has one diagnosis, the second two, the third four.
const WARD: &str = "age,sex,diagnosis,ward\n\
    <30,F,flu,a\n<30,F,flu,a\n<30,F,flu,b\n<30,F,flu,b\n\
    >=30,F,flu,a\n>=30,F,HIV,a\n>=30,F,HIV,b\n>=30,F,HIV,b\n\
    >=30,M,flu,a\n>=30,M,cold,a\n>=30,M,ulcer,b\n>=30,M,?,b\n";

fn json(desk: &Desk, arguments: &str) -> Value {
    serde_json::from_slice(&desk.run(arguments).stdout).unwrap()
}

#[test]
fn a_table_may_be_k_anonymous_and_break_a_condition() {
    let desk = Desk::with("t.csv", WARD);
    assert!(desk.run("verify t.csv --qid age,sex:4").status.success());
    for (condition, violating, worst) in [
        ("--condition distinct-l:diagnosis=2", 1, "1"),
        ("--condition distinct-l:diagnosis=3", 2, "1"),
        ("--condition entropy-l:diagnosis=1.7", 1, "1"),
        ("--condition recursive-l:diagnosis=2,2", 2, "∞"),
        ("--condition alpha:diagnosis=0.75", 1, "1"),
        ("--condition t-close:diagnosis=0.4", 3, "0.5000"),
        ("--bound diagnosis=HIV<=0.5", 1, "0.7500"),
    ] {
        let arguments = format!("verify t.csv --qid age,sex:4 {condition} --null ?");
        let output = desk.run(&arguments);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{condition}\n{text}");
        let line = text.lines().find(|line| line.contains("diagnosis=")).unwrap();
        assert!(line.ends_with("DOES NOT HOLD") && line.contains(&format!("  {worst}  ")), "{text}");
        let found = json(&desk, &format!("{arguments} --json"));
        assert_eq!(found["holds"], false);
        assert_eq!(found["qids"][0]["conditions"][0]["violating_groups"], violating, "{condition}");
        assert_eq!(found["qids"][0]["anonymity"], 4);
    }
    desk.ok("verify t.csv --qid age,sex:4 --condition alpha:diagnosis=1 --bound diagnosis=HIV<=0.75");
}

#[test]
fn the_risk_is_told_in_figures_and_plain_words() {
    let desk = Desk::with("t.csv", WARD);
    insta::assert_snapshot!(desk.ok("verify t.csv --qid age,sex:4 --qid ward:6 --sensitive diagnosis --union"));
    let found = json(&desk, "verify t.csv --qid age,sex:4 --qid ward:6 --union --json");
    assert_eq!(found["qids"][0]["risk"]["prosecutor"]["highest"], 0.25);
    assert_eq!(found["qids"][0]["risk"]["below"][2]["share"], 1.0);
    assert_eq!(found["union"]["risk"]["smallest"], 2);
    assert!(json(&desk, "verify t.csv --qid age,sex:4 --json").get("union").is_none());
}

#[test]
fn values_are_shown_only_if_asked_for() {
    let desk = Desk::with("t.csv", WARD);
    for flags in ["", " --json"] {
        let arguments =
            format!("verify t.csv --qid age,sex:4 --sensitive diagnosis --condition distinct-l:diagnosis=1{flags}");
        let quiet = desk.ok(&arguments);
        let told = desk.ok(&format!("{arguments} --show-values"));
        for value in ["HIV", "ulcer", "<30"] {
            assert!(!quiet.contains(value) && told.contains(value), "{value}\n{quiet}{told}");
        }
    }
}

#[test]
fn missing_sensitive_values_add_no_diversity() {
    let desk = Desk::with("t.csv", "age,ill\n1,?\n1,\n1,NA\n1,flu\n");
    let distinct = |flags: &str| {
        let found = json(&desk, &format!("verify t.csv --qid age:2 --condition distinct-l:ill=2 --json {flags}"));
        found["qids"][0]["conditions"][0]["worst"].as_f64().unwrap()
    };
    assert_eq!((distinct(""), distinct("--null ?"), distinct("--null ? --null NA")), (3.0, 2.0, 1.0));
    // A release knows what stands for a missing value.
    desk.ok("anonymize t.csv --qid age:2 --null ? --null NA -o out");
    let found = json(&desk, "verify out --qid age:2 --condition distinct-l:ill=2 --json");
    assert_eq!(found["qids"][0]["conditions"][0]["worst"], 1.0);
}

#[test]
fn conditions_that_make_no_sense_are_refused() {
    let desk = Desk::with("t.csv", WARD);
    for condition in [
        "--condition l:diagnosis=3",
        "--condition distinct-l:diagnosis",
        "--condition alpha:diagnosis=2",
        "--condition distinct-l:age=2",
        "--condition distinct-l:diagnosi=2",
        "--bound diagnosis=HIV",
        "--sensitive sex",
    ] {
        let output = desk.run(&format!("verify t.csv --qid age,sex:4 {condition}"));
        assert_eq!(output.status.code(), Some(2), "{condition}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "), "{condition}");
    }
}
