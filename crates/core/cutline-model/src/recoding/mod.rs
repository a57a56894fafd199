//! Recodings: the result of a search, as a function from value to published label.
//!
//! A recoding can be stored (`recoding.json`), read back, shown, and applied to other tables. It holds everything that applying
//! needs, and no value of a record that it does not publish.

mod interval;
mod labeler;
mod private;
mod regions;
mod stored;
mod suppression;

use std::fmt;

use indexmap::{IndexMap, IndexSet};
use serde::{Deserialize, Serialize};

pub use interval::{Interval, NoInterval, TOP, interval_labels};
pub use labeler::{Label, LabelError, Labeler, Unknown};
pub use private::RestoreError;
pub use regions::{Becomes, By, Extent, Extents, Local, Places, Region, Regions, RegionsError, Split};
pub use stored::RecodingError;
pub use suppression::{SuppressHow, Suppression};

pub use crate::axis::{DateSpan, NoDateSpan};
use crate::{Bound, Condition, Identifier, Masking, Qid, Scale, Taxonomy};

/// How every quasi attribute is published, and the requirement that this satisfied.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Recoding {
    /// Which file this is.
    pub format: String,
    /// One entry for every quasi attribute, in the order of the table.
    pub attributes: IndexMap<String, AttributeRecoding>,
    /// The groups, if they have labels of their own: the attributes then tell apart what any group does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regions: Option<Regions>,
    /// Columns that are not published as they are although no QID has them.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub identifiers: IndexMap<String, Identifier>,
    /// The columns of the table that are published, in their order; nothing if that was not written down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// Columns that a record must have a value in to be published: those with a missing one are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
    /// May records be suppressed where groups are too small?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppression: Option<Suppression>,
    /// What held in the table that it was made for.
    pub requirement: Achieved,
    /// Texts that stand for a missing value, beside the empty one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub null: Vec<String>,
    /// Attributes of whose taxonomies only what is at or above the cut is stored, because the rest is known to the publisher alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub private_taxonomies: Vec<String>,
}

/// The requirement and what was reached.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Achieved {
    /// One entry for every QID.
    pub qids: Vec<AchievedQid>,
    /// The column that says which person a record is about, if every group has k persons, and not only k records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
}

impl Achieved {
    /// What was promised: each QID with its threshold and its conditions.
    pub fn promised(&self) -> impl Iterator<Item = Qid> {
        let qid =
            |qid: &AchievedQid| Qid { conditions: qid.conditions.clone(), ..Qid::new(qid.attributes.clone(), qid.k) };
        self.qids.iter().map(qid)
    }

    /// What must hold in another table: what was promised, and what is said of it. A QID that is said again has another threshold; its
    /// conditions and all other QIDs stay as they were promised.
    pub fn asked_of(&self, said: &[Qid]) -> Vec<Qid> {
        let mut qids = said.to_vec();
        for promised in self.promised() {
            match qids.iter_mut().find(|qid| qid.is_about(&promised.attributes)) {
                None => qids.push(promised),
                Some(said) => {
                    let own = promised.conditions.into_iter();
                    let further: Vec<Condition> = own.filter(|own| !said.conditions.contains(own)).collect();
                    said.conditions.extend(further);
                }
            }
        }
        qids
    }
}

/// A QID and its anonymity.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AchievedQid {
    /// The quasi attributes.
    pub attributes: Vec<String>,
    /// The threshold.
    pub k: u64,
    /// A(QID): the size of the smallest group, in records.
    pub anonymity: u64,
    /// Conditions on sensitive values, all of which held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

/// How one attribute is published.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "lowercase")]
pub enum AttributeRecoding {
    /// A cut through a taxonomy.
    Generalize {
        /// The labels of the cut's nodes, in tree order.
        cut: Vec<String>,
        /// What becomes of missing values; where it is not told, they have the most masked label.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        missing: Option<Missing>,
        /// The taxonomy.
        taxonomy: Taxonomy,
    },
    /// A set of disclosed values; all others are `*`.
    Suppress {
        /// The disclosed values.
        disclosed: Vec<String>,
        /// What becomes of missing values; where it is not told, they have the most masked label.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        missing: Option<Missing>,
    },
    /// Interval bounds, ascending. The outer ones are null unless a range was declared.
    Discretize {
        /// The bounds; of dates, days since 1970-01-01.
        bounds: Vec<Bound>,
        /// How values are numbers, if they are not written as such.
        #[serde(default, skip_serializing_if = "Scale::is_numbers")]
        scale: Scale,
        /// What becomes of missing values; where it is not told, they have the most masked label.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        missing: Option<Missing>,
    },
}

/// What becomes of missing values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// They can be told from other values.
    Published,
    /// They have the same label as all other values.
    Masked,
}

impl Recoding {
    /// The `format` entry of recodings that give a value the same label wherever it stands.
    pub const FORMAT: &'static str = "cutline-recoding/1";
    /// That of recodings with regions: a reader that knows nothing of them must not publish the finest labels.
    pub const FORMAT_OF_REGIONS: &'static str = "cutline-recoding/2";

    /// The labels that records of each attribute may show (without the one for missing values).
    pub fn labels(&self) -> Vec<Vec<String>> {
        let attributes = self.of_attributes();
        let places = self.regions.as_ref().and_then(|regions| Places::new(regions, &attributes).ok());
        let Some(places) = places else { return attributes.iter().map(AttributeRecoding::labels).collect() };
        let shown = |a: usize| {
            let labels = places.regions().groups().map(|group| places.of(group)[a]);
            let distinct: IndexSet<u32> = labels.collect();
            let texts = distinct.into_iter().map(|label| places.labels(a)[label as usize].clone());
            texts.filter_map(Label::into_text).collect()
        };
        (0..attributes.len()).map(shown).collect()
    }

