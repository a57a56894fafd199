//! Every case in `cases/`, by every algorithm that has an expectation there.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::path::{Path, PathBuf};

use cutline::spec::{Algorithm, Spec};
use cutline::{Destination, Job, Silent, publish};
use serde_json::{Value, json};

const ALGORITHMS: [(&str, Algorithm); 4] = [
    ("tdr", Algorithm::Tdr),
    ("tds", Algorithm::Tds),
    ("bottom-up", Algorithm::BottomUp),
    ("genetic", Algorithm::Genetic),
];

fn folder() -> PathBuf {
    // Asked when the test runs: in a target folder that clones share, a test may have been built in another one.
    PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo tells it")).join("../../../cases")
}

fn read_json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Numbers as people read them: rounding differs from one machine's logarithm to another's.
fn rounded(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            json!((number.as_f64().unwrap() * 1e9).round() / 1e9)
        }
        Value::Array(values) => values.iter().map(rounded).collect(),
        other => other.clone(),
    }
}

/// What a case is about: the steps, and what is published.
fn outcome(spec: &Path, algorithm: Algorithm) -> Value {
    let mut spec = Spec::read(spec).unwrap();
    spec.search.algorithm = Some(algorithm);
    spec.search.genetic.iterations = Some(2000);
    let job = Job::new(spec).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let destination = Destination { path: folder.path().join("release"), force: false };
    publish(&job, &job.open().unwrap(), &destination, &Silent).unwrap();
    let trace = std::fs::read_to_string(destination.path.join("private/trace.jsonl")).unwrap();
    let steps: Vec<Value> = trace
        .lines()
        .map(|line| {
            let step: serde_json::Map<String, Value> = serde_json::from_str(line).unwrap();
            step.iter().map(|(key, value)| (key.clone(), rounded(value))).collect()
        })
        .collect();
    let mut recoding = read_json(&destination.path.join("public/recoding.json"));
    for attribute in recoding["attributes"].as_object_mut().unwrap().values_mut() {
        attribute.as_object_mut().unwrap().shift_remove("taxonomy");
    }
    let suppressed = &read_json(&destination.path.join("private/report.json"))["suppressed"];
    json!({
        "steps": steps,
        "attributes": recoding["attributes"],
        "requirement": recoding["requirement"],
        "suppressed": suppressed,
    })
}

#[test]
fn every_case_has_the_expected_outcome() {
    let mut ran = 0;
    let write = std::env::var_os("CUTLINE_WRITE_CASES").is_some();
    let cases = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    for case in cases.filter(|path| path.is_dir()) {
        for (name, algorithm) in ALGORITHMS {
            let expected = case.join(format!("expected.{name}.json"));
            if write {
                let text = serde_json::to_string_pretty(&outcome(&case.join("spec.toml"), algorithm)).unwrap();
                std::fs::write(&expected, text + "\n").unwrap();
            }
            if expected.exists() {
                assert_eq!(outcome(&case.join("spec.toml"), algorithm), read_json(&expected), "{}", expected.display());
                ran += 1;
            }
        }
    }
    assert!(ran >= 36, "only {ran} cases were found");
}
