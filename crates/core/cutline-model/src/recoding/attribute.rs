//! How one attribute is published. What depends on the kind of masking is answered here, so that others need not ask for it.

use serde::{Deserialize, Serialize};

use super::{TOP, Unknown, interval_labels};
use crate::{Bound, Masking, Scale, Taxonomy};

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

    /// The values that it names, each with a label: the leaves of a taxonomy, or those that are disclosed.
    pub fn named_values(&self) -> Vec<&str> {
        match self {
            AttributeRecoding::Generalize { taxonomy, .. } => {
                taxonomy.leaves().map(|leaf| taxonomy.label(leaf)).collect()
            }
            AttributeRecoding::Suppress { disclosed, .. } => disclosed.iter().map(String::as_str).collect(),
            AttributeRecoding::Discretize { .. } => Vec::new(),
        }
    }

    /// The values that are told from all others, where it is a set of them.
    pub fn disclosed(&self) -> Option<&[String]> {
        match self {
            AttributeRecoding::Suppress { disclosed, .. } => Some(disclosed),
            AttributeRecoding::Generalize { .. } | AttributeRecoding::Discretize { .. } => None,
        }
    }

    /// The bounds of its intervals, if it has intervals.
    pub fn bounds(&self) -> Option<&[Bound]> {
        match self {
            AttributeRecoding::Discretize { bounds, .. } => Some(bounds),
            AttributeRecoding::Generalize { .. } | AttributeRecoding::Suppress { .. } => None,
        }
    }

    /// How values are numbers, if it has intervals.
    pub fn scale(&self) -> Option<&Scale> {
        match self {
            AttributeRecoding::Discretize { scale, .. } => Some(scale),
            AttributeRecoding::Generalize { .. } | AttributeRecoding::Suppress { .. } => None,
        }
    }

    /// Does the label of a cell depend on the number in it? Where even a missing value cannot be told from others, no cell is looked at.
    pub fn reads_numbers(&self) -> bool {
        self.bounds().is_some() && self.missing() != Some(Missing::Masked)
    }

    /// Does every cell have the same label, whatever it says?
    pub fn sees_nothing(&self, unknown: Unknown) -> bool {
        match self {
            AttributeRecoding::Discretize { missing, .. } => *missing == Some(Missing::Masked),
            AttributeRecoding::Suppress { .. } => self.is_top(),
            AttributeRecoding::Generalize { .. } => self.is_top() && unknown == Unknown::Root,
        }
    }
}
