//! A table that is exported anew while we search is not published by mistake.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::path::Path;

use cutline::spec::Spec;
use cutline::{Destination, Error, Job, Observer, Stage, publish};

/// Exports the table anew when the second pass begins.
struct Exporter<'a>(&'a (dyn Fn() + Sync));

impl Observer for Exporter<'_> {
    fn stage(&self, stage: Stage, _: Option<u64>) {
        if stage == Stage::Write {
            (self.0)();
        }
    }
}

fn table(header: &str, records: &str) -> String {
    header.to_owned() + &records.repeat(20)
}

fn released(folder: &Path, export: &(dyn Fn(&Path) + Sync)) -> Result<String, Error> {
    let path = folder.join("t.csv");
    std::fs::write(&path, table("zip,diag\n", "z10,flu\nz10,cold\nz12,flu\n")).unwrap();
    let mut spec: Spec = toml::from_str("[[qid]]\nattributes = [\"zip\"]\nk = 5\n").unwrap();
    spec.input.path = Some(path.display().to_string());
    let job = Job::new(spec)?;
    let destination = Destination { path: folder.join("out"), force: false };
    publish(&job, &job.open()?, &destination, &Exporter(&|| export(&path)))?;
    Ok(std::fs::read_to_string(folder.join("out/public/table.csv")).unwrap())
}

/// Nothing is published, nothing is left aside, and the input is to blame.
fn refused(export: &(dyn Fn(&Path) + Sync)) {
    let folder = tempfile::tempdir().unwrap();
    let error = released(folder.path(), export).unwrap_err();
    assert_eq!(error.exit_status(), 2, "{error}");
    assert!(error.to_string().contains("the input changed"), "{error}");
    assert!(error.hint().is_some_and(|hint| !hint.contains("defect")), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "the table, and nothing aside");
}

#[test]
fn columns_in_another_order_are_not_published_under_each_others_names() {
    refused(&|path| {
        std::fs::write(path, table("diag,zip\n", "flu,z10\ncold,z10\nflu,z12\n")).unwrap();
    });
}

#[test]
fn a_change_that_breaks_the_requirement_is_no_defect_of_ours() {
    refused(&|path| {
        // As many records of the same length, but one has a value of its own.
        let other = table("zip,diag\n", "z10,flu\nz10,cold\nz12,flu\n").replacen("z12", "z19", 1);
        std::fs::write(path, other).unwrap();
    });
}

#[test]
fn a_table_that_is_replaced_as_a_whole_is_published_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let published = released(folder.path(), &|path| {
        let other = path.with_extension("new");
        std::fs::write(&other, table("diag,zip\n", "flu,z10\n")).unwrap();
        std::fs::rename(other, path).unwrap();
    });
    assert!(published.unwrap().starts_with("zip,diag\nz10,flu\nz10,cold\nz12,flu\n"));
}
