//! How well are the records told apart, for the purpose?

use cutline_table::{Code, Labels, with_codes};

use super::improve::ROUNDING;
use crate::Problem;
use crate::grouping::Labelling;
use crate::suppress::{Groups, Suppressor};

/// What the improvement phase minimizes. Suppressed records are one more group.
///
/// | purpose | |
/// | --- | --- |
/// | classification | the conditional entropy of the class, given the group by all attributes |
/// | regression | the variance of the target within groups |
/// | general | for each attribute, the share of pairs of records that have the same label; added up |
pub(super) struct Objective<'a> {
    problem: &'a Problem<'a>,
    suppressor: Suppressor<'a>,
    groups: Groups,
}

impl<'a> Objective<'a> {
    pub(super) fn new(problem: &'a Problem<'a>) -> Self {
        Objective { problem, suppressor: Suppressor::new(problem), groups: Groups::default() }
    }

    /// The objective under some labels: what is less is better.
    pub(super) fn of(&mut self, labellings: &[Labelling]) -> f64 {
        self.told(labellings).0 / self.problem.table().records as f64
    }

    /// How well labels describe the records, with a price for each group: what tells apart by chance does not pay.
    ///
    /// | purpose | a group costs |
    /// | --- | --- |
    /// | classification | half the logarithm of the number of records, in bits, for each class but one (Rissanen 1978) |
    /// | regression | as much, where the variance is taken for that of a normal distribution (Schwarz 1978) |
    /// | general | nothing: no label is guessed |
    pub(super) fn judge(&mut self, labellings: &[Labelling]) -> Judged {
        let (sum, groups) = self.told(labellings);
        let table = self.problem.table();
        let records = table.records as f64;
        let groups = groups as f64;
        let (value, described) = match &table.labels {
            Labels::None => (sum / records, sum / records),
            Labels::Classes { names, .. } => {
                let numbers = groups * names.len().saturating_sub(1) as f64;
                (sum / records, (sum + numbers * records.log2() / 2.0) / records)
            }
            Labels::Numbers { .. } => (sum / records, sum / records * records.powf(groups / records)),
        };
        let suppressed = self.groups.rows.iter().map(|&row| table.weights[row as usize]).sum();
        let certain = matches!(table.labels, Labels::None);
        Judged { value, described, suppressed, certain }
    }

    /// What is left to tell of all records, and the number of groups.
    fn told(&mut self, labellings: &[Labelling]) -> (f64, usize) {
        self.suppressor.run(labellings, &mut self.groups);
        let add = |(sum, groups): (f64, usize), left: f64| (sum + left, groups + 1);
        match &self.problem.table().labels {
            Labels::None => (self.pairs(labellings), 0),
            Labels::Classes { codes, .. } => {
                let mut members = self.members(codes.iter());
                grouped(&mut members).map(entropy).fold((0.0, 0), add)
            }
            Labels::Numbers { values, codes } => {
                let mut members = self.members(codes.iter());
                members.retain(|&(_, code, _)| values[code as usize].is_some());
                grouped(&mut members).map(|group| scatter(group, values)).fold((0.0, 0), add)
            }
        }
    }

    /// Group, label and records of each row.
    fn members(&self, labels: impl Iterator<Item = u32>) -> Vec<(u32, u32, u64)> {
        let rows = self.groups.ids().iter().zip(labels).zip(&self.problem.table().weights);
        rows.map(|((&group, label), &weight)| (group, label, weight)).collect()
    }

    /// Suppressed records have the same label as all others.
    fn pairs(&self, labellings: &[Labelling]) -> f64 {
        let table = self.problem.table();
        let mut hidden = vec![false; table.rows()];
        self.groups.rows.iter().for_each(|&row| hidden[row as usize] = true);
        let mut sum = 0.0;
        for (attribute, Labelling { label_of, labels }) in table.attributes.iter().zip(labellings) {
            let mut records = vec![0u64; *labels];
            let mut suppressed = 0;
            with_codes!(&attribute.codes, codes => {
                for ((code, &weight), &hidden) in codes.iter().zip(&table.weights).zip(&hidden) {
                    *(if hidden { &mut suppressed } else { &mut records[label_of[code.index()] as usize] }) += weight;
                }
            });
            let same: f64 = records.iter().map(|&records| (records as f64).powi(2)).sum();
            sum += same / table.records as f64 + suppressed as f64;
        }
        sum
    }
}

/// How good a state is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Judged {
    /// The objective.
    value: f64,
    /// The same with a price for each group.
    described: f64,
    /// The records that are suppressed.
    suppressed: u64,
    /// Is the objective itself what counts, however small a difference is?
    certain: bool,
}

impl Judged {
    /// Is it better by more than a share, or as good with fewer records suppressed?
    pub(super) fn beats(&self, other: &Judged, share: f64) -> bool {
        let share = if self.certain { ROUNDING } else { share };
        let as_good = (self.value - other.value).abs() <= ROUNDING * other.value;
        self.described < other.described * (1.0 - share) || (as_good && self.suppressed < other.suppressed)
    }

    /// Is it better at all?
    pub(super) fn is_less(&self, other: &Judged) -> bool {
        self.described < other.described * (1.0 - ROUNDING)
    }
}

/// The members of each group, by label.
fn grouped(members: &mut [(u32, u32, u64)]) -> impl Iterator<Item = &[(u32, u32, u64)]> {
    members.sort_unstable();
    members.chunk_by(|a, b| a.0 == b.0)
}

/// Records times entropy.
fn entropy(group: &[(u32, u32, u64)]) -> f64 {
    let records: u64 = group.iter().map(|member| member.2).sum();
    let class = |members: &[(u32, u32, u64)]| {
        let class = members.iter().map(|member| member.2).sum::<u64>() as f64;
        class * (records as f64 / class).log2()
    };
    group.chunk_by(|a, b| a.1 == b.1).map(class).sum()
}

/// The sum of squared distances from the mean.
fn scatter(group: &[(u32, u32, u64)], values: &[Option<f64>]) -> f64 {
    let value = |code: u32| values[code as usize].unwrap_or_default();
    let records = group.iter().map(|member| member.2).sum::<u64>() as f64;
    let mean = group.iter().map(|&(_, code, weight)| value(code) * weight as f64).sum::<f64>() / records;
    group.iter().map(|&(_, code, weight)| weight as f64 * (value(code) - mean).powi(2)).sum()
}
