//! The metrics record by record, from the texts of the published labels.

use cutline_model::recoding::{Label, Labeler, Unknown};
use cutline_model::{AttributeRecoding, NodeId, Taxonomy, parse_number};
use cutline_table::TableQid;

use super::sample::{Cell, Sample};

/// The published table, as someone who gets it sees it, beside the raw one.
pub(super) struct Naive<'a> {
    recoding: &'a [AttributeRecoding],
    /// The raw cells of each record: attributes, then targets.
    pub(super) records: Vec<Vec<Cell>>,
    /// The labels of each record.
    labels: Vec<Vec<Label>>,
    pub(super) suppressed: Vec<bool>,
}

impl<'a> Naive<'a> {
    pub(super) fn new(sample: &'a Sample, recoding: &'a [AttributeRecoding], qids: &[TableQid]) -> Self {
        let labelers: Vec<Labeler> = recoding.iter().map(|recoding| Labeler::new(recoding, Unknown::Error)).collect();
        let label = |(cell, labeler): (&Cell, &Labeler)| {
            let label = cell.as_ref().map_or(labeler.missing(), |value| labeler.label(value).unwrap());
            labeler.labels()[label as usize].clone()
        };
        let labels = sample.records.iter().map(|record| record.iter().zip(&labelers).map(label).collect()).collect();
        let records = sample.records.iter().map(|record| values(record, recoding)).collect();
        let mut naive = Naive { recoding, records, labels, suppressed: vec![false; sample.records.len()] };
        while let Some(record) = (0..naive.suppressed.len()).find(|&record| naive.is_too_exposed(record, qids)) {
            naive.suppressed[record] = true;
        }
        naive
    }

    fn is_too_exposed(&self, record: usize, qids: &[TableQid]) -> bool {
        !self.suppressed[record] && qids.iter().any(|qid| (self.group(record, qid).len() as u64) < qid.k)
    }

    /// The records that look like this one; suppressed ones look like each other.
    pub(super) fn group(&self, record: usize, qid: &TableQid) -> Vec<usize> {
        let shown = |record: usize| qid.attributes.iter().map(move |attribute| &self.labels[record][attribute.0]);
        let alike = |&other: &usize| {
            self.suppressed[record] == self.suppressed[other]
                && (self.suppressed[record] || shown(record).eq(shown(other)))
        };
        (0..self.labels.len()).filter(alike).collect()
    }

    fn cells(&self, column: usize) -> impl Iterator<Item = &Cell> {
        self.records.iter().map(move |record| &record[column])
    }

    pub(super) fn average(&self, loss: impl Fn(usize) -> f64) -> f64 {
        (0..self.labels.len()).map(loss).sum::<f64>() / self.labels.len().max(1) as f64
    }

    pub(super) fn general(&self, a: usize, record: usize) -> f64 {
        match &self.recoding[a] {
            AttributeRecoding::Generalize { taxonomy, .. } => self.by_taxonomy(a, record, taxonomy),
            AttributeRecoding::Suppress { .. } => self.by_values(a, record),
            AttributeRecoding::Discretize { .. } => self.by_numbers(a, record),
        }
    }

    fn by_taxonomy(&self, a: usize, record: usize, taxonomy: &Taxonomy) -> f64 {
        let root = Label::Text(taxonomy.label(NodeId::ROOT).to_owned());
        let missing = self.cells(a).any(Option::is_none);
        let missing_as_root = (0..self.labels.len()).any(|r| self.records[r][a].is_none() && self.labels[r][a] == root);
        let all = taxonomy.leaves().len() + usize::from(missing);
        let behind = match &self.labels[record][a] {
            _ if self.suppressed[record] => all,
            Label::Missing => 1,
            Label::Text(text) => {
                let node = taxonomy.node(text).unwrap();
                let below = taxonomy.leaves().filter(|&leaf| taxonomy.ancestors(leaf).any(|above| above == node));
                below.count() + usize::from(node == NodeId::ROOT && missing_as_root)
            }
        };
        if all == 1 { 0.0 } else { (behind as f64 - 1.0) / (all as f64 - 1.0) }
    }

    fn by_values(&self, a: usize, record: usize) -> f64 {
        let distinct = |records: Vec<usize>| {
            let mut cells: Vec<&Cell> = records.into_iter().map(|record| &self.records[record][a]).collect();
            cells.sort();
            cells.dedup();
            cells.len() as f64
        };
        let everyone = (0..self.labels.len()).collect();
        let alike = |&other: &usize| self.suppressed[record] || self.labels[other][a] == self.labels[record][a];
        let (behind, all) = (distinct((0..self.labels.len()).filter(alike).collect()), distinct(everyone));
        if all == 1.0 { 0.0 } else { (behind - 1.0) / (all - 1.0) }
    }

