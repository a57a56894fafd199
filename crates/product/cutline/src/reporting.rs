//! Fills the reports of a release in: `cutline-report` shows them.

use cutline_engine::Format;
use cutline_model::recoding::SuppressHow;
use cutline_model::{AttributeRecoding, Recoding};
use cutline_report::{AttributeReport, PRIVATE_NOTICE, PublicSpec, Report, Screened, Seconds};
use cutline_verify::Verdict;

use crate::columns::Columns;
use crate::find::Found;
use crate::job::Job;

/// Everything the full report is made of.
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
            format: Report::FORMAT,
            notice: PRIVATE_NOTICE,
            version: env!("CARGO_PKG_VERSION"),
            // Only a seed beyond what TOML can say makes it fail.
            arguments: toml::Table::try_from(job.arguments.told()).unwrap_or_default(),
            purpose: job.purpose.to_string(),
            algorithm: job.searched_by(),
            records: verdict.records,
            dropped: self.dropped,
            suppressed: found.suppressed.records,
            suppressed_how: self.how,
            distinct: found.table.rows() as u64,
            qids: verdict.findings.iter().map(Into::into).collect(),
            union_risk: verdict.union.as_ref().map(|union| union.risk.clone()),
            redundant: job.requirement.redundant().iter().map(Into::into).collect(),
            attributes: self.attributes(),
            why: Vec::new(),
            what_if: None,
            steps: found.outcome.steps.len(),
            stopped: found.outcome.stopped,
            metrics: found.losses.clone(),
            clusters: None,
            evaluation: None,
            series: None,
            screened: Screened::default(),
            seconds,
        }
    }

    fn attributes(&self) -> Vec<AttributeReport> {
        let shown = self.recoding.labels();
        let pairs = self.recoding.attributes.iter().zip(&self.found.table.attributes).zip(shown);
        let local = self.recoding.regions.is_some();
        type Pair<'a> = ((&'a String, &'a AttributeRecoding), &'a cutline_table::Attribute);
        let report = |(((name, recoding), attribute), shown): (Pair<'_>, Vec<String>)| {
            let values = attribute.domain.known();
            AttributeReport {
                name: name.clone(),
                operation: recoding.operation(),
                values,
                labels: if local { shown.len() } else { recoding.labels_of(values).len() },
                top: recoding.is_top(),
                whole: is_whole(attribute.domain.as_numbers()),
            }
        };
        pairs.map(report).collect()
    }
}

/// Are these numbers, and all of them whole?
fn is_whole(numbers: &[f64]) -> bool {
    !numbers.is_empty() && numbers.iter().all(|number| number.fract() == 0.0)
}

/// Those settings of a job that a recipient may know. A new setting is private until somebody puts it here.
pub(crate) fn public_spec(job: &Job, columns: &Columns, format: Format) -> PublicSpec {
    PublicSpec {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        purpose: job.purpose.to_string(),
        algorithm: job.publicly_searched_by(),
        format: format.extension().to_owned(),
        redundant: job.requirement.redundant().iter().map(Into::into).collect(),
        columns: columns.roles(),
        person: job.person.clone(),
        cluster_column: job.clustering.as_ref().and_then(|clustering| clustering.label_name.clone()),
    }
}
