//! Records that are not published under their labels.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Share;

/// May records in groups that are too small be suppressed, and how?
///
/// A recoding that may suppress says so, because applying it to another table may suppress other records there. Which records were
/// suppressed is never stored: their labels would tell that such persons exist.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Suppression {
    /// The largest share of the records.
    pub limit: Share,
    /// What becomes of them.
    pub how: SuppressHow,
}

impl Suppression {
    /// The most records out of so many that a search may suppress. One stays at least: a table of nothing but suppressed records
    /// would be empty, or the table with everything masked, which needs no suppression.
    ///
    /// ```
    /// use cutline_model::recoding::{SuppressHow, Suppression};
    ///
    /// let budget = |limit: &str| Suppression { limit: limit.parse().unwrap(), how: SuppressHow::Drop };
    /// assert_eq!([budget("5%").most(40), budget("100%").most(40)], [2, 39]);
    /// ```
    pub fn most(&self, records: u64) -> u64 {
        self.limit.of(records).min(records.saturating_sub(1))
    }
}

/// What becomes of suppressed records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SuppressHow {
    /// All quasi values become `*`. The records form a group of their own; if that is too small for the requirement, they are left
    /// out.
    #[default]
    Mask,
    /// They are left out.
    Drop,
}

impl fmt::Display for SuppressHow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SuppressHow::Mask => "mask",
            SuppressHow::Drop => "drop",
        })
    }
}

impl FromStr for SuppressHow {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "mask" => Ok(SuppressHow::Mask),
            "drop" => Ok(SuppressHow::Drop),
            other => Err(format!("`{other}` is neither `mask` nor `drop`")),
        }
    }
}