    fn by_numbers(&self, a: usize, record: usize) -> f64 {
        let length = |cells: Vec<&Cell>| {
            let numbers: Vec<f64> = cells.into_iter().flatten().map(|text| parse_number(text).unwrap()).collect();
            let (upper, lower) = (numbers.iter().copied().reduce(f64::max), numbers.iter().copied().reduce(f64::min));
            upper.unwrap_or(0.0) - lower.unwrap_or(0.0)
        };
        let all: Vec<&Cell> = self.cells(a).collect();
        let constant = all.iter().all(|cell| *cell == all[0]);
        let alike = (0..all.len()).filter(|&other| self.labels[other][a] == self.labels[record][a]);
        let alike: Vec<&Cell> = alike.map(|other| all[other]).collect();
        let with_missing = self.labels[record][a] != Label::Missing && alike.iter().any(|cell| cell.is_none());
        match (self.suppressed[record] || with_missing, length(all.clone())) {
            _ if constant => 0.0,
            (true, _) => 1.0,
            (false, 0.0) => 0.0,
            (false, whole) => length(alike) / whole,
        }
    }

    pub(super) fn bits(&self, a: usize, record: usize) -> f64 {
        let count = |alike: &dyn Fn(usize) -> bool| (0..self.labels.len()).filter(|&other| alike(other)).count() as f64;
        let value = count(&|other| self.records[other][a] == self.records[record][a]);
        let label = count(&|other| self.suppressed[record] || self.labels[other][a] == self.labels[record][a]);
        -(value / label).log2()
    }

    pub(super) fn bits_of_all(&self, a: usize, record: usize) -> f64 {
        let value = self.cells(a).filter(|&cell| *cell == self.records[record][a]).count();
        -(value as f64 / self.records.len() as f64).log2()
    }

    /// The majority class of a group.
    pub(super) fn majority(&self, column: usize, group: &[usize]) -> Cell {
        let count = |class: &Cell| group.iter().filter(|&&record| self.records[record][column] == *class).count();
        let mut classes: Vec<&Cell> = group.iter().map(|&record| &self.records[record][column]).collect();
        // By name, a missing class last, as the table numbers them.
        classes.sort_by_key(|class| (class.is_none(), (*class).clone()));
        let most = classes.iter().map(|class| count(class)).max().unwrap();
        classes.into_iter().find(|class| count(class) == most).unwrap().clone()
    }

    pub(super) fn penalty(&self, column: usize, record: usize, union: &TableQid) -> f64 {
        let majority = self.majority(column, &self.group(record, union));
        f64::from(u8::from(self.suppressed[record] || majority != self.records[record][column]))
    }

    fn numbers(&self, column: usize, records: &[usize]) -> Vec<f64> {
        let mut numbers: Vec<f64> = records
            .iter()
            .filter_map(|&record| self.records[record][column].as_ref())
            .map(|text| parse_number(text).unwrap())
            .collect();
        numbers.sort_by(f64::total_cmp);
        numbers
    }

    /// Both kinds of RM.
    pub(super) fn regression(&self, column: usize, union: &TableQid) -> [f64; 2] {
        let everyone: Vec<usize> = (0..self.labels.len()).collect();
        let mut within = [0.0, 0.0];
        for &record in &everyone {
            let group = self.group(record, union);
            if group[0] == record {
                let [squares, distances] = dispersions(&self.numbers(column, &group));
                within = [within[0] + squares, within[1] + distances];
            }
        }
        let whole = dispersions(&self.numbers(column, &everyone));
        [0, 1].map(|kind| if whole[kind] == 0.0 { 0.0 } else { within[kind] / whole[kind] })
    }
}

/// The values that cells stand for: `2` and `2.0` are one number.
fn values(record: &[Cell], recoding: &[AttributeRecoding]) -> Vec<Cell> {
    let value = |(column, cell): (usize, &Cell)| match recoding.get(column) {
        Some(AttributeRecoding::Discretize { .. }) => cell.as_ref().map(|text| parse_number(text).unwrap().to_string()),
        _ => cell.clone(),
    };
    record.iter().enumerate().map(value).collect()
}

fn dispersions(sorted: &[f64]) -> [f64; 2] {
    if sorted.is_empty() {
        return [0.0, 0.0];
    }
    let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
    let median = sorted[(sorted.len() - 1) / 2];
    let constant = sorted[0] == sorted[sorted.len() - 1];
    let squares = if constant { 0.0 } else { sorted.iter().map(|number| (number - mean).powi(2)).sum() };
    [squares, sorted.iter().map(|number| (number - median).abs()).sum()]
}
