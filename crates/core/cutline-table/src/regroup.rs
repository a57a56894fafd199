//! GROUP BY with counts for rows that are all there, on all cores.
//!
//! | file | answers |
//! | --- | --- |
//! | `company` | Which rows of a heap cannot be like any other, as their hashes alone tell? |
//! | `heaps` | Which rows are like an earlier one, as those that have company in their heap are compared? |
//! | `repeats` | Where is a row once those, and others that are left out, are gone? |

mod company;
mod heaps;
mod repeats;

use rayon::prelude::*;

use crate::grouper::{mix, spread};
use crate::{Codes, with_codes};
use heaps::{Alike, Asked, find};
use repeats::{Left, Marks};

/// To compare rows takes up to 36 bytes for each of those that are compared at once.
const AT_ONCE: usize = 1 << 23;

/// The distinct ones of so many rows of columns of codes, in order of first appearance, and the records of each. `weight` says how many
/// records a row stands for; `None` leaves it out.
pub(crate) fn regroup(
    columns: &[&Codes],
    rows: usize,
    weight: impl Fn(usize) -> Option<u64> + Sync,
) -> (Vec<Codes>, Vec<u64>) {
    regroup_by(AT_ONCE, columns, rows, weight)
}

/// The same where so many rows are compared at once.
fn regroup_by(
    at_once: usize,
    columns: &[&Codes],
    rows: usize,
    weight: impl Fn(usize) -> Option<u64> + Sync,
) -> (Vec<Codes>, Vec<u64>) {
    let asked = Asked { rows, at_once, kept: |row| weight(row).is_some() };
    let weight = |row: u32| weight(row as usize).unwrap_or_default();
    let mut gone = Marks::new(rows, asked.kept);
    // Which row is like which is forgotten soon: where most rows repeat one, it is most of what is known.
    let mut further: Vec<(Vec<u32>, Vec<u64>)> = Vec::new();
    let summed = |Alike { firsts, others }: Alike| {
        let mut sums = vec![0; firsts.len()];
        others.into_iter().for_each(|(row, first)| sums[first as usize] += weight(row));
        (firsts, sums)
    };
    find(
        &asked,
        |start, hashes| hash(columns, start, hashes),
        equal(columns),
        |alike| {
            gone.add(&alike);
            further.par_extend(alike.into_par_iter().map(summed));
        },
    );
    let left = Left::new(gone);
    let mut weights = left.each(weight);
    let further = further.iter().flat_map(|(firsts, sums)| firsts.iter().zip(sums));
    further.for_each(|(&first, sum)| weights[left.place(first) as usize] += sum);
    let columns = columns.par_iter().map(|codes| left.taken_out_of(codes)).collect();
    (columns, weights)
}

/// A number for each of so many rows, in order of first appearance: rows that are equal have the same. Tells how many numbers there are, too.
/// `hash` works out the hashes of neighbouring rows, from one on.
pub(crate) fn numbers(
    rows: usize,
    hash: impl Fn(usize, &mut [u64]) + Sync,
    equal: impl Fn(u32, u32) -> bool + Sync,
) -> (Vec<u32>, usize) {
    let asked = Asked { rows, at_once: AT_ONCE, kept: |_| true };
    let mut gone = Marks::new(rows, asked.kept);
    let mut all: Vec<Alike> = Vec::new();
    find(&asked, hash, equal, |alike| {
        gone.add(&alike);
        all.extend(alike);
    });
    Left::new(gone).numbers(&all)
}

/// The same for rows of columns of codes.
pub(crate) fn numbers_of_rows(columns: &[&Codes], rows: usize) -> (Vec<u32>, usize) {
    numbers(rows, |start, hashes| hash(columns, start, hashes), equal(columns))
}

