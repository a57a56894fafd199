//! Releases for cluster analysis, over records.

use cutline::Error;

use super::Options;
use super::bench::{Bench, head};
use super::fit::PowerLaw;
use super::page::{Section, seconds};
use crate::measure::{ReleaseFigures, Setting};
use cutline_report::count;
use cutline_report::plot::{Marks, Plot};

const CLUSTERS: u32 = 6;

/// The time of a stage.
type Time = fn(&ReleaseFigures) -> f64;

const STAGES: [(&str, Time); 7] = [
    ("label", |figures| figures.label),
    ("read", |figures| figures.read),
    ("search", |figures| figures.search),
    ("write", |figures| figures.write),
    ("verify", |figures| figures.verify),
    ("evaluate", |figures| figures.evaluate),
    ("whole", |figures| figures.whole),
];

/// Six clusters of all attributes, kept by `tdr`.
pub(super) fn run(options: &Options, bench: &mut Bench) -> Result<Section, Error> {
    let mut section = Section::new(
        "Clusters",
        &format!(
            "{CLUSTERS} clusters of all 14 attributes by k-means; one QID of the 14, k = 50, `tdr`. *label* draws at most 100,000 records and \
             clusters them; every record gets its cluster while the table is read. *evaluate* clusters the masked records, those of a blind \
             masking, and the raw ones once more. Untuned."
        ),
    );
    head(section.title());
    let setting = Setting { clusters: Some(CLUSTERS), ..Setting::default() };
    let sizes = options.common_sizes();
    let releases =
        sizes.iter().map(|&rows| bench.release(rows, &setting, "clusters")).collect::<Result<Vec<_>, _>>()?;
    tell(&mut section, &releases);
    Ok(section)
}

fn tell(section: &mut Section, releases: &[ReleaseFigures]) {
    let names: Vec<&str> = std::iter::once("records").chain(STAGES.map(|(name, _)| name)).collect();
    let row = |figures: &ReleaseFigures| {
        let times = STAGES.iter().map(|(_, time)| seconds(time(figures)));
        std::iter::once(count(figures.records)).chain(times).collect()
    };
    section.body.table(&names, &releases.iter().map(row).collect::<Vec<Vec<String>>>());
    let mut plot = Plot::log_log(format!("Times over records, {CLUSTERS} clusters, k = 50"), "records", "seconds");
    for (name, time) in STAGES {
        let points: Vec<(f64, f64)> = releases.iter().map(|figures| (figures.records as f64, time(figures))).collect();
        if let Some(law) = PowerLaw::fit(&points).filter(|_| name == "whole") {
            section.body.text(&format!("The whole release takes time ~ {law}, fitted as above."));
        }
        plot.add(name, Marks::Line, points);
    }
    section.body.plot("clusters", &plot);
}
