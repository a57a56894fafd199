//! Intervals as bits for their possible end points.

use std::ops::Range;

use cutline_model::AttributeRecoding;
use cutline_table::Domain;

use super::super::random::Random;
use super::{Decoded, Segment};

/// Bit i tells the numbers before code `ends[i]` from those from it on. Where values are missing, a last bit tells them from
/// numbers; it must be set for any other to be.
#[derive(Debug)]
pub(super) struct Ends {
    ends: Vec<u32>,
    numbers: Vec<f64>,
    missing: bool,
}

impl Ends {
    /// The end points between the bins, and those that are wanted besides.
    pub(super) fn new(domain: &Domain, bins: Vec<Range<u32>>, wanted: Vec<u32>) -> Self {
        let mut ends: Vec<u32> = bins.into_iter().map(|bin| bin.start).filter(|&end| end > 0).chain(wanted).collect();
        ends.sort_unstable();
        ends.dedup();
        let numbers = domain.as_numbers().to_vec();
        let missing = domain.missing().is_some() && !numbers.is_empty();
        Ends { ends, numbers, missing }
    }

    /// (U_i − L_i)/(U − L) over the table's own values: `[Doctorate, Masters]`, 1 to 3 of 1 to 16, loses 2/15.
    fn loss(&self, codes: Range<u32>) -> f64 {
        let (first, last) = (self.numbers[0], self.numbers[self.numbers.len() - 1]);
        // Halves, where the difference of the extremes would be no finite number.
        let scale = if (last - first).is_finite() { 1.0 } else { 0.5 };
        let width = |lower: f64, upper: f64| upper * scale - lower * scale;
        let (lower, upper) = (self.numbers[codes.start as usize], self.numbers[codes.end as usize - 1]);
        if last > first { width(lower, upper) / width(first, last) } else { 0.0 }
    }
}

impl Segment for Ends {
    fn len(&self) -> usize {
        self.ends.len() + usize::from(self.missing)
    }

    fn loses(&self) -> bool {
        self.missing || self.numbers.first() < self.numbers.last()
    }

    fn repair(&self, bits: &mut [bool]) {
        if let (true, Some((apart, ends))) = (self.missing, bits.split_last_mut())
            && !*apart
        {
            match ends.iter().filter(|bit| **bit).count() {
                0 => {}
                // Setting one bit changes no more than clearing one, and less than clearing several.
                _ => *apart = true,
            }
        }
    }

    /// An end point comes, goes, or takes the place of its neighbour.
    fn flip(&self, bits: &mut [bool], at: usize, random: &mut Random) {
        let set = bits[at];
        if self.missing {
            let last = bits.len() - 1;
            if at == last && set {
                return bits.fill(false);
            }
            bits[last] = true;
        }
        if set {
            bits[at] = false;
        } else {
            let moved = (at < self.ends.len() && random.chance(0.5)).then(|| neighbour(&bits[..self.ends.len()], at));
            if let Some(neighbour) = moved.flatten() {
                bits[neighbour] = false;
            }
            bits[at] = true;
        }
    }

    fn decode(&self, bits: &[bool], mut decoded: Decoded<'_>) {
        let codes = decoded.codes();
        let known = self.numbers.len() as u32;
        if codes == 0 {
            return;
        }
        if (self.missing && !bits[self.ends.len()]) || known == 0 {
            return decoded.run(0..codes, f64::from(u8::from(codes > 1)));
        }
        let mut start = 0;
        for (&end, _) in self.ends.iter().zip(bits).filter(|(_, bit)| **bit) {
            decoded.run(start..end, self.loss(start..end));
            start = end;
        }
        decoded.run(start..known, self.loss(start..known));
        if self.missing {
            decoded.run(known..codes, 0.0);
        }
    }

    fn encode(&self, label_of: &[u32], _: &AttributeRecoding) -> Vec<bool> {
        let apart = |code: u32| label_of[code as usize - 1] != label_of[code as usize];
        let missing = self.missing.then_some(self.numbers.len() as u32);
        self.ends.iter().copied().chain(missing).map(apart).collect()
    }
}

/// The nearest set bit; of two equally near ones the first.
fn neighbour(bits: &[bool], at: usize) -> Option<usize> {
    let set = bits.iter().enumerate().filter(|(_, bit)| **bit).map(|(index, _)| index);
    set.min_by_key(|&index| index.abs_diff(at))
}

/// The codes at which the intervals of a recoding begin.
pub(super) fn of_recoding(recoding: &AttributeRecoding, domain: &Domain) -> Vec<u32> {
    let bounds = recoding.bounds().unwrap_or_default();
    let numbers = domain.as_numbers();
    let inner = bounds.iter().skip(1).take(bounds.len().saturating_sub(2)).filter_map(|bound| bound.0);
    let code = |bound: f64| numbers.partition_point(|&number| number < bound) as u32;
    inner.map(code).filter(|&code| code > 0 && (code as usize) < numbers.len()).collect()
}
