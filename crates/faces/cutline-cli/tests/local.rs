//! Releases in which each group has labels of its own.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::collections::BTreeMap;

use cutline::model::Recoding;
use serde_json::Value;
use support::{Desk, dataset};

const QID: &str = "age,education,marital-status,sex,hours-per-week";
const MODES: [&str; 2] = ["nested", "free"];

/// Publishes the training records of Adult.
fn published(desk: &Desk, name: &str, flags: &str) {
    let adult = dataset("adult/train.csv.gz");
    desk.ok(&format!("anonymize {adult} --null ? --qid {QID}:50 --target income {flags} -o {name}"));
}

fn recoding(desk: &Desk, release: &str) -> Recoding {
    Recoding::from_json(&desk.read(&format!("{release}/public/recoding.json"))).unwrap()
}

#[test]
fn a_release_holds_and_applies_to_the_same_records_again() {
    let desk = Desk::new();
    for mode in MODES {
        published(&desk, mode, &format!("--local {mode}"));
        desk.ok(&format!("verify {mode}/public/table.csv --qid {QID}:50"));
        let adult = dataset("adult/train.csv.gz");
        desk.ok(&format!("apply {mode}/public/recoding.json {adult} -o {mode}.csv"));
        assert!(desk.read(&format!("{mode}.csv")) == desk.read(&format!("{mode}/public/table.csv")), "{mode}");
        let stored = recoding(&desk, mode);
        assert_eq!(stored.format, Recoding::FORMAT_OF_REGIONS);
        assert!(stored.regions.unwrap().groups().count() > 100);
        let report = desk.read(&format!("{mode}/public/report.html"));
        assert!(report.contains("The labels of each region"));
        assert!(desk.read(&format!("{mode}/public/report.json")).contains(&format!("\"local\": \"{mode}\"")));
    }
}

/// Whoever has the raw table finds nobody with more than 1/k, and everybody's own record is in the one group that fits.
#[test]
fn no_attack_beats_one_in_k() {
    let desk = Desk::new();
    let adult = dataset("adult/train.csv.gz");
    for mode in MODES {
        published(&desk, mode, &format!("--local {mode}"));
        for on in ["", "--on age,sex"] {
            let attack: Value =
                serde_json::from_str(&desk.ok(&format!("attack {mode} {adult} --null ? --json --truth record {on}")))
                    .unwrap();
            let attack = &attack["attacks"][0];
            let highest = attack["highest_success"].as_f64().unwrap();
            assert!(highest > 0.0 && highest <= 1.0 / 50.0, "{mode} {on}: {highest}");
            assert_eq!(attack["truth"]["among_matches"], 32561, "{mode} {on}");
        }
    }
}

/// Groups can be told apart by their labels: two records with the same labels are in the same group, and no label of nested ones lies
/// across another.
#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let desk = Desk::new();
    for mode in MODES {
        let mut tables = BTreeMap::new();
        for threads in [1, 3] {
            let name = format!("{mode}{threads}");
            published(&desk, &name, &format!("--local {mode} --suppress-limit 1% --threads {threads}"));
            let files =
                ["table.csv", "recoding.json", "report.json"].map(|file| desk.read(&format!("{name}/public/{file}")));
            tables.insert(threads, files);
        }
        assert!(tables[&1] == tables[&3], "{mode}");
    }
}

#[test]
fn what_cannot_be_local_is_said() {
    let desk = Desk::with("t.csv", "age,sex,ill\n30,f,yes\n40,m,no\n50,f,no\n60,m,yes\n");
    for (flags, said) in [
        ("--qid age:2 --qid sex:2", "several QIDs"),
        ("--qid age,sex:2 --unknown root", "attached to its root"),
        ("--qid age,sex:2 --algorithm tdr", "a search of its own"),
        ("--qid age,sex:2 --clusters 2 --cluster-on ill", "clusters"),
    ] {
        let output = desk.run(&format!("anonymize t.csv --categorical sex {flags} --local free -o out"));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && errors.contains(said), "{flags}: {errors}");
    }
    desk.ok("anonymize t.csv --categorical sex --qid age,sex:2 --local free -o out");
    let output = desk.run("sql out/public/recoding.json --dialect postgres --table t");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && errors.contains("labels of their own"), "{errors}");
}
