//! The published results on Adult, as a user would see them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::{Desk, SETTLED, dataset};

const TOP7: &str = "capital-gain,age,marital-status,education-num,relationship,hours-per-week,sex";
const TOP5: &str = "capital-gain,age,marital-status,education-num,relationship";

fn taxonomies() -> String {
    let names = ["marital-status", "relationship", "sex"];
    names.map(|name| format!("--taxonomy {name}={}", dataset(&format!("taxonomies/{name}.txt")))).join(" ")
}

/// The labels of each attribute, as `recoding.json` has them.
fn labels(desk: &Desk, attribute: &str) -> Vec<String> {
    let recoding = cutline::model::Recoding::from_json(&desk.read("out/public/recoding.json")).unwrap();
    recoding.attributes[attribute].labels()
}

#[test]
fn top7_with_taxonomies_leaves_four_attributes_at_the_top() {
    let desk = Desk::new();
    let adult = dataset("adult");
    desk.ok(&format!(
        "anonymize {adult} --qid {TOP7}:500 --target income --missing complete --null ? {} -o out",
        taxonomies()
    ));
    for attribute in ["capital-gain", "age"] {
        assert_eq!(labels(&desk, attribute), ["*"]);
    }
    for attribute in ["relationship", "sex"] {
        assert_eq!(labels(&desk, attribute), ["Any"]);
    }
    for attribute in ["marital-status", "education-num", "hours-per-week"] {
        assert!(labels(&desk, attribute).len() > 1);
    }
    assert!(desk.read("out/private/report.json").contains("\"records\": 45222"));
    assert!(desk.read("out/private/report.json").contains("\"dropped\": 3620"));
    desk.ok(&format!("verify out --qid {TOP7}:500"));
}

#[test]
fn top5_with_suppression_has_the_published_splits() {
    let desk = Desk::new();
    let adult = dataset("adult");
    desk.ok(&format!(
        "anonymize {adult} --algorithm tdr --qid {TOP5}:100 --target income --missing complete --null ? -o out"
    ));
    assert_eq!(labels(&desk, "education-num"), ["<13", ">=13"]);
    assert_eq!(labels(&desk, "capital-gain"), ["<7262", ">=7262"]);
    assert_eq!(labels(&desk, "marital-status"), ["Married-civ-spouse", "*"]);
    assert_eq!(labels(&desk, "age"), ["*"]);
    assert_eq!(labels(&desk, "relationship"), ["*"]);
}

#[test]
fn releases_are_the_same_bytes_on_any_number_of_threads() {
    let desk = Desk::new();
    let adult = dataset("adult");
    let qids = "--qid age,education,sex,hours-per-week:20 --qid occupation,race,native-country:30 --qid fnlwgt:5";
    for threads in [1, 2, 8] {
        desk.ok(&format!("anonymize {adult} {qids} --target income --null ? --threads {threads} -o out{threads}"));
    }
    let without_times = |name: &str| {
        let report = desk.read(&format!("{name}/private/report.json"));
        report.split("\"seconds\"").next().unwrap().to_owned()
    };
    for other in ["out2", "out8"] {
        for file in SETTLED.into_iter().chain(["private/report.html"]) {
            assert!(
                desk.read(&format!("out1/{file}")) == desk.read(&format!("{other}/{file}")),
                "{other}/{file} differs"
            );
        }
        assert_eq!(without_times("out1"), without_times(other));
    }
}

#[test]
fn bottom_up_releases_verify() {
    let desk = Desk::new();
    let train = dataset("adult/train.csv.gz");
    let names = ["workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"];
    let taxonomies =
        names.map(|name| format!("--taxonomy {name}={}", dataset(&format!("taxonomies/{name}.txt")))).join(" ");
    let qid = names.join(",");
    for k in [10, 50, 150, 500] {
        let arguments = format!("{train} --qid {qid}:{k} --target income --missing drop --null ? {taxonomies}");
        desk.ok(&format!("anonymize {arguments} --algorithm bottom-up -o out{k}"));
        assert!(desk.read(&format!("out{k}/private/report.json")).contains("\"records\": 30162"));
        desk.ok(&format!("verify out{k} --qid {qid}:{k}"));
    }
}

#[test]
fn the_demo_publishes_a_table_that_verifies() {
    let desk = Desk::new();
    let story = desk.ok("demo");
    assert!(story.contains("holds"));
    let verify = story.lines().find_map(|line| line.strip_prefix("Try next:  cutline ")).unwrap().to_owned();
    assert!(desk.ok(&verify).contains("holds"));
    // A second demo replaces the first.
    desk.ok("demo");
    assert_eq!(desk.names(), ["cutline-demo"]);
}
