//! Information gain on the worked example: the paper's Table 1.

use cutline_measure::cluster::{ClusterError, information_gain, split_gain};
use cutline_table::Codes;

/// Rows of Table 1 for class C₁, then for class C₂.
const WEIGHTS: [u64; 18] = [0, 0, 2, 3, 4, 4, 4, 3, 1, 3, 4, 3, 1, 2, 0, 0, 0, 0];

fn labels() -> Vec<u32> {
    (0..18).map(|row| row / 9).collect()
}

fn both_classes(codes: [u8; 9]) -> Codes {
    Codes::U8([codes, codes].concat())
}

fn rounded(gain: f64) -> f64 {
    (gain * 10_000.0).round() / 10_000.0
}

#[test]
fn gain_of_categories() {
    let schools = both_classes([0, 0, 0, 0, 1, 1, 1, 1, 1]);
    let sexes = both_classes([0, 0, 0, 1, 1, 1, 0, 1, 1]);
    assert_eq!(rounded(information_gain(&schools, &labels(), &WEIGHTS).unwrap()), 0.2716);
    assert_eq!(rounded(information_gain(&sexes, &labels(), &WEIGHTS).unwrap()), 0.1664);
}

#[test]
fn gain_of_the_best_split() {
    let ages = both_classes([0, 1, 2, 3, 4, 5, 5, 5, 5]);
    assert_eq!(rounded(split_gain(&ages, &labels(), &WEIGHTS).unwrap()), 0.3584);
    assert!(information_gain(&ages, &labels(), &WEIGHTS).unwrap() >= 0.3584);
}

#[test]
fn an_attribute_that_tells_nothing_or_everything() {
    let constant = Codes::U8(vec![3; 18]);
    assert_eq!(information_gain(&constant, &labels(), &WEIGHTS), Ok(0.0));
    assert_eq!(split_gain(&constant, &labels(), &WEIGHTS), Ok(0.0));
    let label = Codes::U16((0..18).map(|row| 300 * (row / 9)).collect());
    assert_eq!(rounded(information_gain(&label, &labels(), &WEIGHTS).unwrap()), 0.9597);
    assert_eq!(information_gain(&Codes::default(), &[], &[]), Ok(0.0));
}

#[test]
fn columns_must_have_one_length() {
    let wrong = information_gain(&Codes::U8(vec![0]), &[0, 0], &[1, 1]);
    assert_eq!(wrong, Err(ClusterError::Length { what: "codes", found: 1, rows: 2 }));
    assert!(split_gain(&Codes::U8(vec![0]), &[], &[1]).is_err());
}
