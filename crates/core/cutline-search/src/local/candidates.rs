//! Which refinements of a group are valid and beneficial, and which of them is best?

use std::ops::Range;

use rayon::prelude::*;

use super::axis::{Axis, Move, Shape, Spot};
use super::counts::{Counts, Part};
use super::ground::{Ground, Group};
use super::worth::Worth;
use crate::gain::exceeds;

/// A refinement of a group.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) attribute: usize,
    pub(super) step: Move,
    /// The gain, less what is lost with records that it hides.
    pub(super) gain: f64,
    /// Records in parts that violate the requirement.
    pub(super) hidden: u64,
}

/// Groups with so many rows are looked at by several threads.
const MANY: usize = 4096;

/// Of so many refinements of a group it is looked at what follows: of those of highest gain.
const LOOKED_AT: usize = 3;

/// A group of fewer than so many times k records is looked at one refinement further: few will be possible, so their order matters.
const NEAR: u64 = 64;

impl<W: Worth> Ground<'_, W> {
    /// The valid and beneficial refinement that promises most; of equal ones that of higher gain, then that of the attribute that comes
    /// first.
    ///
    /// What a refinement promises is its gain and that of the best ones that then are possible. Those that tell most are not always
    /// to be done first: a small group may never be told apart by what would have split off a few records of the whole.
    pub(super) fn best(&self, group: &Group) -> Option<Candidate> {
        let depth = if group.records < NEAR * self.requirement.k() { 3 } else { 2 };
        self.promising(group, depth).map(|(_, best)| best)
    }

    /// The most promising refinement when so many are done one after the other, and what it promises.
    fn promising(&self, group: &Group, depth: usize) -> Option<(f64, Candidate)> {
        let found = self.each(group);
        if depth == 1 || found.len() < 2 {
            return found.into_iter().next().map(|best| (best.gain, best));
        }
        let promise = |candidate: Candidate| {
            let then = |part: &Group| {
                let gain = self.promising(part, depth - 1).map_or(0.0, |(gain, _)| gain);
                gain * part.records as f64 / group.records as f64
            };
            let parts = self.parts(group, &candidate);
            (parts.iter().map(then).fold(candidate.gain, |sum, gain| sum + gain), candidate)
        };
        let promised: Vec<(f64, Candidate)> = match group.rows.len() {
            0..MANY => found.into_iter().map(promise).collect(),
            _ => found.into_par_iter().map(promise).collect(),
        };
        promised.into_iter().reduce(|best, other| if exceeds(other.0, best.0) { other } else { best })
    }

    /// The best refinements by different attributes, those of higher gain first.
    fn each(&self, group: &Group) -> Vec<Candidate> {
        let of = |attribute: usize| self.best_of(group, attribute);
        let each: Vec<Option<Candidate>> = match group.rows.len() {
            0..MANY => (0..self.axes.len()).map(of).collect(),
            _ => (0..self.axes.len()).into_par_iter().map(of).collect(),
        };
        let mut left: Vec<Candidate> = each.into_iter().flatten().collect();
        let mut found = Vec::new();
        while !left.is_empty() && found.len() < LOOKED_AT {
            let better =
                |best: usize, other: usize| if exceeds(left[other].gain, left[best].gain) { other } else { best };
            found.push(left.remove((0..left.len()).fold(0, better)));
        }
        found
    }

    fn best_of(&self, group: &Group, attribute: usize) -> Option<Candidate> {
        let (axis, spot) = (&self.axes[attribute], &group.spots[attribute]);
        let look = Look { ground: self, axis, attribute, spot, budget: group.budget };
        match (spot, &axis.shape) {
            (Spot::Told, _) => None,
            (Spot::Node(node), Shape::Tree(_)) => look.refinement(&group.rows, *node),
            (Spot::Bins(bins), Shape::Bins { of, .. }) if bins.len() > 1 => {
                let counts = look.counts(&group.rows, bins.len(), |code| of[code as usize] - bins.start);
                look.splits(&counts, bins)
            }
            (Spot::Anything, _) => {
                let counts = look.counts(&group.rows, 2, |code| axis.part(&Move::Missing, code) as u32);
                look.whole(&counts, Move::Missing)
            }
            (Spot::Others(_), _) => {
                let counts = look.counts(&group.rows, axis.attribute.domain.len(), |code| code);
                look.values(&counts)
            }
            _ => None,
        }
    }
}

/// A look at one attribute of a group.
struct Look<'g, 'a, W> {
    ground: &'g Ground<'a, W>,
    axis: &'g Axis<'a>,
    attribute: usize,
    spot: &'g Spot,
    budget: u64,
}

