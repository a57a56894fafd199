//! Purpose `general`: the least distortion.

use std::ops::Range;

use cutline_table::CompressedTable;
use rayon::prelude::*;

use super::Gain;

/// Records of one attribute, summed up over its codes.
#[derive(Clone)]
pub(crate) struct Records {
    sums: Vec<u64>,
}

impl Gain for Records {
    /// The number of records.
    type Stats = u64;

    /// Score(v) is the number of refined records alone (2009 paper, §5).
    const WEIGHS_LOSS: bool = false;

    fn count(table: &CompressedTable) -> Vec<Self> {
        table
            .attributes
            .par_iter()
            .map(|attribute| {
                let mut sums = vec![0; attribute.domain.len() + 1];
                for (code, weight) in attribute.codes.iter().zip(table.worth()) {
                    sums[code as usize + 1] += weight;
                }
                for index in 1..sums.len() {
                    sums[index] += sums[index - 1];
                }
                Records { sums }
            })
            .collect()
    }

    fn stats(&self, codes: Range<u32>) -> u64 {
        self.sums[codes.end as usize] - self.sums[codes.start as usize]
    }

    fn without(whole: &u64, part: &u64) -> u64 {
        whole - part
    }

    fn with(one: &u64, other: &u64) -> u64 {
        one + other
    }

    fn gain(&self, whole: &u64, _parts: &[u64]) -> f64 {
        *whole as f64
    }

    /// Only the records of the disclosed value are refined.
    fn disclosure_gain(&self, _whole: &u64, code: u32) -> f64 {
        self.stats(code..code + 1) as f64
    }

    fn beneficial(whole: &u64) -> bool {
        *whole > 0
    }

    /// Nothing is told of any attribute.
    fn price(&self, _table: &u64, attributes: usize) -> f64 {
        attributes as f64
    }

    fn lost(price: f64, hidden: u64, _whole: &u64) -> f64 {
        price * hidden as f64
    }

    fn evenness(parts: &[u64]) -> Option<f64> {
        parts.iter().min().map(|&records| records as f64)
    }

    /// The weighted median: the first value that has at least half of the records below it or at it. The split value goes right,
    /// so that where it is the lowest value, the next one takes its place.
    fn split(&self, codes: Range<u32>) -> u32 {
        let base = self.sums[codes.start as usize];
        let half = self.stats(codes.clone()).div_ceil(2);
        let sums = &self.sums[codes.start as usize + 1..=codes.end as usize];
        let median = codes.start + sums.partition_point(|&sum| sum - base < half) as u32;
        median.max(codes.start + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_split_at_the_weighted_median() {
        let split = |weights: &[u64]| {
            let mut sums = vec![0];
            weights.iter().for_each(|weight| sums.push(sums[sums.len() - 1] + weight));
            Records { sums }.split(0..weights.len() as u32)
        };
        assert_eq!(split(&[1, 1, 1, 1]), 1);
        assert_eq!(split(&[1, 1, 1]), 1);
        assert_eq!(split(&[1, 1, 9, 1]), 2);
        assert_eq!(split(&[9, 1, 1]), 1);
        assert_eq!(split(&[1, 9]), 1);
    }
}
