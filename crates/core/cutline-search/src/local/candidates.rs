//! Which refinements of a group are valid and beneficial, and which of them is best?

use std::ops::Range;

use cutline_model::recoding::TOP;
use rayon::prelude::*;

use super::axis::{Axis, Branch, Move, Shape, Spot};
use super::counts::{Counts, Part};
use super::ground::{Ground, Group, Parts};
use super::rows::{MANY, extremes};
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

/// Splits that are roughly this near to the best, in bits of all records of a group, are looked at closely.
const SLACK: f64 = 1e-6;

/// A refinement and what it promises: its gain, and that of the best ones that then are possible.
pub(super) struct Promise<W: Worth> {
    pub(super) best: Candidate,
    pub(super) gain: f64,
    /// What it makes of the group, if that has been looked at.
    pub(super) parts: Option<Parts<W>>,
}

/// A gain that is no more than what rounding makes of none.
const NOTHING: f64 = 1e-12;

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
    pub(super) fn best(&self, group: &Group<W>) -> Option<Promise<W>> {
        let depth = if group.whole.records < NEAR * self.requirement.k() { 3 } else { 2 };
        self.promising(group, depth)
    }

    /// The most promising refinement when so many are done one after the other.
    fn promising(&self, group: &Group<W>, depth: usize) -> Option<Promise<W>> {
        let found = group.found.get_or_init(|| self.each(group));
        if depth == 1 || found.len() < 2 {
            let best = found.first()?.clone();
            return Some(Promise { gain: best.gain, best, parts: None });
        }
        let promise = |best: &Candidate| {
            let parts = self.parts(group, best);
            let then = |(_, part): &(usize, Group<W>)| {
                let gain = self.promising(part, depth - 1).map_or(0.0, |promise| promise.gain);
                gain * part.whole.records as f64 / group.whole.records as f64
            };
            let gain = parts.iter().map(then).fold(best.gain, |sum, gain| sum + gain);
            Promise { gain, best: best.clone(), parts: Some(parts) }
        };
        let promised: Vec<Promise<W>> = match group.rows.len() {
            0..MANY => found.iter().map(promise).collect(),
            _ => found.par_iter().map(promise).collect(),
        };
        promised.into_iter().reduce(|best, other| if exceeds(other.gain, best.gain) { other } else { best })
    }

    /// The best refinements by different attributes, those of higher gain first.
    fn each(&self, group: &Group<W>) -> Vec<Candidate> {
        let too_few = group.budget == 0 && group.whole.records < 2 * self.requirement.k();
        if too_few || !self.worth.beneficial(&group.whole) {
            return Vec::new();
        }
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

    fn best_of(&self, group: &Group<W>, attribute: usize) -> Option<Candidate> {
        let (axis, spot) = (&self.axes[attribute], &group.spots[attribute]);
        if !axis.is_open(spot) {
            return None;
        }
        let look = Look { ground: self, group, axis, attribute, spot };
        match (spot, &axis.shape) {
            (Spot::Node(node), Shape::Tree(nodes)) => look.refinement(nodes, *node),
            (Spot::Bins(bins), _) => look.splits(bins),
            (Spot::Anything, Shape::Bins(starts)) => {
                let missing = starts.len() as u32;
                match extremes(&group.rows.columns[attribute]) {
                    (_, most) if most < missing => look.splits(&(0..missing)),
                    _ => look.whole(&look.counts(2, |bin| u32::from(bin == missing)), Move::Missing),
                }
            }
            _ => look.values(&look.counts(axis.attribute.domain.len(), |code| code)),
        }
    }
}

/// A look at one attribute of a group.
struct Look<'g, 'a, W: Worth> {
    ground: &'g Ground<'a, W>,
    group: &'g Group<W>,
    axis: &'g Axis<'a>,
    attribute: usize,
    spot: &'g Spot,
}

