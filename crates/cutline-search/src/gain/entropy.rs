//! Purpose `classification`: information gain.

use std::ops::Range;

use cutline_table::{CompressedTable, Labels, with_codes};
use rayon::prelude::*;

use super::{Gain, best_split, reduction};

/// Class counts of one attribute, summed up over its codes.
pub(crate) struct Entropy {
    classes: usize,
    /// `sums[code * classes + class]`: records of the class with a smaller code.
    sums: Vec<u64>,
}

impl Gain for Entropy {
    /// Records for each class.
    type Stats = Vec<u64>;

    fn count(table: &CompressedTable) -> Vec<Self> {
        let Labels::Classes { classes, codes } = &table.labels else { return Vec::new() };
        let labels: Vec<u32> = codes.iter().collect();
        table
            .attributes
            .par_iter()
            .map(|attribute| {
                let mut sums = vec![0; (attribute.domain.len() + 1) * classes];
                with_codes!(&attribute.codes, column => {
                    for ((&code, &label), &weight) in column.iter().zip(&labels).zip(&table.weights) {
                        sums[(code as usize + 1) * classes + label as usize] += weight;
                    }
                });
                for index in *classes..sums.len() {
                    sums[index] += sums[index - classes];
                }
                Entropy { classes: *classes, sums }
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
        let records: u64 = whole.iter().sum();
        let after = parts.iter().map(|part| {
            let share = part.iter().sum::<u64>() as f64 / records as f64;
            share * entropy(part.iter().copied())
        });
        if records == 0 { 0.0 } else { reduction(entropy(whole.iter().copied()), after.sum()) }
    }

    fn disclosure_gain(&self, whole: &Vec<u64>, code: u32) -> f64 {
        let part = difference(self.at(code + 1), self.at(code));
        let rest = whole.iter().zip(part.clone()).map(|(whole, part)| whole - part);
        let records = whole.iter().sum::<u64>() as f64;
        let share = |classes: u64| classes as f64 / records;
        let after = share(part.clone().sum()) * entropy(part) + share(rest.clone().sum()) * entropy(rest);
        reduction(entropy(whole.iter().copied()), after)
    }

    fn beneficial(whole: &Vec<u64>) -> bool {
        whole.iter().filter(|&&records| records > 0).count() > 1
    }

    fn split(&self, codes: Range<u32>) -> u32 {
        let (lower, upper) = (self.at(codes.start), self.at(codes.end));
        let whole = entropy(difference(upper, lower));
        let records = difference(upper, lower).sum::<u64>() as f64;
        best_split(codes, |split| {
            let middle = self.at(split);
            let left = difference(middle, lower).sum::<u64>() as f64 / records * entropy(difference(middle, lower));
            let right = difference(upper, middle).sum::<u64>() as f64 / records * entropy(difference(upper, middle));
            reduction(whole, left + right)
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

/// I(R): the entropy of the classes in bits (2007 paper, equation 3).
fn entropy(classes: impl Iterator<Item = u64> + Clone) -> f64 {
    let records = classes.clone().sum::<u64>() as f64;
    let term = |count: u64| {
        let share = count as f64 / records;
        share * share.log2()
    };
    -classes.filter(|&count| count > 0).map(term).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Entropy = Entropy { classes: 2, sums: Vec::new() };

    /// Example 4 of the 2007 paper.
    #[test]
    fn the_papers_entropies_and_gain() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 5e-5, "{a} is not {b}");
        close(entropy([21, 13].into_iter()), 0.9597);
        close(entropy([5, 11].into_iter()), 0.8960);
        close(entropy([16, 2].into_iter()), 0.5033);
        close(NOTHING.gain(&vec![21, 13], &[vec![5, 11], vec![16, 2]]), 0.2716);
    }

    #[test]
    fn one_class_is_nothing_to_gain_from() {
        assert!(!Entropy::beneficial(&vec![0, 9]));
        assert!(Entropy::beneficial(&vec![1, 9]));
        assert_eq!(NOTHING.gain(&vec![0, 9], &[vec![0, 4], vec![0, 5]]), 0.0);
    }
}
