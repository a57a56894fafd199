//! Which records may not appear under their labels?

use std::borrow::Cow;
use std::collections::BTreeMap;

use cutline_model::conditions::Group;
use cutline_model::recoding::SuppressHow;

use crate::numbering::by_group;
use crate::ordered::{Ordered, recode};
use crate::{Codes, Members, Numbering, RawColumn, TableQid};

/// A sensitive attribute: what conditions look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitive {
    /// Its name in the table.
    pub name: String,
    /// Its values; `None` is the missing one.
    pub values: Vec<Option<String>>,
    /// A value for each row.
    pub codes: Codes,
}

impl Sensitive {
    /// Values in byte order, the missing one last.
    pub(crate) fn new(name: String, column: &RawColumn) -> Self {
        let Ordered { keys, code_of } = Ordered::names(column);
        let texts = keys.into_iter().map(|text| Some(text.to_owned()));
        let values: Vec<_> = texts.chain((column.missing() > 0).then_some(None)).collect();
        let codes = recode(column, &code_of, values.len());
        Sensitive { name, values, codes }
    }
}

/// Finds the records in groups that are too small or violate a condition.
///
/// A suppressed record leaves its groups of *all* QIDs, which may make those violate the requirement in turn: this goes on until
/// every group that is left satisfies it. Masked, the suppressed records are one more group of every QID, with `*` in all
/// attributes; if that group violates the requirement itself, they are left out. Conditions compare with the whole table as it is
/// published.
///
/// Where earlier releases tell of the records, all of this must hold of every part of a group ([`Histories`](crate::Histories)), and only
/// the parts that violate it are suppressed. They are left out, person by person: labels do not tell parts apart. Whoever has the earlier
/// releases sees that they vanish, so if these are too few of one history, its smallest other parts are left out as well.
#[derive(Clone, Copy, Debug)]
pub struct Suppressor<'a> {
    /// What groups count.
    pub members: Members<'a>,
    /// The sensitive attributes.
    pub sensitive: &'a [Sensitive],
    /// The requirement.
    pub qids: &'a [TableQid],
    /// What shall become of suppressed records.
    pub how: SuppressHow,
}

/// What a [`Suppressor`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Is the row suppressed?
    pub rows: Vec<bool>,
    /// For each QID and group, does it violate the requirement?
    pub failed: Vec<Vec<bool>>,
    /// What becomes of suppressed records.
    pub how: SuppressHow,
}

