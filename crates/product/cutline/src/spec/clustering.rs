//! Clusters that the published table must still show.

use cutline_measure::cluster::{ClusteringKind, MaskedNames};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::set;

/// Settings of the purpose clustering. What is not said has a good default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusteringSpec {
    /// How the raw records are clustered; k-means unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<ClusteringKind>,
    /// How the recipient will cluster the published records; as the raw ones unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipient: Option<ClusteringKind>,
    /// What the recipient makes of masked names; their leaves unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub masked_names: Option<MaskedNames>,
    /// The attributes that clusters are made of; all published ones unless said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<String>,
    /// Attributes that clusters are not made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_on: Vec<String>,
    /// Are recodings tried that leave attributes fully masked, and the one with the best clusters kept?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tune: Option<bool>,
    /// Is the raw cluster of each record published?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publish_labels: Option<bool>,
    /// The name of the column for it; `cluster` unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_name: Option<String>,
    /// Thresholds to compare, each in place of every k of the requirement.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thresholds: Vec<u64>,
    /// Which one of several combinations is published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choose: Option<Choice>,
}

/// One of several combinations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The number of clusters; may be left out if there is only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clusters: Option<u32>,
    /// The threshold; may be left out if there is only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
}

impl ClusteringSpec {
    pub(super) fn is_empty(&self) -> bool {
        *self == ClusteringSpec::default()
    }

    /// Flags win.
    pub(super) fn overlay(&mut self, flags: ClusteringSpec) {
        set(&mut self.algorithm, flags.algorithm);
        set(&mut self.recipient, flags.recipient);
        set(&mut self.masked_names, flags.masked_names);
        set(&mut self.tune, flags.tune);
        set(&mut self.publish_labels, flags.publish_labels);
        set(&mut self.label_name, flags.label_name);
        set(&mut self.choose, flags.choose);
        for (list, flag) in [(&mut self.on, flags.on), (&mut self.not_on, flags.not_on)] {
            if !flag.is_empty() {
                *list = flag;
            }
        }
        if !flags.thresholds.is_empty() {
            self.thresholds = flags.thresholds;
        }
    }
}

/// `clusters = 6` or `clusters = [2, 6, 10]`.
pub(super) mod one_or_many {
    use super::*;

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(u32),
        Many(Vec<u32>),
    }

    pub(crate) fn serialize<S: Serializer>(numbers: &[u32], serializer: S) -> Result<S::Ok, S::Error> {
        match numbers {
            [one] => one.serialize(serializer),
            many => many.serialize(serializer),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
        Ok(match OneOrMany::deserialize(deserializer)? {
            OneOrMany::One(one) => vec![one],
            OneOrMany::Many(many) => many,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::spec::Spec;

    #[test]
    fn one_number_of_clusters_or_several() {
        let spec = |text: &str| toml::from_str::<Spec>(text).unwrap();
        let one = spec("[purpose]\nclusters = 6");
        assert_eq!(one.purpose.clusters, [6]);
        let many =
            spec("[purpose]\nclusters = [2, 6]\n[purpose.clustering]\nalgorithm = \"k-means\"\nchoose = { k = 5 }");
        assert_eq!(many.purpose.clusters, [2, 6]);
        for spec in [one, many] {
            assert_eq!(toml::from_str::<Spec>(&toml::to_string(&spec).unwrap()).unwrap(), spec);
        }
    }
}
