//! Whose record would stand out?
//!
//! Those who entered since the last release, those who left, and those who stayed are known. If a few of one history left, comparing shows
//! their records; if a few stayed or entered, or got the same labels, their new ones. But records can be held back, until there are enough:
//! for whoever has the releases, those who are held back are as absent as those who left.

use std::collections::BTreeMap;

use cutline_model::Qid;
use cutline_table::Numbering;

use super::patterns::Known;
use super::sensed::Sensed;

/// Which of the persons are held back, whose patterns come in the order of their digests. For each QID, `parts` says who gets the same labels; before
/// there are labels, there are none. Which ones of a history it is follows from their order: from nothing that anybody could know
/// without the key, and from nothing that is told of them.
///
/// # Guarantee
/// If no group of the earlier releases is smaller than k: on every QID, at least k persons of each history or nobody have the same labels, and
/// at least k or nobody are not in the table. Those who have the same labels satisfy the QID's conditions.
pub(super) fn hold_back(
    known: &mut Known,
    patterns: &[u32],
    parts: &[Vec<u32>],
    qids: &[Qid],
    sensed: &Sensed<'_>,
) -> Vec<bool> {
    let mut held = vec![false; patterns.len()];
    loop {
        let mut changed = false;
        let whole = sensed.whole(&held);
        for (at, qid) in qids.iter().enumerate() {
            let histories = known.histories(&qid.attributes);
            let missing = |history: usize| {
                let absent = histories.absent[history].filter(|&absent| absent > 0);
                absent.map_or(0, |absent| qid.k.saturating_sub(absent))
            };
            let history_of = patterns.iter().map(|&pattern| histories.of_row.get(pattern as usize)).collect();
            let persons = Numbering { of_row: history_of, len: histories.len() };
            let watched = |history: usize, fewest: u64| fewest < qid.k || sensed.asks(at) || missing(history) > 0;
            let members = members(&persons, parts.get(at), &held, watched);
            let holds = |part: &[usize]| part.len() as u64 >= qid.k && sensed.holds(at, part, &whole);
            for (history, members) in members {
                let missing = missing(history as usize);
                for place in to_hold(members.values().map(Vec::as_slice), missing as usize, holds) {
                    held[place] = true;
                    known.hold_back(patterns[place]);
                    changed = true;
                }
            }
        }
        // What one QID holds back may leave too few of another's, or of those who are absent, and conditions compare with everybody.
        if !changed {
            return held;
        }
    }
}

/// Those of each history who are not held back, by who gets the same labels. Only of histories that `watched` asks for, which knows how many
/// the fewest of them are: usually few need a look at each person.
fn members(
    persons: &Numbering,
    part_of: Option<&Vec<u32>>,
    held: &[bool],
    watched: impl Fn(usize, u64) -> bool,
) -> BTreeMap<u32, BTreeMap<u32, Vec<usize>>> {
    let mut cells = persons.clone();
    if let Some(parts) = part_of {
        cells.refine(parts.iter().copied(), parts.iter().max().map_or(0, |&most| most as usize + 1));
    }
    let sizes = cells.sizes(&held.iter().map(|held| u64::from(!held)).collect::<Vec<_>>());
    let mut fewest = vec![u64::MAX; persons.len];
    for (&history, &cell) in persons.of_row.iter().zip(&cells.of_row).filter(|(_, cell)| sizes[**cell as usize] > 0) {
        fewest[history as usize] = fewest[history as usize].min(sizes[cell as usize]);
    }
    let watched: Vec<bool> = fewest.iter().enumerate().map(|(history, &fewest)| watched(history, fewest)).collect();
    let mut members: BTreeMap<u32, BTreeMap<u32, Vec<usize>>> = BTreeMap::new();
    let looked_at =
        persons.of_row.iter().enumerate().filter(|(place, history)| !held[*place] && watched[**history as usize]);
    for (place, &history) in looked_at {
        let part = part_of.map_or(0, |parts| parts[place]);
        members.entry(history).or_default().entry(part).or_default().push(place);
    }
    members
}

/// Which persons of one history must be held back, by what they are told apart by: all of a part for which the requirement does not hold;
/// otherwise so many as are missing among those who are absent: some of the largest part, or all of the smallest one.
fn to_hold<'p>(
    parts: impl Iterator<Item = &'p [usize]> + Clone,
    missing: usize,
    holds: impl Fn(&[usize]) -> bool,
) -> Vec<usize> {
    let broken: Vec<usize> = parts.clone().filter(|part| !holds(part)).flatten().copied().collect();
    if !broken.is_empty() || missing == 0 {
        return broken;
    }
    match parts.clone().max_by_key(|part| part.len()) {
        Some(largest) if largest.get(missing..).is_some_and(holds) => largest[..missing].to_vec(),
        _ => parts.min_by_key(|part| part.len()).map(<[usize]>::to_vec).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::to_hold;

    fn held(sizes: &[usize], missing: usize) -> usize {
        let parts: Vec<Vec<usize>> = sizes.iter().map(|&size| (0..size).collect()).collect();
        to_hold(parts.iter().map(Vec::as_slice), missing, |part| part.len() >= 5).len()
    }

    #[test]
    fn as_few_as_possible_are_held_back() {
        assert_eq!(held(&[9], 0), 0, "everybody stayed, or enough left");
        assert_eq!(held(&[20], 3), 3, "three more are absent, and seventeen stay");
        assert_eq!(held(&[7], 3), 7, "four would stay");
        assert_eq!(held(&[3], 0), 3, "too few stayed or entered");
        assert_eq!((held(&[5], 0), held(&[], 2)), (0, 0), "nothing can be done for those who left");
        assert_eq!(held(&[9, 2, 6], 0), 2, "too few have the same labels");
        assert_eq!(held(&[9, 6], 3), 3, "of the part that is large enough");
        assert_eq!(held(&[7, 6], 3), 6, "none is: the smaller one");
    }

    #[test]
    fn a_part_that_breaks_a_condition_is_held_back_whole() {
        let parts: [&[usize]; 2] = [&[0, 2, 4, 6], &[1, 2, 3, 4, 5]];
        let odd_too = |part: &[usize]| part.iter().any(|person| person % 2 == 1);
        assert_eq!(to_hold(parts.into_iter(), 0, odd_too), [0, 2, 4, 6]);
        assert_eq!(to_hold(parts[1..].iter().copied(), 4, odd_too), [1, 2, 3, 4], "the fifth is odd");
        assert_eq!(to_hold([&[1, 2][..]].into_iter(), 1, odd_too), [1, 2], "the second alone is not");
    }
}
