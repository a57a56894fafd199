//! What the recount says.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use crate::claim::Plan;
use crate::count::Tally;
use crate::dictionary::Dictionary;
use crate::groups::Groups;
use crate::{Claim, Options};

/// What stands for a null in [`WorstGroup::values`].
pub const NULL_TEXT: &str = "(null)";

/// The recount of a table: one finding for every claim, in the order of the claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The number of records in the table.
    pub records: u64,
    /// What was found about each claim.
    pub findings: Vec<Finding>,
}

/// The recount of one claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The claim's attributes.
    pub attributes: Vec<String>,
    /// The claim's threshold.
    pub k: u64,
    /// The size of the smallest group; 0 if there are no records.
    pub anonymity: u64,
    /// The number of groups.
    pub groups: u64,
    /// The number of groups with fewer than k records.
    pub violating_groups: u64,
    /// The number of records in these groups.
    pub violating_records: u64,
    /// (size, number of groups of this size), smallest size first.
    pub sizes: Vec<(u64, u64)>,
    /// The smallest groups, smallest first; of equal ones those whose values come first.
    pub worst: Vec<WorstGroup>,
}

/// One of the smallest groups.
#[derive(Clone, PartialEq, Eq)]
pub struct WorstGroup {
    /// The number of its records.
    pub size: u64,
    /// Its values in the order of the claim's attributes, if [`Options::keep_values`] asks for them.
    pub values: Option<Vec<String>>,
}

/// Shows the size only: values of records do not belong in a log.
impl fmt::Debug for WorstGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorstGroup").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Finding {
    /// Whether the claim is true: there are records, and no group has fewer than k of them.
    pub fn holds(&self) -> bool {
        self.anonymity > 0 && self.anonymity >= self.k
    }

    fn new(claim: &Claim, counted: &Counted<'_>, options: &Options) -> Finding {
        let mut sizes = BTreeMap::new();
        for &size in counted.groups.counts() {
            *sizes.entry(size).or_insert(0u64) += 1;
        }
        let violating = || sizes.range(..claim.k);
        Finding {
            attributes: claim.attributes.clone(),
            k: claim.k,
            anonymity: sizes.keys().next().copied().unwrap_or(0),
            groups: counted.groups.counts().len() as u64,
            violating_groups: violating().map(|(_, groups)| groups).sum(),
            violating_records: violating().map(|(size, groups)| size * groups).sum(),
            worst: counted.worst(options),
            sizes: sizes.into_iter().collect(),
        }
    }
}

impl Verdict {
    /// Whether all claims are true.
    pub fn holds(&self) -> bool {
        !self.findings.is_empty() && self.findings.iter().all(Finding::holds)
    }

    pub(crate) fn new(claims: &[Claim], plan: &Plan, tally: &Tally, options: &Options) -> Verdict {
        let finding = |(index, claim): (usize, &Claim)| {
            let columns = &plan.claims[index];
            let dictionaries = columns.iter().map(|&column| &tally.dictionaries[column]).collect();
            let counted = Counted { groups: &tally.groups[index], dictionaries };
            Finding::new(claim, &counted, options)
        };
        Verdict { records: tally.records, findings: claims.iter().enumerate().map(finding).collect() }
    }
}

/// The groups of one claim, with the dictionaries of its attributes.
struct Counted<'a> {
    groups: &'a Groups,
    dictionaries: Vec<&'a Dictionary>,
}

impl Counted<'_> {
    fn worst(&self, options: &Options) -> Vec<WorstGroup> {
        let mut order: Vec<usize> = (0..self.groups.counts().len()).collect();
        let by_size_and_content = |&a: &usize, &b: &usize| {
            let counts = self.groups.counts();
            counts[a].cmp(&counts[b]).then_with(|| self.by_content(a, b))
        };
        if options.worst < order.len() {
            order.select_nth_unstable_by(options.worst, by_size_and_content);
            order.truncate(options.worst);
        }
        order.sort_unstable_by(by_size_and_content);
        order
            .into_iter()
            .map(|group| WorstGroup {
                size: self.groups.counts()[group],
                values: options.keep_values.then(|| self.values(group)),
            })
            .collect()
    }

    /// Texts in the order of the attributes, null before any text.
    fn by_content(&self, a: usize, b: usize) -> Ordering {
        self.texts(a).cmp(self.texts(b))
    }

    fn values(&self, group: usize) -> Vec<String> {
        self.texts(group).map(|text| text.unwrap_or(NULL_TEXT).to_owned()).collect()
    }

    fn texts(&self, group: usize) -> impl Iterator<Item = Option<&str>> {
        let ids = self.groups.key(group).iter();
        ids.zip(&self.dictionaries).map(|(&id, dictionary)| dictionary.text(id))
    }
}
