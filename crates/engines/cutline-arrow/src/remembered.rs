//! What did the first pass find in the columns that it grouped by? All passes read the same bytes, so the second need not read those again.

use std::ops::Range;

use cutline_engine::CompressPlan;
use cutline_table::{Codes, Dictionary, RawTable};

/// Codes take so much memory at most, those of persons left aside: 14 attributes of some seven million records.
const MOST_BYTES: usize = 128 << 20;

/// Where fewer combinations are allowed to be held, so much for each of them.
const BYTES_OF_COMBINATION: u64 = 16;

/// The cells of some columns of all records, those that were left out among them.
#[derive(Debug)]
pub(crate) struct Remembered {
    /// The texts that stood for a missing value.
    nulls: Vec<String>,
    columns: Vec<RememberedColumn>,
}

/// The cells of a column.
#[derive(Debug)]
pub(crate) struct RememberedColumn {
    pub(crate) column: usize,
    /// One for each record; 0 is missing.
    pub(crate) codes: Codes,
    /// The value of each code.
    pub(crate) dictionary: Dictionary,
}

impl Remembered {
    /// What is known of a column, if the same texts stand for a missing value.
    pub(crate) fn column(&self, column: usize, nulls: &[String]) -> Option<&RememberedColumn> {
        self.columns.iter().find(|known| known.column == column && self.nulls == nulls)
    }
}

impl RememberedColumn {
    /// The codes of some records; `None` if there are not so many.
    pub(crate) fn codes_of(&self, records: Range<usize>) -> Option<impl Iterator<Item = u32>> {
        (records.end <= self.codes.len()).then(|| records.map(|record| self.codes.get(record)))
    }
}

/// What is to be remembered, so far.
pub(crate) struct Remembering {
    columns: Vec<Column>,
    most: usize,
}

struct Column {
    column: usize,
    /// Where it is among the codes of a block.
    place: usize,
    codes: Codes,
    /// It is asked for again whatever it takes.
    is_person: bool,
}

impl Remembering {
    /// All columns of a plan that are grouped by their values.
    pub(crate) fn new(plan: &CompressPlan) -> Self {
        let combinations = plan.most.map_or(usize::MAX, |most| most.saturating_mul(BYTES_OF_COMBINATION) as usize);
        let column = |(place, &column): (usize, &usize)| {
            let before = plan.cluster.as_ref().is_some_and(|(at, _)| *at <= place);
            Column {
                column,
                place: place + usize::from(before),
                codes: Codes::default(),
                is_person: plan.person == Some(column),
            }
        };
        let by_values = plan.columns.iter().enumerate().filter(|(place, _)| !plan.coarse.contains_key(place));
        Remembering { columns: by_values.map(column).collect(), most: combinations.min(MOST_BYTES) }
    }

    /// The codes of the next records, for each grouped column.
    pub(crate) fn add(&mut self, codes: &[Vec<u32>]) {
        for column in &mut self.columns {
            column.codes.extend(codes[column.place].iter().copied());
        }
        let attributes = self.columns.iter().filter(|column| !column.is_person);
        if attributes.map(|column| column.codes.bytes()).sum::<usize>() > self.most {
            self.columns.retain(|column| column.is_person);
        }
    }

    /// `table` has what the codes stand for.
    pub(crate) fn finish(self, nulls: &[String], table: &RawTable) -> Remembered {
        let column = |Column { column, place, codes, .. }| RememberedColumn {
            column,
            codes,
            dictionary: table.columns[place].dictionary(),
        };
        Remembered { nulls: nulls.to_vec(), columns: self.columns.into_iter().map(column).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_would_take_too_much_are_forgotten_but_for_persons() {
        let plan = CompressPlan { columns: vec![4, 5], person: Some(5), most: Some(1), ..CompressPlan::default() };
        let mut remembering = Remembering::new(&plan);
        let columns = |so_far: &Remembering| so_far.columns.iter().map(|column| column.column).collect::<Vec<_>>();
        remembering.add(&[vec![1; 10], vec![2; 10]]);
        assert_eq!(columns(&remembering), [4, 5]);
        remembering.add(&[vec![1; 10], vec![2; 10]]);
        assert_eq!(columns(&remembering), [5]);
    }
}
