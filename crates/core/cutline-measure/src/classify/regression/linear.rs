//! Least squares on numbers and indicators of nominal values.

mod equations;
mod gradients;

use std::ops::Range;

use super::{RegressionModel, Regressor, mean};
use crate::classify::{Column, Domain, Feature, Instances, MISSING, Values};
use equations::Equations;

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
        self.model_by(rows, MOST_TERMS)
    }

    /// The same, where no more equations than these are written down.
    fn model_by(&self, rows: &Instances<Values>, most: usize) -> LinearModel {
        let terms = Terms::new(rows);
        let intercept = mean(rows.labels.0.iter().copied());
        let equations = Equations { rows, terms: &terms, ridge: self.ridge };
        let mut right = equations.right(intercept);
        let coefficients = if right.len() <= most {
            solve(&mut equations.matrix(), &mut right);
            right
        } else {
            gradients::solve(&equations.diagonal(), |vector| equations.times(vector), right)
        };
        LinearModel { terms, intercept, coefficients }
    }
}

/// More equations are not written down: a square of them would take gigabytes, and its cube for ever.
const MOST_TERMS: usize = 1_500;

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

impl Encoding {
    fn terms(&self) -> Range<usize> {
        match self {
            Encoding::Indicators { first, shares } => *first..first + shares.len(),
            Encoding::Scaled { term, .. } => *term..term + 1,
        }
    }

    /// The only term of a row that is not 0, if its value is known.
    fn known(&self, column: &Column, row: usize) -> Option<(usize, f64)> {
        match (self, column) {
            (Encoding::Scaled { term, mean, deviation }, Column::Numeric(values)) => {
                (!values[row].is_nan()).then(|| (*term, (values[row] - mean) / deviation))
            }
            // A value of test rows only tells as little as a missing one: both are the average value.
            (Encoding::Indicators { first, shares }, Column::Nominal(codes)) => {
                let is_known = codes[row] != MISSING && shares[codes[row] as usize] > 0.0;
                is_known.then(|| (first + codes[row] as usize, 1.0))
            }
            _ => unreachable!("the columns are those of the training table"),
        }
    }
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
            match (encoding.known(column, row), encoding) {
                (Some(known), _) => terms.push(known),
                (None, Encoding::Indicators { first, shares }) => {
                    terms.extend(shares.iter().enumerate().map(|(value, &share)| (first + value, share)));
                }
                (None, Encoding::Scaled { .. }) => {}
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::{FeatureKind, InstancesBuilder};

    /// Rows with a number and names of some kinds, some of them missing, and a target that depends on all.
    fn table(names: [usize; 2], rows: usize) -> Instances<Values> {
        let (a, b) = (|row: usize| row * 7919 % names[0], |row: usize| row * 104_729 % names[1]);
        let x: Vec<String> = (0..rows).map(|row| (row * 31 % 97).to_string()).collect();
        let name = |row: usize| (!row.is_multiple_of(50)).then(|| format!("b{}", b(row)));
        let target = |row: usize| (row * 31 % 97 * 3 + a(row) % 11 + b(row) % 7 + row % 3) as f64;
        InstancesBuilder::new()
            .column("x", FeatureKind::Numeric, x.iter().map(Some))
            .and_then(|table| {
                table.column("a", FeatureKind::Nominal, (0..rows).map(|row| Some(format!("a{}", a(row)))))
            })
            .and_then(|table| table.column("b", FeatureKind::Nominal, (0..rows).map(name)))
            .and_then(|table| table.values((0..rows).map(target)))
            .unwrap()
    }

    #[test]
    fn equations_that_are_not_written_down_have_the_same_solution() {
        for (names, rows) in [([5, 7], 300), ([40, 91], 2_000), ([3, 1], 50)] {
            let table = table(names, rows);
            let [written, unwritten] = [usize::MAX, 0].map(|most| LinearRegression::default().model_by(&table, most));
            for row in 0..rows {
                let difference = (written.predict(&table, row) - unwritten.predict(&table, row)).abs();
                assert!(difference < 1e-4, "{names:?}, row {row}: {difference}");
            }
        }
    }

    #[test]
    fn columns_of_very_many_names_are_learned_from() {
        // Some 20,000 terms: written down they would take three gigabytes.
        let table = table([12_001, 9_000], 24_000);
        let model = LinearRegression::default().model(&table);
        assert!(crate::classify::r_squared(&model, &table) > 0.99);
    }
}
