//! Which records are alike?

use std::borrow::Cow;
use std::sync::OnceLock;

use cutline_table::{Code, Codes, Numbering, sums_alone, with_codes};

use super::{Coded, Crowd, Runs};

/// Records by what they have in common: the group of each, and, once somebody asks for them, the records of each group.
#[derive(Clone, Debug)]
pub struct Alike<'a> {
    group_of: Cow<'a, Codes>,
    groups: usize,
    runs: OnceLock<Runs>,
}

/// Up to so many cells records are summed up several at a time.
const FEW_CELLS: usize = 1 << 12;

impl<'a> Alike<'a> {
    /// Records are alike if they have the same value.
    pub fn by(column: Coded<'a>) -> Self {
        Alike { group_of: Cow::Borrowed(column.codes), groups: column.values, runs: OnceLock::new() }
    }

    /// Records are alike if they have the same value in each column.
    pub fn by_all<'c>(records: u32, columns: impl Iterator<Item = Coded<'c>>) -> Self {
        let columns: Vec<(&Codes, usize)> =
            columns.filter(|column| column.values > 1).map(|column| (column.codes, column.values)).collect();
        let mut combinations = Numbering::new(records as usize);
        combinations.refine_columns(&columns, records as usize);
        let Numbering { of_row, len } = combinations;
        Alike { group_of: Cow::Owned(Codes::U32(of_row)), groups: len, runs: OnceLock::new() }
    }

    /// The group of each record.
    pub fn groups(&self) -> Coded<'_> {
        Coded { codes: &self.group_of, values: self.groups }
    }

    /// The records of each group.
    pub fn runs(&self) -> &Runs {
        self.runs.get_or_init(|| Runs::by(self.groups()))
    }

    /// How many records have each combination of group and value: those of all values of the first group, then those of the second. Only if
    /// there are not more combinations than records: then nothing is counted faster.
    pub(super) fn table(&self, column: Coded) -> Option<Vec<u32>> {
        let cells = self.groups.checked_mul(column.values).filter(|&cells| cells <= self.group_of.len())?;
        Some(with_codes!(&*self.group_of, groups => with_codes!(column.codes, values => {
            table(groups, values, (column.values, cells))
        })))
    }

    /// How many records are alone or in groups of fewer than k.
    pub fn crowd(&self, k: u64) -> Crowd {
        Crowd::of(&self.groups().counts(), k)
    }

    /// The same for records that are alike in the column too.
    pub fn crowd_with(&self, column: Coded, k: u64) -> Crowd {
        let Some(table) = self.table(column) else { return self.runs().crowd_with(column, k) };
        let mut crowd = Crowd::default();
        table.into_iter().filter(|&records| records > 0).for_each(|records| crowd.add(u64::from(records), k));
        crowd
    }
}

/// How many records have each combination of a group and one of `distinct` values; `cells` is how many combinations there may be.
fn table<G: Code, V: Code>(groups: &[G], values: &[V], (distinct, cells): (usize, usize)) -> Vec<u32> {
    let cell = |group: G, value: V| group.index() * distinct + value.index();
    if cells <= FEW_CELLS {
        let records = groups.len().min(values.len());
        let table = sums_alone(0..records, cells, |record| cell(groups[record], values[record]), |_| 1);
        return table.into_iter().map(|records| records as u32).collect();
    }
    let mut table = vec![0; cells];
    groups.iter().zip(values).for_each(|(&group, &value)| table[cell(group, value)] += 1);
    table
}
