//! (α, k)-anonymity: in every group of at least k records, no sensitive value has a share above α (Wong, Li, Fu, Wang, "(α, k)-anonymity:
//! an enhanced k-anonymity model for privacy preserving data publishing", KDD 2006). k is that of the QID.
//!
//! **Union-closed**: a value's share in a union is a weighted mean of its shares in the parts.
//!
//! **Missing values**: neither a known value among the known ones nor "missing" among all may have a share above α; records that lack
//! a value do not dilute the shares of others.

use std::sync::Arc;

use super::{Check, Group, Rule, TOLERANCE, largest_share, share};
use crate::shortest;

#[derive(Clone, Debug)]
struct Alpha {
    attribute: String,
    alpha: f64,
}

pub(super) fn parse(attribute: &str, arguments: &str) -> Option<Arc<dyn Rule>> {
    Some(Arc::new(Alpha { attribute: attribute.to_owned(), alpha: share(arguments)? }))
}

impl Rule for Alpha {
    fn name(&self) -> &'static str {
        "alpha"
    }

    fn attribute(&self) -> &str {
        &self.attribute
    }

    fn arguments(&self) -> String {
        shortest(self.alpha)
    }

    fn prepare(&self, _: &[Option<String>]) -> Option<Box<dyn Check>> {
        Some(Box::new(self.clone()))
    }
}

impl Check for Alpha {
    fn holds(&self, group: &Group<'_>) -> bool {
        largest_share(group.counts) <= self.alpha + TOLERANCE
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{refused, union_closed};

    #[test]
    fn a_value_that_is_too_frequent_is_refused() {
        refused("alpha:s=0.5", &[6, 4, 0], &[5, 4, 1]);
        refused("alpha:s=0.3", &[4, 3, 3], &[]);
    }

    #[test]
    fn unions_hold() {
        union_closed("alpha:s=0.5");
        union_closed("alpha:s=0.7");
    }
}
