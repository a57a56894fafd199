//! Distinct ℓ-diversity (Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam 2007): at least ℓ distinct values.
//!
//! A union has all values of both groups, so it satisfies what one of them does.

use std::sync::Arc;

use super::{ConditionKind, Judge, Judged, Rule, Worst};
use crate::sensitive::{Cell, Values};

pub(super) const KIND: ConditionKind = ConditionKind { name: "distinct-l", form: "distinct-l:ATTR=3", parse };

struct DistinctL(u64);

fn parse(text: &str) -> Result<Arc<dyn Rule>, &'static str> {
    match text.parse() {
        Ok(l) if l >= 1 => Ok(Arc::new(DistinctL(l))),
        _ => Err("the number of values must be a whole number, at least 1"),
    }
}

impl Rule for DistinctL {
    fn parameter(&self) -> String {
        self.0.to_string()
    }

    fn judge<'a>(&'a self, _: &'a Values<'_>) -> Judge<'a> {
        Box::new(|group: &[Cell]| {
            // Records without a known value are like records of one value.
            let values = group.len().max(1) as u64;
            Judged { holds: values >= self.0, figure: values as f64 }
        })
    }

    fn worst(&self) -> Worst {
        Worst::Smallest
    }
}
