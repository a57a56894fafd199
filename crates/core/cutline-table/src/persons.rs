//! Whose records are these?

use rayon::prelude::*;

use crate::interner::Interner;
use crate::numbering::{by_group, sums};
use crate::regroup::numbers_of_rows;
use crate::{BlockColumn, Codes, Numbering, RawColumn, RawTable, RecordNumber};

/// The persons behind the records of each row, where one person may have several records.
///
/// k records of one person protect nobody, so groups count persons: a person counts once in every group that has a record of theirs.
/// Most persons usually have all their records in one row. Those are only counted; the others are listed with each of their rows. Records that
/// lack the person's name count as one person together: nobody knows that they are several.
///
/// # Guarantee
/// Splitting a group never gives a part more persons than the group has, and the union of two groups has at least as many as either
/// of them, so searches prune on persons as they do on records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Persons {
    /// For each row, the persons who have no record in another row.
    alone: Vec<u32>,
    /// For each row, how often the persons of it count at least, in parts of [`WHOLE`]: those alone wholly, others one part of it for each of
    /// their rows.
    parts: Vec<u32>,
    /// The other persons of each row, by number, one row after the other.
    shared: Vec<u32>,
    /// Where those of each row begin, and where the last ones end.
    starts: Vec<usize>,
    /// Persons with several rows: their numbers are below it.
    several: usize,
    all: u64,
}

/// A person with two, three, four, six or twelve rows counts as exact parts of it.
const WHOLE: u32 = 12;

/// No person has this number, and no row.
const NONE: u32 = u32::MAX;

impl Persons {
    /// From pairs of a person and a row; a pair may come several times. Persons should have small numbers.
    pub fn new(rows: usize, pairs: &[(u32, u32)]) -> Self {
        let persons = pairs.iter().map(|&(person, _)| person as usize + 1).max().unwrap_or(0);
        let row_of: Vec<u32> = pairs.iter().map(|&(_, row)| row).collect();
        let mut last_row = vec![NONE; persons];
        let mut by_row = Vec::with_capacity(pairs.len());
        for pair in by_group(&row_of, rows, &|_| true) {
            let (person, row) = pairs[pair as usize];
            if std::mem::replace(&mut last_row[person as usize], row) != row {
                by_row.push((person, row));
            }
        }
        let all = last_row.into_iter().filter(|&row| row != NONE).count();
        Persons::sorted(vec![0; rows], by_row, persons, all as u64)
    }

    /// The same persons behind other rows, each of which is several of these.
    pub fn regrouped(&self, rows: &Numbering) -> Self {
        let mut alone = vec![0; rows.len];
        for (&row, persons) in rows.of_row.iter().zip(&self.alone) {
            alone[row as usize] += persons;
        }
        let mut pairs = Vec::with_capacity(self.shared.len());
        let by_row = by_group(&rows.of_row, rows.len, &|_| true);
        self.each_shared(&by_row, &rows.of_row, |row, person| pairs.push((person, row)));
        Persons::sorted(alone, pairs, self.several, self.all)
    }

    /// From those alone in each row, and pairs by row of other persons, of whom some may have a single row.
    fn sorted(mut alone: Vec<u32>, pairs: Vec<(u32, u32)>, persons: usize, all: u64) -> Self {
        let mut rows_of = vec![0u32; persons];
        pairs.iter().for_each(|&(person, _)| rows_of[person as usize] += 1);
        let mut number_of = vec![NONE; persons];
        let mut several = 0;
        for (number, _) in number_of.iter_mut().zip(&rows_of).filter(|(_, rows)| **rows > 1) {
            *number = several;
            several += 1;
        }
        let mut parts = vec![0u32; alone.len()];
        let mut starts = vec![0; alone.len() + 1];
        let mut shared = Vec::new();
        for (person, row) in pairs {
            let (person, row) = (person as usize, row as usize);
            if rows_of[person] == 1 {
                alone[row] += 1;
                continue;
            }
            shared.push(number_of[person]);
            starts[row + 1] += 1;
            parts[row] = parts[row].saturating_add(WHOLE / rows_of[person]);
        }
        (1..starts.len()).for_each(|row| starts[row] += starts[row - 1]);
        for (parts, alone) in parts.iter_mut().zip(&alone) {
            *parts = parts.saturating_add(alone.saturating_mul(WHOLE));
        }
        Persons { alone, parts, shared, starts, several: several as usize, all }
    }

