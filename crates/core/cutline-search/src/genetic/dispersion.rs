//! RM: how far numbers lie apart within groups.

use super::objective::Dispersion;

/// The numbers of the rows, ready to be measured within any groups.
#[derive(Debug)]
pub(crate) struct Numbers {
    /// The number of each row, moved and scaled so that squares stay small (RM stays the same); nothing where it is missing.
    values: Vec<Option<f64>>,
    /// Rows with a number, ascending by it.
    order: Vec<u32>,
    dispersion: Dispersion,
    /// The dispersion with all records in one group.
    whole: f64,
}

/// Buffers that are used again for every candidate.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    records: Vec<u64>,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Numbers {
    pub(crate) fn new(values: impl Iterator<Item = Option<f64>>, weights: &[u64], dispersion: Dispersion) -> Self {
        let raw = scaled(values.collect());
        let known = || raw.iter().zip(weights).filter_map(|(value, &weight)| Some(((*value)?, weight as f64)));
        let records: f64 = known().map(|(_, weight)| weight).sum();
        let mean = known().map(|(value, weight)| value * weight).sum::<f64>() / records.max(1.0);
        let values: Vec<Option<f64>> = raw.iter().map(|value| value.map(|value| value - mean)).collect();
        let mut order: Vec<u32> = (0..values.len() as u32).filter(|&row| values[row as usize].is_some()).collect();
        order.sort_by(|&a, &b| f64::total_cmp(&value(&values, a), &value(&values, b)));
        let mut numbers = Numbers { values, order, dispersion, whole: 1.0 };
        let together = vec![0; weights.len()];
        numbers.whole = numbers.within(&together, 1, weights, &mut Sums::default());
        numbers
    }

    /// The dispersion within groups over that of the whole; 0 if the whole has none.
    pub(crate) fn metric(&self, ids: &[u32], groups: usize, weights: &[u64], sums: &mut Sums) -> f64 {
        if self.whole > 0.0 { self.within(ids, groups, weights, sums) / self.whole } else { 0.0 }
    }

    fn within(&self, ids: &[u32], groups: usize, weights: &[u64], sums: &mut Sums) -> f64 {
        sums.clear(groups);
        match self.dispersion {
            Dispersion::Variance => self.squares(ids, weights, sums),
            Dispersion::Deviation => self.deviations(ids, weights, sums),
        }
    }

    fn squares(&self, ids: &[u32], weights: &[u64], sums: &mut Sums) -> f64 {
        for ((&id, value), &weight) in ids.iter().zip(&self.values).zip(weights) {
            if let Some(value) = value {
                sums.records[id as usize] += weight;
                sums.first[id as usize] += weight as f64 * value;
                sums.second[id as usize] += weight as f64 * value * value;
            }
        }
        let group = |((&records, first), second): ((&u64, &f64), &f64)| match records {
            0 => 0.0,
            records => (second - first * first / records as f64).max(0.0),
        };
        sums.records.iter().zip(&sums.first).zip(&sums.second).map(group).sum()
    }

    /// The median is the least number that at least half of the group does not exceed.
    fn deviations(&self, ids: &[u32], weights: &[u64], sums: &mut Sums) -> f64 {
        let Sums { records, first: median, second: before } = sums;
        for &row in &self.order {
            records[ids[row as usize] as usize] += weights[row as usize];
        }
        for &row in &self.order {
            let id = ids[row as usize] as usize;
            let half = records[id] as f64 / 2.0;
            if before[id] < half {
                median[id] = value(&self.values, row);
            }
            before[id] += weights[row as usize] as f64;
        }
        let deviation = |&row: &u32| {
            let median = median[ids[row as usize] as usize];
            weights[row as usize] as f64 * (value(&self.values, row) - median).abs()
        };
        self.order.iter().map(deviation).sum()
    }
}

/// Into [-1, 1]: numbers that are all the same become exactly 0, and no sum or square overflows.
fn scaled(values: Vec<Option<f64>>) -> Vec<Option<f64>> {
    let known = || values.iter().flatten().copied();
    let (lower, upper) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    // Halves first: the sum or difference of two finite numbers may be none.
    let (centre, radius) = (lower / 2.0 + upper / 2.0, upper / 2.0 - lower / 2.0);
    let scale = |number: f64| if radius > 0.0 { (number - centre) / radius } else { 0.0 };
    values.iter().map(|value| value.map(scale)).collect()
}

fn value(values: &[Option<f64>], row: u32) -> f64 {
    values[row as usize].unwrap_or_default()
}

impl Sums {
    fn clear(&mut self, groups: usize) {
        self.records.clear();
        self.records.resize(groups, 0);
        for sums in [&mut self.first, &mut self.second] {
            sums.clear();
            sums.resize(groups, 0.0);
        }
    }
}
