//! t-closeness with the equal distance (Li, Li, Venkatasubramanian 2007, section 4.2): ½ Σ |p − q| ≤ t for the shares p of
//! the values in the group and q in the whole table.
//!
//! The distance is convex in p: that of a union is at most the larger one of the two groups.

use std::sync::Arc;

use super::{ConditionKind, Judge, Rule, Worst, at_most, zero_to_one};
use crate::sensitive::{Cell, Values, size};

pub(super) const KIND: ConditionKind = ConditionKind { name: "t-close", form: "t-close:ATTR=0.2", parse };

struct TClose(f64);

fn parse(text: &str) -> Result<Arc<dyn Rule>, &'static str> {
    zero_to_one(text).map(|t| Arc::new(TClose(t)) as _).ok_or("the distance must be a number from 0 to 1")
}

impl Rule for TClose {
    fn parameter(&self) -> String {
        self.0.to_string()
    }

    fn judge<'a>(&'a self, table: &'a Values<'_>) -> Judge<'a> {
        let all = table.records();
        Box::new(move |group: &[Cell]| at_most(self.0, distance(group, table, all)))
    }

    fn worst(&self) -> Worst {
        Worst::Largest
    }
}

/// Both distributions sum to 1, so half of the differences is Σ (p − q) where p > q: values that the group lacks need no
/// look. In whole numbers up to the last division, so the order of values does not matter.
fn distance(group: &[Cell], table: &Values<'_>, all: u64) -> f64 {
    let n = size(group);
    let excess = |cell: &Cell| {
        let (here, there) = (product(cell.count, all), product(table.counts[cell.value as usize], n));
        here.saturating_sub(there)
    };
    // A group without known values has none in excess.
    group.iter().map(excess).sum::<u128>() as f64 / product(n, all).max(1) as f64
}

fn product(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}
