//! Which two columns together tell what a masked one hides?

use std::sync::OnceLock;

use cutline_table::{Code, Codes, Numbering, with_codes};
use rayon::prelude::*;

use super::{Alike, Coded, Hidden, Reveal};

/// Two columns as one: every combination of codes that occurs has a code of its own.
#[derive(Clone, Debug)]
pub struct Joined {
    codes: Codes,
    /// Of each combination the code in the first column.
    first: Vec<u32>,
}

impl Joined {
    /// The combinations of two columns of the same records.
    pub fn new(one: Coded, other: Coded) -> Self {
        let function = with_codes!(one.codes, of_one => with_codes!(other.codes, of_other => {
            function(of_one, of_other, other.values)
        }));
        if let Some((number_of, first)) = function {
            return Joined { codes: other.codes.recoded(&number_of, first.len()), first };
        }
        // On one core: whoever asks for this one asks for many at once, and waits where another one makes it.
        let mut combinations = Numbering::new(one.codes.len());
        for Coded { codes, values } in [one, other] {
            with_codes!(codes, codes => combinations.refine(codes.iter().map(|code| code.index() as u32), values));
        }
        let first = combinations.first_rows().into_iter().map(|record| one.codes.get(record as usize));
        Joined { first: first.collect(), codes: Codes::U32(combinations.of_row) }
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

/// The number of the combination that each code of the second column is in, of so many, and of each combination the code in the first
/// column: where every code has one of those, as every value has its label unless records are suppressed. Nothing if some code has several.
fn function<O: Code, C: Code>(one: &[O], other: &[C], values: usize) -> Option<(Vec<u32>, Vec<u32>)> {
    const NONE: u32 = u32::MAX;
    let (mut number_of, mut first) = (vec![NONE; values], Vec::new());
    for (of_one, of_other) in one.iter().zip(other) {
        let (of_one, number) = (of_one.index() as u32, &mut number_of[of_other.index()]);
        if *number == NONE {
            *number = first.len() as u32;
            first.push(of_one);
        }
        if first[*number as usize] != of_one {
            return None;
        }
    }
    Some((number_of, first))
}

/// Two columns that together tell of a masked one what neither of them tells alone.
#[derive(Clone, Debug, PartialEq)]
pub struct TellingPair {
    /// The columns, ascending.
    pub columns: [usize; 2],
    /// What they tell together.
    pub told: Reveal,
}

/// Columns that may tell something together. What is known of a column by itself is worked out once.
#[derive(Debug)]
pub struct Pairs<'a> {
    columns: &'a [Coded<'a>],
    /// The records by each column.
    by: Vec<Alike<'a>>,
}

impl<'a> Pairs<'a> {
    /// Pairs of these columns.
    pub fn new(columns: &'a [Coded<'a>]) -> Self {
        Pairs { columns, by: columns.iter().map(|&column| Alike::by(column)).collect() }
    }

    /// All pairs of the candidates in which each column tells more of the hidden values than the label and the other column do. Candidates
    /// that tell it alone should be left out: every pair with them would.
    pub fn telling(&self, candidates: &[usize], labels: Coded, hidden: Coded) -> Vec<TellingPair> {
        // What a label and a column leave hidden, where somebody asks.
        let behind: Vec<OnceLock<Joined>> = candidates.iter().map(|_| OnceLock::new()).collect();
        let rest: Vec<OnceLock<Hidden>> = candidates.iter().map(|_| OnceLock::new()).collect();
        let known = |at: usize| Joined::new(labels, self.columns[candidates[at]]);
        let behind = |at: usize| behind[at].get_or_init(|| Joined::new(known(at).coded(), hidden));
        let rest = |at: usize| rest[at].get_or_init(|| behind(at).hidden());
        let beyond = |one: usize, other: usize| rest(one).telling(&self.by[candidates[other]]).is_some();
        let pairs: Vec<(usize, usize)> =
            (0..candidates.len()).flat_map(|a| (a + 1..candidates.len()).map(move |b| (a, b))).collect();
        let telling = |(a, b): (usize, usize)| {
            let columns = [candidates[a], candidates[b]];
            // Behind a column of few values, combinations are few: mostly no other question has to be asked.
            let [x, y] = columns.map(|column| self.columns[column].values);
            let (few, many) = if x <= y { (a, b) } else { (b, a) };
            let told = || {
                let runs = self.by[columns[0]].runs().split(self.columns[columns[1]]);
                Joined::new(labels, hidden).hidden().told_by_runs(&runs)
            };
            (beyond(few, many) && beyond(many, few)).then(|| TellingPair { columns, told: told() })
        };
        pairs.into_par_iter().filter_map(telling).collect()
    }
}
