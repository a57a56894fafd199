//! The same release under other requirements.

use std::fmt;

use super::Aligned;
use crate::number::{count, percent};
use crate::{Alternative, Change, ErrorKind, Figures, WhatIf};

/// A line for each alternative.
#[derive(Clone, Copy, Debug)]
pub struct WhatIfSummary<'a>(pub &'a WhatIf);

impl fmt::Display for WhatIfSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = match self.0.error {
            Some(ErrorKind::Classes) => Some("error"),
            Some(ErrorKind::Numbers) => Some("variance left"),
            None => None,
        };
        let heads = ["what if", "loss"].into_iter().chain(error).chain(["suppressed", "groups", "smallest group"]);
        let rows = self.0.alternatives.iter().map(row);
        write!(f, "{}", Aligned::new(heads).numbers(&[1, 2, 3, 4, 5]).rows(rows))?;
        writeln!(
            f,
            "loss: how much of its domain an entry of these attributes can no longer be told from, on average (LM)"
        )?;
        match self.0.error {
            Some(ErrorKind::Classes) => {
                writeln!(
                    f,
                    "error: records that are suppressed or not of their group's majority class (CM); no model was trained"
                )
            }
            Some(ErrorKind::Numbers) => {
                writeln!(f, "variance left: of the target, within groups (RM); no model was trained")
            }
            None => Ok(()),
        }
    }
}

fn row(alternative: &Alternative) -> Vec<String> {
    let name = told(&alternative.change);
    let Some(Figures { loss, groups, smallest, suppressed, error }) = alternative.figures else {
        return vec![name, "impossible".to_owned()];
    };
    let figures = [Some(percent(loss)), error.map(percent)].into_iter().flatten();
    std::iter::once(name).chain(figures).chain([suppressed, groups, smallest].map(count)).collect()
}

/// What is otherwise, in a few words.
pub(crate) fn told(change: &Change) -> String {
    match change {
        Change::Nothing => "as it is".to_owned(),
        Change::Thresholds(thresholds) => {
            let thresholds: Vec<String> = thresholds.iter().map(|&k| count(k)).collect();
            format!("k = {}", thresholds.join(", "))
        }
        Change::Limit(limit) => format!("suppress limit {limit}"),
        Change::Without(attribute) => format!("without {attribute}"),
    }
}
