//! Would the requirement hold, if a label was refined?

use std::borrow::Cow;
use std::sync::Arc;

use cutline_model::conditions::Group;
use cutline_model::{AttributeRecoding, Requirement};
use cutline_table::{
    AttributeId, Codes, Histories, Members, Numbering, Persons, Sensitive, Settled, Suppressor, TableQid,
};

use super::Broken;
use super::left::{Candidate, Outlook};
use crate::Problem;

/// The table as far as the labels, the best refinement of each and the sensitive values tell its rows apart: a row for every
/// combination. What is asked here never needs more, and there are far fewer of them.
pub(super) struct Frontier<'a> {
    problem: &'a Problem<'a>,
    requirement: &'a Requirement,
    recoding: &'a [AttributeRecoding],
    weights: Vec<u64>,
    /// Who is behind the records of each row, if groups count persons.
    persons: Option<Persons>,
    sensitive: Vec<Sensitive>,
    columns: Vec<Column>,
    /// The QIDs, with the histories of these rows.
    qids: Vec<TableQid>,
    /// The groups of each QID under the recoding.
    groups: Vec<Numbering>,
}

/// A QID with the histories of some rows alone.
fn among(qid: &TableQid, rows: &[u32]) -> TableQid {
    let chosen = |histories: &Arc<Histories>| {
        let of_row = rows.iter().map(|&row| histories.of_row.get(row as usize));
        Arc::new(Histories { of_row: Codes::from_codes(of_row, histories.len()), absent: histories.absent.clone() })
    };
    TableQid { histories: qid.histories.as_ref().map(chosen), ..qid.clone() }
}

/// An attribute.
struct Column {
    /// The label of each row.
    labels: Vec<u32>,
    /// The part of its label that each row would go to.
    parts: Vec<u32>,
    /// Labels are below this number.
    distinct: usize,
    /// Parts are below this number.
    most_parts: usize,
    tells: bool,
}

/// What would be otherwise.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) attribute: usize,
    pub(super) candidate: &'a Candidate,
    /// Other thresholds for some QIDs.
    pub(super) thresholds: &'a [(usize, u64)],
    /// Are the records that lack the value of the attribute left out?
    pub(super) leaves_out_lacking: bool,
}

impl<'a> Asked<'a> {
    /// The best refinement of a label, and nothing else.
    pub(super) fn refined(attribute: usize, candidate: &'a Candidate) -> Self {
        Asked { attribute, candidate, thresholds: &[], leaves_out_lacking: false }
    }
}

/// The groups after what is asked: of each QID, told apart by what earlier releases say of the records.
pub(super) struct Counted {
    groups: Vec<Numbering>,
    /// The members and the records of each group. The members of groups that are large enough may be told too few, but never fewer than
    /// are enough.
    sizes: Vec<Vec<(u64, u64)>>,
}

impl Counted {
    /// The members and the records of the groups of a QID, ascending.
    pub(super) fn ascending(&self, qid: usize) -> Vec<(u64, u64)> {
        let mut sizes = self.sizes[qid].clone();
        sizes.sort_unstable();
        sizes
    }
}

