//! Over the records.

use cutline::Error;

use super::bench::{Bench, head};
use super::fit::PowerLaw;
use super::page::{STAGES, Section, add_stages};
use super::{Options, defect};
use crate::measure::{ReleaseFigures, Setting};
use cutline_report::count;
use cutline_report::plot::{Marks, Plot};

/// Releases of tables of all sizes.
pub(super) fn run(options: &Options, bench: &mut Bench) -> Result<Section, Error> {
    let mut section = Section::new(
        "Records",
        "One QID of all 14 attributes, k = 50, `tdr`. The 2007 paper reports 80 s for the search of 1,000,000 records on one 2.6 GHz \
         Pentium 4.",
    );
    head(section.title());
    let mut releases = Vec::new();
    for rows in options.sizes() {
        releases.push(bench.release(rows, &Setting::default(), "")?);
    }
    let rows: Vec<_> = releases.iter().map(|figures| (count(figures.records), figures.clone())).collect();
    section.releases("records", &rows);
    grow(&mut section, &releases)?;
    plot(&mut section, &releases);
    Ok(section)
}

/// Adds the slopes and a sentence about them.
fn grow(section: &mut Section, releases: &[ReleaseFigures]) -> Result<(), Error> {
    let (Some(first), Some(last)) = (releases.first(), releases.last()) else {
        return Err(defect("there are no sizes"));
    };
    section.body.text(
        "How times grow: the slope of the least-squares line through ln(time) over ln(records), which is the exponent of the nearest \
         power law; how far the worst point is from it; and the time per record of the largest table.",
    );
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (name, stage) in STAGES {
        let each = format!("{:.0} ns", stage(last) / last.records as f64 * 1e9);
        rows.push(cells(format!("{name}: time"), law(releases, stage), each));
        println!("{}", rows.last().map(|cells| cells.join("  ")).unwrap_or_default());
    }
    if let Some(peak) = last.peak {
        let memory = law(releases, |figures| figures.peak.unwrap_or(0) as f64);
        rows.push(cells("peak memory".to_owned(), memory, format!("{:.0} bytes", peak as f64 / last.records as f64)));
    }
    section.body.table(&["", "grows as", "worst point", "per record"], &rows);
    if let Some(law) = law(releases, |figures| figures.whole) {
        section.body.text(&format!(
            "From {} to {} records, the whole release takes time ~ {law}: {:.0} times the records take {:.1} times as long, with {} steps \
             of the search where there were {}.",
            count(first.records),
            count(last.records),
            last.records as f64 / first.records as f64,
            last.whole / first.whole,
            last.steps,
            first.steps
        ));
    }
    Ok(())
}

fn cells(what: String, law: Option<PowerLaw>, each: String) -> Vec<String> {
    let (slope, off) = law.map_or_else(
        || ("one size only".to_owned(), String::new()),
        |law| (law.to_string(), format!("{:.0} %", law.off())),
    );
    vec![what, slope, off, each]
}

fn law(releases: &[ReleaseFigures], figure: impl Fn(&ReleaseFigures) -> f64) -> Option<PowerLaw> {
    let points: Vec<_> = releases.iter().map(|figures| (figures.records as f64, figure(figures))).collect();
    PowerLaw::fit(&points)
}

fn plot(section: &mut Section, releases: &[ReleaseFigures]) {
    let mut plot = Plot::log_log("Times over records, k = 50, 14 attributes", "records", "seconds");
    let points: Vec<_> = releases.iter().map(|figures| (figures.records as f64, figures)).collect();
    add_stages(&mut plot, &points);
    if let Some(law) = law(releases, |figures| figures.whole) {
        let fitted = points.iter().map(|&(x, _)| (x, law.at(x))).collect();
        plot.add(format!("{law}, fitted"), Marks::Reference, fitted);
    }
    section.body.plot("records", &plot);
    if releases.iter().all(|figures| figures.peak.is_some()) {
        let mut plot = Plot::log_log("Peak memory over records, k = 50, 14 attributes", "records", "MiB");
        let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        let points = points.iter().filter_map(|&(x, figures)| Some((x, mebibytes(figures.peak?)))).collect();
        plot.add("peak memory", Marks::Line, points);
        section.body.plot("memory", &plot);
    }
}
