//! Conditions on the sensitive values of a group.
//!
//! k-anonymity does not stop attribute linkage: a group of look-alikes who all have the same diagnosis protects nobody. A condition
//! says which groups protect. Every folder here is one condition: its definition and reference, why pruning on it is correct, and a
//! property test of that.
//!
//! | text | folder | every group must have |
//! | --- | --- | --- |
//! | `distinct-l:diagnosis=3` | [`distinct_l`] | at least 3 different values |
//! | `entropy-l:diagnosis=2.5` | [`entropy_l`] | an entropy of at least log 2.5 |
//! | `recursive-l:diagnosis=2,3` | [`recursive_l`] | a most frequent value not too frequent: r₁ < 2 (r₃ + r₄ + …) |
//! | `alpha:diagnosis=0.5` | [`alpha`] | no value with a share above 0.5 |
//! | `bound:diagnosis=HIV<=0.2` | [`bound`] | a share of HIV of at most 0.2 |
//! | `t-close:diagnosis=0.2` | [`t_close`] | a distribution at most 0.2 from the whole table's |
//! | `t-close-ordered:income=0.2` | [`t_close_ordered`] | the same, where near values are less far apart than distant ones |
//!
//! Texts of the same number are one value, and a missing value never adds diversity: a group must satisfy each condition with
//! "missing" as a value, and without the records that lack one (see `meaning`).
//!
//! # Why pruning is correct
//! All of them are *union-closed*: if two groups satisfy the condition, so does their union. A refinement only parts groups; if it
//! leaves all of them satisfying the condition, then so did the groups before. Turned round: a refinement that violates a condition
//! now violates it after any further refinement.
//!
//! # Adding one
//! A folder with a type that implements [`Rule`] and one that implements [`Check`], and a line in `RULES` below. The verifier has
//! implementations of its own.

pub mod alpha;
pub mod bound;
pub mod distinct_l;
pub mod entropy_l;
mod meaning;
pub mod recursive_l;
pub mod t_close;
pub mod t_close_ordered;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// Reads a condition's arguments: what stands after `name:attribute=`.
type Parse = fn(attribute: &str, arguments: &str) -> Option<Arc<dyn Rule>>;

/// All conditions by name, and how each is written.
const RULES: [(&str, &str, Parse); 7] = [
    ("distinct-l", "distinct-l:diagnosis=3", distinct_l::parse),
    ("entropy-l", "entropy-l:diagnosis=2.5", entropy_l::parse),
    ("recursive-l", "recursive-l:diagnosis=2,3", recursive_l::parse),
    ("alpha", "alpha:diagnosis=0.5", alpha::parse),
    ("bound", "bound:diagnosis=HIV<=0.2", bound::parse),
    ("t-close", "t-close:diagnosis=0.2", t_close::parse),
    ("t-close-ordered", "t-close-ordered:income=0.2", t_close_ordered::parse),
];

/// Comparisons of real numbers allow for rounding by this much; the verifier allows for more.
const TOLERANCE: f64 = 1e-10;

/// A condition, as it is written.
#[derive(Clone)]
pub struct Condition(Arc<dyn Rule>);

/// What a condition says, before it has seen a table.
pub trait Rule: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// The sensitive attribute.
    fn attribute(&self) -> &str;

    /// What stands after `name:attribute=`.
    fn arguments(&self) -> String;

    /// The value that it is about, if it is about one.
    fn value(&self) -> Option<&str> {
        None
    }

    /// The condition for a table whose sensitive attribute has these values, all different; `None` is the missing value. Nothing if
    /// it is about a value that is not among them.
    fn prepare(&self, values: &[Option<String>]) -> Option<Box<dyn Check>>;
}

/// A condition that is ready to look at groups.
pub trait Check: fmt::Debug + Send + Sync {
    /// Does the group satisfy the condition?
    fn holds(&self, group: &Group<'_>) -> bool;
}

/// The sensitive values of a group and of the whole table.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// The group's records by value.
    pub counts: &'a [u64],
    /// The table's records by value.
    pub whole: &'a [u64],
}

impl Group<'_> {
    /// The group's records.
    pub fn records(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The table itself as a group.
    fn of_all(&self) -> Self {
        Group { counts: self.whole, whole: self.whole }
    }
}

/// Why a text is no condition.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ConditionError {
    /// There is no such condition.
    #[error("`{0}` is no condition; write one of: {all}", all = names())]
    Unknown(String),
    /// The arguments make no sense.
    #[error("`{text}` is not understood; write it as in `{example}`")]
    Arguments {
        /// What was written.
        text: String,
        /// How it is written.
        example: &'static str,
    },
    /// It is about a value that no record has. Which values records have is not told.
    #[error("no record has the value that the condition `{condition}` is about")]
    NoSuchValue {
        /// The condition.
        condition: String,
    },
}

fn names() -> String {
    RULES.map(|(_, example, _)| example).join(", ")
}

impl Condition {
    /// The condition's name.
    pub fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The sensitive attribute.
    pub fn attribute(&self) -> &str {
        self.0.attribute()
    }

    /// The condition for a table whose sensitive attribute has these values, as they are written; `None` is the missing value.
    ///
    /// Texts that say the same number are one value, and a missing value never adds diversity: a group must satisfy the
    /// condition with "missing" as a value, and without the records that lack one.
    ///
    /// # Errors
    /// [`ConditionError::NoSuchValue`] for a bound on a value that the table does not have: it would hold whatever the groups are,
    /// and is more likely misspelled than meant.
    pub fn prepare(&self, values: &[Option<String>]) -> Result<Box<dyn Check>, ConditionError> {
        let meanings = meaning::Meanings::new(values);
        let check = self.0.prepare(&meanings.values);
        let absent = || ConditionError::NoSuchValue { condition: self.to_string() };
        Ok(meanings.check(check.ok_or_else(absent)?))
    }
}

impl FromStr for Condition {
    type Err = ConditionError;

    /// Reads `name:attribute=arguments`.
    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let rule = RULES.iter().find(|(other, ..)| *other == name.trim());
        let (_, example, parse) = rule.ok_or_else(|| ConditionError::Unknown(text.to_owned()))?;
        let said = rest.split_once('=').map(|(attribute, arguments)| (attribute.trim(), arguments.trim()));
        let rule = said.filter(|(attribute, _)| !attribute.is_empty()).and_then(|(name, said)| parse(name, said));
        rule.map(Condition).ok_or_else(|| ConditionError::Arguments { text: text.to_owned(), example })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}={}", self.0.name(), self.0.attribute(), self.0.arguments())
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Condition({self})")
    }
}

impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Condition {}

impl Serialize for Condition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Condition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The share of the most frequent value.
fn largest_share(counts: &[u64]) -> f64 {
    let most = counts.iter().copied().max().unwrap_or(0);
    most as f64 / counts.iter().sum::<u64>().max(1) as f64
}

/// A share from 0 to 1.
fn share(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share))
}

#[cfg(test)]
mod tests;
