//! F-measure and match point.

use cutline_measure::cluster::{ClusterError, Contingency};
use proptest::prelude::*;

/// The paper's Table 4, columns K₁ and K₂.
fn example() -> Contingency {
    Contingency::from_counts(vec![vec![2, 19], vec![10, 3]]).unwrap()
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// Example 4.3 and Table 5.
#[test]
fn f_measures_of_the_papers_example() {
    let table = example();
    assert_eq!([[0, 0], [0, 1], [1, 0], [1, 1]].map(|[i, j]| rounded(table.f_measure(i, j))), [0.12, 0.88, 0.8, 0.17]);
    let best = table.best_matches();
    assert_eq!((best[0].masked, rounded(best[0].f_measure)), (1, 0.88));
    assert_eq!((best[1].masked, rounded(best[1].f_measure)), (0, 0.8));
    assert_eq!((best[0].recall, best[0].precision), (19.0 / 21.0, 19.0 / 22.0));
    assert_eq!(rounded(table.overall_f_measure()), 0.85);
}

/// The paper's example 4.4 says 924, which does not follow from equation 10.
#[test]
fn match_point_of_the_papers_example() {
    assert_eq!(example().matching_pairs(), 866);
    assert_eq!(example().match_point(), 866.0 / 1156.0);
}

#[test]
fn figures_of_the_papers_table_7() {
    let table = Contingency::from_counts(vec![
        vec![12655, 0, 0, 0, 13, 1],
        vec![0, 6198, 0, 0, 19, 22],
        vec![0, 0, 6513, 0, 0, 59],
        vec![0, 0, 0, 4239, 386, 0],
        vec![0, 0, 0, 3846, 3171, 0],
        vec![0, 0, 0, 0, 0, 8100],
    ])
    .unwrap();
    assert_eq!(table.records(), 45_222);
    assert_eq!(rounded(table.overall_f_measure()), 0.90);
    assert_eq!(rounded(table.match_point()), 0.97);
}

#[test]
fn a_table_is_counted_with_weights() {
    let table = Contingency::new(&[0, 0, 1, 1, 0], &[1, 0, 0, 1, 1], &[9, 2, 10, 3, 10]).unwrap();
    assert_eq!(table, example());
    assert_eq!((table.raw(), table.masked()), (&[21, 13][..], &[12, 22][..]));
    let wrong = Contingency::new(&[0], &[0, 0], &[1, 1]);
    assert_eq!(wrong, Err(ClusterError::Length { what: "labels", found: 1, rows: 2 }));
    assert_eq!(Contingency::new(&[0, 0], &[0, 1], &[1, u64::MAX]), Err(ClusterError::TooManyRecords));
    assert!(Contingency::from_counts(vec![vec![1], vec![]]).is_err());
}

#[test]
fn the_table_as_text() {
    let expected = [
        "      K1   K2  all  recall  precision  F-measure  best",
        "C1     2   19   21    0.90       0.86       0.88  K2",
        "C2    10    3   13    0.77       0.83       0.80  K1",
        "all   12   22   34",
        "overall F-measure 0.85, match point 0.75",
    ];
    assert_eq!(example().to_string(), expected.join("\n"));
}

#[test]
fn counts_of_any_size_fit() {
    let half = u64::MAX / 2;
    let same = Contingency::from_counts(vec![vec![half, 0], vec![0, half]]).unwrap();
    assert_eq!((same.match_point(), same.overall_f_measure()), (1.0, 1.0));
    let merged = Contingency::from_counts(vec![vec![half], vec![half]]).unwrap();
    assert_eq!(merged.match_point(), 0.5);
}

#[test]
fn empty_clusters_and_tables_are_no_trouble() {
    let gap = Contingency::new(&[0, 2], &[3, 3], &[1, 1]).unwrap();
    assert_eq!((gap.raw(), gap.masked()), (&[1, 0, 1][..], &[0, 0, 0, 2][..]));
    assert_eq!(gap.overall_f_measure(), 2.0 / 3.0);
    let empty = Contingency::new(&[], &[], &[]).unwrap();
    assert_eq!((empty.overall_f_measure(), empty.match_point()), (1.0, 1.0));
    assert!(empty.to_string().ends_with("match point 1.00"));
}

proptest! {
    /// Equation 10 as it is written: all pairs of records.
    #[test]
    fn match_point_counts_all_pairs(rows in prop::collection::vec((0_u32..4, 0_u32..5, 0_u64..4), 1..25)) {
        let column = |pick: fn(&(u32, u32, u64)) -> u32| rows.iter().map(pick).collect::<Vec<_>>();
        let weights: Vec<u64> = rows.iter().map(|row| row.2).collect();
        let table = Contingency::new(&column(|row| row.0), &column(|row| row.1), &weights).unwrap();
        let records: Vec<_> = rows.iter().flat_map(|row| vec![(row.0, row.1); row.2 as usize]).collect();
        let mut pairs = 0;
        for one in &records {
            pairs += records.iter().filter(|other| (one.0 == other.0) == (one.1 == other.1)).count();
        }
        prop_assert_eq!(table.matching_pairs(), pairs as u128);
    }

    #[test]
    fn figures_do_not_depend_on_the_names_of_clusters(labels in prop::collection::vec((0_u32..4, 0_u32..4), 1..40)) {
        let (raw, masked): (Vec<u32>, Vec<u32>) = labels.into_iter().unzip();
        let weights = vec![1; raw.len()];
        let renamed = |labels: &[u32]| labels.iter().map(|label| (label + 1) % 4).collect::<Vec<_>>();
        let table = Contingency::new(&raw, &masked, &weights).unwrap();
        let other = Contingency::new(&renamed(&raw), &renamed(&masked), &weights).unwrap();
        prop_assert!((table.overall_f_measure() - other.overall_f_measure()).abs() < 1e-12);
        prop_assert_eq!(table.matching_pairs(), other.matching_pairs());
        let itself = Contingency::new(&raw, &raw, &weights).unwrap();
        prop_assert!((itself.overall_f_measure() - 1.0).abs() < 1e-12);
        prop_assert_eq!(itself.match_point(), 1.0);
    }
}
