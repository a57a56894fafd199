//! The values of an attribute without a tree, on their way into ⊥.

use crate::gain::{Gain, Kinds};

/// The values that ⊥ has not absorbed.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    kinds: Kinds,
    absorbed: Vec<bool>,
    /// For each kind, the place of its first value that is left.
    first: Vec<usize>,
}

impl Values {
    pub(crate) fn new<G: Gain>(gain: &G, values: u32) -> Self {
        let kinds = Kinds::new(gain, values);
        Values { absorbed: vec![false; values as usize], first: vec![0; kinds.len()], kinds }
    }

    /// ⊥ absorbs a value.
    pub(crate) fn absorb(&mut self, value: u32) {
        self.absorbed[value as usize] = true;
        let kind = self.kinds[value] as usize;
        let left = &self.kinds.members(kind)[self.first[kind]..];
        self.first[kind] += left.iter().take_while(|&&value| self.absorbed[value as usize]).count();
    }

    /// The first value of each kind that has some left. Of values that lose the same the first is taken, so that no other can be
    /// the next one unless it gains anonymity.
    pub(crate) fn firsts(&self) -> impl Iterator<Item = u32> {
        self.first.iter().enumerate().filter_map(|(kind, &first)| self.kinds.members(kind).get(first).copied())
    }
}
