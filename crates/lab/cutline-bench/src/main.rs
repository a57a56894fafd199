//! Where does the time go?
//!
//! ```text
//! cargo run --release -p cutline-bench -- sweep
//! cargo run --release -p cutline-bench -- generate 1000000 adult-1m.csv
//! cargo run --release -p cutline-bench -- measure adult-1m.csv
//! cargo run --release -p cutline-bench -- compare adult-1m.csv
//! cargo run --release -p cutline-bench -- generate 1356660 adult-30x.csv --novelty 3
//! cargo run --release -p cutline-bench -- bottom-up adult-30x.csv
//! cargo run --release -p cutline-bench -- genetic --iterations 500000
//! cargo run --release -p cutline-bench -- reproduce
//! cargo run --release -p cutline-bench -- searches
//! cargo run --release -p cutline-bench -- cracked
//! ```

mod attributes;
mod bottom_up;
mod compare;
mod cracked;
mod enlarge;
mod genetic;
mod markdown;
mod measure;
mod reproduce;
mod sweep;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use enlarge::Novelty;
use measure::Setting;

#[derive(Parser, Debug)]
#[command(name = "cutline-bench", about = "Benchmarks of Cutline")]
enum Command {
    /// Write the papers' enlarged Adult table: the 45,222 complete records and variations of them
    Generate {
        /// Records to write
        rows: usize,
        /// The CSV file to write
        output: PathBuf,
        /// Seed of the random numbers
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Redraw exactly so many of the seven categorical attributes, as the 2004 paper does
        #[arg(long)]
        novelty: Option<usize>,
        /// So many columns beside each attribute that repeat it of other records, for wide tables
        #[arg(long, default_value_t = 0)]
        beside: usize,
    },
    /// Search tables bottom-up, with and without pruning, by their seven categorical attributes
    BottomUp {
        /// Tables
        tables: Vec<PathBuf>,
        /// The threshold
        #[arg(short, long, default_value_t = 150)]
        k: u64,
    },
    /// Compare all algorithms by LM and CM, on the 8 attributes of the 2002 paper
    Genetic {
        /// Adult's training part
        #[arg(default_value = "datasets/adult/train.csv.gz")]
        table: PathBuf,
        /// Thresholds
        #[arg(short, long, value_delimiter = ',', default_values_t = [10, 100, 500])]
        k: Vec<u64>,
        /// Candidates that the genetic search evaluates
        #[arg(long, default_value_t = 50_000)]
        iterations: usize,
        /// Seed of the genetic search
        #[arg(long, default_value_t = 0)]
        seed: u64,
    },
    /// Publish a table once and print where the time went, as a line of JSON
    Measure {
        /// An enlarged Adult table
        table: PathBuf,
        #[command(flatten)]
        setting: Setting,
    },
    /// Publish tables and let DuckDB copy them, in turns, and print medians and ratios
    Compare(compare::Options),
    /// Measure releases over records, k, QIDs, algorithms and threads, and write a page with tables, plots and slopes
    Sweep {
        /// Tiny tables and few settings: does everything run?
        #[arg(long)]
        quick: bool,
        /// The folder that gets benchmarks.md and benchmarks/
        #[arg(long, default_value = "docs")]
        output: PathBuf,
        /// Sizes of the tables, separated by commas
        #[arg(long, value_delimiter = ',')]
        rows: Vec<usize>,
        /// Runs of each release; the fastest counts
        #[arg(long, default_value_t = 1)]
        repeat: usize,
    },
    /// Compare our own search with tdr by classifiers' errors on records that it never saw
    Searches {
        /// A tenth of Adult and few thresholds: does everything run?
        #[arg(long)]
        quick: bool,
        /// Local refinement only
        #[arg(long)]
        local: bool,
    },
    /// Show how much less releases would be masked if only cracked records were subtracted, and not whole joint groups
    Cracked {
        /// Small registers to try
        #[arg(long, default_value_t = 4000)]
        registers: u64,
    },
    /// Run all experiments of the papers and write a page with their figures and ours
    Reproduce {
        /// A tenth of Adult and few thresholds: does everything run?
        #[arg(long)]
        quick: bool,
        /// Measure times, too (takes minutes)
        #[arg(long)]
        with_times: bool,
        /// The folder that gets results.md and results/
        #[arg(long, default_value = "docs")]
        output: PathBuf,
    },
}

fn main() -> ExitCode {
    cutline_allocator::share_freed_memory();
    let result = match Command::parse() {
        Command::Generate { rows, output, seed, novelty, beside } => {
            let novelty = novelty.map_or(Novelty::Any, Novelty::Categorical);
            enlarge::write(rows, beside, novelty, seed, &output).map_err(|error| error.to_string())
        }
        Command::BottomUp { tables, k } => bottom_up::run(&tables, k).map_err(|error| error.to_string()),
        Command::Genetic { table, k, iterations, seed } => {
            genetic::run(&table, &k, iterations, seed).map_err(|error| error.to_string())
        }
        Command::Measure { table, setting } => measure::run(&table, &setting).map_err(|error| error.to_string()),
        Command::Compare(options) => compare::run(&options),
        Command::Sweep { quick, output, rows, repeat } => {
            sweep::run(&sweep::Options { quick, output, rows, repeat }).map_err(|error| error.to_string())
        }
        Command::Searches { quick, local } => reproduce::searches(quick, local).map_err(|error| error.to_string()),
        Command::Cracked { registers } => cracked::run(registers).map_err(|error| error.to_string()),
        Command::Reproduce { quick, with_times, output } => {
            reproduce::run(&reproduce::Options { quick, with_times, output }).map_err(|error| error.to_string())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
