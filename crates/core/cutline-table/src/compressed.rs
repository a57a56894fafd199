//! All that a search ever sees.

use cutline_model::Masking;
use serde::{Deserialize, Serialize};

use crate::{Code, Codes, Domain, History, Members, Persons, Sensitive, with_codes};

/// A quasi attribute's position in the compressed table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct AttributeId(pub usize);

/// A quasi attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its name in the table.
    pub name: String,
    /// How it is masked.
    pub masking: Masking,
    /// So many leaves of its taxonomy are values that were attached to the root, after all nodes that were given.
    pub attached: usize,
    /// What its codes stand for.
    pub domain: Domain,
    /// A code for each row.
    pub codes: Codes,
}

impl Attribute {
    /// Has some row each code that is published under its label?
    pub fn shown(&self, suppressed: &[bool]) -> Vec<bool> {
        let mut shown = vec![false; self.domain.len()];
        let mut left = shown.len();
        with_codes!(&self.codes, codes => {
            for (code, _) in codes.iter().zip(suppressed).filter(|(_, suppressed)| !**suppressed) {
                left -= usize::from(!std::mem::replace(&mut shown[code.index()], true));
                // Mostly the first rows show all.
                if left == 0 {
                    break;
                }
            }
        });
        shown
    }
}

/// What the purpose looks at.
#[derive(Clone, Debug, PartialEq)]
pub enum Labels {
    /// Nothing: the purpose is unknown.
    None,
    /// Classes, by row.
    Classes {
        /// What each class is called; `None` where the target is missing.
        names: Vec<Option<String>>,
        /// A class for each row.
        codes: Codes,
    },
    /// Numbers, by row.
    Numbers {
        /// The distinct numbers; `None` for a missing one.
        values: Vec<Option<f64>>,
        /// A position in `values` for each row.
        codes: Codes,
    },
}

/// The distinct (quasi values, label) combinations and how many records share each.
#[derive(Clone, Debug, PartialEq)]
pub struct CompressedTable {
    /// The quasi attributes in the order of the table.
    pub attributes: Vec<Attribute>,
    /// The label of each row: what the search looks at.
    pub labels: Labels,
    /// Further labels of each row, for metrics: other targets.
    pub further: Vec<Labels>,
    /// Sensitive attributes, for conditions.
    pub sensitive: Vec<Sensitive>,
    /// The records of each row.
    pub weights: Vec<u64>,
    /// Who is behind the records of each row, if groups count persons.
    pub persons: Option<Persons>,
    /// What the records of each row are worth to the purpose, if that is not one each: survey weights, in whole parts of a unit.
    pub worth: Option<Vec<u64>>,
    /// All records.
    pub records: u64,
    /// What earlier releases tell of the records of each row, if there are any.
    pub history: Option<History>,
}

impl CompressedTable {
    /// The number of distinct rows.
    pub fn rows(&self) -> usize {
        self.weights.len()
    }

    /// What each row is worth to the purpose: gains and losses look at this, groups at records or persons.
    pub fn worth(&self) -> &[u64] {
        self.worth.as_deref().unwrap_or(&self.weights)
    }

    /// What groups count: persons, or records.
    pub fn members(&self) -> Members<'_> {
        Members { weights: &self.weights, persons: self.persons.as_ref() }
    }

    /// An attribute by its name.
    pub fn attribute(&self, name: &str) -> Option<AttributeId> {
        self.attributes.iter().position(|attribute| attribute.name == name).map(AttributeId)
    }
}