    /// All persons.
    pub fn all(&self) -> u64 {
        self.all
    }

    /// The persons of each of so many groups, of which every row has one. Only records of rows that are kept count. A group that has
    /// `enough` of them or more may be given any number from `enough` on: most groups are large, and then nobody has to be told apart.
    fn sizes(&self, group_of: &[u32], groups: usize, kept: &(impl Fn(u32) -> bool + Sync), enough: u64) -> Vec<u64> {
        let mut sizes = self.at_least(group_of, groups, kept);
        let in_doubt: Vec<bool> = sizes.iter().map(|&size| size < enough).collect();
        if !in_doubt.contains(&true) {
            return sizes;
        }
        sizes.iter_mut().zip(&in_doubt).filter(|(_, in_doubt)| **in_doubt).for_each(|(size, _)| *size = 0);
        let looked_at = |row: u32| in_doubt[group_of[row as usize] as usize] && kept(row);
        let rows = by_group(group_of, groups, &looked_at);
        for &row in &rows {
            sizes[group_of[row as usize] as usize] += u64::from(self.alone[row as usize]);
        }
        self.each_shared(&rows, group_of, |group, _| sizes[group as usize] += 1);
        sizes
    }

    /// So many persons each group has at least: a person is in no more rows of it than in all.
    fn at_least(&self, group_of: &[u32], groups: usize, kept: &(impl Fn(u32) -> bool + Sync)) -> Vec<u64> {
        let part = |row: usize| if kept(row as u32) { u64::from(self.parts[row]) } else { 0 };
        let parts = sums(group_of.len(), groups, |row| group_of[row] as usize, part);
        parts.into_iter().map(|parts| parts.div_ceil(u64::from(WHOLE))).collect()
    }

    /// Tells of each group, one after the other, which persons with several rows it has: each once. The rows are sorted by group.
    fn each_shared(&self, rows: &[u32], group_of: &[u32], mut each: impl FnMut(u32, u32)) {
        let mut last_group = vec![NONE; self.several];
        for &row in rows {
            let row = row as usize;
            for &person in &self.shared[self.starts[row]..self.starts[row + 1]] {
                let last = &mut last_group[person as usize];
                if *last != group_of[row] {
                    *last = group_of[row];
                    each(group_of[row], person);
                }
            }
        }
    }
}

/// What groups count: the persons behind their records, if that was asked for, or the records.
#[derive(Clone, Copy, Debug)]
pub struct Members<'a> {
    /// The records of each row.
    pub weights: &'a [u64],
    /// Who is behind them.
    pub persons: Option<&'a Persons>,
}