impl Suppressor<'_> {
    /// Looks at the groups of each QID.
    pub fn run(&self, groups: &[Numbering]) -> Judgement {
        let cells: Vec<Cow<'_, Numbering>> =
            self.qids.iter().zip(groups).map(|(qid, groups)| joint(qid, groups)).collect();
        let members = |(qid, groups): (&TableQid, &Cow<'_, Numbering>)| {
            (!qid.conditions.is_empty()).then(|| by_group(&groups.of_row, groups.len, &|_| true))
        };
        let members: Vec<Option<Vec<u32>>> = self.qids.iter().zip(&cells).map(members).collect();
        let failed = groups.iter().map(|groups| vec![false; groups.len]).collect();
        let parted = self.qids.iter().any(|qid| qid.histories.is_some());
        let how = if parted { SuppressHow::Drop } else { self.how };
        let mut verdict = Judgement { rows: vec![false; self.members.weights.len()], failed, how };
        loop {
            let whole = self.whole(&verdict);
            let before = verdict.rows.iter().filter(|row| **row).count();
            for (qid, members) in members.iter().enumerate() {
                match members {
                    Some(members) => self.fail_groups(qid, &cells[qid], members, &whole, &mut verdict),
                    None => self.fail_small_groups(qid, &cells[qid], &mut verdict),
                }
            }
            if verdict.rows.iter().filter(|row| **row).count() > before {
                continue;
            }
            if verdict.how == SuppressHow::Mask && before > 0 && !self.together(&verdict, &whole) {
                verdict.how = SuppressHow::Drop;
                continue;
            }
            if (0..self.qids.len()).any(|qid| self.hide(qid, &cells[qid], &mut verdict)) {
                continue;
            }
            return verdict;
        }
    }

    /// The published records by sensitive value.
    fn whole(&self, verdict: &Judgement) -> Vec<Vec<u64>> {
        let published = |row: usize| verdict.how == SuppressHow::Mask || !verdict.rows[row];
        self.count((0..self.members.weights.len()).filter(|&row| published(row)))
    }

    fn count(&self, rows: impl Iterator<Item = usize> + Clone) -> Vec<Vec<u64>> {
        let count = |sensitive: &Sensitive| {
            let mut counts = vec![0; sensitive.values.len()];
            rows.clone().for_each(|row| counts[sensitive.codes.get(row) as usize] += self.members.weights[row]);
            counts
        };
        self.sensitive.iter().map(count).collect()
    }

    /// Suppresses the groups of one QID without conditions that are too small, or the parts of them.
    fn fail_small_groups(&self, qid: usize, groups: &Numbering, verdict: &mut Judgement) {
        let Judgement { rows, failed, .. } = verdict;
        let TableQid { k, histories, .. } = &self.qids[qid];
        let sizes = self.members.sizes_below((*k).max(1), &groups.of_row, groups.len, &|row| !rows[row as usize]);
        let small: Vec<bool> = sizes.into_iter().map(|size| size > 0 && size < *k).collect();
        if !small.contains(&true) {
            return;
        }
        // Labels do not tell the parts of a group apart, so none of them fails by its labels.
        if histories.is_none() {
            failed[qid].iter_mut().zip(&small).for_each(|(failed, small)| *failed |= small);
        }
        rows.iter_mut().zip(&groups.of_row).for_each(|(row, &group)| *row |= small[group as usize]);
    }

    /// Suppresses the groups of one QID that violate the requirement, or the parts of them.
    fn fail_groups(&self, qid: usize, groups: &Numbering, order: &[u32], whole: &[Vec<u64>], verdict: &mut Judgement) {
        let Judgement { rows, failed, .. } = verdict;
        let k = self.qids[qid].k.max(1);
        let sizes = self.members.sizes_below(k, &groups.of_row, groups.len, &|row| !rows[row as usize]);
        for members in order.chunk_by(|&a, &b| groups.of_row[a as usize] == groups.of_row[b as usize]) {
            let group = groups.of_row[members[0] as usize] as usize;
            let kept = members.iter().map(|&row| row as usize).filter(|&row| !rows[row]);
            if sizes[group] > 0 && !self.holds(qid, sizes[group], kept, whole) {
                // Labels do not tell the parts of a group apart, so none of them fails by its labels.
                if self.qids[qid].histories.is_none() {
                    failed[qid][group] = true;
                }
                members.iter().for_each(|&row| rows[row as usize] = true);
            }
        }
    }

    /// Does a group with so many members satisfy a QID's threshold and conditions?
    fn holds(&self, qid: usize, members: u64, rows: impl Iterator<Item = usize> + Clone, whole: &[Vec<u64>]) -> bool {
        let TableQid { k, conditions, .. } = &self.qids[qid];
        if members < *k || conditions.is_empty() {
            return members >= *k;
        }
        let counts = self.count(rows);
        let group = |sensitive: usize| Group { counts: &counts[sensitive], whole: &whole[sensitive] };
        conditions.iter().all(|condition| condition.check.holds(&group(condition.sensitive)))
    }

    /// Do the suppressed records satisfy the requirement as one group?
    fn together(&self, verdict: &Judgement, whole: &[Vec<u64>]) -> bool {
        let rows = (0..self.members.weights.len()).filter(|&row| verdict.rows[row]);
        let members = self.members.among(&|row| verdict.rows[row as usize]);
        (0..self.qids.len()).all(|qid| self.holds(qid, members, rows.clone(), whole))
    }

    fn records(&self, rows: &[usize]) -> u64 {
        rows.iter().map(|&row| self.members.weights[row]).sum()
    }

    /// Whoever has earlier releases sees who is left out. Where these are too few of a history to hide among, more of it are left out too;
    /// says whether there were any.
    fn hide(&self, qid: usize, groups: &Numbering, verdict: &mut Judgement) -> bool {
        let TableQid { histories: Some(histories), k, .. } = &self.qids[qid] else { return false };
        let by_history = histories.groups();
        let vanish = self.members.sizes(&by_history.of_row, by_history.len, &|row| verdict.rows[row as usize]);
        let exposed = histories.exposed(vanish, *k);
        let mut parts: BTreeMap<u32, BTreeMap<u32, Vec<usize>>> =
            exposed.iter().map(|&(history, _)| (history, BTreeMap::new())).collect();
        for row in (0..self.members.weights.len()).filter(|&row| !verdict.rows[row]) {
            if let Some(parts) = parts.get_mut(&histories.of_row.get(row)) {
                parts.entry(groups.of_row[row]).or_default().push(row);
            }
        }
        let more = |&(history, missing): &(u32, u64)| self.more(parts[&history].values(), missing, *k);
        let more: Vec<usize> = exposed.iter().flat_map(more).collect();
        more.iter().for_each(|&row| verdict.rows[row] = true);
        !more.is_empty()
    }

    /// Rows of some parts, with so many records at least: of the largest part, if k stay in it; all of the smallest one otherwise, or if
    /// persons have several records, which stay together.
    fn more<'r>(&self, parts: impl Iterator<Item = &'r Vec<usize>> + Clone, missing: u64, k: u64) -> Vec<usize> {
        let Some(largest) = parts.clone().max_by_key(|rows| self.records(rows)) else { return Vec::new() };
        let mut taken = 0;
        let mut is_needed = |row: &&usize| {
            let needed = taken < missing;
            taken += if needed { self.members.weights[**row] } else { 0 };
            needed
        };
        let some: Vec<usize> = largest.iter().take_while(&mut is_needed).copied().collect();
        if self.members.persons.is_none() && self.records(largest) - self.records(&some) >= k {
            return some;
        }
        parts.min_by_key(|rows| self.records(rows)).cloned().unwrap_or_default()
    }
}

/// The groups of a QID, told apart by what earlier releases say of their records.
fn joint<'g>(qid: &TableQid, groups: &'g Numbering) -> Cow<'g, Numbering> {
    let mut joint = Cow::Borrowed(groups);
    if let Some(histories) = &qid.histories {
        joint.to_mut().refine(histories.of_row.iter(), histories.len());
    }
    joint
}

#[cfg(test)]
mod tests;
