//! What a search has to solve.

use std::sync::Arc;

use cutline_model::conditions::{Check, ConditionError, Group};
use cutline_model::recoding::SuppressHow;
use cutline_model::{AttributeRecoding, Condition, Requirement};
use cutline_table::{AttributeId, CompressedTable, Masked, Persons, Sensitive, TableCondition, TableQid};
use thiserror::Error;

use crate::pins::{Pins, Start};

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
    /// The same, where groups count persons.
    #[error("the table has {persons} persons, fewer than k = {k}: no masking can satisfy the requirement")]
    TooFewPersons {
        /// The persons of the table.
        persons: u64,
        /// The largest threshold.
        k: u64,
    },
    /// A QID names an attribute that was not grouped.
    #[error("the QID attribute `{0}` is not in the compressed table")]
    UnknownAttribute(String),
    /// A condition is about an attribute that was not grouped.
    #[error("the sensitive attribute `{0}` is not in the compressed table")]
    UnknownSensitive(String),
    /// The whole table, as one group, violates a condition.
    #[error("the whole table violates the condition `{0}`: no masking can satisfy it")]
    Condition(String),
    /// A condition cannot be asked of the table.
    #[error(transparent)]
    Unprepared(#[from] ConditionError),
    /// With all masked, what earlier releases tell of the records is too much.
    #[error(
        "on {{{0}}}, too few records have the same history in earlier releases: no masking can satisfy the requirement after them"
    )]
    History(String),
    /// What is said of the line through an attribute makes no sense.
    #[error("the line through `{attribute}`: `{label}` {what}")]
    Pin {
        /// The attribute.
        attribute: String,
        /// What was named.
        label: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// With everything open that must be, the requirement does not hold.
    #[error(
        "with what must be open, {records} records are in groups that violate the requirement, {limit} may be suppressed"
    )]
    TooOpen {
        /// Records that would be suppressed.
        records: u64,
        /// How many may be.
        limit: u64,
    },
    /// An attribute of the compressed table is in no QID.
    #[error("the attribute `{0}` is in no QID, so there is nothing to mask it for")]
    InNoQid(String),
}

/// A compressed table and a requirement that the most masked state satisfies.
///
/// Where earlier releases tell of the table's records, groups are parts of groups everywhere: those with the same labels *and* history.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    table: &'a CompressedTable,
    qids: Vec<TableQid>,
    limit: u64,
    how: SuppressHow,
    /// Where the search begins with each attribute.
    starts: Vec<Start>,
}

impl<'a> Problem<'a> {
    /// Checks that a solution exists: it does if and only if the table has at least k records (2007 paper, §4.1).
    pub fn new(table: &'a CompressedTable, requirement: &Requirement) -> Result<Self, SearchError> {
        let k = requirement.largest_k();
        if table.records < k {
            return Err(SearchError::TooFewRecords { records: table.records, k });
        }
        if let Some(persons) = table.persons.as_ref().map(Persons::all).filter(|&persons| persons < k) {
            return Err(SearchError::TooFewPersons { persons, k });
        }
        let find = |name: &String| table.attribute(name).ok_or_else(|| SearchError::UnknownAttribute(name.clone()));
        let mut qids = Vec::new();
        for qid in requirement.qids() {
            let mut attributes = qid.attributes.iter().map(find).collect::<Result<Vec<_>, _>>()?;
            attributes.sort();
            let conditions = prepared(table, &qid.conditions)?;
            let of_table = TableQid { conditions, ..TableQid::new(attributes, qid.k) }.after(table);
            if !of_table.holds_masked(table) {
                return Err(SearchError::History(qid.attributes.join(", ")));
            }
            qids.push(of_table);
        }
        for (promised, conditions) in TableQid::promised(table) {
            let promised = TableQid { conditions: prepared(table, conditions)?, ..promised };
            if !promised.holds_masked(table) {
                let name = |id: &AttributeId| table.attributes[id.0].name.clone();
                let names: Vec<String> = promised.attributes.iter().map(name).collect();
                return Err(SearchError::History(names.join(", ")));
            }
            qids.push(promised);
        }
        let masked = |id: usize| qids.iter().any(|qid: &TableQid| qid.attributes.contains(&AttributeId(id)));
        match table.attributes.iter().enumerate().find(|&(id, _)| !masked(id)) {
            Some((_, attribute)) => Err(SearchError::InNoQid(attribute.name.clone())),
            None => {
                let starts = table.attributes.iter().map(Start::free).collect();
                Ok(Problem { table, qids, limit: 0, how: SuppressHow::Mask, starts })
            }
        }
    }

    /// The same problem, where up to so many records may be left in groups that violate the requirement: they are suppressed.
    pub fn suppressing(self, limit: u64, how: SuppressHow) -> Self {
        Problem { limit, how, ..self }
    }

