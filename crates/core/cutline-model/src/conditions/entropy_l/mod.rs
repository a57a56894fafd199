//! Entropy ℓ-diversity: the entropy of the sensitive values in every group is at least log ℓ (Machanavajjhala et al., TKDD 2007,
//! definition 4.1).
//!
//! **Union-closed**: entropy is concave, so that of a union, a weighted mean of distributions, is at least the smaller one of its
//! parts.
//!
//! **Missing values**: the smaller one of two entropies counts, that of the known values and that with "missing" as one more value.

use std::sync::Arc;

use super::{Check, Group, Rule, TOLERANCE};
use crate::shortest;

#[derive(Clone, Debug)]
struct EntropyL {
    attribute: String,
    l: f64,
}

pub(super) fn parse(attribute: &str, arguments: &str) -> Option<Arc<dyn Rule>> {
    let l = arguments.parse().ok().filter(|&l: &f64| l.is_finite() && l >= 1.0)?;
    Some(Arc::new(EntropyL { attribute: attribute.to_owned(), l }))
}

impl Rule for EntropyL {
    fn name(&self) -> &'static str {
        "entropy-l"
    }

    fn attribute(&self) -> &str {
        &self.attribute
    }

    fn arguments(&self) -> String {
        shortest(self.l)
    }

    fn prepare(&self, _: &[Option<String>]) -> Option<Box<dyn Check>> {
        Some(Box::new(self.clone()))
    }
}

fn entropy(group: &Group<'_>) -> f64 {
    let records = group.records() as f64;
    let term = |&count: &u64| {
        let share = count as f64 / records;
        -share * share.ln()
    };
    group.counts.iter().filter(|count| **count > 0).map(term).sum()
}

impl Check for EntropyL {
    fn holds(&self, group: &Group<'_>) -> bool {
        entropy(group) >= self.l.ln() - TOLERANCE
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{refused, union_closed};

    #[test]
    fn a_skewed_group_is_refused() {
        // Two even values have exactly the entropy log 2.
        refused("entropy-l:s=2", &[5, 4, 0], &[5, 5, 0]);
        refused("entropy-l:s=2.5", &[5, 5, 0], &[4, 3, 3]);
    }

    #[test]
    fn unions_hold() {
        union_closed("entropy-l:s=1.7");
        union_closed("entropy-l:s=2");
    }
}
