//! What a release says that it cost is what `cutline evaluate` says of its table.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::Value;
use support::{Desk, dataset};

/// The evaluation of a release.
fn told(desk: &Desk, release: &str) -> Value {
    let report: Value = serde_json::from_str(&desk.read(&format!("{release}/private/report.json"))).unwrap();
    report["evaluation"].clone()
}

/// What `cutline evaluate` says with these arguments, and as much of what the release says.
fn both(desk: &Desk, release: &str, arguments: &str) -> [Value; 2] {
    let compared: Value = serde_json::from_str(&desk.ok(&format!("evaluate {arguments} --json"))).unwrap();
    let same = ["records", "left_out", "split", "ignored", "attributes", "measures"];
    let part = |value: &Value, name: &str| value["parts"][0][name].clone();
    let keep = |value: Value| -> Value {
        let counts = ["train", "test"].map(|name| part(&value, name));
        same.iter().map(|name| value[name].clone()).chain(counts).collect()
    };
    [keep(told(desk, release)), keep(compared)]
}

fn assert_same(desk: &Desk, release: &str, arguments: &str) {
    let [told, compared] = both(desk, release, arguments);
    assert_eq!(told, compared, "{release}: evaluate {arguments}");
    assert!(told[5].as_array().unwrap().len() == 2, "two learners");
}

/// Two pairs of town and ward are rare; all others are not.
fn patients() -> String {
    let mut text = "id,age,town,ward,sick\n".to_owned();
    for i in 0..240 {
        let (age, town, ward) = (20 + i * 7 % 50, i % 3, i / 3 % 4);
        let crowded = i >= 84 && [(2, 3), (0, 2)].contains(&(town, ward));
        let ward = if crowded { "A" } else { ["A", "B", "C", "D"][ward] };
        let sick = if age < 40 && ward != "B" || i % 11 == 0 { "yes" } else { "no" };
        writeln!(text, "{i},{age},{},{ward},{sick}", ["Ulm", "Kiel", "Bonn"][town]).unwrap();
    }
    text
}

#[test]
fn figures_are_those_of_the_written_table_in_every_format() {
    let desk = Desk::new();
    let german = dataset("german/german.csv.gz");
    for format in ["csv", "parquet", "arrow", "jsonl"] {
        let printed = desk.ok(&format!(
            "anonymize {german} --qid credit-amount,duration,purpose:20 --target class --evaluate --format {format} -o {format}"
        ));
        let table = printed.split("what it cost a model: ").nth(1).unwrap();
        assert!(table.starts_with("667 records trained, 333 others tested\n") && table.contains("C4.5 error"));
        assert_same(&desk, format, &format!("{german} {format}/public/table.{format} --target class"));
    }
    let page = desk.read("csv/private/report.html");
    assert!(page.contains("What it cost a model") && page.contains("Naive Bayes error (less is better)"));
    assert_eq!(page.matches("<table").count(), page.matches("</table>").count());
}

#[test]
fn missing_values_several_qids_and_identifiers_are_no_trouble() {
    let desk = Desk::new();
    let crx = dataset("crx/crx.csv.gz");
    let masked = "--target class --null ? --seed 5";
    let qids = "--qid A9,A11:20 --qid A1,A2:15";
    for missing in ["value", "drop", "complete"] {
        let flags = format!("{masked} --missing {missing} --drop A14 --tokenize A13");
        desk.ok(&format!("anonymize {crx} {qids} {flags} --evaluate -o {missing} -q"));
        assert_same(&desk, missing, &format!("{crx} {missing} --qid A1,A2,A9,A11 {flags}"));
        assert_eq!(told(&desk, missing)["ignored"], serde_json::json!(["A13", "A14"]));
    }
}

#[test]
fn a_regression_tells_how_much_is_explained() {
    let mut raw = "x,z,y\n".to_owned();
    (0..300).for_each(|i| writeln!(raw, "{},{},{}", i * 37 % 100, i % 3, 2 * (i * 37 % 100) + i % 3).unwrap());
    let desk = Desk::with("raw.csv", raw);
    desk.ok("anonymize raw.csv --qid x:30 --target y --purpose regression --evaluate -o out -q");
    assert_same(&desk, "out", "raw.csv out --target y --purpose regression");
    let page = desk.read("out/private/report.html");
    assert!(page.contains("regression tree R² (more is better)") && page.contains("points worse"));
}

#[test]
fn suppressed_records_are_starred_or_in_neither_table() {
    let desk = Desk::with("raw.csv", patients());
    let job = "anonymize raw.csv --qid town,ward:10 --target sick --algorithm bottom-up --suppress-limit 10% --evaluate --keep id -q";
    desk.ok(&format!("{job} --suppress-how mask -o mask"));
    assert_same(&desk, "mask", "raw.csv mask --target sick --qid town,ward");
    desk.ok(&format!("{job} --suppress-how drop -o drop"));
    let suppressed = told(&desk, "drop")["parts"][0]["suppressed"].as_u64().unwrap();
    assert!(suppressed > 0 && told(&desk, "mask")["parts"][0]["suppressed"] == suppressed);
    // The identifier was published here, so it tells which records were.
    let id = |line: &str| line.split(',').next().unwrap().to_owned();
    let published: BTreeSet<String> = desk.read("drop/public/table.csv").lines().map(id).collect();
    let kept = patients()
        .lines()
        .filter(|line| published.contains(&id(line)))
        .map(|line| format!("{line}\n"))
        .collect::<String>();
    desk.write("kept.csv", kept);
    assert_same(&desk, "drop", "kept.csv drop --target sick --qid town,ward");
    let said = format!("Suppressed, and so in none of the three tables: {suppressed}.");
    assert!(desk.read("drop/private/report.html").contains(&said));
}

