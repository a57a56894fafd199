//! t-closeness with the ordered ground distance: as [`super::t_close`], but moving a share to a near value costs less than to a
//! distant one: Σᵢ |Σⱼ≤ᵢ (pⱼ − qⱼ)| / (m − 1) ≤ t (Li et al., ICDE 2007, §4.1). Numbers come first, in
//! their order, then words by their text, then a missing value: so that a word among numbers (`unknown`) does not put 10 before 9, by which
//! a group of low numbers would be near to all others.
//!
//! **Union-closed**: the distance is convex in p, and a union's p is a weighted mean of those of its parts.
//!
//! **Missing values**: as for [`super::t_close`]; "missing" comes last.

use std::sync::Arc;

use super::{Check, Group, Rule, TOLERANCE, share};
use crate::{parse_number, shortest};

#[derive(Clone, Debug)]
struct TCloseOrdered {
    attribute: String,
    t: f64,
}

pub(super) fn parse(attribute: &str, arguments: &str) -> Option<Arc<dyn Rule>> {
    Some(Arc::new(TCloseOrdered { attribute: attribute.to_owned(), t: share(arguments)? }))
}

impl Rule for TCloseOrdered {
    fn name(&self) -> &'static str {
        "t-close-ordered"
    }

    fn attribute(&self) -> &str {
        &self.attribute
    }

    fn arguments(&self) -> String {
        shortest(self.t)
    }

    fn prepare(&self, values: &[Option<String>]) -> Option<Box<dyn Check>> {
        let numbers: Vec<Option<f64>> = values.iter().map(|value| value.as_deref().and_then(parse_number)).collect();
        let by_text = |a: usize, b: usize| {
            let missing = values[a].is_none().cmp(&values[b].is_none());
            missing.then_with(|| values[a].cmp(&values[b]))
        };
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| match (numbers[a], numbers[b]) {
            (Some(one), Some(other)) => one.total_cmp(&other).then_with(|| by_text(a, b)),
            (one, other) => other.is_some().cmp(&one.is_some()).then_with(|| by_text(a, b)),
        });
        Some(Box::new(Ordered { order, t: self.t }))
    }
}

/// The condition with the table's values in order.
#[derive(Debug)]
struct Ordered {
    order: Vec<usize>,
    t: f64,
}

impl Ordered {
    /// Only values of the whole table count: records that are left out may take values with them.
    fn distance(&self, group: &Group<'_>) -> f64 {
        let (records, all) = (group.records() as f64, group.of_all().records() as f64);
        if records == 0.0 {
            // Nothing is known of the group, so nothing is told.
            return 0.0;
        }
        let (mut carried, mut distance, mut values) = (0.0, 0.0, 0usize);
        for &value in self.order.iter().filter(|value| group.whole[**value] > 0) {
            carried += group.counts[value] as f64 / records - group.whole[value] as f64 / all;
            distance += f64::abs(carried);
            values += 1;
        }
        distance / values.saturating_sub(1).max(1) as f64
    }
}

impl Check for Ordered {
    fn holds(&self, group: &Group<'_>) -> bool {
        self.distance(group) <= self.t + TOLERANCE
    }
}

#[cfg(test)]
mod tests {
    use super::super::Group;
    use super::super::tests::{named, union_closed};

    #[test]
    fn near_values_are_less_far_apart() {
        // The paper's salaries, in thousands: {3, 4, 5} is 0.375 from the whole, {6, 8, 11} is 0.167 (§4.1).
        let salaries: Vec<String> = (3..12).map(|salary| salary.to_string()).collect();
        let salaries: Vec<&str> = salaries.iter().map(String::as_str).collect();
        let holds = |t: &str, counts: &[u64; 9]| {
            named(&format!("t-close-ordered:s={t}"), &salaries).holds(&Group { counts, whole: &[1; 9] })
        };
        let low = [1, 1, 1, 0, 0, 0, 0, 0, 0];
        assert!(holds("0.376", &low) && !holds("0.374", &low));
        let spread = [0, 0, 0, 1, 0, 1, 0, 0, 1];
        assert!(holds("0.168", &spread) && !holds("0.166", &spread));
    }

    #[test]
    fn values_that_nobody_has_any_more_do_not_count() {
        let holds = |values: &[&str], t: &str, counts: &[u64], whole: &[u64]| {
            named(&format!("t-close-ordered:s={t}"), values).holds(&Group { counts, whole })
        };
        // Of 1 and 9 alone, {1} is ½ from the whole, whatever other values there were.
        assert!(holds(&["1", "9"], "0.5", &[1, 0], &[1, 1]) && !holds(&["1", "9"], "0.49", &[1, 0], &[1, 1]));
        assert!(!holds(&["1", "9", "95"], "0.49", &[1, 0, 0], &[1, 1, 0]));
    }

    #[test]
    fn a_word_among_numbers_does_not_change_their_order() {
        let holds = |t: &str, counts: &[u64], whole: &[u64]| {
            named(&format!("t-close-ordered:s={t}"), &["10", "100", "9", "x"]).holds(&Group { counts, whole })
        };
        // 10 comes between 9 and 100, with the word or without it.
        assert!(holds("0.34", &[1, 0, 0, 0], &[1, 1, 1, 1]));
        assert!(holds("0.34", &[1, 0, 0, 0], &[1, 1, 1, 0]));
        // The lowest number is as far from all others as it can be: not near them because its text comes last.
        assert!(holds("0.5", &[0, 0, 1, 0], &[1, 1, 1, 1]) && !holds("0.49", &[0, 0, 1, 0], &[1, 1, 1, 1]));
    }

    #[test]
    fn unions_hold() {
        union_closed("t-close-ordered:s=0.15");
    }
}
