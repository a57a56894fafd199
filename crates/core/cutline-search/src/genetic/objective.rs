//! What is minimized.

use cutline_table::{Costs, Labels};

use crate::Problem;

/// A weighted sum of metrics (2002 paper, §3). With one term, that metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    /// The terms.
    pub terms: Vec<Term>,
}

/// One term of the objective.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Its share in the sum; only the proportions matter.
    pub weight: f64,
    /// The metric.
    pub metric: Metric,
}

/// The usage-based metrics.
#[derive(Clone, Debug, PartialEq)]
pub enum Metric {
    /// LM: for every attribute the average share of its domain that an entry can no longer be told from.
    General,
    /// CM: the share of records that are suppressed or not of their group's majority class.
    Classification {
        /// The classes: 0 for the table's label, i + 1 for its further label i.
        target: usize,
        /// What mistakes cost. Suppressed records are then a group of their own.
        costs: Option<Costs>,
    },
    /// RM: the dispersion of a number within groups over that in the whole table.
    Regression {
        /// The numbers: 0 for the table's label, i + 1 for its further label i.
        target: usize,
        /// How dispersion is measured.
        dispersion: Dispersion,
    },
}

/// How the dispersion of numbers is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dispersion {
    /// Squared deviations from the mean.
    #[default]
    Variance,
    /// Absolute deviations from the median.
    Deviation,
}

impl Objective {
    /// The metric alone.
    pub fn new(metric: Metric) -> Self {
        Objective { terms: vec![Term { weight: 1.0, metric }] }
    }

    /// The metric that fits the table's label: CM for classes, RM for numbers, LM where the purpose is unknown.
    pub fn of_labels(labels: &Labels) -> Self {
        Objective::new(match labels {
            Labels::None => Metric::General,
            Labels::Classes { .. } => Metric::Classification { target: 0, costs: None },
            Labels::Numbers { .. } => Metric::Regression { target: 0, dispersion: Dispersion::Variance },
        })
    }

    /// The labels that a target's number stands for.
    pub(crate) fn labels<'a>(problem: &Problem<'a>, target: usize) -> &'a Labels {
        let table = problem.table();
        target.checked_sub(1).and_then(|further| table.further.get(further)).unwrap_or(&table.labels)
    }
}
