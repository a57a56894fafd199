//! Bottom-up generalization (`bottom-up`, 2004).
//!
//! Start from the raw values. While the requirement does not hold, apply the generalization `{c} → p` with the least
//! information loss per unit of anonymity gained.
//!
//! | file | answers |
//! | --- | --- |
//! | `climb`, `absorb` | Which generalizations of an attribute are possible now, and what would they lose? |
//! | `vids` | Which records share a qid, and how large would a generalization make the smallest group? (the TEA index) |
//!
//! Beyond the paper: several QIDs (P is the decrease of the sum of their shortfalls), continuous attributes, attributes without a
//! taxonomy (⊥ absorbs one value at a time), regression and general purposes, weights and missing values.

mod absorb;
mod climb;
mod vids;

use std::collections::BTreeMap;

use cutline_table::{AttributeId, Labels};
use rayon::prelude::*;

use crate::audit::Audit;
use crate::gain::{Entropy, Gain, Records, Variance, exceeds};
use crate::{Control, Generalization, Outcome, Problem, Search, Step, Stopped};
use climb::{Candidate, Climb};
use vids::Vids;

/// Bottom-up search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BottomUp {
    /// Which generalizations are evaluated for anonymity.
    pub pruning: Pruning,
}

/// Which generalizations are evaluated for anonymity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pruning {
    /// Those that touch every anonymity vid: only they can be critical (2004 paper, Theorem 1).
    #[default]
    On,
    /// All of them, as the paper's "index-based" variant does.
    Off,
}

impl Search for BottomUp {
    /// Every state before the last violates the requirement: an outcome that was stopped must not be published.
    fn search(&self, problem: &Problem<'_>, control: &Control<'_>) -> Outcome {
        match problem.table().labels {
            Labels::None => State::<Records>::new(problem, self.pruning).run(control),
            Labels::Classes { .. } => State::<Entropy>::new(problem, self.pruning).run(control),
            Labels::Numbers { .. } => State::<Variance>::new(problem, self.pruning).run(control),
        }
    }
}

/// A table on its way up, and what could be done next.
struct State<'a, G: Gain> {
    problem: &'a Problem<'a>,
    pruning: Pruning,
    /// The cut of each attribute and its possible generalizations.
    climbs: Vec<Climb<G>>,
    /// The qid groups of each QID.
    vids: Vec<Vids>,
    /// Where the requirement is more than k.
    audit: Option<Audit<'a>>,
}

/// A generalization and what it does.
#[derive(Clone, Copy, Debug)]
struct Best {
    attribute: AttributeId,
    candidate: Candidate,
    /// P(G).
    gain: u64,
}

impl Best {
    /// IP(G): the information lost for each unit of anonymity gained.
    fn ip(&self) -> Option<f64> {
        (self.gain > 0).then(|| self.candidate.loss / self.gain as f64)
    }

    /// Is this one better than one that comes before it in order? Ties: the smaller loss, then the one that comes first.
    fn beats(&self, best: &Best) -> bool {
        let less = |a: f64, b: f64| exceeds(b, a);
        match (self.ip(), best.ip()) {
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) if less(a, b) || less(b, a) => less(a, b),
            _ => less(self.candidate.loss, best.candidate.loss),
        }
    }
}

impl<'a, G: Gain> State<'a, G> {
    /// Nothing is generalized.
    fn new(problem: &'a Problem<'a>, pruning: Pruning) -> Self {
        let gains = G::count(problem.table());
        let climbs: Vec<Climb<G>> = problem
            .table()
            .attributes
            .par_iter()
            .zip(gains)
            .map(|(attribute, gain)| Climb::new(attribute, &problem.table().weights, gain))
            .collect();
        let vids = problem.qids().par_iter().map(|qid| Vids::new(problem.table(), qid, &climbs)).collect();
        let audit = Audit::new(problem, climbs.iter().map(Climb::tree));
        State { problem, pruning, climbs, vids, audit }
    }