impl Members<'_> {
    /// The members of each of so many groups, of which every row has one. Only the rows that are kept count.
    pub fn sizes(&self, group_of: &[u32], groups: usize, kept: &(impl Fn(u32) -> bool + Sync)) -> Vec<u64> {
        self.sizes_below(u64::MAX, group_of, groups, kept)
    }

    /// The same, but a group that has `enough` members or more may be given any number from `enough` on.
    pub fn sizes_below(
        &self,
        enough: u64,
        group_of: &[u32],
        groups: usize,
        kept: &(impl Fn(u32) -> bool + Sync),
    ) -> Vec<u64> {
        if let Some(persons) = self.persons.filter(|_| !self.weights.contains(&0)) {
            return persons.sizes(group_of, groups, kept, enough);
        }
        let kept = |row: u32| self.weights[row as usize] > 0 && kept(row);
        if let Some(persons) = self.persons {
            return persons.sizes(group_of, groups, &kept, enough);
        }
        let worth = |row: usize| if kept(row as u32) { self.weights[row] } else { 0 };
        sums(group_of.len(), groups, |row| group_of[row] as usize, worth)
    }

    /// The members of the smallest group.
    pub fn smallest(&self, groups: &Numbering) -> u64 {
        // Nobody is a member without a record, so groups with more persons than the smallest has records need not be counted.
        let records = groups.sizes(self.weights).into_iter().min().unwrap_or(0);
        let sizes = self.sizes_below(records.saturating_add(1), &groups.of_row, groups.len, &|_| true);
        sizes.into_iter().min().unwrap_or(0)
    }

    /// The members of some rows together.
    pub fn among(&self, kept: &(impl Fn(u32) -> bool + Sync)) -> u64 {
        self.sizes(&vec![0; self.weights.len()], 1, kept)[0]
    }
}

/// Numbers the persons behind records, in the order of the records. Those without a name are one person.
#[derive(Debug, Default)]
pub struct PersonNumbers {
    names: Interner,
    numbers: Vec<u32>,
}

impl PersonNumbers {
    /// The next records.
    pub fn add(&mut self, names: &BlockColumn) {
        let number_of = self.names.codes(&names.texts, &vec![RecordNumber::UNKNOWN; names.texts.len()]);
        self.numbers.extend(names.codes.iter().map(|&code| number_of[code as usize]));
    }

    /// The number of each record's person.
    pub fn finish(self) -> Vec<u32> {
        self.numbers
    }
}

/// A table without some of its columns, and what these say of its rows.
pub(crate) struct Without {
    pub(crate) table: RawTable,
    /// The row that each row of the table with them is in.
    rows: Vec<u32>,
}

impl Without {
    pub(crate) fn new(raw: &RawTable, columns: &[usize]) -> Self {
        let others: Vec<usize> = (0..raw.columns.len()).filter(|other| !columns.contains(other)).collect();
        let codes = others.iter().map(|&other| &raw.columns[other].codes);
        let codes: Vec<&Codes> = codes.chain(raw.history.as_ref().map(|history| &history.of_row)).collect();
        let (of_row, len) = numbers_of_rows(&codes, raw.weights.len());
        let rows = Numbering { of_row, len };
        let first = rows.first_rows();
        let columns = codes.par_iter().map(|codes| codes.taken(&first)).collect();
        Without { table: raw.regrouped(&others, columns, rows.sizes(&raw.weights)), rows: rows.of_row }
    }

    /// The persons behind the rows, by a column that was left out.
    pub(crate) fn persons(&self, column: &RawColumn) -> Persons {
        let pairs: Vec<(u32, u32)> = column.codes.iter().zip(self.rows.iter().copied()).collect();
        Persons::new(self.table.weights.len(), &pairs)
    }

    /// The sum of what `worth` says of each row that was put into one, times its records.
    pub(crate) fn sums(&self, raw: &RawTable, worth: impl Fn(usize) -> u64) -> Vec<u64> {
        let mut sums = vec![0; self.table.weights.len()];
        for (index, (&row, &records)) in self.rows.iter().zip(&raw.weights).enumerate() {
            sums[row as usize] += worth(index) * records;
        }
        sums
    }
}

impl RawTable {
    /// The table without a column that says whose record each is, and the persons behind its rows.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn by_person(&self, column: usize) -> (RawTable, Persons) {
        let without = Without::new(self, &[column]);
        let persons = without.persons(&self.columns[column]);
        (without.table, persons)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use cutline_model::Masking;
    use cutline_model::recoding::Unknown;
    use proptest::collection;
    use proptest::prelude::*;

    use super::*;
    use crate::LabelKind;

