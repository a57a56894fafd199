//! k counts records: where a column says that several are about the same person, `verify` says so.
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
    let errors = told(&desk, "verify visits.csv --qid sex:5 --person patient");
    assert!(errors.contains("note: `patient` repeats: 6 records, 2 persons"), "{errors}");
    assert!(!errors.contains("ann"), "{errors}");
    assert_eq!(told(&desk, "verify visits.csv --qid sex:5"), "", "nothing says which column means persons");
}

#[test]
fn tokens_of_a_release_mean_persons() {
    let desk = Desk::with("visits.csv", VISITS);
    desk.ok("anonymize visits.csv --qid sex:5 --tokenize patient -o out");
    let errors = told(&desk, "verify out --qid sex:5");
    assert!(errors.contains("note: `patient` repeats: 6 records, 2 persons"), "{errors}");
}

#[test]
fn a_column_that_does_not_repeat_is_not_mentioned() {
    let desk = Desk::with("persons.csv", "patient,sex\nann,F\nbea,F\n");
    assert_eq!(told(&desk, "verify persons.csv --qid sex:2 --person patient"), "");
    let unknown = desk.run("verify persons.csv --qid sex:2 --person name");
    assert_eq!(unknown.status.code(), Some(2));
}
