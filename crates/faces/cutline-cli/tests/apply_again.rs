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

/// Of twelve patients some have HIV. Later nobody has, or it is called otherwise.
#[test]
fn a_bound_on_a_value_that_nobody_has_any_more_holds_and_is_told() {
    let table = |ill: [&str; 3]| {
        let record = |n: usize| format!("{},{}\n", ["F", "M"][n % 2], ill[n % 3]);
        "sex,ill\n".to_owned() + &(0..12).map(record).collect::<String>()
    };
    for budget in ["", "--suppress-limit 10%"] {
        let desk = Desk::with("t.csv", table(["flu", "gout", "HIV"]));
        desk.ok(&format!("anonymize t.csv --qid sex:3 --bound ill=HIV<=0.5 {budget} -o out"));
        desk.write("later.csv", table(["flu", "gout", "flu"]));
        let applied = desk.run("apply out/public/recoding.json later.csv -o later-out.csv");
        let errors = String::from_utf8(applied.stderr).unwrap();
        assert!(applied.status.success(), "{errors}");
        assert!(errors.contains("note:") && errors.contains("`bound:ill=HIV<=0.5` is about, so it holds"), "{errors}");
        let again = desk.run("apply out/public/recoding.json t.csv -o again.csv");
        assert!(!String::from_utf8(again.stderr).unwrap().contains("is about"));
        // What somebody says now is more likely misspelled than meant.
        let said = desk.run("anonymize later.csv --qid sex:3 --bound ill=HIV<=0.5 -o no");
        assert_eq!(said.status.code(), Some(2));
    }
}

/// The only one who had it was left out: the release keeps its promise, and says so.
#[test]
fn a_release_without_the_value_of_its_own_bound_is_verified() {
    let record = |n: usize| if n < 12 { format!("{},flu\n", ["F", "M"][n % 2]) } else { "X,HIV\n".to_owned() };
    let desk = Desk::with("t.csv", "sex,ill\n".to_owned() + &(0..13).map(record).collect::<String>());
    desk.ok("anonymize t.csv --qid sex:3 --bound ill=HIV<=0.5 --suppress-limit 20% --suppress-how drop -o out");
    assert!(!desk.read("out/public/table.csv").contains("HIV"));
    desk.ok("verify out");
    assert_eq!(desk.run("verify out --qid sex:3 --bound ill=HIV<=0.5").status.code(), Some(2));
}

/// A town that the taxonomy lacks and a missing one, each too rare by itself: under the root's label they are enough, and are published.
#[test]
fn what_the_taxonomy_lacks_and_what_is_missing_are_one_group_in_the_release_and_again() {
    for (algorithm, how) in [("tdr", "mask"), ("refine", "drop"), ("bottom-up", "mask"), ("genetic", "drop")] {
        for (private, given) in [("", ""), ("--private-taxonomy town", "--taxonomy town=town.txt")] {
            let record = |n: usize| format!("{},{}\n", ["Kiel", "Bonn", "Rome"][n % 3], ["F", "M"][n / 3 % 2]);
            let records: String = (0..60).map(record).collect();
            let desk = Desk::with("t.csv", format!("town,sex\n{records}Lyon,F\n,F\n"));
            desk.write("town.txt", "Any\n  Germany\n    Kiel\n    Bonn\n  Italy\n    Rome\n  North\n    Oslo\n");
            desk.ok(&format!(
                "anonymize t.csv --qid town,sex:2 --taxonomy town=town.txt {private} --unknown root --suppress-limit 20% \
                 --suppress-how {how} --algorithm {algorithm} -o out"
            ));
            same_again(&desk, &format!("--unknown root {given}"));
            assert!(desk.read("out/public/table.csv").ends_with("Any,F\nAny,F\n"), "{algorithm} {private}");
        }
    }
}
