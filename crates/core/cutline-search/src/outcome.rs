//! What a search returns.

use cutline_model::AttributeRecoding;
use cutline_model::recoding::{Label, Regions};
use serde::{Serialize, Serializer};

use crate::Stopped;

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How each quasi attribute is published, in the order of the compressed table.
    pub recoding: Vec<AttributeRecoding>,
    /// The groups, if they have labels of their own: the attributes then tell apart what any group does.
    pub regions: Option<Regions>,
    /// What the search did.
    pub steps: Vec<Step>,
    /// Why it ended.
    pub stopped: Stopped,
    /// A(QID) of each QID of the problem.
    pub anonymity: Vec<u64>,
}

/// One step of the trace: a line of `trace.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Step {
    /// One step down.
    Refinement(Refinement),
    /// One step up.
    Generalization(Generalization),
    /// A better candidate.
    Improvement(Improvement),
}

/// `v → child(v)`, `⊥ → {v, ⊥}` or an interval split.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refinement {
    /// Counted from 1.
    pub step: usize,
    /// The attribute's name.
    pub attribute: String,
    /// The label that was refined.
    #[serde(serialize_with = "read")]
    pub refined: Label,
    /// The labels that took its place.
    #[serde(serialize_with = "all_read")]
    pub into: Vec<Label>,
    /// The information gained: InfoGain, reduction of variance, or the number of refined records, by purpose.
    pub gain: f64,
    /// AnonyLoss.
    pub loss: f64,
    /// What the choice was made by.
    pub score: f64,
    /// A(QID) of each QID after the step.
    pub anonymity: Vec<u64>,
}

/// `{c} → p`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Generalization {
    /// Counted from 1.
    pub step: usize,
    /// The attribute's name.
    pub attribute: String,
    /// The labels that were generalized.
    #[serde(serialize_with = "all_read")]
    pub generalized: Vec<Label>,
    /// The label that took their place.
    #[serde(serialize_with = "read")]
    pub into: Label,
    /// I(G): the information lost.
    pub loss: f64,
    /// P(G): the anonymity gained, up to the thresholds.
    pub gain: f64,
    /// IP(G); `None` where no anonymity is gained.
    pub ip: Option<f64>,
    /// A(QID) of each QID after the step.
    pub anonymity: Vec<u64>,
}

/// A candidate that is better than all before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Improvement {
    /// Counted from 1.
    pub step: usize,
    /// Candidates evaluated so far.
    pub evaluations: usize,
    /// What is minimized.
    pub loss: f64,
    /// Records that the candidate suppresses.
    pub suppressed: u64,
    /// A(QID) of each QID under the candidate.
    pub anonymity: Vec<u64>,
}

impl Step {
    /// Counted from 1.
    pub fn number(&self) -> usize {
        match self {
            Step::Refinement(step) => step.step,
            Step::Generalization(step) => step.step,
            Step::Improvement(step) => step.step,
        }
    }

    /// The name of the attribute that the step changes, if it changes one.
    pub fn attribute(&self) -> Option<&str> {
        match self {
            Step::Refinement(step) => Some(&step.attribute),
            Step::Generalization(step) => Some(&step.attribute),
            Step::Improvement(_) => None,
        }
    }

    /// A(QID) of each QID after the step.
    pub fn anonymity(&self) -> &[u64] {
        match self {
            Step::Refinement(step) => &step.anonymity,
            Step::Generalization(step) => &step.anonymity,
            Step::Improvement(step) => &step.anonymity,
        }
    }

    /// The refinement, if it is one.
    pub fn as_refinement(&self) -> Option<&Refinement> {
        match self {
            Step::Refinement(step) => Some(step),
            _ => None,
        }
    }

    /// The generalization, if it is one.
    pub fn as_generalization(&self) -> Option<&Generalization> {
        match self {
            Step::Generalization(step) => Some(step),
            _ => None,
        }
    }
}

/// A trace is for people: it has labels as they read them.
fn read<S: Serializer>(label: &Label, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(label.as_str())
}

fn all_read<S: Serializer>(labels: &[Label], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(labels.iter().map(Label::as_str))
}
