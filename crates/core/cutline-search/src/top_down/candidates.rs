//! The valid and beneficial refinements, and the best of them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use cutline_table::AttributeId;

use super::Score;
use super::disclosures::Disclosures;
use crate::Problem;
use crate::gain::{Kinds, exceeds};

/// A refinement that could be performed next.
#[derive(Debug)]
pub(crate) struct Candidate {
    attribute: AttributeId,
    /// The node to refine or the value to disclose.
    target: u32,
    /// Its place among the attribute's candidates: the lowest code below it.
    position: u32,
    /// Of a value, what its kind gains counts.
    gain: f64,
    /// For each QID, the smallest group that performing it at any state so far would have made.
    ///
    /// Partings never merge groups, so A_v only falls: these running minima, together with A itself, are A_v exactly.
    /// Taking minima is independent of order, and thus of threads.
    smallest: Box<[AtomicU64]>,
}

impl Candidate {
    /// Performing this candidate makes a group of so many records. How small was the smallest before?
    fn makes_group(&self, qid: usize, records: u64) -> u64 {
        // Nearly always it made a smaller one before, and to look costs far less than to exchange.
        let before = self.smallest(qid);
        if records < before { self.smallest[qid].fetch_min(records, Ordering::Relaxed) } else { before }
    }

    fn smallest(&self, qid: usize) -> u64 {
        self.smallest[qid].load(Ordering::Relaxed)
    }
}

/// The chosen candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Best {
    pub(crate) attribute: AttributeId,
    pub(crate) target: u32,
    pub(crate) gain: f64,
    pub(crate) loss: f64,
    pub(crate) score: f64,
}

/// All candidates.
#[derive(Debug)]
pub(crate) struct Candidates {
    score: Score,
    weighs_loss: bool,
    /// Groups may not be smaller; 0 where records may be suppressed.
    thresholds: Vec<u64>,
    /// Smaller groups are not published: A(QID) is never less.
    floors: Vec<u64>,
    /// The QIDs that contain each attribute.
    qids_of: Vec<Vec<usize>>,
    /// By attribute, then by target.
    by_target: Vec<Vec<Option<Candidate>>>,
    /// `(attribute, position, target)` of all candidates of attributes with a tree, ascending: the order in which ties are resolved.
    order: Vec<(usize, u32, u32)>,
    /// Those of attributes without a tree.
    disclosures: Vec<Option<Disclosures>>,
    /// Candidates that have become invalid and were not taken out yet.
    invalid: Mutex<Vec<(AttributeId, u32)>>,
    settled: Settled,
}

/// Refinements that would violate the requirement, by attribute and target. Once invalid, always invalid: a walk that begins anew and is
/// told of them takes the same steps without asking again.
pub(super) type Settled = BTreeSet<(AttributeId, u32)>;

impl Candidates {
    pub(crate) fn new(problem: &Problem<'_>, score: Score, weighs_loss: bool) -> Self {
        let attributes = problem.table().attributes.len();
        let containing = |a: usize| {
            let qids = problem.qids().iter().enumerate();
            qids.filter(|(_, qid)| qid.attributes.contains(&AttributeId(a))).map(|(index, _)| index).collect()
        };
        Candidates {
            score,
            weighs_loss,
            thresholds: problem.qids().iter().map(|qid| if problem.may_suppress() { 0 } else { qid.k }).collect(),
            floors: problem.qids().iter().map(|qid| qid.k).collect(),
            qids_of: (0..attributes).map(containing).collect(),
            by_target: (0..attributes).map(|_| Vec::new()).collect(),
            order: Vec::new(),
            disclosures: (0..attributes).map(|_| None).collect(),
            invalid: Mutex::default(),
            settled: Settled::new(),
        }
    }

    /// Without what an earlier walk found to be invalid.
    pub(super) fn without(self, settled: Settled) -> Self {
        Candidates { settled, ..self }
    }

    /// What was found to be invalid, in this walk or an earlier one.
    pub(super) fn settled(&self) -> &Settled {
        &self.settled
    }

