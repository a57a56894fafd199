//! Whole releases of random messy tables under random specs.
//!
//! Every run follows from its seed: a table, a spec, then the command as a user would run it. Published or refused, never a defect; what
//! is published is recounted here by definition, read with nothing of Cutline; hidden values are sought in every public file; `apply` gives the same table
//! again; other hidden values under the same table give the same public bytes; a kill leaves nothing or all of it.
//!
//! `CUTLINE_FUZZ_RUNS=10000 cargo test --workspace --test fuzz` runs longer, `CUTLINE_FUZZ_FROM=123 CUTLINE_FUZZ_RUNS=1` repeats seed
//! 123. Seeds that found a defect are in `seeds.txt` and run every time.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod checks;
mod published;
mod random;
mod spec;
#[path = "../support/mod.rs"]
mod support;
mod table;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use published::Published;
use random::Random;
use spec::Asked;
use support::Desk;
use table::Table;

/// How many runs, unless `CUTLINE_FUZZ_RUNS` says.
const RUNS: u64 = 500;

/// What the runs came to.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    published: usize,
    refused: usize,
    /// Hidden values that were sought.
    sought: usize,
    /// Tables with other hidden values that gave the same published table.
    same: usize,
    /// Kills that came before the end.
    killed: usize,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.published += other.published;
        self.refused += other.refused;
        self.sought += other.sought;
        self.same += other.same;
        self.killed += other.killed;
    }
}

/// A run: what follows from its seed.
struct Run {
    random: Random,
    table: Table,
    asked: Asked,
    desk: Desk,
}

impl Run {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random);
        let asked = Asked::random(&mut random, &table);
        let desk = Desk::with("table.csv", table.csv());
        desk.write("release.toml", &asked.toml);
        asked.taxonomies.iter().for_each(|taxonomy| desk.write(&taxonomy.file, &taxonomy.outline));
        Run { random, table, asked, desk }
    }

    fn check(&mut self) -> Tally {
        let start = Instant::now();
        let output = self.desk.run("anonymize release.toml -o out");
        let took = start.elapsed();
        match output.status.code() {
            Some(0) => self.check_published(took),
            Some(1) => self.check_refused(&output),
            _ => panic!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)),
        }
    }

    fn check_refused(&self, output: &Output) -> Tally {
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!checks::satisfiable(&self.table, &self.asked), "refused, but it can be satisfied: {errors}");
        assert!(!self.desk.path("out").exists());
        Tally { refused: 1, ..Tally::default() }
    }

    fn check_published(&mut self, took: Duration) -> Tally {
        let published = self.read("out/public/table");
        checks::requirement_holds(&published, &self.asked);
        checks::others_are_as_they_were(&published, &self.table);
        let release = self.desk.path("out");
        let sought = checks::hidden_values_are_nowhere(&release, &published, &self.table, &self.asked);
        self.apply_gives_it_again(&published);
        let same = usize::from(self.other_hidden_values(&published));
        let killed = usize::from(self.a_kill_leaves_all_or_nothing(took));
        Tally { published: 1, refused: 0, sought, same, killed }
    }

    fn read(&self, name: &str) -> Published {
        Published::read(&self.desk.path(&format!("{name}.{}", self.asked.format)))
    }

    fn apply_gives_it_again(&self, published: &Published) {
        let mut command = self.desk.command();
        // Where the steward knows more, it takes that to give the same table.
        let whole = "out/private/recoding.json";
        let recoding = if self.desk.path(whole).exists() { whole } else { "out/public/recoding.json" };
        command.args(["apply", recoding, "table.csv", "--unknown", "root", "--delimiter", ","]);
        command.args(["-o", &format!("again.{}", self.asked.format)]);
        for taxonomy in self.asked.taxonomies.iter().filter(|taxonomy| taxonomy.private) {
            command.arg("--taxonomy").arg(format!("{}={}", taxonomy.attribute, taxonomy.file));
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "apply: {}", String::from_utf8_lossy(&output.stderr));
        // Tokens are random.
        assert_eq!(self.read("again").without("id"), published.clone().without("id"), "apply gives another table");
    }

    /// Records that show the same label of an attribute exchange its value. Where that leaves the table as it was, all public files
    /// must be the same. Did it?
    fn other_hidden_values(&mut self, published: &Published) -> bool {
        let mut other = self.table.clone();
        let column = self.random.below(other.quasi.len());
        let column = &mut other.quasi[column];
        let labels = published.column(&column.name);
        if labels.len() != column.cells.len() || self.asked.identifier == "tokenize" {
            return false;
        }
        let raw = column.cells.clone();
        for (record, cell) in column.cells.iter_mut().enumerate() {
            let alike: Vec<usize> = (0..raw.len()).filter(|&other| labels[other] == labels[record]).collect();
            *cell = raw[*self.random.pick(&alike)].clone();
        }
        let changed = column.cells != raw;
        self.desk.write("table.csv", other.csv());
        let output = self.desk.run("anonymize release.toml -o other");
        self.desk.write("table.csv", self.table.csv());
        if !output.status.success() || !changed {
            return false;
        }
        let (first, second) =
            (checks::public_files(&self.desk.path("out")), checks::public_files(&self.desk.path("other")));
        let table = &format!("table.{}", self.asked.format);
        let same = first.get(table) == second.get(table);
        if same {
            let differing: Vec<&String> = first.keys().filter(|file| first.get(*file) != second.get(*file)).collect();
            assert!(first.len() == second.len() && differing.is_empty(), "hidden values change {differing:?}");
        }
        same
    }

    /// Did the kill come before the end?
    fn a_kill_leaves_all_or_nothing(&mut self, took: Duration) -> bool {
        let moment = took.mul_f64(self.random.below(1000) as f64 / 1000.0);
        let mut command = self.desk.command();
        command.args(["anonymize", "release.toml", "-o", "killed"]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(moment);
        let _ = child.kill();
        let finished = child.wait().unwrap().success();
        if self.desk.path("killed").exists() {
            let files = |release: &str| {
                let mut files = checks::public_files(&self.desk.path(release));
                files.retain(|name, _| self.asked.identifier == "drop" || !name.starts_with("table."));
                files
            };
            assert!(files("killed") == files("out"), "a kill left part of a release");
        } else {
            assert!(!finished);
        }
        !finished
    }
}