/// Do two rows have the same codes?
fn equal(columns: &[&Codes]) -> impl Fn(u32, u32) -> bool + Sync {
    |a, b| columns.iter().all(|codes| codes.get(a as usize) == codes.get(b as usize))
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

    type Row = (u32, u32, u64, bool);

    /// The distinct rows and their records, and which of them each row is, by the definition.
    fn naive(rows: &[Row]) -> (Vec<[u32; 2]>, Vec<u64>, Vec<u32>) {
        let (mut distinct, mut sums, mut of_row): (Vec<[u32; 2]>, Vec<u64>, Vec<u32>) = Default::default();
        for &(a, b, weight, _) in rows {
            let number = distinct.iter().position(|row| *row == [a, b]).unwrap_or(distinct.len());
            if number == distinct.len() {
                distinct.push([a, b]);
                sums.push(0);
            }
            sums[number] += weight;
            of_row.push(number as u32);
        }
        (distinct, sums, of_row)
    }

    fn columns_of(rows: &[Row]) -> [Codes; 2] {
        [rows.iter().map(|row| row.0).collect(), rows.iter().map(|row| row.1).collect::<Vec<u32>>()].map(Codes::from)
    }

    proptest! {
        #[test]
        fn equal_rows_are_one_and_stay_in_order_however_many_are_compared_at_once(
            rows in collection::vec((0..3u32, 0..400u32, 1..9u64, prop::bool::weighted(0.2)), 0..200),
            values in 1..400u32,
            at_once in 1..250usize,
        ) {
            let rows: Vec<Row> = rows.into_iter().map(|(a, b, weight, out)| (a, b % values, weight, out)).collect();
            let columns = columns_of(&rows);
            let weight = |row: usize| Some(rows[row].2).filter(|_| !rows[row].3);
            let (codes, weights) = regroup_by(at_once, &columns.each_ref(), rows.len(), weight);
            let kept: Vec<Row> = rows.iter().copied().filter(|row| !row.3).collect();
            let (distinct, sums, _) = naive(&kept);
            let found = codes[0].iter().zip(codes[1].iter()).map(|(a, b)| [a, b]);
            prop_assert_eq!(found.collect::<Vec<_>>(), distinct);
            prop_assert_eq!(weights, sums);
            let (distinct, _, of_row) = naive(&rows);
            prop_assert_eq!(numbers_of_rows(&columns.each_ref(), rows.len()), (of_row, distinct.len()));
        }
    }

    #[test]
    fn a_row_that_is_most_of_the_table_comes_in_parts() {
        // One heap has far more rows than are compared at once, all others are few enough.
        let rows: Vec<Row> =
            (0..9_000).map(|row| if row % 9 > 0 { (7, 300, 1, false) } else { (2, row, 1, false) }).collect();
        let columns = columns_of(&rows);
        let (codes, weights) = regroup_by(1_000, &columns.each_ref(), rows.len(), |_| Some(1));
        let (distinct, sums, _) = naive(&rows);
        assert_eq!(codes[0].iter().zip(codes[1].iter()).map(|(a, b)| [a, b]).collect::<Vec<_>>(), distinct);
        assert_eq!(weights, sums);
    }

    #[test]
    fn many_rows_of_which_few_repeat_an_earlier_one() {
        // Each row is like one that is far from it, or like none.
        let rows = 300_000;
        let number = |row: usize| if row.is_multiple_of(97) { row / 2 } else { row } as u32;
        let columns = [0, 9].map(|shift| Codes::from_codes((0..rows).map(|row| (number(row) >> shift) & 0x3FF), 0x400));
        let columns = columns.each_ref();
        let (codes, found) = regroup(&columns, rows, |_| Some(1));
        let mut place_of = std::collections::HashMap::new();
        let of_row: Vec<u32> = (0..rows)
            .map(|row| {
                let next = place_of.len() as u32;
                *place_of.entry(number(row) & 0x7FFFF).or_insert(next)
            })
            .collect();
        let mut weights = vec![0; place_of.len()];
        of_row.iter().for_each(|&place| weights[place as usize] += 1);
        assert!(found == weights && codes[1].len() == weights.len());
        // Some heaps after the others they are the same.
        assert!(regroup_by(rows / 3, &columns, rows, |_| Some(1)) == (codes, found));
        assert!(numbers_of_rows(&columns, rows) == (of_row, weights.len()));
    }
}
