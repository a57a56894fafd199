//! The flags of the purpose clustering.

use std::str::FromStr;

use clap::{Args, ValueEnum};
use cutline::Error;
use cutline::model::{Qid, RequirementError};
use cutline::spec::{Choice, ClusteringKind, ClusteringSpec, MaskedNames, Spec};

use crate::names;

/// Publishing for cluster analysis.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Clusters")]
pub(crate) struct ClusterArgs {
    /// The purpose is clustering, into so many clusters (several to compare: 2,6,10)
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub(crate) clusters: Vec<u32>,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    /// What the recipient makes of masked names [default: leaves]
    #[arg(long, value_enum)]
    pub(crate) masked_names: Option<MaskedNamesArg>,
    /// Repeat clustering and masking, and keep what agrees best: raw clusters from other starts that are as good, searches without a
    /// look at the clusters, attributes left fully masked. Takes seconds to minutes
    #[arg(long)]
    pub(crate) tune: bool,
    /// Publish the raw cluster of each record in a column of its own
    #[arg(long)]
    pub(crate) publish_labels: bool,
    /// The name of that column [default: cluster]
    #[arg(long, value_name = "NAME")]
    pub(crate) label_name: Option<String>,
    /// Of several combinations, publish this one
    #[arg(long, value_name = "clusters=N,k=K", value_parser = choice)]
    pub(crate) choose: Option<Choice>,
}

/// The clusters of two tables.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Clusters")]
pub(crate) struct CompareArgs {
    /// Compare so many clusters of the raw table with as many of the masked one
    #[arg(long, value_name = "N")]
    pub(crate) clusters: Option<u32>,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
}

