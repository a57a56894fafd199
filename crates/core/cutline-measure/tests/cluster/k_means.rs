//! Basic k-means.

use cutline_measure::cluster::{Axis, Centroids, ClusterError, Clusterer, Contingency, KMeans, Points, Scale};
use cutline_table::Codes;
use proptest::prelude::*;

use crate::support::{blobs, dense, k_means, random_points, starts};

fn patient(clusters: u32) -> KMeans {
    KMeans { tolerance: 0.0, max_iterations: 1000, ..KMeans::new(clusters) }
}

fn categories(codes: Vec<u8>) -> Points {
    let weights = vec![1; codes.len()];
    Points::new(vec![(Axis::categorical(3), Codes::U8(codes))], weights).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn same_as_naive_k_means_on_dense_vectors(seed: u64, rows in 2_usize..60, clusters in 1_usize..12) {
        let points = random_points(seed, rows);
        let clusters = clusters.min(rows);
        let at: Vec<usize> = (0..clusters).map(|cluster| cluster * rows / clusters).collect();
        let vectors = dense(&points);
        let (labels, sum) = k_means(&vectors, points.weights(), starts(&vectors, points.weights(), &at));
        let found = patient(1).fit_from(&points, &Centroids::at_rows(&points, &at).unwrap()).unwrap();
        prop_assert_eq!(found.clusters(), clusters);
        prop_assert_eq!(found.assign(&points).unwrap(), labels);
        prop_assert!((found.sum_of_squares() - sum).abs() < 1e-9);
    }

    #[test]
    fn no_round_raises_the_sum_of_squares(seed: u64, rows in 1_usize..200, clusters in 1_u32..12) {
        let points = random_points(seed, rows);
        let found = KMeans { seed, restarts: 2, ..patient(clusters) }.fit(&points).unwrap();
        prop_assert!(found.history().windows(2).all(|pair| pair[1] <= pair[0] + 1e-9));
        prop_assert!(found.clusters() <= clusters as usize);
    }

    #[test]
    fn every_centroid_is_the_mean_of_its_records(seed: u64, rows in 1_usize..100) {
        let points = random_points(seed, rows);
        let found = KMeans { seed, restarts: 1, ..patient(3) }.fit(&points).unwrap();
        let labels = found.assign(&points).unwrap();
        for cluster in 0..found.clusters() {
            let members: Vec<usize> = (0..rows).filter(|&row| labels[row] == cluster as u32).collect();
            let records = |leaf: Option<u32>| -> u64 {
                let with = members.iter().filter(|&&row| leaf.is_none_or(|leaf| points.codes(2).get(row) == leaf));
                with.map(|&row| points.weights()[row]).sum()
            };
            for (leaf, share) in found.coordinates(cluster, 2).iter().enumerate() {
                let expected = records(Some(leaf as u32)) as f64 / records(None) as f64;
                prop_assert!((share * 2.0_f64.sqrt() - expected).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn finds_separated_groups() {
    let (points, groups) = blobs(&[40, 5, 100, 20], 1);
    let found = KMeans::new(4).fit(&points).unwrap();
    let table = Contingency::new(&groups, &found.assign(&points).unwrap(), points.weights()).unwrap();
    assert_eq!(table.overall_f_measure(), 1.0);
}

#[test]
fn more_starts_are_never_worse() {
    let points = random_points(5, 300);
    let sum = |restarts| KMeans { restarts, ..KMeans::new(8) }.fit(&points).unwrap().sum_of_squares();
    assert!(sum(10) <= sum(3) && sum(3) <= sum(1));
}

#[test]
fn one_cluster_is_the_mean() {
    let axis = Axis::continuous(Scale::new(0.0, 10.0).unwrap(), [Some(0.0), Some(10.0)]);
    let points = Points::new(vec![(axis, Codes::U8(vec![0, 1]))], vec![3, 1]).unwrap();
    let found = KMeans::new(1).fit(&points).unwrap();
    assert_eq!(found.coordinates(0, 0), [0.25]);
    assert_eq!(found.assign(&points).unwrap(), [0, 0]);
    assert_eq!(found.sum_of_squares(), 3.0 * 0.0625 + 0.5625);
}

#[test]
fn a_row_counts_as_often_as_it_has_records() {
    let axis = || Axis::continuous(Scale::new(0.0, 3.0).unwrap(), [0.0, 1.0, 2.5, 3.0].map(Some));
    let short = Points::new(vec![(axis(), Codes::U8(vec![0, 1, 2, 3]))], vec![1, 3, 2, 1]).unwrap();
    let long = Points::new(vec![(axis(), Codes::U8(vec![0, 1, 1, 1, 2, 2, 3]))], vec![1; 7]).unwrap();
    let (short, long) = (patient(2).fit(&short).unwrap(), patient(2).fit(&long).unwrap());
    assert!((short.sum_of_squares() - long.sum_of_squares()).abs() < 1e-12);
}

#[test]
fn fewer_distinct_points_than_clusters_make_fewer_clusters() {
    let points = categories(vec![0, 1, 0, 1, 0]);
    let found = KMeans::new(4).fit(&points).unwrap();
    assert_eq!(found.clusters(), 2);
    assert_eq!(found.sum_of_squares(), 0.0);
    let labels = found.assign(&points).unwrap();
    assert_ne!(labels[0], labels[1]);
    assert_eq!(labels, [labels[0], labels[1], labels[0], labels[1], labels[0]]);
}

#[test]
fn constant_columns_and_single_rows_make_one_cluster() {
    assert_eq!(KMeans::new(3).fit(&categories(vec![2, 2, 2])).unwrap().clusters(), 1);
    assert_eq!(KMeans::new(3).fit(&categories(vec![1])).unwrap().clusters(), 1);
    let none = Points::new(Vec::new(), vec![1, 1]).unwrap();
    assert_eq!(KMeans::new(3).fit(&none).unwrap().assign(&none), Ok(vec![0, 0]));
}

#[test]
fn a_constant_column_changes_nothing() {
    let numbers = || {
        (Axis::continuous(Scale::new(0.0, 1.0).unwrap(), [0.0, 0.1, 0.9, 1.0].map(Some)), Codes::U8(vec![0, 1, 2, 3]))
    };
    let constant = (Axis::categorical(5), Codes::U8(vec![4; 4]));
    let without = Points::new(vec![numbers()], vec![1; 4]).unwrap();
    let with = Points::new(vec![numbers(), constant], vec![1; 4]).unwrap();
    let labels = |points: &Points| KMeans::new(2).fit(points).unwrap().assign(points).unwrap();
    assert_eq!(labels(&with), labels(&without));
}

/// Both starts are the same point: the second cluster is empty and gets the farthest row.
#[test]
fn an_empty_cluster_gets_the_farthest_row() {
    let axis = Axis::continuous(Scale::new(0.0, 1.0).unwrap(), [0.0, 0.1, 0.7, 1.0].map(Some));
    let points = Points::new(vec![(axis, Codes::U8(vec![0, 1, 2, 3]))], vec![1; 4]).unwrap();
    let found = patient(2).fit_from(&points, &Centroids::at_rows(&points, &[0, 0]).unwrap()).unwrap();
    assert_eq!(found.assign(&points).unwrap(), [0, 0, 1, 1]);
}

#[test]
fn rows_without_records_make_no_cluster() {
    let axis = Axis::continuous(Scale::new(0.0, 1.0).unwrap(), [0.0, 0.1, 1.0].map(Some));
    let points = Points::new(vec![(axis, Codes::U8(vec![0, 1, 2]))], vec![1, 1, 0]).unwrap();
    let found = KMeans::new(3).fit(&points).unwrap();
    assert_eq!((found.clusters(), found.sum_of_squares()), (2, 0.0));
}

/// The third row has no number: it follows its category, and the mean of its cluster's numbers is that of the others.
#[test]
fn missing_numbers_neither_attract_nor_move_anything() {
    let axis = Axis::continuous(Scale::new(0.0, 1.0).unwrap(), [Some(0.2), Some(0.8), None]);
    let columns = vec![(axis, Codes::U8(vec![0, 1, 2])), (Axis::categorical(2), Codes::U8(vec![0, 1, 1]))];
    let points = Points::new(columns, vec![1; 3]).unwrap();
    let found = KMeans::new(2).fit(&points).unwrap();
    let labels = found.assign(&points).unwrap();
    assert!(labels[1] == labels[2] && labels[0] != labels[1]);
    assert_eq!(found.coordinates(labels[1] as usize, 0), [0.8]);
    assert_eq!(found.sum_of_squares(), 0.0);
}

#[test]
fn a_column_of_missing_numbers_is_ignored() {
    let nothing = (Axis::continuous(Scale::new(0.0, 1.0).unwrap(), [None]), Codes::U8(vec![0; 3]));
    let columns = vec![nothing, (Axis::categorical(2), Codes::U8(vec![0, 1, 1]))];
    let found = KMeans::new(2).fit(&Points::new(columns, vec![1; 3]).unwrap()).unwrap();
    assert_eq!((found.clusters(), found.sum_of_squares()), (2, 0.0));
}

#[test]
fn settings_that_make_no_sense_are_errors() {
    let points = categories(vec![0, 1]);
    let fails = |method: KMeans| method.fit(&points).unwrap_err();
    assert_eq!(fails(KMeans::new(0)), ClusterError::Zero("clusters"));
    assert_eq!(fails(KMeans { restarts: 0, ..KMeans::new(1) }), ClusterError::Zero("restarts"));
    assert_eq!(fails(KMeans { max_iterations: 0, ..KMeans::new(1) }), ClusterError::Zero("max_iterations"));
    assert_eq!(fails(KMeans { sample: 0, ..KMeans::new(1) }), ClusterError::Zero("sample"));
    assert_eq!(fails(KMeans { tolerance: -1.0, ..KMeans::new(1) }), ClusterError::Tolerance(-1.0));
    assert_eq!(KMeans::new(1).fit(&categories(Vec::new())), Err(ClusterError::Empty));
    assert_eq!(Centroids::at_rows(&points, &[2]), Err(ClusterError::Row { row: 2, rows: 2 }));
}

#[test]
fn k_means_can_start_from_labels_that_are_known() {
    let axis = Axis::continuous(Scale::new(0.0, 10.0).unwrap(), (0..=10).map(|number| Some(f64::from(number))));
    let points = Points::new(vec![(axis, Codes::U8(vec![0, 1, 9, 10]))], vec![1; 4]).unwrap();
    let start = Centroids::of_labels(&points, &[1, 1, 0, 1]).unwrap();
    assert_eq!(start.clusters(), 2);
    assert!((start.coordinates(1, 0)[0] - 11.0 / 30.0).abs() < 1e-12);
    let found = KMeans::new(2).fit_from(&points, &start).unwrap();
    assert_eq!(found.assign(&points).unwrap(), [1, 1, 0, 0]);
    assert!(matches!(Centroids::of_labels(&points, &[0]), Err(ClusterError::Length { .. })));
}
