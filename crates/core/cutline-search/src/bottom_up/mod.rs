//! Bottom-up generalization (`bottom-up`, 2004).
//!
//! Start from the raw values. While the requirement does not hold, apply the generalization `{c} → p` with the least
//! information loss per unit of anonymity gained.
//!
//! | file | answers |
//! | --- | --- |
//! | `cut`, `climb`, `absorb` | Which generalizations of an attribute are possible now, and what would they lose? |
//! | `vids` | Which records share a qid, and how large would a generalization make the smallest group? (the TEA index) |
//! | `leap` | How far does it go on whatever the groups are? |
//!
//! Beyond the paper: several QIDs (P is the decrease of the sum of their shortfalls), continuous attributes, attributes without a
//! taxonomy (⊥ absorbs one value at a time), regression and general purposes, weights and missing values.

mod absorb;
mod climb;
mod cut;
mod leap;
mod vids;

use std::collections::BTreeMap;

use cutline_table::{AttributeId, Labels};
use rayon::prelude::*;

use crate::audit::Audit;
use crate::gain::{Entropy, Gain, Records, Variance, exceeds};
use crate::{Control, Generalization, Outcome, Problem, Search, Step, Stopped};
use climb::{Candidate, Climb};
use cut::Cut;
use leap::Leap;
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
    /// The groups of each QID.
    groups: Vec<Groups>,
    /// Where the requirement is more than k.
    audit: Option<Audit<'a>>,
    steps: Vec<Step>,
}

