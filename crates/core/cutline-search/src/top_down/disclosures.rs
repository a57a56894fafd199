//! The values of an attribute without a tree that could be told.

use rayon::prelude::*;

use crate::gain::Kinds;

/// What disclosing each value would gain, by kind, and who leads each kind.
///
/// Gains change with every disclosure, and those of one kind in the same way. So only one value of a kind can be the best of all: the first
/// of those that lose least anonymity, its *leader*. What disclosures lose only grows while A(QID) stays as it is; a leader that falls
/// back is followed by the next value that loses as little as it did, and the values before that one are not looked at again.
#[derive(Debug)]
pub(super) struct Disclosures {
    kinds: Kinds,
    /// Of each kind: the candidates that are left.
    left: Vec<u32>,
    /// What one of them gains.
    gains: Vec<f64>,
    leaders: Vec<Option<Leader>>,
    /// A(QID) of each QID when the leaders were found.
    anonymity: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Leader {
    /// Among the members of the kind.
    place: usize,
    standing: f64,
}

impl Disclosures {
    /// Of each kind the values that are candidates are counted by [`Disclosures::add`].
    pub(super) fn new(kinds: Kinds) -> Self {
        let len = kinds.len();
        let anonymity = Vec::new();
        Disclosures { kinds, left: vec![0; len], gains: vec![0.0; len], leaders: vec![None; len], anonymity }
    }

    pub(super) fn add(&mut self, value: u32) {
        self.left[self.kinds[value] as usize] += 1;
    }

    pub(super) fn discard(&mut self, value: u32) {
        self.left[self.kinds[value] as usize] -= 1;
    }

    /// What disclosing a value gains.
    pub(super) fn gain(&self, value: u32) -> f64 {
        self.gains[self.kinds[value] as usize]
    }

    /// Finds out what each kind gains that has candidates left, from any value of it.
    pub(super) fn set_gains(&mut self, gain: impl Fn(u32) -> f64 + Sync) {
        let Disclosures { kinds, left, gains, .. } = self;
        gains.par_iter_mut().with_min_len(1 << 10).enumerate().filter(|(kind, _)| left[*kind] > 0).for_each(
            |(kind, own)| {
                *own = gain(kinds.members(kind)[0]);
            },
        );
    }

    /// A value of each kind that has candidates left: no other one of its kind can be better.
    ///
    /// `standing` is the score of a candidate, as far as it depends on what it loses (the higher, the better); nothing for values that are
    /// no candidates. `falls` says that no standing ever rises while A(QID) stays as it is.
    pub(super) fn leaders(
        &mut self,
        anonymity: &[u64],
        falls: bool,
        standing: impl Fn(u32) -> Option<f64>,
    ) -> impl Iterator<Item = u32> {
        if !falls || self.anonymity != anonymity {
            self.anonymity = anonymity.to_vec();
            self.leaders.fill(None);
        }
        let Disclosures { kinds, left, gains, leaders, .. } = self;
        let kinds_left = (0..kinds.len()).filter(|&kind| left[kind] > 0);
        kinds_left.filter_map(move |kind| {
            let members = kinds.members(kind);
            // Where nothing is gained, all score the same; where something is lost by rounding, the lowest scores highest.
            let sign = if gains[kind] == 0.0 { 0.0 } else { gains[kind].signum() };
            let weighed = |value: u32| standing(value).map(|own| sign * own);
            let leader = leaders[kind].filter(|_| sign >= 0.0);
            leaders[kind] = next(members, leader, weighed).or_else(|| first(members, weighed));
            leaders[kind].map(|leader| members[leader.place])
        })
    }
}

/// The leader, if it stands as it stood, or the next value that does.
fn next(members: &[u32], leader: Option<Leader>, standing: impl Fn(u32) -> Option<f64>) -> Option<Leader> {
    let Leader { place, standing: own } = leader?;
    let place = (place..members.len()).find(|&place| standing(members[place]) == Some(own))?;
    Some(Leader { place, standing: own })
}

/// The first of those that stand highest.
fn first(members: &[u32], standing: impl Fn(u32) -> Option<f64>) -> Option<Leader> {
    let all = members.iter().enumerate();
    let all = all.filter_map(|(place, &value)| Some(Leader { place, standing: standing(value)? }));
    all.reduce(|best, next| if next.standing > best.standing { next } else { best })
}
