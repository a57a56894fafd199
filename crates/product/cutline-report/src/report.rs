//! The full report of a release, for the steward alone.

use cutline_measure::loss::Losses;
use cutline_model::recoding::{Interval, SuppressHow};
use cutline_model::{Redundant, shortest};
use cutline_search::{AttributeWhy, Stopped};
use cutline_verify::{ConditionFinding, Confidence, Finding, PersonFinding, PopulationRisk, Risk};
use serde::{Deserialize, Serialize};

use crate::clusters::ClusterReport;
use crate::evaluation::Evaluation;
use crate::screen::Screened;
use crate::series::SeriesReport;
use crate::what_if::WhatIf;

/// What every file says of itself that tells more than the published table.
pub const PRIVATE_NOTICE: &str =
    "For the data steward alone: this tells more than the published table does. Do not publish it.";

/// `private/report.json`: everything that is known of a release. What may be published of it is a [`crate::PublicReport`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Which file this is.
    pub format: &'static str,
    /// Who may read it: [`PRIVATE_NOTICE`].
    pub notice: &'static str,
    /// The version of Cutline that made the release.
    pub version: &'static str,
    /// The spec that reproduces it.
    pub arguments: toml::Table,
    /// What the table is published for.
    pub purpose: String,
    /// The search algorithm.
    pub algorithm: String,
    /// Published records.
    pub records: u64,
    /// Records left out because a value was missing.
    pub dropped: u64,
    /// Records in groups that were too small.
    pub suppressed: u64,
    /// What became of them: `mask` (published with all quasi values as `*`) or `drop` (left out).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed_how: Option<SuppressHow>,
    /// Distinct (quasi values, label) combinations before masking.
    pub distinct: u64,
    /// What held in the written table.
    pub qids: Vec<QidReport>,
    /// The risk for someone who knows the attributes of all QIDs, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub union_risk: Option<Risk>,
    /// QIDs that were given, but follow from others.
    pub redundant: Vec<RedundantReport>,
    /// What became of each quasi attribute.
    pub attributes: Vec<AttributeReport>,
    /// For every label of each of them, the refinement that was left and what forbids it.
    pub why: Vec<AttributeWhy>,
    /// The same release under other requirements, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what_if: Option<WhatIf>,
    /// Steps of the search.
    pub steps: usize,
    /// Why the search ended.
    pub stopped: Stopped,
    /// What the masking cost.
    pub metrics: Losses,
    /// What the masking cost models that predict the target, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Evaluation>,
    /// The clusters before and after, if they are the purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clusters: Option<ClusterReport>,
    /// The releases that it is made after, and what all of them tell together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series: Option<SeriesReport>,
    /// What was seen of every published column, and what there is to warn of.
    #[serde(flatten)]
    pub screened: Screened,
    /// Where the time went. The one part of a release that differs from run to run.
    pub seconds: Seconds,
}

/// A QID in the written table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QidReport {
    /// Its attributes.
    pub attributes: Vec<String>,
    /// Its threshold.
    pub k: u64,
    /// The smallest group.
    pub anonymity: u64,
    /// The number of groups.
    pub groups: u64,
    /// Group sizes, ascending, and how many groups have each.
    pub sizes: Vec<(u64, u64)>,
    /// How probable it is to find a person's record; in a public report nothing if k counts persons, because records say too little then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<Risk>,
    /// What must hold of the sensitive values of every group, and the group that is nearest to breaking it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<ConditionReport>,
    /// For each sensitive attribute, how sure of a value the group that tells most makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confidences: Vec<ConfidenceReport>,
    /// The groups in persons, if k counts those. A published table does not tell them, so they are in no public report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persons: Option<PersonsReport>,
    /// The risk in the population that the table was drawn from, if that is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub population: Option<PopulationRisk>,
}

/// The groups of a QID in persons.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PersonsReport {
    /// The persons in the group that has the fewest.
    pub smallest: u64,
    /// Persons, ascending, and how many groups have so many.
    pub sizes: Vec<(u64, u64)>,
}

/// A condition on the sensitive values of a QID's groups.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConditionReport {
    /// As it is written in a spec.
    pub condition: String,
    /// Does it hold in every group?
    pub holds: bool,
    /// The figure of the worst group, which the condition bounds. Nothing if it is infinite, or there is no group.
    pub worst: Option<f64>,
}

/// What groups tell about a sensitive attribute.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConfidenceReport {
    /// The attribute.
    pub attribute: String,
    /// How sure of a value the group that tells most makes.
    pub highest_confidence: f64,
    /// Groups in which everybody has the same value.
    pub homogeneous_groups: u64,
    /// Records in these groups.
    pub homogeneous_records: u64,
}

/// A QID that was left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RedundantReport {
    /// Its attributes.
    pub attributes: Vec<String>,
    /// Its threshold.
    pub k: u64,
    /// The attributes of the QID that implies it.
    pub implied_by: Vec<String>,
}

