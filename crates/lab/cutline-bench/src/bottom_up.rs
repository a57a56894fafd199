//! The 2004 paper's scalability experiment (§6.2): the search alone, with and without pruning.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use cutline::arrow::Embedded;
use cutline::arrow::source::SourceOptions;
use cutline::engine::{CompressPlan, Engine, Unwatched};
use cutline::model::recoding::Unknown;
use cutline::model::{Masking, Qid, Requirement, Taxonomy};
use cutline::parts::find_column;
use cutline::search::bottom_up::{BottomUp, Pruning};
use cutline::search::{Control, Problem, Search};
use cutline::{Error, cores};
use cutline_table::{LabelKind, RawTable, encode};

use crate::attributes::TAXONOMIES;

const ATTRIBUTES: [&str; 7] =
    ["workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"];
const TARGET: &str = "income";

/// A table, searched in both ways.
pub(crate) struct Searched {
    pub(crate) records: u64,
    /// Distinct combinations of the attributes.
    pub(crate) vids: u64,
    pub(crate) steps: usize,
    /// Seconds with pruning.
    pub(crate) pruned: f64,
    /// Seconds without.
    pub(crate) unpruned: f64,
}

/// Searches each table and prints a line of times for each.
pub(crate) fn run(tables: &[PathBuf], k: u64) -> Result<(), Error> {
    println!("{HEAD}  table");
    tables.iter().try_for_each(|path| {
        println!("{}  {}", measure(path, k)?.line(), path.display());
        Ok(())
    })
}

/// What the figures of a line are.
pub(crate) const HEAD: &str = "   records      vids  steps    pruned  unpruned";

impl Searched {
    /// The figures, below the head.
    pub(crate) fn line(&self) -> String {
        let Searched { records, vids, steps, pruned, unpruned } = self;
        format!("{records:>10} {vids:>9} {steps:>6} {pruned:>7.3} s {unpruned:>7.3} s")
    }
}

/// Searches a table in both ways.
pub(crate) fn measure(path: &Path, k: u64) -> Result<Searched, Error> {
    let vids = compress(path, &ATTRIBUTES)?.weights.len() as u64;
    let raw = compress(path, &[&ATTRIBUTES[..], &[TARGET]].concat())?;
    let maskings =
        ATTRIBUTES.iter().map(|&name| Ok((name.to_owned(), masking(name)?))).collect::<Result<_, Error>>()?;
    let table = encode(&raw, maskings, &[(TARGET.to_owned(), LabelKind::Classes)], Unknown::Error)?;
    let qid = Qid::new(ATTRIBUTES.map(str::to_owned).to_vec(), k);
    let problem = Problem::new(&table, &Requirement::new(vec![qid])?)?;
    let (steps, pruned) = search(&problem, Pruning::On);
    let (_, unpruned) = search(&problem, Pruning::Off);
    Ok(Searched { records: table.records, vids, steps, pruned, unpruned })
}

fn search(problem: &Problem<'_>, pruning: Pruning) -> (usize, f64) {
    let start = Instant::now();
    let outcome = BottomUp { pruning }.search(problem, &Control::unlimited());
    (outcome.steps.len(), start.elapsed().as_secs_f64())
}

fn compress(path: &Path, columns: &[&str]) -> Result<RawTable, Error> {
    let location = path.to_string_lossy();
    let engine = Embedded::open(&location, &SourceOptions::default(), cores())?;
    let columns = columns.iter().map(|name| find_column(&engine, name)).collect::<Result<_, _>>()?;
    Ok(engine.compress(&CompressPlan { columns, ..CompressPlan::default() }, &Unwatched)?.table)
}

fn masking(attribute: &str) -> Result<Masking, Error> {
    let text = TAXONOMIES.iter().find(|(name, _)| *name == attribute).map_or("", |(_, text)| text);
    let taxonomy = Taxonomy::from_outline(text).map_err(|error| Error::Defect(error.to_string()))?;
    Ok(Masking::Generalize(Arc::new(taxonomy)))
}
