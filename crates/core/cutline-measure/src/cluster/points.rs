//! A table to cluster.

use cutline_table::{Code, Codes, with_codes};
use rayon::prelude::*;

use super::{Axis, ClusterError, Space};

/// Rows of codes with the number of records that share each of them, and the points of the codes.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    columns: Vec<Column>,
    weights: Vec<u64>,
    records: u64,
}

/// An attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) axis: Axis,
    pub(super) codes: Codes,
}

impl Points {
    /// A table of attributes, with the records of each row.
    ///
    /// # Errors
    /// If a column has another length than the weights, or a code without a point; or if there are more than 2⁶⁴
    /// records.
    pub fn new(attributes: Vec<(Axis, Codes)>, weights: Vec<u64>) -> Result<Self, ClusterError> {
        let rows = weights.len();
        for (attribute, (axis, codes)) in attributes.iter().enumerate() {
            if codes.len() != rows {
                return Err(ClusterError::Length { what: "codes", found: codes.len(), rows });
            }
            let largest = with_codes!(codes, column => column.iter().map(|code| code.index()).max());
            if let Some(code) = largest.filter(|&code| code >= axis.codes()) {
                return Err(ClusterError::Code { attribute, code: code as u32, codes: axis.codes() });
            }
        }
        let records = weights.iter().try_fold(0_u64, |sum, &weight| sum.checked_add(weight));
        let records = records.ok_or(ClusterError::TooManyRecords)?;
        let columns = attributes.into_iter().map(|(axis, codes)| Column { axis, codes }).collect();
        Ok(Points { columns, weights, records })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.weights.len()
    }

    /// The number of records.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The number of attributes.
    pub fn attributes(&self) -> usize {
        self.columns.len()
    }

    /// The records of each row.
    pub fn weights(&self) -> &[u64] {
        &self.weights
    }

    /// The axis of an attribute.
    ///
    /// # Panics
    /// If there is no such attribute.
    pub fn axis(&self, attribute: usize) -> &Axis {
        &self.columns[attribute].axis
    }

    /// The codes of an attribute.
    ///
    /// # Panics
    /// If there is no such attribute.
    pub fn codes(&self, attribute: usize) -> &Codes {
        &self.columns[attribute].codes
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    pub(super) fn spaces(&self) -> impl Iterator<Item = Space> + '_ {
        self.columns.iter().map(|column| column.axis.space())
    }

    /// Some rows, each with a weight, without the codes that none of them has. Tables of distances then are no larger
    /// than needed.
    pub(super) fn select(&self, rows: &[usize], weights: Vec<u64>) -> Self {
        let records = weights.iter().sum();
        let columns = self.columns.par_iter().map(|column| column.select(rows)).collect();
        Points { columns, weights, records }
    }
}

impl Column {
    fn select(&self, rows: &[usize]) -> Self {
        let codes: Vec<usize> =
            with_codes!(&self.codes, column => rows.iter().map(|&row| column[row].index()).collect());
        let mut renamed = vec![u32::MAX; self.axis.codes()];
        for &code in &codes {
            renamed[code] = 0;
        }
        let used: Vec<usize> = (0..renamed.len()).filter(|&code| renamed[code] == 0).collect();
        for (new, &code) in used.iter().enumerate() {
            renamed[code] = new as u32;
        }
        let codes = Codes::from_codes(codes.into_iter().map(|code| renamed[code]), used.len());
        Column { axis: self.axis.select(used), codes }
    }
}
