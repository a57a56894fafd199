//! The α of (α, k)-anonymity (Wong, Li, Fu, Wang 2006): no value has a share above α.
//!
//! A share in a union lies between the shares in the two groups.

use std::sync::Arc;

use super::{ConditionKind, Judge, Rule, Worst, at_most, share, zero_to_one};
use crate::sensitive::{Cell, Values};

pub(super) const KIND: ConditionKind = ConditionKind { name: "alpha", form: "alpha:ATTR=0.5", parse };

struct Alpha(f64);

fn parse(text: &str) -> Result<Arc<dyn Rule>, &'static str> {
    match zero_to_one(text) {
        Some(alpha) if alpha > 0.0 => Ok(Arc::new(Alpha(alpha))),
        _ => Err("the share must be a number above 0, at most 1"),
    }
}

impl Rule for Alpha {
    fn parameter(&self) -> String {
        self.0.to_string()
    }

    fn judge<'a>(&'a self, _: &'a Values<'_>) -> Judge<'a> {
        Box::new(|group: &[Cell]| {
            let most = group.iter().map(|cell| cell.count).max().unwrap_or(0);
            at_most(self.0, share(most, group))
        })
    }

    fn worst(&self) -> Worst {
        Worst::Largest
    }
}
