//! The middles of clusters.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::means::move_to_means;
use super::tables::Distances;
use super::tree::Tree;
use super::{ClusterError, Points, Space};

/// The centroids of some clusters, and the rule that gives every record its cluster.
///
/// After k-means that is the cluster with the nearest centroid, the first one of several. After bisecting k-means a
/// record goes down the splits, at each of them to the nearer half.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Centroids {
    spaces: Vec<Space>,
    /// For each attribute, the coordinates of one centre after the other.
    blocks: Vec<Vec<f64>>,
    /// Each cluster's centre. With splits there are also centres of clusters that were split later.
    centre_of: Vec<usize>,
    centres: usize,
    tree: Option<Tree>,
    pub(super) history: Vec<f64>,
}

impl Centroids {
    /// One cluster: all records and their mean.
    pub(super) fn whole(points: &Points) -> Self {
        let mut blocks: Vec<_> = points.spaces().map(|space| vec![0.0; space.dimensions()]).collect();
        move_to_means(points, &vec![0; points.rows()], 1, &mut blocks);
        Centroids {
            spaces: points.spaces().collect(),
            blocks,
            centre_of: vec![0],
            centres: 1,
            tree: None,
            history: Vec::new(),
        }
    }

    /// Clusters around the given rows, to start k-means from. Where a row's value is missing, its centroid has the mean
    /// of all records.
    ///
    /// # Errors
    /// If there are no records or no such row.
    pub fn at_rows(points: &Points, rows: &[usize]) -> Result<Self, ClusterError> {
        if let Some(&row) = rows.iter().find(|&&row| row >= points.rows()) {
            return Err(ClusterError::Row { row, rows: points.rows() });
        }
        if rows.is_empty() || points.records() == 0 {
            return Err(ClusterError::Empty);
        }
        Ok(Centroids::whole(points).around(points, rows))
    }

    /// The clusters of a labelling that is known already, to start k-means from: those of the raw records for the masked ones.
    ///
    /// # Errors
    /// If there are no records, or not as many labels as rows.
    pub fn of_labels(points: &Points, labels: &[u32]) -> Result<Self, ClusterError> {
        if labels.len() != points.rows() {
            return Err(ClusterError::Length { what: "labels", found: labels.len(), rows: points.rows() });
        }
        let clusters = labels.iter().max().map_or(0, |&label| label as usize + 1);
        if clusters == 0 || points.records() == 0 {
            return Err(ClusterError::Empty);
        }
        // A cluster without a known value of an attribute has the mean of all records there.
        let mut centroids = Centroids::whole(points).select(&vec![0; clusters]);
        centroids.follow(points, labels);
        Ok(centroids)
    }

    /// `self` is what rows with missing values have there instead: one cluster.
    pub(super) fn around(&self, points: &Points, rows: &[usize]) -> Self {
        let mut centroids = self.select(&vec![0; rows.len()]);
        for (column, block) in points.columns().iter().zip(&mut centroids.blocks) {
            let dimensions = column.axis.space().dimensions();
            for (&row, centre) in rows.iter().zip(block.chunks_exact_mut(dimensions.max(1))) {
                let point = column.axis.point(column.codes.get(row) as usize);
                if !point.is_empty() {
                    centre.fill(0.0);
                }
                for &(dimension, x) in point {
                    centre[dimension as usize] = x;
                }
            }
        }
        centroids
    }

    /// Some of the clusters, without splits: a record then belongs to the nearest one.
    pub(super) fn select(&self, clusters: &[usize]) -> Self {
        let block = |attribute| {
            clusters.iter().flat_map(move |&cluster| self.coordinates(cluster, attribute)).copied().collect()
        };
        Centroids {
            spaces: self.spaces.clone(),
            blocks: (0..self.spaces.len()).map(block).collect(),
            centre_of: (0..clusters.len()).collect(),
            centres: clusters.len(),
            tree: None,
            history: self.history.clone(),
        }
    }

    /// Splits a cluster in two halves.
    pub(super) fn split(&mut self, cluster: usize, halves: &Centroids) {
        let tree = self.tree.get_or_insert_with(|| {
            self.blocks.iter_mut().for_each(Vec::clear);
            self.centres = 0;
            Tree::default()
        });
        tree.split(cluster as u32);
        for (block, halves) in self.blocks.iter_mut().zip(&halves.blocks) {
            block.extend(halves);
        }
        self.centre_of[cluster] = self.centres;
        self.centre_of.push(self.centres + 1);
        self.centres += 2;
    }

    /// The number of clusters.
    pub fn clusters(&self) -> usize {
        self.centre_of.len()
    }

    /// A centroid's coordinates in the dimensions of an attribute. For a category that is the share of records that
    /// have it, divided by √2.
    ///
    /// # Panics
    /// If there is no such cluster or attribute.
    pub fn coordinates(&self, cluster: usize, attribute: usize) -> &[f64] {
        let dimensions = self.spaces[attribute].dimensions();
        let range: Range<usize> = self.centre_of[cluster] * dimensions..(self.centre_of[cluster] + 1) * dimensions;
        &self.blocks[attribute][range]
    }

    /// The sum of the squared distances of all records that were clustered (the sample, if there was one) from their
    /// centroids. 0 before k-means.
    pub fn sum_of_squares(&self) -> f64 {
        self.history.last().copied().unwrap_or_default()
    }

    /// The sum of squares at the start and after every round, or every split. It never rises, but for rounding.
    pub fn history(&self) -> &[f64] {
        &self.history
    }

    /// The cluster of each row. The table may be another one than the clustered one, such as the whole table after a
    /// sample.
    ///
    /// # Errors
    /// If the table is in another space.
    pub fn assign(&self, points: &Points) -> Result<Vec<u32>, ClusterError> {
        self.check(points)?;
        let mut labels = vec![0; points.rows()];
        self.label(points, &mut labels);
        Ok(labels)
    }

    pub(super) fn check(&self, points: &Points) -> Result<(), ClusterError> {
        let differs = points.spaces().zip(&self.spaces).position(|(one, other)| one != *other);
        let shorter = points.attributes().min(self.spaces.len());
        match differs.or((points.attributes() != self.spaces.len()).then_some(shorter)) {
            Some(attribute) => Err(ClusterError::OtherSpace { attribute }),
            None => Ok(()),
        }
    }

    /// Writes the cluster of each row and returns the sum of squares.
    pub(super) fn label(&self, points: &Points, labels: &mut [u32]) -> f64 {
        let tables = Distances::new(points, self.centres, &self.blocks);
        match &self.tree {
            None => tables.scan(points, labels, nearest),
            Some(tree) => tables.scan(points, labels, |distances| tree.descend(distances)),
        }
    }

    /// Each row's squared distance from its centroid.
    pub(super) fn distances(&self, points: &Points) -> Vec<f64> {
        let mut out = vec![0.0; points.rows()];
        Distances::new(points, self.centres, &self.blocks).scan(points, &mut out, |distances| {
            let (_, distance) = nearest(distances);
            (distance, distance)
        });
        out
    }

    /// Moves every centroid to the mean of the rows with its label.
    pub(super) fn follow(&mut self, points: &Points, labels: &[u32]) {
        move_to_means(points, labels, self.centres, &mut self.blocks);
    }
}

/// The first of the nearest centres, and its distance.
fn nearest(distances: &[f64]) -> (u32, f64) {
    let mut best = (0, distances[0]);
    for (centre, &distance) in distances.iter().enumerate().skip(1) {
        if distance < best.1 {
            best = (centre as u32, distance);
        }
    }
    best
}
