//! The fitness of random candidates against the metrics of `cutline-measure`, in tables that are large enough for every path.

use cutline_model::recoding::SuppressHow;
use std::collections::HashSet;

use cutline_measure::loss::Losses;
use cutline_table::{Costs, Labels};

use super::super::super::evaluator::{Evaluator, Fitness};
use super::super::super::objective::{Dispersion, Metric, Objective};
use super::*;

/// Random cells: `distinct` names in each of some columns, then a label.
fn random_table(columns: usize, distinct: usize, rows: usize, label: LabelKind, labels: usize) -> CompressedTable {
    let mut random = Random::new(7);
    let mut cells = |distinct: usize| -> Vec<Cell> {
        // The lower of two draws: frequent and rare values.
        let mut cell = || random.below(distinct).min(random.below(distinct));
        (0..rows).map(|_| Some(cell().to_string())).collect()
    };
    let mut all: Vec<Vec<Cell>> = (0..columns).map(|_| cells(distinct)).collect();
    all.push(cells(labels));
    table(vec![Masking::Suppress; columns], &all, label)
}

fn classification(costs: Option<Costs>) -> Metric {
    Metric::Classification { target: 0, costs }
}

fn regression(dispersion: Dispersion) -> Metric {
    Metric::Regression { target: 0, dispersion }
}

/// A metric, and where `cutline-measure` has it.
type Measured = (Metric, fn(&Losses) -> Option<f64>);

/// The metrics that apply.
fn metrics(table: &CompressedTable) -> Vec<Measured> {
    let mut metrics: Vec<Measured> = vec![(Metric::General, |losses| Some(losses.general))];
    if matches!(table.labels, Labels::Classes { .. }) {
        metrics.push((classification(None), |losses| losses.classification));
        metrics.push((classification(costs(table)), |losses| losses.classification_cost));
    } else {
        metrics.push((regression(Dispersion::Variance), |losses| losses.regression_variance));
        metrics.push((regression(Dispersion::Deviation), |losses| losses.regression_median));
    }
    metrics
}

/// Some mistakes cost more than others.
fn costs(table: &CompressedTable) -> Option<Costs> {
    let Labels::Classes { names, .. } = &table.labels else { return None };
    let said = |actual: usize| cutline_table::Cost {
        actual: names[actual].clone().unwrap_or_default(),
        predicted: names[(actual * 7 + 1) % names.len()].clone().unwrap_or_default(),
        cost: 0.25 * (actual % 9) as f64,
    };
    Some(Costs::new(names, &(0..names.len()).map(said).collect::<Vec<_>>()).unwrap())
}

/// Random valid bits, from a few distinctions to all.
fn candidates(genes: &Genes<'_>, count: usize) -> Vec<Chromosome> {
    let mut random = Random::new(11);
    let mut candidate = |index: usize| {
        let density = (index + 1) as f64 / count as f64;
        let mut bits: Chromosome = (0..genes.len()).map(|_| random.chance(density)).collect();
        genes.repair(&mut bits);
        bits
    };
    (0..count).map(&mut candidate).collect()
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * other.abs().max(1.0)
}

/// Compares a table's candidates by every metric. Returns what `path` says of each attribute's number of labels.
fn check<T>(table: &CompressedTable, qids: Vec<Qid>, path: impl Fn(&CompressedTable, &[usize]) -> T) -> Vec<T> {
    let limit = table.records / 3;
    let problem = Problem::new(table, &requirement(qids)).unwrap().suppressing(limit, SuppressHow::Mask);
    let genes = Genes::new(&problem, None);
    let costs = costs(table);
    let metrics = metrics(table);
    let evaluator = |(metric, _): &Measured| Evaluator::new(&problem, &genes, &Objective::new(metric.clone()));
    let evaluators: Vec<Evaluator<'_>> = metrics.iter().map(evaluator).collect();
    let mut paths = Vec::new();
    for bits in candidates(&genes, 24) {
        let recoding = genes.recoding(&bits);
        let masked = Masked::new(table, &recoding).unwrap();
        let suppressed = masked.suppress(problem.qids());
        let losses = Losses::measure(table, &recoding, &masked, &suppressed, problem.qids(), costs.as_ref());
        for ((metric, of), evaluator) in metrics.iter().zip(&evaluators) {
            let Fitness { excess, loss } = evaluator.evaluate(&bits, None).unwrap();
            let measured = of(&losses).unwrap();
            assert!(close(loss, measured), "{metric:?}: {loss}, measured {measured}");
            assert_eq!(excess, suppressed.records.saturating_sub(limit));
            assert_eq!(evaluator.standing(&bits).suppressed, suppressed.records);
            // To the last bit: sums of numbers depend on the order of groups.
            assert_eq!(evaluator.evaluate_at_once(&bits), Fitness { excess, loss });
        }
        let labels = (0..table.attributes.len()).map(|a| distinct(masked.labels(AttributeId(a))));
        paths.push(path(table, &labels.collect::<Vec<_>>()));
    }
    paths
}