/// Runs a seed; says what went wrong and how to see it again.
fn run(seed: u64) -> Result<Tally, String> {
    let mut run = Run::new(seed);
    catch_unwind(AssertUnwindSafe(|| run.check())).map_err(|cause| {
        let text = |cause: &Box<dyn std::any::Any + Send>| match cause.downcast_ref::<String>() {
            Some(text) => text.clone(),
            None => cause.downcast_ref::<&str>().map_or_else(String::new, |text| (*text).to_owned()),
        };
        let head = format!("seed {seed} (CUTLINE_FUZZ_FROM={seed} CUTLINE_FUZZ_RUNS=1): {}", text(&cause));
        format!("{head}\n{}\n{}", run.asked.toml, String::from_utf8_lossy(&run.table.csv()))
    })
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

/// Seeds of the corpus, then as many others as are asked for.
fn seeds() -> Vec<u64> {
    let corpus = include_str!("seeds.txt").lines().filter(|line| !line.starts_with('#'));
    let corpus = corpus.map(|line| line.split_whitespace().next().unwrap().parse().unwrap());
    let (from, runs) = (number("CUTLINE_FUZZ_FROM", 0), number("CUTLINE_FUZZ_RUNS", RUNS));
    corpus.chain(from..from + runs).collect()
}

#[test]
fn random_releases_keep_every_promise() {
    let (seeds, next) = (seeds(), AtomicU64::new(0));
    let (tally, failures) = (Mutex::new(Tally::default()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
                    match run(seed) {
                        Ok(one) => tally.lock().unwrap().add(one),
                        Err(failure) => {
                            eprintln!("{failure}");
                            failures.lock().unwrap().push(failure);
                        }
                    }
                }
            });
        }
    });
    let (tally, failures) = (tally.into_inner().unwrap(), failures.into_inner().unwrap());
    println!("{} runs: {tally:?}", seeds.len());
    assert!(failures.is_empty(), "{} of {} runs failed", failures.len(), seeds.len());
    // Runs that publish nothing, hide nothing or are never killed would show nothing.
    if seeds.len() >= 100 {
        assert!(
            tally.published > seeds.len() / 2 && tally.sought > seeds.len() && tally.same > seeds.len() / 20,
            "{tally:?}"
        );
        assert!(tally.killed > seeds.len() / 5, "{tally:?}");
    }
}

/// The raw table, as if it had been published.
#[test]
#[should_panic(expected = "records, k = ")]
fn a_group_that_is_too_small_would_be_noticed() {
    let run = Run::new(1);
    checks::requirement_holds(&Published::read(&run.desk.path("table.csv")), &run.asked);
}

#[test]
#[should_panic(expected = "public/notes.txt tells")]
fn a_hidden_value_in_a_public_file_would_be_noticed() {
    let run = Run::new(1);
    run.desk.ok("anonymize release.toml -o out");
    run.desk.write("out/public/notes.txt", run.table.csv());
    let published = run.read("out/public/table");
    checks::hidden_values_are_nowhere(&run.desk.path("out"), &published, &run.table, &run.asked);
}
