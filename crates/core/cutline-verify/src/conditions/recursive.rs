//! Recursive (c, ℓ)-diversity (Machanavajjhala et al. 2007): with the counts of a group's values r1 ≥ r2 ≥ … ≥ rm,
//! r1 < c·(rℓ + … + rm). With fewer than ℓ values the sum is empty, and the condition violated.
//!
//! In a union, r1 is at most the sum of both r1, and its ℓ−1 most frequent values have at most as many records as those of
//! both groups together, so the tail is at least the sum of both tails.

use std::cmp::Reverse;
use std::sync::Arc;

use super::{ConditionKind, Judge, Judged, Rule, Worst};
use crate::sensitive::{Cell, Values};

pub(super) const KIND: ConditionKind = ConditionKind { name: "recursive-l", form: "recursive-l:ATTR=2,3", parse };

struct RecursiveL {
    c: f64,
    l: usize,
}

fn parse(text: &str) -> Result<Arc<dyn Rule>, &'static str> {
    let (c, l) = text.split_once(',').ok_or("it must have two numbers, c and l")?;
    let c = c.trim().parse().ok().filter(|c: &f64| *c > 0.0 && c.is_finite()).ok_or("c must be a number above 0")?;
    let l = l.trim().parse().ok().filter(|&l| l >= 2).ok_or("l must be a whole number, at least 2")?;
    Ok(Arc::new(RecursiveL { c, l }))
}

impl Rule for RecursiveL {
    fn parameter(&self) -> String {
        format!("{},{}", self.c, self.l)
    }

    fn judge<'a>(&'a self, _: &'a Values<'_>) -> Judge<'a> {
        Box::new(|group: &[Cell]| {
            let mut counts: Vec<u64> = group.iter().map(|cell| cell.count).collect();
            counts.sort_unstable_by_key(|&count| Reverse(count));
            let first = counts.first().copied().unwrap_or(0) as f64;
            let tail = counts.iter().skip(self.l - 1).sum::<u64>() as f64;
            // No tolerance: it would turn the definition's `<` into `≤`.
            let figure = if tail > 0.0 { first / tail } else { f64::INFINITY };
            Judged { holds: first < self.c * tail, figure }
        })
    }

    fn worst(&self) -> Worst {
        Worst::Largest
    }
}