    #[test]
    fn a_person_counts_once_in_every_group() {
        // Person 7 has rows 0, 1 and 3, person 8 row 1 twice, person 9 row 2.
        let persons = Persons::new(4, &[(7, 1), (8, 1), (7, 0), (9, 2), (8, 1), (7, 3)]);
        assert_eq!(persons.all(), 3);
        let members = Members { weights: &[1, 3, 1, 1], persons: Some(&persons) };
        assert_eq!(members.sizes(&[0, 0, 0, 0], 1, &|_| true), [3]);
        assert_eq!(members.sizes(&[0, 0, 1, 1], 2, &|_| true), [2, 2]);
        assert_eq!(members.sizes(&[0, 0, 1, 1], 2, &|row| row != 1), [1, 2]);
        assert_eq!(members.among(&|row| row == 1), 2);
        assert_eq!(Members { persons: None, ..members }.sizes(&[0, 0, 1, 1], 2, &|_| true), [4, 2]);
    }

    /// Twelve persons with up to twelve records in twenty rows, which are in five groups.
    fn any_members() -> impl Strategy<Value = (Vec<(u32, u32)>, Vec<u32>, Vec<bool>)> {
        let pairs = collection::vec((0..12u32, 0..20u32), 0..60);
        (pairs, collection::vec(0..5u32, 20), collection::vec(any::<bool>(), 20))
    }

    proptest! {
        #[test]
        fn groups_with_too_few_persons_are_counted_exactly(
            (pairs, group_of, kept) in any_members(),
            enough in 0..9u64,
        ) {
            let mut weights = vec![0; 20];
            pairs.iter().for_each(|&(_, row)| weights[row as usize] += 1);
            let persons = Persons::new(20, &pairs);
            let members = Members { weights: &weights, persons: Some(&persons) };
            let naive = |group: u32, kept: &dyn Fn(u32) -> bool| {
                let of_group = pairs.iter().filter(|(_, row)| group_of[*row as usize] == group && kept(*row));
                of_group.map(|(person, _)| person).collect::<BTreeSet<_>>().len() as u64
            };
            let is_kept = |row: u32| kept[row as usize];
            let sizes = members.sizes_below(enough, &group_of, 5, &is_kept);
            for (group, &size) in (0..).zip(&sizes) {
                let exact = naive(group, &is_kept);
                prop_assert!(size == exact || enough <= size && size <= exact, "{} for {}", size, exact);
            }
            let mut groups = Numbering::new(20);
            groups.refine(group_of.iter().copied(), 5);
            let smallest = group_of.iter().map(|&group| naive(group, &|_| true)).min();
            prop_assert_eq!(Some(members.smallest(&groups)), smallest);
        }
    }

    /// Groups of town, weight and person.
    fn encoded(weights: [&str; 3]) -> crate::CompressedTable {
        let column = |texts: &[&str]| BlockColumn {
            codes: (0..texts.len() as u32).collect(),
            texts: texts.iter().map(|&text| Some(text.to_owned())).collect(),
        };
        let columns = [column(&["Ulm", "Bonn", "Ulm"]), column(&["ann", "bea", "ann"]), column(&weights)];
        let raw = RawTable::from_groups(&columns, &[2, 1, 3], 0).unwrap();
        let labels = [("p".to_owned(), LabelKind::Person), ("w".to_owned(), LabelKind::Weight)];
        let labels = [&[(String::new(), LabelKind::None)][..], &labels].concat();
        crate::encode(&raw, vec![("town".to_owned(), Masking::Suppress)], &labels, Unknown::Error).unwrap()
    }

    #[test]
    fn neither_persons_nor_weights_tell_rows_apart() {
        let table = encoded(["10", "2", "1"]);
        assert_eq!((&table.weights[..], table.rows()), (&[5, 1][..], 2));
        assert_eq!(table.worth(), [23, 2]);
        assert_eq!(table.persons.as_ref().map(Persons::all), Some(2));
        let parts = encoded(["0.5", "0.25", "0"]);
        assert_eq!(parts.worth(), [2_000_000, 500_000], "in millionths of the largest weight");
    }
}
