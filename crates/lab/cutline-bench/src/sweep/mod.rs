//! How do times and memory grow? Releases over records, k, QIDs, algorithms and threads, and a page with what came of it.
//!
//! ```text
//! cargo run --release -p cutline-bench -- sweep            writes docs/benchmarks.md and docs/benchmarks/*.svg
//! cargo run --release -p cutline-bench -- sweep --quick    tiny tables, few settings: does everything still run?
//! ```
//!
//! | file | question |
//! | --- | --- |
//! | `bench` | Which tables, and how is one release measured? |
//! | `machine` | On which machine, and who else used it? |
//! | `fit` | Which power of the records is it? |
//! | `page` (with `crate::plot`, `crate::markdown`) | How is it told? |
//! | `records`, `algorithms`, `one` (k, QIDs, threads, memory), `beside` a copy, `corners`, `clusters`, `papers` | One sweep each |
//!
//! Sentences on the page are made of the measured figures; they stay true when the figures change.

mod algorithms;
mod bench;
mod beside;
mod clusters;
mod corners;
mod fit;
mod machine;
mod one;
mod page;
mod papers;
mod records;

use std::path::PathBuf;
use std::time::Instant;

use bench::Bench;
use cutline::Error;
use machine::Usage;
use page::Section;

/// What to run.
pub(crate) struct Options {
    /// Tiny tables, few settings.
    pub(crate) quick: bool,
    /// The folder that gets `benchmarks.md` and `benchmarks/`.
    pub(crate) output: PathBuf,
    /// Sizes of the tables; empty for the usual ones.
    pub(crate) rows: Vec<usize>,
    /// Runs of each release; the fastest counts.
    pub(crate) repeat: usize,
}

/// Sweeps over anything but records take a table of so many at most: slow algorithms are among them.
const COMMON: usize = 1_000_000;

impl Options {
    /// All of `full`, or in quick mode only `few`.
    fn pick<T: Copy>(&self, full: &[T], few: &[T]) -> Vec<T> {
        if self.quick { few.to_vec() } else { full.to_vec() }
    }

    /// The sizes of the tables, ascending.
    fn sizes(&self) -> Vec<usize> {
        let usual = [100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000];
        let mut sizes = if self.rows.is_empty() { self.pick(&usual, &[2_000, 4_000]) } else { self.rows.clone() };
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// The sizes that every algorithm gets: at least one.
    fn common_sizes(&self) -> Vec<usize> {
        let sizes = self.sizes();
        let common = sizes.iter().filter(|&&rows| rows <= COMMON).count().max(1);
        sizes[..common.min(sizes.len())].to_vec()
    }

    /// The size at which one thing is varied.
    fn common_size(&self) -> usize {
        self.common_sizes().last().copied().unwrap_or(COMMON)
    }
}

/// One section of the page.
type Sweep = fn(&Options, &mut Bench) -> Result<Section, Error>;

/// Runs all sweeps and writes the page.
pub(crate) fn run(options: &Options) -> Result<(), Error> {
    let machine = machine::describe();
    println!("{machine}");
    let (start, before) = (Instant::now(), Usage::now());
    let mut bench = Bench::new(options.repeat)?;
    let sweeps: [Sweep; 11] = [
        records::run,
        algorithms::run,
        one::k,
        one::qids,
        one::threads,
        one::memory,
        beside::run,
        corners::run,
        clusters::run,
        papers::bottom_up,
        papers::genetic,
    ];
    let sections = sweeps.iter().map(|sweep| sweep(options, &mut bench)).collect::<Result<Vec<_>, _>>()?;
    let others = before.zip(Usage::now()).map(|(before, now)| now.others_since(before));
    page::write(&sections, options, &page::Run { machine, seconds: start.elapsed().as_secs_f64(), others })
}

/// Something that the machine does not do: no space, no process.
fn defect(what: impl ToString) -> Error {
    Error::Defect(what.to_string())
}
