//! The clusters of a release before and after masking, as data.

use cutline_measure::cluster::{ClusteringKind, Contingency, EncodeNames, MaskedNames};
use cutline_model::Kind;
use serde::Serialize;

/// The `clusters` entry of `report.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClusterReport {
    /// The number of clusters.
    pub clusters: u32,
    /// How the raw records were clustered.
    pub algorithm: ClusteringKind,
    /// How the published records were clustered.
    pub recipient: ClusteringKind,
    /// Where names lie.
    pub encode_names: EncodeNames,
    /// What the recipient was taken to make of masked names.
    pub masked_names: MaskedNames,
    /// Records that were compared: all, or a sample of a long table.
    pub compared: u64,
    /// All records.
    pub records: u64,
    /// The attributes that clusters are made of, those that tell most about the cluster first.
    pub attributes: Vec<AttributeGain>,
    /// Which of the two maskings is published: the one with the higher F-measure.
    pub published: ClusterMasking,
    /// The clusters of records that are masked for these clusters against those of the raw ones.
    pub guided: Agreement,
    /// The same for a masking that knows nothing of clusters.
    pub blind: Agreement,
    /// How much better the former is.
    pub benefit: Benefit,
    /// The clusters that the recipient would find in the raw records, from another start or by another algorithm: so much of a
    /// difference is not due to masking.
    pub raw: Agreement,
    /// What was compared before this combination was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// What tuning did, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tuned: Option<Tuned>,
    /// The name of the published column of labels, if they are published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_name: Option<String>,
    /// Where the time went.
    pub seconds: ClusterSeconds,
}

/// What guided a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ClusterMasking {
    /// The clusters.
    #[default]
    Guided,
    /// Nothing: it knows of no clusters.
    Blind,
}

impl ClusterReport {
    /// The clusters of the published records against those of the raw ones.
    pub fn kept(&self) -> &Agreement {
        match self.published {
            ClusterMasking::Guided => &self.guided,
            ClusterMasking::Blind => &self.blind,
        }
    }
}

/// Recodings and clusters that were tried, and those that were kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuned {
    /// How many recodings were tried.
    pub tried: usize,
    /// How many equally good ways to cluster the raw records there were to choose from.
    pub structures: usize,
    /// By which share the sum of squares of the chosen one is above the least.
    pub above_least: f64,
    /// Did the search that was best know nothing of clusters?
    pub blind: bool,
    /// Attributes that were left fully masked.
    pub left: Vec<String>,
}

/// How much an attribute tells about the cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttributeGain {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// InfoGain in bits: of all its values, or of the best split of a continuous one.
    pub gain: f64,
}

/// How alike two clusterings of the same records are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// The overall F-measure (the paper's equation 9).
    pub f_measure: f64,
    /// The match point (equation 10).
    pub match_point: f64,
    /// What it cost: one less the F-measure.
    pub cost: f64,
    /// The records in each pair of clusters.
    pub contingency: Contingency,
}

impl Agreement {
    /// The figures of a comparison.
    pub fn new(contingency: Contingency) -> Self {
        let f_measure = contingency.overall_f_measure();
        Agreement { f_measure, match_point: contingency.match_point(), cost: 1.0 - f_measure, contingency }
    }
}

/// Guided masking over blind masking, less one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Benefit {
    /// In the overall F-measure.
    pub f_measure: f64,
    /// In the match point.
    pub match_point: f64,
}

impl Benefit {
    /// How much better the first is than the second.
    pub fn new(guided: AgreementFigures, blind: AgreementFigures) -> Self {
        // A clustering always agrees somewhat with another one, so neither figure is 0.
        Benefit {
            f_measure: guided.f_measure / blind.f_measure - 1.0,
            match_point: guided.match_point / blind.match_point - 1.0,
        }
    }
}

/// Where the time went, beside the passes that every release makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ClusterSeconds {
    /// Drawing records and finding their clusters.
    pub label: f64,
    /// Trying recodings and clusters.
    #[serde(skip_serializing_if = "is_zero")]
    pub tune: f64,
    /// Clustering the masked records and comparing.
    pub evaluate: f64,
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

/// Several numbers of clusters and thresholds, `comparison.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Which file this is.
    pub format: &'static str,
    /// How the raw records were clustered.
    pub algorithm: ClusteringKind,
    /// How the masked records were clustered.
    pub recipient: ClusteringKind,
    /// What the recipient was taken to make of masked names.
    pub masked_names: MaskedNames,
    /// The search algorithm.
    pub search: String,
    /// The attributes that are masked.
    pub masked: Vec<String>,
    /// Records that were compared.
    pub compared: u64,
    /// All records.
    pub records: u64,
    /// One for each number of clusters and threshold.
    pub rows: Vec<ComparisonRow>,
}

/// One combination.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparisonRow {
    /// The number of clusters.
    pub clusters: u32,
    /// What tuning did, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tuned: Option<Tuned>,
    /// The threshold; nothing if the requirement is taken as it is.
    pub k: Option<u64>,
    /// Guided by the clusters.
    pub guided: AgreementFigures,
    /// Blind to them.
    pub blind: AgreementFigures,
    /// The gain.
    pub benefit: Benefit,
    /// What the recipient would find in the raw records.
    pub raw: AgreementFigures,
}

/// Two figures of an [`Agreement`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AgreementFigures {
    /// The overall F-measure.
    pub f_measure: f64,
    /// The match point.
    pub match_point: f64,
}

impl From<&Agreement> for AgreementFigures {
    fn from(agreement: &Agreement) -> Self {
        AgreementFigures { f_measure: agreement.f_measure, match_point: agreement.match_point }
    }
}

impl Comparison {
    /// The averages over all thresholds, for each number of clusters (the paper's figures 3 and 4).
    pub fn averages(&self) -> Vec<ComparisonRow> {
        let mut counts: Vec<u32> = self.rows.iter().map(|row| row.clusters).collect();
        counts.dedup();
        let average = |clusters: u32| {
            let rows: Vec<&ComparisonRow> = self.rows.iter().filter(|row| row.clusters == clusters).collect();
            let mean = |figures: &dyn Fn(&ComparisonRow) -> AgreementFigures| {
                let sum = |figure: fn(AgreementFigures) -> f64| {
                    rows.iter().map(|row| figure(figures(row))).sum::<f64>() / rows.len().max(1) as f64
                };
                AgreementFigures {
                    f_measure: sum(|figures| figures.f_measure),
                    match_point: sum(|figures| figures.match_point),
                }
            };
            let (guided, blind, raw) = (mean(&|row| row.guided), mean(&|row| row.blind), mean(&|row| row.raw));
            ComparisonRow { clusters, tuned: None, k: None, guided, blind, benefit: Benefit::new(guided, blind), raw }
        };
        counts.into_iter().map(average).collect()
    }

    /// The text of `comparison.json`.
    pub fn to_json(&self) -> String {
        crate::json(self)
    }
}

/// Are the clusters of one table also those of the other one?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableComparison {
    /// The number of clusters.
    pub clusters: u32,
    /// How the raw table was clustered.
    pub algorithm: ClusteringKind,
    /// How the masked table was clustered.
    pub recipient: ClusteringKind,
    /// The attributes that clusters are made of.
    pub attributes: Vec<String>,
    /// Records that were compared: all, or a sample of long tables.
    pub compared: u64,
    /// All records.
    pub records: u64,
    /// Raw records left out because a value is missing.
    pub dropped: u64,
    /// The clusters of the masked table against those of the raw one.
    pub masked: Agreement,
    /// The clusters that the recipient's algorithm finds in the raw table, from another start.
    pub raw: Agreement,
}
