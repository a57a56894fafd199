//! How to search.

use clap::{Args, ValueEnum};

/// How to search.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// Search algorithm [default: tdr]
    #[arg(long, value_enum)]
    pub(crate) algorithm: Option<AlgorithmArg>,
    /// Stop after so many steps and publish the state reached
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<usize>,
    /// Stop after so long and publish the state reached, as in 30s or 5m
    #[arg(long, value_name = "TIME")]
    pub(crate) time_limit: Option<String>,
    /// For algorithms that draw random numbers (refine, tdr, tds and bottom-up draw none)
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) genetic: GeneticArgs,
    /// Threads to use; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum AlgorithmArg {
    /// Our own: all valid splits, a mended order, a budget that pays
    Refine,
    /// Top-down refinement (2007)
    Tdr,
    /// Top-down specialization (2005)
    Tds,
    /// Bottom-up generalization (2004)
    BottomUp,
    /// Genetic search (2002)
    Genetic,
}

/// Settings of the genetic search.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Genetic search")]
pub(crate) struct GeneticArgs {
    /// What is minimized [default: cm for classification, rm for regression, lm otherwise]
    #[arg(long, value_enum)]
    pub(crate) metric: Option<MetricArg>,
    /// Candidates that live at a time [default: 200]
    #[arg(long, value_name = "N")]
    pub(crate) population: Option<usize>,
    /// Candidates that are evaluated [default: 50000]
    #[arg(long, value_name = "N")]
    pub(crate) iterations: Option<usize>,
    /// Probability that a bit of a child is changed [default: one bit on average]
    #[arg(long, value_name = "RATE")]
    pub(crate) mutation: Option<f64>,
    /// How much more often the best is a parent than the median, 1 to 2 [default: 1.5]
    #[arg(long)]
    pub(crate) bias: Option<f64>,
    /// Start from random candidates only, without the result of tdr
    #[arg(long)]
    pub(crate) unseeded: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MetricArg {
    /// General loss
    Lm,
    /// Records that are not of their group's majority class
    Cm,
    /// Variance within groups
    Rm,
    /// Distance from the median within groups
    RmMedian,
}
