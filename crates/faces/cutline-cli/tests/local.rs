//! Releases in which each group has labels of its own.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::collections::{BTreeMap, BTreeSet};

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
        desk.ok(&format!("apply {mode}/private/recoding.json {adult} -o {mode}.csv"));
        assert!(desk.read(&format!("{mode}.csv")) == desk.read(&format!("{mode}/public/table.csv")), "{mode}");
        let regions = Recoding::from_json(&desk.read(&format!("{mode}/private/recoding.json"))).unwrap().regions;
        assert!(regions.unwrap().groups().count() > 100);
        let report = desk.read(&format!("{mode}/private/report.html"));
        assert!(report.contains("because one lies within the other, in: "));
        assert_eq!(report.contains("Labels may overlap by halves in: "), mode == "free");
        assert!(desk.read(&format!("{mode}/public/report.json")).contains(&format!("\"local\": \"{mode}\"")));
    }
}

/// `sex` has no taxonomy: into which regions records fall follows from names behind `*`, too. Everybody is told the labels of groups, and
/// nothing else.
#[test]
fn regions_of_names_are_for_the_steward() {
    let desk = Desk::new();
    published(&desk, "nested", "--local nested");
    let stored = recoding(&desk, "nested");
    assert_eq!(stored.format, Recoding::FORMAT_OF_REGIONS);
    let regions = stored.regions.unwrap();
    assert!(regions.are_withheld());
    let table = desk.read("nested/public/table.csv");
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let columns: Vec<usize> =
        regions.attributes.iter().map(|name| header.iter().position(|column| column == name).unwrap()).collect();
    let groups: BTreeSet<Vec<&str>> =
        lines.map(|cells| columns.iter().map(|&column| cells[column]).collect()).collect();
    let told: BTreeSet<Vec<&str>> = regions
        .groups
        .iter()
        .map(|group| group.iter().map(|label| label.as_deref().unwrap_or("?")).collect())
        .collect();
    assert!(groups.len() > 100);
    assert_eq!(told, groups);
    assert!(desk.read("nested/public/report.html").contains("The labels of each region"));
    let refused =
        desk.run(&format!("apply nested/public/recoding.json {} -o again.csv", dataset("adult/train.csv.gz")));
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("private/recoding.json"));
    assert!(!desk.path("again.csv").exists());
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
        ("--qid age,sex:2 --unknown root --flatten", "attached to its root"),
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

/// A recipient whose program needs labels that exclude each other gets them.
#[test]
fn flattened_releases_have_one_label_for_a_value() {
    let desk = Desk::new();
    for mode in MODES {
        published(&desk, mode, &format!("--local {mode} --flatten --suppress-limit 1%"));
        desk.ok(&format!("verify {mode}/public/table.csv --qid {QID}:50"));
        let stored = recoding(&desk, mode);
        assert!(stored.regions.is_none() && stored.format == Recoding::FORMAT, "{mode}");
        assert!(desk.read(&format!("{mode}/public/report.json")).contains(&format!("\"local, {mode}, flattened\"")));
    }
    let output = desk.run(&format!("anonymize {} --qid {QID}:50 --flatten -o out", dataset("adult/train.csv.gz")));
    assert_eq!(output.status.code(), Some(2));
}

/// Values that no taxonomy has go into one part with missing ones, whose label is that of the root: none of them stands in a public file,
/// and whoever applies the recoding to the same table gets the same one.
#[test]
fn values_that_no_taxonomy_has_stay_together() {
    let desk = Desk::new();
    let mut table = "place,age,ill\n".to_owned();
    for record in 0..40 {
        table += &format!("{},{},{}\n", ["Kiel", "Ulm"][record % 2], 20 + record / 2, ["yes", "no"][record % 2]);
    }
    for place in ["Atlantis", "Lemuria", ""] {
        table += &format!("{place},25,no\n{place},26,no\n").repeat(2);
    }
    desk.write("t.csv", table);
    desk.write("places.txt", "Any\n  Kiel\n  Ulm\n");
    for mode in MODES {
        for budget in ["", "--suppress-limit 20%"] {
            desk.ok(&format!(
                "anonymize t.csv --qid place,age:5 --taxonomy place=places.txt --unknown root --target ill --local {mode} {budget} -o {mode} --force"
            ));
            for file in ["table.csv", "recoding.json", "report.json", "report.html"] {
                assert!(!desk.read(&format!("{mode}/public/{file}")).contains("Atlantis"), "{mode} {budget} {file}");
            }
            let published = desk.read(&format!("{mode}/public/table.csv"));
            assert_eq!(published.lines().filter(|line| line.starts_with("Any,")).count(), 12, "{published}");
            assert!(published.contains("Kiel,"), "{published}");
            desk.ok(&format!("apply {mode}/public/recoding.json t.csv --unknown root -o again.csv --force"));
            assert_eq!(desk.read("again.csv"), published);
        }
    }
}

