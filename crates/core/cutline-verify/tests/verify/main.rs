//! The recount on written files, one module a question.
#![allow(clippy::unwrap_used)] // Helpers of tests, which clippy does not recognize as such.

mod conditions;
mod confidences;
mod csv_files;
mod damaged;
mod errors;
mod findings;
mod formats;
mod memory;
mod naive;
mod naive_conditions;
mod persons;
mod risks;
mod several_files;
mod threads;

use std::fs;
use std::path::{Path, PathBuf};

use cutline_verify::{Claim, Finding, Options, Verdict, VerifyError, verify};
use tempfile::TempDir;

/// A folder of tables that disappears after the test.
struct Tables(TempDir);

impl Tables {
    fn new() -> Tables {
        Tables(tempfile::tempdir().unwrap())
    }

    /// A folder with one file.
    fn with(name: &str, content: impl AsRef<[u8]>) -> Tables {
        let tables = Tables::new();
        tables.write(name, content);
        tables
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }

    fn verify(&self, name: &str, claims: &[Claim]) -> Result<Verdict, VerifyError> {
        self.verify_with(name, claims, &Options::default())
    }

    fn verify_with(&self, name: &str, claims: &[Claim], options: &Options) -> Result<Verdict, VerifyError> {
        verify(&self.path(name), claims, options, &|_| ())
    }
}

/// `claim("age,sex", 3)`
fn claim(attributes: &str, k: u64) -> Claim {
    Claim::new(attributes.split(',').map(str::to_owned).collect(), k)
}

/// Options that keep the contents of all groups.
fn all_values() -> Options {
    Options { worst: usize::MAX, keep_values: true, ..Options::default() }
}

/// All groups of a finding, smallest first: `["1 a|b", "3 c|d"]`.
fn groups(finding: &Finding) -> Vec<String> {
    let group =
        |group: &cutline_verify::WorstGroup| format!("{} {}", group.size, group.values.as_ref().unwrap().join("|"));
    finding.worst.iter().map(group).collect()
}

/// All groups of a table on some attributes.
fn groups_of(path: &Path, attributes: &str, options: &Options) -> Vec<String> {
    let verdict = verify(path, &[claim(attributes, 1)], options, &|_| ()).unwrap();
    groups(&verdict.findings[0])
}
