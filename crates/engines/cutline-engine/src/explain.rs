//! What would be asked of an engine that is sent statements?

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{CompressPlan, OutputColumn};

/// A release that is only thought of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExplainPlan {
    /// What is counted.
    pub compress: CompressPlan,
    /// The published columns.
    pub columns: Vec<OutputColumn>,
    /// What is recounted: the columns of each QID, and its threshold.
    pub qids: Vec<(Vec<usize>, u64)>,
    /// The most records that are drawn to be looked at; nothing if none may be.
    pub drawn: Option<usize>,
    /// From more combinations on, the search asks for counts that stay small; nothing if it needs all.
    pub most: Option<u64>,
}

/// A statement that would be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// What it is for.
    pub what: String,
    /// Its text; what is not known before the search is written in words, within `‹` and `›`.
    pub text: String,
    /// What comes back.
    pub rows: Rows,
}

/// How many rows come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rows {
    /// None: the server writes.
    None,
    /// So many.
    Exactly(u64),
    /// Not more.
    AtMost(u64),
    /// One for each group of records and each part that it could fall into: known when the search is there.
    ByGroup,
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rows::None => f.write_str("no rows"),
            Rows::Exactly(1) => f.write_str("1 row"),
            Rows::Exactly(rows) => write!(f, "{rows} rows"),
            Rows::AtMost(rows) => write!(f, "at most {rows} rows"),
            Rows::ByGroup => f.write_str("as many rows as groups have parts"),
        }
    }
}
