//! Numbers for combinations of labels.

use std::ops::Range;

use hashbrown::HashMap;
use rayon::prelude::*;

use crate::grouper::spread;
use crate::regroup::numbers;
use crate::{Code, Codes, with_codes};

/// No combination has this number, and no row.
const NONE: u32 = u32::MAX;

/// Fewer rows are not worth the work of several cores.
const MANY_ROWS: usize = 1 << 16;

/// A core puts the labels of so many rows together before it goes on with others.
const ROWS_AT_ONCE: usize = 1 << 13;

/// Which combination of labels each row has.
///
/// Combinations are numbered anew after each column, so that no product of label counts can overflow, and no hash is taken to be
/// unique.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// The number of each row's combination, in order of first appearance.
    pub of_row: Vec<u32>,
    /// How many combinations there are.
    pub len: usize,
}

impl Numbering {
    /// All rows are alike.
    pub fn new(rows: usize) -> Self {
        Numbering { of_row: vec![0; rows], len: usize::from(rows > 0) }
    }

    /// Are there no combinations, because there are no rows?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Tells rows apart by their labels too, which are below `distinct`.
    pub fn refine(&mut self, labels: impl Iterator<Item = u32>, distinct: usize) {
        let possible = self.len.saturating_mul(distinct);
        if possible <= array(self.of_row.len()) {
            let mut number_of = vec![NONE; possible];
            self.renumber(labels, |number, label, next| {
                let slot = &mut number_of[number as usize * distinct + label as usize];
                if *slot == NONE {
                    *slot = next;
                }
                *slot
            });
        } else {
            let mut number_of: HashMap<(u32, u32), u32> = HashMap::new();
            self.renumber(labels, |number, label, next| *number_of.entry((number, label)).or_insert(next));
        }
    }

    /// The same for labels that are at hand, on all cores where that is worth it.
    pub fn refine_rows(&mut self, labels: &[u32], distinct: usize) {
        self.refine_by(|row| labels[row], distinct);
    }

    /// The same for the labels of a column's codes.
    pub fn refine_column(&mut self, codes: &Codes, label_of: &[u32], distinct: usize) {
        with_codes!(codes, codes => self.refine_by(|row| label_of[codes[row].index()], distinct));
    }

    fn refine_by(&mut self, label: impl Fn(usize) -> u32 + Sync, distinct: usize) {
        if distinct <= 1 {
            return;
        }
        let rows = self.of_row.len();
        match self.len.saturating_mul(distinct) {
            possible if possible <= shared(rows) => self.refine_shared(label, distinct),
            possible if possible > array(rows) && rows >= MANY_ROWS => {
                *self = numbered(rows, |row| u64::from(self.of_row[row]) << u32::BITS | u64::from(label(row)));
            }
            _ => self.refine((0..rows).map(label), distinct),
        }
    }

    /// Every core takes a stretch of rows. The first stretch that has a combination has its first row.
    fn refine_shared(&mut self, label: impl Fn(usize) -> u32 + Sync, distinct: usize) {
        let slot = |number: u32, row: usize| number as usize * distinct + label(row) as usize;
        let stretch = stretch(self.of_row.len());
        let first_rows = |(index, numbers): (usize, &[u32])| {
            let mut first = vec![NONE; self.len * distinct];
            for (row, &number) in (index * stretch..).zip(numbers) {
                let first = &mut first[slot(number, row)];
                *first = (*first).min(row as u32);
            }
            first
        };
        let stretches = self.of_row.par_chunks(stretch).enumerate();
        let first = stretches.map(first_rows).reduce_with(|mut first, other| {
            first.iter_mut().zip(other).for_each(|(first, other)| *first = (*first).min(other));
            first
        });
        let first = first.unwrap_or_default();
        let mut found: Vec<usize> = (0..first.len()).filter(|&slot| first[slot] != NONE).collect();
        found.sort_unstable_by_key(|&slot| first[slot]);
        let mut number_of = first;
        (0..).zip(&found).for_each(|(number, &slot)| number_of[slot] = number);
        self.of_row.par_chunks_mut(stretch).enumerate().for_each(|(index, numbers)| {
            let rows = (index * stretch..).zip(numbers);
            rows.for_each(|(row, number)| *number = number_of[slot(*number, row)]);
        });
        self.len = found.len();
    }

    /// Tells rows apart by several columns, each of which has labels below `distinct`, until there are as many combinations as `enough`.
    /// `add` puts the labels of a column into the numbers of some neighbouring rows, from one on: a number becomes that many times as large
    /// as the column has labels, plus the label.
    ///
    /// Several columns are taken at a time: to look up a combination takes far longer than to put its labels into one number.
    pub fn refine_all(&mut self, distinct: &[usize], enough: usize, add: impl Fn(usize, usize, &mut [u32]) + Sync) {
        let (rows, mut done) = (self.of_row.len(), 0);
        while done < distinct.len() && self.len < enough {
            let (taken, possible) = batch(&distinct[done..], rows, self.len);
            let mut combined = vec![0_u32; rows];
            combined.par_chunks_mut(ROWS_AT_ONCE).enumerate().for_each(|(chunk, combined)| {
                // New memory that is read before it is written costs twice.
                combined.fill(0);
                (done..done + taken).for_each(|column| add(column, chunk * ROWS_AT_ONCE, combined));
            });
            self.refine_rows(&combined, possible);
            done += taken;
        }
    }

