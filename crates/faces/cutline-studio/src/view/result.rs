//! A result: does the requirement hold, where is the line, and what does it cost?

use cutline::measure::loss::Losses;
use cutline::report::ClusterReport;
use cutline::search::{Step, Stopped};
use cutline::{Draft, Error, Preview};
use serde::Serialize;

use super::attribute::AttributeView;
use super::groups::{QidView, Sizes};
use crate::fault::said;

/// Steps that are listed; a search by values may have thousands.
const MOST_STEPS: usize = 2_000;

/// What a search found.
#[derive(Serialize)]
pub(crate) struct ResultView {
    records: u64,
    /// Records left out because a value is missing.
    dropped: u64,
    suppressed: u64,
    suppressed_how: &'static str,
    /// The most that may be suppressed.
    limit: u64,
    /// Distinct combinations that were searched.
    distinct: usize,
    /// The search that ran.
    searched_by: String,
    stopped: Stopped,
    qids: Vec<QidView>,
    attributes: Vec<AttributeView>,
    losses: LossView,
    clusters: Option<ClustersView>,
    steps: Vec<Step>,
    all_steps: usize,
    rows: RowsView,
    notes: Vec<String>,
}

/// What it costs, by formula.
#[derive(Serialize)]
pub(crate) struct LossView {
    /// LM on average over the attributes, from 0 to 1.
    general: f64,
    /// The share of the attributes' information that is lost.
    entropy: f64,
    /// The share of records that are not of their group's majority class, or of a number's dispersion that is within groups.
    error: Option<f64>,
    error_is: Option<&'static str>,
}

/// What is left of the clusters of the raw records, where they are the purpose.
#[derive(Serialize)]
struct ClustersView {
    clusters: u32,
    /// The F-measure of the masked records' clusters.
    kept: f64,
    /// That of a masking that knows nothing of clusters.
    blind: f64,
}

impl ClustersView {
    fn new(report: &ClusterReport) -> Self {
        let (kept, blind) = (report.kept().f_measure, report.blind.f_measure);
        ClustersView { clusters: report.clusters, kept, blind }
    }
}

/// Some records, raw and masked.
#[derive(Serialize)]
struct RowsView {
    attributes: Vec<String>,
    rows: Vec<RowView>,
}

#[derive(Serialize)]
struct RowView {
    raw: Vec<Option<String>>,
    masked: Option<Vec<Option<String>>>,
}

impl ResultView {
    pub(crate) fn new(draft: &Draft, before: &[Sizes], preview: Preview, notes: Vec<String>) -> Result<Self, Error> {
        let (suppressed, how) = draft.suppressed();
        let table = draft.compressed();
        let qids = draft.job().requirement().qids();
        let conditions = qids.iter().map(|qid| qid.conditions.iter().map(ToString::to_string).collect());
        let groups = draft.groups()?;
        let qids = groups
            .iter()
            .zip(conditions)
            .zip(before)
            .map(|((groups, conditions), before)| QidView::new(groups, conditions, before));
        let recoding: Vec<_> = draft.recoding().map(|(_, recoding)| recoding.clone()).collect();
        Ok(ResultView {
            records: table.records,
            dropped: draft.dropped(),
            suppressed,
            suppressed_how: match how {
                cutline::model::recoding::SuppressHow::Mask => "mask",
                cutline::model::recoding::SuppressHow::Drop => "drop",
            },
            limit: draft.suppression_limit(),
            distinct: table.rows(),
            searched_by: draft.job().searched_by(),
            stopped: draft.stopped(),
            qids: qids.collect(),
            attributes: AttributeView::all(table, &recoding, draft.losses()),
            losses: LossView::new(draft.losses()),
            clusters: draft.clusters().map(ClustersView::new),
            steps: draft.steps().iter().take(MOST_STEPS).cloned().collect(),
            all_steps: draft.steps().len(),
            rows: RowsView::new(preview),
            notes: notes.iter().map(|note| said(note)).collect(),
        })
    }
}

impl LossView {
    pub(crate) fn new(losses: &Losses) -> Self {
        let classes = losses.classification.map(|error| (error, "classes"));
        let error = classes.or(losses.regression_variance.map(|error| (error, "numbers")));
        LossView {
            general: losses.general / losses.attributes.len().max(1) as f64,
            entropy: losses.entropy,
            error: error.map(|(error, _)| error),
            error_is: error.map(|(_, what)| what),
        }
    }
}

impl RowsView {
    fn new(preview: Preview) -> Self {
        let row = |row: cutline::PreviewRow| RowView { raw: row.raw, masked: row.masked };
        RowsView { attributes: preview.attributes, rows: preview.rows.into_iter().map(row).collect() }
    }
}
