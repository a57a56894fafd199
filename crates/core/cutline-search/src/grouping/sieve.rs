//! Which rows are in groups that are large enough?
//!
//! Telling rows apart by more attributes never makes a group larger. So rows are grouped by the columns that tell most apart first, and
//! whoever is among fewer than k already is not looked at again. For that, nobody need know the groups: rows are counted in a small array
//! at the place that a hash of their labels says. Whoever is not among k there, together with all that share the place by chance, is not
//! in any group of k. Only those that are left are numbered exactly.

use std::ops::Range;

use cutline_table::{Code, Codes, with_codes};

use super::{Grouping, Labelling, Renumber};

/// So many groups are counted in an array at once; with few rows, so many as there are.
const MOST_CELLS: usize = 1 << 15;
const FEWEST_CELLS: usize = 1 << 10;

/// The counters that hashes choose from: they should stay in a cache, and be shared by few rows compared to k.
const MOST_COUNTERS: usize = 1 << 18;

/// Rows that fit into the fastest cache together with what is looked up for them.
const BLOCK: usize = 1 << 11;

/// The rows that are left. Its buffers are used again for every candidate.
#[derive(Debug, Default)]
pub(crate) struct Sieve {
    /// Ascending, `left` of them.
    rows: Vec<u32>,
    /// The group of each.
    ids: Vec<u32>,
    left: usize,
    /// The records of each group.
    pub(crate) sizes: Vec<u64>,
    columns: Vec<Column>,
    /// The labels of each row that is left, as one number.
    keys: Vec<u64>,
    counters: Vec<u32>,
    /// For each counter, is it enough? 64 of them in each number.
    enough: Vec<u64>,
    number_of: Vec<u32>,
    renumber: Renumber,
}

/// A pack under some labels.
#[derive(Debug, Default)]
struct Column {
    pack: usize,
    /// For each combination of codes, the number of its combination of labels: in their order.
    number_of: Vec<u32>,
    /// How many combinations of labels there are.
    width: u64,
}

/// What is counted, and what is enough.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enough<'a> {
    /// The records of each row: fewer than 2^32 in all.
    pub(crate) weights: &'a Codes,
    /// The fewest records of a group.
    pub(crate) k: u64,
}

const NONE: u32 = u32::MAX;

impl Grouping {
    /// Are groups so few that they are counted at once?
    pub(crate) fn are_few(&self, labellings: &[Labelling]) -> bool {
        let most = self.rows.clamp(FEWEST_CELLS, MOST_CELLS);
        self.product(labellings).is_some_and(|product| product <= most as u64)
    }

    /// Numbers all rows where groups are few, in the order of their labels, and counts them. Numbers may be left out.
    pub(crate) fn count_few(&self, labellings: &[Labelling], weights: &Codes, sieve: &mut Sieve) {
        let columns = sieve.prepare_all(self, labellings);
        sieve.first(self, &columns, weights, (sieve.cells(), |key| key as usize));
        sieve.sizes.clear();
        sieve.sizes.extend(sieve.counters.iter().map(|&count| u64::from(count)));
    }

    /// Finds the rows in groups of at least k records, and says how many records are in others. Nothing if somebody gave up when told of
    /// that many. Groups are numbered in the same order as [`Grouping::number`] does.
    pub(crate) fn sift(
        &self,
        labellings: &[Labelling],
        enough: Enough<'_>,
        sieve: &mut Sieve,
        gives_up: &dyn Fn(u64) -> bool,
    ) -> Option<u64> {
        sieve.prepare(self, labellings);
        let (first, further) = sieve.in_two(self.rows);
        let counters = Counters::of(self.rows, enough.k);
        sieve.first(self, &first, enough.weights, (counters.len(), |key| counters.place(u64::from(key))));
        let mut small = sieve.begin(enough.k, counters);
        if gives_up(small) {
            return None;
        }
        if !further.is_empty() {
            sieve.further(self, &further);
            small += sieve.drop_few(enough);
            if gives_up(small) {
                return None;
            }
        }
        small += sieve.drop_small(enough);
        let by_label = self.product(labellings).is_some_and(|product| self.is_array(product));
        sieve.arrange(self, by_label);
        Some(small)
    }
}

/// Where rows are counted whose keys have the same hash.
#[derive(Clone, Copy, Debug)]
struct Counters {
    bits: u32,
}

impl Counters {
    /// Three for every k of the rows.
    fn of(rows: usize, k: u64) -> Self {
        let most = (rows as u64).saturating_mul(3) / k;
        Counters { bits: (most as usize).next_power_of_two().clamp(FEWEST_CELLS, MOST_COUNTERS).trailing_zeros() }
    }

    fn len(self) -> usize {
        1 << self.bits
    }

    fn place(self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - self.bits)) as usize
    }
}

impl Sieve {
    /// The rows that are left, ascending, and the group of each.
    pub(crate) fn kept(&self) -> (&[u32], &[u32]) {
        (&self.rows[..self.left], &self.ids[..self.left])
    }

