//! Bins of a continuous attribute.

use std::ops::Range;

use cutline_model::Unit;
use cutline_table::{Attribute, Domain};

/// Runs of codes with about equally many records: one for each value if there are few, at most `most` otherwise. Missing values are
/// in no bin.
pub(crate) fn equal_frequency(attribute: &Attribute, weights: &[u64], most: usize) -> Vec<Range<u32>> {
    let known = attribute.domain.known();
    if known <= most {
        return (0..known as u32).map(|code| code..code + 1).collect();
    }
    if let Some(bins) = by_calendar(&attribute.domain, most) {
        return bins;
    }
    let mut records = vec![0u64; attribute.domain.len()];
    attribute.codes.iter().zip(weights).for_each(|(code, weight)| records[code as usize] += weight);
    cut_equally(&records[..known], most)
}

/// Runs of days that the calendar does not cut into more than so many: years if there are too many months.
fn by_calendar(domain: &Domain, most: usize) -> Option<Vec<Range<u32>>> {
    domain.unit(0)?;
    let codes = 0..domain.known() as u32;
    let starts = |finest: Unit| -> Vec<u32> {
        codes.clone().filter(|&code| code == 0 || domain.unit(code).is_some_and(|unit| unit <= finest)).collect()
    };
    let starts = Unit::ALL.into_iter().rev().map(starts).find(|starts| starts.len() <= most)?;
    let ends = starts.iter().skip(1).copied().chain([codes.end]);
    Some(starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect())
}

/// A value belongs to the bin that the records before it fall into.
fn cut_equally(records: &[u64], most: usize) -> Vec<Range<u32>> {
    let total = u128::from(records.iter().sum::<u64>());
    let mut bins: Vec<Range<u32>> = Vec::new();
    let (mut before, mut last) = (0u128, None);
    for (code, &records) in records.iter().enumerate() {
        let bin = most as u128 * before / total.max(1);
        match bins.last_mut() {
            Some(run) if last == Some(bin) => run.end += 1,
            _ => bins.push(code as u32..code as u32 + 1),
        }
        last = Some(bin);
        before += u128::from(records);
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_have_about_equally_many_records() {
        let even = cut_equally(&[1; 128], 64);
        assert_eq!((even.len(), even[0].clone(), even[63].clone()), (64, 0..2, 126..128));
        let skewed = cut_equally(&[1000, 1, 1, 1], 64);
        assert_eq!(skewed, [0..1, 1..4]);
    }
}
