//! Clusters that the published table must still show.

use std::str::FromStr;

use cutline_measure::cluster::{ClusteringKind, EncodeNames, MaskedNames};
use cutline_settings::{Reach, Setting, Shape, Wrong};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{PurposeSpec, names};

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
    /// Where names lie; by their taxonomies unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encode_names: Option<EncodeNames>,
    /// What the recipient makes of masked names; their leaves unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub masked_names: Option<MaskedNames>,
    /// The attributes that clusters are made of; all published ones unless said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<String>,
    /// Attributes that clusters are not made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_on: Vec<String>,
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
    pub choose: Option<ChosenClusters>,
}

/// One of several combinations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChosenClusters {
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
}

/// How many clusters: the purpose itself.
pub(super) const CLUSTERS: &[Setting<PurposeSpec>] = &[Setting {
    name: "clusters",
    key: "clusters",
    shape: Shape::Wholes,
    help: "The purpose is clustering, into so many clusters (several to compare: 2,6,10)",
    doc: "The records are clustered, the table is masked so that the clusters stay apart, clustered again as a recipient would, and both \
          are compared. Said beside a spec, it is the purpose, whatever the spec says of another one.",
    example: "6",
    clear: |purpose| {
        let clustering = std::mem::take(&mut purpose.clustering);
        *purpose = PurposeSpec { clustering, ..PurposeSpec::default() };
    },
    set: |purpose, value| value.wholes(&mut purpose.clusters),
    ..Setting::BLANK
}];

/// How records are clustered, and what is done with the clusters.
pub(super) const SETTINGS: &[Setting<ClusteringSpec>] = &[
    Setting {
        name: "clustering",
        key: "algorithm",
        shape: Shape::Choice(ClusteringKind::CHOICES),
        placeholder: "ALGORITHM",
        default: "k-means",
        help: "How the raw records are clustered",
        doc: "Numbers are scaled to 0 to 1; where names lie says ‹encode-names›.",
        example: "bisecting",
        set: |clustering, value| value.put(&mut clustering.algorithm),
        ..Setting::BLANK
    },
    Setting {
        name: "recipient-clustering",
        key: "recipient",
        shape: Shape::Choice(ClusteringKind::CHOICES),
        placeholder: "ALGORITHM",
        default: "as the raw records",
        help: "How the recipient clusters",
        doc: "For the comparison of the clusters before and after masking.",
        example: "bisecting",
        set: |clustering, value| value.put(&mut clustering.recipient),
        ..Setting::BLANK
    },
    Setting {
        name: "cluster-on",
        key: "on",
        shape: Shape::Names,
        default: "all published ones",
        help: "Attributes that clusters are made of (several: a,b)",
        doc: "Not together with ‹not-cluster-on›.",
        example: "age,income",
        set: |clustering, value| {
            clustering.on = names(value)?;
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "not-cluster-on",
        key: "not_on",
        shape: Shape::Names,
        help: "Attributes that clusters are not made of (several: a,b)",
        doc: "Not together with ‹cluster-on›.",
        example: "remarks",
        set: |clustering, value| {
            clustering.not_on = names(value)?;
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "encode-names",
        key: "encode_names",
        shape: Shape::Choice(EncodeNames::CHOICES),
        placeholder: "HOW",
        default: "taxonomy",
        help: "Where names lie when records are clustered",
        doc: "By the place in its taxonomy a name becomes a number: leaves that are neighbours lie close, and a masked name lies in the middle \
              of its leaves, as an interval does. A taxonomy whose leaves stand in no meaningful order is better left to one-hot.",
        example: "one-hot",
        set: |clustering, value| value.put(&mut clustering.encode_names),
        ..Setting::BLANK
    },
    Setting {
        name: "masked-names",
        key: "masked_names",
        shape: Shape::Choice(MaskedNames::CHOICES),
        placeholder: "HOW",
        default: "leaves",
        help: "What the recipient makes of masked names",
        doc: "A recipient who has the taxonomies can do more with a masked name than compare it.",
        example: "values",
        set: |clustering, value| value.put(&mut clustering.masked_names),
        ..Setting::BLANK
    },
    Setting {
        name: "publish-labels",
        key: "publish_labels",
        shape: Shape::Flag,
        default: "not said",
        help: "Publish the raw cluster of each record in a column of its own",
        doc: "The labels are made from raw values: publish them only if they are what the table is for.",
        set: |clustering, value| value.flag(&mut clustering.publish_labels),
        ..Setting::BLANK
    },
    Setting {
        name: "label-name",
        key: "label_name",
        shape: Shape::Text,
        placeholder: "NAME",
        default: "cluster",
        help: "The name of that column",
        doc: "Only together with ‹publish-labels›.",
        example: "segment",
        set: |clustering, value| value.put(&mut clustering.label_name),
        ..Setting::BLANK
    },
    Setting {
        name: "choose",
        key: "choose",
        shape: Shape::Text,
        placeholder: "clusters=N,k=K",
        help: "Of several combinations, publish this one",
        doc: "Of what has one number only, nothing need be said. In a spec: `choose = { clusters = 6, k = 20 }`.",
        example: "clusters=6,k=20",
        set: |clustering, value| {
            clustering.choose = Some(value.entries('=')?.join(",").parse()?);
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "thresholds",
        key: "thresholds",
        shape: Shape::Wholes,
        help: "Thresholds to compare, each in place of every k of the requirement",
        doc: "Elsewhere they are said with the QIDs, as in ‹qid age,sex:5..100›.",
        example: "5,20,100",
        reach: Reach::Spec,
        set: |clustering, value| value.wholes(&mut clustering.thresholds),
        ..Setting::BLANK
    },
];

impl FromStr for ChosenClusters {
    type Err = Wrong;

    /// `clusters=6,k=20`, or one of the two.
    fn from_str(text: &str) -> Result<Self, Wrong> {
        let wrong = || Wrong::new("write it as clusters=6,k=20");
        let mut choice = ChosenClusters { clusters: None, k: None };
        for part in text.split(',') {
            match part.split_once('=').map(|(name, number)| (name.trim(), number.trim())) {
                Some(("clusters", number)) => choice.clusters = Some(number.parse().map_err(|_| wrong())?),
                Some(("k", number)) => choice.k = Some(number.parse().map_err(|_| wrong())?),
                _ => return Err(wrong()),
            }
        }
        Ok(choice)
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
    use super::*;
    use crate::spec::Spec;

    #[test]
    fn a_choice_says_clusters_or_k() {
        assert_eq!("clusters=6, k=20".parse(), Ok(ChosenClusters { clusters: Some(6), k: Some(20) }));
        assert!("6,20".parse::<ChosenClusters>().is_err());
    }

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
