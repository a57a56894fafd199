//! What the report says.

mod html;

use cutline_model::Recoding;
use cutline_search::{Outcome, Stopped};
use cutline_table::CompressedTable;
use cutline_verify::Verdict;
use serde::Serialize;

use crate::job::Job;
use crate::spec::Spec;

pub(crate) use html::html;

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
    /// Records whose quasi values are all suppressed.
    pub suppressed: u64,
    /// Distinct (quasi values, label) combinations before masking.
    pub distinct: u64,
    /// What held in the written table.
    pub qids: Vec<QidReport>,
    /// QIDs that were given, but follow from others.
    pub redundant: Vec<RedundantReport>,
    /// What became of each quasi attribute.
    pub attributes: Vec<AttributeReport>,
    /// Steps of the search.
    pub steps: usize,
    /// Why the search ended.
    pub stopped: Stopped,
    /// What the masking cost.
    pub metrics: Metrics,
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

/// What the masking cost, by QID.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Metrics {
    /// Records per group.
    pub average_group_size: Vec<f64>,
    /// Σ a(qid)²: each record is charged the size of its group.
    pub discernibility: Vec<f64>,
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
}

/// Everything a report is made of.
pub(crate) struct Facts<'a> {
    pub(crate) job: &'a Job,
    pub(crate) table: &'a CompressedTable,
    pub(crate) outcome: &'a Outcome,
    pub(crate) recoding: &'a Recoding,
    pub(crate) verdict: &'a Verdict,
    pub(crate) dropped: u64,
}

impl Facts<'_> {
    pub(crate) fn report(&self, seconds: Seconds) -> Report {
        let Facts { job, table, outcome, verdict, .. } = self;
        Report {
            format: "cutline-report/1",
            version: env!("CARGO_PKG_VERSION"),
            arguments: job.spec.clone(),
            purpose: job.purpose.to_string(),
            algorithm: job.algorithm.to_string(),
            records: verdict.records,
            dropped: self.dropped,
            suppressed: 0,
            distinct: table.rows() as u64,
            qids: verdict.findings.iter().map(qid).collect(),
            redundant: job.requirement.redundant().iter().map(redundant).collect(),
            attributes: self.attributes(),
            steps: outcome.steps.len(),
            stopped: outcome.stopped,
            metrics: metrics(verdict),
            seconds,
        }
    }

    fn attributes(&self) -> Vec<AttributeReport> {
        let pairs = self.recoding.attributes.iter().zip(&self.table.attributes);
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
    }
}

fn redundant(redundant: &cutline_model::Redundant) -> RedundantReport {
    RedundantReport {
        attributes: redundant.qid.attributes.clone(),
        k: redundant.qid.k,
        implied_by: redundant.implied_by.attributes.clone(),
    }
}

fn metrics(verdict: &Verdict) -> Metrics {
    let average = |finding: &cutline_verify::Finding| verdict.records as f64 / finding.groups.max(1) as f64;
    let discernibility = |finding: &cutline_verify::Finding| {
        finding.sizes.iter().map(|&(size, groups)| (size as f64).powi(2) * groups as f64).sum()
    };
    Metrics {
        average_group_size: verdict.findings.iter().map(average).collect(),
        discernibility: verdict.findings.iter().map(discernibility).collect(),
    }
}

impl Report {
    /// The text of `report.json`.
    pub fn to_json(&self) -> String {
        // Plain data with string keys: writing it cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}