/// The numbers of some columns of the raw table, which is published but for `race`.
fn raw_numbers<const N: usize>(desk: &Desk, columns: [&str; N]) -> Vec<[f64; N]> {
    desk.ok(&format!("anonymize {} --null ? --qid race:2 -o raw", dataset("adult/train.csv.gz")));
    let table = desk.read("raw/public/table.csv");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().unwrap().clone();
    let places = columns.map(|name| header.iter().position(|other| other == name).unwrap());
    reader
        .records()
        .map(|record| record.unwrap())
        .map(|record| places.map(|place| record[place].parse().unwrap()))
        .collect()
}

/// A plain Mondrian (LeFevre et al. 2006): the attribute whose values are widest apart is split at the median, as long as both parts have k
/// records. Returns LM, as the report tells it, and the number of groups.
fn mondrian<const N: usize>(records: Vec<[f64; N]>, k: usize) -> (f64, usize) {
    let domain: Vec<Vec<f64>> = (0..N)
        .map(|a| {
            let mut values: Vec<f64> = records.iter().map(|record| record[a]).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            values
        })
        .collect();
    let share = |a: usize, lower: f64, upper: f64| (upper - lower) / (domain[a][domain[a].len() - 1] - domain[a][0]);
    let whole: Vec<(f64, f64)> = domain.iter().map(|values| (values[0], values[values.len() - 1])).collect();
    let all = records.len() as f64;
    let mut pending = vec![(records, whole)];
    let (mut lost, mut groups) = (0.0, 0);
    while let Some((records, ranges)) = pending.pop() {
        let column = |a: usize| records.iter().map(move |record| record[a]);
        let width = |a: usize| share(a, column(a).fold(f64::MAX, f64::min), column(a).fold(f64::MIN, f64::max));
        let mut order: Vec<usize> = (0..N).collect();
        order.sort_by(|&a, &b| width(b).total_cmp(&width(a)));
        let split = order.into_iter().find_map(|a| {
            let mut values: Vec<f64> = column(a).collect();
            values.sort_by(f64::total_cmp);
            let median = values[values.len() / 2];
            let (left, right): (Vec<_>, Vec<_>) = records.iter().partition(|record| record[a] < median);
            (left.len() >= k && right.len() >= k).then_some((a, median, left, right))
        });
        match split {
            None => {
                groups += 1;
                let each: f64 = ranges.iter().enumerate().map(|(a, range)| share(a, range.0, range.1)).sum();
                lost += each * records.len() as f64;
            }
            Some((a, median, left, right)) => {
                let (mut below, mut above) = (ranges.clone(), ranges);
                // The greatest number below the median that the table has.
                let last = domain[a].partition_point(|&value| value < median) - 1;
                (below[a].1, above[a].0) = (domain[a][last], median);
                pending.extend([(left, below), (right, above)]);
            }
        }
    }
    (lost / all, groups)
}

/// For no purpose, labels of groups lose less than those of Mondrian, which splits at medians whatever that gains; those of one label
/// a value lose more than both.
#[test]
fn on_adult_less_is_lost_than_by_mondrian() {
    let desk = Desk::new();
    let columns = ["age", "education-num", "hours-per-week"];
    let records = raw_numbers(&desk, columns);
    for k in [10, 100] {
        let losses = |flags: &str| {
            let adult = dataset("adult/train.csv.gz");
            desk.ok(&format!("anonymize {adult} --null ? --qid {}:{k} {flags} -o out --force", columns.join(",")));
            let report: Value = serde_json::from_str(&desk.read("out/private/report.json")).unwrap();
            (report["metrics"]["general"].as_f64().unwrap(), report["qids"][0]["groups"].as_u64().unwrap() as usize)
        };
        let (theirs, groups) = mondrian(records.clone(), k);
        let average = |groups: usize| records.len() as f64 / groups as f64 / k as f64;
        let shown = |name: &str, (lost, groups): (f64, usize)| {
            println!("k = {k}, {name}: LM {lost:.3}, {groups} groups, C_AVG {:.2}", average(groups));
            lost
        };
        let plain = shown("tdr", losses("--algorithm tdr"));
        let [nested, free] = MODES.map(|mode| shown(mode, losses(&format!("--local {mode}"))));
        shown("Mondrian", (theirs, groups));
        assert!(free < theirs && nested < plain, "k = {k}: {free} {theirs} {nested} {plain}");
    }
}

/// A value may be written as the label that stands for all others.
#[test]
fn a_star_among_the_values_is_no_reason_to_refuse() {
    let line = |record: usize| {
        let town = ["*", "Kiel", "Bonn", "*"][record % 4];
        format!("{},{town},{}\n", record % 40, if record.is_multiple_of(4) || record % 40 > 20 { "yes" } else { "no" })
    };
    let records: String = (0..400).map(line).collect();
    let desk = Desk::with("t.csv", format!("age,town,ill\n{records}"));
    for mode in MODES {
        desk.ok(&format!("anonymize t.csv --qid age,town:5 --target ill --local {mode} -o {mode}"));
        desk.ok(&format!("verify {mode}"));
    }
}