    /// The recodings of the attributes, in order.
    pub fn of_attributes(&self) -> Vec<AttributeRecoding> {
        self.attributes.values().cloned().collect()
    }
}

impl AttributeRecoding {
    /// The most masked state of an attribute, of which values are missing or not.
    pub fn most_masked(masking: &Masking, some_missing: bool) -> Self {
        let missing = some_missing.then_some(Missing::Masked);
        match masking {
            Masking::Generalize(taxonomy) => AttributeRecoding::Generalize {
                cut: vec![taxonomy.label(taxonomy.root()).to_owned()],
                missing,
                taxonomy: taxonomy.as_ref().clone(),
            },
            Masking::Suppress => AttributeRecoding::Suppress { disclosed: Vec::new(), missing },
            Masking::Discretize { range, axis } => {
                let bounds = vec![Bound(range.map(|range| range.0)), Bound(range.map(|range| range.1))];
                AttributeRecoding::Discretize { bounds, scale: axis.scale.clone(), missing }
            }
        }
    }

    /// Intervals of numbers.
    pub fn numbers(bounds: Vec<Bound>, missing: Option<Missing>) -> Self {
        AttributeRecoding::Discretize { bounds, scale: Scale::Numbers, missing }
    }

    /// The labels of the published attribute in order (without the one for missing values).
    pub fn labels(&self) -> Vec<String> {
        match self {
            AttributeRecoding::Generalize { cut, .. } => cut.clone(),
            AttributeRecoding::Suppress { disclosed, .. } => {
                disclosed.iter().cloned().chain(std::iter::once(TOP.to_owned())).collect()
            }
            AttributeRecoding::Discretize { missing: Some(Missing::Masked), .. } => {
                vec![TOP.to_owned()]
            }
            AttributeRecoding::Discretize { bounds, scale, .. } => interval_labels(bounds, scale),
        }
    }

    /// The labels that a table with so many distinct values shows: where all of them are disclosed, nothing is `*`.
    pub fn labels_of(&self, values: usize) -> Vec<String> {
        match self {
            AttributeRecoding::Suppress { disclosed, missing }
                if disclosed.len() >= values && *missing != Some(Missing::Masked) =>
            {
                disclosed.clone()
            }
            _ => self.labels(),
        }
    }

    /// Is nothing of this attribute left in the published table?
    pub fn is_top(&self) -> bool {
        self.missing() != Some(Missing::Published)
            && match self {
                AttributeRecoding::Generalize { cut, taxonomy, .. } => {
                    cut.len() == 1 && cut[0] == taxonomy.label(taxonomy.root())
                }
                AttributeRecoding::Suppress { disclosed, .. } => disclosed.is_empty(),
                AttributeRecoding::Discretize { bounds, .. } => bounds.len() <= 2,
            }
    }

    /// The masking operation's name.
    pub fn operation(&self) -> &'static str {
        match self {
            AttributeRecoding::Generalize { .. } => "generalize",
            AttributeRecoding::Suppress { .. } => "suppress",
            AttributeRecoding::Discretize { .. } => "discretize",
        }
    }

    /// The taxonomy that it is a cut through, if it is one.
    pub fn taxonomy(&self) -> Option<&Taxonomy> {
        match self {
            AttributeRecoding::Generalize { taxonomy, .. } => Some(taxonomy),
            AttributeRecoding::Suppress { .. } | AttributeRecoding::Discretize { .. } => None,
        }
    }

    /// What becomes of missing values, if that is told.
    pub fn missing(&self) -> Option<Missing> {
        match self {
            AttributeRecoding::Generalize { missing, .. }
            | AttributeRecoding::Suppress { missing, .. }
            | AttributeRecoding::Discretize { missing, .. } => *missing,
        }
    }

    /// The same, to be changed.
    pub fn missing_mut(&mut self) -> &mut Option<Missing> {
        match self {
            AttributeRecoding::Generalize { missing, .. }
            | AttributeRecoding::Suppress { missing, .. }
            | AttributeRecoding::Discretize { missing, .. } => missing,
        }
    }
}

impl fmt::Display for Recoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.attributes.keys().map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, attribute) in &self.attributes {
            let labels = attribute.labels().join("  ");
            writeln!(f, "{name:width$}  {operation:10}  {labels}", operation = attribute.operation())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_promised_stays_unless_it_is_said_again() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let condition: Condition = "alpha:ill=0.5".parse().unwrap();
        let qid = |attributes: &[&str], k: u64, conditions: &[Condition]| Qid {
            conditions: conditions.to_vec(),
            ..Qid::new(names(attributes), k)
        };
        let promised = [qid(&["age", "sex"], 10, std::slice::from_ref(&condition)), qid(&["zip"], 5, &[])];
        let achieved = |qid: &Qid| AchievedQid {
            attributes: qid.attributes.clone(),
            k: qid.k,
            anonymity: qid.k,
            conditions: qid.conditions.clone(),
        };
        let achieved = Achieved { qids: promised.iter().map(achieved).collect(), person: None };
        assert_eq!(achieved.asked_of(&[]), promised);
        let asked = achieved.asked_of(&[qid(&["sex", "age"], 3, &[]), qid(&["person"], 1, &[])]);
        assert_eq!(asked, [qid(&["sex", "age"], 3, &[condition]), qid(&["person"], 1, &[]), promised[1].clone()]);
    }
}
