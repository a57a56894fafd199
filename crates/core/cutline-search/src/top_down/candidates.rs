//! The valid and beneficial refinements, and the best of them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use cutline_table::AttributeId;

use super::Score;
use crate::Problem;
use crate::gain::exceeds;

/// A refinement that could be performed next.
#[derive(Debug)]
pub(crate) struct Candidate {
    attribute: AttributeId,
    /// The node to refine or the value to disclose.
    target: u32,
    /// Its place among the attribute's candidates: the lowest code below it.
    position: u32,
    gain: f64,
    /// For each QID, the smallest group that performing it at any state so far would have made.
    ///
    /// Partings never merge groups, so A_v only falls: these running minima, together with A itself, are A_v exactly.
    /// Taking minima is independent of order, and thus of threads.
    smallest: Box<[AtomicU64]>,
}

impl Candidate {
    /// Performing this candidate makes a group of so many records.
    fn makes_group(&self, qid: usize, records: u64) {
        // Nearly always it made a smaller one before, and to look costs far less than to exchange.
        if records < self.smallest(qid) {
            self.smallest[qid].fetch_min(records, Ordering::Relaxed);
        }
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
    /// `(attribute, position, target)` of all candidates, ascending: the order in which ties are resolved.
    order: Vec<(usize, u32, u32)>,
    /// Has a candidate become invalid that was not taken out yet?
    some_invalid: AtomicBool,
}

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
            thresholds: problem.qids().iter().map(|qid| if problem.limit() > 0 { 0 } else { qid.k }).collect(),
            floors: problem.qids().iter().map(|qid| qid.k).collect(),
            qids_of: (0..attributes).map(containing).collect(),
            by_target: (0..attributes).map(|_| Vec::new()).collect(),
            order: Vec::new(),
            some_invalid: AtomicBool::new(false),
        }
    }

    /// A new candidate. Whether it is valid shows when its groups are counted.
    pub(crate) fn add(&mut self, attribute: AttributeId, target: u32, position: u32, gain: f64) {
        let slots = &mut self.by_target[attribute.0];
        if slots.len() <= target as usize {
            slots.resize_with(target as usize + 1, || None);
        }
        let smallest = self.thresholds.iter().map(|_| AtomicU64::new(u64::MAX)).collect();
        slots[target as usize] = Some(Candidate { attribute, target, position, gain, smallest });
        let key = (attribute.0, position, target);
        let place = self.order.partition_point(|other| *other < key);
        self.order.insert(place, key);
    }

    /// Is a value a candidate, or one that was never looked at? What was disclosed or found invalid stays out.
    pub(crate) fn may_disclose(&self, attribute: AttributeId, value: u32) -> bool {
        self.by_target[attribute.0].get(value as usize).is_none_or(Option::is_some)
    }

    /// A value that could be disclosed, with the gain it has now. One that was found invalid before stays out.
    pub(crate) fn add_or_update(&mut self, attribute: AttributeId, value: u32, gain: f64) {
        match self.by_target[attribute.0].get_mut(value as usize) {
            None => self.add(attribute, value, value, gain),
            Some(Some(candidate)) => candidate.gain = gain,
            Some(None) => {}
        }
    }

    /// Takes out a candidate for good.
    pub(crate) fn discard(&mut self, attribute: AttributeId, target: u32) {
        if let Some(slot) = self.by_target[attribute.0].get_mut(target as usize)
            && let Some(candidate) = slot.take()
            && let Ok(place) = self.order.binary_search(&(attribute.0, candidate.position, target))
        {
            self.order.remove(place);
        }
    }

    /// A candidate, unless it is known to be invalid for this QID already.
    pub(crate) fn live(&self, attribute: usize, target: u32, qid: usize) -> Option<&Candidate> {
        let candidate = self.by_target[attribute].get(target as usize)?.as_ref()?;
        (candidate.smallest(qid) >= self.thresholds[qid]).then_some(candidate)
    }

    /// Performing a candidate makes a group of so many records.
    pub(crate) fn makes_group(&self, candidate: &Candidate, qid: usize, records: u64) {
        candidate.makes_group(qid, records);
        if records < self.thresholds[qid] {
            self.some_invalid.store(true, Ordering::Relaxed);
        }
    }

    /// Takes out what would violate the requirement. Once invalid, always invalid.
    pub(crate) fn drop_invalid(&mut self) {
        if !std::mem::take(self.some_invalid.get_mut()) {
            return;
        }
        let Candidates { by_target, order, thresholds, .. } = self;
        order.retain(|&(attribute, _, target)| {
            let slot = &mut by_target[attribute][target as usize];
            let valid = slot
                .as_ref()
                .is_some_and(|candidate| thresholds.iter().enumerate().all(|(qid, &k)| candidate.smallest(qid) >= k));
            if !valid {
                *slot = None;
            }
            valid
        });
    }

    /// The candidate with the highest score. Ties: the higher gain, then the attribute and the node that come first.
    pub(crate) fn best(&self, anonymity: &[u64]) -> Option<Best> {
        self.all(anonymity).reduce(|best, next| if beats(&next, &best) { next } else { best })
    }

    /// All candidates in order.
    pub(crate) fn all<'a>(&'a self, anonymity: &'a [u64]) -> impl Iterator<Item = Best> + 'a {
        let candidates =
            self.order.iter().filter_map(|&(attribute, _, target)| self.by_target[attribute][target as usize].as_ref());
        candidates.map(move |candidate| {
            let loss = self.loss(candidate, anonymity);
            let gain = candidate.gain;
            let score = if self.weighs_loss { self.score.of(gain, loss) } else { gain };
            Best { attribute: candidate.attribute, target: candidate.target, gain, loss, score }
        })
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

/// Does a candidate beat one that comes before it in order?
fn beats(next: &Best, best: &Best) -> bool {
    exceeds(next.score, best.score) || (!exceeds(best.score, next.score) && exceeds(next.gain, best.gain))
}
