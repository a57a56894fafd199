//! What several releases tell together.

use serde::Serialize;

use crate::Report;

/// What several releases tell together of their persons, on one QID.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct JointQid {
    /// Its attributes.
    pub attributes: Vec<String>,
    /// Its threshold.
    pub k: u64,
    /// The fewest persons who share a trajectory: the same labels in the same releases.
    pub anonymity: u64,
    /// How many trajectories there are.
    pub trajectories: u64,
    /// Those that fewer than k persons share.
    pub too_small: u64,
    /// The persons of these.
    pub persons_in_those: u64,
}

impl JointQid {
    /// Does everybody share their trajectory with at least k?
    pub fn holds(&self) -> bool {
        self.too_small == 0
    }
}

/// True anonymity: what is left of that of each release alone when all of them are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TrueAnonymity {
    /// Everybody who is in some release.
    pub persons: u64,
    /// On each QID.
    pub qids: Vec<JointQid>,
}

impl TrueAnonymity {
    /// Does everybody share their trajectory with at least k, on every QID?
    pub fn holds(&self) -> bool {
        self.qids.iter().all(JointQid::holds)
    }
}

/// A release of a series.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OneOfSeries {
    /// Where it is; nothing for the one that the report is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Persons who are in it.
    pub persons: u64,
    /// Those of them who are in no release before.
    pub entered: u64,
    /// Persons of the release before who are not in it.
    pub left: u64,
    /// For each QID, the fewest persons who share their labels in this release alone.
    pub alone: Vec<u64>,
    /// For each QID, the fewest who share a trajectory in all releases up to this one.
    pub together: Vec<u64>,
}

/// The releases that a new one is made after, and what all of them tell together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SeriesReport {
    /// The releases in the order in which they appeared, the new one last.
    pub releases: Vec<OneOfSeries>,
    /// Records that are held back, because they would stand out however they are masked.
    pub held_back: u64,
    /// What all of them tell together.
    pub together: TrueAnonymity,
    /// What became of conditions, where it was looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<JointCondition>,
}

impl SeriesReport {
    /// Does everything hold that was counted?
    pub fn holds(&self) -> bool {
        self.together.holds() && self.conditions.iter().all(|condition| condition.broken == 0)
    }
}

/// A condition that one of several releases promised, in a release that tells the values: of those who share a trajectory up to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct JointCondition {
    /// The condition.
    pub condition: String,
    /// The attributes of the QID.
    pub attributes: Vec<String>,
    /// Where the release is.
    pub folder: String,
    /// How many trajectories there are.
    pub trajectories: u64,
    /// Those that break it.
    pub broken: u64,
}

/// A version of a table that was published with others.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedVersion {
    /// The name of its folder.
    pub name: String,
    /// What is known of it.
    pub report: Report,
    /// What the version is worth for its purpose.
    pub worth: Worth,
    /// For each QID, the smallest group if it were published alone.
    pub alone: Vec<u64>,
}

/// What a version keeps for its purpose, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// How that is measured: the F-measure of its clusters, or what a loss leaves.
    pub measure: &'static str,
    /// If it were published alone.
    pub alone: f64,
    /// Together with the others.
    pub together: f64,
}

impl Worth {
    /// The share that the others cost it, in percent.
    pub fn cost(&self) -> f64 {
        if self.alone > 0.0 { 100.0 * (1.0 - self.together / self.alone) } else { 0.0 }
    }
}

/// Versions of one table that were published together.
#[derive(Clone, Debug, PartialEq)]
pub struct Versions {
    /// In the order in which they were made: each after those before it.
    pub versions: Vec<PublishedVersion>,
    /// For each QID, the fewest persons who have the same labels in all versions.
    pub anonymity: Vec<u64>,
    /// The same if each version had been made as if there were no others.
    pub one_by_one: Vec<u64>,
}
