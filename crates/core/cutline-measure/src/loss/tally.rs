//! Counting what several metrics need.

use cutline_table::{Attribute, Code, Codes, Suppressed, sums, sums_alone, with_codes};

use super::Partition;

/// How many records have each value of one attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeCounts {
    /// For each code, the records that are published under their label.
    pub kept: Vec<u64>,
    /// For each code, the records that are suppressed.
    pub suppressed: Vec<u64>,
}

impl CodeCounts {
    /// Counts the records (`weights` of the rows) by the attribute's codes.
    pub fn new(attribute: &Attribute, weights: &[u64], suppressed: &Suppressed) -> Self {
        if suppressed.records == 0 {
            let kept = with_codes!(&attribute.codes, codes => {
                sums_alone(0..codes.len(), attribute.domain.len(), |row| codes[row].index(), |row| weights[row])
            });
            return CodeCounts { suppressed: vec![0; kept.len()], kept };
        }
        let rows = &suppressed.rows[..];
        let counts = with_codes!(&attribute.codes, codes => {
            let kind = |row: usize| 2 * codes[row].index() + usize::from(rows[row]);
            sums_alone(0..codes.len(), 2 * attribute.domain.len(), kind, |row| weights[row])
        });
        let column = |which: usize| counts.iter().skip(which).step_by(2).copied().collect();
        CodeCounts { kept: column(0), suppressed: column(1) }
    }

    /// All records with a code.
    pub fn of(&self, code: usize) -> u64 {
        self.kept[code] + self.suppressed[code]
    }

    /// All records.
    pub fn records(&self) -> u64 {
        self.kept.iter().chain(&self.suppressed).sum()
    }
}

/// The records of each (group, target code) that there are.
#[derive(Debug)]
pub(super) struct Tally {
    /// Where each group starts in `entries`, and where the last one ends.
    starts: Vec<usize>,
    /// Code and records, by group and then by code.
    entries: Vec<(u32, u64)>,
}

impl Tally {
    /// Counts the rows of each group and code.
    pub(super) fn new(partition: &Partition, codes: &Codes, distinct: usize, weights: &[u64]) -> Self {
        let pairs = partition.len().saturating_mul(distinct);
        if pairs > weights.len() {
            return Tally::of_many(partition, codes, distinct, weights);
        }
        let groups = partition.of_row();
        let pair = |row: usize, code: usize| groups[row] as usize * distinct + code;
        let records = with_codes!(codes, codes => {
            sums(weights.len(), pairs, |row| pair(row, codes[row].index()), |row| weights[row])
        });
        let there_are = records.iter().enumerate().filter(|(_, records)| **records > 0);
        let entries = there_are.map(|(pair, &records)| ((pair / distinct) as u32, (pair % distinct) as u32, records));
        Tally::from_sorted(entries, partition.len())
    }

    /// Sorts the rows by code, then by group, in linear time: a table of all pairs would be larger than the rows.
    fn of_many(partition: &Partition, codes: &Codes, distinct: usize, weights: &[u64]) -> Self {
        let rows = 0..weights.len() as u32;
        let groups = partition.of_row();
        with_codes!(codes, codes => {
            let code = |row: u32| codes[row as usize].index();
            let by_code = sorted(rows, code, distinct);
            let by_group = sorted(by_code.iter().copied(), |row| groups[row as usize] as usize, partition.len());
            let entry = |&row: &u32| (groups[row as usize], code(row) as u32, weights[row as usize]);
            Tally::from_sorted(by_group.iter().map(entry), partition.len())
        })
    }

    /// Adds up neighbours with the same group and code.
    fn from_sorted(sorted: impl Iterator<Item = (u32, u32, u64)>, groups: usize) -> Self {
        let mut tally = Tally { starts: Vec::with_capacity(groups + 1), entries: Vec::new() };
        for (group, code, weight) in sorted {
            let new = tally.starts.len() <= group as usize;
            while tally.starts.len() <= group as usize {
                tally.starts.push(tally.entries.len());
            }
            match tally.entries.last_mut() {
                Some((last, records)) if !new && *last == code => *records += weight,
                _ => tally.entries.push((code, weight)),
            }
        }
        tally.starts.resize(groups + 1, tally.entries.len());
        tally
    }

    /// The codes of each group with their records, ascending. The last group is that of the suppressed records.
    pub(super) fn groups(&self) -> impl DoubleEndedIterator<Item = &[(u32, u64)]> {
        self.starts.windows(2).map(|pair| &self.entries[pair[0]..pair[1]])
    }
}

/// The rows by ascending key; rows with the same key keep their order.
fn sorted(rows: impl Iterator<Item = u32> + Clone, key: impl Fn(u32) -> usize, keys: usize) -> Vec<u32> {
    let mut next = vec![0_u32; keys + 1];
    rows.clone().for_each(|row| next[key(row) + 1] += 1);
    (0..keys).for_each(|key| next[key + 1] += next[key]);
    let mut order = vec![0; next[keys] as usize];
    for row in rows {
        let place = &mut next[key(row)];
        order[*place as usize] = row;
        *place += 1;
    }
    order
}
