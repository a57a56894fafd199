//! Where the time of one release goes.

use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use clap::Args;
use cutline::engine::Format;
use cutline::model::Qid;
use cutline::model::recoding::SuppressHow;
use cutline::spec::{Algorithm, Memory, Spec};
use cutline::{Destination, Error, Observer, Stage, cores, publish};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use crate::attributes::{ALL, generalizing};

/// What is published, and how.
#[derive(Args, Clone, Debug)]
pub(crate) struct Setting {
    /// A QID, as names separated by commas; several may be given
    #[arg(long = "qid", default_value = ALL)]
    pub(crate) qids: Vec<String>,
    /// The threshold
    #[arg(short, long, default_value_t = 50)]
    pub(crate) k: u64,
    /// refine, tdr, tds, bottom-up or genetic
    #[arg(long, default_value = "tdr")]
    pub(crate) algorithm: Algorithm,
    /// Candidates that a genetic search evaluates
    #[arg(long)]
    pub(crate) iterations: Option<usize>,
    /// Publish for so many clusters, not for a classifier
    #[arg(long)]
    pub(crate) clusters: Option<u32>,
    /// Threads
    #[arg(long, default_value_t = cores())]
    pub(crate) threads: usize,
    /// Format to write
    #[arg(long, default_value = "csv")]
    pub(crate) format: Format,
    /// Memory for the counted table; above it, counts that stay small
    #[arg(long)]
    pub(crate) memory: Option<Memory>,
}

impl Default for Setting {
    /// What the flags say when they are not given.
    fn default() -> Self {
        Setting {
            qids: vec![ALL.to_owned()],
            k: 50,
            algorithm: Algorithm::Tdr,
            iterations: None,
            clusters: None,
            threads: cores(),
            format: Format::Csv,
            memory: None,
        }
    }
}

impl Setting {
    /// The flags that say this setting.
    pub(crate) fn flags(&self) -> Vec<String> {
        let flag = |name: &str, value: String| [format!("--{name}"), value];
        let mut flags: Vec<String> = self.qids.iter().flat_map(|qid| flag("qid", qid.clone())).collect();
        flags.extend(flag("k", self.k.to_string()));
        flags.extend(flag("algorithm", self.algorithm.to_string()));
        flags.extend(self.iterations.into_iter().flat_map(|iterations| flag("iterations", iterations.to_string())));
        flags.extend(self.clusters.into_iter().flat_map(|clusters| flag("clusters", clusters.to_string())));
        flags.extend(flag("threads", self.threads.to_string()));
        flags.extend(flag("format", self.format.extension().to_owned()));
        flags.extend(self.memory.into_iter().flat_map(|memory| flag("memory", memory.to_string())));
        flags
    }

    fn spec(&self, table: &Path) -> Spec {
        let mut spec = Spec::default();
        spec.input.path = Some(table.to_string_lossy().into_owned());
        match self.clusters {
            Some(clusters) => {
                spec.purpose.clusters = vec![clusters];
                spec.purpose.clustering.not_on = vec!["income".to_owned()];
            }
            None => spec.purpose.target = Some("income".to_owned()),
        }
        spec.search.algorithm = Some(self.algorithm);
        spec.search.threads = Some(self.threads);
        if self.algorithm == Algorithm::Genetic {
            spec.search.genetic.iterations = self.iterations;
            spec.search.seed = Some(1);
        }
        spec.search.memory = self.memory;
        spec.output.format = Some(self.format);
        let qid = |names: &String| Qid::new(names.split(',').map(str::to_owned).collect(), self.k);
        spec.qid = self.qids.iter().map(qid).collect();
        spec
    }
}

/// What one release took: seconds, and bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ReleaseFigures {
    /// Records of the table.
    pub(crate) records: u64,
    /// Those of them that were suppressed: a genetic search may do that.
    pub(crate) suppressed: u64,
    pub(crate) distinct: u64,
    /// Finding clusters before the table is read, if there are any.
    pub(crate) label: f64,
    pub(crate) read: f64,
    pub(crate) search: f64,
    pub(crate) write: f64,
    pub(crate) verify: f64,
    /// Comparing clusters, if there are any.
    pub(crate) evaluate: f64,
    pub(crate) whole: f64,
    pub(crate) steps: usize,
    /// Seconds from the beginning of each stage to that of the next, and those that the cores worked meanwhile.
    pub(crate) work: Vec<Work>,
    /// The largest resident memory of the process, where the system tells.
    pub(crate) peak: Option<u64>,
}

/// What a part of a release took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Work {
    pub(crate) stage: String,
    pub(crate) seconds: f64,
    /// Of all cores together.
    pub(crate) processor: f64,
}

/// Notes when stages begin, and how long the cores have worked by then.
#[derive(Default)]
struct Stopwatch(Mutex<Vec<(Stage, Instant, f64)>>);

impl Observer for Stopwatch {
    fn stage(&self, stage: Stage, _total: Option<u64>) {
        if let Ok(mut begun) = self.0.lock() {
            begun.push((stage, Instant::now(), processor_seconds()));
        }
    }
}

impl Stopwatch {
    /// The stages one after the other; one that begins again goes on.
    fn work(self) -> Vec<Work> {
        let begun = self.0.into_inner().unwrap_or_default();
        let ends =
            begun.iter().skip(1).map(|&(_, at, worked)| (at, worked)).chain([(Instant::now(), processor_seconds())]);
        let mut work: Vec<Work> = Vec::new();
        for (&(stage, from, before), (to, worked)) in begun.iter().zip(ends) {
            let stage = format!("{stage:?}").to_lowercase();
            let place = work.iter().position(|work| work.stage == stage).unwrap_or(work.len());
            if place == work.len() {
                work.push(Work { stage, seconds: 0.0, processor: 0.0 });
            }
            work[place].seconds += (to - from).as_secs_f64();
            work[place].processor += worked - before;
        }
        work
    }
}

/// How long all threads of this process have worked.
fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Publishes the table once. The release is removed again.
pub(crate) fn measure(table: &Path, setting: &Setting) -> Result<ReleaseFigures, Error> {
    let start = Instant::now();
    let job = generalizing(setting.spec(table))?;
    let destination = Destination { path: table.with_extension("bench-release"), force: true };
    let stopwatch = Stopwatch::default();
    let report = publish(&job, &job.open()?, &destination, &stopwatch)?;
    let work = stopwatch.work();
    let whole = start.elapsed().as_secs_f64();
    let _ = std::fs::remove_dir_all(&destination.path);
    let cutline::report::Seconds { read, search, write, verify, .. } = report.seconds;
    let (suppressed, distinct, steps) = (report.suppressed, report.distinct, report.steps);
    let left_out = if report.suppressed_how == Some(SuppressHow::Drop) { suppressed } else { 0 };
    let records = report.records + left_out;
    let spent = report.clusters.map(|clusters| clusters.seconds).unwrap_or_default();
    let (label, evaluate, peak) = (spent.label, spent.evaluate, peak_memory());
    Ok(ReleaseFigures {
        records,
        suppressed,
        distinct,
        label,
        read,
        search,
        write,
        verify,
        evaluate,
        whole,
        steps,
        work,
        peak,
    })
}

/// Publishes the table once and prints the figures as one line of JSON.
pub(crate) fn run(table: &Path, setting: &Setting) -> Result<(), Error> {
    let figures = measure(table, setting)?;
    println!("{}", serde_json::to_string(&figures).map_err(|error| Error::Defect(error.to_string()))?);
    Ok(())
}

/// The largest resident memory of this process so far, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}
