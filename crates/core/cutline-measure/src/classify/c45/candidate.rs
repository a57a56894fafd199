//! How would a column split the cases of a node?

use super::criterion::{gain, gain_ratio, information};
use super::grow::Case;
use crate::classify::tolerance::{at_least, between, greater};
use crate::classify::{Column, Domain, Feature, MISSING};

/// Values closer than this are one value (C4.5 release 8).
const SAME_VALUE: f64 = 1e-5;

/// A numeric split never needs more cases on a side than this (C4.5 release 8).
const ENOUGH: f64 = 25.0;

/// A split that has enough cases in its branches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate {
    /// Gain in bits a case; of a numeric split, after the release 8 correction.
    pub(super) gain: f64,
    pub(super) ratio: f64,
    /// For numeric columns, the middle between the values next to the cut.
    pub(super) middle: Option<f64>,
}

/// The cases of a node, with what all columns need to know about them.
pub(super) struct Cases<'a> {
    pub(super) cases: &'a [Case],
    pub(super) classes: &'a [u32],
    pub(super) class_count: usize,
    pub(super) total: f64,
    pub(super) min_cases: f64,
}

/// A column made ready for counting.
pub(super) enum Prepared<'a> {
    Nominal { codes: &'a [u32], values: usize },
    Numeric { ranks: Vec<u32>, values: Vec<f64> },
}

impl<'a> Prepared<'a> {
    pub(super) fn new(feature: &Feature, column: &'a Column) -> Self {
        match column {
            Column::Nominal(codes) => {
                let Domain::Nominal(values) = &feature.domain else { unreachable!("the builder checked the domain") };
                Self::Nominal { codes, values: values.len() }
            }
            // Whole numbers sort faster than numbers with a point, and every node sorts.
            Column::Numeric(cells) => {
                let mut values: Vec<f64> = cells.iter().copied().filter(|value| !value.is_nan()).collect();
                values.sort_unstable_by(f64::total_cmp);
                values.dedup();
                let rank = |cell: &f64| match cell.is_nan() {
                    true => MISSING,
                    false => values.partition_point(|value| value < cell) as u32,
                };
                Self::Numeric { ranks: cells.iter().map(rank).collect(), values }
            }
        }
    }

    /// The split of this column, or none if it has not enough cases or tells nothing.
    pub(super) fn candidate(&self, node: &Cases<'_>) -> Option<Candidate> {
        match self {
            Self::Nominal { codes, values } => nominal(codes, *values, node),
            Self::Numeric { ranks, values } => numeric(ranks, values, node),
        }
    }

    /// The largest value of the whole training table that is not above the middle (C4.5, chapter 2).
    ///
    /// So a tree never shows a number that is not in the data.
    pub(super) fn threshold(&self, middle: f64) -> f64 {
        match self {
            Self::Nominal { .. } => middle,
            Self::Numeric { values, .. } => {
                let above = values.partition_point(|&value| value <= middle);
                above.checked_sub(1).map_or(middle, |index| values[index])
            }
        }
    }
}

/// One branch for every value.
fn nominal(codes: &[u32], values: usize, node: &Cases<'_>) -> Option<Candidate> {
    let width = node.class_count;
    let mut counts = vec![0.0; values * width];
    for case in node.cases {
        let code = codes[case.row as usize];
        if code != MISSING {
            counts[code as usize * width + node.classes[case.row as usize] as usize] += case.weight;
        }
    }
    let branches: Vec<f64> = counts.chunks_exact(width).map(|branch| branch.iter().sum()).collect();
    if branches.iter().filter(|&&weight| at_least(weight, node.min_cases)).count() < 2 {
        return None;
    }
    let mut known = vec![0.0; width];
    for (index, weight) in counts.iter().enumerate() {
        known[index % width] += weight;
    }
    let after = counts.chunks_exact(width).map(information).sum();
    let gain = gain(information(&known), after, node.total);
    Some(Candidate { gain, ratio: gain_ratio(gain, &branches, node.total), middle: None })
}

/// Two branches, at the cut with the highest gain.
fn numeric(ranks: &[u32], values: &[f64], node: &Cases<'_>) -> Option<Candidate> {
    let mut sorted: Vec<(u32, u32, f64)> = Vec::with_capacity(node.cases.len());
    let mut above = vec![0.0; node.class_count];
    for case in node.cases {
        let (rank, class) = (ranks[case.row as usize], node.classes[case.row as usize]);
        if rank != MISSING {
            sorted.push((rank, class, case.weight));
            above[class as usize] += case.weight;
        }
    }
    let known: f64 = above.iter().sum();
    let least = (0.1 * known / node.class_count as f64).min(ENOUGH).max(node.min_cases);
    if greater(2.0 * least, sorted.len() as f64) {
        return None;
    }
    // A stable sort: fractional weights are summed in row order, whatever the machine.
    sorted.sort_by_key(|&(rank, ..)| rank);
    let best = best_cut(&sorted, values, &mut above, least, node.total)?;

    // Quinlan 1996: the gain pays for telling which of the cuts it is.
    let gain = best.gain - f64::from(best.tries).log2() / node.total;
    if !greater(gain, 0.0) {
        return None;
    }
    let ratio = gain_ratio(gain, &[best.below, known - best.below], node.total);
    Some(Candidate { gain, ratio, middle: Some(best.middle) })
}

struct Cut {
    gain: f64,
    below: f64,
    middle: f64,
    /// Cuts with enough cases on both sides.
    tries: u32,
}

/// The first cut with the highest gain; `above` has the classes of all cases.
fn best_cut(cases: &[(u32, u32, f64)], values: &[f64], above: &mut [f64], least: f64, total: f64) -> Option<Cut> {
    let before = information(above);
    let mut below = vec![0.0; above.len()];
    let (mut below_weight, mut above_weight) = (0.0, above.iter().sum::<f64>());
    let mut best = Cut { gain: 0.0, below: 0.0, middle: f64::NAN, tries: 0 };
    for pair in cases.windows(2) {
        let [(rank, class, weight), (next, ..)] = *pair else { continue };
        below[class as usize] += weight;
        above[class as usize] -= weight;
        below_weight += weight;
        above_weight -= weight;
        let (value, next) = (values[rank as usize], values[next as usize]);
        if next - value <= SAME_VALUE || !at_least(below_weight, least) || !at_least(above_weight, least) {
            continue;
        }
        best.tries += 1;
        let gain = gain(before, information(&below) + information(above), total);
        if greater(gain, best.gain) {
            best = Cut { gain, below: below_weight, middle: between(value, next), tries: best.tries };
        }
    }
    (best.gain > 0.0).then_some(best)
}
