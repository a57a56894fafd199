//! Whose records are these?

use rayon::prelude::*;

use crate::grouper::Grouper;
use crate::interner::Interner;
use crate::{BlockColumn, Codes, Numbering, RawColumn, RawTable, RecordNumber};

/// The persons behind the records of each row, where one person may have several records.
///
/// k records of one person protect nobody, so groups count persons: a person counts once in every group that has a record of theirs.
/// Most persons usually have all their records in one row. Those are only counted; of the others the rows are listed. Records that
/// lack the person's name count as one person together: nobody knows that they are several.
///
/// # Guarantee
/// Splitting a group never gives a part more persons than the group has, and the union of two groups has at least as many as either
/// of them, so searches prune on persons as they do on records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Persons {
    /// For each row, the persons who have no record in another row.
    alone: Vec<u32>,
    /// For each row, how often the persons of it count at least, in parts of [`SEVERAL`]: those alone wholly, others one part of it for each
    /// of their rows; those with more rows not at all.
    parts: Vec<u32>,
    /// The rows of each other person, ascending, one person after the other.
    rows: Vec<u32>,
    /// Where the rows of each of these persons begin, and where the last ones end.
    starts: Vec<usize>,
    all: u64,
}

/// So many rows of a person are compared with each other rather than sorted.
const SEVERAL: usize = 12;

/// So many persons are not worth another thread.
const FEW: usize = 1 << 12;

impl Persons {
    /// From pairs of a person and a row; a pair may come several times.
    pub fn new(rows: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.par_sort_unstable();
        pairs.dedup();
        let mut persons = Persons::nobody(rows);
        let mut own = Vec::new();
        for pairs in pairs.chunk_by(|one, other| one.0 == other.0) {
            own.clear();
            own.extend(pairs.iter().map(|(_, row)| *row));
            persons.all += 1;
            persons.add(&own);
        }
        persons
    }

    fn nobody(rows: usize) -> Self {
        Persons { alone: vec![0; rows], parts: vec![0; rows], rows: Vec::new(), starts: vec![0], all: 0 }
    }

    /// The same persons behind other rows, each of which is several of these.
    pub fn regrouped(&self, rows: &Numbering) -> Self {
        let mut persons = Persons { all: self.all, ..Persons::nobody(rows.len) };
        for (&row, alone) in rows.of_row.iter().zip(&self.alone) {
            persons.alone[row as usize] += alone;
            persons.share(row, alone.saturating_mul(SEVERAL as u32));
        }
        let mut own = Vec::new();
        for old in self.starts.windows(2).map(|ends| &self.rows[ends[0]..ends[1]]) {
            own.clear();
            own.extend(old.iter().map(|&row| rows.of_row[row as usize]));
            own.sort_unstable();
            own.dedup();
            persons.add(&own);
        }
        persons
    }

    /// A person with records in these rows.
    fn add(&mut self, rows: &[u32]) {
        if let [row] = rows {
            self.alone[*row as usize] += 1;
            self.share(*row, SEVERAL as u32);
        } else {
            self.rows.extend(rows);
            self.starts.push(self.rows.len());
            if rows.len() <= SEVERAL {
                let part = (SEVERAL / rows.len()) as u32;
                rows.iter().for_each(|&row| self.share(row, part));
            }
        }
    }

    fn share(&mut self, row: u32, parts: u32) {
        let all = &mut self.parts[row as usize];
        *all = all.saturating_add(parts);
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
        if in_doubt.contains(&true) {
            let looked_at = |row: u32| in_doubt[group_of[row as usize] as usize] && kept(row);
            let counted = self.count(group_of, groups, &looked_at);
            let doubted = sizes.iter_mut().zip(counted).zip(&in_doubt).filter(|(_, in_doubt)| **in_doubt);
            doubted.for_each(|((size, counted), _)| *size = counted);
        }
        sizes
    }

    /// So many persons each group has at least: a person is in no more rows of it than in all.
    fn at_least(&self, group_of: &[u32], groups: usize, kept: &impl Fn(u32) -> bool) -> Vec<u64> {
        let mut parts = vec![0u64; groups];
        for (row, (&group, &part)) in group_of.iter().zip(&self.parts).enumerate() {
            if kept(row as u32) {
                parts[group as usize] += u64::from(part);
            }
        }
        parts.into_iter().map(|parts| parts.div_ceil(SEVERAL as u64)).collect()
    }

    /// The persons of each group, among the rows that are kept.
    fn count(&self, group_of: &[u32], groups: usize, kept: &(impl Fn(u32) -> bool + Sync)) -> Vec<u64> {
        let mut sizes = vec![0; groups];
        for ((row, &group), &alone) in (0..).zip(group_of).zip(&self.alone) {
            if alone > 0 && kept(row) {
                sizes[group as usize] += u64::from(alone);
            }
        }
        let persons = self.starts.len() - 1;
        let chunk = persons.div_ceil(rayon::current_num_threads()).max(FEW);
        let parts = (0..persons.div_ceil(chunk)).into_par_iter().map(|index| {
            let starts = &self.starts[index * chunk..(index * chunk + chunk).min(persons) + 1];
            self.count_several(starts, group_of, groups, kept)
        });
        let parts: Vec<Vec<u64>> = parts.collect();
        for part in parts {
            sizes.iter_mut().zip(part).for_each(|(size, part)| *size += part);
        }
        sizes
    }

    /// In how many groups' favour some of the persons with several rows count.
    fn count_several(
        &self,
        starts: &[usize],
        group_of: &[u32],
        groups: usize,
        kept: &impl Fn(u32) -> bool,
    ) -> Vec<u64> {
        let mut sizes = vec![0; groups];
        let mut own = Vec::new();
        for rows in starts.windows(2).map(|ends| &self.rows[ends[0]..ends[1]]) {
            if rows.len() <= SEVERAL {
                for (place, &row) in rows.iter().enumerate().filter(|(_, row)| kept(**row)) {
                    let group = group_of[row as usize];
                    let counted = |&other: &u32| group_of[other as usize] == group && kept(other);
                    sizes[group as usize] += u64::from(!rows[..place].iter().any(counted));
                }
                continue;
            }
            own.clear();
            own.extend(rows.iter().filter(|&&row| kept(row)).map(|&row| group_of[row as usize]));
            own.sort_unstable();
            own.dedup();
            own.iter().for_each(|&group| sizes[group as usize] += 1);
        }
        sizes
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
        let mut sizes = vec![0; groups];
        let rows = (0..).zip(group_of).zip(self.weights).filter(|((row, _), _)| kept(*row));
        rows.for_each(|((_, &group), weight)| sizes[group as usize] += weight);
        sizes
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
        let mut grouper = Grouper::new(codes.len());
        let rows = grouper.number_columns(&codes, &raw.weights);
        Without { table: raw.regrouped(&others, grouper.columns, grouper.weights), rows }
    }

    /// The persons behind the rows, by a column that was left out.
    pub(crate) fn persons(&self, column: &RawColumn) -> Persons {
        Persons::new(self.table.weights.len(), column.codes.iter().zip(self.rows.iter().copied()).collect())
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
        let persons = Persons::new(4, vec![(7, 1), (8, 1), (7, 0), (9, 2), (8, 1), (7, 3)]);
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
            let persons = Persons::new(20, pairs.clone());
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
