//! Two releases of overlapping tables, compared before the second one is published.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

const TABLE: &str = "age,sex,ill\n30,M,flu\n30,M,flu\n30,M,gout\n40,F,flu\n40,F,flu\n40,F,gout\n";

fn desk() -> Desk {
    let desk = Desk::with("t.csv", TABLE);
    desk.ok("anonymize t.csv --qid age,sex:3 --range age=0..120 -o out");
    desk
}

/// The command's status and what it says on standard error.
fn ends(desk: &Desk, command: &str) -> (Option<i32>, String) {
    let output = desk.run(command);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

const APPLY: &str = "apply out/public/recoding.json new.csv -o new-out.csv --force";

#[test]
fn one_new_person_is_not_told_by_comparing() {
    let desk = desk();
    desk.write("new.csv", format!("{TABLE}35,M,mumps\n"));
    let (status, errors) = ends(&desk, &format!("{APPLY} --against out"));
    assert_eq!(status, Some(1), "{errors}");
    assert!(errors.contains("1 record in 1 group of {age, sex}"), "{errors}");
    assert!(!errors.contains("mumps") && !desk.path("new-out.csv").exists());
    let (status, errors) = ends(&desk, APPLY);
    assert_eq!(status, Some(0));
    assert!(errors.contains("note:") && errors.contains("--against"), "{errors}");
}

#[test]
fn an_unmasked_value_that_changed_is_not_told_by_comparing() {
    let desk = desk();
    desk.write("new.csv", TABLE.replacen("flu", "mumps", 1));
    assert_eq!(ends(&desk, &format!("{APPLY} --against out")).0, Some(1));
    assert!(!desk.path("new-out.csv").exists());
    let (status, errors) = ends(&desk, "anonymize new.csv --qid age,sex:3 --range age=0..120 -o again --against out");
    assert_eq!(status, Some(1), "{errors}");
    assert_eq!(desk.names(), ["new.csv", "out", "t.csv"]);
}

#[test]
fn many_new_persons_and_none_are_published() {
    let desk = desk();
    desk.write("new.csv", format!("{TABLE}35,M,mumps\n35,M,flu\n35,M,gout\n"));
    let (status, errors) = ends(&desk, &format!("{APPLY} --against out"));
    assert_eq!(status, Some(0), "{errors}");
    assert!(!errors.contains("note:"), "{errors}");
    desk.write("new.csv", TABLE);
    assert_eq!(ends(&desk, &format!("{APPLY} --against out/public")).0, Some(0));
    assert_eq!(ends(&desk, "anonymize new.csv --qid age,sex:3 --range age=0..120 -o again --against out").0, Some(0));
}

/// Of sixteen persons and another one, exported in two years.
fn exported(year: u32, more: &str) -> String {
    let record = |age: u32, ill: &str| format!("{age},M,{ill},{year},2.5{}\n", if year == 2026 { "0" } else { "" });
    let records: String = (0..16).map(|n| record(30 + n / 8 * 10, ["flu", "gout"][n as usize % 2])).collect();
    format!("age,sex,ill,exported,rate\n{records}{}", if more.is_empty() { String::new() } else { record(30, more) })
}

#[test]
fn a_column_that_differs_everywhere_does_not_hide_a_new_person() {
    let desk = Desk::with("t.csv", exported(2025, ""));
    desk.ok("anonymize t.csv --qid age,sex:5 --range age=0..120 -o out");
    for more in ["mumps", "flu"] {
        desk.write("new.csv", exported(2026, more));
        let (status, errors) = ends(&desk, &format!("{APPLY} --against out"));
        assert_eq!(status, Some(1), "{errors}");
        let again = "anonymize new.csv --qid age,sex:5 --range age=0..120 -o again --against out";
        assert_eq!(ends(&desk, again).0, Some(1));
    }
    desk.write("new.csv", exported(2026, ""));
    let (status, errors) = ends(&desk, &format!("{APPLY} --against out"));
    assert_eq!(status, Some(0), "the same persons, though all cells of a column changed: {errors}");
}

#[test]
fn a_number_that_is_written_otherwise_does_not_hide_a_new_person() {
    let desk = Desk::with("t.csv", exported(2025, ""));
    desk.ok("anonymize t.csv --qid age,sex:5 --range age=0..120 --drop exported -o out");
    desk.write("new.csv", exported(2026, "mumps"));
    let (status, errors) = ends(&desk, &format!("{APPLY} --against out"));
    assert_eq!(status, Some(1), "{errors}");
    assert!(errors.contains("1 record in 1 group"), "{errors}");
}

#[test]
fn tokens_are_new_in_each_release_and_are_not_compared() {
    let desk = Desk::with("t.csv", "id,age\n1,30\n2,30\n3,40\n4,40\n");
    desk.ok("anonymize t.csv --qid age:2 --tokenize id -o out");
    desk.ok("apply out/public/recoding.json t.csv -o again.csv --against out");
}

#[test]
fn what_is_no_release_is_refused() {
    let desk = desk();
    desk.write("new.csv", TABLE);
    assert_eq!(ends(&desk, &format!("{APPLY} --against nowhere")).0, Some(2));
}

/// What separates fields is not always what a first look takes for it: any character can, and names may have a comma in them.
#[test]
fn an_earlier_release_is_read_as_it_was_written() {
    for delimiter in ["|", ";"] {
        let table = |more: &str| {
            let record = |n: usize| format!("{},{},{}\n", 30 + n / 8 * 10, ["flu", "gout"][n % 2], n % 5);
            let records: String = (0..16).map(record).collect();
            // Enough new persons, but not in one group.
            format!("age,ill,visits\n{records}{more}").replace(',', delimiter).replace("visits", "visits, all")
        };
        let desk = Desk::with("t.csv", table(""));
        let how = format!("--qid age:5 --range age=0..120 --delimiter {delimiter}");
        desk.ok(&format!("anonymize t.csv {how} -o out"));
        desk.write("new.csv", table(&("30,flu,1\n".repeat(4) + &"40,flu,1\n".repeat(4))));
        let (status, errors) = ends(&desk, &format!("{APPLY} --delimiter {delimiter} --against out"));
        assert!(status == Some(1) && errors.contains("in 2 groups of {age}"), "{delimiter} {errors}");
        assert_eq!(ends(&desk, &format!("anonymize new.csv {how} -o again --against out")).0, Some(1), "{delimiter}");
        desk.write("new.csv", table(""));
        assert_eq!(ends(&desk, &format!("{APPLY} --delimiter {delimiter} --against out")).0, Some(0), "{delimiter}");
        desk.ok("verify out");
    }
}
