//! Disclosed values as bits.

use std::collections::HashSet;

use cutline_model::AttributeRecoding;
use cutline_model::recoding::Missing;
use cutline_table::Attribute;

use super::super::random::Random;
use super::{Decoded, Segment};

/// Bit i discloses the value with code `codes[i]`; all others are `*`, which is label 0.
#[derive(Debug)]
pub(super) struct Values {
    /// The values that may be disclosed, in the order of their codes.
    codes: Vec<u32>,
    names: Vec<Option<String>>,
    values: usize,
}

impl Values {
    /// The values that `seed` discloses, and the most frequent besides.
    pub(super) fn new(attribute: &Attribute, weights: &[u64], most: usize, seed: Option<&AttributeRecoding>) -> Self {
        let values = attribute.domain.len();
        let mut records = vec![0u64; values];
        attribute.codes.iter().zip(weights).for_each(|(code, weight)| records[code as usize] += weight);
        let mut codes: Vec<u32> = (0..values as u32).collect();
        let disclosed = seed.map(disclosed);
        let wanted = |code: u32| disclosed.as_ref().is_some_and(|wanted| wanted(attribute.domain.name(code)));
        codes.sort_by_cached_key(|&code| std::cmp::Reverse((wanted(code), records[code as usize])));
        codes.truncate(most.max(codes.iter().filter(|&&code| wanted(code)).count()));
        codes.sort_unstable();
        let names = codes.iter().map(|&code| attribute.domain.name(code).map(str::to_owned)).collect();
        Values { codes, names, values }
    }
}

impl Segment for Values {
    fn len(&self) -> usize {
        self.codes.len()
    }

    fn loses(&self) -> bool {
        self.values > 1
    }

    fn repair(&self, _: &mut [bool]) {}

    fn flip(&self, bits: &mut [bool], at: usize, _: &mut Random) {
        bits[at] = !bits[at];
    }

    fn decode(&self, bits: &[bool], mut decoded: Decoded<'_>) {
        let disclosed = bits.iter().filter(|bit| **bit).count();
        let masked = (self.values - disclosed).saturating_sub(1);
        let loss = if self.values > 1 { masked as f64 / (self.values - 1) as f64 } else { 0.0 };
        decoded.label(loss);
        for (&code, _) in self.codes.iter().zip(bits).filter(|(_, bit)| **bit) {
            decoded.run(code..code + 1, 0.0);
        }
    }

    fn encode(&self, _: &[u32], recoding: &AttributeRecoding) -> Vec<bool> {
        let disclosed = disclosed(recoding);
        self.names.iter().map(|name| disclosed(name.as_deref())).collect()
    }
}

/// Does a recoding disclose the value with this name? A missing one has none.
fn disclosed(recoding: &AttributeRecoding) -> impl Fn(Option<&str>) -> bool {
    let names: HashSet<&str> = recoding.disclosed().unwrap_or_default().iter().map(String::as_str).collect();
    let missing = recoding.disclosed().and_then(|_| recoding.missing());
    move |name| name.map_or(missing == Some(Missing::Published), |name| names.contains(name))
}
