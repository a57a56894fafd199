//! Every way to refine a label, written down as the recoding that it leads to, and what it gains by looking at all records.

use std::collections::BTreeSet;

use cutline_model::recoding::{Label, Missing};
use cutline_model::{AttributeRecoding, Bound, NodeId, Taxonomy, parse_number};

use super::naive::worth::Worth;
use super::{Cell, Sample};

/// One way to refine a label.
#[derive(Debug)]
pub(crate) struct Way {
    pub(crate) recoding: AttributeRecoding,
    pub(crate) gain: f64,
    /// Is it what an interval or a set of suppressed values would be asked for? Without a target intervals are split at the median.
    pub(crate) eligible: bool,
}

/// An attribute of a table under a recoding.
pub(crate) struct Under<'a> {
    pub(crate) sample: &'a Sample,
    pub(crate) attribute: usize,
    pub(crate) recoding: &'a [AttributeRecoding],
}

impl Under<'_> {
    fn labels(&self, own: &AttributeRecoding) -> Vec<Label> {
        let mut recoding = self.recoding.to_vec();
        recoding[self.attribute] = own.clone();
        self.sample.masked(&recoding).into_iter().map(|mut labels| labels.swap_remove(self.attribute)).collect()
    }

    /// The labels that some record has.
    pub(crate) fn present(&self) -> Vec<(Option<String>, Vec<usize>)> {
        let labels = self.labels(&self.recoding[self.attribute]);
        let mut present: Vec<(Option<String>, Vec<usize>)> = Vec::new();
        for (record, label) in labels.into_iter().enumerate() {
            let label = label.into_text();
            match present.iter_mut().find(|(other, _)| *other == label) {
                Some((_, records)) => records.push(record),
                None => present.push((label, vec![record])),
            }
        }
        present
    }

    /// Do the records differ in what the purpose looks at?
    pub(crate) fn beneficial(&self, records: &[usize]) -> bool {
        let targets: Vec<&Cell> = records.iter().map(|&record| &self.sample.records[record].target).collect();
        Worth::of(self.sample.label).beneficial(&targets)
    }

    fn cell(&self, record: usize) -> &Cell {
        &self.sample.records[record].quasi[self.attribute]
    }

    /// All ways to refine a label of these records.
    pub(crate) fn ways(&self, label: Option<&str>, records: &[usize]) -> Vec<Way> {
        let Some(label) = label else { return Vec::new() };
        match &self.recoding[self.attribute] {
            AttributeRecoding::Generalize { cut, missing, taxonomy } => {
                self.children(cut, *missing, taxonomy, label, records).into_iter().collect()
            }
            AttributeRecoding::Discretize { bounds, missing: Some(Missing::Masked), .. } => {
                let known = records.iter().any(|&record| self.cell(record).is_some());
                let recoding = AttributeRecoding::numbers(bounds.clone(), Some(Missing::Published));
                known.then(|| self.way(recoding, records, true)).into_iter().collect()
            }
            AttributeRecoding::Discretize { bounds, missing, .. } => self.splits(bounds, *missing, records),
            AttributeRecoding::Suppress { disclosed, missing } => self.disclosures(disclosed, *missing, records),
        }
    }

    fn way(&self, recoding: AttributeRecoding, records: &[usize], eligible: bool) -> Way {
        let labels = self.labels(&recoding);
        let mut parts: Vec<(&Label, Vec<&Cell>)> = Vec::new();
        for &record in records {
            let target = &self.sample.records[record].target;
            match parts.iter_mut().find(|(label, _)| *label == &labels[record]) {
                Some((_, part)) => part.push(target),
                None => parts.push((&labels[record], vec![target])),
            }
        }
        let whole: Vec<&Cell> = records.iter().map(|&record| &self.sample.records[record].target).collect();
        let parts: Vec<Vec<&Cell>> = parts.into_iter().map(|(_, part)| part).collect();
        Way { gain: Worth::of(self.sample.label).gain(&whole, &parts), recoding, eligible }
    }

    /// The children of the lowest node that has all these records below it.
    fn children(
        &self,
        cut: &[String],
        missing: Option<Missing>,
        taxonomy: &Taxonomy,
        label: &str,
        records: &[usize],
    ) -> Option<Way> {
        let leaf = |record: usize| self.cell(record).as_deref().and_then(|value| taxonomy.node(value));
        let mut node = taxonomy.node(label).unwrap();
        let mut cut = cut.to_vec();
        let mut missing = missing;
        loop {
            let children = taxonomy.children(node);
            if children.is_empty() {
                return None;
            }
            let below = |child: NodeId| {
                let leaves: Vec<NodeId> = taxonomy
                    .leaves()
                    .skip(taxonomy.leaf_range(child).start)
                    .take(taxonomy.leaf_range(child).len())
                    .collect();
                records.iter().any(|&record| leaf(record).is_some_and(|leaf| leaves.contains(&leaf)))
            };
            let lacking = records.iter().any(|&record| self.cell(record).is_none());
            let present: Vec<NodeId> = children.iter().copied().filter(|&child| below(child)).collect();
            let at = cut.iter().position(|other| other == taxonomy.label(node)).unwrap();
            cut.splice(at..=at, children.iter().map(|&child| taxonomy.label(child).to_owned()));
            if node == taxonomy.root() {
                missing = missing.map(|_| Missing::Published);
            }
            match (&present[..], lacking) {
                ([only], false) => node = *only,
                ([], true) => return None,
                _ => {
                    let recoding = AttributeRecoding::Generalize { cut, missing, taxonomy: taxonomy.clone() };
                    return Some(self.way(recoding, records, true));
                }
            }
        }
    }

    fn splits(&self, bounds: &[Bound], missing: Option<Missing>, records: &[usize]) -> Vec<Way> {
        let mut numbers: Vec<f64> =
            records.iter().map(|&record| parse_number(self.cell(record).as_deref().unwrap()).unwrap()).collect();
        numbers.sort_by(f64::total_cmp);
        let median = numbers[(numbers.len() - 1) / 2];
        let mut distinct = numbers.clone();
        distinct.dedup();
        // The split value goes right, and something stays left.
        let median = if median == distinct[0] { distinct.get(1).copied() } else { Some(median) };
        let split = |&number: &f64| {
            let mut bounds = bounds.to_vec();
            let last = bounds.len() - 1;
            let at = (1..last).find(|&at| bounds[at].0.is_some_and(|bound| bound > number)).unwrap_or(last);
            bounds.insert(at, Bound(Some(number)));
            let eligible = !matches!(Worth::of(self.sample.label), Worth::Records) || median == Some(number);
            self.way(AttributeRecoding::numbers(bounds, missing), records, eligible)
        };
        distinct.iter().skip(1).map(split).collect()
    }

    fn disclosures(&self, disclosed: &[String], missing: Option<Missing>, records: &[usize]) -> Vec<Way> {
        let hidden: BTreeSet<&Cell> = records.iter().map(|&record| self.cell(record)).collect();
        // Disclosed values are no longer suppressed: those that are have the label `*`.
        let hidden = hidden.into_iter().filter(|cell| match cell {
            Some(value) => !disclosed.contains(value),
            None => missing == Some(Missing::Masked),
        });
        let disclose = |cell: &Cell| {
            let mut told = disclosed.to_vec();
            told.extend(cell.clone());
            let missing = if cell.is_none() { Some(Missing::Published) } else { missing };
            let mut way = self.way(AttributeRecoding::Suppress { disclosed: told, missing }, records, true);
            if matches!(Worth::of(self.sample.label), Worth::Records) {
                way.gain = records.iter().filter(|&&record| self.cell(record) == cell).count() as f64;
            }
            way
        };
        hidden.map(disclose).collect()
    }

    /// The texts of labels that a way has beyond the recoding's own.
    pub(crate) fn tells(&self, way: &Way, records: &[usize]) -> BTreeSet<String> {
        let labels = self.labels(&way.recoding);
        records.iter().map(|&record| labels[record].clone().into_text().unwrap_or("missing".to_owned())).collect()
    }
}
