//! Figures of Quinlan's book, and hand-computed ones, of what the tree does not show.

#[path = "../../../tests/classify/golf.rs"]
mod golf;

use super::C45;
use super::candidate::Candidate;
use super::grow::Learner;
use super::prune::UpperBound;
use crate::classify::{FeatureKind, Instances, InstancesBuilder};
use golf::GOLF;

fn golf(cell: impl Fn(usize, usize) -> Option<&'static str> + Copy) -> Instances {
    let column = |index| (0..GOLF.len()).map(move |row| cell(row, index));
    InstancesBuilder::new()
        .column("outlook", FeatureKind::Nominal, column(0))
        .and_then(|table| table.column("temperature", FeatureKind::Numeric, column(1)))
        .and_then(|table| table.column("humidity", FeatureKind::Numeric, column(2)))
        .and_then(|table| table.column("windy", FeatureKind::Nominal, column(3)))
        .and_then(|table| table.classes(column(4)))
        .unwrap()
}

fn numbers(values: &[f64], classes: &str) -> Instances {
    InstancesBuilder::new()
        .column("x", FeatureKind::Numeric, values.iter().map(|value| Some(value.to_string())))
        .and_then(|table| table.classes(classes.chars().map(|class| Some(class.to_string()))))
        .unwrap()
}

fn candidates(table: &Instances) -> Vec<Option<Candidate>> {
    let learner = Learner::new(table, f64::from(C45::default().min_cases));
    learner.candidates(&learner.all_cases(), table.len() as f64)
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-4
}

/// The book subtracts rounded figures: 0.940 - 0.694 = 0.246 bits for outlook, 1.577 bits of split info.
#[test]
fn gains_and_gain_ratios_of_golf_are_those_of_the_book() {
    let candidates = candidates(&golf(|row, column| Some(GOLF[row][column])));
    let [Some(outlook), _, _, Some(windy)] = candidates[..] else { panic!("both can split") };
    assert!(close(outlook.gain, 0.2467) && close(outlook.ratio, 0.1564), "{outlook:?}");
    assert!(close(windy.gain, 0.0481) && close(windy.ratio, 0.0488), "{windy:?}");
}

/// Chapter 3: the info falls from 0.961 to 0.747 over 13 known cases, 13/14 of the difference is 0.199; split info 1.809.
#[test]
fn a_missing_outlook_scales_the_gain_and_is_a_branch_of_the_split_info() {
    let table = golf(|row, column| Some(GOLF[row][column]).filter(|_| (row, column) != (5, 0)));
    let outlook = candidates(&table)[0].unwrap();
    assert!(close(outlook.gain, 0.1990), "{outlook:?}");
    assert!(close(outlook.ratio, 0.1100), "{outlook:?}");
}

/// Eight values, five cuts with two cases on each side: gain 1 - log2(5)/8.
#[test]
fn a_numeric_gain_pays_for_the_choice_among_the_cuts() {
    let table = numbers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], "AAAABBBB");
    let x = candidates(&table)[0].unwrap();
    assert!(close(x.gain, 1.0 - 5f64.log2() / 8.0), "{x:?}");
    assert!(close(x.ratio, x.gain), "the branches are equal, the split info is 1: {x:?}");
    assert_eq!(x.middle, Some(4.5));
}

/// The best of five cuts gains 0.049 bits, and to tell it takes 0.290.
#[test]
fn a_cut_that_does_not_pay_for_itself_is_none() {
    let table = numbers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], "ABABABAB");
    assert_eq!(candidates(&table), [None]);
}

/// Equal values are never parted: 1 1 1 | 2 2 2 has one cut, and log2(1) = 0.
#[test]
fn the_only_cut_costs_nothing() {
    let x = candidates(&numbers(&[1.0, 1.0, 1.0, 2.0, 2.0, 2.0], "AAABBB"))[0].unwrap();
    assert_eq!((x.gain, x.ratio, x.middle), (1.0, 1.0, Some(1.5)));
}

/// Six hundred cases of two classes: a tenth of the average class is 30, capped at 25.
#[test]
fn a_side_needs_a_tenth_of_the_average_class_but_no_more_than_25() {
    let cut = |rows: usize, of_a: usize| {
        let values: Vec<f64> = (1..=rows).map(|value| value as f64).collect();
        let classes: String = (0..rows).map(|row| if row < of_a { 'A' } else { 'B' }).collect();
        candidates(&numbers(&values, &classes))[0].unwrap().middle.unwrap()
    };
    assert_eq!(cut(600, 24), 25.5);
    assert_eq!(cut(600, 26), 26.5);
    assert_eq!(cut(100, 3), 5.5);
    assert_eq!(cut(100, 6), 6.5);
}

/// N (1 - 0.25^(1/N)) without errors; the book has 6 * 0.206, 9 * 0.143 and 1 * 0.750 (chapter 4).
#[test]
fn pessimistic_errors_are_those_of_the_book() {
    let bound = UpperBound::new(0.25);
    for (cases, expected) in [(6.0, 1.23780), (9.0, 1.28480), (1.0, 0.75), (2.0, 1.0)] {
        assert!((bound.added(cases, 0.0) - expected).abs() < 1e-5, "{cases}");
    }
    // The normal approximation with continuity correction, worked out for f = 1.5/16 and f = 1.5/6.
    assert!((bound.added(16.0, 1.0) - 1.4757).abs() < 1e-4);
    assert!((bound.added(6.0, 1.0) - 1.3035).abs() < 1e-4);
    // Half an error is half way, and nearly all errors cannot become more than all.
    let between = f64::midpoint(bound.added(6.0, 0.0), bound.added(6.0, 1.0));
    assert!((bound.added(6.0, 0.5) - between).abs() < 1e-12);
    assert_eq!(bound.added(4.0, 3.75), 0.25);
}
