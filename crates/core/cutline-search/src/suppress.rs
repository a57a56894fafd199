//! Which records must be suppressed under some labels?

use cutline_model::recoding::SuppressHow;
use cutline_table::{AttributeId, Codes, Members, Numbering, Sensitive, TableQid};

use crate::Problem;
use crate::grouping::{Buffers, Enough, Grouping, Labelling, Sieve};

/// Finds the records in groups that violate the requirement: what [`cutline_table::Suppressor`] does, but fast where there are no
/// conditions.
#[derive(Debug)]
pub(crate) struct Suppressor<'a> {
    weights: &'a [u64],
    /// The same in fewer bytes, unless there are weights that need them.
    narrow: Option<Codes>,
    /// What groups count.
    members: Members<'a>,
    sensitive: &'a [Sensitive],
    qids: &'a [TableQid],
    how: SuppressHow,
    conditional: bool,
    /// The rows by each QID.
    groupings: Vec<Grouping>,
    /// The rows by all attributes, where there are several QIDs.
    union: Option<Grouping>,
}

/// What became of the records.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    /// Suppressed records.
    pub(crate) suppressed: u64,
    /// A(QID) of each QID: the smallest group, the one of suppressed records included if it is published.
    pub(crate) anonymity: Vec<u64>,
}

/// The groups under some labels. Its buffers are used again for other labels.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    buffers: Buffers,
    sieve: Sieve,
    /// Are kept rows known by the sieve alone?
    sifted: bool,
    /// The groups of each QID, then those of the union where there are several QIDs.
    ids: Vec<Vec<u32>>,
    /// The members of each group of each QID. Those that violate the requirement may be left in.
    sizes: Vec<Vec<u64>>,
    /// What becomes of suppressed records.
    how: SuppressHow,
    /// Suppressed rows, unless they were never told apart.
    pub(crate) rows: Vec<u32>,
    /// How many ids there are for metrics: a number for each group, and the last for all suppressed rows together.
    pub(crate) len: usize,
}

impl Groups {
    /// The rows that are not suppressed and the group of each, if the others were never told apart.
    pub(crate) fn kept(&self) -> Option<(&[u32], &[u32])> {
        self.sifted.then(|| self.sieve.kept())
    }

    /// The group of each row by all attributes, as metrics look at it.
    pub(crate) fn ids(&self) -> &[u32] {
        self.ids.last().map_or(&[], Vec::as_slice)
    }

    /// The same and the rows that are suppressed, also if those were never told apart.
    pub(crate) fn all(&mut self, rows: usize) -> (&[u32], &[u32]) {
        if std::mem::take(&mut self.sifted) {
            let suppressed = self.len as u32 - 1;
            let ids = &mut self.ids[0];
            ids.clear();
            ids.resize(rows, suppressed);
            let (kept, groups) = self.sieve.kept();
            kept.iter().zip(groups).for_each(|(&row, &id)| ids[row as usize] = id);
            self.rows.extend((0..).zip(&*ids).filter(|(_, id)| **id == suppressed).map(|(row, _)| row));
        }
        (self.ids(), &self.rows)
    }
}

impl<'a> Suppressor<'a> {
    pub(crate) fn new(problem: &'a Problem<'a>) -> Self {
        let table = problem.table();
        let all: Vec<AttributeId> = (0..table.attributes.len()).map(AttributeId).collect();
        Suppressor {
            weights: &table.weights,
            narrow: narrow(&table.weights),
            members: table.members(),
            sensitive: &table.sensitive,
            qids: problem.qids(),
            how: problem.how(),
            conditional: problem.is_conditional(),
            groupings: problem.qids().iter().map(|qid| Grouping::new(table, &qid.attributes)).collect(),
            union: (problem.qids().len() > 1).then(|| Grouping::new(table, &all)),
        }
    }

    /// Groups the rows and finds those to be suppressed. Returns how many records they are; nothing if somebody gave up when told of some.
    pub(crate) fn run_unless(
        &self,
        labellings: &[Labelling],
        groups: &mut Groups,
        gives_up: &dyn Fn(u64) -> bool,
    ) -> Option<u64> {
        groups.sifted = false;
        match &self.narrow {
            Some(weights) if self.is_plain() => self.run_plain(labellings, groups, weights, gives_up),
            _ => Some(self.run(labellings, groups)),
        }
    }

