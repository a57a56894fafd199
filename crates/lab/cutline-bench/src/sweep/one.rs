//! One thing is varied, of one table: k, the QIDs, the threads.

use cutline::{Error, cores};

use super::bench::{Bench, head};
use super::page::{STAGES, Section, add_stages, seconds};
use super::{Options, defect};
use crate::attributes::{FIVE, RANKING};
use crate::measure::{ReleaseFigures, Setting};
use cutline_report::count;
use cutline_report::plot::Plot;

/// Releases with thresholds from weak to strict.
pub(super) fn k(options: &Options, bench: &mut Bench) -> Result<Section, Error> {
    let rows = options.common_size();
    let intro = format!("{} records, one QID of all 14 attributes, `tdr`.", count(rows as u64));
    let mut section = Section::new("k", &intro);
    head(section.title());
    let mut releases = Vec::new();
    for k in options.pick(&[5, 20, 50, 100, 500, 1000], &[5, 50]) {
        let figures = bench.release(rows, &Setting { k, ..Setting::default() }, &format!("k = {k}"))?;
        releases.push((k, figures));
    }
    let named: Vec<_> = releases.iter().map(|(k, figures)| (k.to_string(), figures.clone())).collect();
    section.releases("k", &named);
    if let [(low, first), .., (high, last)] = &releases[..] {
        section.body.text(&format!("From k = {low} to {high}: {}.", compared(first, last)));
    }
    let mut plot = Plot::against_k(format!("Times over k, {} records", count(rows as u64)), "seconds");
    add_stages(&mut plot, &releases.iter().map(|(k, figures)| (*k as f64, figures)).collect::<Vec<_>>());
    section.body.plot("k", &plot);
    Ok(section)
}

/// Releases with larger and larger QIDs, and with several.
pub(super) fn qids(options: &Options, bench: &mut Bench) -> Result<Section, Error> {
    let rows = options.common_size();
    let intro = format!(
        "{} records, k = 50, `tdr`. One QID of the first N attributes of {}; and five overlapping QIDs of 2 to 9 attributes.",
        count(rows as u64),
        RANKING.join(", ")
    );
    let mut section = Section::new("QIDs", &intro);
    head(section.title());
    let mut releases = Vec::new();
    for size in options.pick(&[2, 4, 7, 9, 11, 14], &[2, 14]) {
        let setting = Setting { qids: vec![RANKING[..size].join(",")], ..Setting::default() };
        releases.push((size, bench.release(rows, &setting, &format!("{size} attributes"))?));
    }
    let setting = Setting { qids: FIVE.map(str::to_owned).to_vec(), ..Setting::default() };
    let five = bench.release(rows, &setting, "five QIDs")?;
    let mut named: Vec<_> = releases.iter().map(|(size, figures)| (size.to_string(), figures.clone())).collect();
    named.push(("five QIDs".to_owned(), five.clone()));
    section.releases("attributes", &named);
    if let [(low, first), .., (high, last)] = &releases[..] {
        section.body.text(&format!("From {low} to {high} attributes: {}.", compared(first, last)));
        section.body.text(&format!("From one QID of {high} attributes to five QIDs: {}.", compared(last, &five)));
    }
    let title = format!("Times over the attributes of one QID, {} records", count(rows as u64));
    let mut plot = Plot::scatter(title, "attributes", "seconds");
    add_stages(&mut plot, &releases.iter().map(|(size, figures)| (*size as f64, figures)).collect::<Vec<_>>());
    section.body.plot("qids", &plot);
    Ok(section)
}

