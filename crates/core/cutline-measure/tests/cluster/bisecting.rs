//! Bisecting k-means.

use cutline_measure::cluster::{Axis, Bisecting, ClusterError, Clusterer, Contingency, KMeans, Points, SplitFirst};
use cutline_table::Codes;
use proptest::prelude::*;

use crate::support::{blobs, dense, distance, random_points};

fn alike(method: &Bisecting, sizes: &[usize]) -> f64 {
    let (points, groups) = blobs(sizes, 2);
    let labels = method.fit(&points).unwrap().assign(&points).unwrap();
    Contingency::new(&groups, &labels, points.weights()).unwrap().match_point()
}

#[test]
fn finds_separated_groups() {
    assert_eq!(alike(&Bisecting::new(4), &[30, 30, 30, 30]), 1.0);
    assert_eq!(alike(&Bisecting::new(2), &[10, 30]), 1.0);
}

/// With the largest cluster first, the group of 200 is cut up before the two small ones are told apart.
#[test]
fn the_most_scattered_cluster_first_finds_groups_of_any_size() {
    let sizes = [8, 8, 200];
    let scattered = Bisecting { split_first: SplitFirst::MostScattered, ..Bisecting::new(3) };
    assert_eq!(alike(&scattered, &sizes), 1.0);
    assert!(alike(&Bisecting::new(3), &sizes) < 1.0);
}

#[test]
fn two_clusters_are_those_of_two_means() {
    let points = random_points(3, 500);
    let bisecting = Bisecting { trials: 4, seed: 8, ..Bisecting::new(2) }.fit(&points).unwrap();
    let k_means = KMeans { restarts: 4, seed: 9, ..KMeans::new(2) }.fit(&points).unwrap();
    assert_eq!(bisecting.assign(&points), k_means.assign(&points));
}

#[test]
fn fewer_distinct_points_than_clusters_make_fewer_clusters() {
    let points = Points::new(vec![(Axis::categorical(3), Codes::U8(vec![0, 0, 1, 2, 2, 2]))], vec![1; 6]).unwrap();
    let found = Bisecting::new(9).fit(&points).unwrap();
    assert_eq!(found.clusters(), 3);
    assert!(found.sum_of_squares().abs() < 1e-12);
    let one = Bisecting::new(1).fit(&points).unwrap();
    assert_eq!((one.clusters(), one.assign(&points).unwrap()), (1, vec![0; 6]));
}

#[test]
fn settings_that_make_no_sense_are_errors() {
    let points = random_points(0, 3);
    assert_eq!(Bisecting::new(0).fit(&points), Err(ClusterError::Zero("clusters")));
    assert_eq!(Bisecting { trials: 0, ..Bisecting::new(2) }.fit(&points), Err(ClusterError::Zero("trials")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The clusters of n + 1 are those of n, one of them split in two; the sum of squares is that of the assignment.
    #[test]
    fn every_step_splits_one_cluster(seed: u64, rows in 2_usize..120, clusters in 1_u32..7, scattered: bool) {
        let points = random_points(seed, rows);
        let split_first = if scattered { SplitFirst::MostScattered } else { SplitFirst::Largest };
        let run = |clusters| Bisecting { seed, split_first, ..Bisecting::new(clusters) }.fit(&points).unwrap();
        let (fewer, more) = (run(clusters), run(clusters + 1));
        prop_assert!(more.history().windows(2).all(|pair| pair[1] <= pair[0] + 1e-9));
        let (coarse, fine) = (fewer.assign(&points).unwrap(), more.assign(&points).unwrap());
        for (coarse, fine) in coarse.iter().zip(&fine) {
            prop_assert!(coarse == fine || *fine == clusters);
        }
        let table = Contingency::new(&coarse, &fine, points.weights()).unwrap();
        let parts = |row: &Vec<u64>| row.iter().filter(|&&count| count > 0).count();
        prop_assert!(table.counts().iter().filter(|row| parts(row) > 1).count() <= 1);
        prop_assert!(table.masked().iter().all(|&size| size > 0));
        let centre = |label: u32| (0..points.attributes()).map(|a| more.coordinates(label as usize, a)).collect::<Vec<_>>().concat();
        let squares = dense(&points).iter().zip(&fine).map(|(row, &label)| distance(row, &centre(label))).collect::<Vec<_>>();
        let sum: f64 = squares.iter().zip(points.weights()).map(|(square, &weight)| square * weight as f64).sum();
        prop_assert!((more.sum_of_squares() - sum).abs() < 1e-9);
    }
}
