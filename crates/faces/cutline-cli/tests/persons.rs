//! k records of one person protect nobody: where a column says which person a record is about, persons are counted.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

/// Five visits of one patient and one of another.
const VISITS: &str = "patient,sex\nann,F\nann,F\nann,F\nann,F\nann,F\nbea,F\n";

fn told(desk: &Desk, command: &str) -> String {
    let output = desk.run(command);
    assert!(output.status.success(), "cutline {command}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn visits_of_one_patient_are_no_group_of_persons() {
    let desk = Desk::with("visits.csv", VISITS);
    let counted = desk.run("verify visits.csv --qid sex:5 --person patient --json");
    assert_eq!(counted.status.code(), Some(1));
    let verdict: serde_json::Value = serde_json::from_slice(&counted.stdout).unwrap();
    assert_eq!((&verdict["holds"], &verdict["records"]), (&false.into(), &6.into()));
    assert_eq!(verdict["qids"][0]["persons"]["smallest"], 2);
    assert!(!verdict.to_string().contains("ann"), "{verdict}");
    desk.ok("verify visits.csv --qid sex:2 --person patient");
    assert_eq!(told(&desk, "verify visits.csv --qid sex:5"), "", "nothing says which column means persons");
}

#[test]
fn tokens_of_a_release_mean_persons() {
    let desk = Desk::with("visits.csv", VISITS);
    desk.ok("anonymize visits.csv --qid sex:5 --tokenize patient -o out");
    let errors = told(&desk, "verify out --qid sex:5");
    assert!(errors.contains("note: `patient` repeats: 6 records, 2 persons"), "{errors}");
}

/// Two persons with five records each are found with a chance of one half, not of one tenth.
#[test]
fn the_risk_is_that_of_persons() {
    let row = |patient: &str| format!("{patient},Ulm,F\n").repeat(5);
    let desk = Desk::with("visits.csv", format!("patient,town,sex\n{}{}", row("ann"), row("bea")));
    desk.ok("anonymize visits.csv --qid town:2 --qid sex:2 --person patient -o out");
    let report = |path: &str| serde_json::from_str::<serde_json::Value>(&desk.read(path)).unwrap();
    let private = report("out/private/report.json");
    assert_eq!(private["qids"][0]["risk"]["prosecutor"]["highest"], 0.5);
    assert!(desk.read("out/private/report.html").contains("50 % (1 in 2)"));
    // The table does not tell whose records are whose: nothing but the bound is public.
    let public = report("out/public/report.json");
    assert_eq!(public["qids"][0].get("risk"), None);
    assert_eq!((&private["union_risk"]["prosecutor"]["highest"], public.get("union_risk")), (&0.5.into(), None));
    let told = desk.ok("verify visits.csv --qid town:2 --qid sex:2 --person patient --union");
    assert_eq!(told.matches("prosecutor, highest  50.00 %").count(), 3, "{told}");
    assert!(desk.read("out/public/report.html").contains("at most 50 % (1 in 2)"));
}

#[test]
fn a_column_that_does_not_repeat_is_not_mentioned() {
    let desk = Desk::with("persons.csv", "patient,sex\nann,F\nbea,F\n");
    assert_eq!(told(&desk, "verify persons.csv --qid sex:2 --person patient"), "");
    let unknown = desk.run("verify persons.csv --qid sex:2 --person name");
    assert_eq!(unknown.status.code(), Some(2));
}

/// Twenty visits of one patient from Ulm, and five patients from Bonn with four visits each.
fn visits() -> String {
    let ulm = (0..20).map(|visit| format!("ann,Ulm,F,{visit}\n"));
    let bonn = (0..20).map(|visit| format!("p{},Bonn,M,{visit}\n", visit % 5));
    std::iter::once("patient,town,sex,visit\n".to_owned()).chain(ulm).chain(bonn).collect()
}

#[test]
fn twenty_visits_of_one_patient_are_published_as_a_group_unless_persons_are_counted() {
    let desk = Desk::with("visits.csv", visits());
    desk.ok("anonymize visits.csv --qid town:5 --drop patient -o records");
    assert!(desk.read("records/public/table.csv").contains("Ulm"));
    desk.ok("anonymize visits.csv --qid town:5 --person patient -o persons");
    let published = desk.read("persons/public/table.csv");
    assert!(!published.contains("Ulm") && !published.contains("ann"), "{published}");
    assert!(published.starts_with("town,sex,visit\n*,F,0\n"), "the patient is not published: {published}");
    let recoding: serde_json::Value = serde_json::from_str(&desk.read("persons/public/recoding.json")).unwrap();
    assert_eq!(recoding["requirement"]["person"], "patient");
    let refused = desk.run("anonymize visits.csv --qid town:7 --person patient -o none");
    assert_eq!(refused.status.code(), Some(1));
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("the table has 6 persons, fewer than k = 7"), "{message}");
}