    /// The group of each row, after all were counted at once.
    pub(crate) fn ids(&mut self) -> &mut Vec<u32> {
        &mut self.ids
    }

    /// Numbers the combinations of labels of each pack that tells anything apart.
    fn prepare(&mut self, grouping: &Grouping, labellings: &[Labelling]) {
        let mut used = 0;
        for (index, pack) in grouping.packs.iter().enumerate() {
            let radix = pack.radix(labellings);
            if radix < 2 {
                continue;
            }
            if used == self.columns.len() {
                self.columns.push(Column::default());
            }
            let column = &mut self.columns[used];
            column.pack = index;
            pack.fill(labellings, &mut column.number_of);
            column.width = close_ranks(&mut column.number_of, radix as usize, &mut self.number_of) as u64;
            used += 1;
        }
        self.columns.truncate(used);
    }

    /// The columns that tell most apart, as few as could tell all rows apart, and the others.
    fn in_two(&self, rows: usize) -> (Vec<usize>, Vec<usize>) {
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.sort_by_key(|&column| std::cmp::Reverse(self.columns[column].width));
        let mut product = 1u64;
        let enough = order.iter().position(|&column| {
            let before = product;
            product = product.saturating_mul(self.columns[column].width);
            before >= rows as u64 || product > u64::from(u32::MAX)
        });
        let further = order.split_off(enough.unwrap_or(order.len()).max(1).min(order.len()));
        (order, further)
    }

    /// The same, and all of them.
    fn prepare_all(&mut self, grouping: &Grouping, labellings: &[Labelling]) -> Vec<usize> {
        self.prepare(grouping, labellings);
        (0..self.columns.len()).collect()
    }

    /// How many combinations of labels there could be.
    fn cells(&self) -> usize {
        self.columns.iter().map(|column| column.width as usize).product()
    }

    /// Numbers some rows by some columns, fewer than 2^32 combinations.
    fn number(&self, grouping: &Grouping, columns: &[usize], rows: Range<usize>, ids: &mut [u32]) {
        ids.fill(0);
        for &Column { pack, ref number_of, width } in columns.iter().map(|&column| &self.columns[column]) {
            with_codes!(&grouping.packs[pack].codes, codes => {
                let ids = ids.iter_mut().zip(&codes[rows.clone()]);
                ids.for_each(|(id, code)| *id = *id * width as u32 + number_of[code.index()]);
            });
        }
    }

    /// Numbers all rows by some columns, and counts their records in the places of their numbers.
    fn first(
        &mut self,
        grouping: &Grouping,
        columns: &[usize],
        weights: &Codes,
        (counters, place): (usize, impl Fn(u32) -> usize),
    ) {
        let (mut ids, mut counted) = (std::mem::take(&mut self.ids), std::mem::take(&mut self.counters));
        counted.clear();
        counted.resize(counters, 0);
        ids.resize(grouping.rows, 0);
        for (block, ids) in ids.chunks_mut(BLOCK).enumerate() {
            let rows = block * BLOCK..block * BLOCK + ids.len();
            self.number(grouping, columns, rows.clone(), ids);
            with_codes!(weights, weights => {
                let ids = ids.iter().zip(&weights[rows]);
                ids.for_each(|(&id, weight)| counted[place(id)] += weight.index() as u32);
            });
        }
        (self.ids, self.counters) = (ids, counted);
    }

    /// Notes which counters are enough. Gives the records in the others.
    fn judge(&mut self, k: u64) -> u64 {
        let mut few = 0;
        self.enough.clear();
        for counters in self.counters.chunks(64) {
            let mut bits = 0;
            for (bit, &count) in counters.iter().enumerate() {
                let enough = u64::from(count) >= k;
                bits |= u64::from(enough) << bit;
                few += if enough { 0 } else { u64::from(count) };
            }
            self.enough.push(bits);
        }
        few
    }

    /// Begins with the rows that are among k in their places. Gives the records of the others.
    fn begin(&mut self, k: u64, counters: Counters) -> u64 {
        let few = self.judge(k);
        let Sieve { rows, ids, keys, enough, left, .. } = self;
        rows.resize(ids.len(), 0);
        keys.resize(ids.len(), 0);
        *left = 0;
        for (row, &id) in ids.iter().enumerate() {
            (rows[*left], keys[*left]) = (row as u32, u64::from(id));
            *left += is_set(enough, counters.place(u64::from(id)));
        }
        few
    }

