//! Cells that are found with a single look.

/// Cells that are found with a single look, each at the place that a part of its hash says. Of several with the same place one is here.
#[derive(Clone, Debug)]
pub(crate) struct Front<K> {
    /// A cell and its code. None at all, or as many as a power of two.
    places: Vec<(K, u32)>,
    /// How far a hash is shifted to make a place of it.
    shift: u32,
}

impl<K> Default for Front<K> {
    fn default() -> Self {
        Front { places: Vec::new(), shift: 0 }
    }
}

/// So many places for each cell, so that few cells share one.
const PLACES_FOR_ONE: usize = 4;

/// More than this is no faster to look at than a table.
const MOST_BYTES: usize = 1 << 20;

impl<K: Copy + Default + PartialEq + Folded> Front<K> {
    /// The order of the cells decides which of two with one place is found sooner, and nothing else.
    pub(crate) fn new(cells: &[(K, u32)]) -> Self {
        if cells.is_empty() {
            return Front::default();
        }
        let most = MOST_BYTES / size_of::<(K, u32)>();
        let places = (cells.len() * PLACES_FOR_ONE).next_power_of_two().min(1 << most.ilog2());
        let mut front = Front { places: vec![(K::default(), NOWHERE); places], shift: u64::BITS - places.ilog2() };
        for &(cell, code) in cells {
            let place = front.place(cell);
            front.places[place] = (cell, code);
        }
        front
    }

    #[inline]
    fn place(&self, cell: K) -> usize {
        (cell.folded().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    #[inline]
    pub(crate) fn code(&self, cell: K) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        let &(other, code) = self.places.get(self.place(cell))?;
        (other == cell && code != NOWHERE).then_some(code)
    }
}

/// Cells that have a hash.
pub(crate) trait Folded {
    fn folded(self) -> u64;
}

/// A whole number.
impl Folded for u64 {
    #[inline]
    fn folded(self) -> u64 {
        self
    }
}

/// The view of a text that it holds.
impl Folded for u128 {
    #[inline]
    fn folded(self) -> u64 {
        self as u64 ^ ((self >> u64::BITS) as u64).rotate_left(29)
    }
}

/// A text of 13 to 32 bytes: its first half or more, its last, and its length. No two texts have the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Longer([u128; 2], usize);

impl Longer {
    #[inline]
    pub(crate) fn new(text: &[u8]) -> Option<Self> {
        let halves = match text.len() {
            13..=16 => {
                let halves =
                    [*text.first_chunk()?, *text.last_chunk()?].map(|half| u128::from(u64::from_le_bytes(half)));
                [halves[0] | halves[1] << u64::BITS, 0]
            }
            17..=32 => [u128::from_le_bytes(*text.first_chunk()?), u128::from_le_bytes(*text.last_chunk()?)],
            _ => return None,
        };
        Some(Longer(halves, text.len()))
    }
}

impl Folded for Longer {
    #[inline]
    fn folded(self) -> u64 {
        self.0[0].folded() ^ self.0[1].folded().rotate_left(13)
    }
}

/// No cell has this code: a place without a cell does.
const NOWHERE: u32 = u32::MAX;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_cell_that_is_found_has_its_own_code(cells in prop::collection::vec(any::<u16>(), 0..200), other in any::<u16>()) {
            let cells: Vec<(u128, u32)> = cells.into_iter().map(|cell| (u128::from(cell) << (cell % 100), u32::from(cell))).collect();
            let front = Front::new(&cells);
            for &(cell, code) in &cells {
                prop_assert!(front.code(cell).is_none_or(|found| cells.contains(&(cell, found))), "{}", code);
            }
            let other = u128::from(other) << 3;
            prop_assert!(front.code(other).is_none_or(|found| cells.contains(&(other, found))));
        }

        #[test]
        fn longer_texts_are_the_same_only_if_they_are(one in "[ab]{0,40}", other in "[ab]{0,40}") {
            let longer = [&one, &other].map(|text| Longer::new(text.as_bytes()));
            prop_assert_eq!(longer[0].is_some(), (13..=32).contains(&one.len()));
            prop_assert_eq!(longer[0].is_some() && longer[0] == longer[1], longer[0].is_some() && one == other);
        }
    }

    #[test]
    fn texts_that_differ_in_one_place_differ() {
        for length in 13..=32 {
            let text = vec![b'a'; length];
            for place in 0..length {
                let mut other = text.clone();
                other[place] = b'b';
                assert_ne!(Longer::new(&text), Longer::new(&other), "{length}, {place}");
            }
        }
    }
}
