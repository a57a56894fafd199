//! Which groups are there under a recoding, and which if a label was refined?

use cutline_model::{AttributeRecoding, Requirement};
use cutline_table::{
    Attribute, AttributeId, Code, Codes, Members, Numbering, Persons, Sensitive, TableQid, sums_alone, with_codes,
};
use rayon::prelude::*;

use super::left::{Candidate, Outlook};
use super::plain::Plain;
use super::rows::Rows;
use super::split::Split;
use crate::Problem;

/// The table as far as the labels, the best refinement of each and the sensitive values tell its rows apart: a row for every
/// combination. What is asked here never needs more, and there are far fewer of them.
pub(super) struct Frontier<'a> {
    pub(super) problem: &'a Problem<'a>,
    pub(super) requirement: &'a Requirement,
    pub(super) recoding: &'a [AttributeRecoding],
    pub(super) weights: Vec<u64>,
    /// Who is behind the records of each row, if groups count persons.
    pub(super) persons: Option<Persons>,
    pub(super) sensitive: Vec<Sensitive>,
    pub(super) columns: Vec<Column>,
    /// The QIDs, with the histories of these rows.
    pub(super) qids: Vec<TableQid>,
    /// The groups of each QID under the recoding.
    pub(super) groups: Vec<Numbering>,
    /// How many records they have, if nothing else counts.
    pub(super) plain: Option<Plain>,
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
    fn new(attribute: &Attribute, outlook: &Outlook, rows: &Rows, weights: &[u64]) -> Self {
        let most_parts = outlook.parts();
        let labels = rows.recoded(&attribute.codes, &outlook.label_of, outlook.labels);
        let records = with_codes!(&labels, labels => {
            sums_alone(0..labels.len(), outlook.labels, |row| labels[row].index(), |row| weights[row])
        });
        let parts = rows.recoded(&attribute.codes, &outlook.part_of, most_parts);
        Column { labels, parts, distinct: outlook.labels, most_parts, tells: outlook.tells, records }
    }

    /// Has one record in eight the label, or more?
    pub(super) fn is_frequent(&self, label: u32) -> bool {
        8 * self.records[label as usize] >= self.records.iter().sum()
    }

    /// Have all records the label?
    pub(super) fn is_everywhere(&self, label: u32) -> bool {
        (0..).zip(&self.records).all(|(other, &records)| other == label || records == 0)
    }
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
    pub(super) groups: Vec<Numbering>,
    /// The same, if nothing counts but how many records there are.
    pub(super) split: Option<Split>,
    /// The groups of each QID. The members of groups that are large enough may be told too few, but never fewer than are enough.
    pub(super) sizes: Vec<Vec<Size>>,
}

/// Groups with so many members: one of them, or all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Size {
    /// Of each.
    pub(super) members: u64,
    /// Of all of them.
    pub(super) records: u64,
    /// How many groups these are.
    pub(super) groups: u64,
}

/// The groups that have too few members: how many, and their records.
pub(super) struct TooSmall {
    pub(super) groups: u64,
    pub(super) records: u64,
}

impl TooSmall {
    pub(super) fn of(k: u64, sizes: &[Size]) -> Self {
        let small = || sizes.iter().filter(|size| size.members < k);
        let (groups, records) = (small().map(|size| size.groups).sum(), small().map(|size| size.records).sum());
        TooSmall { groups, records }
    }
}

impl Counted {
    /// The groups of a QID, ascending by members.
    pub(super) fn ascending(&self, qid: usize) -> Vec<Size> {
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
        let rows = Rows::told_apart(table, outlooks);
        let (weights, persons) = rows.weights(table);
        let column = |(attribute, outlook): (&Attribute, &Outlook)| Column::new(attribute, outlook, &rows, &weights);
        let columns: Vec<Column> = table.attributes.par_iter().zip(outlooks).map(column).collect();
        let sensitive = table.sensitive.iter().map(|sensitive| Sensitive {
            codes: rows.of(&sensitive.codes, sensitive.values.len()),
            ..sensitive.clone()
        });
        let mut frontier = Frontier {
            problem,
            requirement,
            recoding,
            persons,
            sensitive: sensitive.collect(),
            columns,
            weights,
            qids: problem.qids().iter().map(|qid| rows.qid(qid)).collect(),
            groups: Vec::new(),
            plain: None,
        };
        frontier.groups = problem.qids().par_iter().map(|qid| frontier.grouped(qid, None)).collect();
        let is_plain = |qid: &TableQid| qid.conditions.is_empty() && qid.histories.is_none();
        if frontier.persons.is_none() && frontier.qids.iter().all(is_plain) {
            frontier.plain = Some(Plain::new(&frontier.groups, &frontier.weights, &frontier.columns));
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
    pub(super) fn members(&self) -> Members<'_> {
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

    pub(super) fn lacking_rows<'b>(&'b self, asked: &'b Asked<'_>) -> impl Iterator<Item = usize> + 'b {
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
        let columns: Vec<(&Codes, usize)> =
            self.columns_of(qid, without).map(|column| (&column.labels, column.distinct)).collect();
        let mut groups = Numbering::new(self.weights.len());
        groups.refine_columns(&columns, self.weights.len());
        groups
    }

    /// The groups of each QID under the recoding, if an attribute is not published at all.
    pub(super) fn without(&self, attribute: usize) -> Vec<Numbering> {
        let grouped = |(qid, now): (&TableQid, &Numbering)| match qid.attributes.contains(&AttributeId(attribute)) {
            true => self.grouped(qid, Some(attribute)),
            false => now.clone(),
        };
        self.qids.iter().zip(&self.groups).map(grouped).collect()
    }

    /// Such groups after what is asked.
    pub(super) fn refined(&self, groups: &[Numbering], asked: &Asked<'_>) -> Vec<Numbering> {
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
            let sizes = (0..self.qids.len()).map(|qid| self.sizes_of(&split, qid));
            return Counted { sizes: sizes.collect(), groups: Vec::new(), split: Some(split) };
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
    pub(super) fn sizes(&self, groups: &Numbering, k: u64, weights: &[u64]) -> Vec<Size> {
        let members = Members { weights, ..self.members() };
        let members = members.sizes_below(k, &groups.of_row, groups.len, &|_| true);
        let size = |(members, records)| Size { members, records, groups: 1 };
        members.into_iter().zip(groups.sizes(weights)).map(size).collect()
    }
}
