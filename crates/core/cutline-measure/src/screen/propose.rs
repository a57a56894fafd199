//! Which few columns single out most persons?

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::{Coded, Runs};

/// Nobody is assumed to know more than so many columns of a person.
const MOST_COLUMNS: usize = 5;

/// What a step may cost, as records times columns; it decides how many sets are looked at further.
const EFFORT: usize = 200_000_000;

/// Columns that together single out so many records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The columns, ascending.
    pub columns: Vec<usize>,
    /// Records that no other is like in these columns.
    pub single: u64,
}

/// Sets of columns, from the smallest to those that single out more than half of the records (or to five columns): of every size the one
/// that singles out most, and of the last one up to three.
///
/// Sets grow by one column, from the best so far: 50 of them, fewer for large tables, so that each step takes about a second. Up to 50
/// sets of a size nothing is left out.
pub fn propose(columns: &[Coded], candidates: &[usize], records: u32) -> Vec<Proposal> {
    let width = (EFFORT / (records as usize * candidates.len()).max(1)).clamp(4, 50);
    let mut proposals = Vec::new();
    let mut best = vec![(Vec::new(), Runs::whole(records))];
    for size in 1..=MOST_COLUMNS.min(candidates.len()) {
        let found = grown(columns, candidates, &best, width);
        let enough = found.first().is_some_and(|first| first.single * 2 > u64::from(records));
        let last = enough || size == MOST_COLUMNS.min(candidates.len());
        proposals.extend(found.iter().take(if last { 3 } else { 1 }).cloned());
        if last {
            break;
        }
        let runs = |set: Proposal| {
            let runs = set.columns.iter().fold(Runs::whole(records), |runs, &column| runs.split(columns[column]));
            (set.columns, runs)
        };
        best = found.into_par_iter().map(runs).collect();
    }
    proposals
}

/// The best sets that have one column more.
fn grown(columns: &[Coded], candidates: &[usize], best: &[(Vec<usize>, Runs)], width: usize) -> Vec<Proposal> {
    let mut seen = BTreeSet::new();
    let mut larger = Vec::new();
    for (set, runs) in best {
        for &column in candidates.iter().filter(|column| !set.contains(column)) {
            let mut with = [&set[..], &[column]].concat();
            with.sort_unstable();
            if seen.insert(with.clone()) {
                larger.push((with, runs, column));
            }
        }
    }
    let single = |(set, runs, column): (Vec<usize>, &Runs, usize)| Proposal {
        columns: set,
        single: runs.crowd_with(columns[column], 0).single,
    };
    let mut found: Vec<Proposal> = larger.into_par_iter().map(single).collect();
    found.sort_by(|one, other| other.single.cmp(&one.single).then_with(|| one.columns.cmp(&other.columns)));
    found.truncate(width);
    found
}
