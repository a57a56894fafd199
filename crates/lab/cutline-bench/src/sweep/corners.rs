//! Tables and requirements that are hard in one way.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use cutline::{Error, cores};
use cutline_report::count;

use super::bench::Bench;
use super::page::{Section, seconds};
use super::{Options, defect};

/// A table, and what is asked of it.
struct Corner {
    name: String,
    /// A line for each record.
    record: Box<dyn Fn(usize) -> String>,
    /// The names of the columns.
    header: String,
    records: usize,
    /// A taxonomy for the first column, if it has one.
    taxonomy: Option<String>,
    flags: Vec<String>,
}

/// The whole command on each of them.
pub(super) fn run(options: &Options, bench: &mut Bench) -> Result<Section, Error> {
    let records = options.common_size();
    let intro = format!(
        "The whole command, once each, on tables of random numbers that are hard in one way; {} records unless something else is said.",
        count(records as u64)
    );
    let mut section = Section::new("Corners", &intro);
    println!("\n{}", section.title());
    if !command()?.is_file() {
        section.body.text("Not measured: the command is not beside this program.");
        return Ok(section);
    }
    let start = timed(Command::new(command()?).arg("--help"))?;
    let mut rows = vec![vec!["`--help`".to_owned(), seconds(start)]];
    for corner in corners(records) {
        let time = corner.run(bench.folder())?;
        println!("{} {time:.3}", corner.name);
        rows.push(vec![corner.name, seconds(time)]);
    }
    section.body.table(&["corner", "whole command"], &rows);
    Ok(section)
}

/// The command beside this program.
fn command() -> Result<PathBuf, Error> {
    Ok(std::env::current_exe().map_err(defect)?.with_file_name("cutline"))
}

fn timed(command: &mut Command) -> Result<f64, Error> {
    let start = Instant::now();
    let done = command.stdin(Stdio::null()).output().map_err(defect)?;
    match done.status.success() {
        true => Ok(start.elapsed().as_secs_f64()),
        false => Err(defect(String::from_utf8_lossy(&done.stderr).trim())),
    }
}

impl Corner {
    fn run(&self, folder: &Path) -> Result<f64, Error> {
        let (table, release) = (folder.join("corner.csv"), folder.join("corner"));
        let mut text = self.header.clone() + "\n";
        (0..self.records).for_each(|record| text += &((self.record)(record) + "\n"));
        fs::write(&table, text).map_err(defect)?;
        let mut command = Command::new(command()?);
        command.arg("anonymize").arg(&table).arg("-o").arg(&release).args(["--force", "--quiet", "--no-screen"]);
        command.args(&self.flags).arg("--threads").arg(cores().to_string());
        if let Some(taxonomy) = &self.taxonomy {
            let path = folder.join("corner.txt");
            fs::write(&path, taxonomy).map_err(defect)?;
            command.arg("--taxonomy").arg(format!("a={}", path.display()));
        }
        let time = timed(&mut command)?;
        fs::remove_dir_all(release).map_err(defect)?;
        Ok(time)
    }
}

/// A number below `limit` that looks random and is always the same.
fn drawn(record: usize, column: usize, limit: usize) -> usize {
    let mixed = (record as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (column as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed ^ (mixed >> 32)) % limit as u64) as usize
}

/// A record of some columns of so many values, and a class that follows from the first one, mostly.
fn record(record: usize, columns: usize, values: usize) -> String {
    let mut line = String::new();
    for column in 0..columns {
        let _ = write!(line, "v{},", drawn(record, column, values));
    }
    let class = (drawn(record, 0, values) + usize::from(drawn(record, columns, 10) == 0)) % 2;
    line + ["no", "yes"][class]
}

fn header(columns: usize) -> String {
    let name = |column: usize| if column == 0 { "a".to_owned() } else { format!("a{column}") };
    (0..columns).map(name).chain(["class".to_owned()]).collect::<Vec<_>>().join(",")
}

fn corners(records: usize) -> Vec<Corner> {
    let flags = |qids: &[String]| -> Vec<String> {
        let qids = qids.iter().flat_map(|qid| ["--qid".to_owned(), qid.clone()]);
        ["--target", "class"].map(str::to_owned).into_iter().chain(qids).collect()
    };
    let qid = |columns: std::ops::Range<usize>, k: u64| {
        let names: Vec<String> =
            columns.map(|column| if column == 0 { "a".to_owned() } else { format!("a{column}") }).collect();
        format!("{}:{k}", names.join(","))
    };
    let plain = |name: String, records: usize, columns: usize, values: usize, qids: Vec<String>| Corner {
        name,
        record: Box::new(move |number| record(number, columns, values)),
        header: header(columns),
        records,
        taxonomy: None,
        flags: flags(&qids),
    };
    let few = records.min(1_000);
    let (values, leaves) = (records / 40, records);
    let of_pairs = (0..50).map(|first| qid(first % 10..first % 10 + 2 + first / 10, 10)).collect();
    let mut corners = vec![
        plain(format!("{} records", count(few as u64)), few, 5, 4, vec![qid(0..5, 5)]),
        plain(format!("{} values to disclose", count(values as u64)), records, 1, values.max(2), vec![qid(0..1, 5)]),
        plain(
            format!("200 quasi attributes, {} records", count(records as u64 / 10)),
            records / 10,
            200,
            3,
            vec![qid(0..200, 10)],
        ),
        plain("50 QIDs".to_owned(), records, 16, 4, of_pairs),
        plain("k = 1".to_owned(), records, 5, 20, vec![qid(0..5, 1)]),
    ];
    let mut taxonomy = "any\n".to_owned();
    for leaf in 0..leaves {
        if leaf % 1_000 == 0 {
            let _ = writeln!(taxonomy, "  group {}", leaf / 1_000);
        }
        let _ = writeln!(taxonomy, "    v{leaf}");
    }
    let name = format!("a taxonomy of {} leaves", count(leaves as u64));
    corners.push(Corner { taxonomy: Some(taxonomy), ..plain(name, records, 1, leaves, vec![qid(0..1, 5)]) });
    corners
}
