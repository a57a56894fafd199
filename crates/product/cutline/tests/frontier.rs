//! A release by counts that stay small is the release by all combinations of values: the same files, byte for byte.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

#[path = "../../../engines/cutline-remote/tests/support/cases.rs"]
mod cases;

use std::path::Path;

use cases::{By, TOWNS, specs, table, ways};
use cutline::engine::EngineError;
use cutline::parts::Way;
use cutline::spec::Spec;
use cutline::{Destination, Draft, Error, Folder, Job, Silent, Table};

fn job(spec: &str, flags: &[(&str, &str)]) -> Job {
    let mut spec: Spec = toml::from_str(spec).unwrap();
    spec.input.null = vec!["?".to_owned()];
    spec.set("drop", &"id".into()).unwrap();
    for (name, value) in flags {
        spec.set(name, &(*value).into()).unwrap();
    }
    Job::new(spec).unwrap()
}

fn publish(draft: &Draft, folder: &Path) {
    let folder = Folder::new(&Destination { path: folder.to_owned(), force: true }).unwrap();
    draft.publish(Box::new(folder), &Silent).unwrap();
}

/// The specs of the engines that can be counted by a frontier.
fn coarse_specs(taxonomy: &Path) -> Vec<String> {
    let purposes = ["[purpose]\ntarget = \"age\"\nkind = \"regression\"\n", ""];
    let tdr = "[search]\nalgorithm = \"tdr\"\n";
    let others = purposes
        .map(|purpose| format!("[[qid]]\nattributes = [\"weight\", \"town\", \"diagnosis\"]\nk = 6\n{purpose}{tdr}"));
    specs(taxonomy).into_iter().filter(|spec| ways(spec).contains(&By::Frontier)).chain(others).collect()
}

#[test]
fn a_release_by_counts_that_stay_small_is_that_by_all_combinations() {
    let folder = tempfile::tempdir().unwrap();
    let (taxonomy, file) = (folder.path().join("town.txt"), folder.path().join("persons.csv"));
    std::fs::write(&taxonomy, TOWNS).unwrap();
    for (round, spec) in coarse_specs(&taxonomy).iter().enumerate() {
        for flags in [&[][..], &[("missing", "drop")], &[("algorithm", "tds"), ("missing", "complete")]] {
            std::fs::write(&file, table(round as u64, 700)).unwrap();
            let open = Table::open(file.to_str().unwrap(), &Default::default(), 2).unwrap();
            let job = job(spec, flags);
            let (whole, small) =
                (Draft::new(&job, &open, &Silent).unwrap(), Draft::by_frontier(&job, &open, &Silent).unwrap());
            assert!(matches!(whole.found().way, Way::Combinations));
            assert!(matches!(small.found().way, Way::Frontier { .. }));
            assert_eq!(small.steps(), whole.steps(), "{round}, {flags:?}");
            assert_eq!(small.losses(), whole.losses(), "{round}, {flags:?}");
            let (here, there) = (folder.path().join("here"), folder.path().join("there"));
            publish(&whole, &here);
            publish(&small, &there);
            for name in ["table.csv", "recoding.json", "report.json", "report.html"] {
                let read = |path: &Path| std::fs::read_to_string(path.join("public").join(name)).unwrap();
                assert_eq!(read(&there), read(&here), "{name}, {round}, {flags:?}");
            }
        }
    }
}

#[test]
fn what_needs_all_combinations_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("persons.csv");
    std::fs::write(&file, table(1, 50)).unwrap();
    let open = Table::open(file.to_str().unwrap(), &Default::default(), 1).unwrap();
    let qid = "[[qid]]\nattributes = [\"age\", \"town\"]\nk = 3\n";
    for (spec, flags) in [
        (format!("{qid}[suppress]\nlimit = \"5%\"\n"), &[][..]),
        (qid.to_owned(), &[("algorithm", "bottom-up")]),
        // So few records are searched by `refine`.
        (qid.to_owned(), &[]),
        (format!("{qid}[purpose]\nclusters = 2\n"), &[]),
    ] {
        let refused = Draft::by_frontier(&job(&spec, flags), &open, &Silent).err().unwrap();
        assert!(matches!(refused, Error::Contradiction { .. }), "{refused}");
    }
}

#[test]
fn what_does_not_fit_into_memory_is_counted_so_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("many.csv");
    // More combinations than are allowed in any case.
    let records = (0..230_000_u64).map(|n| format!("{},{}\n", n * 7919 % 100_003, n / 3));
    std::fs::write(&file, format!("weight,height\n{}", records.collect::<String>())).unwrap();
    let open = Table::open(file.to_str().unwrap(), &Default::default(), 2).unwrap();
    let job = |flags: &[(&str, &str)]| {
        let mut spec: Spec = toml::from_str("[[qid]]\nattributes = [\"weight\", \"height\"]\nk = 2000\n").unwrap();
        flags.iter().for_each(|(name, value)| spec.set(name, &(*value).into()).unwrap());
        Job::new(spec).unwrap()
    };
    let (whole, small) = (
        Draft::new(&job(&[]), &open, &Silent).unwrap(),
        Draft::new(&job(&[("memory", "1MiB")]), &open, &Silent).unwrap(),
    );
    assert!(matches!(whole.found().way, Way::Combinations));
    assert!(matches!(small.found().way, Way::Frontier { .. }));
    assert_eq!((small.steps(), small.losses()), (whole.steps(), whole.losses()));
    let refused = Draft::new(&job(&[("memory", "1MiB"), ("algorithm", "bottom-up")]), &open, &Silent).err().unwrap();
    assert!(matches!(refused, Error::Engine(EngineError::TooMany(_))), "{refused}");
    assert_eq!(refused.exit_status(), 2);
}
