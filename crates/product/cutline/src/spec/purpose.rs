//! What the table is published for.

use cutline_model::Kind;
use serde::{Deserialize, Serialize};

use super::clustering::{ClusteringSpec, one_or_many};

/// What the table is published for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PurposeSpec {
    /// The kind of use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<PurposeKind>,
    /// The attribute to predict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The target's share in the sum that a genetic search minimizes, beside further targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Further targets, for a genetic search and the report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<FurtherTarget>,
    /// What it costs to take one class of the target for another; 1 unless said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cost: Vec<CostSpec>,
    /// May the target be part of a QID, and so be masked?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_target_in_qid: Option<bool>,
    /// The number of clusters that the table must still show, or several to compare.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "one_or_many")]
    pub clusters: Vec<u32>,
    /// Settings of the purpose clustering.
    #[serde(default, skip_serializing_if = "ClusteringSpec::is_empty")]
    pub clustering: ClusteringSpec,
}

/// The kind of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PurposeKind {
    /// Predict a class.
    Classification,
    /// Predict a number.
    Regression,
    /// Find clusters.
    Clustering,
    /// Unknown.
    General,
}

/// A target beside the first one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FurtherTarget {
    /// The attribute to predict.
    pub target: String,
    /// Its share in the sum that a genetic search minimizes; 1 unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Classes or numbers? By default what its values look like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
}

/// What it costs to take a record of one class for one of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostSpec {
    /// The record's own class.
    pub actual: String,
    /// The class that it is taken for.
    pub predicted: String,
    /// The cost.
    pub cost: f64,
}
