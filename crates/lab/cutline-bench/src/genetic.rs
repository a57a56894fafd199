//! The 2002 paper's experiment: the 8 attributes of Adult's training part, every algorithm on the same requirement.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use cutline::arrow::Embedded;
use cutline::arrow::source::SourceOptions;
use cutline::engine::{CompressPlan, Engine, Unwatched};
use cutline::measure::loss::Losses;
use cutline::model::recoding::{SuppressHow, Unknown};
use cutline::model::{Masking, Qid, Requirement, Taxonomy};
use cutline::parts::find_column;
use cutline::search::bottom_up::BottomUp;
use cutline::search::genetic::{Genetic, Metric, Objective};
use cutline::search::top_down::TopDown;
use cutline::search::{Control, Problem, Search};
use cutline::{Error, cores};
use cutline_table::{CompressedTable, LabelKind, Masked, encode};

use crate::attributes::TAXONOMIES;

/// Age and education are numbers, as in the paper.
const ATTRIBUTES: [&str; 8] =
    ["age", "workclass", "education-num", "marital-status", "occupation", "race", "sex", "native-country"];
const TARGET: &str = "income";

/// CM, of the one target that there is.
pub(crate) const CLASSES: Metric = Metric::Classification { target: 0, costs: None };

/// The genetic search that minimizes a metric.
fn genetic(metric: Metric, iterations: usize, seed: u64) -> Genetic {
    Genetic { objective: Some(Objective::new(metric)), iterations, seed, ..Genetic::default() }
}

/// How long the genetic search takes, in seconds.
pub(crate) fn seconds(table: &CompressedTable, k: u64, metric: Metric, iterations: usize) -> Result<f64, Error> {
    let problem = Problem::new(table, &requirement(k)?)?.suppressing(table.records, SuppressHow::Mask);
    let start = Instant::now();
    genetic(metric, iterations, 0).search(&problem, &Control::unlimited());
    Ok(start.elapsed().as_secs_f64())
}

fn requirement(k: u64) -> Result<Requirement, Error> {
    Ok(Requirement::new(vec![Qid::new(ATTRIBUTES.map(str::to_owned).to_vec(), k)])?)
}

/// Searches the table with every algorithm and prints what each lost.
pub(crate) fn run(table: &Path, ks: &[u64], iterations: usize, seed: u64) -> Result<(), Error> {
    let table = read(table)?;
    println!("{} records, {} distinct rows, {} evaluations", table.records, table.rows(), iterations);
    println!("{:>5}  {:<14} {:>8} {:>8} {:>10} {:>9}", "k", "algorithm", "LM", "CM", "suppressed", "search");
    let genetic = |metric| genetic(metric, iterations, seed);
    let searches: [(&str, Box<dyn Search>); 4] = [
        ("tdr", Box::new(TopDown::default())),
        ("bottom-up", Box::new(BottomUp::default())),
        ("genetic, LM", Box::new(genetic(Metric::General))),
        ("genetic, CM", Box::new(genetic(CLASSES))),
    ];
    for &k in ks {
        let requirement = requirement(k)?;
        for (name, search) in &searches {
            // The paper's search weighs suppression against other losses; the others have no budget.
            let limit = if name.starts_with("genetic") { table.records } else { 0 };
            let problem = Problem::new(&table, &requirement)?.suppressing(limit, SuppressHow::Mask);
            line(&problem, k, name, search.as_ref())?;
        }
    }
    Ok(())
}

fn line(problem: &Problem<'_>, k: u64, name: &str, search: &dyn Search) -> Result<(), Error> {
    let start = Instant::now();
    let outcome = search.search(problem, &Control::unlimited());
    let seconds = start.elapsed().as_secs_f64();
    let table = problem.table();
    let masked = Masked::new(table, &outcome.recoding).map_err(|error| Error::Defect(error.to_string()))?;
    let suppressed = masked.suppress(problem.qids());
    let losses = Losses::measure(table, &outcome.recoding, &masked, &suppressed, problem.qids(), None);
    println!(
        "{k:>5}  {name:<14} {:>8.4} {:>8.4} {:>8.2} % {seconds:>7.2} s",
        losses.general,
        losses.classification.unwrap_or(f64::NAN),
        suppressed.records as f64 / table.records as f64 * 100.0
    );
    Ok(())
}

/// The complete records of the table.
pub(crate) fn read(path: &Path) -> Result<CompressedTable, Error> {
    let location = path.to_string_lossy();
    let engine = Embedded::open(&location, &SourceOptions::default(), cores())?;
    let names = ATTRIBUTES.iter().chain([&TARGET]);
    let columns = names.map(|name| find_column(&engine, name)).collect::<Result<_, _>>()?;
    let required = (0..engine.columns().len()).collect();
    let plan = CompressPlan { columns, nulls: vec!["?".to_owned()], required, ..CompressPlan::default() };
    let raw = engine.compress(&plan, &Unwatched)?.table;
    let maskings =
        ATTRIBUTES.iter().map(|&name| Ok((name.to_owned(), masking(name)?))).collect::<Result<_, Error>>()?;
    Ok(encode(&raw, maskings, &[(TARGET.to_owned(), LabelKind::Classes)], Unknown::Error)?)
}

fn masking(attribute: &str) -> Result<Masking, Error> {
    match TAXONOMIES.iter().find(|(name, _)| *name == attribute) {
        None => Ok(Masking::numbers(None)),
        Some((_, text)) => {
            let taxonomy = Taxonomy::from_outline(text).map_err(|error| Error::Defect(error.to_string()))?;
            Ok(Masking::Generalize(Arc::new(taxonomy)))
        }
    }
}
