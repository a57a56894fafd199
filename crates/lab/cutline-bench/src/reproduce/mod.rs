//! Are our results the published ones? All experiments of the papers, and a page that puts both side by side.
//!
//! ```text
//! cargo run --release -p cutline-bench -- reproduce            writes docs/results.md and docs/results/*.svg
//! cargo run --release -p cutline-bench -- reproduce --quick    a tenth of Adult, few thresholds: does everything still run?
//! ```
//!
//! | file | question |
//! | --- | --- |
//! | `data` | Which tables, and how is one evaluated? |
//! | `claim` | Do we match, beat or miss a published figure? |
//! | `page` (with `crate::plot`, `crate::markdown`) | How is it told? |
//! | `adult`, `budget`, `searches`, `local`, `regression`, `general` (with `mondrian`), `credit`, `multi`, `genetic`, `bottom_up`, `clusters`, `times` | One experiment each |
//!
//! Everything is seeded: pages differ from run to run in the measured times only, which are in a section of their own.

mod adult;
mod bottom_up;
mod budget;
mod claim;
mod clusters;
mod credit;
mod data;
mod general;
mod genetic;
mod local;
mod mondrian;
mod multi;
mod page;
mod regression;
mod searches;
mod times;

use std::path::PathBuf;

use cutline::Error;
use data::Data;
use page::Section;

/// What to run.
pub(crate) struct Options {
    /// A tenth of Adult, few thresholds.
    pub(crate) quick: bool,
    /// Measure times, too.
    pub(crate) with_times: bool,
    /// The folder that gets `results.md` and `results/`.
    pub(crate) output: PathBuf,
}

/// One section of the page.
type Experiment = fn(&Data) -> Result<Section, Error>;

/// Prints our own searches beside the papers', and nothing else.
pub(crate) fn searches(quick: bool, local: bool) -> Result<(), Error> {
    let data = Data::new(quick)?;
    if !local {
        println!("{}", searches::run(&data)?.render());
    }
    println!("{}", local::run(&data)?.render());
    Ok(())
}

/// Runs all experiments and writes the page.
pub(crate) fn run(options: &Options) -> Result<(), Error> {
    let data = Data::new(options.quick)?;
    let experiments: [Experiment; 12] = [
        adult::run,
        budget::run,
        searches::run,
        local::run,
        regression::run,
        general::run,
        credit::run,
        multi::run,
        genetic::run,
        bottom_up::run,
        clusters::adult,
        clusters::crx,
    ];
    let mut sections = Vec::new();
    for experiment in experiments {
        let section = experiment(&data)?;
        eprintln!("{}: {}", section.title, section.summary());
        sections.push(section);
    }
    sections.push(if options.with_times { times::run(&data)? } else { times::referred() });
    page::write(&sections, options)
}
