//! Groups before and after masking: how large they are, and how likely it is that somebody is found.

use cutline::{Draft, DraftGroups};
use cutline_table::Numbering;
use serde::Serialize;

/// Sizes of groups, ascending, and how many groups have each.
pub(crate) type Sizes = Vec<(u64, u64)>;

/// The groups of raw values of each QID that was asked about. They follow from what was counted, whatever k is.
#[derive(Default)]
pub(crate) struct RawGroups(Vec<(Vec<String>, Sizes)>);

/// A QID: what must hold, and what holds.
#[derive(Serialize)]
pub(crate) struct QidView {
    attributes: Vec<String>,
    k: u64,
    conditions: Vec<String>,
    /// On raw values.
    before: RiskView,
    /// As it would be published.
    after: RiskView,
    /// Groups and records by size, as it would be published.
    sizes: Vec<SizeBar>,
}

/// What somebody who knows a QID can find.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct RiskView {
    pub(crate) groups: u64,
    pub(crate) records: u64,
    pub(crate) smallest: u64,
    /// The highest probability to find a person's record.
    highest: f64,
    /// The same on average over all records.
    average: f64,
    /// Records that nobody else is like.
    alone: u64,
    /// Records in groups of fewer than k.
    pub(crate) below: u64,
}

/// Groups of some sizes.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct SizeBar {
    from: u64,
    to: u64,
    groups: u64,
    records: u64,
}

impl RawGroups {
    /// The groups of raw values of each QID of a draft. Counted once for a QID.
    pub(crate) fn of(&mut self, draft: &Draft) -> Vec<Sizes> {
        let qids = draft.job().requirement().qids();
        qids.iter().map(|qid| self.sizes(&qid.attributes, draft)).collect()
    }

    fn sizes(&mut self, attributes: &[String], draft: &Draft) -> Sizes {
        if let Some((_, sizes)) = self.0.iter().find(|(known, _)| *known == attributes) {
            return sizes.clone();
        }
        let table = draft.compressed();
        let mut groups = Numbering::new(table.rows());
        for attribute in table.attributes.iter().filter(|attribute| attributes.contains(&attribute.name)) {
            groups.refine(attribute.codes.iter(), attribute.domain.len());
        }
        let mut sizes = groups.sizes(&table.weights);
        sizes.sort_unstable();
        let sizes: Sizes = sizes.chunk_by(|one, other| one == other).map(|same| (same[0], same.len() as u64)).collect();
        self.0.push((attributes.to_vec(), sizes.clone()));
        sizes
    }
}

impl QidView {
    pub(crate) fn new(groups: &DraftGroups, conditions: Vec<String>, before: &Sizes) -> Self {
        QidView {
            attributes: groups.attributes.clone(),
            k: groups.k,
            conditions,
            before: RiskView::new(before, groups.k),
            after: RiskView::new(&groups.sizes, groups.k),
            sizes: bars(&groups.sizes, groups.k),
        }
    }
}

impl RiskView {
    pub(crate) fn new(sizes: &[(u64, u64)], k: u64) -> Self {
        let groups: u64 = sizes.iter().map(|(_, groups)| groups).sum();
        let records: u64 = sizes.iter().map(|(size, groups)| size * groups).sum();
        let smallest = sizes.first().map_or(0, |(size, _)| *size);
        let below = sizes.iter().filter(|(size, _)| *size < k).map(|(size, groups)| size * groups).sum();
        RiskView {
            groups,
            records,
            smallest,
            highest: if smallest > 0 { 1.0 / smallest as f64 } else { 0.0 },
            // Each record of a group of n is found with probability 1/n: n records of it add up to one.
            average: if records > 0 { groups as f64 / records as f64 } else { 0.0 },
            alone: sizes.first().filter(|(size, _)| *size == 1).map_or(0, |(_, groups)| *groups),
            below,
        }
    }
}

/// Sizes from k on, doubling every second bar.
fn bars(sizes: &[(u64, u64)], k: u64) -> Vec<SizeBar> {
    let Some(&(largest, _)) = sizes.last() else { return Vec::new() };
    let mut edges = vec![k.max(1)];
    while edges[edges.len() - 1] <= largest {
        let last = edges[edges.len() - 1];
        edges.push((last * 141 / 100).max(last + 1));
    }
    let bar = |pair: &[u64]| {
        let within = sizes.iter().filter(|(size, _)| pair[0] <= *size && *size < pair[1]);
        let (groups, records) = within.fold((0, 0), |(groups, records), (size, n)| (groups + n, records + size * n));
        SizeBar { from: pair[0], to: pair[1] - 1, groups, records }
    };
    edges.windows(2).map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risk_follows_from_sizes() {
        let risk = RiskView::new(&[(1, 2), (4, 1), (10, 3)], 5);
        assert_eq!((risk.groups, risk.records, risk.smallest, risk.alone, risk.below), (6, 36, 1, 2, 6));
        assert_eq!((risk.highest, risk.average), (1.0, 6.0 / 36.0));
        assert_eq!(RiskView::new(&[], 5).highest, 0.0);
    }

    #[test]
    fn every_group_is_in_a_bar() {
        let sizes: Sizes = (5..400).map(|size| (size, size % 7)).collect();
        let bars = bars(&sizes, 5);
        assert_eq!(bars.iter().map(|bar| bar.groups).sum::<u64>(), sizes.iter().map(|(_, groups)| groups).sum::<u64>());
        assert_eq!(
            bars.iter().map(|bar| bar.records).sum::<u64>(),
            sizes.iter().map(|(size, groups)| size * groups).sum::<u64>()
        );
    }
}