#[test]
fn a_spec_can_ask_for_it_and_threads_change_nothing() {
    let desk = Desk::with("raw.csv", patients());
    desk.write(
        "release.toml",
        "[input]\npath = \"raw.csv\"\n[purpose]\ntarget = \"sick\"\n[output]\nevaluate = true\n\
         [[qid]]\nattributes = [\"age\", \"town\"]\nk = 10\n[attributes.id]\nkeep = true\n",
    );
    desk.ok("anonymize release.toml -o spec --threads 2");
    desk.ok("anonymize raw.csv --qid age,town:10 --target sick --keep id --evaluate -o flag --threads 1");
    assert_eq!(told(&desk, "spec"), told(&desk, "flag"));
    assert!(told(&desk, "spec").is_object());
    let section = |release: &str| {
        let page = desk.read(&format!("{release}/private/report.html"));
        page.split("<section id=\"error\"").nth(1).unwrap().split("</section>").next().unwrap().to_owned()
    };
    assert_eq!(section("spec"), section("flag"));
}

#[test]
fn nothing_is_said_unless_it_is_asked_for() {
    let desk = Desk::with("raw.csv", patients());
    let printed = desk.ok("anonymize raw.csv --qid age,town:10 --target sick --keep id -o out");
    let (report, page) = (desk.read("out/private/report.json"), desk.read("out/private/report.html"));
    assert!(!printed.contains("model") && !report.contains("evaluat") && !page.contains("id=\"error\""));
}

#[test]
fn of_a_large_table_some_records_are_drawn() {
    let rows = (0..120_000).map(|i: u64| {
        let x = i.wrapping_mul(2_654_435_761) >> 7 & 63;
        format!("{x},{}\n", if x > 40 && !i.is_multiple_of(9) { "Y" } else { "N" })
    });
    let desk = Desk::with("raw.csv", "x,class\n".to_owned() + &rows.collect::<String>());
    let job = "anonymize raw.csv --qid x:1000 --target class --evaluate";
    let printed = desk.ok(&format!("{job} -o out --threads 1"));
    assert!(printed.contains(": 66667 records trained, 33333 others tested, drawn from 120000\n"), "{printed}");
    let told_of_all = told(&desk, "out");
    assert_eq!((&told_of_all["records"], &told_of_all["drawn_from"]), (&100_000.into(), &120_000.into()));
    assert!(desk.read("out/private/report.html").contains("They were drawn from all 120,000 at random."));
    desk.ok(&format!("{job} -o two --threads 2"));
    assert_eq!(told_of_all, told(&desk, "two"));
}

#[test]
fn odd_targets_and_tables() {
    let desk = Desk::with("one.csv", "x,class\n".to_owned() + &"1,N\n2,N\n3,N\n".repeat(10));
    desk.ok("anonymize one.csv --qid x:5 --target class --evaluate -o one -q");
    for measure in told(&desk, "one")["measures"].as_array().unwrap() {
        assert!(["baseline", "masked", "removed"].iter().all(|name| measure[name] == 0.0), "{measure}");
    }
    desk.write("flat.csv", "x,y\n".to_owned() + &"1,7\n2,7\n3,7\n".repeat(10));
    desk.ok("anonymize flat.csv --qid x:5 --target y --purpose regression --evaluate -o flat");
    assert!(!desk.read("flat/private/report.html").contains("NaN"));
    // Records without the target teach nothing; the others are used.
    desk.write("some.csv", "x,class\n".to_owned() + &"1,N\n2,Y\n3,\n".repeat(10));
    desk.ok("anonymize some.csv --qid x:5 --target class --evaluate -o some -q");
    assert_eq!((&told(&desk, "some")["records"], &told(&desk, "some")["left_out"]), (&20.into(), &10.into()));
}

/// What the user sees; nothing is published, and nothing is left aside.
fn refused(desk: &Desk, arguments: &str) -> String {
    let before = desk.names();
    let output = desk.run(arguments);
    assert!(output.stdout.is_empty() && desk.names() == before, "{arguments}");
    let status = output.status.code().unwrap();
    format!("$ cutline {arguments}\n{}[exit status {status}]\n", String::from_utf8_lossy(&output.stderr))
}

#[test]
fn figures_that_there_cannot_be() {
    let desk = Desk::with("raw.csv", patients());
    desk.write("none.csv", "x,class\n1,\n1,\n1,N\n1,N\n");
    let cases = [
        "anonymize raw.csv --qid age:5 --evaluate -o out",
        "anonymize raw.csv --qid age:5 --purpose general --evaluate -o out",
        "anonymize raw.csv --qid age:5 --clusters 3 --evaluate -o out",
        "anonymize raw.csv --qid age,sick:5 --target sick --allow-target-in-qid --evaluate -o out",
        "anonymize none.csv --qid x:2 --target class --evaluate -o out",
    ];
    insta::assert_snapshot!(cases.map(|arguments| refused(&desk, arguments)).join("\n"));
}
