//! Which values of a sensitive attribute are the same, and which are none?
//!
//! A condition is about what a reader learns of a person. So texts that say the same number (`1000`, `1000.0`) are one value, and a
//! missing value never adds diversity: every condition must hold twice, for the group with "missing" as a value like others, and
//! for its records whose value is known. What that means for each condition is said in its folder.
//!
//! **Union-closed**: the known records of a union are those of its parts, so both halves are, if the condition is.

use std::collections::HashMap;

use super::{Check, Group};
use crate::parse_number;

/// The values of a table's sensitive attribute by what they mean.
pub(super) struct Meanings {
    /// The different values; `None` is the missing one.
    pub(super) values: Vec<Option<String>>,
    /// For every value as it is written, its place among them.
    places: Vec<usize>,
}

impl Meanings {
    pub(super) fn new(written: &[Option<String>]) -> Self {
        let mut found: HashMap<Option<String>, usize> = HashMap::new();
        let mut values = Vec::new();
        let mut place = |value: &Option<String>| {
            let value = value.as_deref().map(meaning);
            *found.entry(value.clone()).or_insert_with(|| {
                values.push(value);
                values.len() - 1
            })
        };
        let places = written.iter().map(&mut place).collect();
        Meanings { values, places }
    }

    /// The condition on values as they are written, made from the one on what they mean.
    pub(super) fn check(self, check: Box<dyn Check>) -> Box<dyn Check> {
        let missing = self.values.iter().position(Option::is_none);
        if missing.is_none() && self.values.len() == self.places.len() {
            return check;
        }
        Box::new(ByMeaning { places: self.places, values: self.values.len(), missing, check })
    }
}

/// Texts of the same number have the same meaning. A number does not start with needless zeros: `007` is a code.
pub(super) fn meaning(text: &str) -> String {
    let text = text.trim();
    let digits = text.trim_start_matches(['+', '-']).as_bytes();
    let code = digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit();
    parse_number(text).filter(|_| !code).map_or_else(|| text.to_owned(), |number| number.to_string())
}

#[derive(Debug)]
struct ByMeaning {
    places: Vec<usize>,
    /// The number of different values.
    values: usize,
    missing: Option<usize>,
    check: Box<dyn Check>,
}

impl ByMeaning {
    fn by_value(&self, written: &[u64]) -> Vec<u64> {
        let mut counts = vec![0; self.values];
        self.places.iter().zip(written).for_each(|(&place, count)| counts[place] += count);
        counts
    }
}

impl Check for ByMeaning {
    fn holds(&self, group: &Group<'_>) -> bool {
        let (mut counts, mut whole) = (self.by_value(group.counts), self.by_value(group.whole));
        let holds = |counts: &[u64], whole: &[u64]| self.check.holds(&Group { counts, whole });
        if !holds(&counts, &whole) {
            return false;
        }
        let Some(missing) = self.missing.filter(|&missing| whole[missing] > 0) else { return true };
        (counts[missing], whole[missing]) = (0, 0);
        holds(&counts, &whole)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Condition;
    use super::*;

    fn holds(text: &str, written: &[Option<&str>], counts: &[u64], whole: &[u64]) -> bool {
        let written: Vec<Option<String>> = written.iter().map(|value| value.map(str::to_owned)).collect();
        text.parse::<Condition>().unwrap().prepare(&written).unwrap().holds(&Group { counts, whole })
    }

    /// A group of 9 with one value and `missing` without one, in a table that has more values.
    fn diluted(text: &str, missing: u64) -> bool {
        let written = [Some("HIV"), None, Some("flu"), Some("asthma")];
        holds(text, &written, &[9, missing, 0, 0], &[9, missing + 5, 9, 9])
    }

    #[test]
    fn a_missing_value_never_adds_diversity() {
        for text in [
            "distinct-l:s=2",
            "entropy-l:s=1.01",
            "recursive-l:s=20,2",
            "alpha:s=0.9",
            "bound:s=HIV<=0.9",
            "t-close:s=0.6",
            "t-close-ordered:s=0.45",
        ] {
            for missing in [0, 1, 9, 90] {
                assert!(!diluted(text, missing), "{text} with {missing} missing");
            }
        }
    }

    #[test]
    fn a_group_without_known_values_says_nothing_of_a_value_and_is_not_diverse() {
        let holds = |text| holds(text, &[Some("HIV"), None], &[0, 5], &[5, 5]);
        assert!(holds("bound:s=HIV<=0") && holds("t-close:s=0.5") && holds("t-close-ordered:s=0.5"));
        assert!(
            holds("distinct-l:s=1") && !holds("distinct-l:s=2") && !holds("recursive-l:s=9,2") && !holds("alpha:s=0.9")
        );
    }

    #[test]
    fn texts_of_the_same_number_are_one_value() {
        let written = [Some("1000"), Some("1000.0"), Some("1e3"), Some("7")];
        assert!(!holds("distinct-l:s=2", &written, &[3, 3, 3, 0], &[3, 3, 3, 3]));
        assert!(holds("distinct-l:s=2", &written, &[3, 3, 3, 1], &[3, 3, 3, 3]));
        assert!(!holds("bound:s=1000.00<=0.5", &written, &[2, 2, 2, 4], &[3, 3, 3, 4]));
        assert!(!holds("alpha:s=0.5", &written, &[2, 2, 2, 4], &[3, 3, 3, 4]));
    }

    #[test]
    fn a_code_with_leading_zeros_is_no_number() {
        let meanings = ["007", "7", "0", "-0", "0.5", ".5", "00", "1e400", "x"].map(meaning);
        assert_eq!(meanings, ["007", "7", "0", "0", "0.5", "0.5", "00", "1e400", "x"]);
    }
}
