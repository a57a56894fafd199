//! A recoding says everything about its release: applied to the same table, it publishes the same table.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

fn same_again(desk: &Desk, flags: &str) -> String {
    let told = desk.ok(&format!("apply out/public/recoding.json t.csv {flags} -o again.csv --force"));
    assert_eq!(desk.read("again.csv"), desk.read("out/public/table.csv"), "{flags}");
    told
}

/// Records that lack an age, a target, or a note that is only published.
fn lacking() -> Desk {
    let record = |n: usize| match n {
        3 => ",M,yes,n\n".to_owned(),
        5 => "30,F,,n\n".to_owned(),
        7 => "30,F,no,\n".to_owned(),
        _ => format!("{},{},{},n\n", 20 + n % 4 * 10, ["F", "M"][n % 2], ["yes", "no"][n % 3 % 2]),
    };
    Desk::with("t.csv", "age,sex,ill,note\n".to_owned() + &(0..40).map(record).collect::<String>())
}

#[test]
fn records_that_were_left_out_for_a_missing_value_are_left_out_again() {
    let desk = lacking();
    for (missing, left_out, budget) in
        [("drop", 2, ""), ("complete", 3, ""), ("drop", 2, "--suppress-limit 10%"), ("value", 0, "")]
    {
        desk.ok(&format!("anonymize t.csv --qid age,sex:3 --target ill --missing {missing} {budget} -o out --force"));
        let told = same_again(&desk, "");
        let said = told.contains(&format!(", {left_out} left out for a missing value"));
        assert_eq!(said, left_out > 0, "{missing}: {told}");
    }
}

#[test]
fn the_recoding_names_the_columns_that_must_have_a_value() {
    let desk = lacking();
    let required = |missing: &str| {
        desk.ok(&format!("anonymize t.csv --qid age,sex:3 --target ill --missing {missing} -o out --force"));
        let recoding: serde_json::Value = serde_json::from_str(&desk.read("out/public/recoding.json")).unwrap();
        recoding["required"].clone()
    };
    assert_eq!(required("drop"), serde_json::json!(["age", "sex", "ill"]));
    assert_eq!(required("complete"), serde_json::json!(["age", "sex", "ill", "note"]));
    assert_eq!(required("value"), serde_json::Value::Null);
    // A table without the target can be masked all the same.
    required("drop");
    desk.write("new.csv", "age,sex,note\n,M,n\n20,F,n\n20,F,n\n20,F,n\n");
    desk.ok("apply out/public/recoding.json new.csv -o new-out.csv");
    assert_eq!(desk.read("new-out.csv").lines().count(), 4);
}

/// Two rare towns of a private region, and two that the taxonomy does not have: under labels of their own all of them are suppressed.
fn towns(private: &str) -> Desk {
    let mut csv = "town,sex\n".to_owned();
    for n in 0..60 {
        csv += &format!("{},{}\n", ["Kiel", "Bonn", "Rome"][n % 3], ["F", "M"][n / 3 % 2]);
    }
    csv += "Oslo,F\nOslo,F\nVaasa,F\nTurku,F\nLyon,F\nNice,F\n";
    let desk = Desk::with("t.csv", csv);
    desk.write(
        "town.txt",
        "Any\n  Germany\n    Kiel\n    Bonn\n  Italy\n    Rome\n  North\n    Oslo\n    Vaasa\n    Turku\n",
    );
    desk.ok(&format!(
        "anonymize t.csv --qid town,sex:2 --taxonomy town=town.txt {private} --unknown root --suppress-limit 20% -o out"
    ));
    desk
}

#[test]
fn what_only_suppressed_records_show_of_a_taxonomy_is_no_label_of_its_own() {
    let public = towns("");
    same_again(&public, "--unknown root");
    let table = public.read("out/public/table.csv");
    assert!(!["Lyon", "Nice"].iter().any(|town| table.contains(town)), "{table}");
    assert_eq!(table.matches("Any,F").count(), 2, "both have the root's label: {table}");
    let private = towns("--private-taxonomy town");
    same_again(&private, "--unknown root --taxonomy town=town.txt");
    let recoding = private.read("out/public/recoding.json");
    for hidden in ["Lyon", "Nice", "Vaasa", "Turku"] {
        assert!(!recoding.contains(hidden), "{hidden}: {recoding}");
    }
}
