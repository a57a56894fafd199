//! Would the requirement hold, if a label was refined?

use std::borrow::Cow;
use std::sync::Arc;

use cutline_model::conditions::Group;
use cutline_model::{AttributeRecoding, Requirement};
use cutline_table::{
    Attribute, AttributeId, Code, Codes, CompressedTable, Histories, Members, Numbering, Persons, Sensitive, Settled,
    Suppressor, TableQid, with_codes,
};
use rayon::prelude::*;

use super::Broken;
use super::left::{Candidate, Outlook};
use super::split::{Plain, Split};
use crate::Problem;

/// The table as far as the labels, the best refinement of each and the sensitive values tell its rows apart: a row for every
/// combination. What is asked here never needs more, and there are far fewer of them.
pub(super) struct Frontier<'a> {
    problem: &'a Problem<'a>,
    requirement: &'a Requirement,
    recoding: &'a [AttributeRecoding],
    pub(super) weights: Vec<u64>,
    /// Who is behind the records of each row, if groups count persons.
    persons: Option<Persons>,
    sensitive: Vec<Sensitive>,
    pub(super) columns: Vec<Column>,
    /// The QIDs, with the histories of these rows.
    pub(super) qids: Vec<TableQid>,
    /// The groups of each QID under the recoding.
    pub(super) groups: Vec<Numbering>,
    /// How many records they have, if nothing else counts.
    pub(super) plain: Option<Plain>,
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
pub(super) struct Column {
    /// The label of each row.
    pub(super) labels: Codes,
    /// The part of its label that each row would go to.
    pub(super) parts: Codes,
    /// Labels are below this number.
    pub(super) distinct: usize,
    /// Parts are below this number.
    pub(super) most_parts: usize,
    tells: bool,
    /// The records with each label.
    records: Vec<u64>,
}

impl Column {
    fn new(attribute: &Attribute, outlook: &Outlook, rows: &[u32], weights: &[u64]) -> Self {
        let most_parts = outlook.parts();
        let of_row = |of_code: &[u32], below: usize| {
            with_codes!(&attribute.codes, codes => {
                Codes::from_codes(rows.iter().map(|&row| of_code[codes[row as usize].index()]), below)
            })
        };
        let labels = of_row(&outlook.label_of, outlook.labels);
        let mut records = vec![0; outlook.labels];
        with_codes!(&labels, labels => {
            labels.iter().zip(weights).for_each(|(label, weight)| records[label.index()] += weight);
        });
        let parts = of_row(&outlook.part_of, most_parts);
        Column { labels, parts, distinct: outlook.labels, most_parts, tells: outlook.tells, records }
    }
}

