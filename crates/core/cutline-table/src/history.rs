//! What earlier releases tell of the records of a table.
//!
//! Whoever has several releases knows more of a record than its labels in one of them. A person's *history* is what they were published
//! as in each earlier release, or that they were not in it. Records of one group with one history are a *part* of the group: its joint
//! group with the earlier releases. Where histories are known, every part must satisfy the requirement, not only every group.
//!
//! ```text
//!  Patterns: by all attributes ──► History: of each row of a table ──► Histories: as far as one QID tells them apart
//! ```

use std::sync::Arc;

use cutline_model::conditions::Group;
use cutline_model::{Condition, Qid};

use crate::{AttributeId, Codes, CompressedTable, Numbering, TableCondition, TableQid};

/// What persons were published as: the labels of all attributes in all earlier releases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patterns {
    /// What is told in each place of a pattern: an attribute's label in one of the releases, or (`None`) whether a person is in it.
    pub told: Vec<Option<String>>,
    /// The number of what is told in each place; two numbers of one place differ if and only if the texts do.
    pub patterns: Vec<Box<[u32]>>,
    /// How many persons of each pattern are not in the table. For persons who are in no earlier release, nothing: nobody can know.
    pub absent: Vec<Option<u64>>,
    /// What was promised of a QID beyond what a new release is asked for: together with the earlier ones it must keep that too.
    pub promised: Vec<Qid>,
}

/// Which pattern the records of each row have.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// A pattern for each row.
    pub of_row: Codes,
    /// What the patterns tell.
    pub patterns: Arc<Patterns>,
}

impl History {
    /// The histories as far as these attributes tell them apart.
    pub fn on(&self, attributes: &[&str]) -> Histories {
        let Patterns { told, patterns, absent, .. } = &*self.patterns;
        let is_told = |told: &Option<String>| told.as_ref().is_none_or(|name| attributes.contains(&&name[..]));
        let mut numbering = Numbering::new(patterns.len());
        for (place, _) in told.iter().enumerate().filter(|(_, told)| is_told(told)) {
            let most = patterns.iter().map(|pattern| pattern[place]).max().unwrap_or(0);
            numbering.refine(patterns.iter().map(|pattern| pattern[place]), most as usize + 1);
        }
        let mut sums: Vec<Option<u64>> = vec![None; numbering.len];
        for (&number, absent) in numbering.of_row.iter().zip(absent) {
            let sum = &mut sums[number as usize];
            *sum = absent.map(|absent| sum.unwrap_or(0) + absent);
        }
        let of_row = self.of_row.iter().map(|pattern| numbering.of_row[pattern as usize]);
        Histories { of_row: Codes::from_codes(of_row, numbering.len), absent: sums }
    }
}

/// The histories of a table's rows, as far as one QID tells them apart.
///
/// # Guarantee
/// The parts of a union of two groups are the unions of their parts. So a requirement that is union-closed is so by parts as well, and
/// searches prune on it as ever.
#[derive(Clone, Debug, PartialEq)]
pub struct Histories {
    /// A history for each row.
    pub of_row: Codes,
    /// How many persons of each history are not in the table; nothing for those who are in no earlier release.
    pub absent: Vec<Option<u64>>,
}

impl Histories {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.absent.len()
    }

    /// Are there none, because there are no rows?
    pub fn is_empty(&self) -> bool {
        self.absent.is_empty()
    }

    /// The history of each row as a group.
    pub(crate) fn groups(&self) -> Numbering {
        Numbering { of_row: self.of_row.iter().collect(), len: self.len() }
    }

    /// If so many of each history are left out, the histories of which fewer than k are absent then, and some because of that; and how many
    /// more it takes.
    pub(crate) fn exposed(&self, vanish: Vec<u64>, k: u64) -> Vec<(u32, u64)> {
        let missing = |(history, vanish): (u32, u64)| {
            let absent = self.absent[history as usize].filter(|_| vanish > 0)? + vanish;
            (absent < k).then(|| (history, k - absent))
        };
        (0..).zip(vanish).filter_map(missing).collect()
    }
}

impl TableQid {
    /// The same QID, where the table's records have histories.
    #[must_use]
    pub fn after(self, table: &CompressedTable) -> Self {
        let Some(history) = &table.history else { return self };
        let names: Vec<&str> = self.attributes.iter().map(|id| &table.attributes[id.0].name[..]).collect();
        TableQid { histories: Some(Arc::new(history.on(&names))), ..self }
    }

    /// What earlier releases promised, as far as attributes of the table tell more of it, with the conditions that are not yet prepared. Where
    /// none does, it is only a matter of who is in the table.
    pub fn promised(table: &CompressedTable) -> Vec<(Self, &[Condition])> {
        let Some(history) = &table.history else { return Vec::new() };
        let of_table = |qid: &Qid| {
            let names: Vec<&str> = qid.attributes.iter().map(String::as_str).collect();
            let mut attributes: Vec<AttributeId> = names.iter().filter_map(|name| table.attribute(name)).collect();
            attributes.sort();
            let histories = Some(Arc::new(history.on(&names)));
            (!attributes.is_empty()).then(|| TableQid { histories, ..TableQid::new(attributes, qid.k) })
        };
        let promised = history.patterns.promised.iter();
        promised.filter_map(|qid| Some((of_table(qid)?, &qid.conditions[..]))).collect()
    }

    /// Do all records together, as the most masked state has them, satisfy the requirement in every part?
    pub fn holds_masked(&self, table: &CompressedTable) -> bool {
        let Some(histories) = &self.histories else { return true };
        let counts = |sensitive: usize, rows: &[usize]| {
            let sensitive = &table.sensitive[sensitive];
            let mut counts = vec![0; sensitive.values.len()];
            rows.iter().for_each(|&row| counts[sensitive.codes.get(row) as usize] += table.weights[row]);
            counts
        };
        let (all, groups) = ((0..table.rows()).collect::<Vec<usize>>(), histories.groups());
        let satisfied = |condition: &TableCondition, rows: &[usize]| {
            let (counts, whole) = (counts(condition.sensitive, rows), counts(condition.sensitive, &all));
            condition.check.holds(&Group { counts: &counts, whole: &whole })
        };
        let sizes = table.members().sizes(&groups.of_row, groups.len, &|_| true);
        if sizes.iter().any(|&size| 0 < size && size < self.k) {
            return false;
        }
        let mut parts = vec![Vec::new(); groups.len];
        groups.of_row.iter().zip(0..).for_each(|(&part, row)| parts[part as usize].push(row));
        let holds = |rows: &Vec<usize>| self.conditions.iter().all(|condition| satisfied(condition, rows));
        self.conditions.is_empty() || parts.iter().filter(|rows| !rows.is_empty()).all(holds)
    }
}

#[cfg(test)]
mod tests;
