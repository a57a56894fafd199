//! What can be set, and what makes sense.

use cutline_settings::{Setting, Shape, choices};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Genetic;

/// Settings of the genetic search, as they are said. What is not said has a good default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeneticParams {
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

choices! {
    /// What a genetic search minimizes.
    pub enum MetricKind {
        /// General loss
        Lm = "lm",
        /// Records that are not of their group's majority class
        Cm = "cm",
        /// Variance within groups
        Rm = "rm",
        /// Distance from the median within groups
        RmMedian = "rm-median",
    }
}

/// Settings that make no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ParamsError {
    /// Nobody to cross with.
    #[error("a population needs at least two candidates")]
    Population,
    /// Nothing would be looked at.
    #[error("no candidate is to be evaluated")]
    Iterations,
    /// Not from 0 to 1.
    #[error("the mutation rate is no probability")]
    Mutation,
    /// Ranks would get negative chances.
    #[error("the bias is not between 1 and 2")]
    Bias,
}

impl ParamsError {
    /// What to do about it.
    pub fn hint(self) -> &'static str {
        match self {
            ParamsError::Population => "leave out ‹population›, or use 200",
            ParamsError::Iterations => "leave out ‹iterations›, or use 50000",
            ParamsError::Mutation => "use a number from 0 to 1, as in 0.01",
            ParamsError::Bias => "1 chooses parents at random, 2 favours the best most",
        }
    }
}

impl GeneticParams {
    /// Is nothing said?
    pub fn is_empty(&self) -> bool {
        *self == GeneticParams::default()
    }

    /// The search that they describe, if they make sense. What it minimizes depends on the table.
    pub fn check(&self, seed: u64) -> Result<Genetic, ParamsError> {
        let standard = Genetic::default();
        let genetic = Genetic {
            objective: None,
            population: self.population.unwrap_or(standard.population),
            iterations: self.iterations.unwrap_or(standard.iterations),
            mutation: self.mutation,
            bias: self.bias.unwrap_or(standard.bias),
            seed,
            seeded: self.seeded.unwrap_or(standard.seeded),
        };
        match &genetic {
            Genetic { population: 0 | 1, .. } => Err(ParamsError::Population),
            Genetic { iterations: 0, .. } => Err(ParamsError::Iterations),
            Genetic { mutation: Some(rate), .. } if !(0.0..=1.0).contains(rate) => Err(ParamsError::Mutation),
            Genetic { bias, .. } if !(1.0..=2.0).contains(bias) => Err(ParamsError::Bias),
            _ => Ok(genetic),
        }
    }
}

/// The settings of the genetic search.
pub const SETTINGS: &[Setting<GeneticParams>] = &[
    Setting {
        name: "metric",
        key: "metric",
        shape: Shape::Choice(MetricKind::CHOICES),
        placeholder: "METRIC",
        default: "cm for classification, rm for regression, lm otherwise",
        help: "What is minimized",
        doc: "A candidate's groups that are too small are suppressed, and every metric counts that as a loss.",
        example: "lm",
        set: |params, value| value.put(&mut params.metric),
        ..Setting::BLANK
    },
    Setting {
        name: "population",
        key: "population",
        shape: Shape::Whole,
        default: "200",
        help: "Candidates that live at a time",
        doc: "At least two. A child that is better than the worst takes its place.",
        example: "500",
        set: |params, value| value.whole(&mut params.population),
        ..Setting::BLANK
    },
    Setting {
        name: "iterations",
        key: "iterations",
        shape: Shape::Whole,
        default: "50000",
        help: "Candidates that are evaluated",
        doc: "What the time of the search is proportional to. The 2002 paper evaluates 500,000.",
        example: "500000",
        set: |params, value| value.whole(&mut params.iterations),
        ..Setting::BLANK
    },
    Setting {
        name: "mutation",
        key: "mutation",
        shape: Shape::Number,
        placeholder: "RATE",
        default: "one bit on average",
        help: "Probability that a bit of a child is changed",
        doc: "From 0 to 1.",
        example: "0.01",
        set: |params, value| value.number(&mut params.mutation),
        ..Setting::BLANK
    },
    Setting {
        name: "bias",
        key: "bias",
        shape: Shape::Number,
        placeholder: "BIAS",
        default: "1.5",
        help: "How much more often the best is a parent than the median, 1 to 2",
        doc: "1 chooses parents at random, 2 favours the best most.",
        example: "1.25",
        set: |params, value| value.number(&mut params.bias),
        ..Setting::BLANK
    },
    Setting {
        name: "unseeded",
        key: "seeded",
        shape: Shape::Flag,
        default: "not said",
        help: "Start from random candidates only, without the result of tdr",
        doc: "In a spec this is said the other way round: `seeded = false`.",
        set: |params, value| {
            params.seeded = Some(!value.said()?);
            Ok(())
        },
        ..Setting::BLANK
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_the_standard_search() {
        assert_eq!(GeneticParams::default().check(7), Ok(Genetic { seed: 7, ..Genetic::default() }));
    }

    #[test]
    fn parameters_that_make_no_sense_are_refused() {
        let check = |set: fn(&mut GeneticParams)| {
            let mut params = GeneticParams::default();
            set(&mut params);
            params.check(0).unwrap_err()
        };
        assert_eq!(check(|params| params.population = Some(1)), ParamsError::Population);
        assert_eq!(check(|params| params.iterations = Some(0)), ParamsError::Iterations);
        assert_eq!(check(|params| params.mutation = Some(1.5)), ParamsError::Mutation);
        assert_eq!(check(|params| params.mutation = Some(f64::NAN)), ParamsError::Mutation);
        assert_eq!(check(|params| params.bias = Some(0.5)), ParamsError::Bias);
    }
}
