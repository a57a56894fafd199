//! Whose record would stand out?
//!
//! Those who entered since the last release, those who left, and those who stayed are known. If a few of one history left, comparing shows
//! their records; if a few stayed or entered, or got the same labels, their new ones. But records can be held back, until there are enough:
//! for whoever has the releases, those who are held back are as absent as those who left.

use std::collections::BTreeMap;

use cutline_model::Qid;

use super::patterns::Known;

/// Which of the persons, who come in the order of their digests, are held back. For each QID, `parts` says who gets the same labels; before
/// there are labels, there are none. Which ones of a history it is follows from their order: from nothing that anybody could know
/// without the key, and from nothing that is told of them.
///
/// # Guarantee
/// If no group of the earlier releases is smaller than k: on every QID, at least k persons of each history or nobody have the same labels, and
/// at least k or nobody are not in the table.
pub(super) fn hold_back(known: &mut Known, persons: &[u128], parts: &[Vec<u32>], qids: &[Qid]) -> Vec<bool> {
    let mut held = vec![false; persons.len()];
    loop {
        let mut changed = false;
        for (at, qid) in qids.iter().enumerate() {
            let histories = known.histories(&qid.attributes);
            let mut members: Vec<BTreeMap<u32, Vec<usize>>> = vec![BTreeMap::new(); histories.len()];
            for (place, person) in persons.iter().enumerate().filter(|(place, _)| !held[*place]) {
                let history = histories.of_row.get(known.pattern(*person) as usize);
                let part = parts.get(at).map_or(0, |parts| parts[place]);
                members[history as usize].entry(part).or_default().push(place);
            }
            for (members, &absent) in members.iter().zip(&histories.absent) {
                for place in to_hold(members.values().map(Vec::as_slice), absent, qid.k) {
                    held[place] = true;
                    known.hold_back(persons[place]);
                    changed = true;
                }
            }
        }
        // What one QID holds back may leave too few of another's, or of those who are absent.
        if !changed {
            return held;
        }
    }
}

/// Which persons of one history must be held back, by what they are told apart by: all of a part that is too small; otherwise some of the
/// largest, if too few are absent. Nobody knows who is absent if they were never published.
fn to_hold<'p>(parts: impl Iterator<Item = &'p [usize]> + Clone, absent: Option<u64>, k: u64) -> Vec<usize> {
    let small: Vec<usize> = parts.clone().filter(|part| (part.len() as u64) < k).flatten().copied().collect();
    let exposed = absent.is_some_and(|absent| absent > 0 && absent < k);
    let (true, true, Some(absent)) = (small.is_empty(), exposed, absent) else { return small };
    let missing = (k - absent) as usize;
    let Some(largest) = parts.clone().max_by_key(|part| part.len()) else { return small };
    match largest.len() as u64 >= k + missing as u64 {
        true => largest[..missing].to_vec(),
        false => parts.min_by_key(|part| part.len()).map(<[usize]>::to_vec).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::to_hold;

    fn held(sizes: &[usize], absent: Option<u64>) -> usize {
        let parts: Vec<Vec<usize>> = sizes.iter().map(|&size| (0..size).collect()).collect();
        to_hold(parts.iter().map(Vec::as_slice), absent, 5).len()
    }

    #[test]
    fn as_few_as_possible_are_held_back() {
        assert_eq!(held(&[9], Some(0)), 0, "everybody stayed");
        assert_eq!(held(&[9], Some(5)), 0, "enough left");
        assert_eq!(held(&[20], Some(2)), 3, "three more are absent: five, and seventeen stay");
        assert_eq!(held(&[7], Some(2)), 7, "four would stay");
        assert_eq!(held(&[3], Some(9)), 3, "too few stayed");
        assert_eq!(held(&[4], None), 4, "too few entered");
        assert_eq!((held(&[5], None), held(&[], Some(3))), (0, 0), "nothing can be done for those who left");
        assert_eq!(held(&[9, 2, 6], Some(8)), 2, "too few have the same labels");
        assert_eq!(held(&[9, 6], Some(2)), 3, "of the part that is large enough");
        assert_eq!(held(&[7, 6], Some(2)), 6, "none is: the smaller one");
    }
}
