//! Top-down search straight from its definition (design, section 4.1), without anything that makes it fast.
//!
//! Every candidate of every step is tried on all records: the refined state is built, all records are grouped again for every QID,
//! and the gain is computed from the targets of the records. Nothing is shared with the search under test but the result's types.

mod piece;
pub(crate) mod worth;

use std::collections::BTreeMap;

use cutline_model::Requirement;
use cutline_search::top_down::Score;
use cutline_search::{Outcome, Refinement, Step, Stopped};

use super::{Cell, Sample};
pub(super) use piece::{Column, Piece};
use worth::Worth;

/// Searches to the end.
pub(crate) fn search(sample: &Sample, requirement: &Requirement, score: Score) -> Outcome {
    search_after(sample, requirement, score, &[])
}

/// The same, where for each QID every record has a history that nothing masks.
pub(crate) fn search_after(
    sample: &Sample,
    requirement: &Requirement,
    score: Score,
    histories: &[Vec<usize>],
) -> Outcome {
    let naive = Naive { histories, ..Naive::new(sample, requirement, score) };
    let mut state = naive.most_masked();
    let mut steps = Vec::new();
    let valid = |candidate: &Candidate| naive.is_valid(&candidate.anonymity);
    while let Some(best) = best(naive.candidates(&state).into_iter().filter(valid)) {
        steps.push(naive.step(steps.len() + 1, &best));
        state = best.after;
    }
    naive.outcome(&state, steps)
}

/// For each attribute, the pieces of its cut in tree order.
pub(super) type State = Vec<Vec<Piece>>;

/// A refinement that is beneficial.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) attribute: usize,
    pub(super) refined: Piece,
    pub(super) into: Vec<Piece>,
    pub(super) gain: f64,
    pub(super) loss: f64,
    pub(super) score: f64,
    /// The state that it leads to.
    pub(super) after: State,
    pub(super) anonymity: Vec<u64>,
}

impl Candidate {
    /// Is it the same refinement, in whatever state?
    pub(super) fn is(&self, other: &Candidate) -> bool {
        (self.attribute, &self.refined, &self.into) == (other.attribute, &other.refined, &other.into)
    }
}

pub(super) struct Naive<'a> {
    pub(super) columns: Vec<Column<'a>>,
    targets: Vec<&'a Cell>,
    pub(super) worth: Worth,
    score: Score,
    /// Attributes and threshold of each QID.
    pub(super) qids: Vec<(Vec<usize>, u64)>,
    /// For each QID, the history of every record; none where there are no earlier releases.
    histories: &'a [Vec<usize>],
}

impl<'a> Naive<'a> {
    pub(super) fn new(sample: &'a Sample, requirement: &Requirement, score: Score) -> Self {
        let columns: Vec<Column> = (0..sample.attributes.len()).map(|index| Column::new(sample, index)).collect();
        let with_position = |(attributes, k): (&[String], u64)| {
            let in_qid = |index: &usize| attributes.contains(&sample.attributes[*index].0);
            ((0..sample.attributes.len()).filter(in_qid).collect(), k)
        };
        let qids = requirement.qids().iter().map(|qid| (&qid.attributes[..], qid.k));
        Naive {
            columns,
            targets: sample.records.iter().map(|record| &record.target).collect(),
            worth: Worth::of(sample.label),
            score,
            qids: qids.map(with_position).collect(),
            histories: &[],
        }
    }

    pub(super) fn most_masked(&self) -> State {
        self.columns.iter().map(Column::most_masked).collect()
    }

    /// All beneficial refinements, in the order that decides ties.
    pub(super) fn candidates(&self, state: &State) -> Vec<Candidate> {
        let before = self.anonymity(state);
        let mut candidates = Vec::new();
        for (attribute, column) in self.columns.iter().enumerate() {
            for piece in 0..state[attribute].len() {
                let members = column.members(&state[attribute], piece);
                if !self.worth.beneficial(&self.targets_of(&members)) {
                    continue;
                }
                for into in self.refinements(column, &state[attribute][piece], &members) {
                    candidates.push(self.candidate(state, &before, (attribute, piece), into));
                }
            }
        }
        candidates
    }

    /// What a piece could be refined into: nothing, one list of pieces, or for ⊥ a list for each suppressed value.
    fn refinements(&self, column: &Column, piece: &Piece, members: &[usize]) -> Vec<Vec<Piece>> {
        match (piece, &self.worth) {
            (Piece::Interval { .. }, Worth::Records) => {
                let half_at_or_below =
                    |&(value, _): &(f64, Vec<Piece>)| 2 * column.at_or_below(value, members) >= members.len();
                let split = column.splits(piece, members).into_iter().find(half_at_or_below);
                split.into_iter().map(|(_, into)| into).collect()
            }
            (Piece::Interval { .. }, _) => {
                let mut best: Option<(f64, Vec<Piece>)> = None;
                for (_, into) in column.splits(piece, members) {
                    let gain = self.gain(column, piece, members, &into);
                    if best.as_ref().is_none_or(|&(highest, _)| exceeds(gain, highest)) {
                        best = Some((gain, into));
                    }
                }
                best.into_iter().map(|(_, into)| into).collect()
            }
            _ => column.children(piece, members),
        }
    }

