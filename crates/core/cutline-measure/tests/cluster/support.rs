//! Random mixed tables, the same as dense vectors, and k-means as in a text book.

use cutline_measure::cluster::{Axis, Points, Scale};
use cutline_table::Codes;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A record as one long vector. Coordinates of missing values are `None`.
pub(crate) type Dense = Vec<Option<f64>>;

/// Two numbers (the second one missing at times), a category and a masked category.
pub(crate) fn random_points(seed: u64, rows: usize) -> Points {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let scale = Scale::new(-1.0, 3.0).unwrap();
    let first: Vec<_> = (0..rows).map(|_| Some(random.random_range(-1.0..3.0))).collect();
    let second = [Some(-0.7), None, Some(0.1), Some(1.3), Some(2.9)];
    let sets = [vec![0], vec![1], vec![2, 3], vec![4, 5, 6], (0..7).collect()];
    let mut codes = |distinct: u8| Codes::U8((0..rows).map(|_| random.random_range(0..distinct)).collect());
    let columns = vec![
        (Axis::continuous(scale, first), Codes::U32((0..rows as u32).collect())),
        (Axis::continuous(scale, second), codes(5)),
        (Axis::categorical(4), codes(4)),
        (Axis::generalized(7, sets).unwrap(), codes(5)),
    ];
    let weights = (0..rows).map(|_| random.random_range(1..5)).collect();
    Points::new(columns, weights).unwrap()
}

/// All coordinates of all rows.
pub(crate) fn dense(points: &Points) -> Vec<Dense> {
    (0..points.rows())
        .map(|row| {
            let mut vector = Vec::new();
            for attribute in 0..points.attributes() {
                let axis = points.axis(attribute);
                let point = axis.point(points.codes(attribute).get(row) as usize);
                let mut block = vec![if point.is_empty() { None } else { Some(0.0) }; axis.space().dimensions()];
                point.iter().for_each(|&(dimension, x)| block[dimension as usize] = Some(x));
                vector.extend(block);
            }
            vector
        })
        .collect()
}

/// Squared Euclidean distance over the coordinates that are known.
pub(crate) fn distance(row: &Dense, centre: &[f64]) -> f64 {
    row.iter().zip(centre).filter_map(|(x, c)| x.map(|x| (x - c) * (x - c))).sum()
}

/// The nearest centre and its distance.
fn nearest(row: &Dense, centres: &[Vec<f64>]) -> (usize, f64) {
    let all = centres.iter().map(|centre| distance(row, centre)).enumerate();
    all.reduce(|best, other| if other.1 < best.1 { other } else { best }).unwrap()
}

/// The mean of the known coordinates of some rows; where there are none, that of `otherwise`.
fn mean(rows: &[(&Dense, u64)], otherwise: &[f64]) -> Vec<f64> {
    let coordinate = |dimension: usize| {
        let known = rows.iter().filter_map(|(row, weight)| row[dimension].map(|x| (x, *weight as f64)));
        let (sum, count) = known.fold((0.0, 0.0), |(sum, count), (x, weight)| (sum + x * weight, count + weight));
        if count > 0.0 { sum / count } else { otherwise[dimension] }
    };
    (0..otherwise.len()).map(coordinate).collect()
}

/// Centres at some rows. What is missing there is at the mean of all rows.
pub(crate) fn starts(rows: &[Dense], weights: &[u64], at: &[usize]) -> Vec<Vec<f64>> {
    let all: Vec<_> = rows.iter().zip(weights.iter().copied()).collect();
    let whole = mean(&all, &vec![0.0; rows[0].len()]);
    at.iter().map(|&row| rows[row].iter().zip(&whole).map(|(x, mean)| x.unwrap_or(*mean)).collect()).collect()
}

/// k-means until nothing changes. Returns labels and sum of squares.
pub(crate) fn k_means(rows: &[Dense], weights: &[u64], mut centres: Vec<Vec<f64>>) -> (Vec<u32>, f64) {
    let mut labels = vec![usize::MAX; rows.len()];
    loop {
        let near: Vec<_> = rows.iter().map(|row| nearest(row, &centres)).collect();
        if near.iter().map(|&(label, _)| label).eq(labels.iter().copied()) {
            let sum = near.iter().zip(weights).map(|(&(_, distance), &weight)| distance * weight as f64).sum();
            return (labels.iter().map(|&label| label as u32).collect(), sum);
        }
        labels = near.iter().map(|&(label, _)| label).collect();
        fill(&mut labels, &near, centres.len());
        for (cluster, centre) in centres.iter_mut().enumerate() {
            let members: Vec<_> = (0..rows.len()).filter(|&row| labels[row] == cluster).collect();
            *centre = mean(&members.iter().map(|&row| (&rows[row], weights[row])).collect::<Vec<_>>(), centre);
        }
    }
}

/// Empty clusters get the farthest row that is not alone.
fn fill(labels: &mut [usize], near: &[(usize, f64)], clusters: usize) {
    let mut moved = vec![false; labels.len()];
    for cluster in 0..clusters {
        let size = |label: usize, labels: &[usize]| labels.iter().filter(|&&other| other == label).count();
        if size(cluster, labels) == 0 {
            let free =
                (0..labels.len()).filter(|&row| !moved[row] && size(labels[row], labels) > 1 && near[row].1 > 0.0);
            let Some(row) = free.reduce(|best, row| if near[row].1 > near[best].1 { row } else { best }) else {
                return;
            };
            labels[row] = cluster;
            moved[row] = true;
        }
    }
}

/// Well separated groups of rows, in two numbers: group *g* is around (g, g²) / 10.
pub(crate) fn blobs(sizes: &[usize], seed: u64) -> (Points, Vec<u32>) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let groups: Vec<u32> = sizes.iter().enumerate().flat_map(|(group, &size)| vec![group as u32; size]).collect();
    let scale = Scale::new(0.0, 10.0).unwrap();
    let mut axis = |power: i32| {
        let numbers: Vec<_> =
            groups.iter().map(|&g| Some(f64::from(g).powi(power) + random.random_range(-0.05..0.05))).collect();
        (Axis::continuous(scale, numbers), Codes::U32((0..groups.len() as u32).collect()))
    };
    let columns = vec![axis(1), axis(2)];
    (Points::new(columns, vec![1; groups.len()]).unwrap(), groups)
}