    /// The rows that are left, by some more columns. Keys are numbered anew before they could overflow.
    fn further(&mut self, grouping: &Grouping, columns: &[usize]) {
        let Sieve { rows, keys, left, renumber, columns: all, .. } = self;
        let (rows, keys) = (&rows[..*left], &mut keys[..*left]);
        let mut range = keys.iter().copied().max().map_or(1, |most| most + 1);
        for &Column { pack, ref number_of, width } in columns.iter().map(|&column| &all[column]) {
            if range.checked_mul(width).is_none() {
                range = renumber.run(keys) as u64;
                keys.iter_mut().zip(&renumber.ids).for_each(|(key, &id)| *key = u64::from(id));
            }
            with_codes!(&grouping.packs[pack].codes, codes => {
                for (key, &row) in keys.iter_mut().zip(rows) {
                    *key = *key * width + u64::from(number_of[codes[row as usize].index()]);
                }
            });
            range = range.saturating_mul(width);
        }
    }

    /// Leaves rows out that are not among k, with all whose keys have the same hash. Gives their records.
    fn drop_few(&mut self, Enough { weights, k }: Enough<'_>) -> u64 {
        let counters = Counters::of(self.left, k);
        self.counters.clear();
        self.counters.resize(counters.len(), 0);
        with_codes!(weights, weights => {
            for (&key, &row) in self.keys[..self.left].iter().zip(&self.rows) {
                self.counters[counters.place(key)] += weights[row as usize].index() as u32;
            }
        });
        let few = self.judge(k);
        let Sieve { rows, keys, enough, left, .. } = self;
        let mut kept = 0;
        for index in 0..*left {
            let (row, key) = (rows[index], keys[index]);
            (rows[kept], keys[kept]) = (row, key);
            kept += is_set(enough, counters.place(key));
        }
        *left = kept;
        few
    }

    /// Numbers groups and leaves rows out that are in small ones. Gives their records.
    fn drop_small(&mut self, Enough { weights, k }: Enough<'_>) -> u64 {
        let Sieve { rows, ids, left, sizes, keys, number_of, renumber, .. } = self;
        let mut counts = vec![0u64; renumber.run(&keys[..*left])];
        with_codes!(weights, weights => {
            let rows = renumber.ids.iter().zip(&*rows);
            rows.for_each(|(&id, &row)| counts[id as usize] += weights[row as usize].index() as u64);
        });
        sizes.clear();
        number_of.clear();
        for &count in &counts {
            number_of.push(if count < k { NONE } else { sizes.len() as u32 });
            sizes.extend((count >= k).then_some(count));
        }
        *left = 0;
        for (index, &id) in renumber.ids.iter().enumerate() {
            let number = number_of[id as usize];
            (rows[*left], ids[*left]) = (rows[index], number);
            *left += usize::from(number != NONE);
        }
        counts.iter().filter(|&&count| count < k).sum()
    }

    /// Groups are numbered by their first rows: if they are to be by their labels, does that.
    fn arrange(&mut self, grouping: &Grouping, by_label: bool) {
        if !by_label {
            return;
        }
        let Sieve { rows, ids, left, sizes, columns, number_of, .. } = self;
        let ids = &mut ids[..*left];
        let mut first = Vec::with_capacity(sizes.len());
        for (&row, &id) in rows.iter().zip(&*ids) {
            if id as usize == first.len() {
                first.push((row, id));
            }
        }
        first.sort_by_cached_key(|&(row, _)| -> Vec<u32> {
            let code = |column: &Column| grouping.packs[column.pack].codes.get(row as usize);
            columns.iter().map(|column| column.number_of[code(column) as usize]).collect()
        });
        number_of.clear();
        number_of.resize(first.len(), 0);
        first.iter().zip(0..).for_each(|(&(_, id), number)| number_of[id as usize] = number);
        *sizes = first.iter().map(|&(_, id)| sizes[id as usize]).collect();
        ids.iter_mut().for_each(|id| *id = number_of[*id as usize]);
    }
}

/// 1 if a bit is set, 0 if not.
fn is_set(bits: &[u64], at: usize) -> usize {
    (bits[at / 64] >> (at % 64) & 1) as usize
}

/// Numbers below `radix` become those below the number of different ones, in the same order.
fn close_ranks(numbers: &mut [u32], radix: usize, rank_of: &mut Vec<u32>) -> usize {
    if radix > (4 * numbers.len()).max(FEWEST_CELLS) {
        rank_of.clear();
        rank_of.extend_from_slice(numbers);
        rank_of.sort_unstable();
        rank_of.dedup();
        numbers.iter_mut().for_each(|number| *number = rank_of.partition_point(|other| other < number) as u32);
        return rank_of.len();
    }
    rank_of.clear();
    rank_of.resize(radix, 0);
    numbers.iter().for_each(|&number| rank_of[number as usize] = 1);
    let mut next = 0;
    for rank in rank_of.iter_mut() {
        next += std::mem::replace(rank, next);
    }
    numbers.iter_mut().for_each(|number| *number = rank_of[*number as usize]);
    next as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_keep_their_order() {
        for radix in [10, 1 << 30] {
            let mut numbers = [7, 2, 9, 2];
            assert_eq!(close_ranks(&mut numbers, radix, &mut Vec::new()), 3);
            assert_eq!(numbers, [1, 0, 2, 0]);
        }
    }
}
