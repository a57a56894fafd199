//! What a table is published for.

use std::fmt;

/// What the published table is for: it decides which refinements are worth their loss of anonymity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Train a classifier for the target attribute.
    Classification {
        /// The attribute to predict.
        target: String,
    },
    /// Fit a regression of the numeric target attribute.
    Regression {
        /// The attribute to predict.
        target: String,
    },
    /// Find clusters like those of the raw records.
    Clustering {
        /// How many there are.
        clusters: u32,
    },
    /// Unknown: distort as little as possible.
    General,
}

impl Purpose {
    /// The attribute that the purpose predicts, if it predicts one.
    pub fn target(&self) -> Option<&str> {
        match self {
            Purpose::Classification { target } | Purpose::Regression { target } => Some(target),
            Purpose::Clustering { .. } | Purpose::General => None,
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Purpose::Classification { target } => write!(f, "classification of {target}"),
            Purpose::Regression { target } => write!(f, "regression of {target}"),
            Purpose::Clustering { clusters } => write!(f, "clustering into {clusters} clusters"),
            Purpose::General => f.write_str("general use"),
        }
    }
}
