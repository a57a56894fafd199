//! What would allow a refinement?

use rayon::prelude::*;

use super::frontier::{Asked, Counted, Frontier, Size};
use super::split::Split;
use super::{Bar, Broken};

/// What forbids a refinement that would be allowed if so many records could be suppressed.
pub(super) fn bar(frontier: &Frontier<'_>, asked: Asked<'_>, counted: &Counted, limit: u64) -> Bar {
    let broken = frontier.broken(counted);
    let thresholds = thresholds(frontier, asked, counted, &broken);
    Bar { broken, limit, thresholds, without: Vec::new(), lacking: lacking(frontier, asked, counted) }
}

/// Lower thresholds for the QIDs whose groups would be too small, if they help. For a single QID without conditions there is no
/// higher one that does.
fn thresholds(frontier: &Frontier<'_>, asked: Asked<'_>, counted: &Counted, broken: &[Broken]) -> Vec<(usize, u64)> {
    let too_small = broken.iter().filter(|broken| broken.condition.is_none());
    let lower = |broken: &Broken| {
        let k = largest_k(&counted.ascending(broken.qid), frontier.budget())?;
        // One QID alone may stay within the budget that several exceed.
        (k < frontier.qids()[broken.qid].k).then_some((broken.qid, k))
    };
    let thresholds: Vec<(usize, u64)> = too_small.filter_map(lower).collect();
    // k = 1 protects nobody.
    let thresholds = Some(thresholds).filter(|all| !all.is_empty() && all.iter().all(|&(_, k)| k > 1));
    let helps = |thresholds: &Vec<(usize, u64)>| frontier.holds(&Asked { thresholds, ..asked }, counted);
    thresholds.filter(helps).unwrap_or_default()
}

/// The largest threshold under which no more records than the budget are in groups that are too small. Groups ascend by their members.
fn largest_k(sizes: &[Size], budget: u64) -> Option<u64> {
    let mut suppressed = 0;
    let beyond = sizes.iter().find(|size| {
        suppressed += size.records;
        suppressed > budget
    });
    beyond.map(|size| size.members)
}

/// For each refinement the attributes each of which stands in the way. Also one that is in no QID with the refined one may: a record that it
/// makes stand out uses up the budget.
pub(super) fn without(frontier: &Frontier<'_>, asked: &[(Asked<'_>, Option<Split>)]) -> Vec<Vec<String>> {
    if asked.is_empty() {
        return Vec::new();
    }
    let others: Vec<usize> = frontier.telling().collect();
    let helps: Vec<Vec<bool>> = others.par_iter().map(|&other| frontier.hold_without(other, asked)).collect();
    let names = |place: usize| {
        let helping = others.iter().zip(&helps).filter(move |(_, helps)| helps[place]);
        helping.map(|(&other, _)| frontier.name(other).to_owned()).collect()
    };
    (0..asked.len()).map(names).collect()
}

/// The records that lack the value, if only they stand in the way.
fn lacking(frontier: &Frontier<'_>, asked: Asked<'_>, counted: &Counted) -> Option<u64> {
    asked.candidate.lacking?;
    let lacking = frontier.lacking(&asked);
    let helps = || frontier.holds(&Asked { leaves_out_lacking: true, ..asked }, counted);
    (frontier.is_satisfiable_without_lacking(&asked) && helps()).then_some(lacking)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_threshold_stays_within_the_budget() {
        let size = |(members, records)| Size { members, records, groups: 1 };
        let groups = [2, 3, 3, 9].map(|records| size((records, records)));
        assert_eq!(largest_k(&groups, 0), Some(2));
        assert_eq!(largest_k(&groups, 2), Some(3));
        assert_eq!(largest_k(&groups, 7), Some(3));
        assert_eq!(largest_k(&groups, 8), Some(9));
        assert_eq!(largest_k(&groups[..2], 5), None);
        // One person with 20 records.
        assert_eq!(largest_k(&[(1, 20), (4, 5)].map(size), 10), Some(1));
        assert_eq!(largest_k(&[(1, 20), (4, 5)].map(size), 20), Some(4));
    }
}
