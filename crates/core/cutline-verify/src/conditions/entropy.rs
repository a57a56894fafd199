//! Entropy ℓ-diversity (Machanavajjhala et al. 2007): −Σ p log p ≥ log ℓ for the shares p of a group's values.
//!
//! Entropy is concave: that of a union is at least the smaller one of the two groups.

use std::sync::Arc;

use super::{ConditionKind, Judge, Judged, Rule, TOLERANCE, Worst};
use crate::sensitive::{Cell, Values, size};

pub(super) const KIND: ConditionKind = ConditionKind { name: "entropy-l", form: "entropy-l:ATTR=2.5", parse };

struct EntropyL(f64);

fn parse(text: &str) -> Result<Arc<dyn Rule>, &'static str> {
    match text.parse::<f64>() {
        Ok(l) if l >= 1.0 && l.is_finite() => Ok(Arc::new(EntropyL(l))),
        _ => Err("the effective number of values must be a number, at least 1"),
    }
}

impl Rule for EntropyL {
    fn parameter(&self) -> String {
        self.0.to_string()
    }

    fn judge<'a>(&'a self, _: &'a Values<'_>) -> Judge<'a> {
        let least = self.0.ln() - TOLERANCE;
        Box::new(move |group: &[Cell]| {
            let entropy = entropy(group);
            Judged { holds: entropy >= least, figure: entropy.exp() }
        })
    }

    fn worst(&self) -> Worst {
        Worst::Smallest
    }
}

/// −Σ (c/n) ln (c/n) = ln n − (Σ c ln c) / n for counts c and their sum n.
fn entropy(group: &[Cell]) -> f64 {
    let mut counts: Vec<u64> = group.iter().map(|cell| cell.count).collect();
    // Sums of reals depend on their order, which should not depend on the names of values.
    counts.sort_unstable();
    let n = size(group).max(1) as f64;
    let sum: f64 = counts.into_iter().map(|count| count as f64 * (count as f64).ln()).sum();
    (n.ln() - sum / n).max(0.0)
}
