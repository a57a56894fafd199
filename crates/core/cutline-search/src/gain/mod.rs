//! What a refinement is worth, by purpose.
//!
//! A recoding is global: the records masked to a value v are all records whose attribute lies below v, whatever their other
//! attributes are. So InfoGain(v) needs nothing but the table-wide label counts per (attribute, code), and is not changed by
//! refinements of other attributes (2007 paper, §4.4.1). Counts are kept as running sums over the codes: the statistics of any
//! run of codes are the difference of two of them.

mod entropy;
mod kinds;
mod records;
mod variance;

use std::hash::Hash;
use std::ops::Range;

use cutline_table::{CompressedTable, Domain};

pub(crate) use entropy::{Entropy, share as entropy_share};
pub(crate) use kinds::Kinds;
pub(crate) use records::Records;
pub(crate) use variance::{Moments, Targets, Variance};

/// The label statistics of one attribute.
pub(crate) trait Gain: Clone + Send + Sync {
    /// The labels of a set of records.
    type Stats: Clone + Eq + Hash + Send + Sync;

    /// Does AnonyLoss enter the score?
    const WEIGHS_LOSS: bool = true;

    /// Counts the labels of each code of each attribute.
    fn count(table: &CompressedTable) -> Vec<Self>;

    /// The labels of the records with these codes.
    fn stats(&self, codes: Range<u32>) -> Self::Stats;

    /// The labels of the records in `whole` but not in `part`.
    fn without(whole: &Self::Stats, part: &Self::Stats) -> Self::Stats;

    /// The labels of two sets of records together.
    fn with(one: &Self::Stats, other: &Self::Stats) -> Self::Stats;

    /// The gain of refining `whole` into `parts`; for bottom-up search, the loss of the opposite.
    fn gain(&self, whole: &Self::Stats, parts: &[Self::Stats]) -> f64;

    /// The gain of disclosing the records with a code out of the suppressed records `whole` (2007 paper, equation 5). It depends
    /// on the labels of both, and on nothing else of the code.
    fn disclosure_gain(&self, whole: &Self::Stats, code: u32) -> f64;

    /// Is there anything to gain from refining these records? (*Beneficial* in the papers.)
    fn beneficial(whole: &Self::Stats) -> bool;

    /// What is lost with each record that is suppressed: all that could be known of its label.
    fn price(&self, table: &Self::Stats, attributes: usize) -> f64;

    /// What is lost with so many suppressed records, in the unit of the gain of refining `whole`.
    fn lost(price: f64, hidden: u64, whole: &Self::Stats) -> f64;

    /// How even a split is, if that is what splits of intervals are chosen by.
    fn evenness(_parts: &[Self::Stats]) -> Option<f64> {
        None
    }

    /// The code that begins the right part of the best split of an interval with two or more codes.
    fn split(&self, codes: Range<u32>) -> u32;

    /// The same, where the attribute may be cut: days at the longest units of the calendar that begin within.
    fn split_of(&self, domain: &Domain, codes: Range<u32>) -> u32 {
        let Some(cuts) = domain.longest_units(codes.clone()) else { return self.split(codes) };
        let whole = self.stats(codes.clone());
        best_of(cuts, |split| {
            let parts = [self.stats(codes.start..split), self.stats(split..codes.end)];
            Self::evenness(&parts).unwrap_or_else(|| self.gain(&whole, &parts))
        })
    }
}

/// The first of all split points with the highest gain.
fn best_split(codes: Range<u32>, gain: impl Fn(u32) -> f64) -> u32 {
    best_of(codes.start + 1..codes.end, gain)
}

/// The first of some split points with the highest gain.
fn best_of(splits: impl IntoIterator<Item = u32>, gain: impl Fn(u32) -> f64) -> u32 {
    let mut best = (0, f64::NEG_INFINITY);
    for split in splits {
        let gain = gain(split);
        if exceeds(gain, best.1) {
            best = (split, gain);
        }
    }
    best.0
}

/// Is `a` greater than `b`, by more than one part in 10^12?
pub(crate) fn exceeds(a: f64, b: f64) -> bool {
    if b == f64::NEG_INFINITY { a > b } else { a - b > 1e-12 * a.abs().max(b.abs()) }
}
