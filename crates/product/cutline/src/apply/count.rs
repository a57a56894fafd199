//! The first pass over a table that a recoding is applied to.

use cutline_engine::{CompressPlan, Counted, Engine, EngineError, Order};
use cutline_model::conditions::ConditionError;
use cutline_model::recoding::{Labeler, Suppression};
use cutline_model::{Condition, Identifier, Qid, Requirement, Role};
use cutline_search::SearchError;
use cutline_table::{AttributeId, AttributeMask, MaskPlan, Masked, RawTable, TableCondition, TableQid};

use super::{Apply, Looked, Quasi};
use crate::columns::{names_of, position};
use crate::note::{comparable, tell};
use crate::observer::Watching;
use crate::{Error, Observer, Shuffle, Stage};

impl Apply {
    /// Looks at all records once, if there is something to look for: what their positions tell, which persons have several, and which
    /// records must be suppressed.
    pub(super) fn look(
        &self,
        engine: &dyn Engine,
        requirement: &Requirement,
        quasi: &Quasi,
        observer: &dyn Observer,
    ) -> Result<Looked, Error> {
        let names = names_of(engine);
        let named = |name: &&str| position(&names, name, "named in a condition");
        let sensitive = requirement.sensitive();
        let sensitive_columns = sensitive.iter().map(named).collect::<Result<Vec<_>, _>>()?;
        let identifiers = (0..names.len()).filter(|&index| self.identifier(&names[index]).is_some());
        let identifiers: Vec<usize> = identifiers.filter(|&index| engine.columns()[index].has_values()).collect();
        let watched = self.watched(engine, &identifiers, quasi, &sensitive_columns);
        // Where both passes may see other records, they are counted.
        let elsewhere = engine.order() == Order::None;
        if self.recoding.suppression.is_none() && watched.is_empty() && identifiers.is_empty() && !elsewhere {
            return Ok(Looked { mask: quasi.mask.clone(), records: None });
        }
        let person = self.person(&names)?;
        let grouped =
            self.recoding.suppression.map(|_| [&quasi.sources[..], &sensitive_columns, person.as_slice()].concat());
        let repeating = identifiers.into_iter().filter(|&index| person != Some(index)).collect();
        let plan = CompressPlan {
            columns: grouped.unwrap_or_default(),
            nulls: self.recoding.null.clone(),
            required: self.required(&names),
            watched: watched.iter().map(|&(index, _)| index).collect(),
            persons: repeating,
            person: person.filter(|index| self.identifier(&names[*index]) == Some(Identifier::Drop)),
            ..CompressPlan::default()
        };
        observer.stage(Stage::Read, Some(engine.size()));
        let Counted { table: raw, noticed } = engine.compress(&plan, &Watching(observer))?;
        tell(&noticed, &names, &watched, observer);
        let mask = match self.recoding.suppression {
            None => quasi.mask.clone(),
            Some(suppression) => self.suppress(&raw, requirement, quasi, suppression)?,
        };
        Ok(Looked { mask, records: elsewhere.then_some(raw.records) })
    }

    /// The columns whose values must not follow from the positions of records, and what they are.
    fn watched(
        &self,
        engine: &dyn Engine,
        identifiers: &[usize],
        quasi: &Quasi,
        sensitive: &[usize],
    ) -> Vec<(usize, Role)> {
        if self.shuffle != Shuffle::No {
            return Vec::new();
        }
        let identifiers = identifiers.iter().map(|&index| (index, Role::Identifier));
        let masked = quasi.sources.iter().map(|&index| (index, Role::Quasi));
        let sensitive = sensitive.iter().map(|&index| (index, Role::Sensitive));
        comparable(identifiers.chain(masked).chain(sensitive), engine.columns())
    }

    /// The records of this table that the recoding leaves in groups that are too small: others than those of the table that it was
    /// made for, so they must be counted anew.
    fn suppress(
        &self,
        raw: &RawTable,
        requirement: &Requirement,
        quasi: &Quasi,
        suppression: Suppression,
    ) -> Result<MaskPlan, Error> {
        let sensitive: Vec<String> = requirement.sensitive().into_iter().map(str::to_owned).collect();
        let person = self.recoding.requirement.person.as_ref().map(|_| raw.columns.len() - 1);
        let (regrouped, persons) = person.map(|column| raw.by_person(column)).unzip();
        let raw: &RawTable = regrouped.as_ref().unwrap_or(raw);
        let labelers: Vec<Labeler> = quasi.mask.attributes.iter().map(AttributeMask::labeler).collect();
        let masked = Masked::raw(raw, &labelers, &sensitive).map_err(|(column, error)| EngineError::Value {
            attribute: self.recoding.attributes.get_index(column).map(|(name, _)| name.clone()).unwrap_or_default(),
            error,
        })?;
        let masked = masked.by_regions(quasi.mask.places.clone()).counting(persons.as_ref());
        let place = |name: &String| self.recoding.attributes.get_index_of(name).map(AttributeId);
        // A QID with columns that the recoding does not mask is only recounted.
        let masked_only = |qid: &Qid| {
            let attributes = qid.attributes.iter().map(place).collect::<Option<Vec<_>>>()?;
            let conditions = qid.conditions.iter().filter_map(|condition| prepared(&masked, condition).transpose());
            Some(
                conditions
                    .collect::<Result<_, _>>()
                    .map(|conditions| TableQid { conditions, ..TableQid::new(attributes, qid.k) }),
            )
        };
        let qids = requirement.qids().iter().filter_map(masked_only).collect::<Result<Vec<TableQid>, Error>>()?;
        let suppressed = masked.suppress_with(&qids, suppression.how);
        let limit = suppression.limit.of(raw.records);
        if suppressed.records > limit {
            return Err(Error::SuppressLimit { suppressed: suppressed.records, limit });
        }
        Ok(quasi.mask.clone().suppressing(&suppressed, &qids))
    }
}

/// A condition, ready for the sensitive attribute of a table; nothing if it is about a value that no record has, because then it holds.
/// Conditions name only attributes that were grouped.
fn prepared(masked: &Masked<'_>, condition: &Condition) -> Result<Option<TableCondition>, Error> {
    let sensitive = masked.sensitive().iter().position(|sensitive| sensitive.name == condition.attribute());
    let sensitive = sensitive.unwrap_or_default();
    let values = masked.sensitive().get(sensitive).map_or(&[][..], |sensitive| &sensitive.values);
    match condition.prepare(values) {
        Ok(check) => Ok(Some(TableCondition { sensitive, check: check.into() })),
        Err(ConditionError::NoSuchValue { .. }) => Ok(None),
        Err(other) => Err(SearchError::from(other).into()),
    }
}
