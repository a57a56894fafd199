//! What do conditions ask of the sensitive values of persons?

use cutline_model::conditions::{ConditionError, Group};
use cutline_model::{Condition, Qid, Requirement};
use cutline_search::SearchError;
use cutline_table::{RawColumn, RawTable, TableCondition};

use crate::Error;

/// Counted records, of which a column says whose each is.
pub(crate) struct Census<'t> {
    /// The records.
    pub(crate) raw: &'t RawTable,
    /// The column that says whose they are.
    pub(crate) person: usize,
    /// The sensitive attributes of conditions by name, and their columns.
    pub(crate) sensitive: Vec<(String, usize)>,
}

impl<'t> Census<'t> {
    /// The column that says whose record each is.
    pub(super) fn persons(&self) -> &'t RawColumn {
        &self.raw.columns[self.person]
    }

    /// Does everybody together satisfy a condition, as the most masked table has them? If not, no masking keeps it. Nothing if the attribute
    /// that it is about is not among those that were counted.
    pub(super) fn can_hold(&self, condition: &Condition) -> Option<bool> {
        let (_, column) = *self.sensitive.iter().find(|(name, _)| name == condition.attribute())?;
        let Values { values, of_row } = Values::new(&self.raw.columns[column]);
        let Ok(check) = condition.prepare(&values) else { return Some(true) };
        let mut whole = vec![0; values.len()];
        of_row.iter().zip(&self.raw.weights).for_each(|(&value, weight)| whole[value as usize] += weight);
        Some(check.holds(&Group { counts: &whole, whole: &whole }))
    }

    /// An error if a condition is about a value that nobody has: it is probably written otherwise.
    pub(crate) fn check_values(&self, requirement: &Requirement) -> Result<(), Error> {
        for condition in requirement.qids().iter().flat_map(|qid| &qid.conditions) {
            let column = self.sensitive.iter().find(|(name, _)| name == condition.attribute());
            if let Some(&(_, column)) = column {
                condition.prepare(&Values::new(&self.raw.columns[column]).values).map_err(SearchError::from)?;
            }
        }
        Ok(())
    }
}

/// The sensitive values of persons, and the conditions on them. Where there are none, nothing is looked at.
#[derive(Default)]
pub(super) struct Sensed<'t> {
    /// The records of each row.
    weights: &'t [u64],
    attributes: Vec<Values>,
    /// The rows of each person.
    rows: Vec<Vec<u32>>,
    /// The conditions of each QID.
    conditions: Vec<Vec<TableCondition>>,
}

impl<'t> Sensed<'t> {
    /// What is counted of so many persons, each of whom has a place.
    pub(super) fn new(
        census: &Census<'t>,
        qids: &[Qid],
        persons: usize,
        place: impl Fn(&str) -> Option<usize>,
    ) -> Result<Self, Error> {
        let Census { raw, sensitive, .. } = census;
        let attributes = sensitive.iter().map(|&(_, column)| Values::new(&raw.columns[column])).collect::<Vec<_>>();
        let prepared = |condition: &Condition| {
            let sensitive = sensitive.iter().position(|(name, _)| name == condition.attribute())?;
            match condition.prepare(&attributes[sensitive].values) {
                Ok(check) => Some(Ok(TableCondition { sensitive, check: check.into() })),
                // What nobody has is no more than it may be.
                Err(ConditionError::NoSuchValue { .. }) => None,
                Err(error) => Some(Err(Error::from(SearchError::from(error)))),
            }
        };
        let of_qid = |qid: &Qid| qid.conditions.iter().filter_map(prepared).collect::<Result<_, _>>();
        let conditions = qids.iter().map(of_qid).collect::<Result<_, _>>()?;
        let mut rows = Vec::new();
        if !sensitive.is_empty() {
            rows.resize(persons, Vec::new());
            let number = |text: Option<&str>| text.and_then(&place).map_or(NOBODY, |place| place as u32);
            let of_row = census.persons().numbers(|text| Ok::<_, Error>(number(text)))?;
            let named = (0..).zip(of_row).filter(|(_, place)| *place != NOBODY);
            named.for_each(|(row, place)| rows[place as usize].push(row));
        }
        Ok(Sensed { weights: &raw.weights, attributes, rows, conditions })
    }

    /// Everybody who is not held back, by sensitive value.
    pub(super) fn whole(&self, held: &[bool]) -> Vec<Vec<u64>> {
        let kept = (0..self.rows.len()).filter(|&person| !held[person]);
        (0..self.attributes.len()).map(|attribute| self.count(attribute, kept.clone())).collect()
    }

    /// Are there conditions of a QID?
    pub(super) fn asks(&self, qid: usize) -> bool {
        self.conditions.get(qid).is_some_and(|conditions| !conditions.is_empty())
    }

    /// Do some persons satisfy the conditions of a QID?
    pub(super) fn holds(&self, qid: usize, persons: &[usize], whole: &[Vec<u64>]) -> bool {
        let holds = |condition: &TableCondition| {
            let counts = self.count(condition.sensitive, persons.iter().copied());
            condition.check.holds(&Group { counts: &counts, whole: &whole[condition.sensitive] })
        };
        self.conditions.get(qid).is_none_or(|conditions| conditions.iter().all(holds))
    }

    /// The records of some persons by the value of a sensitive attribute.
    fn count(&self, attribute: usize, persons: impl Iterator<Item = usize>) -> Vec<u64> {
        let Values { values, of_row } = &self.attributes[attribute];
        let mut counts = vec![0; values.len()];
        for &row in persons.flat_map(|person| &self.rows[person]) {
            counts[of_row[row as usize] as usize] += self.weights[row as usize];
        }
        counts
    }
}

/// The place of those who are not looked at.
const NOBODY: u32 = u32::MAX;

/// The values of a sensitive attribute, and that of each row.
pub(super) struct Values {
    pub(super) values: Vec<Option<String>>,
    pub(super) of_row: Vec<u32>,
}

impl Values {
    /// Those that somebody has, in byte order; the missing one is the last.
    pub(super) fn new(column: &RawColumn) -> Self {
        let mut texts: Vec<&str> = column.values().map(|(text, _)| text).collect();
        texts.sort_unstable();
        let place = |text: Option<&str>| {
            let place = text.map(|text| texts.binary_search(&text).unwrap_or_default()).unwrap_or(texts.len());
            Ok::<_, std::convert::Infallible>(place as u32)
        };
        let Ok(of_row) = column.numbers(place);
        let missing = (column.missing() > 0).then_some(None);
        Values { values: texts.iter().map(|text| Some((*text).to_owned())).chain(missing).collect(), of_row }
    }
}