impl<'g, W: Worth> Look<'g, '_, W> {
    fn counts(&self, limit: usize, slot: impl Fn(u32) -> u32) -> Counts<'g, W::Cell> {
        let column = &self.group.rows.columns[self.attribute];
        Counts::new(&self.group.rows, column, limit, slot, &self.ground.worth)
    }

    /// No records, and all records.
    fn ends(&self) -> (Part<W::Cell>, Part<W::Cell>) {
        let none = Part::none(&self.ground.worth, &self.ground.requirement, self.group.rows.histories());
        (none, self.group.whole.clone())
    }

    /// A node into its children; or one below it, if all records are there: what comes before costs nothing.
    fn refinement(&self, nodes: &[Branch], mut node: u32) -> Option<Candidate> {
        let (least, most) = extremes(&self.group.rows.columns[self.attribute]);
        loop {
            let branch = &nodes[node as usize];
            if branch.children.is_empty() {
                return None;
            }
            if branch.child(least) != branch.child(most) {
                break;
            }
            node = branch.children[branch.child(least) as usize];
        }
        let branch = &nodes[node as usize];
        let counts = self.counts(branch.children.len(), |code| branch.child(code));
        self.whole(&counts, Move::Refine(node))
    }

    /// Every slot is a part. One alone tells nothing apart.
    fn whole(&self, counts: &Counts<'_, W::Cell>, step: Move) -> Option<Candidate> {
        if counts.slots().len() < 2 {
            return None;
        }
        let spots = self.axis.parts(self.spot, &step);
        let (none, mut rest) = self.ends();
        let part = |(place, &slot): (usize, &u32)| {
            let mut part = none.clone();
            counts.shift(place, &mut rest, &mut part);
            (part, &spots[slot as usize])
        };
        let parts: Vec<(Part<W::Cell>, &Spot)> = counts.slots().iter().enumerate().map(part).collect();
        self.candidate(parts.iter().map(|(part, spot)| (part, *spot)), step)
    }

    /// The best point that a run of bins can be split at.
    fn splits(&self, bins: &Range<u32>) -> Option<Candidate> {
        let counts = self.counts(bins.len(), |bin| bin - bins.start);
        let rough = self.rough(&counts);
        let near = rough.iter().copied().fold(f64::NEG_INFINITY, f64::max) - SLACK;
        let (mut left, mut right) = self.ends();
        let split = |place: usize| {
            counts.shift(place - 1, &mut right, &mut left);
            if rough.get(place - 1).is_some_and(|&rough| rough < near) {
                return None;
            }
            let at = bins.start + counts.slots()[place];
            let spots = [Spot::Bins(bins.start..at), Spot::Bins(at..bins.end)];
            self.candidate([&left, &right].into_iter().zip(&spots), Move::Split(at))
        };
        first_best((1..counts.slots().len()).map(split))
    }

    /// What each split would gain, roughly and in an order of its own; nothing if all are to be looked at.
    fn rough(&self, counts: &Counts<'_, W::Cell>) -> Vec<f64> {
        let Ground { worth, requirement, price, .. } = self.ground;
        let (mut left, mut right) = self.ends();
        let rough = |place: usize| {
            counts.shift(place - 1, &mut right, &mut left);
            let hidden = requirement.hides(&left) + requirement.hides(&right);
            match hidden > self.group.budget || hidden >= self.group.whole.records {
                true => Some(f64::NEG_INFINITY),
                false => Some(worth.roughly(&left)? + worth.roughly(&right)? - price * hidden as f64),
            }
        };
        (1..counts.slots().len()).map(rough).collect::<Option<_>>().unwrap_or_default()
    }

    /// The best value to tell.
    fn values(&self, counts: &Counts<'_, W::Cell>) -> Option<Candidate> {
        if counts.slots().len() < 2 {
            return None;
        }
        let missing = self.axis.missing();
        let (mut told, mut rest) = self.ends();
        let tell = |(place, &value): (usize, &u32)| {
            // A value that is written as the label of all others tells nothing.
            if self.axis.attribute.domain.name(value) == Some(TOP) {
                return None;
            }
            counts.shift(place, &mut rest, &mut told);
            let step = if missing == Some(value) { Move::Missing } else { Move::Tell(value) };
            let spots = self.axis.parts(self.spot, &step);
            let parts = if missing == Some(value) { [&rest, &told] } else { [&told, &rest] };
            let candidate = self.candidate(parts.into_iter().zip(&spots), step);
            counts.shift(place, &mut told, &mut rest);
            candidate
        };
        first_best(counts.slots().iter().enumerate().map(tell))
    }

    /// A refinement, if it is valid and beneficial.
    fn candidate<'p>(
        &self,
        parts: impl Iterator<Item = (&'p Part<W::Cell>, &'p Spot)> + Clone,
        step: Move,
    ) -> Option<Candidate>
    where
        W::Cell: 'p,
    {
        let Ground { worth, requirement, price, .. } = self.ground;
        let whole = &self.group.whole;
        let hidden: u64 = parts.clone().map(|(part, _)| requirement.hides(part)).sum();
        if hidden > self.group.budget || hidden >= whole.records {
            return None;
        }
        let before = self.axis.loss(self.spot);
        let share = |(part, spot): (&Part<W::Cell>, &Spot)| worth.share(whole, part, before - self.axis.loss(spot));
        let gain = parts.map(share).fold(0.0, |sum, share| sum + share);
        let gain = gain - price * hidden as f64 / whole.records.max(1) as f64;
        (gain > NOTHING).then_some(Candidate { attribute: self.attribute, step, gain, hidden })
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
