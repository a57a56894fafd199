//! How to search.

use cutline_search::genetic::GeneticParams;
use cutline_settings::{Setting, Shape, choices};
use serde::{Deserialize, Serialize};

use super::{Memory, TimeLimit};

/// How to search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSpec {
    /// The algorithm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<Algorithm>,
    /// Refine each group by itself?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local: Option<Local>,
    /// Publish what all groups have in common?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flatten: Option<bool>,
    /// Stop after so many steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<usize>,
    /// Stop after so long, as in `30s` or `5m`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<TimeLimit>,
    /// Are other searches tried, and the best kept?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tune: Option<bool>,
    /// For algorithms that draw random numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Settings of the genetic search.
    #[serde(default, skip_serializing_if = "GeneticParams::is_empty")]
    pub genetic: GeneticParams,
    /// Threads to use. Results do not depend on it.
    #[serde(skip_serializing)]
    pub threads: Option<usize>,
    /// How much memory a release may take. Results do not depend on it.
    #[serde(skip_serializing)]
    pub memory: Option<Memory>,
}

choices! {
    /// The search algorithms.
    pub enum Algorithm {
        /// Our own: top-down with all valid splits, a mended order and a budget that pays
        Refine = "refine",
        /// Top-down refinement (2007)
        Tdr = "tdr",
        /// Top-down specialization (2005)
        Tds = "tds",
        /// Bottom-up generalization (2004)
        BottomUp = "bottom-up",
        /// Genetic search (2002)
        Genetic = "genetic",
    }
}

choices! {
    /// How labels of different groups lie to each other, where each group is refined by itself.
    pub enum Local {
        /// Labels are nodes of one tree for each attribute: two of them are nested or disjoint
        Nested = "nested",
        /// Each group chooses its own split points: labels may overlap
        Free = "free",
    }
}

impl std::fmt::Display for Algorithm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What all searches have in common.
pub(super) const SETTINGS: &[Setting<SearchSpec>] = &[
    Setting {
        name: "algorithm",
        key: "algorithm",
        shape: Shape::Choice(Algorithm::CHOICES),
        placeholder: "ALGORITHM",
        default: "refine; tdr for clusters and for more than 200,000 records",
        help: "Search algorithm",
        doc: "All of them support every requirement and every purpose. Where none is named, the purpose and the number of records decide: the \
              same on every machine and wherever the records are.",
        example: "genetic",
        set: |search, value| value.put(&mut search.algorithm),
        ..Setting::BLANK
    },
    Setting {
        name: "local",
        key: "local",
        shape: Shape::Choice(Local::CHOICES),
        placeholder: "LABELS",
        default: "one label for a value wherever it stands",
        help: "Refine each group by itself, so that groups have labels of their own",
        doc: "Groups then tell more of what matters in them, and a value may have several labels. One QID only; instead of an algorithm; \
              not with clusters or private taxonomies.",
        example: "free",
        set: |search, value| value.put(&mut search.local),
        ..Setting::BLANK
    },
    Setting {
        name: "flatten",
        key: "flatten",
        shape: Shape::Flag,
        default: "not said",
        help: "After ‹local›, publish the finest labels that divide no group, so that a value has one label again",
        doc: "For recipients whose programs need labels that exclude each other. An attribute of which some group tells nothing is told of no \
              group then; usually ‹algorithm› finds more.",
        set: |search, value| value.flag(&mut search.flatten),
        ..Setting::BLANK
    },
    Setting {
        name: "tune",
        key: "tune",
        shape: Shape::Flag,
        default: "not said",
        help: "Try other searches, parts of the budget and attributes left fully masked, and keep what serves the purpose best. Takes \
               seconds to minutes",
        doc: "To predict something: judged by cross-validated errors of C4.5 and Naive Bayes (numbers: R² of a regression tree and a linear \
              regression; the better learner counts), on a half of the records that ‹evaluate› does not test with, of at most 100,000 that \
              are drawn. For clusters: raw clusters from other starts that are as good, and searches without a look at them, judged by the \
              F-measure. Otherwise by the loss. ‹time-limit› ends the trials, too. After ‹local›, parts of the budget are tried.",
        set: |search, value| value.flag(&mut search.tune),
        ..Setting::BLANK
    },
    Setting {
        name: "max-steps",
        key: "max_steps",
        shape: Shape::Whole,
        default: "no limit",
        help: "Stop after so many steps and publish the state reached",
        doc: "Bottom-up search satisfies the requirement only at its end: stopped before, it publishes nothing.",
        example: "100",
        set: |search, value| value.whole(&mut search.max_steps),
        ..Setting::BLANK
    },
    Setting {
        name: "time-limit",
        key: "time_limit",
        shape: Shape::Duration,
        default: "no limit",
        help: "Stop after so long and publish the state reached, as in 30s or 5m",
        doc: "A number and a unit (ms, s, m, h), or a number of seconds. The same table and arguments may then give another release.",
        example: "30s",
        set: |search, value| value.put(&mut search.time_limit),
        ..Setting::BLANK
    },
    Setting {
        name: "seed",
        key: "seed",
        shape: Shape::Whole,
        default: "0",
        help: "For algorithms that draw random numbers (tdr, tds and bottom-up draw none)",
        doc: "Also for clusters, and for which records train a model and which test it.",
        example: "7",
        set: |search, value| value.whole(&mut search.seed),
        ..Setting::BLANK
    },
    Setting {
        name: "threads",
        key: "threads",
        shape: Shape::Whole,
        default: "all cores",
        help: "Threads to use; results do not depend on it",
        doc: "It is not part of what the report says reproduces a release.",
        example: "2",
        set: |search, value| value.whole(&mut search.threads),
        ..Setting::BLANK
    },
    Setting {
        name: "memory",
        key: "memory",
        shape: Shape::Text,
        placeholder: "SIZE",
        default: "three quarters of this machine's",
        help: "Memory to use, as in 2GiB; results do not depend on it",
        doc: "A table whose combinations of values would take more is searched by counts that stay small, with a few more passes over it. \
              ‹algorithm tdr› and tds can do that, without a budget, persons, weights, clusters, pins, earlier releases, further targets, \
              ‹local›, ‹tune›, ‹what-if› and ‹missing error›; other jobs are refused with a message. An estimate: the command stays near it, not below it at every \
              moment, and half a gigabyte is used in any case if the table is large.",
        example: "2GiB",
        set: |search, value| value.put(&mut search.memory),
        ..Setting::BLANK
    },
];
