//! What must hold in a published table.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Condition;

/// A set of attributes that an attacker may know together, and how many records must share every combination of their values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Qid {
    /// The quasi attributes.
    pub attributes: Vec<String>,
    /// The anonymity threshold.
    pub k: u64,
    /// What must hold of the sensitive values of every group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

impl Qid {
    /// A QID without conditions.
    pub fn new(attributes: Vec<String>, k: u64) -> Self {
        Qid { attributes, k, conditions: Vec::new() }
    }

    /// Has it these attributes, in whatever order?
    pub fn is_about(&self, attributes: &[String]) -> bool {
        self.attributes.len() == attributes.len() && self.attributes.iter().all(|name| attributes.contains(name))
    }
}

/// A QID that says nothing beyond another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redundant {
    /// The QID that was dropped.
    pub qid: Qid,
    /// The QID that implies it.
    pub implied_by: Qid,
}

/// Why a requirement makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RequirementError {
    /// There is no QID at all.
    #[error("the requirement names no QID, so nothing would be protected")]
    NoQid,
    /// A QID has no attributes.
    #[error("a QID names no attribute")]
    EmptyQid,
    /// k is 0.
    #[error("k = 0 for the QID {0} asks for nothing: use k = 2 or more")]
    ZeroK(String),
    /// An attribute stands twice in one QID.
    #[error("the attribute `{attribute}` stands twice in the QID {qid}")]
    Twice {
        /// The attribute.
        attribute: String,
        /// The QID.
        qid: String,
    },
    /// A sensitive attribute is also in a QID.
    #[error("the sensitive attribute `{0}` is also in a QID, where it would be masked")]
    SensitiveInQid(String),
    /// The text of a QID is not `a,b,c:k`.
    #[error("`{0}` is no QID: write the attributes, a colon and k, as in `age,sex,zip:10`")]
    Syntax(String),
}

impl fmt::Display for Qid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", self.attributes.join(", "))
    }
}

impl FromStr for Qid {
    type Err = RequirementError;

    /// Reads `age,sex,zip:10`. A name with a comma or a colon in it stands in double quotes.
    fn from_str(text: &str) -> Result<Self, RequirementError> {
        let syntax = || RequirementError::Syntax(text.to_owned());
        let (names, k) = text.rsplit_once(':').ok_or_else(syntax)?;
        let k = k.trim().parse().map_err(|_| syntax())?;
        let attributes = split_names(names).ok_or_else(syntax)?;
        if attributes.iter().any(String::is_empty) {
            return Err(syntax());
        }
        Ok(Qid::new(attributes, k))
    }
}

/// Splits a list of names at its commas, except inside double quotes. `None` if a quote stays open.
pub fn split_names(text: &str) -> Option<Vec<String>> {
    let mut names = vec![String::new()];
    let mut quoted = false;
    for character in text.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => names.push(String::new()),
            other => names.last_mut()?.push(other),
        }
    }
    (!quoted).then(|| names.into_iter().map(|name| name.trim().to_owned()).collect())
}

/// The QIDs that must hold, none of them redundant. Checked once, here; whoever holds one may rely on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Requirement {
    said: Vec<Qid>,
    qids: Vec<Qid>,
    redundant: Vec<Redundant>,
}

impl Requirement {
    /// Checks the QIDs and drops those that others imply: a subset of another QID whose k is not larger (2007 paper, §2), and
    /// whose conditions the other has too. (Its groups are unions of the other's, and all conditions are union-closed.)
    pub fn new(qids: Vec<Qid>) -> Result<Self, RequirementError> {
        if qids.is_empty() {
            return Err(RequirementError::NoQid);
        }
        qids.iter().try_for_each(check)?;
        check_sensitive(&qids)?;
        let mut kept: Vec<Qid> = Vec::new();
        let mut redundant = Vec::new();
        for (index, qid) in qids.iter().enumerate() {
            // Of two equal QIDs the first one stays.
            let implied_by = qids
                .iter()
                .enumerate()
                .find(|&(other, by)| other != index && implies(by, qid) && (!implies(qid, by) || other < index));
            match implied_by {
                Some((_, by)) => redundant.push(Redundant { qid: qid.clone(), implied_by: by.clone() }),
                None => kept.push(qid.clone()),
            }
        }
        Ok(Requirement { said: qids, qids: kept, redundant })
    }

    /// The same QIDs, all of them with this threshold.
    pub fn with_k(&self, k: u64) -> Result<Self, RequirementError> {
        Requirement::new(self.said.iter().map(|qid| Qid { k, ..qid.clone() }).collect())
    }