    /// A new candidate. Whether it is valid shows when its groups are counted.
    pub(crate) fn add(&mut self, attribute: AttributeId, target: u32, position: u32, gain: f64) {
        if self.settled.contains(&(attribute, target)) {
            return;
        }
        let slots = &mut self.by_target[attribute.0];
        if slots.len() <= target as usize {
            slots.resize_with(target as usize + 1, || None);
        }
        let smallest = self.thresholds.iter().map(|_| AtomicU64::new(u64::MAX)).collect();
        slots[target as usize] = Some(Candidate { attribute, target, position, gain, smallest });
        match &mut self.disclosures[attribute.0] {
            Some(disclosures) => disclosures.add(target),
            None => {
                let key = (attribute.0, position, target);
                let place = self.order.partition_point(|other| *other < key);
                self.order.insert(place, key);
            }
        }
    }

    /// All values of an attribute without a tree that may be disclosed.
    pub(crate) fn add_values(&mut self, attribute: AttributeId, kinds: Kinds, values: impl Iterator<Item = u32>) {
        self.disclosures[attribute.0] = Some(Disclosures::new(kinds));
        values.for_each(|value| self.add(attribute, value, value, 0.0));
    }

    /// What disclosing the values of an attribute gains now: every kind of them is asked for once.
    pub(crate) fn set_gains(&mut self, attribute: AttributeId, gain: impl Fn(u32) -> f64 + Sync) {
        if let Some(disclosures) = &mut self.disclosures[attribute.0] {
            disclosures.set_gains(gain);
        }
    }

    /// Nothing is gained by disclosing values any more: only some stay candidates.
    pub(crate) fn keep_values(&mut self, attribute: AttributeId, kept: &[u32]) {
        self.set_gains(attribute, |_| 0.0);
        for value in 0..self.by_target[attribute.0].len() as u32 {
            if !kept.contains(&value) {
                self.discard(attribute, value);
            }
        }
    }

    /// Takes out a candidate for good.
    pub(crate) fn discard(&mut self, attribute: AttributeId, target: u32) {
        let slot = self.by_target[attribute.0].get_mut(target as usize);
        let Some(candidate) = slot.and_then(Option::take) else { return };
        match &mut self.disclosures[attribute.0] {
            Some(disclosures) => disclosures.discard(target),
            None => {
                if let Ok(place) = self.order.binary_search(&(attribute.0, candidate.position, target)) {
                    self.order.remove(place);
                }
            }
        }
    }

    /// A candidate, unless it is known to be invalid for this QID already.
    pub(crate) fn live(&self, attribute: usize, target: u32, qid: usize) -> Option<&Candidate> {
        let candidate = self.by_target[attribute].get(target as usize)?.as_ref()?;
        (candidate.smallest(qid) >= self.thresholds[qid]).then_some(candidate)
    }

    /// Performing a candidate makes a group of so many records.
    pub(crate) fn makes_group(&self, candidate: &Candidate, qid: usize, records: u64) {
        let threshold = self.thresholds[qid];
        if candidate.makes_group(qid, records) >= threshold && records < threshold {
            let mut invalid = self.invalid.lock().unwrap_or_else(PoisonError::into_inner);
            invalid.push((candidate.attribute, candidate.target));
        }
    }

    /// May a group of a QID be a single record, as far as sizes say it?
    pub(crate) fn may_single_out(&self, qid: usize) -> bool {
        self.thresholds[qid] <= 1
    }

    /// Takes out what would violate the requirement. Once invalid, always invalid.
    pub(crate) fn drop_invalid(&mut self) {
        let invalid = std::mem::take(self.invalid.get_mut().unwrap_or_else(PoisonError::into_inner));
        invalid.into_iter().for_each(|(attribute, target)| self.settle(attribute, target));
    }

    /// Takes out a candidate that would violate the requirement.
    pub(crate) fn settle(&mut self, attribute: AttributeId, target: u32) {
        self.discard(attribute, target);
        self.settled.insert((attribute, target));
    }

