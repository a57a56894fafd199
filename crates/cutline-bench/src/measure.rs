//! Times of whole releases.

use std::path::{Path, PathBuf};
use std::time::Instant;

use cutline::model::{Qid, Taxonomy};
use cutline::spec::Spec;
use cutline::{Destination, Error, Job, Report, Silent, publish};

use crate::Qids;

/// What to measure.
pub(crate) struct Setting {
    pub(crate) qids: Qids,
    pub(crate) k: u64,
    pub(crate) threads: usize,
    pub(crate) format: String,
    pub(crate) repeat: usize,
}

const ALL: &str = "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,\
                   capital-loss,hours-per-week,native-country";

/// Five overlapping QIDs of 2 to 9 attributes.
const FIVE: [&str; 5] = [
    "age,education-num,relationship",
    "workclass,education,race,sex,native-country",
    "hours-per-week,capital-gain",
    "age,marital-status,occupation,sex,capital-loss,hours-per-week,native-country",
    "age,workclass,education,marital-status,occupation,relationship,race,sex,hours-per-week",
];

macro_rules! taxonomies {
    ($($name:literal),*) => { [$(($name, include_str!(concat!("../../../datasets/taxonomies/", $name, ".txt")))),*] };
}

pub(crate) const TAXONOMIES: [(&str, &str); 8] = taxonomies![
    "education",
    "marital-status",
    "native-country",
    "occupation",
    "race",
    "relationship",
    "sex",
    "workclass"
];

/// Publishes each table and prints where the time went.
pub(crate) fn run(tables: &[PathBuf], setting: &Setting) -> Result<(), Error> {
    println!(
        "{:>10} {:>9} {:>7} {:>7} {:>7} {:>7} {:>7} {:>6} {:>9}  table",
        "records", "distinct", "read", "search", "write", "verify", "whole", "steps", "peak MiB"
    );
    for table in tables {
        let mut best: Option<(Report, f64)> = None;
        for _ in 0..setting.repeat.max(1) {
            let (report, whole) = measure(table, setting)?;
            if best.as_ref().is_none_or(|(_, fastest)| whole < *fastest) {
                best = Some((report, whole));
            }
        }
        if let Some((report, whole)) = best {
            print_line(&report, whole, table);
        }
    }
    Ok(())
}

fn print_line(report: &Report, whole: f64, table: &Path) {
    let seconds = &report.seconds;
    println!(
        "{:>10} {:>9} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {:>6} {:>9}  {}",
        report.records,
        report.distinct,
        seconds.read,
        seconds.search,
        seconds.write,
        seconds.verify,
        whole,
        report.steps,
        peak_memory().map_or("?".to_owned(), |bytes| (bytes >> 20).to_string()),
        table.display()
    );
}

fn measure(table: &Path, setting: &Setting) -> Result<(Report, f64), Error> {
    let start = Instant::now();
    let mut spec = Spec::default();
    spec.input.path = Some(table.to_string_lossy().into_owned());
    spec.purpose.target = Some("income".to_owned());
    spec.search.threads = Some(setting.threads);
    spec.output.format = Some(setting.format.clone());
    let qids: &[&str] = if setting.qids == Qids::One { &[ALL] } else { &FIVE };
    let qid = |names: &&str| Qid::new(names.split(',').map(str::to_owned).collect(), setting.k);
    spec.qid = qids.iter().map(qid).collect();
    let mut job = Job::new(spec)?;
    for (name, text) in TAXONOMIES {
        let taxonomy = Taxonomy::from_outline(text).map_err(|error| Error::Defect(error.to_string()))?;
        job.set_taxonomy(name, taxonomy);
    }
    let destination = Destination { path: table.with_extension("bench-release"), force: true };
    let report = publish(&job, &job.open()?, &destination, &Silent)?;
    let whole = start.elapsed().as_secs_f64();
    let _ = std::fs::remove_dir_all(&destination.path);
    Ok((report, whole))
}

/// The largest resident memory of this process so far, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}
