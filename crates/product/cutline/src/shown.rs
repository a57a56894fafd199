//! What a draft would publish of records that were drawn.

use cutline_engine::SampleColumn;
use cutline_model::recoding::Label;
use cutline_table::{AttributeId, Codes, Mask};

use crate::{Draft, Error};

/// What is published of drawn records.
pub(crate) struct Shown {
    /// The quasi attributes.
    pub(crate) columns: Vec<ShownColumn>,
    /// Which records are not published. No mark at all is none.
    pub(crate) left_out: Vec<bool>,
}

/// What is published of a quasi attribute.
pub(crate) struct ShownColumn {
    /// The label of each record.
    pub(crate) numbers: Codes,
    /// Each label.
    pub(crate) labels: Vec<Label>,
}

impl Shown {
    /// Those of the records that are published.
    pub(crate) fn without_left_out(&self) -> Shown {
        let published = |column: &ShownColumn| ShownColumn {
            numbers: column.numbers.unmarked(&self.left_out),
            labels: column.labels.clone(),
        };
        Shown { columns: self.columns.iter().map(published).collect(), left_out: Vec::new() }
    }
}

impl Draft {
    /// What is published of drawn records; `columns` are the quasi attributes in the order of the table.
    pub(crate) fn labels_of(&self, columns: &[&SampleColumn]) -> Result<Shown, Error> {
        let mask = Mask::new(&self.found.mask(self.job.unknown)?);
        let columns: Vec<_> = columns.iter().map(|column| (&column.codes, &column.texts[..])).collect();
        let records = mask.columns(&columns);
        let left_out = records.left_out().to_vec();
        let column = |(a, numbers)| ShownColumn { numbers, labels: mask.labels(AttributeId(a)).collect() };
        Ok(Shown { columns: records.numbers.into_iter().enumerate().map(column).collect(), left_out })
    }
}
