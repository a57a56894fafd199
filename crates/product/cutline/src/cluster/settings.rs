//! What was asked for, checked.

use cutline_model::Purpose;

use super::Comparison;
use crate::Error;
use crate::job::Job;
use crate::spec::{ChosenClusters, ClusteringKind, ClusteringSpec, EncodeNames, MaskedNames, PurposeKind, Spec};

/// The name of the published labels, unless another one is said.
const LABEL_NAME: &str = "cluster";

/// What is wrong with 0 and 1.
pub const TOO_FEW_CLUSTERS: &str = "fewer than two clusters tell no records apart";

/// A purpose clustering that makes sense.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clustering {
    /// Numbers of clusters; more than one are compared.
    pub(crate) counts: Vec<u32>,
    /// Thresholds to compare; without any, the requirement is taken as it is.
    pub(crate) thresholds: Vec<u64>,
    /// How the raw records are clustered.
    pub(crate) raw: ClusteringKind,
    /// How the recipient clusters.
    pub(crate) recipient: ClusteringKind,
    /// Where names lie.
    pub(crate) encode: EncodeNames,
    /// What the recipient makes of masked names.
    pub(crate) names: MaskedNames,
    pub(crate) seed: u64,
    /// Look for a recoding with better clusters than those of the first one?
    pub(crate) tune: bool,
    pub(crate) on: Vec<String>,
    pub(crate) not_on: Vec<String>,
    /// The name of the column of labels, if they are published.
    pub(crate) label_name: Option<String>,
    choose: Option<ChosenClusters>,
    /// What was compared before one combination was chosen, for the report.
    pub(crate) comparison: Option<Comparison>,
}

/// What decides which cluster a record is in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Labelling {
    counts: Vec<u32>,
    raw: ClusteringKind,
    encode: EncodeNames,
    seed: u64,
    tune: bool,
    on: Vec<String>,
    not_on: Vec<String>,
}

impl Clustering {
    /// What decides which cluster a record is in.
    pub(crate) fn labelling(&self) -> Labelling {
        let &Clustering { raw, encode, seed, tune, .. } = self;
        let (counts, on, not_on) = (self.counts.clone(), self.on.clone(), self.not_on.clone());
        Labelling { counts, raw, encode, seed, tune, on, not_on }
    }

    /// Nothing if the purpose is another one.
    pub(crate) fn new(spec: &Spec) -> Result<Option<Self>, Error> {
        let purpose = &spec.purpose;
        if purpose.clusters.is_empty() && purpose.kind != Some(PurposeKind::Clustering) {
            return no_settings(&purpose.clustering).map(|()| None);
        }
        check(spec)?;
        let said = purpose.clustering.clone();
        let raw = said.algorithm.unwrap_or_default();
        let publish = said.publish_labels == Some(true);
        let clustering = Clustering {
            counts: purpose.clusters.clone(),
            thresholds: said.thresholds,
            raw,
            recipient: said.recipient.unwrap_or(raw),
            encode: said.encode_names.unwrap_or_default(),
            names: said.masked_names.unwrap_or_default(),
            seed: spec.search.seed.unwrap_or_default(),
            tune: spec.search.tune == Some(true),
            on: said.on,
            not_on: said.not_on,
            label_name: publish.then(|| said.label_name.unwrap_or_else(|| LABEL_NAME.to_owned())),
            choose: said.choose,
            comparison: None,
        };
        clustering.chosen()?;
        Ok(Some(clustering))
    }

    /// The purpose; of several numbers of clusters the first one, until one is chosen.
    pub(crate) fn purpose(&self) -> Purpose {
        Purpose::Clustering { clusters: self.counts.first().copied().unwrap_or_default() }
    }

    /// Is there more than one combination?
    pub(crate) fn compares(&self) -> bool {
        self.counts.len() > 1 || self.thresholds.len() > 1
    }

    /// The combination to publish: the chosen one, or the only one.
    pub(crate) fn chosen(&self) -> Result<Option<(u32, Option<u64>)>, Error> {
        let Some(ChosenClusters { clusters, k }) = self.choose else {
            return Ok((!self.compares()).then(|| (self.counts[0], self.thresholds.first().copied())));
        };
        let clusters = pick("clusters", clusters, &self.counts)?;
        let k = if k.is_none() && self.thresholds.is_empty() { None } else { Some(pick("k", k, &self.thresholds)?) };
        Ok(Some((clusters, k)))
    }
}

/// The chosen one of several numbers.
fn pick<N: Copy + PartialEq + std::fmt::Display>(what: &str, chosen: Option<N>, numbers: &[N]) -> Result<N, Error> {
    let only = (numbers.len() == 1).then(|| numbers[0]);
    chosen.or(only).filter(|chosen| numbers.contains(chosen)).ok_or_else(|| Error::Contradiction {
        what: format!("the choice does not say which {what}, or says one that is not compared"),
        hint: format!(
            "write ‹choose clusters=6,k=20› with numbers that are compared; {what}: {}",
            numbers.iter().map(N::to_string).collect::<Vec<_>>().join(", ")
        ),
    })
}