    /// The QIDs that must hold.
    pub fn qids(&self) -> &[Qid] {
        &self.qids
    }

    /// The QIDs that were given but follow from others.
    pub fn redundant(&self) -> &[Redundant] {
        &self.redundant
    }

    /// The quasi attributes: the union of all QIDs, in order of first mention.
    pub fn attributes(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.qids.iter().flat_map(|qid| &qid.attributes) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// The sensitive attributes of all conditions, in order of first mention.
    pub fn sensitive(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for condition in self.qids.iter().flat_map(|qid| &qid.conditions) {
            if !names.contains(&condition.attribute()) {
                names.push(condition.attribute());
            }
        }
        names
    }

    /// The largest threshold: a table with fewer records cannot be published.
    pub fn largest_k(&self) -> u64 {
        self.qids.iter().map(|qid| qid.k).max().unwrap_or(0)
    }
}

/// Sensitive attributes are published as they are; masked, nothing could be said of their values.
fn check_sensitive(qids: &[Qid]) -> Result<(), RequirementError> {
    let masked = |name: &str| qids.iter().any(|qid| qid.attributes.iter().any(|other| other == name));
    let conditions = qids.iter().flat_map(|qid| &qid.conditions);
    match conditions.map(Condition::attribute).find(|name| masked(name)) {
        Some(name) => Err(RequirementError::SensitiveInQid(name.to_owned())),
        None => Ok(()),
    }
}

fn check(qid: &Qid) -> Result<(), RequirementError> {
    if qid.attributes.is_empty() {
        return Err(RequirementError::EmptyQid);
    }
    if qid.k == 0 {
        return Err(RequirementError::ZeroK(qid.to_string()));
    }
    let twice = qid.attributes.iter().enumerate().find(|(index, name)| qid.attributes[..*index].contains(name));
    match twice {
        Some((_, name)) => Err(RequirementError::Twice { attribute: name.clone(), qid: qid.to_string() }),
        None => Ok(()),
    }
}

/// Does a table that satisfies `by` satisfy `qid` as well?
fn implies(by: &Qid, qid: &Qid) -> bool {
    by.k >= qid.k
        && qid.attributes.iter().all(|name| by.attributes.contains(name))
        && qid.conditions.iter().all(|condition| by.conditions.contains(condition))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn qid(text: &str) -> Qid {
        text.parse().unwrap()
    }

    #[test]
    fn reads_the_flag_form() {
        assert_eq!(qid("age, sex,zip:10"), Qid::new(vec!["age".into(), "sex".into(), "zip".into()], 10));
        assert_eq!(qid("\"a,b:c\",d:2").attributes, ["a,b:c", "d"]);
        for bad in ["age", "age:", "age:x", ":5", "age,:5", "age:-1", "\"age:5"] {
            assert!(matches!(bad.parse::<Qid>(), Err(RequirementError::Syntax(_))), "{bad}");
        }
    }

    #[test]
    fn drops_what_another_qid_implies() {
        let requirement = Requirement::new(vec![qid("a:5"), qid("a,b:5"), qid("b:9"), qid("b,a:5")]).unwrap();
        assert_eq!(requirement.qids(), [qid("a,b:5"), qid("b:9")]);
        assert_eq!(requirement.redundant().len(), 2);
        assert_eq!(requirement.attributes(), ["a", "b"]);
        assert_eq!(requirement.largest_k(), 9);
    }

    #[test]
    fn another_threshold_is_one_for_all_that_was_said() {
        let requirement = Requirement::new(vec![qid("a:5"), qid("a,b:3"), qid("b:2")]).unwrap();
        assert_eq!(requirement.qids(), [qid("a:5"), qid("a,b:3")]);
        let other = requirement.with_k(7).unwrap();
        assert_eq!((other.qids(), other.redundant().len()), (&[qid("a,b:7")][..], 2));
        assert!(requirement.with_k(0).is_err());
    }

    #[test]
    fn refuses_requirements_without_meaning() {
        assert_eq!(Requirement::new(vec![]), Err(RequirementError::NoQid));
        assert!(matches!(Requirement::new(vec![qid("a:0")]), Err(RequirementError::ZeroK(_))));
        assert!(matches!(Requirement::new(vec![qid("a,a:3")]), Err(RequirementError::Twice { .. })));
        assert_eq!(Requirement::new(vec![Qid::new(vec![], 2)]), Err(RequirementError::EmptyQid));
    }
}
