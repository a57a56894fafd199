//! The number of threads changes nothing.

use cutline_measure::cluster::{Bisecting, Centroids, Clusterer, KMeans, Points};
use rayon::ThreadPoolBuilder;

use crate::support::random_points;

fn same_on_any_number_of_threads(method: &(impl Clusterer + Sync), points: &Points) {
    let run = |threads| -> (Centroids, Vec<u32>) {
        ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            let centroids = method.fit(points).unwrap();
            let labels = centroids.assign(points).unwrap();
            (centroids, labels)
        })
    };
    let one = run(1);
    for threads in [2, 8] {
        assert!(run(threads) == one, "{threads} threads");
    }
    assert!(one.0.clusters() > 3);
}

#[test]
fn k_means_is_the_same_on_any_number_of_threads() {
    let points = random_points(7, 9000);
    same_on_any_number_of_threads(&KMeans { restarts: 3, ..KMeans::new(6) }, &points);
    same_on_any_number_of_threads(&KMeans { restarts: 3, sample: 3000, ..KMeans::new(11) }, &points);
}

#[test]
fn bisecting_is_the_same_on_any_number_of_threads() {
    let points = random_points(8, 9000);
    same_on_any_number_of_threads(&Bisecting::new(6), &points);
    same_on_any_number_of_threads(&Bisecting { sample: 3000, ..Bisecting::new(6) }, &points);
}

#[test]
fn another_seed_is_another_start() {
    let points = random_points(9, 2000);
    let run = |seed| KMeans { seed, restarts: 1, max_iterations: 1, ..KMeans::new(6) }.fit(&points).unwrap();
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}
