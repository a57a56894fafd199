//! CM, RM, several targets, and the sizes of groups.

use cutline_model::Masking;
use cutline_table::{Cost, Costs, LabelKind};

use super::assert_close;
use super::sample::{Recoded, Sample, disclose, intervals, qid};
use crate::loss::regression::{Dispersion, regression};
use crate::loss::weighted::{WeighedTarget, weighted};

const NUMBERS: Masking = Masking::numbers(None);

/// A table with one attribute that is published as it is: groups by hand.
fn grouped(targets: &[LabelKind], records: &[(usize, &str)]) -> Sample {
    let sample = Sample::new(vec![Masking::Suppress], targets);
    records.iter().fold(sample, |sample, &(count, cells)| sample.records(count, cells))
}

fn published(sample: &Sample, k: u64) -> Recoded {
    let mut values: Vec<&str> = sample.records.iter().flat_map(|record| record[0].as_deref()).collect();
    values.sort_unstable();
    values.dedup();
    sample.recoded(&[disclose(&values, None)], &[qid(&[0], k)])
}

fn yes_no(actual: &str, predicted: &str, cost: f64) -> Cost {
    Cost { actual: actual.into(), predicted: predicted.into(), cost }
}

/// Figure 4: 20 points of two classes, four groups of five.
#[test]
fn three_of_twenty_points_are_not_of_their_groups_class() {
    let points = "\
        1 1 star; 2 3 star; 4 2 star; 6 1 star; 7 3 box;
        1 5 box; 2 9 box; 4 7 box; 5 4 box; 7 10 star;
        8 1 star; 8 3 star; 9 2 star; 10 0 star; 10 3 star;
        8 5 box; 8 8 box; 9 6 box; 10 9 box; 9 9 star";
    let sample = Sample::new(vec![NUMBERS, NUMBERS], &[LabelKind::Classes]);
    let sample = points.split(';').fold(sample, |sample, point| sample.records(1, point));
    let recoded = sample.recoded(&[intervals(&[7.5], None), intervals(&[3.5], None)], &[qid(&[0, 1], 5)]);
    let losses = recoded.losses(None);
    assert_eq!((sample.records.len(), recoded.suppressed.records), (20, 0));
    assert_eq!(losses.classification, Some(0.15));
    assert_eq!(losses.qids[0].groups, 4);
    assert_eq!((losses.classification_cost, losses.regression_variance, losses.regression_median), (None, None, None));
}

#[test]
fn suppressed_records_are_penalized_whatever_their_class() {
    let sample = grouped(&[LabelKind::Classes], &[(4, "a yes"), (1, "a no"), (2, "b yes"), (1, "c no")]);
    assert_eq!(published(&sample, 1).losses(None).classification, Some(1.0 / 8.0));
    assert_eq!(published(&sample, 3).losses(None).classification, Some(4.0 / 8.0));
    assert_eq!(published(&sample, 9).losses(None).classification, Some(1.0));
}

#[test]
fn mistakes_cost_what_the_matrix_says() {
    let sample = grouped(&[LabelKind::Classes], &[(4, "a no"), (1, "a yes"), (1, "b no"), (2, "b yes"), (1, "c no")]);
    let names = ["no", "yes"].map(|name| Some(name.to_owned()));
    let costs = Costs::new(&names, &[yes_no("yes", "no", 5.0), yes_no("no", "no", 0.25)]).unwrap();
    // a is taken for no: four right ones at 0.25 and a mistake at 5; b for yes: a mistake at 1; c for no: 0.25.
    assert_close(
        published(&sample, 1).losses(Some(&costs)).classification_cost.unwrap(),
        (1.0 + 5.0 + 1.0 + 0.25) / 9.0,
    );
    // b and c are suppressed: two of each class are taken for the first one, no.
    let suppressed = published(&sample, 4).losses(Some(&costs));
    assert_close(suppressed.classification_cost.unwrap(), (1.0 + 5.0 + 0.5 + 10.0) / 9.0);
    assert_eq!(suppressed.classification, Some(5.0 / 9.0));
}

#[test]
fn one_class_cannot_be_taken_for_another() {
    let sample = grouped(&[LabelKind::Classes], &[(3, "a yes"), (1, "b yes")]);
    let losses = published(&sample, 1).losses(Some(&Costs::equal(1)));
    assert_eq!((losses.classification, losses.classification_cost), (Some(0.0), Some(0.0)));
    let losses = published(&sample, 2).losses(Some(&Costs::equal(1)));
    assert_eq!((losses.classification, losses.classification_cost), (Some(0.25), Some(0.0)));
}

#[test]
fn a_missing_class_is_a_class() {
    let sample = grouped(&[LabelKind::Classes], &[(3, "a ?"), (1, "a yes")]);
    assert_eq!(published(&sample, 1).losses(None).classification, Some(0.25));
}

#[test]
fn regression_compares_dispersion_within_groups_with_all() {
    let records = [(1, "a 1"), (2, "a 2"), (1, "a 7"), (1, "b 10"), (1, "b 14"), (1, "b ?")];
    let sample = grouped(&[LabelKind::Numbers], &records);
    let losses = published(&sample, 1).losses(None);
    // a: mean 3, squares 4 + 1 + 1 + 16; b: mean 12, squares 4 + 4; all: mean 6, squares 25 + 16 + 16 + 1 + 16 + 64.
    assert_close(losses.regression_variance.unwrap(), 30.0 / 138.0);
    // a: median 2, distances 1 + 5; b: lower median 10, distance 4; all: lower median 2, distances 1 + 5 + 8 + 12.
    assert_close(losses.regression_median.unwrap(), 10.0 / 26.0);
    assert_eq!(losses.classification, None);
}

