//! The persons of the external table by what they match.

use cutline_table::Numbering;

use super::TruthOutcome;
use super::cover::Cover;
use super::groups::{Groups, Matched};
use super::tables::{Linkage, Truth};

/// Persons whose values are covered by the same labels match the same records.
#[derive(Debug)]
pub(super) struct Persons {
    covers: Vec<Cover>,
    /// The classes of the values of each kind of person.
    kinds: Vec<Vec<u32>>,
    /// The kind of each person.
    pub(super) kind_of: Vec<u32>,
    /// The persons of each kind.
    pub(super) counts: Vec<u64>,
}

/// How much persons of one kind match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    /// Records, or the persons behind them.
    pub(super) members: u64,
    suppressed: bool,
}

impl Persons {
    pub(super) fn new(tables: &Linkage, covers: Vec<Cover>) -> Self {
        let columns = tables.external.columns();
        let class = |column: usize, row: usize| {
            let code = columns[tables.on[column]].codes[row];
            covers[column].class_of[code as usize]
        };
        let mut numbering = Numbering::new(tables.external.len());
        for (column, cover) in covers.iter().enumerate() {
            numbering.refine((0..tables.external.len()).map(|row| class(column, row)), cover.classes.len());
        }
        let kind = |row: &u32| (0..covers.len()).map(|column| class(column, *row as usize)).collect();
        let kinds = numbering.first_rows().iter().map(kind).collect();
        let mut counts = vec![0; numbering.len];
        numbering.of_row.iter().for_each(|&kind| counts[kind as usize] += 1);
        Persons { covers, kinds, kind_of: numbering.of_row, counts }
    }

    /// What persons of each kind match, in numbers.
    pub(super) fn matches(&self, groups: &Groups) -> Vec<Match> {
        let count = |kind| {
            let Matched { groups: matched, suppressed } = self.matched(kind, groups);
            Match { members: groups.members(&matched), suppressed }
        };
        (0..self.kinds.len()).map(count).collect()
    }

    /// What persons of one kind match.
    pub(super) fn matched(&self, kind: usize, groups: &Groups) -> Matched {
        groups.matching(&self.covering(kind))
    }

    /// The labels that cover each value of a kind of person.
    fn covering(&self, kind: usize) -> Vec<&[u32]> {
        let classes = self.covers.iter().zip(&self.kinds[kind]);
        classes.map(|(cover, &class)| &cover.classes[class as usize][..]).collect()
    }

    /// How often a random guess among the matching records is right.
    pub(super) fn truth(&self, truth: &Truth, groups: &Groups, matches: &[Match]) -> TruthOutcome {
        let mut outcome = TruthOutcome { present: 0, among_matches: 0, success: 0.0, highest_success: 0.0 };
        for own in truth.chunk_by(|(one, _), (other, _)| one == other) {
            let kind = self.kind_of[own[0].0 as usize] as usize;
            let covering = self.covering(kind);
            let is_matched = |group: u32| match groups.suppressed == Some(group) {
                true => matches[kind].suppressed,
                false => groups.is_covered(group, &covering),
            };
            let hits = own.iter().filter(|(_, record)| is_matched(groups.of_record[*record as usize])).count();
            outcome.present += 1;
            if hits > 0 {
                // Whoever has several of the records is still one of the persons.
                let hits = if groups.counts_persons() { 1 } else { hits };
                let success = hits as f64 / matches[kind].members as f64;
                outcome.among_matches += 1;
                outcome.success += success;
                outcome.highest_success = outcome.highest_success.max(success);
            }
        }
        outcome.success /= self.kind_of.len() as f64;
        outcome
    }
}
