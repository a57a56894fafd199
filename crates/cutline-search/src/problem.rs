//! What a search has to solve.

use cutline_model::Requirement;
use cutline_table::{AttributeId, CompressedTable};
use thiserror::Error;

/// Why there is nothing to search.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SearchError {
    /// Masking everything is not enough.
    #[error("the table has {records} records, fewer than k = {k}: no masking can satisfy the requirement")]
    TooFewRecords {
        /// The table's records.
        records: u64,
        /// The largest threshold.
        k: u64,
    },
    /// A QID names an attribute that was not grouped.
    #[error("the QID attribute `{0}` is not in the compressed table")]
    UnknownAttribute(String),
    /// An attribute of the compressed table is in no QID.
    #[error("the attribute `{0}` is in no QID, so there is nothing to mask it for")]
    InNoQid(String),
}

/// A QID by positions in the compressed table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QidProblem {
    /// Its attributes, ascending.
    pub attributes: Vec<AttributeId>,
    /// Its threshold.
    pub k: u64,
}

/// A compressed table and a requirement that the most masked state satisfies.
#[derive(Debug)]
pub struct Problem<'a> {
    table: &'a CompressedTable,
    qids: Vec<QidProblem>,
}

impl<'a> Problem<'a> {
    /// Checks that a solution exists: it does if and only if the table has at least k records (2007 paper, §4.1).
    pub fn new(table: &'a CompressedTable, requirement: &Requirement) -> Result<Self, SearchError> {
        let k = requirement.largest_k();
        if table.records < k {
            return Err(SearchError::TooFewRecords { records: table.records, k });
        }
        let find = |name: &String| table.attribute(name).ok_or_else(|| SearchError::UnknownAttribute(name.clone()));
        let mut qids = Vec::new();
        for qid in requirement.qids() {
            let mut attributes = qid.attributes.iter().map(find).collect::<Result<Vec<_>, _>>()?;
            attributes.sort();
            qids.push(QidProblem { attributes, k: qid.k });
        }
        let masked = |id: usize| qids.iter().any(|qid: &QidProblem| qid.attributes.contains(&AttributeId(id)));
        match table.attributes.iter().enumerate().find(|&(id, _)| !masked(id)) {
            Some((_, attribute)) => Err(SearchError::InNoQid(attribute.name.clone())),
            None => Ok(Problem { table, qids }),
        }
    }

    /// The compressed table.
    pub fn table(&self) -> &'a CompressedTable {
        self.table
    }

    /// The QIDs.
    pub fn qids(&self) -> &[QidProblem] {
        &self.qids
    }
}