/// The rows of a table, as one where nothing that is asked tells them apart. Where that makes them hardly fewer, each by itself: to find out
/// which are the same would take longer than to look at all of them.
fn told_apart(table: &CompressedTable, outlooks: &[Outlook]) -> Numbering {
    let all = table.rows();
    let each = || Numbering { of_row: (0..all as u32).collect(), len: all };
    let mut rows = Numbering::new(all);
    for (attribute, outlook) in table.attributes.iter().zip(outlooks) {
        let told = outlook.told();
        if told.len > 1 {
            rows.refine_column(&attribute.codes, &told.of_row, told.len);
        }
        if rows.len > all / 4 {
            return each();
        }
    }
    table.sensitive.iter().for_each(|sensitive| rows.refine(sensitive.codes.iter(), sensitive.values.len()));
    if let Some(history) = &table.history {
        rows.refine(history.of_row.iter(), history.patterns.patterns.len());
    }
    rows
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
    /// Nothing if only their sizes count.
    groups: Vec<Numbering>,
    /// The same, if nothing counts but how many records there are.
    pub(super) split: Option<Split>,
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
        let rows = told_apart(table, outlooks);
        let first = rows.first_rows();
        let weights = rows.sizes(&table.weights);
        let column = |(attribute, outlook): (&Attribute, &Outlook)| Column::new(attribute, outlook, &first, &weights);
        let columns: Vec<Column> = table.attributes.par_iter().zip(outlooks).map(column).collect();
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
            persons: table.persons.as_ref().map(|persons| persons.regrouped(&rows)),
            sensitive: sensitive.collect(),
            columns,
            weights,
            qids: problem.qids().iter().map(|qid| among(qid, &first)).collect(),
            groups: Vec::new(),
            plain: None,
        };
        frontier.groups = problem.qids().par_iter().map(|qid| frontier.grouped(qid, None)).collect();
        let is_plain = |qid: &TableQid| qid.conditions.is_empty() && qid.histories.is_none();
        if frontier.persons.is_none() && frontier.qids.iter().all(is_plain) {
            frontier.plain = Some(Plain::new(&frontier.groups, &frontier.weights));
        }
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
        self.columns[attribute].records[label as usize]
    }

    /// The records that lack the value, where they have a part of their own.
    pub(super) fn lacking(&self, asked: &Asked<'_>) -> u64 {
        self.lacking_rows(asked).map(|row| self.weights[row]).sum()
    }

    fn lacking_rows<'b>(&'b self, asked: &'b Asked<'_>) -> impl Iterator<Item = usize> + 'b {
        let Column { labels, parts, .. } = &self.columns[asked.attribute];
        let lacks = move |&row: &usize| {
            labels.get(row) == asked.candidate.label && Some(parts.get(row)) == asked.candidate.lacking
        };
        (0..self.weights.len()).filter(lacks)
    }

    /// The columns of a QID that tell something, if an attribute is not published.
    pub(super) fn columns_of<'b>(
        &'b self,
        qid: &'b TableQid,
        without: Option<usize>,
    ) -> impl Iterator<Item = &'b Column> + 'b {
        let published = qid.attributes.iter().filter(move |id| Some(id.0) != without);
        published.map(|&AttributeId(a)| &self.columns[a]).filter(|column| column.tells)
    }

    /// The groups of a QID under the recoding, if an attribute is not published.
    fn grouped(&self, qid: &TableQid, without: Option<usize>) -> Numbering {
        let mut groups = Numbering::new(self.weights.len());
        for Column { labels, distinct, .. } in self.columns_of(qid, without) {
            with_codes!(labels, labels => groups.refine(labels.iter().map(|label| label.index() as u32), *distinct));
        }
        groups
    }

    /// The groups of each QID under the recoding, if an attribute is not published at all.
    fn without(&self, attribute: usize) -> Vec<Numbering> {
        let grouped = |(qid, now): (&TableQid, &Numbering)| match qid.attributes.contains(&AttributeId(attribute)) {
            true => self.grouped(qid, Some(attribute)),
            false => now.clone(),
        };
        self.qids.iter().zip(&self.groups).map(grouped).collect()
    }

    /// Such groups after what is asked.
    fn refined(&self, groups: &[Numbering], asked: &Asked<'_>) -> Vec<Numbering> {
        let Column { labels, parts, most_parts, .. } = &self.columns[asked.attribute];
        let label = asked.candidate.label as usize;
        let refined = |(qid, groups): (&TableQid, &Numbering)| {
            let mut groups = groups.clone();
            if qid.attributes.contains(&AttributeId(asked.attribute)) {
                with_codes!(labels, labels => with_codes!(parts, parts => {
                    let rows = labels.iter().zip(parts);
                    let part = rows.map(|(other, part)| if other.index() == label { part.index() as u32 } else { 0 });
                    groups.refine(part, *most_parts);
                }));
            }
            groups
        };
        self.qids.iter().zip(groups).map(refined).collect()
    }

    /// Groups and counts the records after what is asked.
    pub(super) fn count(&self, asked: &Asked<'_>) -> Counted {
        if let Some(split) = self.split(asked) {
            let sizes = |qid: usize| self.sizes_of(&split, qid).map(|&size| (size, size)).collect();
            return Counted {
                sizes: (0..self.qids.len()).map(sizes).collect(),
                groups: Vec::new(),
                split: Some(split),
            };
        }
        let mut groups = self.refined(&self.groups, asked);
        for (groups, qid) in groups.iter_mut().zip(&self.qids) {
            if let Some(histories) = &qid.histories {
                groups.refine(histories.of_row.iter(), histories.len());
            }
        }
        let sizes = groups.iter().zip(&self.qids).map(|(groups, qid)| self.sizes(groups, qid.k, &self.weights));
        Counted { sizes: sizes.collect(), groups, split: None }
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
            let small = small(self.qids[qid].k, sizes);
            if !small.is_empty() {
                broken.push(Broken { qid, condition: None, groups: small.len() as u64, records: small.iter().sum() });
            }
            if let Some(groups) = counted.groups.get(qid) {
                broken.extend(self.broken_conditions(qid, groups, sizes, &whole));
            }
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
