//! How likely is a record re-identified by someone who does not know who of a population is in the table?
//!
//! A survey has a sample of a population. A person who is alone in the sample need not be alone in the population. How many persons of
//! the population share the values of a group with f records of the sample is not known, but can be guessed: if every one of them came
//! into the sample with the probability p, the number F has a negative binomial distribution, `P(F = h | f) = C(h−1, f−1) p^f (1−p)^(h−f)`
//! (Bethlehem, Keller and Pannekoek 1990; Benedetti and Franconi 1998). A record's risk is then the expectation of 1/F, and a group of one
//! record is alone in the population too with the probability p.
//!
//! p is the sampling fraction, or, where records have survey weights, f divided by the sum of the weights of the group.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::VerifyError;
use crate::dictionary::Dictionary;
use crate::groups::Groups;
use crate::notation::Notation;

/// How the table was drawn from a population.
#[derive(Debug, Clone, PartialEq)]
pub enum Population {
    /// This share of the population is in the table.
    Fraction(SamplingFraction),
    /// A column says how many persons of the population every record stands for.
    Weights(String),
}

/// A share above 0 and up to 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct SamplingFraction(f64);

impl SamplingFraction {
    /// The share, if it is one.
    pub fn new(share: f64) -> Option<Self> {
        (share > 0.0 && share <= 1.0).then_some(SamplingFraction(share))
    }
}

impl fmt::Display for SamplingFraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The risk of one claim's records in a population.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PopulationRisk {
    /// The persons of the population, as far as they can be guessed.
    pub population: f64,
    /// Records that nobody in the table shares their values with.
    pub sample_uniques: u64,
    /// So many of those are expected to be alone in the population, too.
    pub expected_population_uniques: f64,
    /// The highest risk of a record.
    pub highest: f64,
    /// The average risk over all records: the share of them that someone who looks for everybody is expected to find.
    pub average: f64,
}

impl PopulationRisk {
    /// From the records of every group, and the probability with which each of its persons came into the sample.
    fn new(groups: impl Iterator<Item = (u64, f64)>) -> Self {
        let mut risk = PopulationRisk {
            population: 0.0,
            sample_uniques: 0,
            expected_population_uniques: 0.0,
            highest: 0.0,
            average: 0.0,
        };
        let mut records = 0;
        for (size, probability) in groups {
            let of_record = expected_inverse(size, probability);
            records += size;
            risk.population += size as f64 / probability;
            risk.highest = risk.highest.max(of_record);
            risk.average += size as f64 * of_record;
            if size == 1 {
                risk.sample_uniques += 1;
                risk.expected_population_uniques += probability;
            }
        }
        risk.average /= (records as f64).max(1.0);
        risk
    }

    /// The same share everywhere.
    pub(crate) fn by_fraction(groups: &Groups, SamplingFraction(share): SamplingFraction) -> Self {
        PopulationRisk::new(groups.counts().iter().map(|&size| (size, share)))
    }

    /// By the weights of the records, as pairs of a group and a text.
    pub(crate) fn by_weights(
        groups: &Groups,
        pairs: &Groups,
        weights: &Dictionary,
        notation: Notation,
    ) -> Result<Self, VerifyError> {
        let number = |text: &str| notation.number(text.trim());
        let weight = |id: u32| weights.text(id).and_then(number).filter(|&weight| weight > 0.0);
        let mut sums = vec![0.0; groups.counts().len()];
        for (pair, &records) in pairs.counts().iter().enumerate() {
            let [group, id] = *pairs.key(pair) else { unreachable!("a pair has two parts") };
            let Some(weight) = weight(id) else { return Err(VerifyError::BadWeight) };
            sums[group as usize] += weight * records as f64;
        }
        // A record stands for itself at least.
        let share = |(&size, sum): (&u64, f64)| (size, (size as f64 / sum).min(1.0));
        Ok(PopulationRisk::new(groups.counts().iter().zip(sums).map(share)))
    }
}

/// The expectation of 1/F for a group with f records: `∫ u^(f−1) p / (p + qu) du` from 0 to 1, where q is 1 − p. It follows from
/// `I(1) = p/q · ln(1/p)` by `I(f+1) = p/q · (1/f − I(f))`, forwards where p/q is small and backwards where it is not, so that no
/// error grows.
fn expected_inverse(f: u64, p: f64) -> f64 {
    let q = 1.0 - p;
    // Beyond so many records F is as good as its expectation.
    const MANY: u64 = 2_000;
    if q < 1e-12 || f > MANY {
        return p / f as f64;
    }
    if p < 0.5 {
        let first = p / q * -p.ln();
        return (1..f).fold(first, |risk, f| p / q * (1.0 / f as f64 - risk));
    }
    // There the integrand is as good as a straight line, which is p at 1.
    let from = f + 2_000;
    let last = from as f64;
    (f..from).rev().fold(p / last + p * q / (last * (last + 1.0)), |risk, f| 1.0 / f as f64 - q / p * risk)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum itself.
    fn naive(f: u64, p: f64) -> f64 {
        let mut probability = p.powi(f as i32);
        let mut sum = 0.0;
        for h in f..200_000 {
            sum += probability / h as f64;
            probability *= (1.0 - p) * h as f64 / (h + 1 - f) as f64;
        }
        sum
    }

    #[test]
    fn the_risk_is_the_expectation_of_one_in_f() {
        for p in [0.001, 0.05, 0.3, 0.499, 0.5, 0.7, 0.95, 0.999] {
            for f in [1, 2, 3, 7, 20] {
                let (ours, naive) = (expected_inverse(f, p), naive(f, p));
                assert!((ours - naive).abs() < 1e-6 * naive.max(1e-3), "f = {f}, p = {p}: {ours} {naive}");
            }
        }
        assert_eq!(expected_inverse(5, 1.0), 0.2);
        assert!(expected_inverse(5_000, 0.1) <= 1.0 / 5_000.0);
    }

    #[test]
    fn a_whole_population_has_the_risk_of_its_table() {
        let risk = PopulationRisk::new([(1, 1.0), (4, 1.0)].into_iter());
        assert_eq!((risk.population, risk.sample_uniques, risk.expected_population_uniques), (5.0, 1, 1.0));
        assert_eq!((risk.highest, risk.average), (1.0, 0.4));
        let sample = PopulationRisk::new([(1, 0.1), (4, 0.1)].into_iter());
        assert_eq!((sample.population, sample.expected_population_uniques), (50.0, 0.1));
        assert!(sample.highest < 0.26 && sample.average < 0.15, "{sample:?}");
    }

    #[test]
    fn shares_are_above_nothing_and_not_above_all() {
        assert!(SamplingFraction::new(0.05).is_some() && SamplingFraction::new(1.0).is_some());
        assert!([0.0, -1.0, 1.5, f64::NAN].iter().all(|&share| SamplingFraction::new(share).is_none()));
    }
}