/// How records are clustered.
#[derive(Args, Debug, Default)]
pub(crate) struct MethodArgs {
    /// How the raw records are clustered [default: k-means]
    #[arg(long, value_enum)]
    pub(crate) clustering: Option<ClusteringArg>,
    /// How the recipient clusters [default: as the raw records]
    #[arg(long, value_enum)]
    pub(crate) recipient_clustering: Option<ClusteringArg>,
    /// Attributes that clusters are made of [default: all published ones] (several: a,b)
    #[arg(long, value_name = "NAMES")]
    pub(crate) cluster_on: Vec<String>,
    /// Attributes that clusters are not made of (several: a,b)
    #[arg(long, value_name = "NAMES")]
    pub(crate) not_cluster_on: Vec<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ClusteringArg {
    /// Basic k-means
    #[value(name = "k-means")]
    KMeans,
    /// Bisecting k-means
    Bisecting,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MaskedNamesArg {
    /// The values below them in the taxonomy, all equally probable
    Leaves,
    /// Values like others, for a recipient who has only the table
    Values,
}

impl ClusteringArg {
    pub(crate) fn kind(self) -> ClusteringKind {
        match self {
            ClusteringArg::KMeans => ClusteringKind::KMeans,
            ClusteringArg::Bisecting => ClusteringKind::Bisecting,
        }
    }
}

impl MethodArgs {
    pub(crate) fn spec(&self) -> ClusteringSpec {
        ClusteringSpec {
            algorithm: self.clustering.map(ClusteringArg::kind),
            recipient: self.recipient_clustering.map(ClusteringArg::kind),
            on: self.cluster_on.iter().flat_map(|names| names::list(names)).collect(),
            not_on: self.not_cluster_on.iter().flat_map(|names| names::list(names)).collect(),
            ..ClusteringSpec::default()
        }
    }
}

impl ClusterArgs {
    pub(crate) fn add_to(&self, spec: &mut Spec) {
        spec.purpose.clusters = self.clusters.clone();
        spec.purpose.clustering = self.method.spec();
        let clustering = &mut spec.purpose.clustering;
        clustering.masked_names = self.masked_names.map(|names| match names {
            MaskedNamesArg::Leaves => MaskedNames::Leaves,
            MaskedNamesArg::Values => MaskedNames::Values,
        });
        clustering.tune = self.tune.then_some(true);
        clustering.publish_labels = self.publish_labels.then_some(true);
        clustering.label_name = self.label_name.clone();
        clustering.choose = self.choose;
    }
}

/// A QID with its k, or with several to compare: `age,sex:10`, `age,sex:5,20,100`, `age,sex:5..100`.
#[derive(Clone, Debug)]
pub(crate) struct QidArg {
    pub(crate) qid: Qid,
    thresholds: Vec<u64>,
}

impl From<Qid> for QidArg {
    fn from(qid: Qid) -> Self {
        QidArg { qid, thresholds: Vec::new() }
    }
}

impl FromStr for QidArg {
    type Err = RequirementError;

    fn from_str(text: &str) -> Result<Self, RequirementError> {
        let split = text.rsplit_once(':').and_then(|(names, ks)| Some((names, thresholds(ks)?)));
        match split {
            Some((names, thresholds)) => Ok(QidArg { qid: format!("{names}:{}", thresholds[0]).parse()?, thresholds }),
            None => text.parse::<Qid>().map(QidArg::from),
        }
    }
}

/// `5,20,100`, or `5..100`, which doubles from the first to the last.
fn thresholds(text: &str) -> Option<Vec<u64>> {
    if let Some((low, high)) = text.split_once("..") {
        let (low, high): (u64, u64) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        let doubled = std::iter::successors(Some(low), |k| k.checked_mul(2)).take_while(|&k| k < high);
        return (0 < low && low < high).then(|| doubled.chain([high]).collect());
    }
    let list: Option<Vec<u64>> = text.split(',').map(|k| k.trim().parse().ok()).collect();
    list.filter(|list| list.len() > 1)
}

/// The thresholds to compare. They take the place of every k, so all QIDs must say the same.
pub(crate) fn compared(qids: &[QidArg]) -> Result<Vec<u64>, Error> {
    let first = qids.first().map(|qid| &qid.thresholds[..]).unwrap_or_default();
    if qids.iter().all(|qid| qid.thresholds == first) {
        return Ok(first.to_vec());
    }
    Err(Error::Contradiction {
        what: "the QIDs are to be compared with different thresholds".to_owned(),
        hint: "give every QID the same list, as in --qid age,sex:5..100 --qid zip:5..100".to_owned(),
    })
}

/// `clusters=6,k=20`, or one of the two.
fn choice(text: &str) -> Result<Choice, String> {
    let wrong = || "write it as clusters=6,k=20".to_owned();
    let mut choice = Choice { clusters: None, k: None };
    for part in text.split(',') {
        match part.split_once('=').map(|(name, number)| (name.trim(), number.trim())) {
            Some(("clusters", number)) => choice.clusters = Some(number.parse().map_err(|_| wrong())?),
            Some(("k", number)) => choice.k = Some(number.parse().map_err(|_| wrong())?),
            _ => return Err(wrong()),
        }
    }
    Ok(choice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qid_has_one_threshold_or_several() {
        let ks = |text: &str| text.parse::<QidArg>().map(|qid| (qid.qid.k, qid.thresholds)).ok();
        assert_eq!(ks("a,b:10"), Some((10, vec![])));
        assert_eq!(ks("a,b:5,20,100"), Some((5, vec![5, 20, 100])));
        assert_eq!(ks("a,b:5..100"), Some((5, vec![5, 10, 20, 40, 80, 100])));
        for bad in ["a,b", "a,b:", "a:5..", "a:100..5", "a:5,x", "a:0..4"] {
            assert_eq!(ks(bad), None, "{bad}");
        }
    }

    #[test]
    fn all_qids_are_compared_alike() {
        let qids = |texts: &[&str]| -> Vec<QidArg> { texts.iter().map(|text| text.parse().unwrap()).collect() };
        assert_eq!(compared(&qids(&["a:2,3", "b:2,3"])).unwrap(), [2, 3]);
        assert!(compared(&qids(&["a:2,3", "b:2"])).is_err());
        assert_eq!(compared(&qids(&["a:2", "b:3"])).unwrap(), [0; 0]);
    }

    #[test]
    fn a_choice_says_clusters_or_k() {
        assert_eq!(choice("clusters=6, k=20"), Ok(Choice { clusters: Some(6), k: Some(20) }));
        assert!(choice("6,20").is_err());
    }
}
