//! How long a large table takes. `cargo test --release -p cutline-measure --test cluster -- --ignored --nocapture`

use std::time::Instant;

use cutline_measure::cluster::{Axis, Bisecting, Clusterer, KMeans, Points, Scale};
use cutline_table::Codes;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Rows in six groups, with as many attributes and values as Adult has.
fn table(rows: usize) -> Points {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let groups: Vec<u32> = (0..rows).map(|_| random.random_range(0..6)).collect();
    let mut codes = |distinct: u32| {
        let codes = groups.iter().map(|group| (group * distinct / 6 + random.random_range(0..distinct)) / 2 % distinct);
        Codes::from_codes(codes, distinct as usize)
    };
    let mut columns = Vec::new();
    for distinct in [74, 121, 97, 16, 26_741, 96_u32] {
        let scale = Scale::new(0.0, f64::from(distinct - 1)).unwrap();
        columns.push((Axis::continuous(scale, (0..distinct).map(|code| Some(f64::from(code)))), codes(distinct)));
    }
    columns.extend([16, 7, 40, 14, 5, 6, 2, 8].map(|leaves| (Axis::categorical(leaves), codes(leaves))));
    Points::new(columns, vec![1; rows]).unwrap()
}

#[test]
#[ignore = "takes seconds without optimization"]
fn a_million_rows() {
    let points = table(1_000_000);
    let methods: [(&str, &dyn Clusterer); 2] = [("k-means", &KMeans::new(6)), ("bisecting", &Bisecting::new(6))];
    for (name, method) in methods {
        let start = Instant::now();
        let centroids = method.fit(&points).unwrap();
        let fitted = start.elapsed();
        let labels = centroids.assign(&points).unwrap();
        let rounds = centroids.history().len() - 1;
        println!("{name}: fit {fitted:.0?} (best run {rounds} steps), assign {:.0?}", start.elapsed() - fitted);
        assert_eq!(labels.len(), points.rows());
    }
}
