//! A sample for tables that are too long to cluster as a whole.

use std::borrow::Cow;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Points;

/// At most `size` rows, drawn as `size` records: one at random out of each of `size` neighbouring runs of equal length.
/// A row drawn several times has that weight. A table that has no more rows is its own sample.
pub(super) fn sample(points: &Points, size: usize, seed: u64) -> Cow<'_, Points> {
    let size = size as u64;
    if points.rows() as u64 <= size {
        return Cow::Borrowed(points);
    }
    let drawn = points.records().min(size);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut rows, mut weights) = (Vec::new(), Vec::<u64>::new());
    let (mut row, mut end) = (0, points.weights()[0]);
    for run in 0..drawn {
        let record = random.random_range(start(run, points.records(), drawn)..start(run + 1, points.records(), drawn));
        while record >= end {
            row += 1;
            end += points.weights()[row];
        }
        match weights.last_mut().filter(|_| rows.last() == Some(&row)) {
            Some(weight) => *weight += 1,
            None => {
                rows.push(row);
                weights.push(1);
            }
        }
    }
    Cow::Owned(points.select(&rows, weights))
}

/// The first record of a run. No run is empty, as there are at least as many records as runs.
fn start(run: u64, records: u64, runs: u64) -> u64 {
    (u128::from(run) * u128::from(records) / u128::from(runs)) as u64
}
