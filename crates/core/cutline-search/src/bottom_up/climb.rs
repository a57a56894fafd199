//! The possible generalizations of one attribute.

use cutline_model::recoding::Label;
use cutline_table::Attribute;

use super::absorb::Values;
use super::cut::Cut;
use crate::gain::Gain;
use crate::tree::Tree;

/// A generalization that could be applied next.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Candidate {
    /// The node to generalize to, or the value to absorb.
    pub(crate) target: u32,
    /// Its place among the attribute's candidates: the lowest code below it.
    position: u32,
    /// I(G).
    pub(crate) loss: f64,
}

impl Candidate {
    /// Where it comes among the attribute's candidates.
    pub(crate) fn place(&self) -> (u32, u32) {
        (self.position, self.target)
    }
}

/// An attribute's cut on its way up, and what each generalization would lose.
#[derive(Clone)]
pub(crate) struct Climb<G: Gain> {
    cut: Cut,
    gain: G,
    /// In order. Of values that ⊥ may absorb, the first of each kind.
    candidates: Vec<Candidate>,
    /// The values of an attribute without a tree.
    values: Option<Values>,
    /// The labels of the records behind ⊥.
    absorbed: Option<G::Stats>,
}

impl<G: Gain> Climb<G> {
    pub(crate) fn new(attribute: &Attribute, weights: &[u64], gain: G) -> Self {
        let cut = Cut::new(attribute, weights);
        let values = cut.is_suppressed().then(|| Values::new(&gain, cut.tree().values()));
        let mut climb = Climb { cut, gain, candidates: Vec::new(), values, absorbed: None };
        if climb.values.is_some() {
            climb.update_absorptions();
        } else {
            climb.cut.targets().into_iter().for_each(|node| climb.add(node));
        }
        climb
    }

    /// The cut.
    pub(crate) fn cut(&self) -> &Cut {
        &self.cut
    }

    /// The tree that the cut runs through.
    pub(crate) fn tree(&self) -> &Tree {
        self.cut.tree()
    }

    /// The generalizations that are possible now, in order, but for those that lose the same as one that comes before them.
    pub(crate) fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// A generalization that is possible now.
    pub(crate) fn candidate(&self, target: u32) -> Candidate {
        if self.cut.is_suppressed() { self.absorption(target) } else { self.generalization(target) }
    }

    /// The label of a generalization, and the labels it replaces.
    pub(crate) fn labels(&self, attribute: &Attribute, target: u32) -> (Label, Vec<Label>) {
        let (into, mut generalized) = self.tree().labels(attribute, target);
        if self.cut.is_suppressed() && self.absorbed.is_none() {
            generalized.truncate(1);
        }
        (into, generalized)
    }

    /// Applies a generalization to the cut.
    pub(crate) fn apply(&mut self, target: u32) {
        let possible = self.cut.generalize(target);
        if let Some(values) = &mut self.values {
            values.absorb(target);
            let value = self.gain.stats(target..target + 1);
            self.absorbed = Some(match &self.absorbed {
                None => value,
                Some(absorbed) => G::with(absorbed, &value),
            });
            self.update_absorptions();
            return;
        }
        self.candidates.retain(|candidate| candidate.target != target);
        possible.into_iter().for_each(|node| self.add(node));
    }

    fn add(&mut self, node: u32) {
        let candidate = self.generalization(node);
        let place = self.candidates.partition_point(|other| other.place() < candidate.place());
        self.candidates.insert(place, candidate);
    }

    fn generalization(&self, node: u32) -> Candidate {
        let tree = self.tree();
        let whole = self.gain.stats(tree.codes(node));
        let parts: Vec<G::Stats> =
            tree.children(node).iter().map(|&child| self.gain.stats(tree.codes(child))).collect();
        Candidate { target: node, position: tree.codes(node).start, loss: self.gain.gain(&whole, &parts) }
    }

    /// Every value that ⊥ has not absorbed could be next; what that loses depends on what ⊥ holds already.
    fn update_absorptions(&mut self) {
        let firsts = self.values.iter().flat_map(Values::firsts);
        let mut candidates: Vec<Candidate> = firsts.map(|value| self.absorption(value)).collect();
        candidates.sort_unstable_by_key(Candidate::place);
        self.candidates = candidates;
    }

    fn absorption(&self, value: u32) -> Candidate {
        let part = self.gain.stats(value..value + 1);
        let whole = self.absorbed.as_ref().map_or(part.clone(), |absorbed| G::with(absorbed, &part));
        Candidate { target: value, position: value, loss: self.gain.disclosure_gain(&whole, value) }
    }
}
