//! Which labels may the page show?
//!
//! A trace may tell more than the table. Every state of a top-down search is less specific than the published one, but a bottom-up
//! search starts from the raw values: its steps name values that the release hides. A label is shown only if it is published, or
//! less specific than something published.

use cutline_model::recoding::TOP;
use cutline_model::{AttributeRecoding, Bound, Taxonomy, parse_number};

use super::outline::Place;
use super::taxonomy::places;

/// The word for a missing value in traces.
const MISSING: &str = "missing";

/// The labels of one attribute that may be shown.
pub(super) enum Shown<'a> {
    Taxonomy(&'a Taxonomy, Vec<Place>),
    Values(&'a [String]),
    Intervals(&'a [Bound]),
}

impl<'a> Shown<'a> {
    pub(super) fn new(recoding: &'a AttributeRecoding) -> Self {
        match recoding {
            AttributeRecoding::Generalize { cut, taxonomy, .. } => Shown::Taxonomy(taxonomy, places(taxonomy, cut)),
            AttributeRecoding::Suppress { disclosed, .. } => Shown::Values(disclosed),
            AttributeRecoding::Discretize { bounds, .. } => Shown::Intervals(bounds),
        }
    }

    /// May this label be shown?
    pub(super) fn allows(&self, label: &str) -> bool {
        if label == TOP || label == MISSING {
            return true;
        }
        match self {
            Shown::Taxonomy(taxonomy, places) => {
                taxonomy.node(label).is_some_and(|node| places[node.index()] != Place::Below)
            }
            Shown::Values(disclosed) => disclosed.iter().any(|value| value == label),
            Shown::Intervals(bounds) => interval_between(bounds, label),
        }
    }

    /// What is said in place of a label that may not be shown.
    pub(super) fn instead(&self) -> &'static str {
        match self {
            Shown::Taxonomy(..) => "(below the cut)",
            Shown::Values(_) => "(a hidden value)",
            Shown::Intervals(_) => "(inside a published interval)",
        }
    }
}

/// Are the ends of this interval published bounds?
fn interval_between(bounds: &[Bound], label: &str) -> bool {
    let known = |text: &str| {
        let number = parse_number(text);
        number.is_some() && bounds.iter().any(|bound| bound.0 == number)
    };
    if let Some(end) = label.strip_prefix("<").or_else(|| label.strip_prefix(">=")) {
        return known(end);
    }
    let inside = label.strip_prefix('[').and_then(|rest| rest.strip_suffix([')', ']']));
    // Numbers may have signs and exponents: the dash between the ends is the one that leaves a number on either side.
    inside.is_some_and(|ends| ends.match_indices('-').any(|(dash, _)| known(&ends[..dash]) && known(&ends[dash + 1..])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_published_bounds_are_shown() {
        let bounds = [None, Some(-5.0), Some(2.5), None].map(Bound);
        for label in ["*", "<-5", "[-5-2.5)", ">=2.5", ">=-5", "missing"] {
            assert!(Shown::Intervals(&bounds).allows(label), "{label}");
        }
        for label in ["<7", "[-5-7)", "[2.5-7]", ">=", "[-)", "[", "17"] {
            assert!(!Shown::Intervals(&bounds).allows(label), "{label}");
        }
    }

    #[test]
    fn a_leaf_is_shown_only_if_it_is_published() {
        let taxonomy = Taxonomy::parse("Any\n  School\n    9th\n    10th\n  University\n").expect("a taxonomy");
        let cut = vec!["School".to_owned(), "University".to_owned()];
        let recoding = AttributeRecoding::Generalize { cut, missing: None, taxonomy };
        let shown = Shown::new(&recoding);
        assert!(["Any", "School", "University"].iter().all(|label| shown.allows(label)));
        assert!(!["9th", "10th", "a stranger"].iter().any(|label| shown.allows(label)));
    }
}
