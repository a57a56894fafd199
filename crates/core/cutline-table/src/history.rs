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

use crate::{Codes, CompressedTable, Numbering, TableCondition, TableQid};

/// What persons were published as: the labels of all attributes in all earlier releases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patterns {
    /// What is told in each place of a pattern: an attribute's label in one of the releases, or (`None`) whether a person is in it.
    pub told: Vec<Option<String>>,
    /// The number of what is told in each place; two numbers of one place differ if and only if the texts do.
    pub patterns: Vec<Box<[u32]>>,
    /// How many persons of each pattern are not in the table. For persons who are in no earlier release, nothing: nobody can know.
    pub absent: Vec<Option<u64>>,
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
        let Patterns { told, patterns, absent } = &*self.patterns;
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

    /// Some rows by their histories.
    pub(crate) fn parts(&self, rows: impl Iterator<Item = usize>) -> Vec<Vec<usize>> {
        let mut rows: Vec<(u32, usize)> = rows.map(|row| (self.of_row.get(row), row)).collect();
        rows.sort_unstable();
        let parts = rows.chunk_by(|one, other| one.0 == other.0);
        parts.map(|part| part.iter().map(|&(_, row)| row).collect()).collect()
    }

    /// If these rows are left out, the histories of which fewer than k are absent then, and some because of that; and how many more it takes.
    pub(crate) fn exposed(&self, left_out: &[bool], weights: &[u64], k: u64) -> Vec<(u32, u64)> {
        let mut vanish = vec![0; self.len()];
        let rows = left_out.iter().zip(weights).enumerate().filter(|(_, (left_out, _))| **left_out);
        rows.for_each(|(row, (_, weight))| vanish[self.of_row.get(row) as usize] += weight);
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

    /// Do all records together, as the most masked state has them, satisfy the requirement in every part?
    pub fn holds_masked(&self, table: &CompressedTable) -> bool {
        let Some(histories) = &self.histories else { return true };
        let counts = |sensitive: usize, rows: &[usize]| {
            let sensitive = &table.sensitive[sensitive];
            let mut counts = vec![0; sensitive.values.len()];
            rows.iter().for_each(|&row| counts[sensitive.codes.get(row) as usize] += table.weights[row]);
            counts
        };
        let all: Vec<usize> = (0..table.rows()).collect();
        let satisfied = |condition: &TableCondition, rows: &[usize]| {
            let (counts, whole) = (counts(condition.sensitive, rows), counts(condition.sensitive, &all));
            condition.check.holds(&Group { counts: &counts, whole: &whole })
        };
        let holds = |rows: &Vec<usize>| {
            rows.iter().map(|&row| table.weights[row]).sum::<u64>() >= self.k
                && self.conditions.iter().all(|condition| satisfied(condition, rows))
        };
        histories.parts(0..table.rows()).iter().all(holds)
    }
}

#[cfg(test)]
mod tests;
