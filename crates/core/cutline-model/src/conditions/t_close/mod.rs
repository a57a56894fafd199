//! t-closeness with the equal ground distance: the distribution of the sensitive values in every group is at most t away from that
//! in the whole table, ½ Σ |pᵢ − qᵢ| ≤ t (Li, Li, Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and ℓ-diversity",
//! ICDE 2007, §4).
//!
//! **Union-closed**: the distance is convex in p, and a union's p is a weighted mean of those of its parts.
//!
//! **Missing values**: the known values of a group must be near those of the table, and with "missing" as one more value, too: a
//! group tells something if many more or fewer records lack the value than elsewhere.

use std::sync::Arc;

use super::{Check, Group, Rule, TOLERANCE, share};
use crate::shortest;

#[derive(Clone, Debug)]
struct TClose {
    attribute: String,
    t: f64,
}

pub(super) fn parse(attribute: &str, arguments: &str) -> Option<Arc<dyn Rule>> {
    Some(Arc::new(TClose { attribute: attribute.to_owned(), t: share(arguments)? }))
}

impl Rule for TClose {
    fn name(&self) -> &'static str {
        "t-close"
    }

    fn attribute(&self) -> &str {
        &self.attribute
    }

    fn arguments(&self) -> String {
        shortest(self.t)
    }

    fn prepare(&self, _: &[Option<String>]) -> Option<Box<dyn Check>> {
        Some(Box::new(self.clone()))
    }
}

fn distance(group: &Group<'_>) -> f64 {
    let (records, all) = (group.records() as f64, group.of_all().records() as f64);
    if records == 0.0 {
        // Nothing is known of the group, so nothing is told.
        return 0.0;
    }
    let differ = |(&p, &q): (&u64, &u64)| (p as f64 / records - q as f64 / all).abs();
    group.counts.iter().zip(group.whole).map(differ).sum::<f64>() / 2.0
}

impl Check for TClose {
    fn holds(&self, group: &Group<'_>) -> bool {
        distance(group) <= self.t + TOLERANCE
    }
}

#[cfg(test)]
mod tests {
    use super::super::Group;
    use super::super::tests::{check, union_closed};

    #[test]
    fn a_group_unlike_the_table_is_refused() {
        let whole = &[50, 30, 20];
        let holds = |counts: &[u64]| check("t-close:s=0.2").holds(&Group { counts, whole });
        // ½ (0.2 + 0.1 + 0.1) = 0.2 and ½ (0.3 + 0.1 + 0.2) = 0.3.
        assert!(holds(&[7, 2, 1]));
        assert!(!holds(&[8, 2, 0]));
    }

    #[test]
    fn unions_hold() {
        union_closed("t-close:s=0.15");
        union_closed("t-close:s=0.3");
    }
}
