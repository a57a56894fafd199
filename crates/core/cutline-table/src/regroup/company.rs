//! Which rows cannot be like any other, as their hashes alone tell?

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

/// Slots that hashes fall into, far more than there are rows: a row that has its slot for itself is like no other.
///
/// In a table of many columns most rows are, and whether they are is known after one look at few bits, where a table of rows would have to
/// be searched.
#[derive(Debug)]
pub(super) struct Company {
    /// Two bits for each slot: is there a row, and are there several?
    slots: Vec<AtomicU64>,
    /// How far a hash is shifted to make a slot of it.
    shift: u32,
}

/// So many slots for each row.
const SLOTS_OF_ROW: usize = 16;

const SLOTS_OF_WORD: usize = 32;

impl Company {
    pub(super) fn new(hashes: &[u64]) -> Self {
        let slots = (hashes.len() * SLOTS_OF_ROW).next_power_of_two().max(2 * SLOTS_OF_WORD);
        let empty = (0..slots / SLOTS_OF_WORD).into_par_iter().with_min_len(1 << 12).map(|_| AtomicU64::new(0));
        let company = Company { slots: empty.collect(), shift: u64::BITS - slots.ilog2() };
        // Which of two rows comes first decides nothing.
        hashes.par_iter().with_min_len(1 << 12).for_each(|&hash| company.enter(hash));
        company
    }

    fn place(&self, hash: u64) -> (&AtomicU64, u32) {
        let slot = (hash >> self.shift) as usize;
        (&self.slots[slot / SLOTS_OF_WORD], 2 * (slot % SLOTS_OF_WORD) as u32)
    }

    fn enter(&self, hash: u64) {
        let (word, bit) = self.place(hash);
        // Where few rows differ, all cores would write the same words again and again.
        if (word.load(Ordering::Relaxed) >> bit) & 0b10 != 0 {
            return;
        }
        let before = word.fetch_or(1 << bit, Ordering::Relaxed) >> bit;
        if before & 0b11 == 0b01 {
            word.fetch_or(0b10 << bit, Ordering::Relaxed);
        }
    }

    /// Is there another row in the slot of a hash?
    pub(super) fn has(&self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        (word.load(Ordering::Relaxed) >> bit) & 0b10 != 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn whoever_has_no_company_is_like_nobody(hashes in collection::vec(0..200u64, 0..150), spread in 0..58u32) {
            let hashes: Vec<u64> = hashes.into_iter().map(|hash| hash << spread).collect();
            let company = Company::new(&hashes);
            for (row, hash) in hashes.iter().enumerate() {
                let alike = (0..hashes.len()).any(|other| other != row && hashes[other] == *hash);
                prop_assert!(!alike || company.has(*hash));
            }
        }
    }

    #[test]
    fn most_of_those_that_differ_have_none() {
        let hashes: Vec<u64> = (1..=10_000u64).map(|row| row.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let company = Company::new(&hashes);
        assert!(hashes.iter().filter(|&&hash| company.has(hash)).count() < 1_000);
    }
}