impl<'a> Frontier<'a> {
    pub(super) fn new(
        problem: &'a Problem<'a>,
        requirement: &'a Requirement,
        recoding: &'a [AttributeRecoding],
        outlooks: &[Outlook],
    ) -> Self {
        let table = problem.table();
        let mut rows = Numbering::new(table.rows());
        for (attribute, outlook) in table.attributes.iter().zip(outlooks) {
            let told = outlook.told();
            if told.len > 1 {
                rows.refine_column(&attribute.codes, &told.of_row, told.len);
            }
        }
        table.sensitive.iter().for_each(|sensitive| rows.refine(sensitive.codes.iter(), sensitive.values.len()));
        if let Some(history) = &table.history {
            rows.refine(history.of_row.iter(), history.patterns.patterns.len());
        }
        let first = rows.first_rows();
        let column = |(attribute, outlook): (&cutline_table::Attribute, &Outlook)| {
            let codes: Vec<usize> = first.iter().map(|&row| attribute.codes.get(row as usize) as usize).collect();
            Column {
                labels: codes.iter().map(|&code| outlook.label_of[code]).collect(),
                parts: codes.iter().map(|&code| outlook.part_of[code]).collect(),
                distinct: outlook.labels,
                most_parts: outlook.parts(),
                tells: outlook.tells,
            }
        };
        let columns: Vec<Column> = table.attributes.iter().zip(outlooks).map(column).collect();
        let sensitive = table.sensitive.iter().map(|sensitive| Sensitive {
            codes: Codes::from_codes(
                first.iter().map(|&row| sensitive.codes.get(row as usize)),
                sensitive.values.len(),
            ),
            ..sensitive.clone()
        });
        let mut frontier = Frontier {
            problem,
            requirement,
            recoding,
            weights: rows.sizes(&table.weights),
            persons: table.persons.as_ref().map(|persons| persons.regrouped(&rows)),
            sensitive: sensitive.collect(),
            columns,
            qids: problem.qids().iter().map(|qid| among(qid, &first)).collect(),
            groups: Vec::new(),
        };
        frontier.groups = problem.qids().iter().map(|qid| frontier.grouped(qid, None)).collect();
        frontier
    }

    /// The most records that may be suppressed.
    pub(super) fn budget(&self) -> u64 {
        self.problem.limit()
    }

    /// Are there enough members for every threshold if the records that lack the value are left out?
    pub(super) fn is_satisfiable_without_lacking(&self, asked: &Asked<'_>) -> bool {
        let weights = self.weights(&Asked { leaves_out_lacking: true, ..*asked });
        let left = Members { weights: &weights, ..self.members() }.among(&|_| true);
        self.qids().iter().all(|qid| qid.k <= left)
    }

