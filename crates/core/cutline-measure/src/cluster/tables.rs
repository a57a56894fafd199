//! Squared distances of codes and of rows from centroids.

use cutline_table::{Code, with_codes};
use rayon::prelude::*;

use super::points::{Column, Points};

/// Rows that are worked on at a time. Sums are over these chunks, in order, so the number must not depend on that of
/// threads.
const CHUNK: usize = 1024;

/// Squared distances of all codes from some centres.
pub(super) struct Distances {
    /// Centres, rounded up to a width that the inner loop is compiled for.
    width: usize,
    centres: usize,
    /// For each attribute, `distances[code * width + centre]`.
    distances: Vec<Vec<f64>>,
}

impl Distances {
    /// For each attribute, `blocks` has the coordinates of one centre after the other.
    pub(super) fn new(points: &Points, centres: usize, blocks: &[Vec<f64>]) -> Self {
        let width = match centres {
            0..=1 => 1,
            2 => 2,
            3..=4 => 4,
            _ => centres.next_multiple_of(8),
        };
        let columns = points.columns().par_iter().zip(blocks).with_min_len(grain(points));
        let distances = columns.map(|(column, block)| code_distances(column, block, width)).collect();
        Distances { width, centres, distances }
    }

    /// Calls `pick` with every row's distances from all centres. What it says about the row goes into `out`; returned
    /// is the sum, over all records, of the distances that it picked.
    pub(super) fn scan<T: Send>(
        &self,
        points: &Points,
        out: &mut [T],
        pick: impl Fn(&[f64]) -> (T, f64) + Sync,
    ) -> f64 {
        let chunks = out.par_chunks_mut(CHUNK).enumerate();
        let sums: Vec<f64> = chunks
            .map_init(Vec::new, |distances, (chunk, out)| {
                let first = chunk * CHUNK;
                self.row_distances(points, first, out.len(), distances);
                let weights = &points.weights()[first..first + out.len()];
                let mut sum = 0.0;
                for ((row, out), &weight) in distances.chunks_exact(self.width).zip(out).zip(weights) {
                    let (said, distance) = pick(&row[..self.centres]);
                    *out = said;
                    sum += weight as f64 * distance;
                }
                sum
            })
            .collect();
        sums.iter().sum()
    }

    fn row_distances(&self, points: &Points, first: usize, rows: usize, distances: &mut Vec<f64>) {
        distances.clear();
        distances.resize(rows * self.width, 0.0);
        for (column, table) in points.columns().iter().zip(&self.distances) {
            with_codes!(&column.codes, codes => {
                let codes = &codes[first..first + rows];
                match self.width {
                    1 => add::<1, _>(distances, table, codes),
                    2 => add::<2, _>(distances, table, codes),
                    4 => add::<4, _>(distances, table, codes),
                    8 => add::<8, _>(distances, table, codes),
                    width => add_wide(distances, table, codes, width),
                }
            });
        }
    }
}

/// Short tables are not worth the threads: all attributes in one piece.
pub(super) fn grain(points: &Points) -> usize {
    if points.rows() <= CHUNK { usize::MAX } else { 1 }
}

/// ‖x − c‖² for every code's point x and every centre c. With S the dimensions where x may differ from 0, that is the
/// sum of c² outside S and of (x − c)² inside S; it is never negative, and exactly 0 where x = c.
fn code_distances(column: &Column, block: &[f64], width: usize) -> Vec<f64> {
    let axis = &column.axis;
    let mut distances = vec![0.0; axis.codes() * width];
    for (index, centre) in block.chunks_exact(axis.space().dimensions().max(1)).enumerate() {
        let norm: f64 = centre.iter().map(|c| c * c).sum();
        for code in 0..axis.codes() {
            let (mut inside, mut covered) = (0.0, 0.0);
            for &(dimension, x) in axis.point(code) {
                let c = centre[dimension as usize];
                inside += (x - c) * (x - c);
                covered += c * c;
            }
            if !axis.point(code).is_empty() {
                distances[code * width + index] = (norm - covered).max(0.0) + inside;
            }
        }
    }
    distances
}

fn add<const WIDTH: usize, C: Code>(distances: &mut [f64], table: &[f64], codes: &[C]) {
    let (table, _) = table.as_chunks::<WIDTH>();
    let (rows, _) = distances.as_chunks_mut::<WIDTH>();
    for (row, code) in rows.iter_mut().zip(codes) {
        let from = &table[code.index()];
        for (sum, distance) in row.iter_mut().zip(from) {
            *sum += distance;
        }
    }
}

fn add_wide<C: Code>(distances: &mut [f64], table: &[f64], codes: &[C], width: usize) {
    for (row, code) in distances.chunks_exact_mut(width).zip(codes) {
        let (row, _) = row.as_chunks_mut::<8>();
        let (from, _) = table[code.index() * width..][..width].as_chunks::<8>();
        for (sums, distances) in row.iter_mut().zip(from) {
            for (sum, distance) in sums.iter_mut().zip(distances) {
                *sum += distance;
            }
        }
    }
}
