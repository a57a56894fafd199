//! How many rows would views have at a deeper frontier?

use super::frontier::{Cells, View};

/// How many rows views would have: in proportion to the cells of their attributes, but never more than there are records.
pub(super) struct Growth<'v> {
    /// For each view, its rows now.
    views: Vec<(&'v View, f64)>,
    before: Vec<(usize, usize)>,
    /// The cells of each attribute and those one step finer, as they would be.
    now: Vec<(usize, usize)>,
    records: u64,
}

impl<'v> Growth<'v> {
    pub(super) fn new((before, now): (&Cells, &Cells), views: &'v [View], rows: &[usize], records: u64) -> Self {
        let views = views.iter().zip(rows).map(|(view, &rows)| (view, rows as f64));
        Growth { views: views.collect(), before: before.numbers(), now: now.numbers(), records }
    }

    /// An attribute falls into more cells.
    pub(super) fn add(&mut self, attribute: usize, cells: usize) {
        let (coarse, fine) = &mut self.now[attribute];
        *coarse += cells;
        *fine = (*fine + cells).max(*coarse);
    }

    /// Would there be room for the rows if an attribute fell into so many cells? Then it does.
    pub(super) fn fits(&mut self, attribute: usize, cells: usize, room: u64) -> bool {
        let before = std::mem::replace(&mut self.now[attribute], (cells, cells));
        let fits = self.rows() <= room as f64;
        if !fits {
            self.now[attribute] = before;
        }
        fits
    }

    pub(super) fn rows(&self) -> f64 {
        let ratio = |now: usize, before: usize| now as f64 / before as f64;
        let of_view = |(view, rows): &(&View, f64)| {
            let grown = view.attributes.iter().map(|&a| match view.watched.contains(&a) {
                true => ratio(self.now[a].1, self.before[a].1),
                false => ratio(self.now[a].0, self.before[a].0),
            });
            (rows * grown.product::<f64>()).min(self.records as f64)
        };
        self.views.iter().map(of_view).sum()
    }
}