    /// Is there one QID, and nothing to its groups but how many records they have?
    fn is_plain(&self) -> bool {
        !self.conditional && self.union.is_none() && self.members.persons.is_none()
    }

    /// The only QID, if there is nothing to its groups but how many records they have.
    pub(crate) fn plain(&self) -> Option<&TableQid> {
        self.qids.first().filter(|_| self.is_plain())
    }

    /// The same where there is one QID, and nothing to its groups but how many records they have.
    fn run_plain(
        &self,
        labellings: &[Labelling],
        groups: &mut Groups,
        weights: &Codes,
        gives_up: &dyn Fn(u64) -> bool,
    ) -> Option<u64> {
        let (grouping, k) = (&self.groupings[0], self.qids[0].k);
        groups.ids.resize_with(1, Vec::new);
        groups.sizes.resize_with(1, Vec::new);
        groups.how = self.how;
        groups.rows.clear();
        if grouping.are_few(labellings) {
            grouping.count_few(labellings, weights, &mut groups.sieve);
            let Groups { sieve, ids, sizes, rows, len, .. } = groups;
            std::mem::swap(sieve.ids(), &mut ids[0]);
            std::mem::swap(&mut sieve.sizes, &mut sizes[0]);
            *len = sizes[0].len() + 1;
            small(&mut ids[0], &sizes[0], k, rows);
            return Some(self.records(rows));
        }
        let enough = Enough { weights, k: k.max(1) };
        let suppressed = grouping.sift(labellings, enough, &mut groups.sieve, gives_up)?;
        groups.sizes[0].clone_from(&groups.sieve.sizes);
        groups.len = groups.sizes[0].len() + 1;
        groups.sifted = true;
        Some(suppressed)
    }

    /// Groups the rows and finds those to be suppressed. Returns how many records they are.
    pub(crate) fn run(&self, labellings: &[Labelling], groups: &mut Groups) -> u64 {
        let Groups { buffers, sifted, ids, sizes, rows, len, how, .. } = groups;
        *sifted = false;
        ids.resize_with(self.qids.len() + usize::from(self.union.is_some()), Vec::new);
        sizes.resize_with(self.qids.len(), Vec::new);
        rows.clear();
        for ((grouping, ids), sizes) in self.groupings.iter().zip(&mut *ids).zip(&mut *sizes) {
            let limit = grouping.number(labellings, buffers, ids);
            self.count(ids, limit, sizes);
        }
        *how = self.how;
        if !self.conditional && self.union.is_none() {
            *len = sizes[0].len() + 1;
            small(&mut ids[0], &sizes[0], self.qids[0].k, rows);
            return self.records(rows);
        }
        if self.conditional {
            *how = self.judge(ids, sizes, rows);
        } else {
            self.cascade(ids, sizes, rows);
        }
        let last = ids.len() - 1;
        let limit = match &self.union {
            Some(union) => union.number(labellings, buffers, &mut ids[last]),
            None => sizes[0].len(),
        };
        rows.iter().for_each(|&row| ids[last][row as usize] = limit as u32);
        *len = limit + 1;
        self.records(rows)
    }

    /// The members of each group. Records are counted into a buffer that is used again: a genetic search asks for them all the time.
    fn count(&self, ids: &[u32], limit: usize, sizes: &mut Vec<u64>) {
        if self.members.persons.is_some() {
            *sizes = self.members.sizes(ids, limit, &|_| true);
            return;
        }
        sizes.clear();
        sizes.resize(limit, 0);
        ids.iter().zip(self.weights).for_each(|(&id, &weight)| sizes[id as usize] += weight);
    }

    fn records(&self, rows: &[u32]) -> u64 {
        rows.iter().map(|&row| self.weights[row as usize]).sum()
    }

    /// Groups that violate conditions, by the definition.
    fn judge(&self, ids: &[Vec<u32>], sizes: &mut [Vec<u64>], rows: &mut Vec<u32>) -> SuppressHow {
        let numbering = |(ids, sizes): (&Vec<u32>, &Vec<u64>)| Numbering { of_row: ids.clone(), len: sizes.len() };
        let groups: Vec<Numbering> = ids.iter().zip(&*sizes).map(numbering).collect();
        let Suppressor { members, sensitive, qids, how, .. } = *self;
        let verdict = cutline_table::Suppressor { members, sensitive, qids, how }.run(&groups);
        rows.extend((0..self.weights.len() as u32).filter(|&row| verdict.rows[row as usize]));
        self.take_out(rows, &verdict.rows, ids, sizes);
        verdict.how
    }

