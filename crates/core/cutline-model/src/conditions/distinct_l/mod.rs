//! Distinct ℓ-diversity: every group has at least ℓ different sensitive values (Machanavajjhala, Kifer, Gehrke,
//! Venkitasubramaniam, "ℓ-diversity: privacy beyond k-anonymity", TKDD 2007, §4).
//!
//! **Union-closed**: a union has every value that one of its parts has. More than that, a part of a violating group violates it too.
//!
//! **Missing values**: "missing" is no value: nine HIV and one blank are one value.

use std::sync::Arc;

use super::{Check, Group, Rule};

#[derive(Clone, Debug)]
struct DistinctL {
    attribute: String,
    l: u64,
}

pub(super) fn parse(attribute: &str, arguments: &str) -> Option<Arc<dyn Rule>> {
    let l = arguments.parse().ok().filter(|&l| l >= 1)?;
    Some(Arc::new(DistinctL { attribute: attribute.to_owned(), l }))
}

impl Rule for DistinctL {
    fn name(&self) -> &'static str {
        "distinct-l"
    }

    fn attribute(&self) -> &str {
        &self.attribute
    }

    fn arguments(&self) -> String {
        self.l.to_string()
    }

    fn prepare(&self, _: &[Option<String>]) -> Option<Box<dyn Check>> {
        Some(Box::new(self.clone()))
    }
}

/// Records without a known value are like records of one value: ℓ = 1 asks for nothing.
fn distinct(group: &Group<'_>) -> u64 {
    group.counts.iter().filter(|count| **count > 0).count().max(1) as u64
}

impl Check for DistinctL {
    fn holds(&self, group: &Group<'_>) -> bool {
        distinct(group) >= self.l
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{refused, union_closed};

    #[test]
    fn a_homogeneous_group_is_refused() {
        refused("distinct-l:s=2", &[7, 0, 0], &[6, 1, 0]);
        refused("distinct-l:s=3", &[4, 3, 0], &[1, 1, 1]);
    }

    #[test]
    fn unions_hold() {
        union_closed("distinct-l:s=2");
        union_closed("distinct-l:s=3");
    }
}
