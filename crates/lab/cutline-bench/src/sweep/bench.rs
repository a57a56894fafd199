//! Tables to measure on, and releases in processes of their own.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cutline::Error;
use tempfile::TempDir;

use super::defect;
use crate::enlarge::{self, Novelty};
use crate::measure::{ReleaseFigures, Setting};

/// Where releases are measured.
pub(super) struct Bench {
    folder: TempDir,
    /// Runs of each release.
    repeat: usize,
    /// The table that is there: only one at a time, because large ones need gigabytes.
    made: Option<(usize, Novelty)>,
}

impl Bench {
    /// In a temporary folder, which is removed at the end.
    pub(super) fn new(repeat: usize) -> Result<Self, Error> {
        Ok(Bench { folder: tempfile::tempdir().map_err(defect)?, repeat: repeat.max(1), made: None })
    }

    /// Where tables of another kind can be made.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The enlarged Adult table of so many records.
    pub(super) fn table(&mut self, rows: usize, novelty: Novelty) -> Result<PathBuf, Error> {
        let path = self.folder.path().join("adult.csv");
        if self.made != Some((rows, novelty)) {
            self.made = None;
            enlarge::write(rows, 0, novelty, 1, &path).map_err(defect)?;
            // Otherwise the system writes it to the disk while the first release is measured.
            File::open(&path).and_then(|file| file.sync_all()).map_err(defect)?;
            self.made = Some((rows, novelty));
        }
        Ok(path)
    }

    /// The same with further columns, in a file of its own.
    pub(super) fn wide_table(&self, rows: usize, beside: usize, novelty: Novelty) -> Result<PathBuf, Error> {
        let path = self.folder.path().join(format!("{rows}x{}.csv", 15 + 14 * beside));
        enlarge::write(rows, beside, novelty, 1, &path).map_err(defect)?;
        File::open(&path).and_then(|file| file.sync_all()).map_err(defect)?;
        Ok(path)
    }

    /// Publishes a table of so many records, prints the figures of the fastest run and returns them.
    pub(super) fn release(&mut self, rows: usize, setting: &Setting, what: &str) -> Result<ReleaseFigures, Error> {
        let table = self.table(rows, Novelty::Any)?;
        let mut best = run(&table, setting)?;
        for _ in 1..self.repeat {
            let figures = run(&table, setting)?;
            if figures.whole < best.whole {
                best = figures;
            }
        }
        println!("{}", line(&best, what));
        Ok(best)
    }
}

/// Measures one release in a process of its own, so that its peak memory is that of this release and none before.
fn run(table: &PathBuf, setting: &Setting) -> Result<ReleaseFigures, Error> {
    let program = std::env::current_exe().map_err(defect)?;
    let mut command = Command::new(program);
    command.arg("measure").arg(table).args(setting.flags()).stderr(Stdio::inherit());
    let output = command.output().map_err(defect)?;
    if !output.status.success() {
        return Err(defect(format!("measuring a release failed ({})", output.status)));
    }
    serde_json::from_slice(&output.stdout).map_err(defect)
}

/// Says what the figures of the lines that follow are.
pub(super) fn head(title: &str) {
    println!(
        "\n{title}\n{:>10} {:>9} {:>7} {:>7} {:>7} {:>7} {:>7} {:>6} {:>9}",
        "records", "distinct", "read", "search", "write", "verify", "whole", "steps", "peak MiB"
    );
}

fn line(figures: &ReleaseFigures, what: &str) -> String {
    let ReleaseFigures { records, distinct, read, search, write, verify, whole, steps, peak, .. } = figures;
    let peak = peak.map_or("?".to_owned(), |bytes| (bytes >> 20).to_string());
    format!(
        "{records:>10} {distinct:>9} {read:>7.3} {search:>7.3} {write:>7.3} {verify:>7.3} {whole:>7.3} {steps:>6} {peak:>9}  {what}"
    )
}
