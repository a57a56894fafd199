//! What masking cost models, as data.

use cutline_measure::loss::Losses;
use serde::Serialize;

/// What masking cost. Plain data, for reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// Which data this is.
    pub format: &'static str,
    /// What was predicted, as in `classification of income`.
    pub purpose: String,
    /// Records that were compared.
    pub records: u64,
    /// How many records they were drawn from, suppressed ones among them; nothing if all were taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn_from: Option<u64>,
    /// Records left out because a value is missing.
    pub left_out: u64,
    /// Which records trained, which tested, in words.
    pub split: String,
    /// Were training and test records masked together? Not known of a table that was masked elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<bool>,
    /// Columns that no learner saw: identifiers, and columns that only one of two tables has.
    pub ignored: Vec<String>,
    /// The masked attributes, in the order of the table.
    pub attributes: Vec<AttributeCost>,
    /// How good each learner is.
    pub measures: Vec<Measure>,
    /// The training and test parts.
    pub parts: Vec<Part>,
    /// What each search lost by a formula; nothing if the table was masked elsewhere.
    pub losses: Vec<Losses>,
}

impl Evaluation {
    /// The `format` entry of this version.
    pub const FORMAT: &'static str = "cutline-evaluation/1";

    /// The mean over the searches of a loss; `None` if there was no search or it has no such loss.
    pub fn mean_loss(&self, loss: impl Fn(&Losses) -> Option<f64>) -> Option<f64> {
        let losses = self.losses.iter().map(loss).collect::<Option<Vec<f64>>>()?;
        (!losses.is_empty()).then(|| losses.iter().sum::<f64>() / losses.len() as f64)
    }
}

/// One learner's figure: a share of errors, or R².
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// What was measured, as in `C4.5 error`.
    pub name: &'static str,
    /// Is less better? True of errors, false of R².
    pub lower_is_better: bool,
    /// On the raw table: the mean over all test records of all parts.
    pub baseline: f64,
    /// On the masked table.
    pub masked: f64,
    /// On the raw table without the masked attributes.
    pub removed: f64,
    /// How much worse masked is than baseline. Below 0 if it is better.
    pub cost: f64,
    /// How much better masked is than removed.
    pub benefit: f64,
    /// The figures of each part.
    pub per_fold: Vec<FoldFigures>,
}

/// The three figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FoldFigures {
    /// On the raw table.
    pub baseline: f64,
    /// On the masked table.
    pub masked: f64,
    /// On the raw table without the masked attributes.
    pub removed: f64,
}

/// A training part and a test part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Records that were learned from.
    pub train: u64,
    /// Records that were tested with.
    pub test: u64,
    /// Records in groups that were too small: published as `*`, or left out.
    pub suppressed: u64,
}

/// What masking did to an attribute.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttributeCost {
    /// Its name.
    pub name: String,
    /// Distinct values before, without missing ones.
    pub values: usize,
    /// Distinct labels after; over several searches, their mean.
    pub labels: f64,
    /// LM, from 0 (published as it was) to 1 (nothing is left); over several searches, the mean. Only if Cutline masked it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
}
