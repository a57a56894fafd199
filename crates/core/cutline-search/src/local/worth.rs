//! What is it worth to tell the records of a group apart?

use std::ops::{Add, Sub};

use cutline_table::{CompressedTable, Labels};

use crate::gain::{Moments, Targets, entropy_share};

/// The gain of a split, by purpose. It is a sum over the parts, and each summand is known from counts of the part and of the whole.
pub(super) trait Worth: Sync + Sized {
    /// What is counted of records.
    type Cell: Copy + Default + Send + Sync + Add<Output = Self::Cell> + Sub<Output = Self::Cell>;

    /// How the rows of a table count.
    fn new(table: &CompressedTable) -> Self;

    /// How many cells the counts of a set of records have.
    fn cells(&self) -> usize;

    /// The cell that a row counts in, and what it adds.
    fn count(&self, row: usize, weight: u64) -> (usize, Self::Cell);

    /// What a part of a group contributes to the gain of a split, for each record of the group. Its entries lose less by `narrower`.
    fn share(&self, whole: &[Self::Cell], part: &[Self::Cell], narrower: f64) -> f64;

    /// Is there anything to gain from splitting these records? (*Beneficial* in the papers.)
    fn beneficial(&self, whole: &[Self::Cell]) -> bool;

    /// What is lost with each record that is suppressed: all that could be known of its label.
    fn price(&self, table: &[Self::Cell], attributes: usize) -> f64;
}

/// Purpose `classification`: information gain (2007 paper, equation 2).
pub(super) struct Classes {
    classes: usize,
    of_row: Vec<u32>,
}

impl Worth for Classes {
    type Cell = u64;

    fn new(table: &CompressedTable) -> Self {
        match &table.labels {
            Labels::Classes { names, codes } => Classes { classes: names.len(), of_row: codes.iter().collect() },
            _ => Classes { classes: 0, of_row: Vec::new() },
        }
    }

    fn cells(&self) -> usize {
        self.classes
    }

    fn count(&self, row: usize, weight: u64) -> (usize, u64) {
        (self.of_row[row] as usize, weight)
    }

    fn share(&self, whole: &[u64], part: &[u64], _: f64) -> f64 {
        entropy_share(whole, part.iter().copied())
    }

    fn beneficial(&self, whole: &[u64]) -> bool {
        whole.iter().filter(|&&records| records > 0).count() > 1
    }

    /// I(T): the gain of telling all classes.
    fn price(&self, table: &[u64], _: usize) -> f64 {
        let alone = |class: usize| (0..table.len()).map(move |other| if other == class { table[class] } else { 0 });
        (0..table.len()).map(|class| entropy_share(table, alone(class))).sum()
    }
}

/// Purpose `regression`: reduction of variance.
pub(super) struct Numbers {
    targets: Targets,
}

impl Worth for Numbers {
    type Cell = Moments;

    fn new(table: &CompressedTable) -> Self {
        Numbers { targets: Targets::new(table) }
    }

    fn cells(&self) -> usize {
        1
    }

    fn count(&self, row: usize, _: u64) -> (usize, Moments) {
        (0, self.targets.of_row(row))
    }

    fn share(&self, whole: &[Moments], part: &[Moments], _: f64) -> f64 {
        whole[0].share(&part[0]) / self.targets.square()
    }

    fn beneficial(&self, whole: &[Moments]) -> bool {
        whole[0].scatter() > 0
    }

    fn price(&self, table: &[Moments], _: usize) -> f64 {
        table[0].variance() / self.targets.square()
    }
}

/// Purpose `general`: what LM loses less.
pub(super) struct Distortion;

impl Worth for Distortion {
    type Cell = u64;

    fn new(_: &CompressedTable) -> Self {
        Distortion
    }

    fn cells(&self) -> usize {
        1
    }

    fn count(&self, _: usize, weight: u64) -> (usize, u64) {
        (0, weight)
    }

    fn share(&self, whole: &[u64], part: &[u64], narrower: f64) -> f64 {
        narrower * part[0] as f64 / whole[0].max(1) as f64
    }

    fn beneficial(&self, whole: &[u64]) -> bool {
        whole[0] > 0
    }

    /// Nothing is told of any attribute.
    fn price(&self, _: &[u64], attributes: usize) -> f64 {
        attributes as f64
    }
}
