//! An engine of vectors and plain group-bys goes through the whole release, and gives the same release as the embedded one: the proof
//! that the boundary carries.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::collections::BTreeMap;

use cutline::spec::Spec;
use cutline::{Counts, Destination, Folder, Job, Silent, Table};
use support::vectors::Vectors;

const RECORDS: usize = 400;

/// Ages, towns with a missing one now and then, and a class that depends on both.
fn record(n: usize) -> [String; 3] {
    let (age, town) = (18 + n * 7 % 50, ["Oslo", "Rome", "Kiel", "", "Ulm"][n * 3 % 11 % 5]);
    let ill = age > 40 || town == "Ulm";
    [age.to_string(), town.to_owned(), if ill { "yes" } else { "no" }.to_owned()]
}

fn files(folder: &std::path::Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder.join("public")).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read_to_string(entry.path()).unwrap()))
        .collect()
}

fn published(table: &Table, job: &Job) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let destination = Destination { path: folder.path().join("out"), force: false };
    let draft = Counts::new(job, table, &Silent).unwrap().search(job, &Silent).unwrap();
    draft.publish(Box::new(Folder::new(&destination).unwrap()), &Silent).unwrap();
    files(&destination.path)
}

#[test]
fn a_release_does_not_depend_on_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    let rows: String = (0..RECORDS).map(|n| record(n).join(",") + "\n").collect();
    std::fs::write(&path, format!("age,town,ill\n{rows}")).unwrap();
    let file = Table::open(path.to_str().unwrap(), &Default::default(), 2).unwrap();
    let vectors = Table::remote(Vectors::new(["age", "town", "ill"], (0..RECORDS).map(|n| record(n).to_vec())));
    let purposes = ["[purpose]\ntarget = \"ill\"", "", "[purpose]\nclusters = 2"];
    let budgets = ["", "[suppress]\nlimit = \"5%\"", "[suppress]\nlimit = \"5%\"\nhow = \"drop\""];
    for algorithm in ["tdr", "tds", "bottom-up", "genetic", "refine"] {
        for (purpose, budget) in purposes.iter().zip(budgets) {
            let search = format!("[search]\nalgorithm = \"{algorithm}\"\n[search.genetic]\niterations = 500");
            let qid = "[[qid]]\nattributes = [\"age\", \"town\"]\nk = 9\nconditions = [\"distinct-l:ill=1\"]";
            let spec = format!("{qid}\n{purpose}\n{budget}\n{search}\n[output]\nformat = \"csv\"");
            let job = Job::new(toml::from_str::<Spec>(&spec).unwrap()).unwrap();
            assert_eq!(published(&vectors, &job), published(&file, &job), "{spec}");
        }
    }
}

#[test]
fn an_engine_that_cannot_shuffle_is_not_asked_to() {
    let table = Table::remote(Vectors::new(["age", "town", "ill"], (0..RECORDS).map(|n| record(n).to_vec())));
    let spec = "[[qid]]\nattributes = [\"age\"]\nk = 9\n[output]\nshuffle = true";
    let job = Job::new(toml::from_str::<Spec>(spec).unwrap()).unwrap();
    let error = Counts::new(&job, &table, &Silent).unwrap_err();
    assert_eq!(error.exit_status(), 2);
    assert!(error.to_string().contains("`vectors` cannot be published in a random order"), "{error}");
}
