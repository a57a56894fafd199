//! Publishing for cluster analysis, as a user does it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::collections::BTreeMap;

use serde_json::Value;
use support::{Desk, dataset};

/// Three kinds of persons: age, city and pay tell them apart, the shoe size tells nothing.
fn table() -> String {
    let mut text = "age,city,pay,shoes\n".to_owned();
    for record in 0..120 {
        let (kind, step) = (record % 3, record / 3);
        let city = ["Bern", "Oslo", "Rome"][if step % 10 == 9 { (kind + 1) % 3 } else { kind }];
        let (age, pay, shoes) = (20 + 20 * kind + step % 7, 1000 * (kind + 1) + 13 * (step % 11), 36 + step % 9);
        text += &format!("{age},{city},{pay},{shoes}\n");
    }
    text
}

fn report(desk: &Desk, folder: &str) -> Value {
    serde_json::from_str(&desk.read(&format!("{folder}/private/report.json"))).unwrap()
}

fn rows(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn clusters_are_found_and_still_there_after_masking() {
    let desk = Desk::with("t.csv", table());
    let said = desk.ok("anonymize t.csv --clusters 3 --not-cluster-on shoes --qid age,city:5 -o out");
    assert!(
        said.contains("clustering into 3 clusters") && said.contains("the raw clusters are not published"),
        "{said}"
    );
    let clusters = &report(&desk, "out")["clusters"];
    assert_eq!(clusters["clusters"], 3);
    assert_eq!(clusters["guided"]["contingency"]["records"], 120);
    assert!(clusters["guided"]["f_measure"].as_f64().unwrap() > 0.95, "{clusters}");
    assert!(clusters["guided"]["f_measure"].as_f64() >= clusters["blind"]["f_measure"].as_f64());
    assert_eq!(clusters["attributes"].as_array().unwrap().len(), 3);
    assert!(desk.read("out/private/report.html").contains("<!DOCTYPE html>"));
}

#[test]
fn labels_do_not_leave_the_process_unless_asked() {
    let desk = Desk::with("t.csv", table());
    desk.ok("anonymize t.csv --clusters 3 --qid age,city:5 -o out");
    assert_eq!(desk.read("out/public/table.csv").lines().next(), Some("age,city,pay,shoes"));
    for file in ["out/public/recoding.json", "out/private/trace.jsonl"] {
        assert!(!desk.read(file).contains("cluster"), "{file}");
    }
    // The report has counts of records, never a label of one.
    let clusters = &report(&desk, "out")["clusters"];
    let lists = clusters.as_object().unwrap().values().filter_map(Value::as_array);
    assert!(lists.map(Vec::len).max() < Some(120));
    assert!(clusters.get("label_name").is_none());
}

/// Every record is nearest to the mean of its own cluster: numbers scaled to [0, 1], names one-hot over √2.
#[test]
fn published_labels_are_those_of_a_naive_assignment() {
    let desk = Desk::with("t.csv", table());
    desk.ok("anonymize t.csv --clusters 4 --qid age,city:5 --publish-labels --label-name group -o out");
    let published = rows(&desk.read("out/public/table.csv"));
    assert_eq!(published[0], ["age", "city", "pay", "shoes", "group"]);
    let labels: Vec<usize> = published[1..].iter().map(|row| row[4].parse().unwrap()).collect();
    let raw = rows(&table());
    let points: Vec<Vec<f64>> = raw[1..].iter().map(|row| point(row, &raw[1..])).collect();
    let mean = |cluster: usize| {
        let own: Vec<&Vec<f64>> = points.iter().zip(&labels).filter(|(_, l)| **l == cluster).map(|(p, _)| p).collect();
        (0..points[0].len()).map(|d| own.iter().map(|point| point[d]).sum::<f64>() / own.len() as f64).collect()
    };
    let means: Vec<Vec<f64>> = (0..4).map(mean).collect();
    let distance = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    for (point, &label) in points.iter().zip(&labels) {
        let nearest = (0..4).map(|cluster| distance(point, &means[cluster])).fold(f64::INFINITY, f64::min);
        assert!(distance(point, &means[label]) <= nearest + 1e-9);
    }
    let published = report(&desk, "out");
    assert_eq!(published["clusters"]["label_name"], "group");
}

fn point(row: &[String], all: &[Vec<String>]) -> Vec<f64> {
    let scaled = |column: usize| {
        let number = |row: &[String]| row[column].parse::<f64>().unwrap();
        let low = all.iter().map(|row| number(row)).fold(f64::INFINITY, f64::min);
        let high = all.iter().map(|row| number(row)).fold(f64::NEG_INFINITY, f64::max);
        (number(row) - low) / (high - low)
    };
    let cities = ["Bern", "Oslo", "Rome"].map(|city| if row[1] == city { 0.5_f64.sqrt() } else { 0.0 });
    [scaled(0), scaled(2), scaled(3)].into_iter().chain(cities).collect()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let desk = Desk::with("t.csv", table());
    let release = |threads: usize| {
        desk.ok(&format!(
            "anonymize t.csv --clusters 3 --clustering bisecting --recipient-clustering k-means --qid age,city:5 \
             --publish-labels --threads {threads} -o out{threads}"
        ));
        let mut report = report(&desk, &format!("out{threads}"));
        report["seconds"] = Value::Null;
        report["clusters"]["seconds"] = Value::Null;
        (
            desk.read(&format!("out{threads}/public/table.csv")),
            desk.read(&format!("out{threads}/public/recoding.json")),
            report,
        )
    };
    let one = release(1);
    assert!(one.2["clusters"]["raw"]["f_measure"].as_f64().unwrap() > 0.5);
    assert_eq!(release(2), one);
    assert_eq!(release(8), one);
}

#[test]
fn labels_are_published_in_every_format() {
    let desk = Desk::with("t.csv", table());
    let arguments = "anonymize t.csv --clusters 3 --qid age,city:5 --publish-labels";
    desk.ok(&format!("{arguments} -o csv"));
    let labels = |folder: &str| -> Vec<String> {
        let text = desk.read(&format!("{folder}/public/table.csv"));
        rows(&text)[1..].iter().map(|row| row[4].clone()).collect()
    };
    let expected = labels("csv");
    for format in ["parquet", "arrow", "jsonl"] {
        desk.ok(&format!("{arguments} --format {format} -o {format}"));
        // Read back and written as CSV.
        desk.ok(&format!("anonymize {format}/public/table.{format} --qid shoes:1 --format csv -o {format}-csv"));
        assert_eq!(labels(&format!("{format}-csv")), expected, "{format}");
    }
}

#[test]
fn several_combinations_are_compared_and_one_is_published() {
    let desk = Desk::with("t.csv", table());
    let arguments = "anonymize t.csv --clusters 2,3 --qid age,city:4..10";
    let said = desk.ok(&format!("{arguments} -o out"));
    assert!(said.contains("nothing is published"), "{said}");
    let files = std::fs::read_dir(desk.path("out")).unwrap().count();
    assert_eq!(files, 3, "two files, and a list of them");
    #[cfg(unix)]
    for file in ["comparison.json", "comparison.html"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(desk.path("out").join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file} has exact figures of the raw table");
    }
    let comparison: Value = serde_json::from_str(&desk.read("out/comparison.json")).unwrap();
    let combinations: Vec<(u64, u64)> = comparison["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["clusters"].as_u64().unwrap(), row["k"].as_u64().unwrap()))
        .collect();
    assert_eq!(combinations, [(2, 4), (2, 8), (2, 10), (3, 4), (3, 8), (3, 10)]);
    assert!(desk.read("out/comparison.html").contains("<svg"));
    // A comparison may be replaced, as a release may.
    desk.ok(&format!("{arguments} --choose clusters=3,k=8 -o out --force"));
    let report = report(&desk, "out");
    assert_eq!((report["qids"][0]["k"].as_u64(), report["clusters"]["clusters"].as_u64()), (Some(8), Some(3)));
    assert_eq!(report["clusters"]["comparison"]["rows"].as_array().unwrap().len(), 6);
    let row = &report["clusters"]["comparison"]["rows"][4];
    assert_eq!(row["guided"]["f_measure"], report["clusters"]["guided"]["f_measure"]);
    // What reproduces the release does not compare again.
    assert_eq!(report["arguments"]["purpose"]["clusters"], 3);
    assert_eq!(report["arguments"]["qid"][0]["k"], 8);
}

#[test]
fn two_tables_are_compared_as_a_release_is() {
    let desk = Desk::with("t.csv", table());
    for (names, masked) in [("leaves", "out"), ("values", "out/public/table.csv")] {
        desk.ok(&format!("anonymize t.csv --clusters 3 --masked-names {names} --qid age,city:5 -o out --force"));
        let said = desk.ok(&format!("evaluate t.csv {masked} --clusters 3 --json"));
        let said: Value = serde_json::from_str(&said).unwrap();
        let expected = &report(&desk, "out")["clusters"]["guided"];
        assert_eq!(said["masked"]["contingency"], expected["contingency"], "{names}");
    }
    let text = desk.ok("evaluate t.csv t.csv --clusters 3 --recipient-clustering bisecting");
    assert!(text.contains("overall F-measure") && text.contains("both algorithms on the raw table"), "{text}");
}

/// Records without any structure: what masking keeps of their clusters is chance.
fn chance(mut seed: u64) -> String {
    let mut below = |end: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % end
    };
    let mut text = "age,city,pay,shoes\n".to_owned();
    for _ in 0..60 {
        let (age, city, pay, shoes) =
            (20 + below(41), below(4), [1000, 2000, 5000, 9000][below(4) as usize], below(11));
        text += &format!("{age},{},{pay},{}\n", ["Bern", "Oslo", "Rome", "Wien"][city as usize], 36 + shoes);
    }
    text
}

#[test]
fn the_masking_that_keeps_more_clusters_is_the_published_one() {
    let mut published = BTreeMap::new();
    for seed in 0..60 {
        let desk = Desk::with("t.csv", chance(seed));
        let said = desk.ok("anonymize t.csv --clusters 2 --qid age,city:5 -o out");
        let clusters = &report(&desk, "out")["clusters"];
        let figure = |of: &str| clusters[of]["f_measure"].as_f64().unwrap();
        let which = clusters["published"].as_str().unwrap();
        assert_eq!(figure(which), figure("guided").max(figure("blind")), "{seed}");
        assert_eq!(said.contains("published: the masking that is blind to clusters"), which == "blind", "{said}");
        let recounted: Value = serde_json::from_str(&desk.ok("evaluate t.csv out --clusters 2 --json")).unwrap();
        assert_eq!(recounted["masked"]["contingency"], clusters[which]["contingency"], "{seed}");
        *published.entry(which.to_owned()).or_insert(0) += 1;
    }
    assert!(published["blind"] > 0 && published["guided"] > published["blind"], "{published:?}");
}

#[test]
fn names_lie_by_their_taxonomy_unless_said() {
    let desk = Desk::with("t.csv", table());
    desk.write("city.txt", "Europe\n  North\n    Oslo\n  Middle\n    Bern\n    Rome\n");
    let encoded = |how: &str| {
        desk.ok(&format!(
            "anonymize t.csv --clusters 3 --taxonomy city=city.txt {how} --qid age,city:5 -o out --force"
        ));
        report(&desk, "out")["clusters"]["encode_names"].clone()
    };
    assert_eq!(encoded(""), "taxonomy");
    assert_eq!(encoded("--encode-names one-hot"), "one-hot");
}

/// The setting of the paper's Table 7 (F-measure 0.90, match point 0.97): Adult, six clusters, k = 120, the paper's nine attributes.
///
/// This pins one seed and one order of records. It is no reproduction: k-means has many optima on Adult that are almost equally good, and
/// over twelve seeds the F-measure of this setting is 0.84 on average, from 0.48 to 0.98.
#[test]
fn the_setting_of_table_7_gives_its_figures_for_one_seed() {
    let desk = Desk::new();
    let script = format!("(zcat {0}/train.csv.gz; zcat {0}/test.csv.gz | tail -n +2) > adult.csv", dataset("adult"));
    assert!(desk.command_in_shell(&script).status().unwrap().success());
    let names =
        ["education", "marital-status", "native-country", "occupation", "race", "relationship", "sex", "workclass"];
    let taxonomies = names.map(|name| format!("--taxonomy {name}={}/{name}.txt", dataset("taxonomies"))).join(" ");
    desk.ok(&format!(
        "anonymize adult.csv --null ? --missing complete --drop income {taxonomies} --clusters 6 --encode-names one-hot --masked-names values -o out --qid \
         education-num,native-country,marital-status,occupation,education,relationship,age,race,sex:120"
    ));
    let clusters = &report(&desk, "out")["clusters"];
    let figure = |of: &str, name: &str| (100.0 * clusters[of][name].as_f64().unwrap()).round();
    assert_eq!((figure("guided", "f_measure"), figure("guided", "match_point")), (90.0, 97.0));
    assert!(figure("blind", "f_measure") < 60.0);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let cases = [
        "anonymize t.csv --clusters 0 --qid age:2 -o out",
        "anonymize t.csv --clusters 1 --qid age:2 -o out",
        "anonymize t.csv --clusters 121 --qid age:2 -o out",
        "anonymize t.csv --clusters 3 --target city --qid age:2 -o out",
        "anonymize t.csv --clusters 3 --purpose general --qid age:2 -o out",
        "anonymize t.csv --purpose clustering --qid age:2 -o out",
        "anonymize t.csv --publish-labels --qid age:2 -o out",
        "anonymize t.csv --qid age:2,5 -o out",
        "anonymize t.csv --clusters 3 --qid age:2,5 --qid city:2 -o out",
        "anonymize t.csv --clusters 3 --qid age:2 --cluster-on pya -o out",
        "anonymize t.csv --clusters 3 --qid age:2 --cluster-on pay --drop pay -o out",
        "anonymize t.csv --clusters 3 --qid age:2 --not-cluster-on age,city,pay,shoes -o out",
        "anonymize t.csv --clusters 3 --qid age:2 --cluster-on age --not-cluster-on pay -o out",
        "anonymize t.csv --clusters 3 --qid age:2 --publish-labels --label-name shoes -o out",
        "anonymize t.csv --clusters 3 --qid age:2 --label-name group -o out",
        "anonymize t.csv --clusters 2,3 --qid age:2 --choose clusters=4 -o out",
        "anonymize t.csv --clusters 3 --qid age:2 --choose 3 -o out",
        "evaluate t.csv --clusters 3",
        "evaluate t.csv t.csv --clusters 1",
        "evaluate t.csv short.csv --clusters 3",
    ];
    let run = |arguments: &str| {
        let desk = Desk::with("t.csv", table());
        desk.write("short.csv", "age,city,pay,shoes\n20,Bern,1000,36\n");
        let before = desk.names();
        let output = desk.run(arguments);
        assert_eq!(desk.names(), before, "cutline {arguments} left something behind");
        let status = output.status.code().unwrap();
        format!("$ cutline {arguments}\n{}[exit status {status}]\n", String::from_utf8_lossy(&output.stderr))
    };
    insta::assert_snapshot!(cases.map(run).join("\n"));
}

/// Records with missing values, of which some are left out, and of which some are values.
#[test]
fn missing_values_have_a_place() {
    let mut text = table();
    text += "?,Oslo,2000,40\n30,?,1000,\n55,Rome,?,41\n";
    let desk = Desk::with("t.csv", &text);
    for (missing, records) in [("value", 123), ("drop", 121), ("complete", 120)] {
        desk.ok(&format!("anonymize t.csv --null ? --missing {missing} --clusters 3 --qid age,city:3 -o {missing}"));
        let report = report(&desk, missing);
        assert_eq!(report["clusters"]["compared"], records, "{missing}");
        assert!(report["clusters"]["guided"]["f_measure"].as_f64().unwrap() > 0.9, "{missing}");
    }
    let counts: BTreeMap<&str, u64> = BTreeMap::from([("drop", 121), ("complete", 120)]);
    for (missing, records) in counts {
        assert_eq!(desk.read(&format!("{missing}/public/table.csv")).lines().count() as u64, records + 1);
    }
}
