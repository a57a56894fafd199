//! Our own search straight from its definition (design, section 4.5; `cutline_search::refine`), record by record.
//!
//! Every way to refine every piece is tried on all records, in every state. Nothing is counted ahead, nothing is remembered but what
//! was refused.

use std::collections::BTreeMap;

use cutline_model::recoding::Label;
use cutline_search::top_down::Score;
use cutline_search::{Generalization, Outcome, Step};

use super::Cell;
use super::guard::Guard;
use super::guarded::Guarded;
use super::naive::worth::Worth;
use super::naive::{Candidate, Naive, Piece, State, best, exceeds};
use super::naive_guarded::top_down_by;

/// Searches to the end.
pub(crate) fn search(guarded: &Guarded) -> Outcome {
    let search = Refine {
        guard: guarded.guard(),
        naive: Naive::new(&guarded.case.sample, &guarded.case.requirement, Score::Tdr),
        limit: guarded.limit,
    };
    let mut run = Run { state: search.naive.most_masked(), steps: Vec::new() };
    search.refine(&mut run, &[None]);
    while let Some(better) = search.improved(&run) {
        run = better;
    }
    let anonymity = search.anonymity(&run.state);
    let own = Outcome { anonymity, ..search.naive.outcome(&run.state, run.steps) };
    let other = top_down_by(guarded, Score::Tdr);
    let of = |outcome: &Outcome| search.told_apart(&guarded.labels(&outcome.recoding));
    if of(&other) < of(&own) * (1.0 - 1e-9) { other } else { own }
}

struct Refine<'a> {
    guard: Guard<'a>,
    naive: Naive<'a>,
    limit: u64,
}

#[derive(Clone)]
struct Run {
    state: State,
    steps: Vec<Step>,
}

