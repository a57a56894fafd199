//! What a draft would publish of records that were drawn.

use cutline_engine::SampleColumn;
use cutline_model::recoding::Label;
use cutline_table::{AttributeId, Mask};
use rayon::prelude::*;

use crate::{Draft, Error};

/// What is published of drawn records.
pub(crate) struct Shown {
    /// The quasi attributes.
    pub(crate) columns: Vec<ShownColumn>,
    /// Which records are not published.
    pub(crate) left_out: Vec<bool>,
}

/// What is published of a quasi attribute.
pub(crate) struct ShownColumn {
    /// The label of each record.
    pub(crate) numbers: Vec<u32>,
    /// Each label.
    pub(crate) labels: Vec<Label>,
}

impl Shown {
    /// Those of the records that are published.
    pub(crate) fn without_left_out(&self) -> Shown {
        let published = |column: &ShownColumn| ShownColumn {
            numbers: column
                .numbers
                .iter()
                .zip(&self.left_out)
                .filter(|(_, out)| !**out)
                .map(|(&label, _)| label)
                .collect(),
            labels: column.labels.clone(),
        };
        let columns: Vec<ShownColumn> = self.columns.iter().map(published).collect();
        let left_out = vec![false; self.left_out.iter().filter(|out| !**out).count()];
        Shown { columns, left_out }
    }
}

impl Draft {
    /// What is published of drawn records; `columns` are the quasi attributes in the order of the table.
    pub(crate) fn labels_of(&self, columns: &[&SampleColumn]) -> Result<Shown, Error> {
        let mask = Mask::new(&self.found.mask(self.job.unknown)?);
        let number = |(a, column): (usize, &&SampleColumn)| mask.column(AttributeId(a), &column.codes, &column.texts);
        let records = mask.records(columns.par_iter().enumerate().map(number).collect());
        let left_out = (0..records.suppressed.len()).map(|record| records.left_out(record)).collect();
        let column = |(a, numbers)| ShownColumn { numbers, labels: mask.labels(AttributeId(a)).collect() };
        Ok(Shown { columns: records.numbers.into_iter().enumerate().map(column).collect(), left_out })
    }
}
