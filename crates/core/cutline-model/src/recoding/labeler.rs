//! From value to label.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{AttributeRecoding, Missing, TOP};
use crate::{NodeId, Scale, Taxonomy, shortest};

/// What a cell becomes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Label {
    /// The published text.
    Text(String),
    /// The value is missing, and the published table says so.
    Missing,
}

impl Label {
    /// As a person reads it, in a trace or a drawing; a value may be written so as well.
    pub fn as_str(&self) -> &str {
        match self {
            Label::Text(text) => text,
            Label::Missing => "missing",
        }
    }

    /// The published text; none if the value is missing.
    pub fn into_text(self) -> Option<String> {
        match self {
            Label::Text(text) => Some(text),
            Label::Missing => None,
        }
    }
}

impl From<&str> for Label {
    fn from(text: &str) -> Self {
        Label::Text(text.to_owned())
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a value has no label.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LabelError {
    /// The taxonomy has no such leaf.
    #[error("the value `{value}` is not in the taxonomy{}", nearest.as_ref().map(|leaf| format!("; the nearest leaf is `{leaf}`")).unwrap_or_default())]
    NotInTaxonomy {
        /// The value: the one exception from the rule that messages name no values, because it must be found in the taxonomy.
        value: String,
        /// The leaf that looks most alike.
        nearest: Option<String>,
    },
    /// The taxonomy has the value, but with values below it.
    #[error(
        "the value `{value}` is an inner node of the taxonomy, not a leaf; give it a leaf of its own below that node"
    )]
    InnerNode {
        /// The value.
        value: String,
    },
    /// A continuous attribute has a cell that is no number.
    #[error("a value is not a number (write numbers without thousands separators or units)")]
    NotANumber,
    /// A date cannot be read.
    #[error("a value is not a date (of the form 1984-03-05, unless another one is declared)")]
    NotADate,
    /// Somebody has no age yet.
    #[error("a date of birth lies after the date at which ages are counted")]
    BornLater,
    /// A number lies outside the declared range.
    #[error("a value lies outside the declared range")]
    OutOfRange,
}

/// What to do with values that a taxonomy does not contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unknown {
    /// Refuse the table.
    #[default]
    Error,
    /// Treat them as further leaves directly under the root.
    Root,
}

impl Unknown {
    pub(super) fn is_error(&self) -> bool {
        *self == Unknown::Error
    }
}

/// A recoding made ready for many values of one attribute.
#[derive(Clone, Debug)]
pub struct Labeler {
    labels: Vec<Label>,
    lookup: Lookup,
    missing: u32,
    top: u32,
    unknown: Unknown,
}

#[derive(Clone, Debug)]
enum Lookup {
    /// The label of each leaf of the taxonomy, in their order; nothing where no node of the cut is above it.
    Leaves {
        of: Vec<Option<u32>>,
        taxonomy: Taxonomy,
    },
    Disclosed(HashMap<String, u32>),
    Intervals {
        inner: Vec<f64>,
        range: (f64, f64),
        scale: Scale,
    },
    Everything,
}

impl Labeler {
    /// Prepares an attribute's recoding.
    pub fn new(recoding: &AttributeRecoding, unknown: Unknown) -> Self {
        let Numbered { labels, missing, top } = Numbered::new(recoding);
        let lookup = match recoding {
            AttributeRecoding::Generalize { cut, taxonomy, .. } => leaves(taxonomy, cut),
            AttributeRecoding::Suppress { disclosed, .. } => disclosed_values(disclosed),
            AttributeRecoding::Discretize { missing: Some(Missing::Masked), .. } => Lookup::Everything,
            AttributeRecoding::Discretize { bounds, scale, .. } => {
                intervals(&bounds.iter().map(|bound| bound.0).collect::<Vec<_>>(), scale)
            }
        };
        Labeler { labels, lookup, missing, top, unknown }
    }

    /// All labels; the numbers that [`Labeler::label`] gives are positions in this list.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The label of a missing value: its own if missing values are published, the top label otherwise.
    pub fn missing(&self) -> u32 {
        self.missing
    }

    /// The label of the most masked state.
    pub fn top(&self) -> u32 {
        self.top
    }

