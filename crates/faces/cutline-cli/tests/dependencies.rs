//! What Cutline is built from: licences that allow its own, and no crate twice that should be there once.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Licences under which everybody may use and pass on the program, with nothing but their texts kept.
const ALLOWED: [&str; 8] =
    ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-3-Clause", "CC0-1.0", "ISC", "Unicode-3.0", "Zlib"];

/// Two versions of one of these would be types that do not fit each other, or minutes of building.
const ONCE: [&str; 12] = [
    "arrow-array",
    "arrow-schema",
    "clap",
    "csv",
    "flate2",
    "indexmap",
    "parquet",
    "rand",
    "rayon",
    "serde",
    "serde_json",
    "thiserror",
];

/// All crates that this machine builds, those of tests among them: no others need to have been downloaded.
fn packages() -> Vec<Value> {
    let output = Command::new(std::env::var_os("CARGO").unwrap())
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", &host()])
        .current_dir(std::env::var_os("CARGO_MANIFEST_DIR").unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

fn host() -> String {
    let version = Command::new(std::env::var_os("CARGO").unwrap()).arg("-vV").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

/// Is one alternative of an expression allowed? `A OR B` is a choice, `A AND B` asks for both; older crates write a choice as `A/B`.
fn allowed(expression: &str) -> bool {
    let bare = expression.replace(['(', ')'], "").replace('/', " OR ");
    bare.split(" AND ").all(|part| part.split(" OR ").any(|licence| ALLOWED.contains(&licence.trim())))
}

#[test]
fn all_licences_are_allowed() {
    let packages = packages();
    assert!(packages.len() > 100);
    let licence = |package: &Value| package["license"].as_str().unwrap_or("none").to_owned();
    let others: Vec<String> = packages
        .iter()
        .filter(|package| !allowed(&licence(package)))
        .map(|package| format!("{}: {}", package["name"], licence(package)))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn crates_that_should_be_there_once_are_there_once() {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages() {
        let text = |key: &str| package[key].as_str().unwrap().to_owned();
        versions.entry(text("name")).or_default().insert(text("version"));
    }
    for name in ONCE {
        let found = &versions[name];
        assert_eq!(found.len(), 1, "{name} is there as {found:?}");
    }
}

#[test]
fn a_licence_is_read_as_its_expression_says() {
    assert!(allowed("MIT OR GPL-3.0") && allowed("MIT/Apache-2.0") && allowed("(MIT OR Apache-2.0) AND Unicode-3.0"));
    assert!(!allowed("GPL-3.0") && !allowed("MIT AND GPL-3.0") && !allowed("none"));
}

/// The files of a crate's package.
fn packaged(name: &str) -> BTreeSet<String> {
    let output = Command::new(std::env::var_os("CARGO").unwrap())
        .args(["package", "--list", "--allow-dirty", "--offline", "--locked", "--package", name])
        .current_dir(std::env::var_os("CARGO_MANIFEST_DIR").unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn the_package_of_the_command_has_its_data() {
    let files = packaged("cutline-cli");
    for file in ["data/adult/train.csv.gz", "data/adult/test.csv.gz", "data/taxonomies/sex.txt", "src/main.rs"] {
        assert!(files.contains(file), "{file} is not in the package");
    }
}

/// The files that a source includes by name, as paths from the root of its crate.
fn included(source: &str, text: &str) -> Vec<String> {
    let folder = source.rsplit_once('/').map_or("", |(folder, _)| folder);
    let macros = ["include_str!(\"", "include_bytes!(\""].into_iter();
    let names = macros.flat_map(|start| text.split(start).skip(1).filter_map(|rest| rest.split('"').next()));
    let path = |name: &str| {
        let mut parts: Vec<&str> = folder.split('/').collect();
        name.split('/').for_each(|part| match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        });
        parts.join("/")
    };
    names.map(path).collect()
}

/// A crate that is published says what it is, and has in its package what it is built from.
#[test]
fn every_published_crate_is_complete() {
    let mut published = 0;
    for package in packages().iter().filter(|package| package["source"].is_null() && package["publish"].is_null()) {
        let name = package["name"].as_str().unwrap();
        for key in ["description", "license", "readme"] {
            assert!(package[key].is_string(), "{name} has no {key}");
        }
        let files = packaged(name);
        assert!(
            files.contains("README.md") && (files.contains("src/lib.rs") || files.contains("src/main.rs")),
            "{name}"
        );
        let root = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
        for source in files.iter().filter(|file| file.ends_with(".rs")) {
            let text = std::fs::read_to_string(root.join(source)).unwrap();
            let lacking = included(source, &text).into_iter().find(|file| !files.contains(file));
            assert_eq!(lacking, None, "{name}: {source} needs it");
        }
        published += 1;
    }
    assert!(published > 10, "{published}");
    assert_eq!(included("src/a/b.rs", "x(include_str!(\"../c.css\"))"), ["src/c.css"]);
}
