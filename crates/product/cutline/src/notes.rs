//! What the first pass notices about the records, told to whoever watches.

use cutline_engine::{CellKind, Column, Direction, Watch};

use crate::Observer;

/// Watches the first pass, and tells whose values follow from the positions of records, and which persons have several.
pub(crate) struct Notes<'a> {
    pub(crate) observer: &'a dyn Observer,
    /// The names of all columns.
    pub(crate) names: &'a [String],
    /// Columns whose values must not follow from the positions of records, and what they are.
    pub(crate) watched: &'a [(usize, &'static str)],
}

/// Of some columns those that can be in order.
pub(crate) fn comparable(
    columns: impl Iterator<Item = (usize, &'static str)>,
    table: &[Column],
) -> Vec<(usize, &'static str)> {
    let is_text = |index: usize| table[index].has_values() && table[index].cells != CellKind::Binary;
    columns.filter(|&(index, _)| is_text(index)).collect()
}

impl Watch for Notes<'_> {
    fn advance(&self, bytes: u64) {
        self.observer.advance(bytes);
    }

    fn in_order(&self, column: usize, direction: Direction) {
        let role = self.watched.iter().find(|(index, _)| *index == column).map_or("hidden", |(_, role)| role);
        self.observer.note(&format!(
            "the records are in {direction} order of `{}`, which is {role}: their positions tell about its values; ‹shuffle› publishes them \
             in a random order",
            self.names[column]
        ));
    }

    fn repeats(&self, column: usize, records: u64, different: u64) {
        self.observer.note(&format!(
            "{records} records have {different} different values of `{}`, which is an identifier: k counts records, and several records of one \
             person do not hide each other",
            self.names[column]
        ));
    }

    fn cancelled(&self) -> bool {
        self.observer.cancelled()
    }
}
