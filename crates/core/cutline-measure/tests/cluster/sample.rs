//! Clusters of a sample.

use cutline_measure::cluster::{Bisecting, Clusterer, Contingency, KMeans, Points};

use crate::support::{blobs, random_points};

#[test]
fn a_sample_finds_the_clusters_of_the_whole_table() {
    let (points, groups) = blobs(&[4000, 3000, 2000, 3000], 3);
    let alike = |labels: Vec<u32>| Contingency::new(&groups, &labels, points.weights()).unwrap().match_point();
    let k_means = KMeans { sample: 500, ..KMeans::new(4) };
    assert_eq!(alike(k_means.fit(&points).unwrap().assign(&points).unwrap()), 1.0);
    let bisecting = Bisecting { sample: 500, ..Bisecting::new(4) };
    assert_eq!(alike(bisecting.fit(&points).unwrap().assign(&points).unwrap()), 1.0);
}

/// A sample of records: the mean of the sample is near the mean of all records, though rows have very different
/// weights.
#[test]
fn a_sample_follows_the_weights() {
    let (points, groups) = blobs(&[2000, 2000], 4);
    let weights = groups.iter().map(|&group| if group == 0 { 9 } else { 1 }).collect();
    let columns = (0..points.attributes()).map(|a| (points.axis(a).clone(), points.codes(a).clone())).collect();
    let points = Points::new(columns, weights).unwrap();
    let mean = |sample| KMeans { sample, ..KMeans::new(1) }.fit(&points).unwrap().coordinates(0, 0)[0];
    assert!((mean(1000) - mean(4000)).abs() < 1e-3);
}

#[test]
fn a_table_no_longer_than_the_sample_is_taken_as_it_is() {
    let points = random_points(1, 100);
    let fit = |sample| KMeans { sample, ..KMeans::new(3) }.fit(&points).unwrap();
    assert_eq!(fit(100), fit(50_000));
    assert_ne!(fit(99), fit(100));
}

#[test]
fn a_sample_of_one_row_makes_one_cluster() {
    let points = random_points(1, 100);
    assert_eq!(KMeans { sample: 1, ..KMeans::new(3) }.fit(&points).unwrap().clusters(), 1);
    assert_eq!(Bisecting { sample: 1, ..Bisecting::new(3) }.fit(&points).unwrap().clusters(), 1);
}

#[test]
fn rows_without_records_are_never_drawn() {
    let (points, groups) = blobs(&[50, 50], 5);
    let weights = groups.iter().map(|&group| u64::from(group)).collect();
    let columns = (0..points.attributes()).map(|a| (points.axis(a).clone(), points.codes(a).clone())).collect();
    let points = Points::new(columns, weights).unwrap();
    let found = KMeans { sample: 60, ..KMeans::new(1) }.fit(&points).unwrap();
    assert!(found.coordinates(0, 0)[0] > 0.09, "only the second group has records");
}
