//! How many records share this combination of ids?

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::VerifyError;

/// The groups of one claim: distinct combinations of ids, and the number of records of each. Pairs of group and sensitive
/// value are counted in the same way.
///
/// Combinations are compared id by id, whatever their number or size: there is no packing that
/// could overflow and no hash that is taken to be unique.
#[derive(Debug)]
pub(crate) struct Groups {
    /// The number of ids in a combination.
    width: usize,
    /// The combinations, one after the other.
    keys: Vec<u32>,
    counts: Vec<u64>,
    /// Positions in `counts` by the hash of their combination.
    index: HashTable<u32>,
    hasher: RandomState,
}

impl Groups {
    pub(crate) fn new(width: usize) -> Self {
        Groups { width, keys: Vec::new(), counts: Vec::new(), index: HashTable::new(), hasher: RandomState::default() }
    }

    /// Counts some records and says to which group they belong, as a position of [`Groups::counts`].
    #[inline]
    pub(crate) fn add(&mut self, key: &[u32], records: u64) -> Result<u32, VerifyError> {
        debug_assert_eq!(key.len(), self.width);
        let hash = self.hasher.hash_one(key);
        match self.index.find(hash, |&group| at(&self.keys, self.width, group) == key) {
            Some(&group) => {
                self.counts[group as usize] += records;
                Ok(group)
            }
            None => self.insert(hash, key, records),
        }
    }

    /// Counts one more record of a group that there is.
    #[cfg(feature = "files")]
    #[inline]
    pub(crate) fn add_to(&mut self, group: u32) -> u32 {
        self.counts[group as usize] += 1;
        group
    }

    #[cold]
    fn insert(&mut self, hash: u64, key: &[u32], records: u64) -> Result<u32, VerifyError> {
        let group = u32::try_from(self.counts.len()).map_err(|_| VerifyError::TooLarge { what: "groups" })?;
        self.keys.extend_from_slice(key);
        self.counts.push(records);
        let Groups { width, keys, index, hasher, .. } = self;
        index.insert_unique(hash, group, |&group| hasher.hash_one(at(keys, *width, group)));
        Ok(group)
    }

    /// Adds the records of other groups, whose ids are translated by these tables, one a place of the combination. Says which
    /// group each of the others is here.
    #[cfg(feature = "files")]
    pub(crate) fn absorb(&mut self, other: &Groups, ids: &[&[u32]]) -> Result<Vec<u32>, VerifyError> {
        let mut key = vec![0; self.width];
        let mut add = |(group, &records): (usize, &u64)| {
            for ((id, &theirs), ids) in key.iter_mut().zip(other.key(group)).zip(ids) {
                *id = ids[theirs as usize];
            }
            self.add(&key, records)
        };
        other.counts.iter().enumerate().map(&mut add).collect()
    }

    /// The sizes of the groups, in the order of their first record.
    pub(crate) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The combination of the group at a position of [`Groups::counts`].
    pub(crate) fn key(&self, group: usize) -> &[u32] {
        &self.keys[group * self.width..][..self.width]
    }
}

#[inline]
fn at(keys: &[u32], width: usize, group: u32) -> &[u32] {
    &keys[group as usize * width..][..width]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_with_equal_ids_are_one_group() {
        let mut groups = Groups::new(2);
        for key in [[1, 2], [2, 1], [1, 2], [1, 2]] {
            groups.add(&key, 1).unwrap();
        }
        assert_eq!(groups.counts(), [3, 1]);
        assert_eq!(groups.key(1), [2, 1]);
    }

    #[test]
    fn combinations_of_more_than_128_bits_are_counted_exactly() {
        let mut groups = Groups::new(9);
        for round in 1..=2 {
            for i in 0..50_000 {
                groups.add(&[u32::MAX - i, i, 0, 0, u32::MAX, 0, 0, 1, i], 1).unwrap();
            }
            assert_eq!(groups.counts().len(), 50_000);
            assert!(groups.counts().iter().all(|&count| count == round));
        }
    }
}
