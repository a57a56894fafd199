//! What the masking cost a model that was built on the published table.

use serde::Serialize;

/// One figure of merit of a model, three times: without masking, with it, and without the masked attributes. Lower is better.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvaluationReport {
    /// What was measured, as in `C4.5 error`.
    pub measure: String,
    /// What the numbers are.
    pub unit: EvaluationUnit,
    /// Built on the raw table.
    pub baseline: f64,
    /// Built on the published table.
    pub masked: f64,
    /// Built on the raw table without its quasi attributes: what the published ones must beat to be worth anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<f64>,
}

/// What the numbers of an evaluation are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EvaluationUnit {
    /// Shares from 0 to 1, shown as percentages.
    Share,
    /// Numbers in the unit of the target.
    Number,
}