    /// The candidate with the highest score. Ties: the higher gain, then the attribute and the node that come first.
    pub(crate) fn best(&mut self, anonymity: &[u64]) -> Option<Best> {
        let mut disclosures = std::mem::take(&mut self.disclosures);
        let mut leading: Vec<&Candidate> = Vec::new();
        let mut gains = Vec::new();
        for (attribute, own) in disclosures.iter_mut().enumerate() {
            let Some(own) = own else { continue };
            let candidate = |value: u32| self.by_target[attribute].get(value as usize)?.as_ref();
            let standing = |value: u32| candidate(value).map(|candidate| self.of(1.0, self.loss(candidate, anonymity)));
            let values: Vec<u32> = own.leaders(anonymity, self.standings_fall(attribute), standing).collect();
            leading.extend(values.iter().filter_map(|&value| candidate(value)));
            gains.extend(values.iter().map(|&value| own.gain(value)));
        }
        let refinements = self.ordered().map(|candidate| (candidate, candidate.gain));
        let all = refinements.chain(leading.into_iter().zip(gains));
        let all = all.map(|(candidate, gain)| (candidate.position, self.scored(candidate, gain, anonymity)));
        let best = all.reduce(|best, next| if precedes(&next, &best) { next } else { best });
        let best = best.map(|(_, best)| best);
        self.disclosures = disclosures;
        best
    }

    /// Does no score for the same gain rise while A(QID) stays as it is? AnonyLoss only grows then. Of the 2005 paper's scores, those for
    /// losses below 1 are higher than that for 0; whole numbers are never between.
    fn standings_fall(&self, attribute: usize) -> bool {
        self.score == Score::Tdr || self.qids_of[attribute].len() == 1
    }

    /// The candidates of attributes with a tree, in order.
    fn ordered(&self) -> impl Iterator<Item = &Candidate> {
        self.order.iter().filter_map(|&(attribute, _, target)| self.by_target[attribute][target as usize].as_ref())
    }

    /// All candidates in order.
    pub(crate) fn all<'a>(&'a self, anonymity: &'a [u64]) -> impl Iterator<Item = Best> + 'a {
        let values =
            self.disclosures.iter().zip(&self.by_target).filter_map(|(own, slots)| Some((own.as_ref()?, slots)));
        let values = values
            .flat_map(|(own, slots)| slots.iter().flatten().map(|candidate| (candidate, own.gain(candidate.target))));
        let mut all: Vec<(&Candidate, f64)> =
            self.ordered().map(|candidate| (candidate, candidate.gain)).chain(values).collect();
        all.sort_by_key(|(candidate, _)| (candidate.attribute, candidate.position));
        all.into_iter().map(|(candidate, gain)| self.scored(candidate, gain, anonymity))
    }

    fn scored(&self, candidate: &Candidate, gain: f64, anonymity: &[u64]) -> Best {
        let loss = self.loss(candidate, anonymity);
        Best { attribute: candidate.attribute, target: candidate.target, gain, loss, score: self.of(gain, loss) }
    }

    fn of(&self, gain: f64, loss: f64) -> f64 {
        if self.weighs_loss { self.score.of(gain, loss) } else { gain }
    }

    /// AnonyLoss: the average of A(QID) − A_v(QID) over the QIDs with v's attribute (2007 paper, equation 4). Groups smaller than k
    /// are suppressed, so they count as k.
    fn loss(&self, candidate: &Candidate, anonymity: &[u64]) -> f64 {
        let qids = &self.qids_of[candidate.attribute.0];
        let lost = qids.iter().map(|&qid| {
            let floor = self.floors[qid];
            anonymity[qid].max(floor) - anonymity[qid].min(candidate.smallest(qid)).max(floor)
        });
        lost.sum::<u64>() as f64 / qids.len() as f64
    }
}

/// Is a candidate better than another one, or as good and before it in order?
fn precedes(next: &(u32, Best), best: &(u32, Best)) -> bool {
    let place = |(position, best): &(u32, Best)| (best.attribute, *position);
    if place(next) < place(best) { !beats(&best.1, &next.1) } else { beats(&next.1, &best.1) }
}

/// Does a candidate beat one that comes before it in order?
fn beats(next: &Best, best: &Best) -> bool {
    exceeds(next.score, best.score) || (!exceeds(best.score, next.score) && exceeds(next.gain, best.gain))
}
