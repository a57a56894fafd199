//! Purpose `classification`: information gain.

use std::ops::Range;

use cutline_table::{Code, CompressedTable, Labels, sums_alone, with_codes};
use rayon::prelude::*;

use super::{Gain, best_split};

/// Class counts of one attribute, summed up over its codes.
#[derive(Clone)]
pub(crate) struct Entropy {
    classes: usize,
    /// `sums[code * classes + class]`: records of the class with a smaller code.
    sums: Vec<u64>,
}

impl Gain for Entropy {
    /// Records for each class.
    type Stats = Vec<u64>;

    fn count(table: &CompressedTable) -> Vec<Self> {
        let Labels::Classes { names, codes } = &table.labels else { return Vec::new() };
        let classes = names.len();
        let labels: Vec<u32> = codes.iter().collect();
        table
            .attributes
            .par_iter()
            .map(|attribute| {
                let (cells, worth) = ((attribute.domain.len() + 1) * classes, table.worth());
                let mut sums = with_codes!(&attribute.codes, column => {
                    let cell = |row: usize| (column[row].index() + 1) * classes + labels[row] as usize;
                    sums_alone(0..column.len(), cells, cell, |row| worth[row])
                });
                for index in classes..sums.len() {
                    sums[index] += sums[index - classes];
                }
                Entropy { classes, sums }
            })
            .collect()
    }

    fn stats(&self, codes: Range<u32>) -> Vec<u64> {
        let (lower, upper) = (self.at(codes.start), self.at(codes.end));
        upper.iter().zip(lower).map(|(upper, lower)| upper - lower).collect()
    }

    fn without(whole: &Vec<u64>, part: &Vec<u64>) -> Vec<u64> {
        whole.iter().zip(part).map(|(whole, part)| whole - part).collect()
    }

    fn with(one: &Vec<u64>, other: &Vec<u64>) -> Vec<u64> {
        one.iter().zip(other).map(|(one, other)| one + other).collect()
    }

    /// InfoGain (2007 paper, equation 2).
    fn gain(&self, whole: &Vec<u64>, parts: &[Vec<u64>]) -> f64 {
        information(whole, parts.iter().map(|part| part.iter().copied()))
    }

    fn disclosure_gain(&self, whole: &Vec<u64>, code: u32) -> f64 {
        let part = difference(self.at(code + 1), self.at(code));
        let rest = whole.iter().zip(part.clone()).map(|(whole, part)| whole - part);
        share(whole, part) + share(whole, rest)
    }

    fn beneficial(whole: &Vec<u64>) -> bool {
        whole.iter().filter(|&&records| records > 0).count() > 1
    }

    /// I(T): the entropy, which is the gain of telling all classes.
    fn price(&self, table: &Vec<u64>, _attributes: usize) -> f64 {
        let records = table.iter().sum::<u64>() as f64;
        let share = |&class: &u64| class as f64 / records;
        table.iter().filter(|&&class| class > 0).map(share).map(|share| -share * share.log2()).sum()
    }

    fn lost(price: f64, hidden: u64, whole: &Vec<u64>) -> f64 {
        price * hidden as f64 / whole.iter().sum::<u64>() as f64
    }

    fn split(&self, codes: Range<u32>) -> u32 {
        let (lower, upper) = (self.at(codes.start), self.at(codes.end));
        let whole: Vec<u64> = difference(upper, lower).collect();
        best_split(codes, |split| {
            let middle = self.at(split);
            share(&whole, difference(middle, lower)) + share(&whole, difference(upper, middle))
        })
    }
}

impl Entropy {
    fn at(&self, code: u32) -> &[u64] {
        let start = code as usize * self.classes;
        &self.sums[start..start + self.classes]
    }
}

fn difference<'a>(upper: &'a [u64], lower: &'a [u64]) -> impl Iterator<Item = u64> + Clone + 'a {
    upper.iter().zip(lower).map(|(upper, lower)| upper - lower)
}

/// InfoGain (2007 paper, equation 2) as a sum of shares of the parts, none of them negative: nothing cancels, so that equal gains
/// come out equal, however small they are, and a gain of nothing is exactly 0.
fn information<P: Iterator<Item = u64> + Clone>(whole: &[u64], parts: impl Iterator<Item = P>) -> f64 {
    parts.map(|part| share(whole, part)).fold(0.0, |sum, share| sum + share)
}

/// What one part contributes to InfoGain: `Σ (O ln(O/E) − O + E) / (n ln 2)`, where O records of the part have a class and E of
/// them would have it if the part were like the whole. (O and E have the same sum, so that `− O + E` adds nothing in the end.)
pub(crate) fn share(whole: &[u64], part: impl Iterator<Item = u64> + Clone) -> f64 {
    let records = whole.iter().sum::<u64>();
    let part_records = part.clone().sum::<u64>();
    let term = |(observed, &class): (u64, &u64)| {
        if part_records == 0 || class == 0 {
            return 0.0;
        }
        let (expected, excess) = match records {
            // Whole numbers of 64 bits are faster, and exact.
            0..=0x7FFF_FFFF => {
                let expected = (part_records * class) as i64;
                (expected as f64, ((observed * records) as i64 - expected) as f64)
            }
            _ => {
                let expected = i128::from(part_records) * i128::from(class);
                (expected as f64, (i128::from(observed) * i128::from(records) - expected) as f64)
            }
        };
        expected * divergence(excess / expected)
    };
    let sum = part.zip(whole).map(term).fold(0.0, |sum, term| sum + term);
    if records == 0 { 0.0 } else { sum / (records as f64).powi(2) / std::f64::consts::LN_2 }
}

/// `(1 + t) ln(1 + t) − t` for t ≥ −1, to full precision also near 0, where it is about t²/2.
fn divergence(t: f64) -> f64 {
    if t.abs() < 0.1 {
        // Σ (−t)^k / (k (k − 1)) from k = 2.
        let series = (2..=18).rev().fold(0.0, |sum, k| 1.0 / f64::from(k * (k - 1)) - t * sum);
        t * t * series
    } else if t <= -1.0 {
        1.0
    } else {
        (1.0 + t) * t.ln_1p() - t
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Entropy = Entropy { classes: 2, sums: Vec::new() };

    /// Example 4 of the 2007 paper.
    #[test]
    fn the_papers_gain() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 5e-5, "{a} is not {b}");
        close(NOTHING.gain(&vec![21, 13], &[vec![5, 11], vec![16, 2]]), 0.2716);
    }

    #[test]
    fn to_tell_all_classes_gains_the_price() {
        for table in [vec![21, 13], vec![1, 0, 7, 1_000_000], vec![5], vec![3; 700]] {
            let class =
                |class: usize| (0..table.len()).map(|other| if other == class { table[class] } else { 0 }).collect();
            let all: Vec<Vec<u64>> = (0..table.len()).map(class).collect();
            let (price, gain) = (NOTHING.price(&table, 1), NOTHING.gain(&table, &all));
            assert!((price - gain).abs() <= 1e-12 * gain.max(1.0), "{price} is not {gain}");
        }
        assert_eq!(NOTHING.price(&vec![0, 0], 1), 0.0);
    }

    #[test]
    fn one_class_is_nothing_to_gain_from() {
        assert!(!Entropy::beneficial(&vec![0, 9]));
        assert!(Entropy::beneficial(&vec![1, 9]));
        assert_eq!(NOTHING.gain(&vec![0, 9], &[vec![0, 4], vec![0, 5]]), 0.0);
    }
}
