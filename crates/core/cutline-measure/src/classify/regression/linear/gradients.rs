//! Equations that are too many to write them down.
//!
//! A column of ten thousand names has ten thousand terms. Conjugate gradients (Hestenes and Stiefel, 1952) ask only what the matrix makes of a
//! vector, which is a walk over the rows.

/// The equations are solved well enough once what is left is smaller by this factor, squared.
const ENOUGH: f64 = 1e-20;

/// However slowly they approach the solution.
const MOST_STEPS: usize = 500;

/// Solves a symmetric positive definite system. `diagonal` is that of its matrix, `times` what the matrix makes of a vector.
pub(super) fn solve(diagonal: &[f64], times: impl Fn(&[f64]) -> Vec<f64>, right: Vec<f64>) -> Vec<f64> {
    let scaled = |residual: &[f64]| -> Vec<f64> {
        residual.iter().zip(diagonal).map(|(x, scale)| x / scale.max(f64::MIN_POSITIVE)).collect()
    };
    let mut solution = vec![0.0; right.len()];
    let mut residual = right;
    let mut direction = scaled(&residual);
    let mut left = dot(&residual, &direction);
    let enough = left * ENOUGH;
    for _ in 0..MOST_STEPS {
        if left <= enough {
            break;
        }
        let image = times(&direction);
        let step = left / dot(&direction, &image);
        add(&mut solution, step, &direction);
        add(&mut residual, -step, &image);
        let next = scaled(&residual);
        let after = dot(&residual, &next);
        direction.iter_mut().zip(&next).for_each(|(x, next)| *x = next + after / left * *x);
        left = after;
    }
    solution
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(x, y)| x * y).sum()
}

fn add(to: &mut [f64], times: f64, what: &[f64]) {
    to.iter_mut().zip(what).for_each(|(x, y)| *x += times * y);
}