    /// The label of a value that is not missing.
    pub fn label(&self, value: &str) -> Result<u32, LabelError> {
        match &self.lookup {
            Lookup::Everything => Ok(self.top),
            Lookup::Disclosed(of) => Ok(of.get(value).copied().unwrap_or(self.top)),
            Lookup::Leaves { of, taxonomy } => {
                let leaf = taxonomy.node(value).filter(|&node| taxonomy.is_leaf(node));
                match (leaf.and_then(|leaf| of[taxonomy.leaf_rank(leaf)]), self.unknown) {
                    (Some(label), _) => Ok(label),
                    (None, Unknown::Root) => Ok(self.top),
                    (None, Unknown::Error) => Err(LabelError::unknown(taxonomy, value)),
                }
            }
            Lookup::Intervals { scale, .. } => {
                let number = scale.read(value).ok_or_else(|| LabelError::unread(scale, value))?;
                self.label_of(number)
            }
        }
    }

    /// The label of a leaf of a taxonomy. That may be another one than the recoding's: then it is the label of its text.
    pub fn label_of_leaf(&self, taxonomy: &Taxonomy, leaf: NodeId) -> Result<u32, LabelError> {
        let known = match &self.lookup {
            Lookup::Leaves { of, taxonomy: own } if own.shares_tree(taxonomy) => of[own.leaf_rank(leaf)],
            _ => None,
        };
        known.map_or_else(|| self.label(taxonomy.label(leaf)), Ok)
    }

    /// The label of a number on the scale of the attribute; of one without a scale, that of its text.
    pub fn label_of(&self, number: f64) -> Result<u32, LabelError> {
        match &self.lookup {
            Lookup::Intervals { range, .. } if number < range.0 || number > range.1 => Err(LabelError::OutOfRange),
            Lookup::Intervals { inner, .. } => Ok(inner.partition_point(|&bound| bound <= number) as u32),
            _ => self.label(&shortest(number)),
        }
    }
}

/// Labels in the order of their numbers, and the numbers of two that stand for more than one value.
struct Numbered {
    labels: Vec<Label>,
    missing: u32,
    top: u32,
}

impl Numbered {
    fn new(recoding: &AttributeRecoding) -> Self {
        let mut labels: Vec<Label> = recoding.labels().into_iter().map(Label::Text).collect();
        let top_label = match recoding {
            AttributeRecoding::Generalize { taxonomy, .. } => taxonomy.label(taxonomy.root()),
            AttributeRecoding::Suppress { .. } | AttributeRecoding::Discretize { .. } => TOP,
        };
        let top = position(&mut labels, Label::Text(top_label.to_owned()));
        let missing = match recoding.missing() {
            Some(Missing::Published) => position(&mut labels, Label::Missing),
            _ => top,
        };
        Numbered { labels, missing, top }
    }
}

impl AttributeRecoding {
    /// Everything that a cell may become, in the order in which a [`Labeler`] numbers it: the labels, that of the most masked state where
    /// it is none of them, and the one of missing values where these are told.
    pub fn all_labels(&self) -> Vec<Label> {
        Numbered::new(self).labels
    }
}

impl LabelError {
    /// The error for a text that is nothing on a scale.
    pub fn unread(scale: &Scale, value: &str) -> Self {
        match scale {
            Scale::Numbers => LabelError::NotANumber,
            // Every day is a number, but not every day is an age.
            Scale::Ages { .. } if scale.says_day(value) => LabelError::BornLater,
            Scale::Dates { .. } | Scale::Ages { .. } => LabelError::NotADate,
        }
    }

    /// The error for a value without a leaf, with the hint that helps.
    pub fn unknown(taxonomy: &Taxonomy, value: &str) -> Self {
        match taxonomy.node(value) {
            Some(_) => LabelError::InnerNode { value: value.to_owned() },
            None => LabelError::NotInTaxonomy {
                value: value.to_owned(),
                nearest: taxonomy.nearest_leaf(value).map(str::to_owned),
            },
        }
    }
}

fn position(labels: &mut Vec<Label>, label: Label) -> u32 {
    let found = labels.iter().position(|other| *other == label);
    found.unwrap_or_else(|| {
        labels.push(label);
        labels.len() - 1
    }) as u32
}

fn leaves(taxonomy: &Taxonomy, cut: &[String]) -> Lookup {
    let mut of = vec![None; taxonomy.leaves().len()];
    for (index, label) in cut.iter().enumerate() {
        let Some(node) = taxonomy.node(label) else { continue };
        of[taxonomy.leaf_range(node)].fill(Some(index as u32));
    }
    Lookup::Leaves { of, taxonomy: taxonomy.clone() }
}