impl<W: Worth> Look<'_, '_, W> {
    fn counts(&self, rows: &[u32], limit: usize, slot: impl Fn(u32) -> u32) -> Counts<W::Cell> {
        let codes = &self.axis.attribute.codes;
        let slot = |row: u32| slot(codes.get(row as usize));
        Counts::new(rows, limit, slot, &self.ground.worth, &self.ground.requirement)
    }

    /// A node into its children; or one below it, if all records are there: what comes before costs nothing.
    fn refinement(&self, rows: &[u32], node: u32) -> Option<Candidate> {
        let Shape::Tree(nodes) = &self.axis.shape else { return None };
        let codes = &self.axis.attribute.codes;
        let (mut least, mut most) = (u32::MAX, 0);
        rows.iter()
            .map(|&row| codes.get(row as usize))
            .for_each(|code| (least, most) = (least.min(code), most.max(code)));
        let mut node = node;
        loop {
            let branch = &nodes[node as usize];
            if branch.children.is_empty() {
                return None;
            }
            if branch.child(least) != branch.child(most) {
                break;
            }
            node = branch.children[branch.child(least)];
        }
        let branch = &nodes[node as usize];
        let counts = self.counts(rows, branch.children.len(), |code| branch.child(code) as u32);
        self.whole(&counts, Move::Refine(node))
    }

    /// Every slot is a part.
    fn whole(&self, counts: &Counts<W::Cell>, step: Move) -> Option<Candidate> {
        let spots = self.axis.parts(self.spot, &step);
        let parts = counts.slots.iter().zip(&counts.parts).map(|(&slot, part)| (part, &spots[slot as usize]));
        self.candidate(&counts.whole, parts, step)
    }

    /// The best point that a run of bins can be split at.
    fn splits(&self, counts: &Counts<W::Cell>, bins: &Range<u32>) -> Option<Candidate> {
        let (mut left, mut right) = (counts.whole.without(&counts.whole), counts.whole.clone());
        let split = |place: usize| {
            left.add(&counts.parts[place - 1]);
            right.take(&counts.parts[place - 1]);
            let at = bins.start + counts.slots[place];
            let spots = [Spot::Bins(bins.start..at), Spot::Bins(at..bins.end)];
            self.candidate(&counts.whole, [&left, &right].into_iter().zip(&spots), Move::Split(at))
        };
        first_best((1..counts.slots.len()).map(split))
    }

    /// The best value to tell.
    fn values(&self, counts: &Counts<W::Cell>) -> Option<Candidate> {
        if counts.slots.len() < 2 {
            return None;
        }
        let missing = self.axis.attribute.domain.missing();
        let tell = |(&value, part): (&u32, &Part<W::Cell>)| {
            let rest = counts.whole.without(part);
            let step = if missing == Some(value) { Move::Missing } else { Move::Tell(value) };
            let spots = self.axis.parts(self.spot, &step);
            let parts = if missing == Some(value) { [&rest, part] } else { [part, &rest] };
            self.candidate(&counts.whole, parts.into_iter().zip(&spots), step)
        };
        first_best(counts.slots.iter().zip(&counts.parts).map(tell))
    }

    /// A refinement, if it is valid and beneficial.
    fn candidate<'p>(
        &self,
        whole: &Part<W::Cell>,
        parts: impl Iterator<Item = (&'p Part<W::Cell>, &'p Spot)> + Clone,
        step: Move,
    ) -> Option<Candidate>
    where
        W::Cell: 'p,
    {
        let Ground { worth, requirement, price, .. } = self.ground;
        let hidden: u64 = parts.clone().map(|(part, _)| requirement.hides(part)).sum();
        if hidden > self.budget || hidden >= whole.records {
            return None;
        }
        let before = self.axis.loss(self.spot);
        let share = |(part, spot): (&Part<W::Cell>, &Spot)| {
            worth.share(&whole.cells, &part.cells, before - self.axis.loss(spot))
        };
        let gain = parts.map(share).fold(0.0, |sum, share| sum + share);
        let gain = gain - price * hidden as f64 / whole.records.max(1) as f64;
        (worth.beneficial(&whole.cells) && gain > 0.0).then_some(Candidate {
            attribute: self.attribute,
            step,
            gain,
            hidden,
        })
    }
}

/// Of equal candidates the first.
fn first_best(candidates: impl Iterator<Item = Option<Candidate>>) -> Option<Candidate> {
    let better = |best: Option<Candidate>, other: Candidate| match best {
        Some(best) if !exceeds(other.gain, best.gain) => Some(best),
        _ => Some(other),
    };
    candidates.flatten().fold(None, better)
}
