//! The equations that the coefficients follow from.

use std::ops::Range;

use super::Terms;
use crate::classify::{Instances, Values};

/// The normal equations: products of terms, summed over the rows. Rows are sparse, centred rows are not: the means are taken out of the sums
/// instead.
pub(super) struct Equations<'a> {
    pub(super) rows: &'a Instances<Values>,
    pub(super) terms: &'a Terms,
    pub(super) ridge: f64,
}

impl Equations<'_> {
    fn size(&self) -> usize {
        self.terms.means.len()
    }

    /// The terms of each row that are not 0, and its target.
    fn each_row(&self, mut look: impl FnMut(&[(usize, f64)], f64)) {
        let mut row_terms = Vec::new();
        for (row, target) in self.rows.labels.0.iter().enumerate() {
            self.terms.of(&self.rows.columns, row, &mut row_terms);
            look(&row_terms, *target);
        }
    }

    pub(super) fn right(&self, intercept: f64) -> Vec<f64> {
        let mut right = vec![0.0; self.size()];
        self.each_row(|terms, target| terms.iter().for_each(|&(term, x)| right[term] += x * (target - intercept)));
        right
    }

    /// The lower half of the matrix.
    pub(super) fn matrix(&self) -> Vec<f64> {
        let size = self.size();
        let mut products = vec![0.0; size * size];
        self.each_row(|terms, _| {
            for &(one, x) in terms {
                for &(other, y) in terms.iter().filter(|(other, _)| *other <= one) {
                    products[one * size + other] += x * y;
                }
            }
        });
        let (count, means) = (self.rows.len() as f64, &self.terms.means);
        for one in 0..size {
            for other in 0..=one {
                products[one * size + other] -= count * means[one] * means[other];
            }
            products[one * size + one] += self.ridge * count.max(1.0);
        }
        products
    }

    pub(super) fn diagonal(&self) -> Vec<f64> {
        let mut squares = vec![0.0; self.size()];
        self.each_row(|terms, _| terms.iter().for_each(|&(term, x)| squares[term] += x * x));
        let count = self.rows.len() as f64;
        let centred = |(square, mean): (f64, &f64)| square - count * mean * mean + self.ridge * count.max(1.0);
        squares.into_iter().zip(&self.terms.means).map(centred).collect()
    }

    /// What the matrix makes of a vector. A missing value is the mean, which is 0 once it is centred: only known ones are looked at.
    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let Terms { columns, means } = self.terms;
        let weighed = |terms: Range<usize>| terms.map(|term| means[term] * vector[term]).sum::<f64>();
        let centres: Vec<f64> = columns.iter().map(|column| weighed(column.terms())).collect();
        let ridge = self.ridge * (self.rows.len() as f64).max(1.0);
        let mut product: Vec<f64> = vector.iter().map(|x| ridge * x).collect();
        let mut sums = vec![0.0; columns.len()];
        for row in 0..self.rows.len() {
            let known =
                || (0..columns.len()).filter_map(|at| Some((at, columns[at].known(&self.rows.columns[at], row)?)));
            let sum: f64 = known().map(|(at, (term, x))| x * vector[term] - centres[at]).sum();
            for (at, (term, x)) in known() {
                product[term] += x * sum;
                sums[at] += sum;
            }
        }
        for (column, sum) in columns.iter().zip(&sums) {
            column.terms().for_each(|term| product[term] -= means[term] * sum);
        }
        product
    }
}
