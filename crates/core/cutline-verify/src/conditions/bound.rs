//! Confidence bounding (Wang, Fung, Yu 2005, 2007): who knows the group infers one value with at most so much confidence.
//!
//! A share in a union lies between the shares in the two groups.

use std::sync::Arc;

use super::{ConditionKind, Judge, Rule, Worst, at_most, share, zero_to_one};
use crate::sensitive::{Cell, Values};

pub(super) const KIND: ConditionKind = ConditionKind { name: "bound", form: "bound:ATTR=VALUE<=0.2", parse };

struct Bound {
    /// Empty, or one of the texts that stand for it, for the missing value.
    value: String,
    share: f64,
}

fn parse(text: &str) -> Result<Arc<dyn Rule>, &'static str> {
    let (value, share) = text.rsplit_once("<=").ok_or("there is no `<=` behind a value")?;
    let share = zero_to_one(share).ok_or("the confidence must be a number from 0 to 1")?;
    Ok(Arc::new(Bound { value: value.trim().to_owned(), share }))
}

impl Rule for Bound {
    fn parameter(&self) -> String {
        format!("{}<={}", self.value, self.share)
    }

    fn judge<'a>(&'a self, table: &'a Values<'_>) -> Judge<'a> {
        let wanted = table.place(&self.value);
        Box::new(move |group: &[Cell]| {
            let cell = group.iter().find(|cell| Some(cell.value as usize) == wanted);
            at_most(self.share, share(cell.map_or(0, |cell| cell.count), group))
        })
    }

    fn worst(&self) -> Worst {
        Worst::Largest
    }

    fn value(&self) -> Option<&str> {
        Some(&self.value)
    }
}