fn disclosed_values(disclosed: &[String]) -> Lookup {
    Lookup::Disclosed(disclosed.iter().enumerate().map(|(index, value)| (value.clone(), index as u32)).collect())
}

fn intervals(bounds: &[Option<f64>], scale: &Scale) -> Lookup {
    let inner = bounds[1..bounds.len() - 1].iter().flatten().copied().collect();
    let lower = bounds[0].unwrap_or(f64::NEG_INFINITY);
    let upper = bounds[bounds.len() - 1].unwrap_or(f64::INFINITY);
    Lookup::Intervals { inner, range: (lower, upper), scale: scale.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bound;

    fn text(labeler: &Labeler, value: &str) -> String {
        match &labeler.labels()[labeler.label(value).unwrap() as usize] {
            Label::Text(text) => text.clone(),
            Label::Missing => panic!("a value is not missing"),
        }
    }

    #[test]
    fn intervals_put_the_split_value_right() {
        let bounds = vec![Bound(Some(1.0)), Bound(Some(37.0)), Bound(Some(99.0))];
        let labeler = Labeler::new(&AttributeRecoding::numbers(bounds, None), Unknown::Error);
        assert_eq!(text(&labeler, "36.9"), "[1-37)");
        assert_eq!(text(&labeler, " 37 "), "[37-99]");
        assert_eq!(text(&labeler, "99"), "[37-99]");
        assert_eq!(labeler.label("100"), Err(LabelError::OutOfRange));
        assert_eq!(labeler.label("many"), Err(LabelError::NotANumber));
        assert_eq!(labeler.labels()[labeler.missing() as usize], Label::Text("*".into()));
    }

    #[test]
    fn undeclared_intervals_take_any_number() {
        let bounds = vec![Bound(None), Bound(Some(37.0)), Bound(None)];
        let labeler = Labeler::new(&AttributeRecoding::numbers(bounds, None), Unknown::Error);
        assert_eq!(text(&labeler, "-1e9"), "<37");
        assert_eq!(text(&labeler, "1e9"), ">=37");
    }

    #[test]
    fn values_that_are_not_disclosed_are_stars() {
        let recoding =
            AttributeRecoding::Suppress { disclosed: vec!["blue".into()], missing: Some(Missing::Published) };
        let labeler = Labeler::new(&recoding, Unknown::Error);
        assert_eq!(text(&labeler, "blue"), "blue");
        assert_eq!(text(&labeler, "green"), "*");
        assert_eq!(labeler.labels()[labeler.missing() as usize], Label::Missing);
        assert_eq!(recoding.labels_of(2), ["blue", "*"]);
        assert_eq!(recoding.labels_of(1), ["blue"]);
    }

    #[test]
    fn leaves_get_the_label_of_their_cut_node() {
        let taxonomy = Taxonomy::from_outline("Any\n  Low\n    1st\n    2nd\n  High\n").unwrap();
        let recoding =
            AttributeRecoding::Generalize { cut: vec!["Low".into(), "High".into()], missing: None, taxonomy };
        let labeler = Labeler::new(&recoding, Unknown::Error);
        assert_eq!(text(&labeler, "2nd"), "Low");
        assert_eq!(text(&labeler, "High"), "High");
        assert!(
            matches!(labeler.label("2dn"), Err(LabelError::NotInTaxonomy { nearest: Some(leaf), .. }) if leaf == "2nd")
        );
        assert!(matches!(labeler.label("Low"), Err(LabelError::InnerNode { .. })));
        assert_eq!(text(&Labeler::new(&recoding, Unknown::Root), "2dn"), "Any");
    }

    #[test]
    fn a_leaf_of_any_taxonomy_has_the_label_of_its_text() {
        let own = Taxonomy::from_outline("Any\n  Low\n    1st\n    2nd\n  High\n").unwrap();
        let other = Taxonomy::from_outline("All\n  2nd\n  3rd\n  1st\n").unwrap();
        let cut = vec!["Low".into(), "High".into()];
        let recoding = AttributeRecoding::Generalize { cut, missing: None, taxonomy: own.clone() };
        let labeler = Labeler::new(&recoding, Unknown::Error);
        for taxonomy in [own, other] {
            for leaf in taxonomy.leaves() {
                assert_eq!(labeler.label_of_leaf(&taxonomy, leaf), labeler.label(taxonomy.label(leaf)));
            }
        }
    }
}