/// Releases on one core and on more.
pub(super) fn threads(options: &Options, bench: &mut Bench) -> Result<Section, Error> {
    let rows = options.common_size();
    let intro = format!(
        "{} records, one QID of all 14 attributes, k = 50, `tdr`. All other sweeps have as many threads as cores.",
        count(rows as u64)
    );
    let mut section = Section::new("Threads", &intro);
    head(section.title());
    let mut releases = Vec::new();
    for threads in (0..).map(|power| 1 << power).take_while(|&threads| threads <= cores().max(4)) {
        let setting = Setting { threads, ..Setting::default() };
        releases.push((threads, bench.release(rows, &setting, &format!("threads: {threads}"))?));
    }
    let named: Vec<_> = releases.iter().map(|(threads, figures)| (threads.to_string(), figures.clone())).collect();
    section.releases("threads", &named);
    if let [(_, first), .., (most, last)] = &releases[..] {
        let times = STAGES.map(|(name, stage)| format!("{name} {:.1}", stage(first) / stage(last)));
        section.body.text(&format!("So many times as fast with {most} threads as with one: {}.", times.join(", ")));
    }
    if let [(1, one), (2, two), ..] = &releases[..] {
        section.body.text(AMDAHL);
        section.body.table(&["stage", "serial share", "16 threads", "64 threads"], &amdahl(one, two));
    }
    section.body.text(WORK);
    section.body.table(&["stage", "threads", "time", "processors", "cores busy"], &work(&releases));
    let mut plot = Plot::log_log(format!("Times over threads, {} records", count(rows as u64)), "threads", "seconds");
    add_stages(&mut plot, &releases.iter().map(|(threads, figures)| (*threads as f64, figures)).collect::<Vec<_>>());
    section.body.plot("threads", &plot);
    Ok(section)
}

const WORK: &str = "What the processors worked in each stage, and how long it took from its beginning to that of the next. With more \
    threads than cores nothing gets faster, but the work must not become more:";

/// The work of each stage with each number of threads.
fn work(releases: &[(usize, ReleaseFigures)]) -> Vec<Vec<String>> {
    let stages = releases.first().map(|(_, figures)| &figures.work[..]).unwrap_or_default();
    let row = |stage: &str, (threads, figures): &(usize, ReleaseFigures)| {
        let work = figures.work.iter().find(|work| work.stage == stage)?;
        let busy = format!("{:.1}", work.processor / work.seconds.max(f64::MIN_POSITIVE));
        Some(vec![stage.to_owned(), threads.to_string(), seconds(work.seconds), seconds(work.processor), busy])
    };
    stages.iter().flat_map(|work| releases.iter().filter_map(|release| row(&work.stage, release))).collect()
}

const AMDAHL: &str = "What does not get faster with a second thread is serial: of a stage that takes *t* on one thread and *u* on two, the \
    share 2 *u* / *t* - 1. By Amdahl's law the rest would be divided among more cores, so many times as fast as on one:";

/// The serial share of each stage, and what Amdahl's law says of 16 and 64 threads.
fn amdahl(one: &ReleaseFigures, two: &ReleaseFigures) -> Vec<Vec<String>> {
    let row = |(name, stage): (&str, fn(&ReleaseFigures) -> f64)| {
        let serial = (2.0 * stage(two) / stage(one).max(f64::MIN_POSITIVE) - 1.0).clamp(0.0, 1.0);
        let faster = |threads: f64| format!("{:.1}", 1.0 / (serial + (1.0 - serial) / threads));
        vec![name.to_owned(), format!("{:.0} %", 100.0 * serial), faster(16.0), faster(64.0)]
    };
    STAGES.map(row).to_vec()
}

/// Releases that may use less and less memory for what they count.
pub(super) fn memory(options: &Options, bench: &mut Bench) -> Result<Section, Error> {
    let rows = options.common_size();
    let intro = format!(
        "{} records, one QID of all 14 attributes, k = 50, `tdr`. Where the combinations of values would take more than the limit, the \
         search works on counts that stay small, and the table is read a few times more. What is published is the same.",
        count(rows as u64)
    );
    let mut section = Section::new("Memory limits", &intro);
    head(section.title());
    let mut releases = Vec::new();
    for limit in [None, Some("1GiB"), Some("256MiB"), Some("64MiB")] {
        let memory = limit.map(str::parse).transpose().map_err(defect)?;
        let what = limit.unwrap_or("none");
        let figures = bench.release(rows, &Setting { memory, ..Setting::default() }, &format!("limit: {what}"))?;
        releases.push((what.to_owned(), figures));
    }
    section.releases("limit", &releases);
    Ok(section)
}

/// What changed from one release to another.
fn compared(first: &ReleaseFigures, last: &ReleaseFigures) -> String {
    format!(
        "search {} instead of {}, with {} steps instead of {}; whole {} instead of {}",
        seconds(last.search),
        seconds(first.search),
        last.steps,
        first.steps,
        seconds(last.whole),
        seconds(first.whole)
    )
}
