//! Releases beside DuckDB's copy of the same file.

use std::path::PathBuf;

use cutline::Error;
use cutline_report::count;

use super::Options;
use super::bench::Bench;
use super::page::Section;
use crate::compare;
use crate::enlarge::Novelty;

/// Copies of an attribute beside it in the wide table: 43 columns.
const BESIDE: usize = 2;

/// CSV and Parquet, of 15 and of 43 columns.
pub(super) fn run(options: &Options, bench: &mut Bench) -> Result<Section, Error> {
    let rows = options.common_size();
    let intro = format!(
        "The whole command, with the screen of all columns and the answers why, beside DuckDB, which reads the same file and writes it again in \
         the same format with as many threads. Both in turns, the median of each. One QID of 14 attributes, k = 50; {} records with 15 \
         columns, {} with 43.",
        count(rows as u64),
        count(rows as u64 / 2)
    );
    let mut section = Section::new("Beside a copy", &intro);
    println!("\n{}", section.title());
    match measured(options, bench)? {
        Ok(rows) => section.body.table(&compare::HEAD, &rows),
        Err(problem) => section.body.text(&format!("Not measured: {}", problem.lines().next().unwrap_or_default())),
    }
    Ok(section)
}

/// The rows, or why there are none.
fn measured(options: &Options, bench: &mut Bench) -> Result<Result<Vec<Vec<String>>, String>, Error> {
    let mut tables: Vec<PathBuf> = Vec::new();
    for (rows, beside) in [(options.common_size(), 0), (options.common_size() / 2, BESIDE)] {
        let csv = bench.wide_table(rows, beside, Novelty::Any)?;
        let parquet = csv.with_extension("parquet");
        if let Err(problem) = compare::Options::new(Vec::new(), 1).convert(&csv, &parquet) {
            return Ok(Err(problem));
        }
        tables.extend([csv, parquet]);
    }
    let rows = compare::rows(&compare::Options::new(tables, options.repeat.max(1) + 1));
    if let Ok(rows) = &rows {
        rows.iter().for_each(|row| println!("{}", row.join("  ")));
    }
    Ok(rows)
}
