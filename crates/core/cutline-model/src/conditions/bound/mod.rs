//! Confidence bounding by a template ⟨QID → value, h⟩: no group points to this value with a confidence above h (Wang, Fung, Yu,
//! "Handicapping attacker's confidence: an alternative to k-anonymization", KAIS 2007, §2). Unlike (α, k)-anonymity it protects the
//! values that need it, each as much as it needs.
//!
//! **Union-closed**: the value's share in a union is a weighted mean of its shares in the parts.
//!
//! **Missing values**: the share is that among the records whose value is known. A value that no record of the table has is an error.

use std::sync::Arc;

use super::meaning::meaning;
use super::{Check, Group, Rule, TOLERANCE, share};
use crate::shortest;

#[derive(Clone, Debug)]
struct Bound {
    attribute: String,
    value: String,
    confidence: f64,
}

/// The value is everything before the last `<=`.
pub(super) fn parse(attribute: &str, arguments: &str) -> Option<Arc<dyn Rule>> {
    let (value, confidence) = arguments.rsplit_once("<=")?;
    let (value, confidence) = (value.trim().to_owned(), share(confidence)?);
    let bound = Bound { attribute: attribute.to_owned(), value, confidence };
    (!bound.value.is_empty()).then(|| Arc::new(bound) as Arc<dyn Rule>)
}

impl Rule for Bound {
    fn name(&self) -> &'static str {
        "bound"
    }

    fn attribute(&self) -> &str {
        &self.attribute
    }

    fn arguments(&self) -> String {
        format!("{}<={}", self.value, shortest(self.confidence))
    }

    fn value(&self) -> Option<&str> {
        Some(&self.value)
    }

    fn prepare(&self, values: &[Option<String>]) -> Option<Box<dyn Check>> {
        let wanted = meaning(&self.value);
        let value = values.iter().position(|value| value.as_deref().is_some_and(|value| meaning(value) == wanted))?;
        Some(Box::new(BoundCheck { value, confidence: self.confidence }))
    }
}

/// The bound on one value.
#[derive(Debug)]
struct BoundCheck {
    value: usize,
    confidence: f64,
}

impl BoundCheck {
    fn share(&self, counts: &[u64]) -> f64 {
        counts[self.value] as f64 / counts.iter().sum::<u64>().max(1) as f64
    }
}

impl Check for BoundCheck {
    fn holds(&self, group: &Group<'_>) -> bool {
        self.share(group.counts) <= self.confidence + TOLERANCE
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, refused, union_closed};
    use super::super::{Condition, Group};

    #[test]
    fn a_group_that_points_to_the_value_is_refused() {
        refused("bound:s=b<=0.2", &[7, 3, 0], &[8, 2, 0]);
        // Other values may be as frequent as they like.
        assert!(check("bound:s=b<=0.2").holds(&Group { counts: &[9, 0, 0], whole: &[9, 9, 9] }));
    }

    #[test]
    fn a_value_that_the_table_does_not_have_is_an_error() {
        let condition: Condition = "bound:s=HVI<=0.2".parse().unwrap();
        let error = condition.prepare(&[Some("HIV".to_owned()), None]).unwrap_err();
        let expected = "no record has the value that the condition `bound:s=HVI<=0.2` is about";
        assert_eq!(error.to_string(), expected, "which values records have is not told");
    }

    #[test]
    fn the_value_may_have_signs_in_it() {
        let condition: Condition = "bound:income=<=50K <= 0.5".parse().unwrap();
        assert_eq!((condition.attribute(), condition.to_string().as_str()), ("income", "bound:income=<=50K<=0.5"));
    }

    #[test]
    fn unions_hold() {
        union_closed("bound:s=b<=0.4");
    }
}
