//! The distinct qids of one QID.

use std::borrow::Cow;

use crate::regroup::regroup;
use crate::{AttributeId, Code, Codes, CompressedTable, TableQid, with_codes};

/// The compressed table seen through some of its attributes: distinct value combinations and their records.
///
/// Anonymity needs neither the label nor the other attributes, and two attributes with 70 values each have at most 4,900
/// combinations however many records there are.
#[derive(Debug)]
pub struct Projection<'a> {
    /// One for each attribute.
    pub columns: Vec<Cow<'a, Codes>>,
    /// The records of each row.
    pub weights: Cow<'a, [u64]>,
    /// What earlier releases tell of the records of each row, if they do.
    pub histories: Option<Cow<'a, Codes>>,
}

/// Up to so many possible combinations are counted in an array.
const DENSE: usize = 1 << 22;

impl<'a> Projection<'a> {
    /// Projects the table on a QID: records that earlier releases tell apart are in different rows.
    pub fn of(table: &'a CompressedTable, qid: &'a TableQid) -> Self {
        let Some(histories) = &qid.histories else { return Projection::new(table, &qid.attributes) };
        if qid.attributes.len() == table.attributes.len() {
            let histories = Some(Cow::Borrowed(&histories.of_row));
            return Projection { histories, ..Projection::new(table, &qid.attributes) };
        }
        let mut projection = hashed(table, &qid.attributes, Some(&histories.of_row));
        projection.histories = projection.columns.pop();
        projection
    }

    /// Projects the table on the attributes.
    pub fn new(table: &'a CompressedTable, attributes: &[AttributeId]) -> Self {
        // All attributes: the rows differ in their labels alone, and collapsing those costs more than it saves.
        if attributes.len() == table.attributes.len() {
            let columns = attributes.iter().map(|&AttributeId(a)| Cow::Borrowed(&table.attributes[a].codes)).collect();
            return Projection { columns, weights: Cow::Borrowed(&table.weights), histories: None };
        }
        let combinations = attributes
            .iter()
            .try_fold(1usize, |product, &AttributeId(a)| product.checked_mul(table.attributes[a].domain.len().max(1)));
        match combinations {
            Some(combinations) if combinations <= DENSE => dense(table, attributes, combinations),
            _ => hashed(table, attributes, None),
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.weights.len()
    }
}

/// Counts in an array with a cell for every possible combination.
fn dense<'a>(table: &CompressedTable, attributes: &[AttributeId], combinations: usize) -> Projection<'a> {
    let mut cells = vec![0u32; table.rows()];
    for &AttributeId(a) in attributes {
        let attribute = &table.attributes[a];
        let radix = attribute.domain.len().max(1) as u32;
        with_codes!(&attribute.codes, column => {
            for (cell, &code) in cells.iter_mut().zip(column) {
                *cell = *cell * radix + code.index() as u32;
            }
        });
    }
    let mut counts = vec![0u64; combinations];
    for (&cell, &weight) in cells.iter().zip(&table.weights) {
        counts[cell as usize] += weight;
    }
    let present: Vec<u32> = (0..combinations as u32).filter(|&cell| counts[cell as usize] > 0).collect();
    let mut divisor = 1u32;
    let mut columns: Vec<Cow<'a, Codes>> = Vec::with_capacity(attributes.len());
    for &AttributeId(a) in attributes.iter().rev() {
        let radix = table.attributes[a].domain.len().max(1);
        let codes = present.iter().map(|&cell| cell / divisor % radix as u32);
        columns.push(Cow::Owned(Codes::from_codes(codes, radix)));
        divisor = divisor.saturating_mul(radix as u32);
    }
    columns.reverse();
    Projection { columns, weights: present.iter().map(|&cell| counts[cell as usize]).collect(), histories: None }
}

/// Groups by the attributes, and by one more column if there is one.
fn hashed<'a>(table: &CompressedTable, attributes: &[AttributeId], further: Option<&Codes>) -> Projection<'a> {
    let columns = attributes.iter().map(|&AttributeId(a)| &table.attributes[a].codes).chain(further);
    let columns: Vec<&Codes> = columns.collect();
    let (columns, weights) = regroup(&columns, table.rows(), |row| Some(table.weights[row]));
    let columns = columns.into_iter().map(Cow::Owned).collect();
    Projection { columns, weights: Cow::Owned(weights), histories: None }
}
