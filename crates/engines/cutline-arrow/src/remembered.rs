//! What did the first pass find in the columns that it grouped by? All passes read the same bytes, so the second need not read those again.

use arrow_array::ArrayRef;
use arrow_schema::Schema;
use cutline_engine::CompressPlan;
use cutline_table::{CodedColumn, Codes, Dictionary, RawTable};

use crate::stored::StoredCells;

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
    /// The cell that each code stands for as it is stored, if each stands for one: what is published as it is need not be read again either.
    pub(crate) stored: Option<ArrayRef>,
}

impl Remembered {
    /// `codes` has those of all records for each grouped column, if they could be held, and `stored` the cells that they stand for.
    pub(crate) fn new(
        plan: &CompressPlan,
        table: &RawTable,
        (codes, mut stored): (Option<Vec<Codes>>, Vec<StoredCells>),
        persons: Persons,
        schema: &Schema,
    ) -> Self {
        let by_values = plan.columns.iter().enumerate().filter(|(place, _)| !plan.coarse.contains_key(place));
        let mut remembered = |column: usize, place: usize, codes: Codes| RememberedColumn {
            column,
            codes,
            dictionary: table.columns[place].dictionary(),
            stored: stored
                .get_mut(place)
                .and_then(|stored| std::mem::take(stored).cells(schema.field(column).data_type())),
        };
        let columns = match codes {
            Some(mut codes) => by_values
                .map(|(index, &column)| (column, grouped_place(plan, index)))
                .map(|(column, place)| remembered(column, place, std::mem::take(&mut codes[place])))
                .collect(),
            None => persons.0.into_iter().map(|(column, place, codes)| remembered(column, place, codes)).collect(),
        };
        Remembered { nulls: plan.nulls.clone(), columns }
    }

    /// What is known of a column, if the same texts stand for a missing value.
    pub(crate) fn column(&self, column: usize, nulls: &[String]) -> Option<&RememberedColumn> {
        self.columns.iter().find(|known| known.column == column && self.nulls == nulls)
    }
}

/// Where a column of a plan is among those that are grouped: the cluster is one, too.
fn grouped_place(plan: &CompressPlan, index: usize) -> usize {
    index + usize::from(plan.cluster.as_ref().is_some_and(|(at, _)| *at <= index))
}

/// The persons behind all records so far: the column, its place among those that are grouped, and their codes. They are asked for again
/// whatever they take.
pub(crate) struct Persons(Option<(usize, usize, Codes)>);

impl Persons {
    pub(crate) fn new(plan: &CompressPlan) -> Self {
        let index = plan.person.and_then(|person| plan.columns.iter().position(|&column| column == person));
        let by_values = index.filter(|index| !plan.coarse.contains_key(index));
        Persons(by_values.map(|index| (plan.columns[index], grouped_place(plan, index), Codes::default())))
    }

    /// The next records, with the codes of each grouped column.
    pub(crate) fn add(&mut self, columns: &[CodedColumn]) {
        if let Some((_, place, codes)) = &mut self.0 {
            codes.extend(columns[*place].codes.iter().copied());
        }
    }
}

#[cfg(test)]
mod tests {
    use cutline_table::{BlockColumn, Compressor};

    use super::*;

    #[test]
    fn columns_that_could_not_be_held_are_forgotten_but_for_persons() {
        let plan = CompressPlan { columns: vec![4, 5], person: Some(5), ..CompressPlan::default() };
        let column = BlockColumn { codes: vec![0; 10], texts: vec![Some("x".to_owned())] };
        let remembered = |held: usize| {
            let mut compressor = Compressor::new(2).holding(held);
            let mut persons = Persons::new(&plan);
            for _ in 0..2 {
                let mut columns = [CodedColumn::from(&column), CodedColumn::from(&column)];
                compressor.add_coded(&mut columns, 10, &[]);
                compressor.make_room();
                persons.add(&columns);
            }
            let (table, codes) = compressor.finish_with_codes();
            Remembered::new(&plan, &table, (codes, Vec::new()), persons, &Schema::empty())
        };
        let known = |remembered: &Remembered| {
            [4, 5].map(|column| remembered.column(column, &[]).map(|known| known.codes.len()))
        };
        assert_eq!(known(&remembered(40)), [Some(20), Some(20)]);
        assert_eq!(known(&remembered(39)), [None, Some(20)]);
    }
}