#[test]
fn suppressed_numbers_are_one_group() {
    let records = [(3, "a 0"), (1, "b 4"), (1, "c 8")];
    let sample = grouped(&[LabelKind::Numbers], &records);
    let losses = published(&sample, 2).losses(None);
    // The suppressed group has mean 6, squares 4 + 4, distances 4; all have mean 2.4, squares 17.28 + 2.56 + 31.36, distances 12.
    assert_close(losses.regression_variance.unwrap(), 8.0 / 51.2);
    assert_close(losses.regression_median.unwrap(), 4.0 / 12.0);
    assert_eq!(published(&sample, 9).losses(None).regression_variance, Some(1.0));
}

#[test]
fn regression_keeps_its_digits_far_from_zero_and_near_infinity() {
    for (low, high) in [("1e15", "1000000000000001"), ("-1.7e308", "1.7e308")] {
        let cells = [format!("a {low}"), format!("a {high}"), format!("b {high}")];
        let sample = grouped(&[LabelKind::Numbers], &[(1, &cells[0]), (1, &cells[1]), (2, &cells[2])]);
        let losses = published(&sample, 1).losses(None);
        assert_close(losses.regression_variance.unwrap(), 2.0 / 3.0);
        assert_close(losses.regression_median.unwrap(), 1.0);
    }
}

#[test]
fn equal_numbers_have_nothing_to_lose() {
    for records in [[(2, "a 0.1"), (3, "b 0.1")], [(2, "a ?"), (3, "b ?")]] {
        let losses = published(&grouped(&[LabelKind::Numbers], &records), 1).losses(None);
        assert_eq!((losses.regression_variance, losses.regression_median), (Some(0.0), Some(0.0)));
    }
}

#[test]
fn targets_count_by_their_weights() {
    let kinds = [LabelKind::Classes, LabelKind::Numbers];
    let sample = grouped(&kinds, &[(2, "a no 1"), (1, "a yes 1"), (1, "b yes 2"), (1, "b yes 4")]);
    let recoded = published(&sample, 1);
    let (table, partition) = (&recoded.table, recoded.partition());
    let variance = regression(&table.further[0], &partition, &table.weights, Dispersion::Variance).unwrap();
    let two = [WeighedTarget::new(0, 1.0), WeighedTarget::new(1, 3.0)];
    assert_close(weighted(table, &partition, &two).unwrap(), (0.2 + 3.0 * variance) / 4.0);
    let costs = Costs::new(&["no", "yes"].map(|name| Some(name.to_owned())), &[yes_no("yes", "no", 5.0)]).unwrap();
    let median = WeighedTarget { dispersion: Dispersion::Median, ..WeighedTarget::new(1, 0.5) };
    let two = [WeighedTarget { costs: Some(&costs), ..WeighedTarget::new(0, 0.5) }, median];
    assert_close(weighted(table, &partition, &two).unwrap(), (5.0 / 5.0 + 2.0 / 4.0) / 2.0);
    assert_eq!(weighted(table, &partition, &[WeighedTarget::new(0, 0.0)]), None);
    assert_eq!(weighted(table, &partition, &[WeighedTarget::new(2, 1.0)]), None);
}

#[test]
fn discernibility_charges_suppressed_records_with_all() {
    let sample = grouped(&[], &[(4, "a"), (3, "b"), (1, "c")]);
    let all = &published(&sample, 1).losses(None).qids[0];
    assert_eq!((all.groups, all.discernibility), (3, 16 + 9 + 1));
    assert_close(all.average_group_size.unwrap(), 8.0 / 3.0);
    let kept = &published(&sample, 2).losses(None).qids[0];
    assert_eq!((kept.groups, kept.discernibility), (2, 16 + 9 + 8));
    assert_eq!((kept.average_group_size, kept.c_avg), (Some(3.5), Some(1.75)));
    let nothing = &published(&sample, 9).losses(None).qids[0];
    assert_eq!((nothing.groups, nothing.discernibility, nothing.average_group_size), (0, 64, None));
}

#[test]
fn every_qid_has_groups_of_its_own() {
    let sample = Sample::new(vec![Masking::Suppress, Masking::Suppress], &[LabelKind::Classes]);
    let sample = sample.records(2, "a x no").records(2, "a y yes").records(2, "b x yes").records(1, "b y no");
    let all = [disclose(&["a", "b"], None), disclose(&["x", "y"], None)];
    let losses = sample.recoded(&all, &[qid(&[0], 2), qid(&[1], 2)]).losses(None);
    let groups: Vec<u64> = losses.qids.iter().map(|qid| qid.discernibility).collect();
    assert_eq!(groups, [16 + 9, 16 + 9]);
    assert_eq!(losses.qids[1].attributes, ["a1"]);
    // The union of the QIDs tells all four apart.
    assert_eq!(losses.classification, Some(0.0));
}
