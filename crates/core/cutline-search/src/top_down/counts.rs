//! Records of a group by the child that they would move to.

use std::cell::RefCell;

use cutline_table::{Code, Codes, sums_alone, with_codes};

/// `(slot, records)` for every slot that has records, ascending. A group of a live candidate has at most |group| / k of them, or
/// the candidate would be invalid; so the lists stay short however wide a node is.
pub(crate) type Counts = Box<[(u32, u64)]>;

thread_local! {
    /// One cell for each slot, all zero between uses.
    static CELLS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// Counts the records of a column of codes by slot. Without weights every row is one record.
pub(crate) fn count(codes: &Codes, weights: &[u64], slots: &[u32], width: usize) -> Counts {
    CELLS.with_borrow_mut(|cells| {
        if cells.len() < width {
            cells.resize(width, 0);
        }
        with_codes!(codes, column => fill(column, weights, slots, cells));
        if width <= codes.len() {
            drain(cells, width)
        } else {
            with_codes!(codes, column => drain_touched(column, slots, cells))
        }
    })
}

fn fill<C: Code>(codes: &[C], weights: &[u64], slots: &[u32], cells: &mut [u64]) {
    if weights.is_empty() && slots.len() <= codes.len() / 16 {
        let of_code = sums_alone(0..codes.len(), slots.len(), |row| codes[row].index(), |_| 1);
        // Codes under other nodes have slots that are none of these cells.
        let here = slots.iter().zip(of_code).filter(|(_, records)| *records > 0);
        here.for_each(|(&slot, records)| cells[slot as usize] += records);
    } else if weights.is_empty() {
        codes.iter().for_each(|code| cells[slots[code.index()] as usize] += 1);
    } else {
        codes.iter().zip(weights).for_each(|(code, &weight)| cells[slots[code.index()] as usize] += weight);
    }
}

fn drain(cells: &mut [u64], width: usize) -> Counts {
    let cells = cells[..width].iter_mut().enumerate().filter(|(_, cell)| **cell > 0);
    cells.map(|(slot, cell)| (slot as u32, std::mem::take(cell))).collect()
}

/// Visits only the slots that the rows have: cheaper when they are few.
fn drain_touched<C: Code>(codes: &[C], slots: &[u32], cells: &mut [u64]) -> Counts {
    let mut counts = Vec::new();
    for code in codes {
        let slot = slots[code.index()];
        let records = std::mem::take(&mut cells[slot as usize]);
        if records > 0 {
            counts.push((slot, records));
        }
    }
    counts.sort_unstable();
    counts.into_boxed_slice()
}

/// The counts of what is left of a group when the parts are taken away. Slots that the whole no longer counts stay uncounted.
pub(crate) fn subtract(whole: &[(u32, u64)], parts: &[&Counts]) -> Counts {
    let mut rests: Vec<&[(u32, u64)]> = parts.iter().map(|part| &part[..]).collect();
    let left = whole.iter().filter_map(|&(slot, records)| {
        let taken: u64 = rests.iter_mut().map(|rest| take_slot(rest, slot)).sum();
        (records > taken).then(|| (slot, records - taken))
    });
    left.collect()
}

/// The records of a slot.
pub(crate) fn records_of(counts: &Counts, slot: u32) -> u64 {
    place_of(counts, slot).map_or(0, |place| counts[place].1)
}

/// Takes the records of a part away. Slots that are not counted stay uncounted; one that has none left may stay.
pub(crate) fn take_away(whole: &mut Counts, part: &[(u32, u64)]) {
    for &(slot, records) in part {
        if let Some(place) = place_of(whole, slot) {
            whole[place].1 -= records;
        }
    }
}

fn place_of(counts: &Counts, slot: u32) -> Option<usize> {
    counts.binary_search_by_key(&slot, |&(slot, _)| slot).ok()
}

/// Moves past a slot, and says how many records it has.
fn take_slot(rest: &mut &[(u32, u64)], slot: u32) -> u64 {
    while let Some((&(other, records), tail)) = rest.split_first() {
        if other > slot {
            break;
        }
        *rest = tail;
        if other == slot {
            return records;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_the_same_for_narrow_and_wide_nodes() {
        let codes = Codes::U8(vec![0, 1, 2, 1, 0]);
        let slots = [3, 0, 3];
        let expected: Counts = Box::new([(0, 2), (3, 3)]);
        assert_eq!(count(&codes, &[], &slots, 4), expected);
        assert_eq!(count(&codes, &[], &slots, 1000), expected);
        assert_eq!(*count(&codes, &[1, 10, 100, 1000, 10_000], &slots, 4), [(0, 1010), (3, 10_101)]);
    }

    #[test]
    fn what_is_taken_away_is_gone() {
        let (a, b): (Counts, Counts) = (Box::new([(0, 2), (7, 1)]), Box::new([(3, 3)]));
        assert_eq!(*subtract(&[(0, 5), (3, 3), (7, 4)], &[&a, &b]), [(0, 3), (7, 3)]);
    }

    #[test]
    fn slots_that_are_no_longer_counted_do_not_hide_others() {
        let part: Counts = Box::new([(0, 2), (7, 1)]);
        assert_eq!(*subtract(&[(7, 4)], &[&part]), [(7, 3)]);
    }
}
