//! What the report says.

mod html;

use cutline_measure::loss::Losses;
use cutline_model::Recoding;
use cutline_model::recoding::SuppressHow;
use cutline_search::Stopped;
use cutline_verify::{Risk, Verdict};
use serde::Serialize;

use crate::cluster::ClusterReport;
use crate::evaluate::Evaluation;
use crate::find::Found;
use crate::job::Job;
use crate::spec::Spec;

pub(crate) use html::{comparison, html};

/// `report.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Which file this is.
    pub format: &'static str,
    /// The version of Cutline that made the release.
    pub version: &'static str,
    /// The spec that reproduces it.
    pub arguments: Spec,
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
    /// Where the time went. The one part of a release that differs from run to run.
    pub seconds: Seconds,
}

/// A QID in the written table.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// How probable it is to find a person's record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<Risk>,
    /// For each sensitive attribute, how sure of a value the group that tells most makes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub confidences: Vec<(String, f64)>,
}

/// A QID that was left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// The first pass over the records.
    pub read: f64,
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

/// Everything a report is made of.
pub(crate) struct Facts<'a> {
    pub(crate) job: &'a Job,
    pub(crate) found: &'a Found,
    pub(crate) how: Option<SuppressHow>,
    pub(crate) recoding: &'a Recoding,
    pub(crate) verdict: &'a Verdict,
    pub(crate) dropped: u64,
}

impl Facts<'_> {
    pub(crate) fn report(&self, seconds: Seconds) -> Report {
        let Facts { job, found, verdict, .. } = self;
        Report {
            format: "cutline-report/1",
            version: env!("CARGO_PKG_VERSION"),
            arguments: job.arguments.told(),
            purpose: job.purpose.to_string(),
            algorithm: job.algorithm.to_string(),
            records: verdict.records,
            dropped: self.dropped,
            suppressed: found.suppressed.records,
            suppressed_how: self.how,
            distinct: found.table.rows() as u64,
            qids: verdict.findings.iter().map(qid).collect(),
            union_risk: verdict.union.as_ref().map(|union| union.risk.clone()),
            redundant: job.requirement.redundant().iter().map(redundant).collect(),
            attributes: self.attributes(),
            steps: found.outcome.steps.len(),
            stopped: found.outcome.stopped,
            metrics: found.losses.clone(),
            clusters: None,
            evaluation: None,
            seconds,
        }
    }

    fn attributes(&self) -> Vec<AttributeReport> {
        let pairs = self.recoding.attributes.iter().zip(&self.found.table.attributes);
        let report = |((name, recoding), attribute): (
            (&String, &cutline_model::AttributeRecoding),
            &cutline_table::Attribute,
        )| {
            AttributeReport {
                name: name.clone(),
                operation: recoding.operation(),
                values: attribute.domain.known(),
                labels: recoding.labels_of(attribute.domain.known()).len(),
                top: recoding.is_top(),
            }
        };
        pairs.map(report).collect()
    }
}

fn qid(finding: &cutline_verify::Finding) -> QidReport {
    QidReport {
        attributes: finding.attributes.clone(),
        k: finding.k,
        anonymity: finding.anonymity,
        groups: finding.groups,
        sizes: finding.sizes.clone(),
        risk: Some(finding.risk()),
        confidences: finding.confidences.iter().map(|told| (told.attribute.clone(), told.highest_confidence)).collect(),
    }
}

fn redundant(redundant: &cutline_model::Redundant) -> RedundantReport {
    RedundantReport {
        attributes: redundant.qid.attributes.clone(),
        k: redundant.qid.k,
        implied_by: redundant.implied_by.attributes.clone(),
    }
}

impl Report {
    /// The text of `report.json`.
    pub fn to_json(&self) -> String {
        // Plain data with string keys: writing it cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}
