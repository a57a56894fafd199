//! Over algorithms and records.

use cutline::Error;
use cutline::spec::Algorithm;

use super::Options;
use super::bench::{Bench, head};
use super::fit::PowerLaw;
use super::page::{Section, seconds};
use crate::measure::{ReleaseFigures, Setting};
use cutline_report::count;
use cutline_report::plot::{Marks, Plot};

/// Candidates of the genetic search: enough to see what one costs.
const ITERATIONS: usize = 2_000;

/// Releases by all algorithms.
pub(super) fn run(options: &Options, bench: &mut Bench) -> Result<Section, Error> {
    let mut section = Section::new(
        "Algorithms",
        &format!(
            "One QID of all 14 attributes, k = 50. The genetic search evaluates {} candidates here; how many is for the user to \
             choose. It may suppress records, the others may not. How good the results are is compared in [results.md](results.md).",
            count(ITERATIONS as u64)
        ),
    );
    head(section.title());
    let algorithms = [Algorithm::Tdr, Algorithm::Tds, Algorithm::BottomUp, Algorithm::Genetic];
    let mut found: Vec<(Algorithm, Vec<ReleaseFigures>)> = algorithms.map(|algorithm| (algorithm, Vec::new())).to_vec();
    // By size first: a table is made once for all algorithms.
    for rows in options.common_sizes() {
        for (algorithm, releases) in &mut found {
            let iterations = (*algorithm == Algorithm::Genetic).then_some(ITERATIONS);
            let setting = Setting { algorithm: *algorithm, iterations, ..Setting::default() };
            releases.push(bench.release(rows, &setting, &algorithm.to_string())?);
        }
    }
    tell(&mut section, &found);
    Ok(section)
}

fn tell(section: &mut Section, found: &[(Algorithm, Vec<ReleaseFigures>)]) {
    let mut rows = Vec::new();
    let mut plot = Plot::log_log("Search times over records, k = 50, 14 attributes", "records", "seconds of search");
    let mut laws = Vec::new();
    for (algorithm, releases) in found {
        let points: Vec<(f64, f64)> = releases.iter().map(|figures| (figures.records as f64, figures.search)).collect();
        laws.extend(PowerLaw::fit(&points).map(|law| format!("`{algorithm}` {law}")));
        rows.extend(releases.iter().map(|figures| row(*algorithm, figures)));
        plot.add(algorithm.to_string(), Marks::Line, points);
    }
    section.body.table(&["algorithm", "records", "search", "whole", "steps", "suppressed", "peak memory"], &rows);
    if !laws.is_empty() {
        section.body.text(&format!("How the time of the search grows, fitted as above: {}.", laws.join(", ")));
    }
    section.body.plot("algorithms", &plot);
}

fn row(algorithm: Algorithm, figures: &ReleaseFigures) -> Vec<String> {
    vec![
        format!("`{algorithm}`"),
        count(figures.records),
        seconds(figures.search),
        seconds(figures.whole),
        figures.steps.to_string(),
        count(figures.suppressed),
        figures.peak.map_or("?".to_owned(), |bytes| format!("{} MiB", count(bytes >> 20))),
    ]
}
