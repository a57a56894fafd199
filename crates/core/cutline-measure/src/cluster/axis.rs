//! Where a code lies.

use std::f64::consts::FRAC_1_SQRT_2;

use serde::{Deserialize, Serialize};

use super::ClusterError;

/// The range of a continuous attribute, which becomes [0, 1].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// A range. If its ends are equal, the attribute is constant and everything lies at 0.
    ///
    /// # Errors
    /// If an end is not finite, or the lower one is above the upper one.
    pub fn new(low: f64, high: f64) -> Result<Self, ClusterError> {
        if (high - low).is_finite() && low <= high {
            Ok(Scale { low, high })
        } else {
            Err(ClusterError::Scale { low, high })
        }
    }

    /// Numbers outside the range keep their distance: they lie below 0 or above 1.
    fn apply(self, number: f64) -> f64 {
        if self.high > self.low { (number - self.low) / (self.high - self.low) } else { 0.0 }
    }
}

/// What one attribute adds to the distance of two records. Raw and masked values can be compared if they are in the
/// same space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Space {
    /// One dimension.
    Continuous(Scale),
    /// A dimension for each leaf.
    Categorical {
        /// The number of leaves, the one for "missing" included.
        leaves: u32,
    },
}

impl Space {
    /// The number of dimensions.
    pub fn dimensions(self) -> usize {
        match self {
            Space::Continuous(_) => 1,
            Space::Categorical { leaves } => leaves as usize,
        }
    }
}

/// The points of an attribute's codes, as sparse vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    space: Space,
    /// The entries of code *c* are those from `starts[c]` to `starts[c + 1]`.
    starts: Vec<usize>,
    /// (dimension, coordinate), by ascending dimension. A code without entries has no point: its value is missing.
    entries: Vec<(u32, f64)>,
}

impl Axis {
    /// Numbers, one for each code. `None` and numbers that are not finite are missing.
    pub fn continuous(scale: Scale, numbers: impl IntoIterator<Item = Option<f64>>) -> Self {
        let mut axis = Axis::empty(Space::Continuous(scale));
        for number in numbers {
            let scaled = number.map(|number| scale.apply(number)).filter(|scaled| scaled.is_finite());
            axis.push(scaled.map(|scaled| (0, scaled)));
        }
        axis
    }

    /// Intervals (lower end, upper end), one for each code. An interval lies at its midpoint.
    pub fn intervals(scale: Scale, intervals: impl IntoIterator<Item = Option<(f64, f64)>>) -> Self {
        Axis::continuous(scale, intervals.into_iter().map(|ends| ends.map(|(low, high)| low + (high - low) / 2.0)))
    }

    /// Categories: the code is the leaf. If values are missing, "missing" is one of the leaves.
    pub fn categorical(leaves: u32) -> Self {
        let mut axis = Axis::empty(Space::Categorical { leaves });
        for leaf in 0..leaves {
            axis.push([(leaf, FRAC_1_SQRT_2)]);
        }
        axis
    }

    /// Masked categories: the leaves below each code, which are equally probable as far as a reader knows. A code with
    /// a single leaf lies where that leaf lies in [`Axis::categorical`]; one without leaves is missing, as a number can
    /// be.
    ///
    /// # Errors
    /// If there is no such leaf.
    pub fn generalized<S>(leaves: u32, sets: impl IntoIterator<Item = S>) -> Result<Self, ClusterError>
    where
        S: IntoIterator<Item = u32>,
    {
        let mut axis = Axis::empty(Space::Categorical { leaves });
        for set in sets {
            let mut below: Vec<u32> = set.into_iter().collect();
            below.sort_unstable();
            below.dedup();
            if let Some(&leaf) = below.last().filter(|&&leaf| leaf >= leaves) {
                return Err(ClusterError::Leaf { leaf, leaves });
            }
            let coordinate = FRAC_1_SQRT_2 / below.len() as f64;
            axis.push(below.into_iter().map(|leaf| (leaf, coordinate)));
        }
        Ok(axis)
    }

    fn empty(space: Space) -> Self {
        Axis { space, starts: vec![0], entries: Vec::new() }
    }

    fn push(&mut self, point: impl IntoIterator<Item = (u32, f64)>) {
        self.entries.extend(point);
        self.starts.push(self.entries.len());
    }

    /// The space that the points lie in.
    pub fn space(&self) -> Space {
        self.space
    }

    /// The number of codes.
    pub fn codes(&self) -> usize {
        self.starts.len() - 1
    }

    /// A code's point: (dimension, coordinate) where the coordinate may differ from 0, by ascending dimension. Empty if
    /// missing.
    ///
    /// # Panics
    /// If there is no such code.
    pub fn point(&self, code: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[code]..self.starts[code + 1]]
    }

    /// The axis with some of its codes only, in the given order.
    pub(super) fn select(&self, codes: impl IntoIterator<Item = usize>) -> Self {
        let mut axis = Axis::empty(self.space);
        for code in codes {
            axis.push(self.point(code).iter().copied());
        }
        axis
    }
}