    /// The sizes of groups without some rows that were in them, when all rows that are gone are marked.
    fn take_out(&self, rows: &[u32], gone: &[bool], ids: &[Vec<u32>], sizes: &mut [Vec<u64>]) {
        for (ids, sizes) in ids.iter().zip(sizes) {
            match self.members.persons {
                // A person may have other records in the same group.
                Some(_) => *sizes = self.members.sizes(ids, sizes.len(), &|row| !gone[row as usize]),
                None => rows.iter().for_each(|&row| sizes[ids[row as usize] as usize] -= self.weights[row as usize]),
            }
        }
    }

    /// Who is suppressed, and how small the groups of the others are.
    pub(crate) fn standing(&self, labellings: &[Labelling], groups: &mut Groups) -> Standing {
        let suppressed = self.run_unless(labellings, groups, &|_| false).unwrap_or_default();
        Standing { suppressed, anonymity: self.anonymity(groups) }
    }

    /// The same if not more records are suppressed than may be: that there are more is often known early.
    pub(crate) fn standing_within(
        &self,
        limit: u64,
        labellings: &[Labelling],
        groups: &mut Groups,
    ) -> Option<Standing> {
        let suppressed = self.run_unless(labellings, groups, &|suppressed| suppressed > limit)?;
        (suppressed <= limit).then(|| Standing { suppressed, anonymity: self.anonymity(groups) })
    }

    /// What the suppressed rows count as one group.
    fn suppressed_members(&self, rows: &[u32]) -> u64 {
        if self.members.persons.is_none() || rows.is_empty() {
            return self.records(rows);
        }
        let mut gone = vec![false; self.weights.len()];
        rows.iter().for_each(|&row| gone[row as usize] = true);
        self.members.among(&|row| gone[row as usize])
    }

    /// A suppressed record leaves its groups of all QIDs, which may make those too small in turn.
    fn cascade(&self, ids: &[Vec<u32>], sizes: &mut [Vec<u64>], rows: &mut Vec<u32>) {
        let mut gone = vec![false; self.weights.len()];
        loop {
            let small = |&row: &u32| {
                let small = |((ids, sizes), qid): ((&Vec<u32>, &Vec<u64>), &TableQid)| {
                    sizes[ids[row as usize] as usize] < qid.k
                };
                !gone[row as usize] && ids.iter().zip(&*sizes).zip(self.qids).any(small)
            };
            let found: Vec<u32> = (0..self.weights.len() as u32).filter(small).collect();
            if found.is_empty() {
                return;
            }
            found.iter().for_each(|&row| gone[row as usize] = true);
            self.take_out(&found, &gone, ids, sizes);
            rows.extend(found);
        }
    }

    /// The smallest group of each QID, the suppressed records included if they are enough to be published as a group.
    fn anonymity(&self, groups: &Groups) -> Vec<u64> {
        let suppressed = self.suppressed_members(&groups.rows);
        let largest_k = self.qids.iter().map(|qid| qid.k).max().unwrap_or(0);
        let masked = groups.how == SuppressHow::Mask && suppressed > 0 && suppressed >= largest_k;
        let together = masked.then_some(suppressed);
        let smallest = |(sizes, qid): (&Vec<u64>, &TableQid)| {
            let kept = sizes.iter().copied().filter(|&size| size >= qid.k.max(1));
            kept.chain(together).min().unwrap_or(0)
        };
        groups.sizes.iter().zip(self.qids).map(smallest).collect()
    }
}

/// Weights in as few bytes as they need, if four are enough for all of them together.
fn narrow(weights: &[u64]) -> Option<Codes> {
    u32::try_from(weights.iter().sum::<u64>()).ok()?;
    let most = weights.iter().copied().max().unwrap_or(0);
    Some(Codes::from_codes(weights.iter().map(|&weight| weight as u32), most as usize + 1))
}

/// The rows in small groups of the only QID: they get the id after the last group's.
fn small(ids: &mut [u32], sizes: &[u64], k: u64, rows: &mut Vec<u32>) {
    if sizes.iter().any(|&size| 0 < size && size < k) {
        for (row, id) in ids.iter_mut().enumerate().filter(|(_, id)| sizes[**id as usize] < k) {
            *id = sizes.len() as u32;
            rows.push(row as u32);
        }
    }
}

#[cfg(test)]
mod tests;
