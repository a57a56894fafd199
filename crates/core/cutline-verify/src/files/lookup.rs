//! Which group has a combination of ids that was there before?
//!
//! The groups of a masked table are told apart by few labels. Then a combination of ids is a number that is not large, and the group is found
//! at one look.

use std::ops::RangeInclusive;

/// Groups by their combinations as numbers, as long as these are small.
#[derive(Debug, Default)]
pub(super) struct Lookup {
    /// The ids of each column lie between these.
    ids: Vec<RangeInclusive<u32>>,
    /// The group of each number; none at all if numbers could be too large.
    group_of: Vec<u32>,
}

/// A table of more numbers would not stay in the cache.
const MOST_NUMBERS: u64 = 1 << 15;

/// No group has this number.
const NONE: u32 = u32::MAX;

impl Lookup {
    /// The combination of each record as a number: no two combinations have the same. Nothing if numbers could be too large.
    pub(super) fn numbers(&mut self, columns: &[&[u32]], records: usize) -> Option<Vec<u32>> {
        self.widen(columns);
        if self.group_of.is_empty() {
            return None;
        }
        let mut numbers = vec![0; records];
        for (ids, range) in columns.iter().zip(&self.ids).filter(|(_, range)| different(range) > 1) {
            let (least, different) = (*range.start(), different(range) as u32);
            numbers.iter_mut().zip(*ids).for_each(|(number, id)| *number = *number * different + (id - least));
        }
        Some(numbers)
    }

    /// Makes room for the ids of each column. What is known of the numbers of other combinations is forgotten.
    fn widen(&mut self, columns: &[&[u32]]) {
        let before = self.ids.iter().cloned().map(Some).chain(std::iter::repeat(None));
        let ids: Vec<RangeInclusive<u32>> =
            columns.iter().zip(before).map(|(ids, before)| range(ids, before)).collect();
        if ids != self.ids || self.ids.is_empty() {
            let numbers = ids.iter().try_fold(1_u64, |numbers, range| numbers.checked_mul(different(range)));
            let numbers = numbers.filter(|&numbers| numbers <= MOST_NUMBERS).unwrap_or(0);
            *self = Lookup { ids, group_of: vec![NONE; numbers as usize] };
        }
    }

    /// The group of a number, if it is known.
    #[inline]
    pub(super) fn group(&self, number: u32) -> Option<u32> {
        Some(self.group_of[number as usize]).filter(|&group| group != NONE)
    }

    pub(super) fn learn(&mut self, number: u32, group: u32) {
        self.group_of[number as usize] = group;
    }
}

/// Between which ids those of a column lie, and those before them.
fn range(ids: &[u32], before: Option<RangeInclusive<u32>>) -> RangeInclusive<u32> {
    let first = ids.first().copied().unwrap_or_default();
    let (least, most) = before.unwrap_or(first..=first).into_inner();
    let wider = |(least, most): (u32, u32), &id: &u32| (least.min(id), most.max(id));
    let (least, most) = ids.iter().fold((least, most), wider);
    least..=most
}

/// How many ids there are in a range.
fn different(range: &RangeInclusive<u32>) -> u64 {
    u64::from(range.end() - range.start()) + 1
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_two_combinations_have_the_same_number(
            batches in vec(vec((3..64_u32, 0..9_u32, 0..20_u32), 1..30), 1..5),
            most in 1..64_u32,
        ) {
            let mut lookup = Lookup::default();
            for batch in batches {
                let columns: [Vec<u32>; 3] = [
                    batch.iter().map(|ids| ids.0 % most).collect(),
                    batch.iter().map(|ids| ids.1).collect(),
                    batch.iter().map(|ids| ids.2).collect(),
                ];
                let combination = |record: usize| columns.each_ref().map(|ids| ids[record]);
                let numbers = lookup.numbers(&columns.each_ref().map(|ids| &ids[..]), batch.len()).unwrap();
                for (record, &number) in numbers.iter().enumerate() {
                    let same = |&other: &usize| (numbers[other] == number) == (combination(other) == combination(record));
                    prop_assert_eq!((0..record).filter(same).count(), record);
                    // What is told of a number is a group that was learned for the same combination.
                    let group = combination(record).iter().fold(0, |group, id| group * 100 + id);
                    prop_assert!(lookup.group(number).is_none_or(|known| known == group));
                    lookup.learn(number, group);
                }
            }
        }
    }

    #[test]
    fn numbers_that_could_be_too_large_are_not_made() {
        let mut lookup = Lookup::default();
        // What is the same everywhere takes no room.
        assert_eq!(lookup.numbers(&[&[181, 1], &[181, 1], &[7, 7]], 2), Some(vec![180 * 181 + 180, 0]));
        assert_eq!(lookup.numbers(&[&[182, 1], &[181, 1], &[7, 8]], 2), None);
        // Neither when they are small again: there may be others.
        assert_eq!(lookup.numbers(&[&[1, 1], &[1, 1], &[7, 7]], 2), None);
        assert_eq!(Lookup::default().numbers(&[&[u32::MAX, 0], &[u32::MAX, 0], &[u32::MAX, 0]], 2), None);
        assert_eq!(Lookup::default().numbers(&[&[u32::MAX; 2]], 2), Some(vec![0, 0]));
        assert_eq!(Lookup::default().numbers(&[&[]], 0), Some(vec![]));
    }
}