    /// The same for columns of codes, each below a number of its own.
    pub fn refine_columns(&mut self, columns: &[(&Codes, usize)], enough: usize) {
        let distinct: Vec<usize> = columns.iter().map(|(_, distinct)| *distinct).collect();
        self.refine_all(&distinct, enough, |column, start, combined| {
            let (codes, distinct) = columns[column];
            with_codes!(codes, codes => {
                combine(combined, distinct, codes[start..].iter().map(|code| code.index() as u32));
            });
        });
    }

    /// `find` gives the number of a combination: `next` if it is a new one.
    fn renumber(&mut self, labels: impl Iterator<Item = u32>, mut find: impl FnMut(u32, u32, u32) -> u32) {
        let mut next = 0;
        for (number, label) in self.of_row.iter_mut().zip(labels) {
            *number = find(*number, label, next);
            next += u32::from(*number == next);
        }
        self.len = next as usize;
    }

    /// The first row of each combination.
    pub fn first_rows(&self) -> Vec<u32> {
        let mut first = Vec::with_capacity(self.len);
        for (row, &number) in self.of_row.iter().enumerate() {
            if number as usize == first.len() {
                first.push(row as u32);
            }
        }
        first
    }

    /// The records of each combination.
    pub fn sizes(&self, weights: &[u64]) -> Vec<u64> {
        sums(self.of_row.len(), self.len, |row| self.of_row[row] as usize, |row| weights[row])
    }
}

/// Puts labels below `distinct` into numbers of combinations: those of more labels, of which the last one is this.
pub fn combine(numbers: &mut [u32], distinct: usize, labels: impl Iterator<Item = u32>) {
    numbers.iter_mut().zip(labels).for_each(|(number, label)| *number = *number * distinct as u32 + label);
}

