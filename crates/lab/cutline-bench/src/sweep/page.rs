//! The page: a section for each sweep.

use std::fmt::Write;
use std::fs;

use cutline::Error;

use super::{Options, defect};
use crate::markdown::Body;
use crate::measure::ReleaseFigures;
use cutline_report::count;
use cutline_report::plot::{Marks, Plot};

/// One sweep.
pub(super) struct Section {
    title: String,
    pub(super) body: Body,
}

/// A name and the seconds.
type Stage = (&'static str, fn(&ReleaseFigures) -> f64);

/// What the time goes to, and all of it.
pub(super) const STAGES: [Stage; 5] = [
    ("read", |figures| figures.read),
    ("search", |figures| figures.search),
    ("write", |figures| figures.write),
    ("verify", |figures| figures.verify),
    ("whole", |figures| figures.whole),
];

impl Section {
    /// A section that says what is measured.
    pub(super) fn new(title: impl Into<String>, intro: &str) -> Self {
        let mut body = Body::new("benchmarks");
        body.text(intro);
        Section { title: title.into(), body }
    }

    /// The title.
    pub(super) fn title(&self) -> &str {
        &self.title
    }

    /// Adds a table of releases; the first column is what was varied.
    pub(super) fn releases(&mut self, varied: &str, releases: &[(String, ReleaseFigures)]) {
        let names = [varied, "distinct rows", "read", "search", "write", "verify", "whole", "steps", "peak memory"];
        let row = |(what, figures): &(String, ReleaseFigures)| {
            let mut cells = vec![what.clone(), count(figures.distinct)];
            cells.extend(STAGES.map(|(_, stage)| seconds(stage(figures))));
            cells.push(figures.steps.to_string());
            cells.push(figures.peak.map_or("?".to_owned(), |bytes| format!("{} MiB", count(bytes >> 20))));
            cells
        };
        self.body.table(&names, &releases.iter().map(row).collect::<Vec<_>>());
    }
}

/// Adds a line for each stage.
pub(super) fn add_stages(plot: &mut Plot, points: &[(f64, &ReleaseFigures)]) {
    for (name, stage) in STAGES {
        plot.add(name, Marks::Line, points.iter().map(|&(x, figures)| (x, stage(figures))).collect());
    }
}

/// A time, with the places that differ from run to run at most.
pub(super) fn seconds(seconds: f64) -> String {
    if seconds < 10.0 { format!("{seconds:.3} s") } else { format!("{seconds:.1} s") }
}

/// Where and how long the sweeps ran.
pub(super) struct Run {
    pub(super) machine: String,
    pub(super) seconds: f64,
    /// How much of the cores' time other processes had, in percent.
    pub(super) others: Option<f64>,
}

/// Writes the page and its plots.
pub(super) fn write(sections: &[Section], options: &Options, run: &Run) -> Result<(), Error> {
    let mut text = head(options, run);
    for Section { title, body } in sections {
        body.write_plots(&options.output).map_err(defect)?;
        let _ = write!(text, "## {title}\n\n{}", body.as_str());
    }
    fs::write(options.output.join("benchmarks.md"), text.trim_end().to_owned() + "\n").map_err(defect)
}

fn head(options: &Options, run: &Run) -> String {
    let command = command(options);
    let mut text =
        format!("# Benchmarks\n\nThis page is written by a command; do not edit it.\n\n```sh\n{command}\n```\n\n");
    if options.quick {
        text += "**Quick mode: tiny tables. This shows that everything runs; the figures mean nothing.**\n\n";
    }
    if cfg!(debug_assertions) {
        text += "**A build with debug assertions: the figures are not those of a release build.**\n\n";
    }
    let runs = match options.repeat {
        0 | 1 => "Each release ran once".to_owned(),
        repeat => format!("Each release ran {repeat} times; the fastest run counts"),
    };
    let _ = write!(text, "The machine: {}. {runs}. The whole sweep took {:.0} s.", run.machine, run.seconds);
    if let Some(share) = run.others {
        let _ = write!(text, " Other processes had {share:.0} % of the cores' time meanwhile.");
    }
    text + "\n\n" + TERMS
}

/// What was measured.
const TERMS: &str = "The table is the papers' enlarged Adult: the 45,222 complete records and variations of them, in which q ~ U[1, 14] \
    attributes are redrawn from their domains. Categorical attributes are generalized along their taxonomies, continuous ones \
    discretized.\n\n\
    *read* is the first pass over the CSV file (parse, group, count), *search* includes giving the values their codes and measuring what was lost, *write* is the \
    second pass (parse, recode, write CSV), *verify* reads the written file back while it is synced to the disk, *whole* is all of it \
    and what lies between. Every release has a process of its own: *peak memory* is the largest resident memory of that process. \
    [profile.md](profile.md) says where the time goes within these stages and compares with a plain copy.\n\n";

/// The command that writes this page.
fn command(options: &Options) -> String {
    let mut command = "cargo run --release -p cutline-bench -- sweep".to_owned();
    if options.quick {
        command += " --quick";
    }
    if !options.rows.is_empty() {
        let rows: Vec<String> = options.rows.iter().map(usize::to_string).collect();
        let _ = write!(command, " --rows {}", rows.join(","));
    }
    if options.repeat > 1 {
        let _ = write!(command, " --repeat {}", options.repeat);
    }
    command
}
