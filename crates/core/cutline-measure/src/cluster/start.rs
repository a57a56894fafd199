//! Where k-means starts.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Centroids, Points};

/// k-means++ (Arthur and Vassilvitskii, 2007) for rows with weights: the first centroid is a random record; each
/// further one is a record drawn with a probability proportional to its squared distance from the nearest centroid so
/// far. Stops when no record has a distance, that is when there are fewer distinct points than clusters. `whole` is the
/// cluster of all records.
pub(super) fn plus_plus(
    points: &Points,
    whole: &Centroids,
    clusters: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Centroids {
    let mut rows = vec![any_record(points, random)];
    let mut distances = vec![f64::INFINITY; points.rows()];
    while rows.len() < clusters {
        let latest = whole.around(points, &rows[rows.len() - 1..]);
        for (nearest, distance) in distances.iter_mut().zip(latest.distances(points)) {
            *nearest = nearest.min(distance);
        }
        match far_record(points, &distances, random) {
            Some(row) => rows.push(row),
            None => break,
        }
    }
    whole.around(points, &rows)
}

/// The row of a record, all of them equally probable.
fn any_record(points: &Points, random: &mut Xoshiro256PlusPlus) -> usize {
    let mut record = random.random_range(0..points.records());
    let row = points.weights().iter().position(|&weight| {
        let here = record < weight;
        record = record.saturating_sub(weight);
        here
    });
    row.unwrap_or_default()
}

/// The row of a record, by squared distance; nothing if all distances are 0.
fn far_record(points: &Points, distances: &[f64], random: &mut Xoshiro256PlusPlus) -> Option<usize> {
    let masses = || points.weights().iter().zip(distances).map(|(&weight, distance)| weight as f64 * distance);
    let target = random.random::<f64>() * masses().sum::<f64>();
    let (mut sum, mut chosen) = (0.0, None);
    for (row, mass) in masses().enumerate().filter(|&(_, mass)| mass > 0.0) {
        chosen = Some(row);
        sum += mass;
        if sum > target {
            break;
        }
    }
    chosen
}
