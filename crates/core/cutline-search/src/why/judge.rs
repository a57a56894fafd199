//! Would the requirement hold, if a label was refined? What would break, and how much would have to be suppressed?

use std::borrow::Cow;

use cutline_model::conditions::Group;
use cutline_table::{Members, Numbering, Sensitive, Settled, Suppressor, TableQid};
use rayon::prelude::*;

use super::Broken;
use super::frontier::{Asked, Counted, Frontier, Size, TooSmall};
use super::left::Outlook;
use super::split::Split;

impl Frontier<'_> {
    /// Do the sizes of groups say which records are suppressed? Where there is one QID, no group suffers from what is suppressed elsewhere.
    fn sizes_say_all(&self) -> bool {
        matches!(&self.qids[..], [qid] if qid.conditions.is_empty() && qid.histories.is_none())
    }

    /// The records that would have to be suppressed, by the definition.
    fn suppressed(&self, asked: &Asked<'_>, groups: &[Numbering]) -> u64 {
        let (weights, qids) = (self.weights(asked), self.qids_asked(asked));
        let members = Members { weights: &weights, ..self.members() };
        let suppressor = Suppressor { members, sensitive: &self.sensitive, qids: &qids, how: self.problem.how() };
        let rows = suppressor.run(groups).rows;
        rows.iter().zip(&*weights).filter(|(suppressed, _)| **suppressed).map(|(_, weight)| weight).sum()
    }

    /// The QIDs with the thresholds that are asked about.
    fn qids_asked(&self, asked: &Asked<'_>) -> Cow<'_, [TableQid]> {
        let mut qids = Cow::Borrowed(&self.qids[..]);
        asked.thresholds.iter().for_each(|&(qid, k)| qids.to_mut()[qid].k = k);
        qids
    }

    /// The records of each row that are looked at.
    pub(super) fn weights(&self, asked: &Asked<'_>) -> Cow<'_, [u64]> {
        let mut weights = Cow::Borrowed(&self.weights[..]);
        if asked.leaves_out_lacking {
            self.lacking_rows(asked).for_each(|row| weights.to_mut()[row] = 0);
        }
        weights
    }

    /// Would the requirement hold after what is asked, when groups were counted without other thresholds and with all records?
    pub(super) fn holds(&self, asked: &Asked<'_>, counted: &Counted) -> bool {
        match &counted.split {
            Some(split) if !asked.leaves_out_lacking => {
                let thresholds: Vec<u64> = self.qids_asked(asked).iter().map(|qid| qid.k).collect();
                self.split_holds(split, &thresholds)
            }
            _ => self.holds_by_rows(asked, &self.groups),
        }
    }

    /// For each of some refinements, would the requirement hold after it, if an attribute was not published at all?
    pub(super) fn hold_without(&self, other: usize, asked: &[(Asked<'_>, Option<Split>)]) -> Vec<bool> {
        let coarse = self.coarse(other);
        let known = |(asked, split): &(Asked<'_>, Option<Split>)| match asked.attribute == other {
            true => Some(false),
            false => self.coarse_holds(split.as_ref()?, coarse.as_ref()?),
        };
        let known: Vec<Option<bool>> = asked.par_iter().map(known).collect();
        // Made before it is asked for, on all cores: a thread that waits for others must not come upon the same question.
        let by_rows = if known.contains(&None) { self.without(other) } else { Vec::new() };
        let holds = |((asked, _), known): (&(Asked<'_>, Option<Split>), Option<bool>)| {
            known.unwrap_or_else(|| self.holds_by_rows(asked, &by_rows))
        };
        asked.par_iter().zip(known).map(holds).collect()
    }

    /// Would the requirement hold, if groups were refined as asked? Where there are conditions, only if nothing is suppressed: what
    /// [`Settled`] takes out of the recoding may break them elsewhere.
    fn holds_by_rows(&self, asked: &Asked<'_>, groups: &[Numbering]) -> bool {
        let budget = if self.problem.is_conditional() { 0 } else { self.budget() };
        let groups = self.refined(groups, asked);
        let (weights, qids) = (self.weights(asked), self.qids_asked(asked));
        // Records of groups that are too small are suppressed in any case; those with too few records are found sooner.
        let of_qids = || groups.iter().zip(&*qids);
        let by_records = |(groups, qid): (&Numbering, &TableQid)| {
            groups.sizes(&weights).into_iter().filter(|&records| records < qid.k).sum::<u64>()
        };
        let by_members =
            |(groups, qid): (&Numbering, &TableQid)| TooSmall::of(qid.k, &self.sizes(groups, qid.k, &weights)).records;
        if of_qids().map(by_records).any(|small| small > budget)
            || self.persons.is_some() && of_qids().map(by_members).any(|small| small > budget)
        {
            return false;
        }
        self.sizes_say_all() || self.suppressed(asked, &groups) <= budget
    }

    /// The smallest limit that allows a refinement: the records that would have to be suppressed, also when it is published.
    pub(super) fn limit(&self, asked: &Asked<'_>, counted: &Counted, outlook: &Outlook) -> u64 {
        if self.sizes_say_all() {
            return TooSmall::of(self.qids[0].k, &counted.sizes[0]).records;
        }
        if let Some(split) = &counted.split {
            let thresholds: Vec<u64> = self.qids.iter().map(|qid| qid.k).collect();
            return self.split_suppressed(split, &thresholds);
        }
        let suppressed = self.suppressed(asked, &self.refined(&self.groups, asked));
        if suppressed == 0 || !self.problem.is_conditional() {
            return suppressed;
        }
        let table = self.problem.table();
        let mut recoding = self.recoding.to_vec();
        recoding[asked.attribute] = outlook.refined(&table.attributes[asked.attribute], asked.candidate);
        let settled = Settled::new(table, recoding, None, self.problem.qids(), self.problem.how());
        // A recoding of this very table has a label for each of its values.
        settled.map_or(table.records, |settled| settled.suppressed.records.max(suppressed))
    }

    /// What would break in which groups, before anything is suppressed.
    pub(super) fn broken(&self, counted: &Counted) -> Vec<Broken> {
        let whole = self.counts(0..self.weights.len());
        let mut broken = Vec::new();
        for (qid, sizes) in counted.sizes.iter().enumerate() {
            let TooSmall { groups, records } = TooSmall::of(self.qids[qid].k, sizes);
            if groups > 0 {
                broken.push(Broken { qid, condition: None, groups, records });
            }
            if let Some(groups) = counted.groups.get(qid) {
                broken.extend(self.broken_conditions(qid, groups, sizes, &whole));
            }
        }
        broken
    }

    /// The conditions that break in groups that are large enough.
    fn broken_conditions(&self, qid: usize, groups: &Numbering, sizes: &[Size], whole: &[Vec<u64>]) -> Vec<Broken> {
        let TableQid { k, conditions, .. } = &self.qids()[qid];
        if conditions.is_empty() {
            return Vec::new();
        }
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); groups.len];
        groups.of_row.iter().enumerate().for_each(|(row, &group)| members[group as usize].push(row));
        let counts: Vec<Vec<Vec<u64>>> = members.iter().map(|rows| self.counts(rows.iter().copied())).collect();
        let promised = TableQid::promised(self.problem.table());
        let asked = self.requirement.qids();
        let texts = match asked.get(qid) {
            Some(asked) => &asked.conditions[..],
            // What earlier releases promised comes after what is asked.
            None => promised.get(qid - asked.len()).map_or(&[][..], |(_, conditions)| conditions),
        };
        let broken = conditions.iter().zip(texts).map(|(condition, text)| {
            let breaks = |group: &usize| {
                let of = &counts[*group][condition.sensitive];
                sizes[*group].members >= *k
                    && !condition.check.holds(&Group { counts: of, whole: &whole[condition.sensitive] })
            };
            let groups: Vec<usize> = (0..sizes.len()).filter(breaks).collect();
            let records = groups.iter().map(|&group| sizes[group].records).sum();
            Broken { qid, condition: Some(text.to_string()), groups: groups.len() as u64, records }
        });
        broken.filter(|broken| broken.groups > 0).collect()
    }

    /// Records by value of each sensitive attribute.
    fn counts(&self, rows: impl Iterator<Item = usize> + Clone) -> Vec<Vec<u64>> {
        let count = |sensitive: &Sensitive| {
            let mut counts = vec![0; sensitive.values.len()];
            rows.clone().for_each(|row| counts[sensitive.codes.get(row) as usize] += self.weights[row]);
            counts
        };
        self.sensitive.iter().map(count).collect()
    }
}
