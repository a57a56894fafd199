//! Which rows cannot be like any other, as their hashes alone tell?

/// Slots that hashes fall into, far more than there are rows: a row that has its slot for itself is like no other.
///
/// In a table of many columns most rows are, and whether they are is known after one look at few bits, where a table of rows would have to
/// be searched.
#[derive(Debug)]
pub(super) struct Company {
    /// Two bits for each slot: is there a row, and are there several?
    slots: Vec<u64>,
    /// How far a hash is shifted to make a slot of it.
    shift: u32,
    /// So many first bits are the same in all hashes.
    same: u32,
}

/// So many slots for each row.
const SLOTS_OF_ROW: usize = 16;

const SLOTS_OF_WORD: usize = 32;

impl Company {
    /// That of some hashes, so many of whose first bits are the same.
    pub(super) fn new(hashes: impl ExactSizeIterator<Item = u64>, same: u32) -> Self {
        let slots = (hashes.len() * SLOTS_OF_ROW).next_power_of_two().max(2 * SLOTS_OF_WORD);
        let mut company = Company { slots: vec![0; slots / SLOTS_OF_WORD], shift: u64::BITS - slots.ilog2(), same };
        for hash in hashes {
            let (word, bit) = company.place(hash);
            let word = &mut company.slots[word];
            // Whoever comes second sets the second bit, without a branch that nobody can guess.
            *word |= ((*word >> bit & 1) << 1 | 1) << bit;
        }
        company
    }

    fn place(&self, hash: u64) -> (usize, u32) {
        let slot = ((hash << self.same) >> self.shift) as usize;
        (slot / SLOTS_OF_WORD, 2 * (slot % SLOTS_OF_WORD) as u32)
    }

    /// Is there another row in the slot of a hash?
    pub(super) fn has(&self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        (self.slots[word] >> bit) & 0b10 != 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn whoever_has_no_company_is_like_nobody(
            hashes in collection::vec(0..200u64, 0..150),
            spread in 0..58u32,
            same in 0..9u32,
        ) {
            let hashes: Vec<u64> = hashes.into_iter().map(|hash| (hash << spread) >> same).collect();
            let company = Company::new(hashes.iter().copied(), same);
            for (row, hash) in hashes.iter().enumerate() {
                let alike = (0..hashes.len()).any(|other| other != row && hashes[other] == *hash);
                prop_assert!(!alike || company.has(*hash));
            }
        }
    }

    #[test]
    fn most_of_those_that_differ_have_none() {
        let hashes: Vec<u64> = (1..=10_000u64).map(|row| row.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let company = Company::new(hashes.iter().copied(), 0);
        assert!(hashes.iter().filter(|&&hash| company.has(hash)).count() < 1_000);
    }
}
