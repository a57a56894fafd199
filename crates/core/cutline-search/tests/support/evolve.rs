//! Genetic searches, and what `cutline-measure` and a count of records say of their outcomes.

use std::collections::HashMap;

use cutline_measure::loss::weighted::{WeighedTarget, weighted};
use cutline_measure::loss::{Losses, Partition, regression};
use cutline_model::recoding::Label;
use cutline_model::recoding::SuppressHow;
use cutline_model::{AttributeRecoding, Requirement};
use cutline_search::genetic::{Dispersion, Genetic, Metric, Objective, Term};
use cutline_search::{Control, Improvement, Outcome, Problem, Search, Step};
use cutline_table::{AttributeId, Codes, CompressedTable, Cost, Costs, Labels, Masked};

use super::Sample;

/// What a requirement makes of a masked table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recount {
    pub(crate) suppressed: u64,
    pub(crate) anonymity: Vec<u64>,
}

impl Sample {
    /// Runs a genetic search that may suppress so many records.
    pub(crate) fn evolve(&self, requirement: &Requirement, limit: u64, genetic: &Genetic) -> Outcome {
        self.evolve_with(requirement, limit, genetic, &Control::unlimited())
    }

    /// Runs a genetic search that someone watches.
    pub(crate) fn evolve_with(
        &self,
        requirement: &Requirement,
        limit: u64,
        genetic: &Genetic,
        control: &Control<'_>,
    ) -> Outcome {
        let table = self.compress();
        let problem = Problem::new(&table, requirement).unwrap().suppressing(limit, SuppressHow::Mask);
        genetic.search(&problem, control)
    }

    /// Suppresses records in small groups, record by record, until no group is small. The suppressed ones are a group of their
    /// own unless they are too few to be published.
    pub(crate) fn suppress(&self, requirement: &Requirement, recoding: &[AttributeRecoding]) -> Recount {
        let masked = self.masked(recoding);
        let mut kept: Vec<bool> = vec![true; masked.len()];
        loop {
            let small: Vec<usize> = requirement
                .qids()
                .iter()
                .flat_map(|qid| {
                    let groups = self.groups(&masked, &kept, &qid.attributes).into_values();
                    groups.filter(|group| (group.len() as u64) < qid.k).flatten()
                })
                .collect();
            if small.is_empty() {
                break;
            }
            small.into_iter().for_each(|record| kept[record] = false);
        }
        let suppressed = kept.iter().filter(|kept| !**kept).count() as u64;
        let together = (suppressed > 0 && suppressed >= requirement.largest_k()).then_some(suppressed);
        let smallest = |attributes: &[String]| {
            let groups = self.groups(&masked, &kept, attributes);
            groups.values().map(|group| group.len() as u64).chain(together).min().unwrap_or(0)
        };
        let anonymity = requirement.qids().iter().map(|qid| smallest(&qid.attributes)).collect();
        Recount { suppressed, anonymity }
    }

    /// The kept records by their labels.
    fn groups(&self, masked: &[Vec<Label>], kept: &[bool], attributes: &[String]) -> HashMap<String, Vec<usize>> {
        let position = |name: &String| self.attributes.iter().position(|(other, _)| other == name).unwrap();
        let columns: Vec<usize> = attributes.iter().map(position).collect();
        let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
        for record in (0..masked.len()).filter(|&record| kept[record]) {
            let labels: Vec<&Label> = columns.iter().map(|&column| &masked[record][column]).collect();
            groups.entry(format!("{labels:?}")).or_default().push(record);
        }
        groups
    }
}

/// Gives a table two further labels, classes and numbers, by the rows' positions. Some are missing.
pub(crate) fn add_targets(table: &mut CompressedTable) {
    let rows = table.rows() as u32;
    let of_row = |times: u32, distinct: u32| Codes::from_codes((0..rows).map(|row| row * times / 3 % distinct), 8);
    let names = ["high", "low", "middle"].map(|name| Some(name.to_owned())).into_iter().chain([None]).collect();
    table.further.push(Labels::Classes { names, codes: of_row(5, 4) });
    let values = [-2.5, 0.0, 1.0, 4.0, 100.0].map(Some).into_iter().chain([None]).collect();
    table.further.push(Labels::Numbers { values, codes: of_row(7, 6) });
}

