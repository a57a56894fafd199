//! Centroids from counts.

use cutline_table::{Code, with_codes};
use rayon::prelude::*;

use super::points::{Column, Points};
use super::tables::grain;

/// Moves every cluster's centroid to the mean of its records. An attribute that is missing in all of them keeps its
/// coordinates.
pub(super) fn move_to_means(points: &Points, labels: &[u32], clusters: usize, blocks: &mut [Vec<f64>]) {
    let columns = points.columns().par_iter().zip(blocks).with_min_len(grain(points));
    columns.for_each(|(column, block)| {
        let counts = count(column, labels, points.weights(), clusters);
        move_block(column, &counts, clusters, block);
    });
}

/// The records of each cluster.
pub(super) fn sizes(labels: &[u32], weights: &[u64], clusters: usize) -> Vec<u64> {
    let mut sizes = vec![0; clusters];
    for (&label, &weight) in labels.iter().zip(weights) {
        sizes[label as usize] += weight;
    }
    sizes
}

/// `counts[code * clusters + cluster]`: records. Whole numbers, so their order does not matter.
fn count(column: &Column, labels: &[u32], weights: &[u64], clusters: usize) -> Vec<u64> {
    let mut counts = vec![0; column.axis.codes() * clusters];
    with_codes!(&column.codes, codes => {
        for ((code, &label), &weight) in codes.iter().zip(labels).zip(weights) {
            counts[code.index() * clusters + label as usize] += weight;
        }
    });
    counts
}

fn move_block(column: &Column, counts: &[u64], clusters: usize, block: &mut [f64]) {
    let dimensions = column.axis.space().dimensions();
    let mut sums = vec![0.0; block.len()];
    let mut known = vec![0_u64; clusters];
    for (code, counts) in counts.chunks_exact(clusters).enumerate() {
        let point = column.axis.point(code);
        for (cluster, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0 && !point.is_empty()) {
            known[cluster] += count;
            for &(dimension, x) in point {
                sums[cluster * dimensions + dimension as usize] += count as f64 * x;
            }
        }
    }
    for (cluster, &known) in known.iter().enumerate().filter(|&(_, &known)| known > 0) {
        let range = cluster * dimensions..(cluster + 1) * dimensions;
        for (coordinate, sum) in block[range.clone()].iter_mut().zip(&sums[range]) {
            *coordinate = sum / known as f64;
        }
    }
}
