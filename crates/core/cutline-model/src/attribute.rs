//! Roles, kinds and masking operations of attributes.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Axis, Taxonomy};

/// What an attribute is in a release.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Names a person by itself: dropped, or replaced by a random token.
    Identifier,
    /// Part of some QID: gets masked.
    Quasi,
    /// What an attacker must not learn. Published as it is.
    Sensitive,
    /// What the purpose predicts. Published as it is.
    Target,
    /// Everything else. Published as it is.
    #[default]
    Other,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Role::Identifier => "identifier",
            Role::Quasi => "quasi",
            Role::Sensitive => "sensitive",
            Role::Target => "target",
            Role::Other => "other",
        })
    }
}

/// What becomes of an identifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Identifier {
    /// The column is not published.
    Drop,
    /// Values are replaced by random tokens.
    Tokenize,
    /// Dates are moved by a secret number of weeks, which is the same for all dates of a person.
    Shift,
}

/// How the values of an attribute are to be understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Names without an order, or with the order of a taxonomy.
    Categorical,
    /// Numbers.
    Continuous,
    /// Days of the calendar.
    Date,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Categorical => "categorical",
            Kind::Continuous => "continuous",
            Kind::Date => "date",
        })
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "categorical" => Ok(Kind::Categorical),
            "continuous" => Ok(Kind::Continuous),
            "date" => Ok(Kind::Date),
            other => Err(format!("`{other}` is none of `categorical`, `continuous` and `date`")),
        }
    }
}

/// The masking operation of a quasi attribute, with what it needs to know beforehand.
#[derive(Clone, PartialEq, Debug)]
pub enum Masking {
    /// Replace values by less specific ones of a taxonomy.
    Generalize(Arc<Taxonomy>),
    /// Replace values by the one label `*`, except those that are disclosed.
    Suppress,
    /// Replace numbers, or dates, by intervals.
    Discretize {
        /// The declared range. Without one the outermost bounds are never written.
        range: Option<(f64, f64)>,
        /// How values are numbers, and where they may be told apart.
        axis: Axis,
    },
}

impl Masking {
    /// Replace numbers by intervals, whatever bounds are best.
    pub const fn numbers(range: Option<(f64, f64)>) -> Self {
        Masking::Discretize { range, axis: Axis::PLAIN }
    }
}
