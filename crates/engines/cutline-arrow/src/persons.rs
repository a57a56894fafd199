//! Whose records were written? A verifier asks, where the table does not tell.

use cutline_engine::RewritePlan;
use cutline_table::PersonNumbers;

use crate::embedded::Embedded;
use crate::error::FileError;
use crate::recode::Recoded;
use crate::remembered::RememberedColumn;

/// The persons behind the records that are written.
pub(crate) enum Persons<'a> {
    /// Nobody asks.
    Unasked,
    /// By the codes that the first pass gave them; so many records were read.
    Known { persons: &'a RememberedColumn, read: usize, written: Vec<u32> },
    /// To be told by their names.
    Named(PersonNumbers),
}

impl<'a> Persons<'a> {
    pub(crate) fn new(engine: &'a Embedded, plan: &RewritePlan) -> Self {
        let Some(column) = plan.person else { return Persons::Unasked };
        match engine.remembered.get().and_then(|remembered| remembered.column(column, &plan.nulls)) {
            Some(persons) => Persons::Known { persons, read: 0, written: Vec::with_capacity(persons.codes.len()) },
            None => Persons::Named(PersonNumbers::default()),
        }
    }

    /// The column to read, if persons are to be told by their names.
    pub(crate) fn column(&self, plan: &RewritePlan) -> Option<usize> {
        plan.person.filter(|_| matches!(self, Persons::Named(_)))
    }

    /// The next records.
    pub(crate) fn add(&mut self, recoded: &Recoded, engine: &Embedded) -> Result<(), FileError> {
        match self {
            Persons::Unasked => (),
            Persons::Named(numbers) => recoded.persons.iter().for_each(|names| numbers.add(names)),
            Persons::Known { persons, read, written } => {
                let records = recoded.left_out.len().max(recoded.batch.num_rows());
                let these = persons.codes.of_rows(*read..*read + records).ok_or_else(|| engine.changed())?;
                *read += records;
                let left_out = |place: usize| recoded.left_out.get(place) == Some(&true);
                written
                    .extend(these.into_iter().enumerate().filter(|(place, _)| !left_out(*place)).map(|(_, who)| who));
            }
        }
        Ok(())
    }

    /// The number of each written record's person.
    pub(crate) fn finish(self) -> Option<Vec<u32>> {
        match self {
            Persons::Unasked => None,
            Persons::Known { written, .. } => Some(written),
            Persons::Named(numbers) => Some(numbers.finish()),
        }
    }
}
