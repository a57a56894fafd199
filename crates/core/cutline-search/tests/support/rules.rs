//! Conditions on sensitive values straight from their definitions, from the values of records one by one.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use cutline_model::parse_number;

use super::Cell;

/// What every group must have.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Rule {
    /// So many different values.
    Distinct(usize),
    /// An entropy of at least the logarithm of this.
    Entropy(f64),
    /// r₁ < c (r_ℓ + r_ℓ₊₁ + …).
    Recursive(f64, usize),
    /// No value with a larger share.
    Alpha(f64),
    /// This value with no larger share.
    Bound(String, f64),
    /// No larger distance from the whole table.
    TClose(f64),
    /// The same, where near values are less far apart.
    TCloseOrdered(f64),
}

/// Rounding is less, and figures that differ by more do so by much more.
const ROUNDING: f64 = 1e-9;

impl Rule {
    /// The condition as a user writes it.
    pub(crate) fn text(&self, attribute: &str) -> String {
        match self {
            Rule::Distinct(l) => format!("distinct-l:{attribute}={l}"),
            Rule::Entropy(l) => format!("entropy-l:{attribute}={l}"),
            Rule::Recursive(c, l) => format!("recursive-l:{attribute}={c},{l}"),
            Rule::Alpha(share) => format!("alpha:{attribute}={share}"),
            Rule::Bound(value, share) => format!("bound:{attribute}={value}<={share}"),
            Rule::TClose(t) => format!("t-close:{attribute}={t}"),
            Rule::TCloseOrdered(t) => format!("t-close-ordered:{attribute}={t}"),
        }
    }

    /// Does a group of records have it, in a table of these records, with those that lack a value and without them?
    pub(crate) fn holds(&self, group: &[&Cell], whole: &[&Cell]) -> bool {
        let (group, whole) = (meanings(group), meanings(whole));
        let known = |cells: &[Cell]| cells.iter().filter(|cell| cell.is_some()).cloned().collect::<Vec<Cell>>();
        self.is_true(&refs(&group), &refs(&whole)) && self.is_true(&refs(&known(&group)), &refs(&known(&whole)))
    }

    /// Can it be asked of a table of these records? A bound is about a value that one of them has.
    pub(crate) fn fits(&self, whole: &[&Cell]) -> bool {
        !matches!(self, Rule::Bound(value, _) if !meanings(whole).contains(&meaning(&Some(value.clone()))))
    }

    fn is_true(&self, group: &[&Cell], whole: &[&Cell]) -> bool {
        if group.is_empty() {
            // Nothing is known, so nothing is told, and nothing is diverse.
            return match self {
                Rule::Distinct(l) => *l <= 1,
                Rule::Recursive(..) => false,
                Rule::Entropy(l) => *l <= 1.0,
                Rule::Alpha(_) | Rule::Bound(..) | Rule::TClose(_) | Rule::TCloseOrdered(_) => true,
            };
        }
        let shares = shares(group);
        let largest = |values: &BTreeMap<&Cell, f64>| values.values().copied().fold(0.0, f64::max);
        match self {
            Rule::Distinct(l) => shares.len() >= *l,
            Rule::Entropy(l) => {
                let entropy: f64 = shares.values().map(|share| share * (1.0 / share).log2()).sum();
                entropy >= l.log2() - ROUNDING
            }
            Rule::Recursive(c, l) => {
                let mut counts: Vec<usize> = shares.keys().map(|value| count(group, value)).collect();
                counts.sort();
                counts.reverse();
                let tail: usize = counts.iter().skip(l - 1).sum();
                (counts[0] as f64) < c * tail as f64
            }
            Rule::Alpha(most) => largest(&shares) <= most + ROUNDING,
            Rule::Bound(value, most) => {
                let share = shares.get(&meaning(&Some(value.clone()))).copied().unwrap_or(0.0);
                share <= most + ROUNDING
            }
            Rule::TClose(t) => {
                let moved = values(whole).into_iter().map(|value| (share(group, value) - share(whole, value)).max(0.0));
                moved.sum::<f64>() <= t + ROUNDING
            }
            Rule::TCloseOrdered(t) => ordered_distance(group, whole) <= t + ROUNDING,
        }
    }
}

/// Texts of the same number are one value.
fn meaning(cell: &Cell) -> Cell {
    cell.as_ref().map(|text| parse_number(text).map_or(text.clone(), |number| number.to_string()))
}

fn meanings(cells: &[&Cell]) -> Vec<Cell> {
    cells.iter().map(|cell| meaning(cell)).collect()
}

fn refs(cells: &[Cell]) -> Vec<&Cell> {
    cells.iter().collect()
}

/// A step from a value to the next costs 1 / (m − 1): what must be carried over it, up or down.
fn ordered_distance(group: &[&Cell], whole: &[&Cell]) -> f64 {
    let values = values(whole);
    let carried = |upto: usize| {
        let upto = &values[..=upto];
        upto.iter().map(|value| share(group, value) - share(whole, value)).sum::<f64>().abs()
    };
    let steps = values.len() - 1;
    if steps == 0 { 0.0 } else { (0..steps).map(carried).sum::<f64>() / steps as f64 }
}

/// The values of a table: numbers in their order, then words by text; the missing one last.
fn values<'a>(whole: &[&'a Cell]) -> Vec<&'a Cell> {
    let values: Vec<&Cell> = shares(whole).into_keys().collect();
    let number = |cell: &&Cell| cell.as_deref().and_then(parse_number);
    let (mut numbers, others): (Vec<&Cell>, Vec<&Cell>) = values.into_iter().partition(|cell| number(cell).is_some());
    let (mut words, missing): (Vec<&Cell>, Vec<&Cell>) = others.into_iter().partition(|cell| cell.is_some());
    numbers.sort_by(|a, b| number(a).partial_cmp(&number(b)).unwrap_or(Ordering::Equal).then(a.cmp(b)));
    words.sort();
    [numbers, words, missing].concat()
}

fn shares<'a>(records: &[&'a Cell]) -> BTreeMap<&'a Cell, f64> {
    records.iter().map(|&value| (value, share(records, value))).collect()
}

fn share(records: &[&Cell], value: &Cell) -> f64 {
    count(records, value) as f64 / records.len() as f64
}

fn count(records: &[&Cell], value: &Cell) -> usize {
    records.iter().filter(|other| **other == value).count()
}
