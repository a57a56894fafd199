//! Which records must be suppressed, and does what is left satisfy the requirement? Record by record.

use std::collections::BTreeMap;

use cutline_model::recoding::{Label, SuppressHow};

use super::Cell;
use super::rules::Rule;

/// A requirement, and what may become of records that stand in its way.
pub(crate) struct Guard<'a> {
    pub(crate) qids: Vec<GuardQid<'a>>,
    pub(crate) how: SuppressHow,
    pub(crate) records: usize,
}

/// A QID by positions.
pub(crate) struct GuardQid<'a> {
    pub(crate) attributes: Vec<usize>,
    pub(crate) k: u64,
    /// Conditions, each with its sensitive attribute's cells.
    pub(crate) rules: Vec<(&'a [Cell], &'a Rule)>,
}

/// What becomes of the records.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Published {
    /// Is the record suppressed?
    pub(crate) gone: Vec<bool>,
    pub(crate) how: SuppressHow,
}

impl Published {
    /// Suppressed records.
    pub(crate) fn suppressed(&self) -> u64 {
        self.gone.iter().filter(|gone| **gone).count() as u64
    }

    /// The records in the published table.
    fn records(&self) -> Vec<usize> {
        (0..self.gone.len()).filter(|&record| self.how == SuppressHow::Mask || !self.gone[record]).collect()
    }

    fn together(&self) -> Vec<usize> {
        (0..self.gone.len()).filter(|&record| self.gone[record]).collect()
    }
}

impl Guard<'_> {
    /// Suppresses the records of violating groups, QID after QID, until nothing changes. For each attribute and record, `labels`
    /// says what is published.
    pub(crate) fn publish<L: Ord>(&self, labels: &[Vec<L>]) -> Published {
        let mut published = Published { gone: vec![false; self.records], how: self.how };
        loop {
            let before = published.clone();
            let whole = published.records();
            for qid in &self.qids {
                let kept: Vec<usize> = (0..self.records).filter(|&record| !published.gone[record]).collect();
                let violating = groups(labels, &qid.attributes, &kept).into_iter().filter(|g| !qid.holds(g, &whole));
                violating.flatten().for_each(|record| published.gone[record] = true);
            }
            let together = published.together();
            let all_hold = || self.qids.iter().all(|qid| qid.holds(&together, &whole));
            if published == before && published.how == SuppressHow::Mask && !together.is_empty() && !all_hold() {
                published.how = SuppressHow::Drop;
            }
            if published == before {
                return published;
            }
        }
    }

    /// Does every group satisfy the requirement with all its records?
    pub(crate) fn all_hold<L: Ord>(&self, labels: &[Vec<L>]) -> bool {
        let all: Vec<usize> = (0..self.records).collect();
        let holds = |qid: &GuardQid<'_>| groups(labels, &qid.attributes, &all).iter().all(|g| qid.holds(g, &all));
        self.qids.iter().all(holds)
    }

    /// A(QID) of each QID: the smallest group, the one of suppressed records included if it is published.
    pub(crate) fn anonymity<L: Ord>(&self, labels: &[Vec<L>], published: &Published) -> Vec<u64> {
        let kept: Vec<usize> = (0..self.records).filter(|&record| !published.gone[record]).collect();
        let together = published.together().len();
        let masked = (published.how == SuppressHow::Mask && together > 0).then_some(together);
        let smallest = |qid: &GuardQid<'_>| {
            let sizes = groups(labels, &qid.attributes, &kept).into_iter().map(|group| group.len());
            sizes.chain(masked).min().unwrap_or(0) as u64
        };
        self.qids.iter().map(smallest).collect()
    }

    /// Why the table that is written violates the requirement, if it does: its rows are grouped by nothing but their texts.
    /// Otherwise its smallest groups, in which suppressed records may have joined others with `*` in all attributes.
    pub(crate) fn recount(&self, labels: &[Vec<String>], published: &Published) -> Result<Vec<u64>, String> {
        let star = written(&Label::Text("*".to_owned()));
        let text = |(label, gone): (&String, &bool)| if *gone { star.clone() } else { label.clone() };
        let write = |column: &Vec<String>| column.iter().zip(&published.gone).map(text).collect();
        let columns: Vec<Vec<String>> = labels.iter().map(write).collect();
        let whole = published.records();
        let mut smallest = Vec::new();
        for qid in &self.qids {
            let groups = groups(&columns, &qid.attributes, &whole);
            if let Some(group) = groups.iter().find(|group| !qid.holds(group, &whole)) {
                return Err(format!("{:?} k = {} {:?} is violated by {group:?}", qid.attributes, qid.k, qid.said()));
            }
            smallest.push(groups.iter().map(Vec::len).min().unwrap_or(0) as u64);
        }
        Ok(smallest)
    }
}

impl GuardQid<'_> {
    /// Does a group of records satisfy the threshold and all conditions?
    pub(crate) fn holds(&self, group: &[usize], whole: &[usize]) -> bool {
        let holds = |(cells, rule): &(&[Cell], &Rule)| {
            let of = |records: &[usize]| -> Vec<&Cell> { records.iter().map(|&record| &cells[record]).collect() };
            rule.holds(&of(group), &of(whole))
        };
        group.len() as u64 >= self.k && self.rules.iter().all(holds)
    }

    fn said(&self) -> Vec<&Rule> {
        self.rules.iter().map(|(_, rule)| *rule).collect()
    }
}

/// A cell of the published table. One that is missing is no text.
pub(crate) fn written(label: &Label) -> String {
    match label {
        Label::Text(text) => format!("`{text}`"),
        Label::Missing => String::new(),
    }
}

/// The records by their labels on some attributes.
fn groups<L: Ord>(labels: &[Vec<L>], attributes: &[usize], records: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<Vec<&L>, Vec<usize>> = BTreeMap::new();
    for &record in records {
        groups.entry(attributes.iter().map(|&a| &labels[a][record]).collect()).or_default().push(record);
    }
    groups.into_values().collect()
}
