//! What a search returns.

use cutline_model::AttributeRecoding;
use serde::Serialize;

use crate::Stopped;

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How each quasi attribute is published, in the order of the compressed table.
    pub recoding: Vec<AttributeRecoding>,
    /// What the search did.
    pub steps: Vec<Step>,
    /// Why it ended.
    pub stopped: Stopped,
    /// A(QID) of each QID of the problem.
    pub anonymity: Vec<u64>,
}

/// One step of the trace: a line of `trace.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// Counted from 1.
    pub step: usize,
    /// The attribute's name.
    pub attribute: String,
    /// The label that was refined.
    pub refined: String,
    /// The labels that took its place.
    pub into: Vec<String>,
    /// The information gained: InfoGain, reduction of variance, or the number of refined records, by purpose.
    pub gain: f64,
    /// AnonyLoss.
    pub loss: f64,
    /// What the choice was made by.
    pub score: f64,
    /// A(QID) of each QID after the step.
    pub anonymity: Vec<u64>,
}
