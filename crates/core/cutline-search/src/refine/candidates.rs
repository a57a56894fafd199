//! The valid and beneficial refinements, and the best of them.

use super::state::State;
use crate::gain::{Gain, exceeds};

/// A refinement that could be performed next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) attribute: usize,
    /// The node to refine; of an attribute without a tree, the value to disclose.
    pub(super) target: u32,
    /// Its figures' place.
    pub(super) key: usize,
    /// The code that begins the right part, if an interval is split.
    pub(super) split: Option<u32>,
    pub(super) gain: f64,
    /// The gain, less what is lost with the records that the step hides.
    net: f64,
    pub(super) loss: f64,
    pub(super) score: f64,
}

impl<G: Gain> State<'_, G> {
    /// The candidate with the highest score. Ties: the higher gain, then the attribute and the node that come first.
    pub(super) fn best(&mut self, held: Option<usize>) -> Option<Candidate> {
        let mut best: Option<Candidate> = None;
        for attribute in (0..self.trees.len()).filter(|&attribute| Some(attribute) != held) {
            for candidate in self.candidates(attribute) {
                if best.as_ref().is_none_or(|best| beats(&candidate, best)) {
                    best = Some(candidate);
                }
            }
        }
        best
    }

    /// The candidates of an attribute in tree order, one for each node. Remembers which nodes will never be refined.
    fn candidates(&mut self, attribute: usize) -> Vec<Candidate> {
        if self.trees[attribute].is_suppressed() {
            return self.disclosures(attribute);
        }
        let mut candidates = Vec::new();
        for node in self.open_nodes(attribute) {
            let tree = &self.trees[attribute];
            let (gain, codes) = (self.gain(attribute), tree.codes(node));
            let whole = gain.stats(codes.clone());
            if tree.is_closed(node) || !G::beneficial(&whole) {
                self.close(attribute, node);
                continue;
            }
            let refinements: Vec<(usize, Option<u32>, Vec<G::Stats>)> = if tree.children(node).is_empty() {
                let halves = |split| vec![gain.stats(codes.start..split), gain.stats(split..codes.end)];
                let splits = self.grid(attribute).splits(codes.clone());
                splits.map(|(key, split)| (key, Some(split), halves(split))).collect()
            } else {
                let parts = tree.children(node).iter().map(|&child| gain.stats(tree.codes(child))).collect();
                vec![(self.grid(attribute).key(node), None, parts)]
            };
            let valid = refinements.into_iter().filter(|&(key, ..)| self.may_hold(attribute, key)).collect();
            let valid: Vec<_> = self.longest(attribute, valid);
            if valid.is_empty() {
                self.close(attribute, node);
            }
            candidates.extend(self.best_split(attribute, node, &whole, valid));
        }
        candidates
    }

    /// Of ways to split an interval of days those at the longest units of the calendar; of others all.
    fn longest<W>(&self, attribute: usize, ways: Vec<(usize, Option<u32>, W)>) -> Vec<(usize, Option<u32>, W)> {
        let domain = &self.ground.problem.table().attributes[attribute].domain;
        let unit = |way: &(usize, Option<u32>, W)| way.1.and_then(|_| self.grid(attribute).unit(way.0, domain));
        let longest = ways.iter().map(unit).min().flatten();
        ways.into_iter().filter(|way| longest.is_none() || unit(way) == longest).collect()
    }

    /// The first of the valid ways to refine a node with the highest worth.
    fn best_split(
        &self,
        attribute: usize,
        node: u32,
        whole: &G::Stats,
        ways: Vec<(usize, Option<u32>, Vec<G::Stats>)>,
    ) -> Option<Candidate> {
        let mut best: Option<(f64, Candidate)> = None;
        for (key, split, parts) in ways {
            let gain = self.gain(attribute).gain(whole, &parts);
            let Some(candidate) = self.candidate(attribute, node, key, split, (gain, whole)) else { continue };
            let worth = G::evenness(&parts).filter(|_| split.is_some()).unwrap_or(candidate.net);
            if best.as_ref().is_none_or(|(highest, _)| exceeds(worth, *highest)) {
                best = Some((worth, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }

    /// `⊥ → {v, ⊥}` for all suppressed values.
    fn disclosures(&self, attribute: usize) -> Vec<Candidate> {
        let (tree, gain, whole) = (&self.trees[attribute], self.gain(attribute), &self.suppressed[attribute]);
        if !G::beneficial(whole) {
            return Vec::new();
        }
        let suppressed = |value: &u32| {
            !tree.is_disclosed(*value) && !tree.is_closed(*value) && self.may_hold(attribute, *value as usize)
        };
        let candidate = |value: u32| {
            let gained = gain.disclosure_gain(whole, value);
            self.candidate(attribute, value, value as usize, None, (gained, whole))
        };
        (0..tree.values()).filter(suppressed).filter_map(candidate).collect()
    }

    /// A refinement with its figures, if it gains more than it hides.
    fn candidate(
        &self,
        attribute: usize,
        target: u32,
        key: usize,
        split: Option<u32>,
        (gain, whole): (f64, &G::Stats),
    ) -> Option<Candidate> {
        let hides = self.hides(attribute, key);
        let lost = if hides > 0 { G::lost(self.price(), hides, whole) } else { 0.0 };
        let net = gain - lost;
        let loss = self.loss(attribute, key);
        let score = if G::WEIGHS_LOSS { net / (loss + 1.0) } else { net };
        (hides == 0 || exceeds(gain, lost)).then_some(Candidate {
            attribute,
            target,
            key,
            split,
            gain,
            net,
            loss,
            score,
        })
    }
}

/// Does a candidate beat one that comes before it in order?
fn beats(next: &Candidate, best: &Candidate) -> bool {
    exceeds(next.score, best.score) || (!exceeds(best.score, next.score) && exceeds(next.gain, best.gain))
}
