//! A trace without values that the release hides.
//!
//! A search that starts from the raw values passes through labels that are not published in the end. What is published, and the nodes
//! of taxonomies, may be told; values and interval bounds that the recoding hides may not.

use cutline_model::recoding::TOP;
use cutline_model::{AttributeRecoding, Recoding, Taxonomy, shortest};
use cutline_search::Step;

/// What stands in place of a hidden label.
const HIDDEN: &str = "(hidden)";

/// The steps as they may be published with a recoding.
pub(crate) fn steps(steps: &[Step], recoding: &Recoding) -> Vec<Step> {
    let redacted = |step: &Step| {
        let mut step = step.clone();
        let attribute = step.attribute().and_then(|name| recoding.attributes.get(name)).map(Allowed::new);
        let Some(allowed) = attribute else { return step };
        let private = step.attribute().is_some_and(|name| recoding.has_private_taxonomy(name));
        match &mut step {
            Step::Refinement(step) => {
                allowed.redact(&mut step.refined);
                allowed.redact_all(&mut step.into, private);
            }
            Step::Generalization(step) => {
                allowed.redact_all(&mut step.generalized, private);
                allowed.redact(&mut step.into);
            }
            Step::Improvement(_) => {}
        }
        step
    };
    steps.iter().map(redacted).collect()
}

/// The labels of an attribute that may be told.
enum Allowed<'a> {
    Nodes(&'a Taxonomy),
    Values(&'a [String]),
    Bounds(Vec<String>),
}

impl<'a> Allowed<'a> {
    fn new(recoding: &'a AttributeRecoding) -> Self {
        match recoding {
            AttributeRecoding::Generalize { taxonomy, .. } => Allowed::Nodes(taxonomy),
            AttributeRecoding::Suppress { disclosed, .. } => Allowed::Values(disclosed),
            AttributeRecoding::Discretize { bounds, .. } => {
                Allowed::Bounds(bounds.iter().filter_map(|bound| bound.0.map(shortest)).collect())
            }
        }
    }

    /// Beside nodes of a private taxonomy that are told, it is not told that others are hidden, nor ever how many: a node that is
    /// hidden beside others is one that only suppressed records have.
    fn redact_all(&self, labels: &mut Vec<String>, private: bool) {
        labels.iter_mut().for_each(|label| self.redact(label));
        if private {
            labels.retain(|label| label != HIDDEN);
            if labels.is_empty() {
                labels.push(HIDDEN.to_owned());
            }
        }
    }

    fn redact(&self, label: &mut String) {
        if label != TOP && label != "missing" && !self.allows(label) {
            *label = HIDDEN.to_owned();
        }
    }

    fn allows(&self, label: &str) -> bool {
        match self {
            Allowed::Nodes(taxonomy) => taxonomy.node(label).is_some(),
            Allowed::Values(disclosed) => disclosed.iter().any(|value| value == label),
            Allowed::Bounds(bounds) => {
                let known = |text: &str| bounds.iter().any(|bound| bound == text);
                let one_sided = label.strip_prefix(">=").or_else(|| label.strip_prefix('<'));
                let inner = label.strip_prefix('[').and_then(|rest| rest.strip_suffix([')', ']']));
                // A minus may be a sign or the dash between the bounds.
                let both = |inner: &str| {
                    inner.match_indices('-').any(|(dash, _)| known(&inner[..dash]) && known(&inner[dash + 1..]))
                };
                one_sided.is_some_and(known) || inner.is_some_and(both)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use cutline_model::Bound;

    use super::*;

    fn redacted(recoding: &AttributeRecoding, label: &str) -> String {
        let mut label = label.to_owned();
        Allowed::new(recoding).redact(&mut label);
        label
    }

    #[test]
    fn hidden_values_are_not_told() {
        let recoding = AttributeRecoding::Suppress { disclosed: vec!["Oslo".into()], missing: None };
        assert_eq!(
            ["Oslo", "Rome", "*", "missing"].map(|label| redacted(&recoding, label)),
            ["Oslo", HIDDEN, "*", "missing"]
        );
    }

    #[test]
    fn hidden_bounds_are_not_told() {
        let bounds = [None, Some(-5.0), Some(37.0), None].map(Bound).to_vec();
        let recoding = AttributeRecoding::Discretize { bounds, missing: None };
        for label in ["<-5", ">=37", "[-5-37)", "*", "<37"] {
            assert_eq!(redacted(&recoding, label), label);
        }
        for label in ["<-4", "[-5-36)", "[3-7)", "[36-37)", ">=38"] {
            assert_eq!(redacted(&recoding, label), HIDDEN, "{label}");
        }
    }

    #[test]
    fn what_a_private_taxonomy_hides_is_not_counted() {
        let taxonomy = Taxonomy::from_outline("Any\n  Low\n  High\n").unwrap();
        let recoding = AttributeRecoding::Generalize { cut: vec!["Any".into()], missing: None, taxonomy };
        let redacted = |labels: &[&str], private| {
            let mut labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
            Allowed::new(&recoding).redact_all(&mut labels, private);
            labels
        };
        assert_eq!(redacted(&["1st", "Low", "2nd"], true), ["Low"]);
        assert_eq!(redacted(&["1st", "2nd"], true), [HIDDEN]);
        assert_eq!(redacted(&["1st", "Low", "2nd"], false), [HIDDEN, "Low", HIDDEN]);
    }

    #[test]
    fn nodes_of_the_taxonomy_may_be_told() {
        let taxonomy = Taxonomy::from_outline("Any\n  Low\n  High\n").unwrap();
        let recoding = AttributeRecoding::Generalize { cut: vec!["Any".into()], missing: None, taxonomy };
        assert_eq!((redacted(&recoding, "Low"), redacted(&recoding, "Lov")), ("Low".to_owned(), HIDDEN.to_owned()));
    }
}
