//! How likely is a record re-identified?

use serde::{Deserialize, Serialize};

/// The sizes that [`Risk::below`] is about.
const SIZES: [u64; 7] = [2, 3, 5, 10, 20, 50, 100];

/// The risk that someone who knows a person's values of some attributes finds the record of that person, after El Emam and
/// Dankar (2008) and Dankar and El Emam (2010). A group of s records gives everyone in it the risk 1/s. All shares are of
/// records, from 0 to 1; all figures are 0 if there are no records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Risk {
    /// The number of records.
    pub records: u64,
    /// The number of groups.
    pub groups: u64,
    /// The size of the smallest group.
    pub smallest: u64,
    /// The average size of a group.
    pub average: f64,
    /// An attacker who looks for one person and knows that the person is in the table.
    pub prosecutor: ProsecutorRisk,
    /// The highest risk from an attacker who looks for any person of a population and does not know who is in the table.
    /// There is no table of the population here, so the published table is taken for it. The risk is then that of the
    /// prosecutor, and never lower than with a larger population.
    pub journalist: f64,
    /// The share of the records that an attacker who looks for all persons is expected to find: groups / records.
    pub marketer: f64,
    /// The records in groups of fewer than 2, 3, 5, 10, 20, 50 and 100.
    pub below: Vec<SmallGroups>,
}

/// An attacker who knows that the person is in the table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ProsecutorRisk {
    /// The risk of the records in the smallest group.
    pub highest: f64,
    /// The average over all records, which is groups / records.
    pub average: f64,
    /// The k that `above` is about.
    pub k: u64,
    /// The share of the records whose risk is above 1/k: those in groups of fewer than k.
    pub above: f64,
}

/// The records in groups that are smaller than some size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SmallGroups {
    /// The size.
    pub size: u64,
    /// The number of records in smaller groups.
    pub records: u64,
    /// Their share.
    pub share: f64,
}

impl Risk {
    /// The risk from groups given as (size, number of groups of this size), smallest size first.
    pub(crate) fn new(sizes: &[(u64, u64)], k: u64) -> Risk {
        let groups: u64 = sizes.iter().map(|(_, groups)| groups).sum();
        let records = records_below(sizes, u64::MAX);
        let smallest = sizes.first().map_or(0, |(size, _)| *size);
        let highest = ratio(1.min(smallest), smallest);
        let average = ratio(groups, records);
        let below = |size| {
            let below = records_below(sizes, size);
            SmallGroups { size, records: below, share: ratio(below, records) }
        };
        Risk {
            records,
            groups,
            smallest,
            average: ratio(records, groups),
            prosecutor: ProsecutorRisk { highest, average, k, above: below(k).share },
            journalist: highest,
            marketer: average,
            below: SIZES.map(below).to_vec(),
        }
    }
}

fn records_below(sizes: &[(u64, u64)], limit: u64) -> u64 {
    sizes.iter().filter(|(size, _)| *size < limit).map(|(size, groups)| size * groups).sum()
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_a_small_table() {
        // Two groups of 1, one of 2, one of 4, one of 12: 20 records.
        let risk = Risk::new(&[(1, 2), (2, 1), (4, 1), (12, 1)], 4);
        assert_eq!((risk.records, risk.groups, risk.smallest, risk.average), (20, 5, 1, 4.0));
        assert_eq!(risk.prosecutor, ProsecutorRisk { highest: 1.0, average: 0.25, k: 4, above: 0.2 });
        assert_eq!((risk.journalist, risk.marketer), (1.0, 0.25));
        let below: Vec<_> = risk.below.iter().map(|below| (below.size, below.records)).collect();
        assert_eq!(below, [(2, 2), (3, 4), (5, 8), (10, 8), (20, 20), (50, 20), (100, 20)]);
        assert_eq!(risk.below[2].share, 0.4);
    }

    #[test]
    fn a_group_of_exactly_k_is_not_above_the_threshold() {
        let risk = Risk::new(&[(5, 3)], 5);
        assert_eq!((risk.prosecutor.highest, risk.prosecutor.above), (0.2, 0.0));
        assert_eq!((risk.below[2].size, risk.below[2].records, risk.below[3].records), (5, 0, 15));
    }

    #[test]
    fn no_records_no_risk() {
        let risk = Risk::new(&[], 5);
        assert_eq!((risk.smallest, risk.average, risk.journalist, risk.marketer), (0, 0.0, 0.0, 0.0));
        assert!(risk.below.iter().all(|below| below.share == 0.0));
    }
}