    /// Algorithm 1 of the 2004 paper.
    fn run(mut self, control: &Control<'_>) -> Outcome {
        let mut steps = Vec::new();
        let mut stopped = Stopped::Complete;
        while let Some(best) = self.best() {
            if let Some(reason) = control.stopped(steps.len()) {
                stopped = reason;
                break;
            }
            let step = self.apply(&best, steps.len() + 1);
            (control.progress)(&step);
            steps.push(step);
        }
        let attributes = &self.problem.table().attributes;
        let recoding =
            self.climbs.iter().zip(attributes).map(|(climb, attribute)| climb.tree().recoding(attribute)).collect();
        Outcome { recoding, regions: None, steps, stopped, anonymity: self.anonymity() }
    }

    /// The best generalization, unless the requirement holds.
    fn best(&self) -> Option<Best> {
        if self.holds() {
            return None;
        }
        let mut gains: BTreeMap<(usize, u32), u64> = BTreeMap::new();
        for (attribute, target, gain) in self.anonymity_gains() {
            *gains.entry((attribute, target)).or_default() += gain;
        }
        let best = |attribute: usize, candidate: Candidate, gain: u64| Best {
            attribute: AttributeId(attribute),
            candidate,
            gain,
        };
        let mut possible: Vec<Best> = Vec::new();
        for (a, climb) in self.climbs.iter().enumerate() {
            let lossy = climb.candidates().iter().filter(|candidate| !gains.contains_key(&(a, candidate.target)));
            possible.extend(lossy.map(|&candidate| best(a, candidate, 0)));
        }
        possible.extend(gains.iter().map(|(&(a, target), &gain)| best(a, self.climbs[a].candidate(target), gain)));
        possible.sort_by_key(|best| (best.attribute, best.candidate.place()));
        possible.into_iter().reduce(|best, next| if next.beats(&best) { next } else { best })
    }

    /// Does the requirement hold, when no more records are suppressed than may be?
    fn holds(&self) -> bool {
        self.audit.as_ref().map_or_else(|| self.vids.iter().all(Vids::holds), Audit::holds)
    }

    /// What each generalization that may be critical gains in each QID, as (attribute, target, gain).
    fn anonymity_gains(&self) -> Vec<(usize, u32, u64)> {
        let mut evaluated: Vec<(usize, usize, u32)> = Vec::new();
        for (qid, vids) in self.vids.iter().enumerate().filter(|(_, vids)| !vids.holds()) {
            for (local, attribute) in vids.attributes().iter().copied().enumerate() {
                let climb = &self.climbs[attribute];
                match self.pruning {
                    Pruning::On => {
                        let critical = vids.maybe_critical(local, climb);
                        evaluated.extend(critical.into_iter().map(|target| (qid, local, target)));
                    }
                    Pruning::Off => {
                        evaluated.extend(climb.targets().into_iter().map(|target| (qid, local, target)));
                    }
                }
            }
        }
        let gain = |&(qid, local, target): &(usize, usize, u32)| {
            let vids = &self.vids[qid];
            let attribute = vids.attributes()[local];
            let merge = self.climbs[attribute].merge(target);
            (attribute, target, vids.gain(local, &merge))
        };
        evaluated.par_iter().map(gain).filter(|&(_, _, gain)| gain > 0).collect()
    }

    /// Applies a generalization to the cut and to the groups of every QID that has its attribute.
    fn apply(&mut self, best: &Best, step: usize) -> Step {
        let AttributeId(a) = best.attribute;
        let attribute = &self.problem.table().attributes[a];
        let (into, generalized) = self.climbs[a].labels(attribute, best.candidate.target);
        let merge = self.climbs[a].merge(best.candidate.target);
        self.vids.par_iter_mut().for_each(|vids| vids.merge(a, &merge));
        self.climbs[a].apply(best.candidate.target);
        if let Some(audit) = &mut self.audit {
            audit.change(a, self.climbs[a].tree().labelling(None));
        }
        Step::Generalization(Generalization {
            step,
            attribute: attribute.name.clone(),
            generalized,
            into,
            loss: best.candidate.loss,
            gain: best.gain as f64,
            ip: best.ip(),
            anonymity: self.anonymity(),
        })
    }

    /// A(QID) of each QID, in the table that would be published once the requirement holds.
    fn anonymity(&self) -> Vec<u64> {
        match &self.audit {
            Some(audit) if audit.holds() => audit.standing().anonymity.clone(),
            _ => self.vids.iter().map(Vids::anonymity).collect(),
        }
    }
}
