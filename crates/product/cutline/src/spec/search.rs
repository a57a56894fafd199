//! How to search.

use cutline_model::Share;
use cutline_model::recoding::SuppressHow;
use serde::{Deserialize, Serialize};

use super::set;

/// How to search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSpec {
    /// The algorithm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<Algorithm>,
    /// Stop after so many steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<usize>,
    /// Stop after so long, as in `30s` or `5m`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<String>,
    /// For algorithms that draw random numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Settings of the genetic search.
    #[serde(default, skip_serializing_if = "GeneticSpec::is_empty")]
    pub genetic: GeneticSpec,
    /// Threads to use. Results do not depend on it.
    #[serde(skip_serializing)]
    pub threads: Option<usize>,
}

/// The search algorithms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// Our own: top-down with all valid splits, a mended order and a budget that pays.
    Refine,
    /// Top-down refinement (2007).
    #[default]
    Tdr,
    /// Top-down specialization (2005).
    Tds,
    /// Bottom-up generalization (2004).
    BottomUp,
    /// Genetic search (2002).
    Genetic,
}

impl std::fmt::Display for Algorithm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Algorithm::Refine => "refine",
            Algorithm::Tdr => "tdr",
            Algorithm::Tds => "tds",
            Algorithm::BottomUp => "bottom-up",
            Algorithm::Genetic => "genetic",
        })
    }
}

/// Settings of the genetic search. What is not said has a good default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeneticSpec {
    /// What is minimized; by default the metric that fits the purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<MetricKind>,
    /// Candidates that live at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<usize>,
    /// Candidates that are evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<usize>,
    /// The probability that a bit of a child is changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutation: Option<f64>,
    /// How much more often the best is chosen as a parent than the median: 1 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bias: Option<f64>,
    /// Does the result of top-down refinement belong to the first candidates?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeded: Option<bool>,
}

/// What a genetic search minimizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MetricKind {
    /// LM: general loss.
    Lm,
    /// CM: records that are not of their group's majority class.
    Cm,
    /// RM by variance.
    Rm,
    /// RM by absolute deviation from the median.
    RmMedian,
}

/// May records in groups that are too small be suppressed?
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuppressSpec {
    /// The largest share of the records, as in `"1%"`. A genetic search has no limit unless one is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Share>,
    /// What becomes of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<SuppressHow>,
}

impl GeneticSpec {
    fn is_empty(&self) -> bool {
        *self == GeneticSpec::default()
    }
}

impl SearchSpec {
    /// Flags win.
    pub(super) fn overlay(&mut self, flags: SearchSpec) {
        set(&mut self.algorithm, flags.algorithm);
        set(&mut self.max_steps, flags.max_steps);
        set(&mut self.time_limit, flags.time_limit);
        set(&mut self.seed, flags.seed);
        set(&mut self.threads, flags.threads);
        set(&mut self.genetic.metric, flags.genetic.metric);
        set(&mut self.genetic.population, flags.genetic.population);
        set(&mut self.genetic.iterations, flags.genetic.iterations);
        set(&mut self.genetic.mutation, flags.genetic.mutation);
        set(&mut self.genetic.bias, flags.genetic.bias);
        set(&mut self.genetic.seeded, flags.genetic.seeded);
    }
}
