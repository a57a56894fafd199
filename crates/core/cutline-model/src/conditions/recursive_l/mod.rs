//! Recursive (c, ℓ)-diversity: with the group's counts r₁ ≥ r₂ ≥ …, r₁ < c (r_ℓ + r_ℓ₊₁ + …): the most frequent value does not
//! appear too often, even when ℓ − 2 others are ruled out (Machanavajjhala et al., TKDD 2007, definition 4.2).
//!
//! **Union-closed** (their §4.2): the tail of a union, what is left when its ℓ − 1 most frequent values are taken out, is at least
//! the sum of the tails of its parts, because taking any ℓ − 1 values out of a part leaves at least its tail; and its r₁ is at most
//! the sum of theirs.
//!
//! **Missing values**: it must hold of the known values, and with "missing" as one more value, which may be the most frequent.

use std::sync::Arc;

use super::{Check, Group, Rule};
use crate::shortest;

#[derive(Clone, Debug)]
struct RecursiveL {
    attribute: String,
    c: f64,
    l: usize,
}

pub(super) fn parse(attribute: &str, arguments: &str) -> Option<Arc<dyn Rule>> {
    let (c, l) = arguments.split_once(',')?;
    let c = c.trim().parse().ok().filter(|&c: &f64| c.is_finite() && c > 0.0)?;
    let l = l.trim().parse().ok().filter(|&l| l >= 2)?;
    Some(Arc::new(RecursiveL { attribute: attribute.to_owned(), c, l }))
}

impl Rule for RecursiveL {
    fn name(&self) -> &'static str {
        "recursive-l"
    }

    fn attribute(&self) -> &str {
        &self.attribute
    }

    fn arguments(&self) -> String {
        format!("{},{}", shortest(self.c), self.l)
    }

    fn prepare(&self, _: &[Option<String>]) -> Option<Box<dyn Check>> {
        Some(Box::new(self.clone()))
    }
}

impl RecursiveL {
    /// r₁ and r_ℓ + r_ℓ₊₁ + ….
    fn head_and_tail(&self, group: &Group<'_>) -> (u64, u64) {
        let mut counts = group.counts.to_vec();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        (counts.first().copied().unwrap_or(0), counts.iter().skip(self.l - 1).sum())
    }
}

impl Check for RecursiveL {
    fn holds(&self, group: &Group<'_>) -> bool {
        let (head, tail) = self.head_and_tail(group);
        // The margin keeps equality from passing where the product is rounded up.
        (head as f64) < self.c * tail as f64 * (1.0 - 1e-12)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{refused, union_closed};

    #[test]
    fn a_value_that_is_too_frequent_is_refused() {
        // 6 is not below 2 × 3.
        refused("recursive-l:s=2,2", &[6, 2, 1], &[5, 2, 1]);
        refused("recursive-l:s=2,3", &[5, 5, 0], &[3, 3, 2]);
    }

    #[test]
    fn unions_hold() {
        union_closed("recursive-l:s=2,2");
        union_closed("recursive-l:s=3,3");
    }
}
