//! What the table is published for.

use std::str::FromStr;

use cutline_model::Kind;
use cutline_settings::{Setting, Shape, Value, Wrong, choices};
use serde::{Deserialize, Serialize};

use super::clustering::{ClusteringSpec, one_or_many};
use super::list;

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

choices! {
    /// The kind of use.
    pub enum PurposeKind {
        /// Predict a class
        Classification = "classification",
        /// Predict a number
        Regression = "regression",
        /// Find clusters
        Clustering = "clustering",
        /// Unknown: distort as little as possible
        General = "general",
    }
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

/// What the table is for.
pub(super) const SETTINGS: &[Setting<PurposeSpec>] = &[
    Setting {
        name: "target",
        key: "target",
        shape: Shape::Text,
        placeholder: "NAME",
        help: "Attribute to predict: the purpose is classification, unless ‹purpose› says regression",
        doc: "It is published as it is. Said beside a spec, it is the purpose, whatever the spec says of another one.",
        example: "readmitted",
        clear: |purpose| {
            purpose.kind = None;
            (purpose.clusters, purpose.clustering) = Default::default();
        },
        set: |purpose, value| value.put(&mut purpose.target),
        ..Setting::BLANK
    },
    Setting {
        name: "purpose",
        key: "kind",
        shape: Shape::Choice(PurposeKind::CHOICES),
        placeholder: "PURPOSE",
        default: "classification if there is a target, clustering if there are clusters, general otherwise",
        help: "What the table is published for",
        doc: "It decides which distinctions are worth their loss of anonymity.",
        example: "regression",
        set: |purpose, value| value.put(&mut purpose.kind),
        ..Setting::BLANK
    },
    Setting {
        name: "also-target",
        key: "further",
        shape: Shape::Entries,
        placeholder: "NAME[:WEIGHT]",
        help: "A further target and its weight, for a genetic search and the report; repeat for several",
        doc: "A genetic search minimizes the weighted sum over all targets. In a spec: `[[purpose.further]]` with `target`, `weight` and \
              `kind` (`categorical` or `continuous`).",
        example: "hours:0.5",
        set: |purpose, value| {
            purpose.further = value.entries(':')?.iter().map(|text| text.parse()).collect::<Result<_, Wrong>>()?;
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "target-weight",
        key: "weight",
        shape: Shape::Number,
        placeholder: "WEIGHT",
        default: "1",
        help: "Weight of the target itself, beside further targets",
        doc: "Above 0; only the proportions matter.",
        example: "2",
        set: |purpose, value| value.number(&mut purpose.weight),
        ..Setting::BLANK
    },
    Setting {
        name: "cost",
        key: "cost",
        shape: Shape::Entries,
        placeholder: "ACTUAL,PREDICTED=COST",
        default: "1",
        help: "What it costs to take a class for another one; repeat for several",
        doc: "For a genetic search with the metric cm, and the report. In a spec: `[[purpose.cost]]` with `actual`, `predicted` and `cost`.",
        example: "sick,healthy=5",
        set: set_costs,
        ..Setting::BLANK
    },
    Setting {
        name: "allow-target-in-qid",
        key: "allow_target_in_qid",
        shape: Shape::Flag,
        default: "not said",
        help: "Accept that the target is in a QID and gets masked",
        doc: "A masked target can hardly be predicted, so this must be meant.",
        set: |purpose, value| value.flag(&mut purpose.allow_target_in_qid),
        ..Setting::BLANK
    },
];

impl FromStr for FurtherTarget {
    type Err = Wrong;

    /// `NAME` or `NAME:WEIGHT`.
    fn from_str(text: &str) -> Result<Self, Wrong> {
        let Some((name, weight)) = text.rsplit_once(':') else {
            return Ok(FurtherTarget { target: text.to_owned(), weight: None, kind: None });
        };
        match weight.trim().parse() {
            Ok(weight) => Ok(FurtherTarget { target: name.to_owned(), weight: Some(weight), kind: None }),
            Err(_) => Err(Wrong::new(format!("`{weight}` is no number; write NAME:WEIGHT as in hours:0.5"))),
        }
    }
}

impl FromStr for CostSpec {
    type Err = Wrong;

    /// `ACTUAL,PREDICTED=COST`. Classes may contain `=`; those with a comma are quoted.
    fn from_str(text: &str) -> Result<Self, Wrong> {
        let wrong = || Wrong::new("write a cost as ACTUAL,PREDICTED=COST, as in sick,healthy=5");
        let (classes, cost) = text.rsplit_once('=').ok_or_else(wrong)?;
        let cost = cost.trim().parse().map_err(|_| wrong())?;
        match &list(classes)[..] {
            [actual, predicted] => Ok(CostSpec { actual: actual.clone(), predicted: predicted.clone(), cost }),
            _ => Err(wrong()),
        }
    }
}

fn set_costs(purpose: &mut PurposeSpec, value: &Value) -> Result<(), Wrong> {
    purpose.cost = value.entries('=')?.iter().map(|text| text.parse()).collect::<Result<_, Wrong>>()?;
    Ok(())
}
