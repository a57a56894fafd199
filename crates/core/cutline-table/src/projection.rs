//! The distinct qids of one QID.

use std::borrow::Cow;

use crate::grouper::Grouper;
use crate::{AttributeId, Code, Codes, CompressedTable, with_codes};

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
}

/// Up to so many possible combinations are counted in an array.
const DENSE: usize = 1 << 22;

impl<'a> Projection<'a> {
    /// Projects the table on the attributes.
    pub fn new(table: &'a CompressedTable, attributes: &[AttributeId]) -> Self {
        // All attributes: the rows differ in their labels alone, and collapsing those costs more than it saves.
        if attributes.len() == table.attributes.len() {
            let columns = attributes.iter().map(|&AttributeId(a)| Cow::Borrowed(&table.attributes[a].codes)).collect();
            return Projection { columns, weights: Cow::Borrowed(&table.weights) };
        }
        let combinations = attributes
            .iter()
            .try_fold(1usize, |product, &AttributeId(a)| product.checked_mul(table.attributes[a].domain.len().max(1)));
        match combinations {
            Some(combinations) if combinations <= DENSE => dense(table, attributes, combinations),
            _ => hashed(table, attributes),
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
    Projection { columns, weights: present.iter().map(|&cell| counts[cell as usize]).collect() }
}

fn hashed<'a>(table: &CompressedTable, attributes: &[AttributeId]) -> Projection<'a> {
    let mut grouper = Grouper::new(attributes.len());
    let columns: Vec<&Codes> = attributes.iter().map(|&AttributeId(a)| &table.attributes[a].codes).collect();
    grouper.add_columns(&columns, &table.weights, |_, code| code);
    Projection { columns: grouper.columns.into_iter().map(Cow::Owned).collect(), weights: Cow::Owned(grouper.weights) }
}
