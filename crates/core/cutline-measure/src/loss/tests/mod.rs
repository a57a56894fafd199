//! Figures that a person can check.

mod attributes;
mod cases;
mod naive;
mod partition;
mod properties;
mod sample;
mod targets;

use crate::loss::{Losses, Partition};

/// Equal but for rounding.
fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
}