/// The groups of a QID.
enum Groups {
    /// All of them.
    Vids(Box<Vids>),
    /// A(QID), which no step changes now.
    Smallest(u64),
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
        State { problem, pruning, climbs, groups: Vec::new(), audit: None, steps: Vec::new() }
    }

    /// Algorithm 1 of the 2004 paper.
    fn run(mut self, control: &Control<'_>) -> Outcome {
        let mut stopped = self.begin(control);
        while stopped.is_none()
            && let Some(best) = self.best()
        {
            stopped = self.apply(&best, control).err();
        }
        let attributes = &self.problem.table().attributes;
        let recoding =
            self.climbs.iter().zip(attributes).map(|(climb, attribute)| climb.tree().recoding(attribute)).collect();
        let (anonymity, stopped) = (self.anonymity(), stopped.unwrap_or(Stopped::Complete));
        Outcome { recoding, regions: None, steps: self.steps, stopped, anonymity }
    }

    /// Takes the steps that no group has a say in, then knows the groups. Says why the search must stop, if it must.
    fn begin(&mut self, control: &Control<'_>) -> Option<Stopped> {
        let cuts = self.cuts();
        let leap = match self.pruning {
            Pruning::On => Leap::new(self.problem, &cuts),
            Pruning::Off => None,
        };
        let Some(mut leap) = leap else {
            let vids = |qid| Groups::Vids(Box::new(Vids::new(self.problem.table(), qid, &cuts)));
            self.groups = self.problem.qids().par_iter().map(vids).collect();
            self.audit = Audit::new(self.problem, cuts.iter().map(Cut::tree));
            return None;
        };
        self.groups = leap.groups(&cuts);
        let plan = leap.plan(&self.climbs);
        let stopped = plan.iter().find_map(|best| self.apply(best, control).err());
        self.audit = leap.land(&self.cuts(), &mut self.groups);
        stopped
    }

    fn cuts(&self) -> Vec<Cut> {
        self.climbs.iter().map(|climb| climb.cut().clone()).collect()
    }

    /// The groups that are known.
    fn vids(&self) -> impl Iterator<Item = &Vids> {
        self.groups.iter().filter_map(|groups| match groups {
            Groups::Vids(vids) => Some(vids.as_ref()),
            Groups::Smallest(_) => None,
        })
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
        best_of(&self.climbs, &gains)
    }

    /// Does the requirement hold, when no more records are suppressed than may be?
    fn holds(&self) -> bool {
        self.audit.as_ref().map_or_else(|| self.vids().all(Vids::holds), Audit::holds)
    }

    /// What each generalization that may be critical gains in each QID, as (attribute, target, gain).
    fn anonymity_gains(&self) -> Vec<(usize, u32, u64)> {
        let mut evaluated: Vec<(&Vids, usize, u32)> = Vec::new();
        for vids in self.vids().filter(|vids| !vids.holds()) {
            for (local, &attribute) in vids.attributes().iter().enumerate() {
                let cut = self.climbs[attribute].cut();
                let targets = match self.pruning {
                    Pruning::On => vids.critical(local, cut),
                    Pruning::Off => cut.targets(),
                };
                evaluated.extend(targets.into_iter().map(|target| (vids, local, target)));
            }
        }
        let gain = |&(vids, local, target): &(&Vids, usize, u32)| {
            let attribute = vids.attributes()[local];
            let merge = self.climbs[attribute].cut().merge(target);
            (attribute, target, vids.gain(local, &merge))
        };
        evaluated.par_iter().map(gain).filter(|&(_, _, gain)| gain > 0).collect()
    }

    /// Applies a generalization to the cut and to the groups of every QID that has its attribute, unless the search must stop.
    fn apply(&mut self, best: &Best, control: &Control<'_>) -> Result<(), Stopped> {
        if let Some(reason) = control.stopped(self.steps.len()) {
            return Err(reason);
        }
        let AttributeId(a) = best.attribute;
        let attribute = &self.problem.table().attributes[a];
        let (into, generalized) = self.climbs[a].labels(attribute, best.candidate.target);
        let merge = self.climbs[a].cut().merge(best.candidate.target);
        self.groups.par_iter_mut().for_each(|groups| {
            if let Groups::Vids(vids) = groups {
                vids.merge(a, &merge);
            }
        });
        self.climbs[a].apply(best.candidate.target);
        if let Some(audit) = &mut self.audit {
            audit.change(a, self.climbs[a].tree().labelling(None));
        }
        let step = Step::Generalization(Generalization {
            step: self.steps.len() + 1,
            attribute: attribute.name.clone(),
            generalized,
            into,
            loss: best.candidate.loss,
            gain: best.gain as f64,
            ip: best.ip(),
            anonymity: self.anonymity(),
        });
        (control.progress)(&step);
        self.steps.push(step);
        Ok(())
    }

    /// A(QID) of each QID, in the table that would be published once the requirement holds.
    fn anonymity(&self) -> Vec<u64> {
        let smallest = |groups: &Groups| match groups {
            Groups::Vids(vids) => vids.anonymity(),
            Groups::Smallest(smallest) => *smallest,
        };
        match &self.audit {
            Some(audit) if audit.holds() => audit.standing().anonymity.clone(),
            _ => self.groups.iter().map(smallest).collect(),
        }
    }
}

/// The best generalization, when some gain anonymity and the others do not.
fn best_of<G: Gain>(climbs: &[Climb<G>], gains: &BTreeMap<(usize, u32), u64>) -> Option<Best> {
    let best =
        |attribute: usize, candidate: Candidate, gain: u64| Best { attribute: AttributeId(attribute), candidate, gain };
    let mut possible: Vec<Best> = Vec::new();
    for (a, climb) in climbs.iter().enumerate() {
        let lossy = climb.candidates().iter().filter(|candidate| !gains.contains_key(&(a, candidate.target)));
        possible.extend(lossy.map(|&candidate| best(a, candidate, 0)));
    }
    possible.extend(gains.iter().map(|(&(a, target), &gain)| best(a, climbs[a].candidate(target), gain)));
    possible.sort_by_key(|best| (best.attribute, best.candidate.place()));
    possible.into_iter().reduce(|best, next| if next.beats(&best) { next } else { best })
}
