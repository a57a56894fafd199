//! What is published beside the table is a function of the table, the recoding and public settings: inputs that differ only in what
//! the table hides give the same bytes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

const PUBLIC: [&str; 4] = ["public/table.csv", "public/recoding.json", "public/report.json", "public/report.html"];

/// Twelve persons of Oslo and Rome each, and four of towns that are too small to be told.
fn table(hidden: [&str; 4]) -> String {
    let mut csv = "town,age,ill\n".to_owned();
    for record in 0..24 {
        csv +=
            &format!("{},{},{}\n", ["Oslo", "Rome"][record % 2], [31, 64][record / 12], ["yes", "no"][record % 3 % 2]);
    }
    hidden.iter().for_each(|town| csv += &format!("{town},31,no\n"));
    csv
}

/// Publishes both tables and compares. They differ in what only the steward may see.
fn same_public_files(first: [&str; 4], second: [&str; 4], flags: &str) {
    let desk = Desk::new();
    for (name, hidden) in [("a", first), ("b", second)] {
        desk.write("table.csv", table(hidden));
        desk.ok(&format!("anonymize table.csv --qid town,age:4 --categorical town {flags} -o {name}"));
    }
    for file in PUBLIC {
        assert_eq!(desk.read(&format!("a/{file}")), desk.read(&format!("b/{file}")), "{file}, {flags}");
    }
    assert_ne!(metrics(&desk, "a"), metrics(&desk, "b"), "what is hidden differs, or this test shows nothing");
}

fn metrics(desk: &Desk, release: &str) -> serde_json::Value {
    let report: serde_json::Value =
        serde_json::from_str(&desk.read(&format!("{release}/private/report.json"))).unwrap();
    report["metrics"].clone()
}

#[test]
fn hidden_values_change_no_public_file() {
    for purpose in ["", "--target ill", "--algorithm bottom-up", "--target ill --condition alpha:ill=0.8"] {
        same_public_files(["Ulm", "Kiel", "Bonn", "Trier"], ["Ulm", "Ulm", "Ulm", "Kiel"], purpose);
    }
}

#[test]
fn suppressed_records_change_no_public_file() {
    for how in ["", "--suppress-how drop"] {
        let budget = format!("--suppress-limit 20% {how}");
        same_public_files(["Ulm", "Kiel", "Bonn", "Trier"], ["Ulm", "Ulm", "Ulm", "Kiel"], &budget);
    }
}
