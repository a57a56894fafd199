//! The searches that the papers on bottom-up and genetic search timed, without reading and writing.

use cutline::Error;
use cutline::search::genetic::Metric;

use super::Options;
use super::bench::Bench;
use super::fit::PowerLaw;
use super::page::{Section, seconds};
use crate::bottom_up::{self, Searched};
use crate::enlarge::Novelty;
use crate::genetic::{self, CLASSES};
use cutline_report::count;
use cutline_report::plot::{Marks, Plot};

/// Complete records of Adult.
const RECORDS: usize = 45_222;
/// Complete records of its training part, which comes first.
const TRAINING: usize = 30_162;

/// The 2004 paper's scalability experiment.
pub(super) fn bottom_up(options: &Options, bench: &mut Bench) -> Result<Section, Error> {
    let mut section = Section::new(
        "Bottom-up search, with and without pruning",
        "The 2004 paper's experiment: σ − 1 variations of every record, in which 3 of the 7 categorical attributes are redrawn from \
         their domains (novelty 3); one QID of those attributes, k = 150; the search alone, once. The paper reports up to 730 s for its \
         largest case (1,356,660 records, 127,831 distinct vids; our draws make more distinct ones). Without pruning every possible \
         generalization is evaluated; with it only those that merge every anonymity vid with another.",
    );
    println!("\n{}\n{}", section.title(), bottom_up::HEAD);
    let mut found: Vec<(String, Searched)> = Vec::new();
    let records = if options.quick { RECORDS / 20 } else { RECORDS };
    for scale in options.pick(&[5, 10, 20, 30], &[1, 2]) {
        let searched = bottom_up::measure(&bench.table(records * scale, Novelty::Categorical(3))?, 150)?;
        println!("{}", searched.line());
        found.push((scale.to_string(), searched));
    }
    tell(&mut section, &found);
    Ok(section)
}

/// Adds what was found, by scale factor.
fn tell(section: &mut Section, found: &[(String, Searched)]) {
    let row = |(scale, searched): &(String, Searched)| {
        let Searched { records, vids, steps, pruned, unpruned } = searched;
        let counts = [count(*records), scale.clone(), count(*vids), steps.to_string()];
        counts.into_iter().chain([seconds(*pruned), seconds(*unpruned)]).collect()
    };
    let names = ["records", "scale factor σ", "distinct vids", "steps", "search, pruned", "search, unpruned"];
    section.body.table(&names, &found.iter().map(row).collect::<Vec<_>>());
    let mut plot = Plot::log_log("Bottom-up search, k = 150, 7 attributes", "records", "seconds of search");
    let points = |time: fn(&Searched) -> f64| -> Vec<(f64, f64)> {
        found.iter().map(|(_, found)| (found.records as f64, time(found))).collect()
    };
    for (name, points) in [("pruned", points(|found| found.pruned)), ("unpruned", points(|found| found.unpruned))] {
        if let Some(law) = PowerLaw::fit(&points) {
            section.body.text(&format!("The {name} search takes time ~ {law}."));
        }
        plot.add(name, Marks::Line, points);
    }
    section.body.plot("bottom-up", &plot);
}

/// The 2002 paper's searches.
pub(super) fn genetic(options: &Options, bench: &mut Bench) -> Result<Section, Error> {
    let (records, iterations) = if options.quick { (2_000, 500) } else { (TRAINING, 500_000) };
    let table = genetic::read(&bench.table(records, Novelty::Any)?)?;
    let intro = format!(
        "The 2002 paper's experiment: {} records of Adult's training part ({} distinct rows), 8 attributes, {} iterations; the search \
         alone, once. Candidates that a lower bound rejects and repeated ones count as evaluations. The paper reports 18 hours for \
         500,000 iterations.",
        count(table.records),
        count(table.rows() as u64),
        count(iterations as u64)
    );
    let mut section = Section::new("Genetic search, minimizing LM and CM", &intro);
    println!("\n{}\n{:>5} {:>9} {:>9}", section.title(), "k", "LM", "CM");
    let mut plot = Plot::against_k("Genetic search, 8 attributes", "seconds of search");
    let (mut general, mut classes, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for k in options.pick(&[10, 100, 500], &[10, 50]) {
        let lm = genetic::seconds(&table, k, Metric::General, iterations)?;
        let cm = genetic::seconds(&table, k, CLASSES, iterations)?;
        println!("{k:>5} {lm:>7.2} s {cm:>7.2} s");
        rows.push(vec![k.to_string(), seconds(lm), seconds(cm)]);
        general.push((k as f64, lm));
        classes.push((k as f64, cm));
    }
    section.body.table(&["k", "minimizing LM", "minimizing CM"], &rows);
    plot.add("minimizing LM", Marks::Line, general);
    plot.add("minimizing CM", Marks::Line, classes);
    section.body.plot("genetic", &plot);
    Ok(section)
}