    /// The same problem, where the line is open in some places and stays closed in others. To be said last: what is open must hold.
    ///
    /// # Errors
    /// [`SearchError::Pin`] if an attribute has no such place, [`SearchError::TooOpen`] if the requirement does not hold any more.
    pub fn pinned(mut self, pins: &[Pins]) -> Result<Self, SearchError> {
        for pins in pins {
            let AttributeId(a) = self
                .table
                .attribute(&pins.attribute)
                .ok_or_else(|| SearchError::UnknownAttribute(pins.attribute.clone()))?;
            self.starts[a] = Start::pinned(&self.table.attributes[a], pins)?;
        }
        if pins.iter().any(|pins| !pins.open.is_empty() || !pins.closed.is_empty()) {
            self.check_start()?;
        }
        Ok(self)
    }

    /// Does the requirement hold where the search begins?
    fn check_start(&self) -> Result<(), SearchError> {
        let each = self.starts.iter().zip(&self.table.attributes);
        let start: Vec<AttributeRecoding> = each.map(|(start, attribute)| start.opened().recoding(attribute)).collect();
        // A recoding of this very table has a label for each of its values.
        let Ok(masked) = Masked::new(self.table, &start) else { return Ok(()) };
        let records = masked.suppress_with(&self.qids, self.how).records;
        if records <= self.limit { Ok(()) } else { Err(SearchError::TooOpen { records, limit: self.limit }) }
    }

    /// What is asked of one QID alone, in a table of its attributes.
    pub(crate) fn of_view<'t>(&self, qid: usize, table: &'t CompressedTable) -> Problem<'t> {
        let qid = self.qids[qid].clone();
        let attributes = (0..qid.attributes.len()).map(AttributeId).collect();
        let qids = vec![TableQid { attributes, ..qid }];
        Problem { table, qids, limit: self.limit, how: self.how, starts: Vec::new() }
    }

    /// Where the search begins with each attribute.
    pub(crate) fn starts(&self) -> &[Start] {
        &self.starts
    }

    /// The most records that may be suppressed.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// What becomes of suppressed records.
    pub fn how(&self) -> SuppressHow {
        self.how
    }

    /// Is there more to a requirement than that all groups have at least k records?
    pub(crate) fn needs_audit(&self) -> bool {
        self.may_suppress() || self.has_conditions() || self.counts_persons()
    }

    /// Can there be groups that violate the requirement, and may their records be suppressed? Groups of single records have at least one.
    pub(crate) fn may_suppress(&self) -> bool {
        self.limit > 0 && self.qids.iter().any(|qid| qid.k > 1 || !qid.conditions.is_empty())
    }

    /// Do groups count persons, and not records?
    pub(crate) fn counts_persons(&self) -> bool {
        self.table.persons.is_some()
    }

    /// Are there conditions on sensitive values?
    pub(crate) fn has_conditions(&self) -> bool {
        self.qids.iter().any(|qid| !qid.conditions.is_empty())
    }

    /// Is there more to groups than their size: conditions on sensitive values, or what earlier releases tell?
    pub(crate) fn is_conditional(&self) -> bool {
        self.qids.iter().any(|qid| !qid.conditions.is_empty() || qid.histories.is_some())
    }

    /// The compressed table.
    pub fn table(&self) -> &'a CompressedTable {
        self.table
    }

    /// The QIDs: those of the requirement, in their order, and after them what earlier releases promised beyond it.
    pub fn qids(&self) -> &[TableQid] {
        &self.qids
    }
}

/// Makes conditions ready for the table.
fn prepared(table: &CompressedTable, conditions: &[Condition]) -> Result<Vec<TableCondition>, SearchError> {
    conditions.iter().filter_map(|condition| prepare(table, condition).transpose()).collect()
}

/// Makes a condition ready for the table; the most masked state must satisfy it, or nothing will. After earlier releases, those who had the
/// value that it is about may all be held back: then it holds.
fn prepare(table: &CompressedTable, condition: &Condition) -> Result<Option<TableCondition>, SearchError> {
    let sensitive = table.sensitive.iter().position(|sensitive| sensitive.name == condition.attribute());
    let sensitive = sensitive.ok_or_else(|| SearchError::UnknownSensitive(condition.attribute().to_owned()))?;
    let Sensitive { values, codes, .. } = &table.sensitive[sensitive];
    let check: Arc<dyn Check> = match condition.prepare(values) {
        Err(ConditionError::NoSuchValue { .. }) if table.history.is_some() => return Ok(None),
        prepared => prepared?.into(),
    };
    let mut whole = vec![0; values.len()];
    codes.iter().zip(&table.weights).for_each(|(value, weight)| whole[value as usize] += weight);
    if !check.holds(&Group { counts: &whole, whole: &whole }) {
        return Err(SearchError::Condition(condition.to_string()));
    }
    Ok(Some(TableCondition { sensitive, check }))
}
