//! How good is a candidate?

use std::cmp::Ordering;
use std::sync::{Mutex, PoisonError};

use cutline_table::{Attribute, Code, Labels, with_codes};

use super::dispersion::{Numbers, Sums};
use super::genes::{Genes, Labellings};
use super::majority::{Classes, Counts};
use super::objective::{Metric, Objective};
use crate::Problem;
use crate::grouping::Labelling;
use crate::suppress::{Groups, Standing, Suppressor};

/// What a candidate is ranked by: first whether it keeps to the limit of suppressed records, then its loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fitness {
    /// Suppressed records beyond the limit.
    pub(crate) excess: u64,
    /// The objective.
    pub(crate) loss: f64,
}

impl Fitness {
    pub(crate) fn compare(&self, other: &Fitness) -> Ordering {
        self.excess.cmp(&other.excess).then(self.loss.total_cmp(&other.loss))
    }
}

/// Evaluates candidates of one problem, on any number of threads at once.
pub(crate) struct Evaluator<'a> {
    genes: &'a Genes<'a>,
    attributes: &'a [Attribute],
    weights: &'a [u64],
    records: u64,
    suppressor: Suppressor<'a>,
    /// Records by attribute and code.
    counts: Vec<Vec<u64>>,
    /// Metrics and their shares.
    terms: Vec<(f64, Measure)>,
    /// The most records that may be suppressed.
    limit: u64,
    scratch: Mutex<Vec<Scratch>>,
}

enum Measure {
    General,
    Classes(Classes),
    Numbers(Numbers),
}

/// Buffers that are used again for every candidate: allocating them would cost as much as filling them.
#[derive(Default)]
struct Scratch {
    labellings: Labellings,
    groups: Groups,
    counts: Counts,
    sums: Sums,
    kept: Vec<u64>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(problem: &'a Problem<'a>, genes: &'a Genes<'a>, objective: &Objective) -> Self {
        let table = problem.table();
        let count = |attribute: &Attribute| {
            let mut counts = vec![0; attribute.domain.len()];
            attribute.codes.iter().zip(&table.weights).for_each(|(code, weight)| counts[code as usize] += weight);
            counts
        };
        let total: f64 = objective.terms.iter().map(|term| term.weight).sum();
        let terms = objective.terms.iter().map(|term| (term.weight / total, measure(problem, &term.metric)));
        Evaluator {
            genes,
            attributes: &table.attributes,
            weights: &table.weights,
            records: table.records,
            suppressor: Suppressor::new(problem),
            counts: table.attributes.iter().map(count).collect(),
            terms: terms.collect(),
            limit: problem.limit(),
            scratch: Mutex::new(Vec::new()),
        }
    }

    /// The fitness of valid bits; nothing if it is certain to be no better than `bound`.
    pub(crate) fn evaluate(&self, bits: &[bool], bound: Option<&Fitness>) -> Option<Fitness> {
        self.with_scratch(|scratch| {
            self.genes.decode(bits, &mut scratch.labellings);
            let hopeless = |bound: &&Fitness| bound.excess == 0 && self.least(&scratch.labellings) >= bound.loss;
            if bound.filter(hopeless).is_some() {
                return None;
            }
            let suppressed = self.suppressor.run(&scratch.labellings.labels, &mut scratch.groups);
            let excess = suppressed.saturating_sub(self.limit);
            Some(Fitness { excess, loss: self.loss(scratch, suppressed) })
        })
    }

    /// How many records valid bits suppress, and how small groups are.
    pub(crate) fn standing(&self, bits: &[bool]) -> Standing {
        self.with_scratch(|scratch| {
            self.genes.decode(bits, &mut scratch.labellings);
            self.suppressor.standing(&scratch.labellings.labels, &mut scratch.groups)
        })
    }

    fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let taken = self.scratch.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scratch = taken.unwrap_or_default();
        let result = work(&mut scratch);
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        result
    }

    /// What would be lost if no record had to be suppressed: known without looking at records.
    fn least(&self, labellings: &Labellings) -> f64 {
        let each = |a: usize| self.average(&labellings.labels[a], &labellings.loss[a], &self.counts[a]);
        match &self.terms[..] {
            [(_, Measure::General)] => (0..self.counts.len()).map(each).sum(),
            _ => 0.0,
        }
    }

    fn loss(&self, scratch: &mut Scratch, suppressed: u64) -> f64 {
        let mut loss = 0.0;
        for (share, measure) in &self.terms {
            let Scratch { labellings, groups, counts, sums, kept } = &mut *scratch;
            let metric = match measure {
                Measure::General => self.general(labellings, &groups.rows, suppressed, kept),
                Measure::Classes(classes) => {
                    classes.metric(groups.ids(), groups.len, self.weights, counts) / self.records as f64
                }
                Measure::Numbers(numbers) => numbers.metric(groups.ids(), groups.len, self.weights, sums),
            };
            loss += share * metric;
        }
        loss
    }

    /// LM: the loss of kept entries, and all of it for suppressed ones.
    fn general(&self, labellings: &Labellings, rows: &[u32], suppressed: u64, kept: &mut Vec<u64>) -> f64 {
        let mut loss = 0.0;
        for (a, labelling) in labellings.labels.iter().enumerate() {
            kept.clone_from(&self.counts[a]);
            with_codes!(&self.attributes[a].codes, codes => {
                rows.iter().for_each(|&row| kept[codes[row as usize].index()] -= self.weights[row as usize]);
            });
            loss += self.average(labelling, &labellings.loss[a], kept);
            if self.genes.loses(a) {
                loss += suppressed as f64 / self.records as f64;
            }
        }
        loss
    }

    /// The loss of entries, `counts` of each code, as an average over all records.
    fn average(&self, labelling: &Labelling, loss: &[f64], counts: &[u64]) -> f64 {
        let entries = |(&label, &count): (&u32, &u64)| count as f64 * loss[label as usize];
        labelling.label_of.iter().zip(counts).map(entries).sum::<f64>() / self.records as f64
    }
}

fn measure(problem: &Problem<'_>, metric: &Metric) -> Measure {
    match metric {
        Metric::General => Measure::General,
        Metric::Classification { target, costs } => match Objective::labels(problem, *target) {
            Labels::Classes { names, codes } => {
                Measure::Classes(Classes::new(names.len(), codes.iter(), costs.clone()))
            }
            _ => Measure::General,
        },
        Metric::Regression { target, dispersion } => match Objective::labels(problem, *target) {
            Labels::Numbers { values, codes } => {
                let number = |code: u32| values[code as usize];
                Measure::Numbers(Numbers::new(codes.iter().map(number), &problem.table().weights, *dispersion))
            }
            _ => Measure::General,
        },
    }
}
