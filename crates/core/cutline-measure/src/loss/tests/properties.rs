//! Every metric against a naive computation.

use cutline_table::{Cost, Costs, LabelKind, Labels, TableQid};
use proptest::prelude::*;

use super::cases::cases;
use super::naive::Naive;
use super::sample::{Cell, Recoded};
use crate::loss::Partition;
use crate::loss::weighted::{WeighedTarget, weighted};

fn union(qids: &[TableQid]) -> TableQid {
    let mut attributes: Vec<_> = qids.iter().flat_map(|qid| qid.attributes.clone()).collect();
    attributes.sort();
    attributes.dedup();
    TableQid::new(attributes, 1)
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-9
}

/// Costs between all classes that are not missing: `costs` has three rows, for no, perhaps and yes.
fn charge(costs: &[f64], actual: &Cell, predicted: &Cell) -> f64 {
    let class = |name: &str| ["no", "perhaps", "yes"].iter().position(|other| *other == name).unwrap();
    match (actual, predicted) {
        (Some(actual), Some(predicted)) => costs[class(actual) * 3 + class(predicted)],
        _ => f64::from(u8::from(actual != predicted)),
    }
}

fn matrix(labels: &Labels, costs: &[f64]) -> Option<Costs> {
    let Labels::Classes { names, .. } = labels else { return None };
    let known = || names.iter().filter(|name| name.is_some());
    let cost = |actual: &Cell, predicted: &Cell| Cost {
        actual: actual.clone().unwrap(),
        predicted: predicted.clone().unwrap(),
        cost: charge(costs, actual, predicted),
    };
    let said: Vec<Cost> = known().flat_map(|actual| known().map(move |predicted| cost(actual, predicted))).collect();
    Some(Costs::new(names, &said).unwrap())
}

/// The metric of a target: CM or RM by variance.
fn metric(naive: &Naive<'_>, kind: LabelKind, column: usize, union: &TableQid) -> f64 {
    match kind {
        LabelKind::Classes => naive.average(|record| naive.penalty(column, record, union)),
        _ => naive.regression(column, union)[0],
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn attributes_lose_what_their_records_lose((sample, recoding, qids, _) in cases()) {
        let recoded = sample.recoded(&recoding, &qids);
        let naive = Naive::new(&sample, &recoding, &qids);
        prop_assert_eq!(recoded.suppressed.records as usize, naive.suppressed.iter().filter(|&&s| s).count());
        let losses = recoded.losses(None);
        let (mut general, mut bits) = (0.0, [0.0, 0.0]);
        for (a, found) in losses.attributes.iter().enumerate() {
            let expected = naive.average(|record| naive.general(a, record));
            prop_assert!(close(found.general, expected), "LM of {}: {} is not {}", a, found.general, expected);
            let expected = naive.average(|record| naive.bits(a, record));
            prop_assert!(close(found.entropy_bits, expected), "{}: {} is not {}", a, found.entropy_bits, expected);
            general += found.general;
            bits = [bits[0] + found.entropy_bits, bits[1] + naive.average(|record| naive.bits_of_all(a, record))];
        }
        prop_assert!(close(losses.general, general));
        prop_assert!(close(losses.entropy * bits[1], bits[0]));
    }

    #[test]
    fn targets_lose_what_their_records_lose((sample, recoding, qids, cost) in cases()) {
        let recoded = sample.recoded(&recoding, &qids);
        let naive = Naive::new(&sample, &recoding, &qids);
        let (union, first) = (union(&qids), recoding.len());
        let losses = recoded.losses(matrix(&recoded.table.labels, &cost).as_ref());
        let metrics = [0, 1].map(|target| metric(&naive, sample.targets[target], first + target, &union));
        if sample.targets[0] == LabelKind::Classes {
            prop_assert!(close(losses.classification.unwrap(), metrics[0]));
            let expected = naive.average(|record| {
                charge(&cost, &naive.records[record][first], &naive.majority(first, &naive.group(record, &union)))
            });
            prop_assert!(close(losses.classification_cost.unwrap(), expected));
            prop_assert_eq!((losses.regression_variance, losses.regression_median), (None, None));
        } else {
            prop_assert!(close(losses.regression_variance.unwrap(), metrics[0]));
            prop_assert!(close(losses.regression_median.unwrap(), naive.regression(first, &union)[1]));
            prop_assert_eq!((losses.classification, losses.classification_cost), (None, None));
        }
        let Recoded { table, suppressed, .. } = &recoded;
        let partition = Partition::new(table, &recoded.masked(), suppressed, union.attributes.iter().copied());
        let both = [WeighedTarget::new(0, cost[0]), WeighedTarget::new(1, 1.0)];
        let expected = (cost[0] * metrics[0] + metrics[1]) / (cost[0] + 1.0);
        prop_assert!(close(weighted(table, &partition, &both).unwrap(), expected));
    }

    #[test]
    fn groups_are_charged_what_their_records_are((sample, recoding, qids, _) in cases()) {
        let losses = sample.recoded(&recoding, &qids).losses(None);
        let naive = Naive::new(&sample, &recoding, &qids);
        let all = sample.records.len();
        let kept: Vec<usize> = (0..all).filter(|&record| !naive.suppressed[record]).collect();
        for (qid, found) in qids.iter().zip(&losses.qids) {
            let charged: usize = kept.iter().map(|&record| naive.group(record, qid).len()).sum();
            prop_assert_eq!(found.discernibility as usize, charged + (all - kept.len()) * all);
            let groups = kept.iter().filter(|&&record| naive.group(record, qid)[0] == record).count();
            prop_assert_eq!(found.groups as usize, groups);
            prop_assert_eq!(found.average_group_size, (groups > 0).then(|| kept.len() as f64 / groups as f64));
            prop_assert_eq!(found.c_avg, found.average_group_size.map(|average| average / qid.k as f64));
        }
    }
}