impl Refine<'_> {
    /// Refines as far as possible, with each of these attributes held in turn.
    fn refine(&self, run: &mut Run, held: &[Option<usize>]) {
        let mut refused: Vec<Candidate> = Vec::new();
        for &held in held {
            while let Some(mut chosen) = best(self.candidates(&run.state, held, &refused).into_iter()) {
                if self.suppressed(&chosen.after) > self.limit {
                    refused.push(chosen);
                    continue;
                }
                chosen.anonymity = self.anonymity(&chosen.after);
                run.steps.push(self.naive.step(run.steps.len() + 1, &chosen));
                run.state = chosen.after;
            }
        }
    }

    fn suppressed(&self, state: &State) -> u64 {
        self.guard.publish(&self.naive.masked(state)).suppressed()
    }

    fn anonymity(&self, state: &State) -> Vec<u64> {
        let labels = self.naive.masked(state);
        self.guard.anonymity(&labels, &self.guard.publish(&labels))
    }

    /// The best valid way to refine each piece.
    fn candidates(&self, state: &State, held: Option<usize>, refused: &[Candidate]) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for attribute in (0..state.len()).filter(|&attribute| Some(attribute) != held) {
            for piece in 0..state[attribute].len() {
                let members = self.naive.columns[attribute].members(&state[attribute], piece);
                if !self.naive.worth.beneficial(&self.naive.targets_of(&members)) {
                    continue;
                }
                let try_out = |into: Vec<Piece>| self.try_out(state, (attribute, piece), &members, into, refused);
                let column = &self.naive.columns[attribute];
                let splits = column.splits(&state[attribute][piece], &members);
                let ways = splits.into_iter().map(|(_, into)| into).filter_map(&try_out);
                candidates.extend(self.best_split(ways));
                let children = column.children(&state[attribute][piece], &members);
                candidates.extend(children.into_iter().filter_map(&try_out));
            }
        }
        candidates
    }

    /// By gain less what is lost; for no purpose, the most even one. The candidates' scores are set already.
    fn best_split(&self, ways: impl Iterator<Item = Candidate>) -> Option<Candidate> {
        let mut best: Option<(f64, Candidate)> = None;
        for way in ways {
            let worth = match self.naive.worth {
                Worth::Records => self.smaller_part(&way) as f64,
                _ => way.score * (way.loss + 1.0),
            };
            if best.as_ref().is_none_or(|(highest, _)| exceeds(worth, *highest)) {
                best = Some((worth, way));
            }
        }
        best.map(|(_, way)| way)
    }

    fn smaller_part(&self, way: &Candidate) -> usize {
        let masked = self.naive.masked(&way.after);
        let part = |piece: &Piece| {
            let place = way.after[way.attribute].iter().position(|other| other == piece);
            masked[way.attribute].iter().filter(|&&label| Some(label) == place).count()
        };
        way.into.iter().map(part).min().unwrap_or(0)
    }

    /// A refinement, unless it is certainly invalid, was refused, or loses as much as it gains.
    fn try_out(
        &self,
        state: &State,
        (attribute, piece): (usize, usize),
        members: &[usize],
        into: Vec<Piece>,
        refused: &[Candidate],
    ) -> Option<Candidate> {
        let mut candidate = self.naive.candidate(state, &self.naive.anonymity(state), (attribute, piece), into);
        if refused.iter().any(|other| same_cells(other, &candidate)) {
            return None;
        }
        let (before, after) = (self.sizes(state), self.sizes(&candidate.after));
        let concerned = || (0..before.len()).filter(|&qid| self.naive.qids[qid].0.contains(&attribute));
        let small =
            |sizes: &[u64], qid: usize| sizes.iter().filter(|&&size| size < self.naive.qids[qid].1).count() as u64;
        if concerned().any(|qid| small(&after[qid], qid) > self.limit) {
            return None;
        }
        let hides = concerned().map(|qid| small(&after[qid], qid) - small(&before[qid], qid)).max().unwrap_or(0);
        let lost = self.lost(hides, members);
        if hides > 0 && !exceeds(candidate.gain, lost) {
            return None;
        }
        let floored = |sizes: &[Vec<u64>]| -> Vec<u64> {
            let smallest = |(sizes, (_, k)): (&Vec<u64>, &(Vec<usize>, u64))| (*sizes.iter().min().unwrap()).max(*k);
            sizes.iter().zip(&self.naive.qids).map(smallest).collect()
        };
        candidate.loss = self.naive.loss(attribute, &floored(&before), &floored(&after));
        candidate.score = self.naive.score(candidate.gain - lost, candidate.loss);
        Some(candidate)
    }

    /// For each QID and record, the size of its group.
    fn sizes(&self, state: &State) -> Vec<Vec<u64>> {
        let masked = self.naive.masked(state);
        let records = self.guard.records;
        let of_qid = |(attributes, _): &(Vec<usize>, u64)| {
            let same = |a: usize, b: usize| attributes.iter().all(|&x| masked[x][a] == masked[x][b]);
            (0..records).map(|a| (0..records).filter(|&b| same(a, b)).count() as u64).collect()
        };
        self.naive.qids.iter().map(of_qid).collect()
    }

    /// What is lost with hidden records: all that could be known of them.
    fn lost(&self, hides: u64, members: &[usize]) -> f64 {
        let all: Vec<usize> = (0..self.guard.records).collect();
        let targets = self.naive.targets_of(&all);
        let mut values = targets.clone();
        values.sort();
        let parts: Vec<Vec<&Cell>> = values.chunk_by(|a, b| a == b).map(<[&Cell]>::to_vec).collect();
        let known = members.iter().filter(|&&record| targets[record].is_some()).count();
        match self.naive.worth {
            Worth::Records => self.naive.columns.len() as f64 * hides as f64,
            Worth::Entropy => self.naive.worth.gain(&targets, &parts) * hides as f64 / members.len() as f64,
            Worth::Variance => self.naive.worth.gain(&targets, &parts) * hides as f64 / known.max(1) as f64,
        }
    }

    /// The first attribute whose return improves the objective, if there is one.
    fn improved(&self, run: &Run) -> Option<Run> {
        let reached = self.objective(&run.state);
        self.told(&run.state, reached).into_iter().find_map(|(only_here, attribute, lost)| {
            let trial = self.take_back(run, attribute, lost)?;
            let given_up = trial.state[attribute] == self.naive.most_masked()[attribute];
            let better = self.objective(&trial.state) < reached * (1.0 - 1e-9);
            (better && !(given_up && only_here > 0.5 + 1e-9)).then_some(trial)
        })
    }

    /// Attributes that are not masked to the top, each with the share of what it tells that no other one does, and with what would be
    /// lost without it; ascending.
    fn told(&self, state: &State, reached: f64) -> Vec<(f64, usize, f64)> {
        let top = self.naive.most_masked();
        let nothing = self.objective(&top);
        let mut told = Vec::new();
        for attribute in (0..state.len()).filter(|&attribute| state[attribute] != top[attribute]) {
            let (mut without, mut alone) = (state.clone(), top.clone());
            without[attribute] = top[attribute].clone();
            alone[attribute] = state[attribute].clone();
            let tells = nothing - self.objective(&alone);
            let lost = self.objective(&without) - reached;
            told.push((if tells > 1e-9 { lost / tells } else { 0.0 }, attribute, lost));
        }
        told.sort_by(|a, b| (a.0 * 1e9).round().total_cmp(&(b.0 * 1e9).round()));
        told
    }

    fn take_back(&self, run: &Run, attribute: usize, lost: f64) -> Option<Run> {
        let mut trial = run.clone();
        trial.state[attribute] = self.naive.most_masked()[attribute].clone();
        if self.suppressed(&trial.state) > self.limit {
            return None;
        }
        let column = &self.naive.columns[attribute];
        trial.steps.push(Step::Generalization(Generalization {
            step: run.steps.len() + 1,
            attribute: column.name.to_owned(),
            generalized: column.recoding(&run.state[attribute]).labels().into_iter().map(Label::Text).collect(),
            into: column.recoding(&trial.state[attribute]).labels()[0].as_str().into(),
            loss: lost,
            gain: 0.0,
            ip: None,
            anonymity: self.anonymity(&trial.state),
        }));
        self.refine(&mut trial, &[Some(attribute), None]);
        Some(trial)
    }

    /// Conditional entropy, variance within groups, or the share of pairs with the same label; suppressed records are one group.
    fn objective(&self, state: &State) -> f64 {
        self.told_apart(&self.naive.masked(state))
    }

    fn told_apart<L: Clone + Ord>(&self, masked: &[Vec<L>]) -> f64 {
        let gone = self.guard.publish(masked).gone;
        let records = self.guard.records as f64;
        if let Worth::Records = self.naive.worth {
            let same = |column: &Vec<L>| {
                let kept = || (0..gone.len()).filter(|&record| !gone[record]);
                let pairs = kept().map(|a| kept().filter(|&b| column[a] == column[b]).count()).sum::<usize>();
                pairs as f64 / records + gone.iter().filter(|gone| **gone).count() as f64
            };
            return masked.iter().map(same).sum::<f64>() / records;
        }
        let mut groups: BTreeMap<Option<Vec<L>>, Vec<usize>> = BTreeMap::new();
        for record in 0..gone.len() {
            let key = (!gone[record]).then(|| masked.iter().map(|column| column[record].clone()).collect());
            groups.entry(key).or_default().push(record);
        }
        groups.values().map(|members| self.spread(members)).sum::<f64>() / records
    }

    /// Records times entropy, or the sum of squared distances from the mean: what telling each target by itself would gain.
    fn spread(&self, members: &[usize]) -> f64 {
        let mut targets = self.naive.targets_of(members);
        targets.sort();
        if let Worth::Variance = self.naive.worth {
            targets.retain(|target| target.is_some());
        }
        let parts: Vec<Vec<&Cell>> = targets.chunk_by(|a, b| a == b).map(<[&Cell]>::to_vec).collect();
        if targets.is_empty() { 0.0 } else { self.naive.worth.gain(&targets, &parts) * targets.len() as f64 }
    }
}

/// Is it the same bound, node or value, in whatever state?
fn same_cells(one: &Candidate, other: &Candidate) -> bool {
    let bound = |candidate: &Candidate| match &candidate.into[..] {
        [Piece::Interval { upper, .. }, Piece::Interval { .. }] => Some(upper.map(f64::to_bits)),
        _ => None,
    };
    match (bound(one), bound(other)) {
        (Some(one_bound), Some(other_bound)) => one.attribute == other.attribute && one_bound == other_bound,
        _ => one.is(other),
    }
}
