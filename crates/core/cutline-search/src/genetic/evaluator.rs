//! How good is a candidate?

use std::cmp::Ordering;
use std::sync::{Mutex, PoisonError};

use cutline_table::{Attribute, Code, Labels, with_codes};

use super::dispersion::{Numbers, Sums};
use super::genes::{Genes, Labellings};
use super::majority::{Classes, Counts};
use super::objective::{Metric, Objective};
use super::tally::{Counters, Tally};
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
    /// Where only classes within the groups of one QID count.
    tally: Option<Tally>,
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
    counters: Counters,
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
        let terms: Vec<(f64, Measure)> = terms.collect();
        let suppressor = Suppressor::new(problem);
        let tally = match (&terms[..], suppressor.plain()) {
            ([(_, Measure::Classes(classes))], Some(qid)) => Tally::new(table, qid, genes, classes),
            _ => None,
        };
        Evaluator {
            genes,
            attributes: &table.attributes,
            weights: &table.weights,
            records: table.records,
            suppressor,
            counts: table.attributes.iter().map(count).collect(),
            terms,
            limit: problem.limit(),
            tally,
            scratch: Mutex::new(Vec::new()),
        }
    }

    /// The fitness of valid bits; nothing if it is certain to be no better than `bound`.
    pub(crate) fn evaluate(&self, bits: &[bool], bound: Option<&Fitness>) -> Option<Fitness> {
        self.with_scratch(|scratch| {
            self.genes.decode(bits, &mut scratch.labellings);
            if let Some(fitness) = self.few(scratch) {
                return Some(fitness);
            }
            let Scratch { labellings, groups, .. } = &mut *scratch;
            let hopeless = |suppressed: u64| bound.is_some_and(|bound| self.is_hopeless(labellings, suppressed, bound));
            if hopeless(0) {
                return None;
            }
            let suppressed = match &self.terms[..] {
                // Who is suppressed adds little to what is known to be lost: to look out for that costs more than it saves.
                [(_, Measure::General)] => self.suppressor.run(&labellings.labels, groups),
                _ => self.suppressor.run_unless(&labellings.labels, groups, &hopeless)?,
            };
            let excess = suppressed.saturating_sub(self.limit);
            Some(Fitness { excess, loss: self.loss(scratch, suppressed) })
        })
    }

    /// The same, with all rows grouped by all attributes at once.
    #[cfg(test)]
    pub(crate) fn evaluate_at_once(&self, bits: &[bool]) -> Fitness {
        self.with_scratch(|scratch| {
            self.genes.decode(bits, &mut scratch.labellings);
            let suppressed = self.suppressor.run(&scratch.labellings.labels, &mut scratch.groups);
            Fitness { excess: suppressed.saturating_sub(self.limit), loss: self.loss(scratch, suppressed) }
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

    /// Where only classes within few groups count, they are counted at once, and no row need know its group.
    fn few(&self, scratch: &mut Scratch) -> Option<Fitness> {
        let ([(share, Measure::Classes(classes))], Some(tally)) = (&self.terms[..], &self.tally) else { return None };
        let (suppressed, penalties) = tally.count(&scratch.labellings.labels, classes, &mut scratch.counters)?;
        let excess = suppressed.saturating_sub(self.limit);
        Some(Fitness { excess, loss: 0.0 + share * (penalties / self.records as f64) })
    }

    /// Is a candidate no better than another one, when at least so many of its records are suppressed?
    fn is_hopeless(&self, labellings: &Labellings, suppressed: u64, bound: &Fitness) -> bool {
        match suppressed.saturating_sub(self.limit).cmp(&bound.excess) {
            Ordering::Less => false,
            Ordering::Equal => self.least(labellings, suppressed) >= bound.loss,
            Ordering::Greater => true,
        }
    }

    /// What is lost at least, when so many records or more are suppressed: known without looking at records.
    fn least(&self, labellings: &Labellings, suppressed: u64) -> f64 {
        let each = |a: usize| self.average(&labellings.labels[a], &labellings.loss[a], &self.counts[a]);
        match &self.terms[..] {
            // Suppressed entries lose no less than others.
            [(_, Measure::General)] => (0..self.counts.len()).map(each).sum(),
            [(share, Measure::Classes(classes))] if classes.counts_suppressed() => {
                share * (suppressed as f64 / self.records as f64)
            }
            _ => 0.0,
        }
    }

    fn loss(&self, scratch: &mut Scratch, suppressed: u64) -> f64 {
        let mut loss = 0.0;
        for (share, measure) in &self.terms {
            let Scratch { labellings, groups, counts, sums, kept, .. } = &mut *scratch;
            let (rows, len) = (self.weights.len(), groups.len);
            let metric = match measure {
                Measure::General => self.general(labellings, groups.all(rows).1, suppressed, kept),
                Measure::Classes(classes) => {
                    let penalties = match groups.kept() {
                        Some((rows, ids)) => classes.metric_of(rows, ids, len, counts),
                        None => classes.metric(groups.all(rows).0, len, counts),
                    };
                    penalties / self.records as f64
                }
                Measure::Numbers(numbers) => numbers.metric(groups.all(rows).0, len, self.weights, sums),
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
                let records = codes.iter().zip(problem.table().weights.iter().copied());
                Measure::Classes(Classes::new(names.len(), records, costs.clone()))
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
