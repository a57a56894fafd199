//! How intervals are written.

use crate::{Bound, shortest};

/// The label of an attribute of which nothing is published.
pub const TOP: &str = "*";

/// The label of one interval. The last interval of an attribute includes its upper bound.
///
/// A bound that was not declared would be the data's own extreme, which may identify someone, and is never written.
pub fn interval_label(lower: Option<f64>, upper: Option<f64>, last: bool) -> String {
    match (lower, upper) {
        (None, None) => TOP.to_owned(),
        (None, Some(upper)) => format!("<{}", shortest(upper)),
        (Some(lower), None) => format!(">={}", shortest(lower)),
        (Some(lower), Some(upper)) => {
            let close = if last { ']' } else { ')' };
            format!("[{}-{}{close}", shortest(lower), shortest(upper))
        }
    }
}

/// The labels of all intervals between the bounds.
pub fn interval_labels(bounds: &[Bound]) -> Vec<String> {
    let last = bounds.len().saturating_sub(2);
    bounds.windows(2).enumerate().map(|(index, pair)| interval_label(pair[0].0, pair[1].0, index == last)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_ranges_are_written_out() {
        let bounds = [1.0, 37.0, 99.0].map(|number| Bound(Some(number)));
        assert_eq!(interval_labels(&bounds), ["[1-37)", "[37-99]"]);
    }

    #[test]
    fn undeclared_extremes_are_never_written() {
        let bounds = [None, Some(37.0), Some(50.5), None].map(Bound);
        assert_eq!(interval_labels(&bounds), ["<37", "[37-50.5)", ">=50.5"]);
        assert_eq!(interval_labels(&[Bound(None), Bound(None)]), ["*"]);
    }
}