    /// Tries a refinement.
    pub(super) fn candidate(
        &self,
        state: &State,
        before: &[u64],
        (attribute, piece): (usize, usize),
        into: Vec<Piece>,
    ) -> Candidate {
        let column = &self.columns[attribute];
        let refined = state[attribute][piece].clone();
        let gain = self.gain(column, &refined, &column.members(&state[attribute], piece), &into);
        let mut after = state.clone();
        after[attribute].splice(piece..=piece, into.iter().cloned());
        let anonymity = self.anonymity(&after);
        let loss = self.loss(attribute, before, &anonymity);
        let score = self.score(gain, loss);
        Candidate { attribute, refined, into, gain, loss, score, after, anonymity }
    }

    pub(super) fn is_valid(&self, anonymity: &[u64]) -> bool {
        self.qids.iter().zip(anonymity).all(|((_, k), anonymity)| anonymity >= k)
    }

    fn gain(&self, column: &Column, refined: &Piece, members: &[usize], into: &[Piece]) -> f64 {
        let parts: Vec<Vec<&Cell>> =
            (0..into.len()).map(|part| self.targets_of(&column.members_among(members, into, part))).collect();
        match (refined, &self.worth) {
            // Only the records of the disclosed value, which comes first, are refined.
            (Piece::Suppressed, Worth::Records) => parts[0].len() as f64,
            _ => self.worth.gain(&self.targets_of(members), &parts),
        }
    }

    pub(super) fn targets_of(&self, records: &[usize]) -> Vec<&'a Cell> {
        records.iter().map(|&record| self.targets[record]).collect()
    }

    /// AnonyLoss: the average over the QIDs with the attribute.
    pub(super) fn loss(&self, attribute: usize, before: &[u64], after: &[u64]) -> f64 {
        let concerned = (0..self.qids.len()).filter(|&qid| self.qids[qid].0.contains(&attribute));
        let lost: Vec<u64> = concerned.map(|qid| before[qid] - after[qid]).collect();
        lost.iter().sum::<u64>() as f64 / lost.len() as f64
    }

    pub(super) fn score(&self, gain: f64, loss: f64) -> f64 {
        match (&self.worth, self.score) {
            (Worth::Records, _) => gain,
            (_, Score::Tdr) => gain / (loss + 1.0),
            (_, Score::Tds) if loss == 0.0 => gain,
            (_, Score::Tds) => gain / loss,
        }
    }

    /// For each attribute and record, the piece that it is masked to.
    pub(super) fn masked(&self, state: &State) -> Vec<Vec<usize>> {
        self.columns.iter().zip(state).map(|(column, pieces)| column.masked(pieces)).collect()
    }

    /// A(QID) of each QID.
    pub(super) fn anonymity(&self, state: &State) -> Vec<u64> {
        let masked = self.masked(state);
        let smallest = |(qid, (attributes, _)): (usize, &(Vec<usize>, u64))| {
            let history = |record: usize| self.histories.get(qid).map(|of_qid| of_qid[record]);
            let labels = |record: usize| attributes.iter().map(move |&attribute| (attribute, record));
            let qid_of = |record: usize| {
                labels(record).map(|(attribute, record)| masked[attribute][record]).chain(history(record)).collect()
            };
            let mut groups: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
            for qid in (0..self.targets.len()).map(qid_of) {
                *groups.entry(qid).or_default() += 1;
            }
            groups.into_values().min().unwrap_or(0)
        };
        self.qids.iter().enumerate().map(smallest).collect()
    }

    pub(super) fn step(&self, step: usize, best: &Candidate) -> Step {
        let column = &self.columns[best.attribute];
        Step::Refinement(Refinement {
            step,
            attribute: column.name.to_owned(),
            refined: column.told(&best.refined),
            into: best.into.iter().map(|piece| column.told(piece)).collect(),
            gain: best.gain,
            loss: best.loss,
            score: best.score,
            anonymity: best.anonymity.clone(),
        })
    }

    pub(super) fn outcome(&self, state: &State, steps: Vec<Step>) -> Outcome {
        let cuts = self.columns.iter().zip(state);
        Outcome {
            recoding: cuts.map(|(column, pieces)| column.recoding(pieces)).collect(),
            regions: None,
            steps,
            stopped: Stopped::Complete,
            anonymity: self.anonymity(state),
        }
    }
}

/// The highest score; then the higher gain; then the one that comes first.
pub(super) fn best(candidates: impl Iterator<Item = Candidate>) -> Option<Candidate> {
    candidates.reduce(|best, next| {
        let higher = exceeds(next.score, best.score);
        let lower = exceeds(best.score, next.score);
        if higher || (!lower && exceeds(next.gain, best.gain)) { next } else { best }
    })
}

/// Is `a` greater than `b`, by one part in 10^12 or more?
pub(super) fn exceeds(a: f64, b: f64) -> bool {
    a > b && (a - b) >= 1e-12 * a.abs().max(b.abs())
}
