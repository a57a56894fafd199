//! What is it worth to tell the records of a group apart?

use std::ops::{Add, Sub};

use cutline_table::{CompressedTable, Labels};

use super::counts::Part;
use crate::gain::{Moments, Targets, entropy_share};

/// The gain of a split, by purpose. It is a sum over the parts, and each summand is known from counts of the part and of the whole.
pub(super) trait Worth: Sync + Sized {
    /// What counts of a row.
    type Row: Copy + Send + Sync;

    /// What is counted of records.
    type Cell: Copy + Default + Send + Sync + Add<Output = Self::Cell> + Sub<Output = Self::Cell>;

    /// How the rows of a table count.
    fn new(table: &CompressedTable) -> Self;

    /// What counts of the rows of a table.
    fn rows(&self, table: &CompressedTable) -> Vec<Self::Row>;

    /// How many cells the counts of a set of records have.
    fn cells(&self) -> usize;

    /// Counts a row.
    fn count(&self, cells: &mut [Self::Cell], row: &Self::Row, weight: u64);

    /// What a part of a group contributes to the gain of a split, for each record of the group. Its entries lose less by `narrower`.
    fn share(&self, whole: &Part<Self::Cell>, part: &Part<Self::Cell>, narrower: f64) -> f64;

    /// The same quickly, times the records of the group and but for a summand that all splits of a group have in common; nothing where
    /// that is no quicker.
    fn roughly(&self, _part: &Part<Self::Cell>) -> Option<f64> {
        None
    }

    /// Is there anything to gain from splitting these records? (*Beneficial* in the papers.)
    fn beneficial(&self, whole: &Part<Self::Cell>) -> bool;

    /// What is lost with each record that is suppressed: all that could be known of its label.
    fn price(&self, table: &Part<Self::Cell>, attributes: usize) -> f64;
}

/// Purpose `classification`: information gain (2007 paper, equation 2).
pub(super) struct Classes {
    classes: usize,
    /// `n log2(n)` for small numbers.
    products: Vec<f64>,
}

/// Groups of fewer records are the many.
const FEW: usize = 4096;

impl Worth for Classes {
    type Row = u32;
    type Cell = u64;

    fn new(table: &CompressedTable) -> Self {
        let classes = if let Labels::Classes { names, .. } = &table.labels { names.len() } else { 0 };
        let product = |n: usize| if n == 0 { 0.0 } else { n as f64 * (n as f64).log2() };
        Classes { classes, products: (0..FEW).map(product).collect() }
    }

    fn rows(&self, table: &CompressedTable) -> Vec<u32> {
        if let Labels::Classes { codes, .. } = &table.labels { codes.iter().collect() } else { Vec::new() }
    }

    fn cells(&self) -> usize {
        self.classes
    }

    fn count(&self, cells: &mut [u64], class: &u32, weight: u64) {
        cells[*class as usize] += weight;
    }

    fn share(&self, whole: &Part<u64>, part: &Part<u64>, _: f64) -> f64 {
        entropy_share(&whole.cells, part.cells.iter().copied())
    }

    /// A part loses `n log2(n) - sum of c log2(c)` bits, where c of its n records have a class.
    fn roughly(&self, part: &Part<u64>) -> Option<f64> {
        let of_all = *self.products.get(part.records as usize)?;
        Some(part.cells.iter().map(|&records| self.products[records as usize]).sum::<f64>() - of_all)
    }

    fn beneficial(&self, whole: &Part<u64>) -> bool {
        whole.cells.iter().filter(|&&records| records > 0).count() > 1
    }

    /// I(T): the gain of telling all classes.
    fn price(&self, table: &Part<u64>, _: usize) -> f64 {
        let cells = &table.cells;
        let alone = |class: usize| (0..cells.len()).map(move |other| if other == class { cells[class] } else { 0 });
        (0..cells.len()).map(|class| entropy_share(cells, alone(class))).sum()
    }
}

/// Purpose `regression`: reduction of variance.
pub(super) struct Numbers {
    targets: Targets,
}

impl Worth for Numbers {
    type Row = Moments;
    type Cell = Moments;

    fn new(table: &CompressedTable) -> Self {
        Numbers { targets: Targets::new(table) }
    }

    fn rows(&self, table: &CompressedTable) -> Vec<Moments> {
        (0..table.rows()).map(|row| self.targets.of_row(row)).collect()
    }

    fn cells(&self) -> usize {
        1
    }

    fn count(&self, cells: &mut [Moments], row: &Moments, _: u64) {
        cells[0] = cells[0] + *row;
    }

    fn share(&self, whole: &Part<Moments>, part: &Part<Moments>, _: f64) -> f64 {
        whole.cells[0].share(&part.cells[0]) / self.targets.square()
    }

    fn beneficial(&self, whole: &Part<Moments>) -> bool {
        whole.cells[0].scatter() > 0
    }

    fn price(&self, table: &Part<Moments>, _: usize) -> f64 {
        table.cells[0].variance() / self.targets.square()
    }
}

/// Purpose `general`: what LM loses less.
pub(super) struct Distortion;

impl Worth for Distortion {
    type Row = ();
    type Cell = u64;

    fn new(_: &CompressedTable) -> Self {
        Distortion
    }

    fn rows(&self, table: &CompressedTable) -> Vec<()> {
        vec![(); table.rows()]
    }

    /// Records are all that counts.
    fn cells(&self) -> usize {
        0
    }

    fn count(&self, _: &mut [u64], (): &(), _: u64) {}

    fn share(&self, whole: &Part<u64>, part: &Part<u64>, narrower: f64) -> f64 {
        narrower * part.records as f64 / whole.records.max(1) as f64
    }

    fn beneficial(&self, whole: &Part<u64>) -> bool {
        whole.records > 0
    }

    /// Nothing is told of any attribute.
    fn price(&self, _: &Part<u64>, attributes: usize) -> f64 {
        attributes as f64
    }
}