/// What some mistakes cost, if the label is a class.
pub(crate) fn costs(labels: &Labels) -> Option<Costs> {
    let Labels::Classes { names, .. } = labels else { return None };
    let known: Vec<&String> = names.iter().flatten().collect();
    let (first, last) = (known.first()?, known.last()?);
    let cost =
        |actual: &str, predicted: &str, cost: f64| Cost { actual: actual.into(), predicted: predicted.into(), cost };
    Some(Costs::new(names, &[cost(first, last, 5.0), cost(last, first, 0.25)]).unwrap())
}

/// The metrics of a label: CM without and with costs, or RM by both dispersions. 0 is the table's own label.
pub(crate) fn metrics(table: &CompressedTable, target: usize) -> Vec<Metric> {
    let labels = if target == 0 { &table.labels } else { &table.further[target - 1] };
    match labels {
        Labels::None => Vec::new(),
        Labels::Classes { .. } => {
            [None, costs(labels)].map(|costs| Metric::Classification { target, costs }).into_iter().collect()
        }
        Labels::Numbers { .. } => {
            let both = [Dispersion::Variance, Dispersion::Deviation];
            both.map(|dispersion| Metric::Regression { target, dispersion }).into_iter().collect()
        }
    }
}

/// What `cutline-measure` says of a recoding by an objective.
pub(crate) fn measured(problem: &Problem<'_>, recoding: &[AttributeRecoding], objective: &Objective) -> f64 {
    let table = problem.table();
    let masked = Masked::new(table, recoding).unwrap();
    let suppressed = masked.suppress(problem.qids());
    let all = (0..table.attributes.len()).map(AttributeId);
    let partition = Partition::new(table, &masked, &suppressed, all);
    let losses = |costs: Option<&Costs>| Losses::measure(table, recoding, &masked, &suppressed, problem.qids(), costs);
    if let [Term { metric, .. }] = &objective.terms[..]
        && let Some(loss) = of_losses(&losses, metric)
    {
        return loss;
    }
    let targets: Option<Vec<WeighedTarget<'_>>> = objective.terms.iter().map(target).collect();
    if let Some(targets) = targets {
        return weighted(table, &partition, &targets).unwrap();
    }
    let weights: f64 = objective.terms.iter().map(|term| term.weight).sum();
    let loss = |term: &Term| match target(term) {
        Some(target) => target.metric(table, &partition).unwrap(),
        None => losses(None).general,
    };
    objective.terms.iter().map(|term| term.weight * loss(term)).sum::<f64>() / weights
}

/// The entry of the losses for the metric, if it looks at the table's own label.
fn of_losses(losses: &dyn Fn(Option<&Costs>) -> Losses, metric: &Metric) -> Option<f64> {
    match metric {
        Metric::General => Some(losses(None).general),
        Metric::Classification { target: 0, costs: None } => losses(None).classification,
        Metric::Classification { target: 0, costs } => losses(costs.as_ref()).classification_cost,
        Metric::Regression { target: 0, dispersion: Dispersion::Variance } => losses(None).regression_variance,
        Metric::Regression { target: 0, dispersion: Dispersion::Deviation } => losses(None).regression_median,
        _ => None,
    }
}

fn target(Term { weight, metric }: &Term) -> Option<WeighedTarget<'_>> {
    match metric {
        Metric::General => None,
        Metric::Classification { target, costs } => {
            Some(WeighedTarget { costs: costs.as_ref(), ..WeighedTarget::new(*target, *weight) })
        }
        Metric::Regression { target, dispersion } => {
            let dispersion = match dispersion {
                Dispersion::Variance => regression::Dispersion::Variance,
                Dispersion::Deviation => regression::Dispersion::Median,
            };
            Some(WeighedTarget { dispersion, ..WeighedTarget::new(*target, *weight) })
        }
    }
}

/// The steps of a genetic search.
pub(crate) fn improvements(outcome: &Outcome) -> Vec<&Improvement> {
    fn improvement(step: &Step) -> &Improvement {
        match step {
            Step::Improvement(improvement) => improvement,
            other => panic!("{other:?}"),
        }
    }
    outcome.steps.iter().map(improvement).collect()
}

/// The loss that the search reported last.
pub(crate) fn reported(outcome: &Outcome) -> f64 {
    improvements(outcome).last().unwrap().loss
}

/// The same but for rounding?
pub(crate) fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * other.abs().max(1.0)
}