/// Numbers rows by their keys, in order of first appearance: those with the same key have the same number.
fn numbered(rows: usize, key: impl Fn(usize) -> u64 + Sync) -> Numbering {
    let hash = |start: usize, hashes: &mut [u64]| {
        (start..).zip(&mut *hashes).for_each(|(row, hash)| *hash = key(row).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        spread(hashes);
    };
    let (of_row, len) = numbers(rows, hash, |a, b| key(a as usize) == key(b as usize));
    Numbering { of_row, len }
}

/// How many of the columns to take at once, and how many combinations of labels they could have.
fn batch(distinct: &[usize], rows: usize, groups: usize) -> (usize, usize) {
    // As long as all cores can number them they should, or else as long as there is an array for them. If there cannot be one, the
    // combinations just have to fit into their numbers.
    let first = distinct[0];
    let array = array(rows).min(u32::MAX as usize);
    let fits = |most: &usize| first.saturating_mul(groups.max(1)) <= *most;
    let most = [shared(rows), array].into_iter().find(fits).map_or(u32::MAX as usize, |most| most / groups.max(1));
    let more = |&(taken, product): &(usize, usize)| {
        let product = product.checked_mul(*distinct.get(taken)?)?;
        (product <= most).then_some((taken + 1, product))
    };
    std::iter::successors(Some((1, first)), more).last().unwrap_or((1, first))
}

/// Up to so many counts every core counts for itself, and all of these are put together: where there are many rows, and more of them than
/// counts. Not a single one where it is not worth it.
pub(crate) fn shared(rows: usize) -> usize {
    if rows < MANY_ROWS { 0 } else { rows / rayon::current_num_threads() }
}

/// Combinations are looked up in an array while it is not much larger than the rows themselves.
fn array(rows: usize) -> usize {
    (4 * rows).max(1 << 16)
}

/// The rows that one core takes.
fn stretch(rows: usize) -> usize {
    rows.div_ceil(rayon::current_num_threads()).max(1)
}

/// The sum of what the rows of each group are worth, on all cores where that is worth it.
pub fn sums(
    rows: usize,
    groups: usize,
    group: impl Fn(usize) -> usize + Sync,
    worth: impl Fn(usize) -> u64 + Sync,
) -> Vec<u64> {
    let summed = |rows: Range<usize>| sums_alone(rows, groups, &group, &worth);
    if groups > shared(rows) {
        return summed(0..rows);
    }
    let stretch = stretch(rows);
    let stretches = (0..rows.div_ceil(stretch)).into_par_iter();
    let all = stretches.map(|index| summed(index * stretch..rows.min((index + 1) * stretch)));
    let all = all.reduce_with(|mut sums, other| {
        sums.iter_mut().zip(other).for_each(|(sum, other)| *sum += other);
        sums
    });
    all.unwrap_or_else(|| vec![0; groups])
}

/// The same on one core.
///
/// Most rows are often of one group: to add to the same sum again the processor waits until it was written. So neighbouring rows have sums
/// of their own, where these are few.
pub fn sums_alone(
    rows: Range<usize>,
    groups: usize,
    group: impl Fn(usize) -> usize,
    worth: impl Fn(usize) -> u64,
) -> Vec<u64> {
    const LANES: usize = 4;
    const FEW: usize = 1 << 12;
    if groups > FEW || rows.len() < LANES * groups {
        let mut sums = vec![0_u64; groups];
        rows.for_each(|row| sums[group(row)] += worth(row));
        return sums;
    }
    let mut lanes = vec![[0_u64; LANES]; groups];
    let whole = rows.start + rows.len() / LANES * LANES;
    for first in (rows.start..whole).step_by(LANES) {
        for lane in 0..LANES {
            lanes[group(first + lane)][lane] += worth(first + lane);
        }
    }
    (whole..rows.end).for_each(|row| lanes[group(row)][0] += worth(row));
    lanes.into_iter().map(|lanes| lanes.iter().sum()).collect()
}

/// The rows that are looked at, sorted by group.
pub(crate) fn by_group(group_of: &[u32], groups: usize, looked_at: &(impl Fn(u32) -> bool + Sync)) -> Vec<u32> {
    // Often few are looked at: all cores look for them, and then there are few to sort.
    let looked_at = |row: &u32| looked_at(*row);
    let rows: Vec<u32> = (0..group_of.len() as u32).into_par_iter().with_min_len(1 << 14).filter(looked_at).collect();
    let mut next = vec![0u32; groups + 1];
    rows.iter().for_each(|&row| next[group_of[row as usize] as usize + 1] += 1);
    (0..groups).for_each(|group| next[group + 1] += next[group]);
    let mut order = vec![0; rows.len()];
    for row in rows {
        let next = &mut next[group_of[row as usize] as usize];
        order[*next as usize] = row;
        *next += 1;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_rows_are_numbered_and_summed_as_few_are() {
        let rows = MANY_ROWS + 77;
        let code = |row: usize| (row.wrapping_mul(0x9e37_79b9) >> 7) as u32 % 61;
        let codes = Codes::from_codes((0..rows).map(code), 61);
        let label_of: Vec<u32> = (0..61).map(|code| code % 7).collect();
        let mut shared = Numbering::new(rows);
        let mut alone = shared.clone();
        for modulus in [3, 7] {
            let label_of: Vec<u32> = label_of.iter().map(|label| label % modulus).collect();
            shared.refine_column(&codes, &label_of, modulus as usize);
            alone.refine(codes.iter().map(|code| label_of[code as usize]), modulus as usize);
            assert!((&shared.of_row, shared.len) == (&alone.of_row, alone.len), "{modulus}");
        }
        // So many labels that there can be no array of them.
        let many = |row: usize| code(row) * 50_000_000;
        let labels: Vec<u32> = (0..rows).map(many).collect();
        shared.refine_rows(&labels, u32::MAX as usize);
        alone.refine((0..rows).map(many), u32::MAX as usize);
        assert!((&shared.of_row, shared.len) == (&alone.of_row, alone.len) && alone.len == 61);
        let weights: Vec<u64> = (0..rows as u64).collect();
        let mut sizes = vec![0; alone.len];
        alone.of_row.iter().zip(&weights).for_each(|(&number, weight)| sizes[number as usize] += weight);
        assert_eq!(shared.sizes(&weights), sizes);
        assert_eq!(sums(0, 2, |_| 0, |_| 1), [0, 0]);
        for (from, to) in [(0, 0), (3, 3), (1, 8), (0, 41), (5, rows)] {
            let mut expected = vec![0; 7];
            (from..to).for_each(|row| expected[code(row) as usize % 7] += weights[row]);
            assert_eq!(
                sums_alone(from..to, 7, |row| code(row) as usize % 7, |row| weights[row]),
                expected,
                "{from}..{to}"
            );
        }
    }

    #[test]
    fn combinations_are_numbered_as_they_appear() {
        let mut numbering = Numbering::new(5);
        numbering.refine([1, 0, 1, 1, 0].into_iter(), 2);
        assert_eq!((&numbering.of_row[..], numbering.len), (&[0, 1, 0, 0, 1][..], 2));
        // So many labels that an array would be larger than the rows.
        numbering.refine([9, 9, 9, 1 << 30, 9].into_iter(), 1 << 31);
        assert_eq!((&numbering.of_row[..], numbering.len), (&[0, 1, 0, 2, 1][..], 3));
        assert_eq!(numbering.first_rows(), [0, 1, 3]);
        assert_eq!(numbering.sizes(&[1, 2, 3, 4, 5]), [4, 7, 4]);
        assert!(Numbering::new(0).is_empty());
    }
}