/// What became of a quasi attribute.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttributeReport {
    /// Its name.
    pub name: String,
    /// The masking operation.
    pub operation: &'static str,
    /// Distinct values before.
    pub values: usize,
    /// Distinct labels after.
    pub labels: usize,
    /// Is nothing of it left?
    pub top: bool,
    /// Are all its values whole numbers?
    pub whole: bool,
}

impl AttributeReport {
    /// A label as people read it: of whole numbers, `[5-6)` is 5.
    pub fn read(&self, label: &str) -> String {
        let single = |interval: Interval| match (interval.lower, interval.upper) {
            (Some(lower), Some(upper)) if lower + 1.0 == upper && lower.fract() == 0.0 && !interval.closed => {
                Some(lower)
            }
            _ => None,
        };
        let single = label.parse().ok().filter(|_| self.whole).and_then(single);
        single.map_or_else(|| label.to_owned(), shortest)
    }
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// The first pass over the records.
    pub read: f64,
    /// Looking at what the published columns tell, in a pass of its own.
    pub screen: f64,
    /// The search.
    pub search: f64,
    /// The second pass.
    pub write: f64,
    /// Reading the written table back.
    pub verify: f64,
    /// Learning from the raw and the masked records, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluate: Option<f64>,
}

impl Report {
    /// The `format` entry of this version.
    pub const FORMAT: &'static str = "cutline-report/1";

    /// The records that were searched: the published ones, and those that were suppressed by leaving them out.
    pub fn searched(&self) -> u64 {
        self.records + if self.suppressed_how == Some(SuppressHow::Drop) { self.suppressed } else { 0 }
    }

    /// The text of `private/report.json`.
    pub fn to_json(&self) -> String {
        crate::json(self)
    }
}

impl From<&Finding> for QidReport {
    fn from(finding: &Finding) -> Self {
        QidReport {
            attributes: finding.attributes.clone(),
            k: finding.k,
            anonymity: finding.anonymity,
            groups: finding.groups,
            sizes: finding.sizes.clone(),
            risk: Some(finding.risk()),
            conditions: finding.conditions.iter().map(ConditionReport::from).collect(),
            confidences: finding.confidences.iter().map(ConfidenceReport::from).collect(),
            persons: finding.persons.as_ref().map(PersonsReport::from),
            population: finding.population.clone(),
        }
    }
}

impl From<&PersonFinding> for PersonsReport {
    fn from(finding: &PersonFinding) -> Self {
        PersonsReport { smallest: finding.smallest, sizes: finding.sizes.clone() }
    }
}

impl QidReport {
    /// What everybody may know: what the published table tells.
    pub(crate) fn public(finding: &Finding) -> Self {
        let risk = finding.persons.is_none().then(|| finding.risk());
        QidReport { persons: None, population: None, risk, ..QidReport::from(finding) }
    }

    /// The smallest group, in persons if k counts those.
    pub fn smallest(&self) -> u64 {
        self.persons.as_ref().map_or(self.anonymity, |persons| persons.smallest)
    }

    /// Does the requirement hold for this QID?
    pub fn holds(&self) -> bool {
        // A table without records has no group that is too small.
        (self.smallest() >= self.k || self.groups == 0) && self.conditions.iter().all(|condition| condition.holds)
    }
}

impl From<&Confidence> for ConfidenceReport {
    fn from(told: &Confidence) -> Self {
        ConfidenceReport {
            attribute: told.attribute.clone(),
            highest_confidence: told.highest_confidence,
            homogeneous_groups: told.homogeneous_groups,
            homogeneous_records: told.homogeneous_records,
        }
    }
}

impl From<&ConditionFinding> for ConditionReport {
    fn from(finding: &ConditionFinding) -> Self {
        ConditionReport {
            condition: finding.condition.to_string(),
            holds: finding.holds(),
            worst: finding.worst.filter(|worst| worst.is_finite()),
        }
    }
}

impl From<&Redundant> for RedundantReport {
    fn from(redundant: &Redundant) -> Self {
        RedundantReport {
            attributes: redundant.qid.attributes.clone(),
            k: redundant.qid.k,
            implied_by: redundant.implied_by.attributes.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_of_one_whole_number_reads_as_that_number() {
        let attribute = |whole| AttributeReport {
            name: "age".to_owned(),
            operation: "discretize",
            values: 9,
            labels: 4,
            top: false,
            whole,
        };
        let labels = ["[5-6)", "[-1-0)", "[5-7)", "[5-6]", "<5", ">=6", "*", "[5.5-6.5)", "blue"];
        let read = |whole| labels.map(|label| attribute(whole).read(label));
        assert_eq!(read(true), ["5", "-1", "[5-7)", "[5-6]", "<5", ">=6", "*", "[5.5-6.5)", "blue"]);
        assert_eq!(read(false), labels);
    }
}
