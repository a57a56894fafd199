//! Which two columns together tell what a masked one hides?

use rayon::prelude::*;

use super::runs::combinations;
use super::{Coded, Hidden, Reveal, Runs};

/// Two columns as one: every combination of codes that occurs has a code of its own.
#[derive(Clone, Debug)]
pub struct Joined {
    codes: Vec<u32>,
    /// Of each combination the code in the first column.
    first: Vec<u32>,
}

impl Joined {
    /// The combinations of two columns of the same records.
    pub fn new(one: Coded, other: Coded) -> Self {
        let combinations = combinations(one.codes.len() as u32, [one, other].into_iter());
        let first = combinations.first_rows().into_iter().map(|record| one.codes[record as usize]);
        Joined { first: first.collect(), codes: combinations.of_row }
    }

    /// As a column.
    pub fn coded(&self) -> Coded<'_> {
        Coded { codes: &self.codes, values: self.first.len() }
    }

    /// The second column, hidden behind the first: what is known of a record is its code there.
    pub fn hidden(&self) -> Hidden<'_> {
        Hidden::new(self.coded(), self.first.clone())
    }
}

/// Two columns that together tell of a masked one what neither of them tells alone.
#[derive(Clone, Debug, PartialEq)]
pub struct TellingPair {
    /// The columns, ascending.
    pub columns: [usize; 2],
    /// What they tell together.
    pub told: Reveal,
}

/// All pairs of the candidates in which each column tells more of the hidden values than the label and the other column do. Candidates that
/// tell it alone should be left out: every pair with them would.
pub fn telling_pairs(columns: &[Coded], candidates: &[usize], labels: Coded, hidden: Coded) -> Vec<TellingPair> {
    if candidates.len() < 2 {
        return Vec::new();
    }
    let records = labels.codes.len() as u32;
    let by: Vec<Runs> = candidates.par_iter().map(|&c| Runs::whole(records).split(columns[c])).collect();
    let known: Vec<Joined> = candidates.par_iter().map(|&c| Joined::new(labels, columns[c])).collect();
    let behind: Vec<Joined> = known.par_iter().map(|known| Joined::new(known.coded(), hidden)).collect();
    let rest: Vec<Hidden> = behind.par_iter().map(Joined::hidden).collect();
    let whole = Joined::new(labels, hidden);
    let pairs: Vec<(usize, usize)> =
        (0..candidates.len()).flat_map(|a| (a + 1..candidates.len()).map(move |b| (a, b))).collect();
    let telling = |(a, b): (usize, usize)| {
        let both = rest[a].told_by(&by[b]).matters() && rest[b].told_by(&by[a]).matters();
        let told = || whole.hidden().told_by(&by[a].split(columns[candidates[b]]));
        both.then(|| TellingPair { columns: [candidates[a], candidates[b]], told: told() })
    };
    pairs.into_par_iter().filter_map(telling).collect()
}
