//! `--tune`: other recodings, and other clusters that are as good.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use serde_json::Value;
use support::Desk;

/// Four kinds of persons in two attributes that go together, and a third attribute that splits them otherwise.
fn table() -> String {
    let mut text = "age,city,team,shoes\n".to_owned();
    for record in 0..160 {
        let (kind, step) = (record % 4, record / 4);
        let city = ["Bern", "Oslo", "Rome", "Riga"][if step % 8 == 7 { (kind + 1) % 4 } else { kind }];
        let (age, team, shoes) = (20 + 15 * kind + step % 7, ["red", "blue"][step % 2], 36 + step % 9);
        text += &format!("{age},{city},{team},{shoes}\n");
    }
    text
}

const QID: &str = "--qid age,city,team,shoes:12";

fn clusters(desk: &Desk, flags: &str) -> Value {
    desk.ok(&format!("anonymize t.csv --clusters 4 {QID} {flags} -o out --force"));
    desk.ok(&format!("verify out {QID}"));
    let report: Value = serde_json::from_str(&desk.read("out/private/report.json")).unwrap();
    report["clusters"].clone()
}

fn f_measure(clusters: &Value) -> f64 {
    clusters["guided"]["f_measure"].as_f64().unwrap()
}

#[test]
fn tuning_is_not_worse_whatever_searches() {
    let desk = Desk::with("t.csv", table());
    for algorithm in ["tdr", "tds", "bottom-up", "genetic --iterations 200"] {
        for clustering in ["k-means", "bisecting"] {
            let flags = format!("--algorithm {algorithm} --clustering {clustering}");
            let (plain, tuned) = (clusters(&desk, &flags), clusters(&desk, &format!("{flags} --tune")));
            assert!(plain.get("tuned").is_none());
            assert!(tuned["tuned"]["tried"].as_u64().unwrap() > 10, "{tuned}");
            assert!(f_measure(&tuned) >= f_measure(&plain), "{flags}: {plain} {tuned}");
        }
    }
}

#[test]
fn what_is_pinned_stays_where_it_is_while_others_are_left_masked() {
    let desk = Desk::with("t.csv", table());
    clusters(&desk, "--tune --pin-open age=40 --pin-closed team=*");
    let recoding: Value = serde_json::from_str(&desk.read("out/public/recoding.json")).unwrap();
    let bounds = recoding["attributes"]["age"]["bounds"].as_array().unwrap();
    assert!(bounds.contains(&Value::from(40.0)), "{bounds:?}");
    assert_eq!(recoding["attributes"]["team"]["disclosed"], Value::Array(Vec::new()));
}

