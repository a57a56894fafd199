//! Where the line must be open and where it must stay closed, as a user says it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use serde_json::Value;

use support::{Desk, root};

const USUAL: &str = "anonymize patients.csv --qid birth_year,sex,zip:20 --target readmitted --drop patient_id --shuffle --range birth_year=1900..2026 -q";

fn desk() -> Desk {
    Desk::with("patients.csv", std::fs::read(root().join("examples/patients.csv")).unwrap())
}

/// The bounds of birth years, and the sexes that are told.
fn line(desk: &Desk, folder: &str) -> (Vec<f64>, Vec<String>) {
    let recoding: Value = serde_json::from_str(&desk.read(&format!("{folder}/public/recoding.json"))).unwrap();
    let attributes = &recoding["attributes"];
    let bounds = attributes["birth_year"]["bounds"].as_array().unwrap().iter().map(|bound| bound.as_f64().unwrap());
    let told =
        attributes["sex"]["disclosed"].as_array().unwrap().iter().map(|value| value.as_str().unwrap().to_owned());
    (bounds.collect(), told.collect())
}

#[test]
fn flags_and_specs_say_where_the_line_is() {
    let desk = desk();
    desk.ok(&format!("{USUAL} -o free"));
    desk.ok(&format!("{USUAL} --pin-open birth_year=1970 --pin-closed birth_year=* --pin-closed sex=* -o pinned"));
    assert_ne!(line(&desk, "free"), line(&desk, "pinned"));
    assert_eq!(line(&desk, "pinned"), (vec![1900.0, 1970.0, 2026.0], vec![]));
    desk.write(
        "release.toml",
        "[input]\npath = \"patients.csv\"\n[purpose]\ntarget = \"readmitted\"\n[[qid]]\nattributes = [\"birth_year\", \"sex\", \"zip\"]\nk = 20\n\
         [output]\nshuffle = true\n[attributes.patient_id]\nidentifier = \"drop\"\n[attributes.birth_year]\nrange = [1900, 2026]\nopen = [\"1970\"]\n\
         closed = [\"*\"]\n[attributes.sex]\nclosed = [\"*\"]\n",
    );
    desk.ok("anonymize release.toml -q -o by-spec");
    assert_eq!(line(&desk, "by-spec"), line(&desk, "pinned"));
    assert!(desk.ok("verify pinned").contains("holds"));
}

#[test]
fn dates_are_pinned_by_dates() {
    let rows = (0..400).map(|i| format!("{}-{:02}-05,{}\n", 1950 + i % 40, 1 + i % 12, ["x", "y"][i % 2]));
    let desk = Desk::with("t.csv", format!("birth,kind\n{}", rows.collect::<String>()));
    let usual = "anonymize t.csv --qid birth:65 --target kind --date birth -q";
    desk.ok(&format!("{usual} --pin-open birth=1963 --pin-closed birth=1970s -o pinned"));
    let table = desk.read("pinned/public/table.csv");
    let mut labels: Vec<&str> = table.lines().skip(1).filter_map(|line| Some(line.rsplit_once(',')?.0)).collect();
    labels.sort_unstable();
    labels.dedup();
    assert_eq!(labels, ["\"[1963, 1970)\"", "1970s", "<1963", ">=1980"]);
    let wrong = desk.run(&format!("{usual} --pin-open birth=young -o refused"));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("is no date"));
}

#[test]
fn what_cannot_be_is_refused_by_whom_it_concerns() {
    let desk = desk();
    let years: Vec<String> = (1930..1990).map(|year| format!("--pin-open birth_year={year}")).collect();
    for (said, status, told) in [
        (&years.join(" ")[..], 1, "with what must be open"),
        ("--pin-open sex=neither", 2, "is none of its values"),
        ("--pin-open birth_year=young", 2, "is no number"),
        ("--pin-open readmitted=yes", 2, "it is in no QID"),
        ("--pin-open birth_year=1970 --algorithm bottom-up", 2, "draws it as it likes"),
        ("--pin-open birth_year=1970 --pin-closed birth_year=[1960-1980)", 2, "has a bound in it"),
    ] {
        let output = desk.run(&format!("{USUAL} {said} -o refused"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{said}\n{errors}");
        assert!(errors.contains(told), "{said}\n{errors}");
        assert!(!desk.path("refused").exists());
    }
}