pub(super) fn contradiction<T>(what: impl Into<String>, hint: &str) -> Result<T, Error> {
    Err(Error::Contradiction { what: what.into(), hint: hint.to_owned() })
}

/// Settings of clustering without clusters are a slip.
fn no_settings(said: &ClusteringSpec) -> Result<(), Error> {
    if *said == ClusteringSpec::default() {
        return Ok(());
    }
    let what = if said.thresholds.is_empty() {
        "there are settings of clustering, but the purpose is another one"
    } else {
        "several thresholds can be compared only for clusters"
    };
    contradiction(what, "say how many clusters the table must still show, as in ‹clusters 6›")
}

fn check(spec: &Spec) -> Result<(), Error> {
    let purpose = &spec.purpose;
    if let Some(target) = &purpose.target {
        return contradiction(
            format!("the purpose is clustering, yet there is a target `{target}`"),
            "leave out ‹target› or ‹clusters›: a table is made for one purpose",
        );
    }
    if purpose.kind.is_some_and(|kind| kind != PurposeKind::Clustering) {
        return contradiction(
            "there are clusters, but the purpose is another one",
            "leave out ‹purpose› or ‹clusters›",
        );
    }
    match purpose.clusters.iter().find(|&&clusters| clusters < 2) {
        None if purpose.clusters.is_empty() => Err(Error::NotSaid {
            what: "the purpose clustering needs a number of clusters".to_owned(),
            hint: "say how many there are, as in ‹clusters 6›",
        }),
        None => Ok(()),
        Some(_) => contradiction(TOO_FEW_CLUSTERS, "use ‹clusters 2› or more"),
    }?;
    let said = &purpose.clustering;
    if said.thresholds.contains(&0) {
        return contradiction("a threshold of 0 asks for nothing", "compare thresholds of 2 or more");
    }
    if said.label_name.is_some() && said.publish_labels != Some(true) {
        return contradiction("the labels have a name, but are not published", "add ‹publish-labels›");
    }
    if !said.on.is_empty() && !said.not_on.is_empty() {
        return contradiction(
            "it is said which attributes clusters are made of, and also which not",
            "use ‹cluster-on› or ‹not-cluster-on›, not both",
        );
    }
    Ok(())
}

/// More clusters than records.
pub fn too_few(records: u64, clusters: u32) -> Error {
    Error::Contradiction {
        what: format!("the table has {records} records, fewer than {clusters} clusters"),
        hint: "ask for fewer clusters with ‹clusters›".to_owned(),
    }
}

impl Job {
    /// Are several numbers of clusters or thresholds to be compared before one is published?
    pub fn compares(&self) -> bool {
        self.clustering.as_ref().is_some_and(Clustering::compares)
    }

    /// The job of the chosen combination, if one is chosen. Its report shows what was compared.
    pub fn chosen(&self, comparison: Comparison) -> Result<Option<Job>, Error> {
        let Some((clusters, k)) = self.choice()? else { return Ok(None) };
        let mut job = self.with(clusters, k)?;
        if let Some(clustering) = &mut job.clustering {
            clustering.comparison = Some(comparison);
        }
        Ok(Some(job))
    }

    /// The combination to publish.
    pub(super) fn choice(&self) -> Result<Option<(u32, Option<u64>)>, Error> {
        Ok(self.clustering.as_ref().map(Clustering::chosen).transpose()?.flatten())
    }

    /// A job for each number of clusters, and what its version is called.
    ///
    /// # Errors
    /// If there are no clusters, or something else is to be compared or tuned.
    pub fn versions(&self) -> Result<Vec<(String, Job)>, Error> {
        let clustering = self.clustering.as_ref().ok_or(Error::NotSaid {
            what: "nothing is said of which there could be several versions".to_owned(),
            hint: "say several numbers of clusters, as in ‹clusters 2,6,10›",
        })?;
        if clustering.tune || !clustering.thresholds.is_empty() {
            return contradiction(
                "versions that are published together have one k, and are not tuned",
                "take back ‹tune›, and say one k",
            );
        }
        let version = |&clusters: &u32| Ok((format!("clusters-{clusters}"), self.with(clusters, None)?));
        clustering.counts.iter().map(version).collect()
    }

    /// This job with one number of clusters and one threshold.
    pub(super) fn with(&self, clusters: u32, k: Option<u64>) -> Result<Job, Error> {
        let mut job = self.clone();
        job.purpose = Purpose::Clustering { clusters };
        job.arguments.choose(clusters, k);
        if let Some(k) = k {
            job.requirement = job.requirement.with_k(k)?;
        }
        if let Some(clustering) = &mut job.clustering {
            *clustering =
                Clustering { counts: vec![clusters], thresholds: Vec::new(), choose: None, ..clustering.clone() };
        }
        Ok(job)
    }
}
