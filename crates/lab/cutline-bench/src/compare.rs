//! A release beside a copy: the command and DuckDB on the same files, one after the other.
//!
//! DuckDB reads a file and writes it again in the same format, with as many threads: what a table costs that nobody masks. Both are asked
//! in turns, so that a machine that is slow for a while is slow for both, and the median of each counts.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use clap::Args;
use cutline::cores;

use crate::attributes::ALL;
use crate::markdown::table;

/// What is compared.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Enlarged Adult tables, CSV or Parquet
    #[arg(required = true)]
    tables: Vec<PathBuf>,
    /// Runs of each
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Threads of both
    #[arg(long, default_value_t = cores())]
    threads: usize,
    /// The command [default: the one beside this program]
    #[arg(long)]
    cutline: Option<PathBuf>,
    /// A Python that has DuckDB [default: that of the tests]
    #[arg(long)]
    python: Option<PathBuf>,
}

/// Reads argument 1 and writes argument 2, as argument 3 says, with so many threads; prints the seconds without those of Python itself.
const COPY: &str = "
import sys, time, duckdb
source, target, how, threads = sys.argv[1:]
connection = duckdb.connect(config={'threads': int(threads)})
connection.execute('SET enable_progress_bar = false')
start = time.perf_counter()
connection.execute(f\"COPY (SELECT * FROM '{source}') TO '{target}' ({how})\")
print(time.perf_counter() - start)
";

/// Prints a table of medians and ratios.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    print!("{}", table(&HEAD, &rows(options)?, "---:"));
    Ok(())
}

/// What the columns of [`rows`] are.
pub(crate) const HEAD: [&str; 4] = ["table", "release", "DuckDB's copy", "ratio"];

/// The medians of each table, and their ratio.
pub(crate) fn rows(options: &Options) -> Result<Vec<Vec<String>>, String> {
    let mut rows = Vec::new();
    for path in &options.tables {
        let mut seconds: [Vec<f64>; 2] = Default::default();
        for _ in 0..options.runs.max(1) {
            seconds[0].push(release(options, path)?);
            seconds[1].push(copy(options, path)?);
        }
        let [release, copy] = seconds.map(median);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        rows.push(vec![name, format!("{release:.2} s"), format!("{copy:.2} s"), format!("{:.2}", release / copy)]);
    }
    Ok(rows)
}

impl Options {
    /// So many runs of each of these tables, on all cores.
    pub(crate) fn new(tables: Vec<PathBuf>, runs: usize) -> Self {
        Options { tables, runs, threads: cores(), cutline: None, python: None }
    }

    /// Writes a Parquet file with what a CSV file has.
    pub(crate) fn convert(&self, source: &Path, target: &Path) -> Result<(), String> {
        self.duckdb(source, target, PARQUET).map(drop)
    }

    /// Lets DuckDB read a file and write another one; what it prints.
    fn duckdb(&self, source: &Path, target: &Path, how: &str) -> Result<String, String> {
        let mut command = Command::new(self.python.clone().unwrap_or_else(tests_python));
        command.arg("-c").arg(COPY).args([source, target]).arg(how).arg(self.threads.to_string());
        output(command)
    }
}

const PARQUET: &str = "FORMAT parquet, COMPRESSION zstd";

/// The seconds of the whole command.
fn release(options: &Options, path: &Path) -> Result<f64, String> {
    let beside =
        || std::env::current_exe().map(|own| own.with_file_name("cutline")).unwrap_or_else(|_| "cutline".into());
    let folder = path.with_extension("bench-release");
    let mut command = Command::new(options.cutline.clone().unwrap_or_else(beside));
    command
        .arg("anonymize")
        .arg(path)
        .arg("-o")
        .arg(&folder)
        .args(["--force", "--quiet", "--target", "income", "--qid"]);
    command.arg(format!("{ALL}:50")).arg("--threads").arg(options.threads.to_string());
    let start = Instant::now();
    output(command)?;
    let seconds = start.elapsed().as_secs_f64();
    let _ = std::fs::remove_dir_all(folder);
    Ok(seconds)
}

/// The seconds that DuckDB takes.
fn copy(options: &Options, path: &Path) -> Result<f64, String> {
    let how = match path.extension().is_some_and(|extension| extension == "parquet") {
        true => PARQUET,
        false => "FORMAT csv, HEADER",
    };
    let target = path.with_extension("bench-copy");
    let seconds = options.duckdb(path, &target, how)?;
    let _ = std::fs::remove_file(target);
    seconds.trim().parse().map_err(|_| format!("DuckDB answers `{}`", seconds.trim()))
}

/// That of the environment that the tests have made.
fn tests_python() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = || Path::new(&variable("HOME").unwrap_or_else(|| OsString::from("."))).join(".cache/cutline");
    variable("CUTLINE_CACHE").map_or_else(home, PathBuf::from).join("python/bin/python")
}

fn output(mut command: Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let done = command.stdin(Stdio::null()).output().map_err(|error| format!("{program}: {error}"))?;
    match done.status.success() {
        true => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
        false => Err(format!("{program}: {}", String::from_utf8_lossy(&done.stderr).trim())),
    }
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
