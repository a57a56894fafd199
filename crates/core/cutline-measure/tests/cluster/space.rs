//! Points of values, and their distances.

use cutline_measure::cluster::{Axis, Centroids, ClusterError, Clusterer, KMeans, Points, Scale, Space};
use cutline_table::Codes;
use proptest::prelude::*;

use crate::support::{dense, distance, random_points, starts};

/// The squared distance of two codes of an axis, as clustering sees it: one cluster at the first, one record at the
/// second.
fn squared(axis: &Axis, one: u8, other: u8) -> f64 {
    let from = Points::new(vec![(axis.clone(), Codes::U8(vec![one]))], vec![1]).unwrap();
    let to = Points::new(vec![(axis.clone(), Codes::U8(vec![other]))], vec![1]).unwrap();
    let method = KMeans { max_iterations: 1, ..KMeans::new(1) };
    method.fit_from(&to, &Centroids::at_rows(&from, &[0]).unwrap()).unwrap().history()[0]
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-12
}

#[test]
fn different_categories_have_distance_one() {
    let axis = Axis::categorical(3);
    assert!(close(squared(&axis, 0, 1), 1.0));
    assert!(close(squared(&axis, 2, 1), 1.0));
    assert_eq!(squared(&axis, 2, 2), 0.0);
}

#[test]
fn numbers_are_scaled_to_the_unit_interval() {
    let axis = Axis::continuous(Scale::new(10.0, 50.0).unwrap(), [Some(10.0), Some(50.0), Some(20.0), Some(60.0)]);
    assert_eq!(squared(&axis, 0, 1), 1.0);
    assert!(close(squared(&axis, 0, 2), 1.0 / 16.0));
    assert!(close(squared(&axis, 1, 3), 1.0 / 16.0), "a number outside the range keeps its distance");
}

#[test]
fn an_interval_lies_at_its_midpoint() {
    let scale = Scale::new(0.0, 100.0).unwrap();
    let intervals = Axis::intervals(scale, [Some((0.0, 37.0)), Some((37.0, 99.0)), None]);
    assert_eq!(intervals, Axis::continuous(scale, [Some(18.5), Some(68.0), None]));
    assert!(close(squared(&intervals, 0, 1), 0.495 * 0.495));
}

/// Leaves a, b, c, d; codes {a, b}, {c, d}, {a, b, c, d}, {a}, {b, c, d}. With p and q uniform over sets P and Q, the
/// squared distance is half of ‖p − q‖².
#[test]
fn a_masked_category_is_uniform_over_its_leaves() {
    let sets = [vec![0, 1], vec![3, 2, 2], vec![0, 1, 2, 3], vec![0], vec![1, 2, 3]];
    let axis = Axis::generalized(4, sets).unwrap();
    assert!(close(squared(&axis, 0, 1), 0.5 * (4.0 * 0.25)));
    assert!(close(squared(&axis, 0, 2), 0.5 * (4.0 * 0.0625)));
    assert!(close(squared(&axis, 0, 3), 0.5 * (0.25 + 0.25)));
    assert!(close(squared(&axis, 3, 4), 0.5 * (1.0 + 3.0 / 9.0)));
    assert!(close(squared(&axis, 2, 3), 0.5 * (0.5625 + 3.0 * 0.0625)));
    for code in 0..5 {
        assert_eq!(squared(&axis, code, code), 0.0);
    }
}

#[test]
fn ranges_of_leaves_can_be_given_too() {
    assert_eq!(Axis::generalized(3, [0..1, 1..2, 2..3]).unwrap(), Axis::categorical(3));
    assert_eq!(Axis::categorical(3).space(), Space::Categorical { leaves: 3 });
}

#[test]
fn a_missing_number_has_no_distance() {
    let axis = Axis::continuous(Scale::new(0.0, 1.0).unwrap(), [Some(0.0), None, Some(f64::NAN), Some(1.0)]);
    assert_eq!(squared(&axis, 0, 1), 0.0);
    assert_eq!(squared(&axis, 3, 2), 0.0);
}

#[test]
fn a_constant_attribute_has_no_distance() {
    let axis = Axis::continuous(Scale::new(7.0, 7.0).unwrap(), [Some(7.0), Some(7.0)]);
    assert_eq!(squared(&axis, 0, 1), 0.0);
}

#[test]
fn what_cannot_be_right_is_an_error() {
    for (low, high) in [(1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        assert!(matches!(Scale::new(low, high), Err(ClusterError::Scale { .. })));
    }
    assert_eq!(Axis::generalized(2, [vec![0, 2]]), Err(ClusterError::Leaf { leaf: 2, leaves: 2 }));
    let column = |codes: Vec<u8>| vec![(Axis::categorical(2), Codes::U8(codes))];
    let short = Points::new(column(vec![0]), vec![1, 1]);
    assert_eq!(short, Err(ClusterError::Length { what: "codes", found: 1, rows: 2 }));
    assert_eq!(
        Points::new(column(vec![0, 2]), vec![1, 1]),
        Err(ClusterError::Code { attribute: 0, code: 2, codes: 2 })
    );
    assert_eq!(Points::new(column(vec![0, 1]), vec![1, u64::MAX]), Err(ClusterError::TooManyRecords));
}

#[test]
fn centroids_only_take_tables_of_their_own_space() {
    let table = |axes: Vec<Axis>| {
        Points::new(axes.into_iter().map(|axis| (axis, Codes::U8(vec![0]))).collect(), vec![1]).unwrap()
    };
    let age = |high| Axis::continuous(Scale::new(0.0, high).unwrap(), [Some(1.0)]);
    let centroids = KMeans::new(1).fit(&table(vec![age(9.0), Axis::categorical(2)])).unwrap();
    let masked = Axis::generalized(2, [vec![0, 1]]).unwrap();
    assert_eq!(centroids.assign(&table(vec![age(9.0), masked])), Ok(vec![0]));
    let refused =
        |axes, attribute| assert_eq!(centroids.assign(&table(axes)), Err(ClusterError::OtherSpace { attribute }));
    refused(vec![age(8.0), Axis::categorical(2)], 0);
    refused(vec![age(9.0), Axis::categorical(3)], 1);
    refused(vec![age(9.0)], 1);
    refused(vec![age(9.0), Axis::categorical(2), age(9.0)], 2);
}

proptest! {
    #[test]
    fn sums_of_table_entries_are_euclidean_distances(seed: u64, rows in 1_usize..40, clusters in 1_usize..20) {
        let points = random_points(seed, rows);
        let at: Vec<usize> = (0..clusters).map(|cluster| cluster * 7 % rows).collect();
        let vectors = dense(&points);
        let centres = starts(&vectors, points.weights(), &at);
        let centroids = Centroids::at_rows(&points, &at).unwrap();
        let labels = centroids.assign(&points).unwrap();
        let mut sum = 0.0;
        for ((vector, &label), &weight) in vectors.iter().zip(&labels).zip(points.weights()) {
            let all: Vec<f64> = centres.iter().map(|centre| distance(vector, centre)).collect();
            let least = all.iter().copied().fold(f64::INFINITY, f64::min);
            prop_assert!(all[label as usize] - least < 1e-12);
            sum += weight as f64 * least;
        }
        let fitted = KMeans { max_iterations: 1, ..KMeans::new(1) }.fit_from(&points, &centroids).unwrap();
        prop_assert!((fitted.history()[0] - sum).abs() < 1e-9);
    }
}