    /// What groups count.
    fn members(&self) -> Members<'_> {
        Members { weights: &self.weights, persons: self.persons.as_ref() }
    }

    pub(super) fn qids(&self) -> &[TableQid] {
        &self.qids
    }

    /// The attribute's name.
    pub(super) fn name(&self, attribute: usize) -> &'a str {
        &self.problem.table().attributes[attribute].name
    }

    /// The attributes of which something is told.
    pub(super) fn telling(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.columns.len()).filter(|&attribute| self.columns[attribute].tells)
    }

    /// The records with a label.
    pub(super) fn records(&self, attribute: usize, label: u32) -> u64 {
        let labels = self.columns[attribute].labels.iter().zip(&self.weights);
        labels.filter(|(other, _)| **other == label).map(|(_, weight)| weight).sum()
    }

    /// The records that lack the value, where they have a part of their own.
    pub(super) fn lacking(&self, asked: &Asked<'_>) -> u64 {
        self.lacking_rows(asked).map(|row| self.weights[row]).sum()
    }

    fn lacking_rows<'b>(&'b self, asked: &'b Asked<'_>) -> impl Iterator<Item = usize> + 'b {
        let Column { labels, parts, .. } = &self.columns[asked.attribute];
        let lacks =
            move |&row: &usize| labels[row] == asked.candidate.label && Some(parts[row]) == asked.candidate.lacking;
        (0..self.weights.len()).filter(lacks)
    }

    /// The groups of a QID under the recoding, if an attribute is not published.
    fn grouped(&self, qid: &TableQid, without: Option<usize>) -> Numbering {
        let mut groups = Numbering::new(self.weights.len());
        for &AttributeId(a) in qid.attributes.iter().filter(|id| Some(id.0) != without) {
            let Column { labels, distinct, tells, .. } = &self.columns[a];
            if *tells {
                groups.refine(labels.iter().copied(), *distinct);
            }
        }
        groups
    }

    /// The groups of each QID under the recoding.
    pub(super) fn now(&self) -> &[Numbering] {
        &self.groups
    }

    /// The same, if an attribute is not published at all.
    pub(super) fn without(&self, attribute: usize) -> Vec<Numbering> {
        let grouped = |(qid, now): (&TableQid, &Numbering)| match qid.attributes.contains(&AttributeId(attribute)) {
            true => self.grouped(qid, Some(attribute)),
            false => now.clone(),
        };
        self.qids.iter().zip(&self.groups).map(grouped).collect()
    }

    /// Such groups after what is asked.
    fn refined(&self, groups: &[Numbering], asked: &Asked<'_>) -> Vec<Numbering> {
        let Column { labels, parts, most_parts, .. } = &self.columns[asked.attribute];
        let part = |(&label, &part): (&u32, &u32)| if label == asked.candidate.label { part } else { 0 };
        let refined = |(qid, groups): (&TableQid, &Numbering)| {
            let mut groups = groups.clone();
            if qid.attributes.contains(&AttributeId(asked.attribute)) {
                groups.refine(labels.iter().zip(parts).map(part), *most_parts);
            }
            groups
        };
        self.qids.iter().zip(groups).map(refined).collect()
    }

    /// Groups and counts the records after what is asked.
    pub(super) fn count(&self, asked: &Asked<'_>) -> Counted {
        let mut groups = self.refined(&self.groups, asked);
        for (groups, qid) in groups.iter_mut().zip(&self.qids) {
            if let Some(histories) = &qid.histories {
                groups.refine(histories.of_row.iter(), histories.len());
            }
        }
        let sizes = groups.iter().zip(&self.qids).map(|(groups, qid)| self.sizes(groups, qid.k, &self.weights));
        Counted { sizes: sizes.collect(), groups }
    }

    /// The members and the records of each group; the members exactly where they are fewer than k.
    fn sizes(&self, groups: &Numbering, k: u64, weights: &[u64]) -> Vec<(u64, u64)> {
        let members = Members { weights, ..self.members() };
        let members = members.sizes_below(k, &groups.of_row, groups.len, &|_| true);
        members.into_iter().zip(groups.sizes(weights)).collect()
    }

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
    fn weights(&self, asked: &Asked<'_>) -> Cow<'_, [u64]> {
        let mut weights = Cow::Borrowed(&self.weights[..]);
        if asked.leaves_out_lacking {
            self.lacking_rows(asked).for_each(|row| weights.to_mut()[row] = 0);
        }
        weights
    }

    /// Would the requirement hold, if groups were refined as asked? Where there are conditions, only if nothing is suppressed: what
    /// [`Settled`] takes out of the recoding may break them elsewhere.
    pub(super) fn holds(&self, asked: &Asked<'_>, groups: &[Numbering]) -> bool {
        let budget = if self.problem.is_conditional() { 0 } else { self.budget() };
        let groups = self.refined(groups, asked);
        let (weights, qids) = (self.weights(asked), self.qids_asked(asked));
        // Records of groups that are too small are suppressed in any case; those with too few records are found sooner.
        let of_qids = || groups.iter().zip(&*qids);
        let by_records = |(groups, qid): (&Numbering, &TableQid)| {
            groups.sizes(&weights).into_iter().filter(|&records| records < qid.k).sum::<u64>()
        };
        let by_members = |(groups, qid): (&Numbering, &TableQid)| {
            small(qid.k, &self.sizes(groups, qid.k, &weights)).iter().sum::<u64>()
        };
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
            return small(self.qids[0].k, &counted.sizes[0]).iter().sum();
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
            let small = small(self.qids[qid].k, sizes);
            if !small.is_empty() {
                broken.push(Broken { qid, condition: None, groups: small.len() as u64, records: small.iter().sum() });
            }
            broken.extend(self.broken_conditions(qid, &counted.groups[qid], sizes, &whole));
        }
        broken
    }

    /// The conditions that break in groups that are large enough.
    fn broken_conditions(
        &self,
        qid: usize,
        groups: &Numbering,
        sizes: &[(u64, u64)],
        whole: &[Vec<u64>],
    ) -> Vec<Broken> {
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
                sizes[*group].0 >= *k
                    && !condition.check.holds(&Group { counts: of, whole: &whole[condition.sensitive] })
            };
            let groups: Vec<usize> = (0..sizes.len()).filter(breaks).collect();
            let records = groups.iter().map(|&group| sizes[group].1).sum();
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

/// The records of each group that has too few members.
fn small(k: u64, sizes: &[(u64, u64)]) -> Vec<u64> {
    sizes.iter().filter(|(members, _)| *members < k).map(|(_, records)| *records).collect()
}
