//! Least squares on numbers and indicators of nominal values.

use super::{RegressionModel, Regressor, mean};
use crate::classify::{Column, Domain, Feature, Instances, MISSING, Values};

/// Linear least squares by the normal equations.
///
/// A numeric column is one term, a nominal one a term for every value. All terms and the target are centred, and numeric
/// ones scaled to deviation 1; so a missing value, taken as the mean, adds nothing. The ridge makes the equations solvable
/// although the indicators of a column always add up to 1, and is too small to be seen in the result.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearRegression {
    /// What is added to the diagonal, for every row.
    pub ridge: f64,
}

impl Default for LinearRegression {
    fn default() -> Self {
        Self { ridge: 1e-6 }
    }
}

/// What [`LinearRegression`] learned.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearModel {
    terms: Terms,
    intercept: f64,
    coefficients: Vec<f64>,
}

impl LinearRegression {
    /// Learns from every row of the table.
    pub fn model(&self, rows: &Instances<Values>) -> LinearModel {
        let terms = Terms::new(rows);
        let intercept = mean(rows.labels.0.iter().copied());
        let size = terms.means.len();
        let mut products = vec![0.0; size * size];
        let mut right = vec![0.0; size];
        let mut row_terms = Vec::new();
        for (row, target) in rows.labels.0.iter().enumerate() {
            terms.of(&rows.columns, row, &mut row_terms);
            for &(one, x) in &row_terms {
                right[one] += x * (target - intercept);
                for &(other, y) in row_terms.iter().filter(|(other, _)| *other <= one) {
                    products[one * size + other] += x * y;
                }
            }
        }
        // Rows are sparse, centred rows are not: the means are taken out of the sums instead.
        let count = rows.len() as f64;
        for one in 0..size {
            for other in 0..=one {
                products[one * size + other] -= count * terms.means[one] * terms.means[other];
            }
            products[one * size + one] += self.ridge * count.max(1.0);
        }
        solve(&mut products, &mut right);
        LinearModel { terms, intercept, coefficients: right }
    }
}

impl Regressor for LinearRegression {
    fn train(&self, rows: &Instances<Values>) -> Box<dyn RegressionModel> {
        Box::new(self.model(rows))
    }
}

impl RegressionModel for LinearModel {
    fn predict(&self, rows: &Instances<Values>, row: usize) -> f64 {
        let mut row_terms = Vec::new();
        self.terms.of(&rows.columns, row, &mut row_terms);
        let centre: f64 = self.terms.means.iter().zip(&self.coefficients).map(|(mean, it)| mean * it).sum();
        self.intercept - centre + row_terms.iter().map(|&(term, x)| x * self.coefficients[term]).sum::<f64>()
    }
}

/// How cells become terms.
#[derive(Debug, Clone, PartialEq)]
struct Terms {
    columns: Vec<Encoding>,
    /// The mean of every term over the training rows, missing values filled in.
    means: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq)]
enum Encoding {
    /// Terms of a nominal column from `first` on, and the share of every value among the known ones.
    Indicators { first: usize, shares: Vec<f64> },
    /// The term of a numeric column.
    Scaled { term: usize, mean: f64, deviation: f64 },
}

impl Terms {
    fn new(rows: &Instances<Values>) -> Self {
        let mut means = Vec::new();
        let encode = |(column, feature): (&Column, &Feature)| match (column, &feature.domain) {
            (Column::Nominal(codes), Domain::Nominal(values)) => {
                let encoding = Encoding::Indicators { first: means.len(), shares: shares(codes, values.len()) };
                if let Encoding::Indicators { shares, .. } = &encoding {
                    means.extend(shares);
                }
                encoding
            }
            (Column::Numeric(values), _) => {
                let known = || values.iter().copied().filter(|value| !value.is_nan());
                let centre = mean(known());
                let deviation = mean(known().map(|value| (value - centre).powi(2))).sqrt();
                means.push(0.0);
                let deviation = if deviation > 0.0 { deviation } else { 1.0 };
                Encoding::Scaled { term: means.len() - 1, mean: centre, deviation }
            }
            _ => unreachable!("the builder checked the domain"),
        };
        let columns = rows.columns.iter().zip(rows.features.iter()).map(encode).collect();
        Self { columns, means }
    }

    /// The terms of a row that are not 0.
    fn of(&self, columns: &[Column], row: usize, terms: &mut Vec<(usize, f64)>) {
        terms.clear();
        for (encoding, column) in self.columns.iter().zip(columns) {
            match (encoding, column) {
                (Encoding::Scaled { term, mean, deviation }, Column::Numeric(values)) => {
                    if !values[row].is_nan() {
                        terms.push((*term, (values[row] - mean) / deviation));
                    }
                }
                (Encoding::Indicators { first, shares }, Column::Nominal(codes)) => {
                    // A value of test rows only tells as little as a missing one: both are the average value.
                    if codes[row] != MISSING && shares[codes[row] as usize] > 0.0 {
                        terms.push((first + codes[row] as usize, 1.0));
                    } else {
                        terms.extend(shares.iter().enumerate().map(|(value, &share)| (first + value, share)));
                    }
                }
                _ => unreachable!("the columns are those of the training table"),
            }
        }
    }
}

/// The share of each value among the known ones.
fn shares(codes: &[u32], values: usize) -> Vec<f64> {
    let mut counts = vec![0.0; values];
    for &code in codes.iter().filter(|&&code| code != MISSING) {
        counts[code as usize] += 1.0;
    }
    let total: f64 = counts.iter().sum();
    counts.iter().map(|count| if total > 0.0 { count / total } else { 0.0 }).collect()
}

/// Solves a symmetric positive definite system by Cholesky's method; `matrix` has its lower half, `right` becomes the
/// solution.
fn solve(matrix: &mut [f64], right: &mut [f64]) {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let dot: f64 = (0..column).map(|k| matrix[row * size + k] * matrix[column * size + k]).sum();
            let rest = matrix[row * size + column] - dot;
            matrix[row * size + column] =
                if row == column { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / matrix[column * size + column] };
        }
    }
    for row in 0..size {
        let dot: f64 = (0..row).map(|k| matrix[row * size + k] * right[k]).sum();
        right[row] = (right[row] - dot) / matrix[row * size + row];
    }
    for row in (0..size).rev() {
        let dot: f64 = (row + 1..size).map(|k| matrix[k * size + row] * right[k]).sum();
        right[row] = (right[row] - dot) / matrix[row * size + row];
    }
}
