//! Whose records were written? A verifier asks, where the table does not tell.

use cutline_engine::RewritePlan;
use cutline_table::PersonNumbers;

use crate::embedded::Embedded;
use crate::error::FileError;
use crate::recode::Recoded;

/// The person behind each record of the source, by number, as the first pass found them: four bytes a record. All passes read the same
/// bytes, so the second one need not look the names up again.
#[derive(Debug)]
pub(crate) struct Remembered {
    pub(crate) column: usize,
    pub(crate) nulls: Vec<String>,
    pub(crate) numbers: Vec<u32>,
}

/// The persons behind the records that are written.
pub(crate) enum Persons<'a> {
    /// Nobody asks.
    Unasked,
    /// Numbers of the records that are read, those that follow.
    Known { following: &'a [u32], written: Vec<u32> },
    /// To be told by their names.
    Named(PersonNumbers),
}

impl<'a> Persons<'a> {
    pub(crate) fn new(engine: &'a Embedded, plan: &RewritePlan) -> Self {
        let Some(column) = plan.person else { return Persons::Unasked };
        match engine.persons.get() {
            Some(known) if known.column == column && known.nulls == plan.nulls => {
                Persons::Known { following: &known.numbers, written: Vec::with_capacity(known.numbers.len()) }
            }
            _ => Persons::Named(PersonNumbers::default()),
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
            Persons::Known { following, written } => {
                let read = recoded.left_out.len().max(recoded.batch.num_rows());
                let (these, rest) = following.split_at_checked(read).ok_or_else(|| engine.changed())?;
                *following = rest;
                let left_out = |place: usize| recoded.left_out.get(place) == Some(&true);
                written.extend(these.iter().enumerate().filter(|(place, _)| !left_out(*place)).map(|(_, &who)| who));
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