#[test]
fn tuning_finds_what_the_guided_search_alone_does_not() {
    let desk = Desk::with("t.csv", table());
    let (plain, tuned) = (clusters(&desk, ""), clusters(&desk, "--tune"));
    assert!(f_measure(&tuned) > f_measure(&plain) + 0.05, "{plain} {tuned}");
    // What it leaves fully masked is told by name, and is.
    let left = tuned["tuned"]["left"].as_array().unwrap();
    assert!(!left.is_empty());
    let recoding: Value = serde_json::from_str(&desk.read("out/public/recoding.json")).unwrap();
    for name in left {
        let attribute = &recoding["attributes"][name.as_str().unwrap()];
        let kept = attribute.get("disclosed").or(attribute.get("bounds")).unwrap().as_array().unwrap().len();
        assert!(kept == 0 || kept == 2, "{attribute}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let desk = Desk::with("t.csv", table());
    let mut one = clusters(&desk, "--tune --threads 1");
    let tables = desk.read("out/public/table.csv");
    let mut two = clusters(&desk, "--tune --threads 2");
    assert_eq!(tables, desk.read("out/public/table.csv"));
    for clusters in [&mut one, &mut two] {
        clusters.as_object_mut().unwrap().remove("seconds");
    }
    assert_eq!(one, two);
}

#[test]
fn the_chosen_combination_is_published_as_it_was_compared() {
    let desk = Desk::with("t.csv", table());
    desk.ok("anonymize t.csv --clusters 3,4 --qid age,city,team,shoes:8,12 --tune --choose clusters=4,k=12 -o out");
    let report: Value = serde_json::from_str(&desk.read("out/private/report.json")).unwrap();
    let clusters = &report["clusters"];
    let rows = clusters["comparison"]["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["clusters"] == 4 && row["k"] == 12).unwrap();
    assert_eq!(row["guided"]["f_measure"], clusters["guided"]["f_measure"]);
    assert_eq!(row["blind"]["f_measure"], clusters["blind"]["f_measure"]);
    assert_eq!(row["tuned"], clusters["tuned"]);
}

/// Whether somebody buys follows from the age, and looks as if it followed from the city.
fn buyers() -> String {
    let mut text = "age,city,shoes,buys\n".to_owned();
    for record in 0..1200_usize {
        let age = 18 + record * 37 % 60;
        let buys = (age > 41) != (record % 11 == 0);
        let city = ["Bern", "Oslo", "Rome", "Riga", "Kyiv"][record * 7 % 5];
        text += &format!("{age},{city},{},{}\n", 36 + record * 5 % 9, if buys { "yes" } else { "no" });
    }
    text
}

/// What is said beside the result.
fn notes(desk: &Desk, arguments: &str) -> String {
    let output = desk.run(&format!("anonymize t.csv {arguments}"));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn searches_are_tried_for_what_is_predicted_and_the_best_is_kept() {
    let desk = Desk::with("t.csv", buyers());
    let flags = "--qid age,city,shoes:30 --target buys --suppress-limit 2% --tune --evaluate";
    let said = notes(&desk, &format!("{flags} -o out"));
    // Four searches with three parts of the budget each, and then attributes one by one.
    assert!(said.contains("searches, the best by cross-validated error is kept ("), "{said}");
    assert!(said.contains("tdr, 50 % of the budget: ") && said.contains("left masked: "), "{said}");
    desk.ok("verify out");
    let read = |name: &str| -> Value { serde_json::from_str(&desk.read(name)).unwrap() };
    // Which search was kept follows from what is hidden.
    assert!(desk.read("out/public/report.json").contains("\"algorithm\": \"tuned\""));
    assert_ne!(read("out/private/report.json")["algorithm"], "tuned");
    assert_eq!(read("out/public/recoding.json")["suppression"]["limit"], 0.02, "what was allowed is what is told");
    desk.ok(&format!("anonymize t.csv {flags} --threads 1 -o again"));
    for name in ["table.csv", "recoding.json", "report.json", "report.html"] {
        assert_eq!(desk.read(&format!("again/public/{name}")), desk.read(&format!("out/public/{name}")), "{name}");
    }
}

#[test]
fn numbers_and_plain_loss_are_tuned_too_and_time_ends_it() {
    let desk = Desk::with("t.csv", buyers());
    let said = notes(&desk, "--qid city,shoes,buys:30 --target age --purpose regression --tune -o a");
    assert!(said.contains("the best by cross-validated R² is kept"), "{said}");
    let said = notes(&desk, "--qid age,city,shoes:30 --tune -o b");
    assert!(said.contains("the best by loss is kept"), "{said}");
    let said = notes(&desk, "--qid age,city,shoes:30 --target buys --tune --time-limit 1ms -o c");
    assert!(said.contains("of 1 searches"), "the job's own is tried whatever the time: {said}");
    let said = notes(&desk, "--qid age,city,shoes:30 --target buys --local nested --tune --suppress-limit 1% -o d");
    assert!(said.contains("of 3 searches") && said.contains("local, nested, 50 % of the budget: "), "{said}");
}

#[test]
fn what_does_not_hold_in_a_part_or_in_the_whole_ends_as_if_nothing_was_tuned() {
    let rare = buyers().replacen("18,Bern,36,no", "18,Bern,36,maybe", 1);
    let desk = Desk::with("t.csv", rare.replacen("buys", "state", 1));
    // Some part of the records has nobody with the value that is bounded.
    let flags = "--qid age,city:30 --target shoes --purpose classification --bound state=maybe<=0.5 -o a";
    desk.ok(&format!("anonymize t.csv {flags}"));
    notes(&desk, &format!("{flags} --force --tune"));
    // Bottom-up search holds only at its end.
    notes(&desk, "--qid age,city,shoes:30 --target state --max-steps 2 --tune -o b");
    for release in ["a", "b"] {
        desk.ok(&format!("verify {release}"));
    }
}