/// What a folder says to the public does not depend on who is behind the records, beyond the recoding.
#[test]
fn how_many_persons_a_group_has_is_told_to_the_steward_alone() {
    let desk = Desk::with("visits.csv", visits());
    desk.ok("anonymize visits.csv --qid sex:1 --person patient -o out");
    let report = |part: &str| -> serde_json::Value {
        serde_json::from_str(&desk.read(&format!("out/{part}/report.json"))).unwrap()
    };
    let (private, public) = (report("private"), report("public"));
    assert_eq!(private["qids"][0]["persons"]["sizes"], serde_json::json!([[1, 1], [5, 1]]));
    assert_eq!(private["qids"][0]["sizes"], serde_json::json!([[20, 2]]));
    assert_eq!(public["qids"][0]["sizes"], serde_json::json!([[20, 2]]));
    assert_eq!(
        (&public["qids"][0]["persons"], &public["spec"]["person"]),
        (&serde_json::Value::Null, &"patient".into())
    );
}

/// Every search, in every order of the records, with and without tokens: `verify` counts the same persons.
#[test]
fn persons_are_recounted_in_every_format_and_order() {
    let desk = Desk::with("visits.csv", visits());
    for (number, flags) in [
        "--algorithm refine --format parquet",
        "--algorithm bottom-up --shuffle",
        "--algorithm genetic --format arrow",
        "--algorithm tds --suppress-limit 60% --shuffle",
        "--suppress-limit 60% --suppress-how drop --shuffle --threads 1",
    ]
    .into_iter()
    .enumerate()
    {
        desk.ok(&format!("anonymize visits.csv --qid town,sex:5 --person patient {flags} -o out{number}"));
        desk.ok(&format!(
            "anonymize visits.csv --qid town,sex:5 --person patient --tokenize patient {flags} -o t{number}"
        ));
        let verdict: serde_json::Value = serde_json::from_str(&desk.ok(&format!("verify t{number} --json"))).unwrap();
        assert!(verdict["qids"][0]["persons"]["smallest"].as_u64().unwrap() >= 5, "{flags}: {verdict}");
    }
}

#[test]
fn a_recoding_that_counts_persons_counts_those_of_the_next_table() {
    let desk = Desk::with("visits.csv", visits());
    desk.ok("anonymize visits.csv --qid sex:1 --person patient -o out");
    let edit = desk.read("out/public/recoding.json").replace("\"k\": 1", "\"k\": 5");
    desk.write("recoding.json", edit);
    let refused = desk.run("apply recoding.json visits.csv -o again.csv");
    assert_eq!(refused.status.code(), Some(1));
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("the smallest group of {sex} has 1 persons, k is 5"), "{message}");
    desk.write("others.csv", visits().replace("ann,Ulm,F,1", "bea,Ulm,F,1"));
    let edit = desk.read("recoding.json").replace("\"k\": 5", "\"k\": 2");
    desk.write("recoding.json", edit);
    desk.ok("apply recoding.json others.csv -o again.csv");
    desk.write("nameless.csv", "town,sex,visit\nUlm,F,1\n");
    assert_eq!(desk.run("apply recoding.json nameless.csv -o none.csv").status.code(), Some(2));
}

/// Whoever finds twenty records of one person has found that person.
#[test]
fn an_attack_on_records_of_one_person_finds_the_person() {
    let desk = Desk::with("visits.csv", visits());
    let attack = |flags: &str| -> serde_json::Value {
        let told = desk.ok(&format!("attack visits.csv visits.csv --on town --truth record --json {flags}"));
        serde_json::from_str(&told).unwrap()
    };
    assert_eq!(attack("")["attacks"][0]["fewest"], 20);
    let counted = &attack("--person patient")["attacks"][0];
    assert_eq!((&counted["fewest"], &counted["highest_success"]), (&1.into(), &1.0.into()));
    assert_eq!(counted["truth"]["highest_success"], 1.0);
}

#[test]
fn init_says_that_an_identifier_repeats() {
    let desk = Desk::with("visits.csv", visits().replace("patient,", "patient_id,"));
    let told = desk.ok("init visits.csv");
    assert!(told.contains("`patient_id` repeats: 40 records have 6 different values"), "{told}");
    let spec = desk.read("release.toml");
    assert!(spec.contains("\n# person = \"patient_id\"\n\n[input]"), "{spec}");
}
