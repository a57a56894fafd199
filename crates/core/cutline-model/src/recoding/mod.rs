//! Recodings: the result of a search, as a function from value to published label.
//!
//! A recoding can be stored (`recoding.json`), read back, shown, and applied to other tables. It holds everything that applying
//! needs, and no value of a record that it does not publish.

mod attribute;
mod interval;
mod labeler;
mod private;
mod regions;
mod stored;
mod suppression;

use std::fmt;

use indexmap::{IndexMap, IndexSet};
use serde::{Deserialize, Serialize};

pub use attribute::{AttributeRecoding, Missing};
pub use interval::{Interval, NoInterval, TOP, interval_labels};
pub use labeler::{Label, LabelError, Labeler, Unknown};
pub use private::RestoreError;
pub use regions::{Becomes, By, Extent, Extents, Local, Places, Region, Regions, RegionsError, Split};
pub use stored::RecodingError;
pub use suppression::{SuppressHow, Suppression};

pub use crate::axis::{DateSpan, NoDateSpan};
use crate::{Condition, Identifier, Qid};

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

impl Recoding {
    /// The `format` entry of recodings that give a value the same label wherever it stands.
    pub const FORMAT: &'static str = "cutline-recoding/1";
    /// That of recodings with regions: a reader that knows nothing of them must not publish the finest labels.
    pub const FORMAT_OF_REGIONS: &'static str = "cutline-recoding/2";

    /// The labels that records of each attribute may show (without the one for missing values).
    pub fn labels(&self) -> Vec<Vec<String>> {
        let attributes = self.of_attributes();
        if let Some(regions) = self.regions.as_ref().filter(|regions| regions.are_withheld()) {
            let shown = |a: usize| {
                let labels = regions.groups.iter().filter_map(|group| group[a].clone());
                labels.collect::<IndexSet<String>>().into_iter().collect()
            };
            return (0..attributes.len()).map(shown).collect();
        }
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
