//! GROUP BY with counts for rows that are all there, on all cores.
//!
//! | file | answers |
//! | --- | --- |
//! | `company` | Which rows cannot be like any other, as their hashes alone tell? |
//! | `heaps` | Which of the others are like an earlier one? |
//! | `repeats` | Where is a row once those are gone? |

mod company;
mod heaps;
mod repeats;

use rayon::prelude::*;

use crate::grouper::{mix, spread};
use crate::{Codes, Numbering, with_codes};
use repeats::Repeats;

/// The distinct ones of some rows, in order of first appearance.
#[derive(Debug)]
pub(crate) struct Regrouped {
    pub(crate) columns: Vec<Codes>,
    /// The records of each.
    pub(crate) weights: Vec<u64>,
    repeats: Repeats,
}

impl Regrouped {
    /// Which of them each row is.
    pub(crate) fn of_row(&self) -> Vec<u32> {
        self.repeats.numbers().of_row
    }
}

/// Groups so many rows of columns of codes. `weight` says how many records a row stands for.
pub(crate) fn regroup(columns: &[&Codes], rows: usize, weight: impl Fn(usize) -> u64 + Sync) -> Regrouped {
    let equal = |a: u32, b: u32| columns.iter().all(|codes| codes.get(a as usize) == codes.get(b as usize));
    let repeats = Repeats::new(rows, heaps::found(rows, |start, hashes| hash(columns, start, hashes), equal));
    let mut weights = repeats.firsts(&weight);
    repeats.pairs().for_each(|(row, first)| weights[repeats.place(first) as usize] += weight(row as usize));
    let columns = columns.par_iter().map(|codes| repeats.taken_out_of(codes)).collect();
    Regrouped { columns, weights, repeats }
}

/// Numbers rows by their keys, in order of first appearance: those with the same key have the same number.
pub(crate) fn numbered(rows: usize, key: impl Fn(usize) -> u64 + Sync) -> Numbering {
    let hash = |start: usize, hashes: &mut [u64]| {
        (start..).zip(&mut *hashes).for_each(|(row, hash)| *hash = key(row).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        spread(hashes);
    };
    Repeats::new(rows, heaps::found(rows, hash, |a, b| key(a as usize) == key(b as usize))).numbers()
}

/// The hashes of neighbouring rows, from one on.
fn hash(columns: &[&Codes], start: usize, hashes: &mut [u64]) {
    /// So many stay in the cache until all columns are mixed in.
    const AT_ONCE: usize = 1 << 11;
    for (block, hashes) in hashes.chunks_mut(AT_ONCE).enumerate() {
        let rows = start + block * AT_ONCE..start + block * AT_ONCE + hashes.len();
        for codes in columns {
            with_codes!(codes, codes => mix(hashes, &codes[rows.clone()]));
        }
        spread(hashes);
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equal_rows_are_one_and_stay_in_order(
            rows in collection::vec((0..3u32, 0..300u32, 1..9u64), 0..200),
            values in 1..300u32,
        ) {
            let columns = [rows.iter().map(|row| row.0).collect(), rows.iter().map(|row| row.1 % values).collect()];
            let columns: [Vec<u32>; 2] = columns;
            let codes = columns.each_ref().map(|codes| Codes::from_codes(codes.iter().copied(), 300));
            let weights: Vec<u64> = rows.iter().map(|row| row.2).collect();
            let regrouped = regroup(&codes.each_ref(), rows.len(), |row| weights[row]);
            let (mut distinct, mut sums, mut of_row): (Vec<(u32, u32)>, Vec<u64>, Vec<u32>) = Default::default();
            for ((&a, &b), weight) in columns[0].iter().zip(&columns[1]).zip(&weights) {
                let number = distinct.iter().position(|row| *row == (a, b)).unwrap_or(distinct.len());
                if number == distinct.len() {
                    distinct.push((a, b));
                    sums.push(0);
                }
                sums[number] += weight;
                of_row.push(number as u32);
            }
            prop_assert_eq!(regrouped.of_row(), of_row);
            let found = regrouped.columns[0].iter().zip(regrouped.columns[1].iter());
            prop_assert_eq!(found.collect::<Vec<_>>(), distinct);
            prop_assert_eq!(regrouped.weights, sums);
        }
    }

    #[test]
    fn many_rows_of_which_few_repeat_an_earlier_one() {
        // Each row is like one that is far from it, or like none.
        let rows = 300_000;
        let number = |row: usize| if row.is_multiple_of(97) { row / 2 } else { row } as u32;
        let columns = [0, 9].map(|shift| Codes::from_codes((0..rows).map(|row| (number(row) >> shift) & 0x3FF), 0x400));
        let regrouped = regroup(&columns.each_ref(), rows, |_| 1);
        let mut place_of = std::collections::HashMap::new();
        let of_row: Vec<u32> = (0..rows)
            .map(|row| {
                let next = place_of.len() as u32;
                *place_of.entry(number(row) & 0x7FFFF).or_insert(next)
            })
            .collect();
        assert!(regrouped.of_row() == of_row);
        let mut weights = vec![0; place_of.len()];
        of_row.iter().for_each(|&place| weights[place as usize] += 1);
        assert!(regrouped.weights == weights && regrouped.columns[1].len() == weights.len());
    }
}