/// The number of label combinations that there could be, as a power of two.
fn bits_of_labels(_: &CompressedTable, labels: &[usize]) -> f64 {
    labels.iter().map(|&labels| (labels as f64).log2()).sum()
}

fn distinct(labels: &[u32]) -> usize {
    labels.iter().collect::<HashSet<_>>().len()
}

/// One QID of everything, or two that overlap.
fn qids(attributes: usize, k: u64) -> [Vec<Qid>; 2] {
    let half = attributes / 2;
    [vec![qid(0..attributes, k)], vec![qid(0..half + 1, k), qid(half..attributes, k + 1)]]
}

/// More combinations than an array should have, fewer than 2^64.
#[test]
fn fitness_is_right_where_groups_are_hashed() {
    for label in [LabelKind::Classes, LabelKind::Numbers] {
        let table = random_table(4, 40, 500, label, 6);
        for qids in qids(4, 2) {
            let bits = check(&table, qids, bits_of_labels);
            let hashed = |bits: &&f64| **bits > (8.0 * 500f64).log2() + 1.0;
            assert!(bits.iter().filter(hashed).count() > 5 && bits.iter().any(|&bits| bits < 10.0), "{bits:?}");
        }
    }
}

/// So many combinations that their numbers overflow: they are numbered anew on the way.
#[test]
fn fitness_is_right_where_label_products_overflow() {
    for label in [LabelKind::Classes, LabelKind::Numbers] {
        let table = random_table(20, 20, 300, label, 4);
        for qids in qids(20, 2) {
            let bits = check(&table, qids, bits_of_labels);
            assert!(bits.iter().filter(|bits| **bits > 66.0).count() > 5, "{bits:?}");
        }
    }
}

/// So many groups and classes that only the pairs that occur are counted.
#[test]
fn fitness_is_right_where_classes_are_many() {
    let table = random_table(2, 30, 600, LabelKind::Classes, 250);
    // At least 200 of the 250 classes occur.
    let pairs = |table: &CompressedTable, labels: &[usize]| labels.iter().product::<usize>() * 200 > 16 * table.rows();
    for qids in qids(2, 3) {
        let sparse = check(&table, qids, pairs);
        assert!(sparse.iter().filter(|sparse| **sparse).count() > 5 && sparse.contains(&false), "{sparse:?}");
    }
}

/// What is not evaluated could not have been better than the bound; what could, is.
#[test]
fn only_hopeless_candidates_are_left_out() {
    let table = random_table(3, 12, 200, LabelKind::Classes, 3);
    let problem = Problem::new(&table, &requirement(vec![qid(0..3, 4)])).unwrap();
    let problem = problem.suppressing(u64::MAX, SuppressHow::Mask);
    assert!(left_out(&problem, Metric::General) > 100);
}

/// With few rows everything is counted at once, and with few attributes there is nothing to give up before.
#[test]
fn candidates_are_given_up_once_they_suppress_too_many() {
    let table = random_table(12, 12, 3000, LabelKind::Classes, 3);
    for limit in [0, 500, u64::MAX] {
        let problem = Problem::new(&table, &requirement(vec![qid(0..12, 4)])).unwrap();
        let problem = problem.suppressing(limit, SuppressHow::Mask);
        assert!(left_out(&problem, classification(None)) > 100, "{limit}");
    }
}

/// How many of some candidates are left out when any other of them is the bound.
fn left_out(problem: &Problem<'_>, metric: Metric) -> usize {
    let genes = Genes::new(problem, None);
    let evaluator = Evaluator::new(problem, &genes, &Objective::new(metric));
    let candidates = candidates(&genes, 60);
    let fitness: Vec<Fitness> = candidates.iter().map(|bits| evaluator.evaluate(bits, None).unwrap()).collect();
    let mut left_out = 0;
    for bound in &fitness {
        for (bits, fitness) in candidates.iter().zip(&fitness) {
            match evaluator.evaluate(bits, Some(bound)) {
                Some(same) => assert_eq!(same, *fitness),
                None => {
                    assert!(fitness.compare(bound).is_ge(), "{fitness:?} {bound:?}");
                    left_out += 1;
                }
            }
        }
    }
    left_out
}
