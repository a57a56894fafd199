//! Values that no gain tells apart.

use std::ops::Index;

use hashbrown::HashMap;

use super::Gain;

/// The values of an attribute by their labels: what disclosing one of them would gain, any other of its kind would, too.
///
/// Where an attribute has very many values, most have few records, and there are far fewer kinds than values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinds {
    /// The kind of each value.
    of: Vec<u32>,
    /// The values of each kind, ascending.
    members: Vec<Vec<u32>>,
}

impl Kinds {
    pub(crate) fn new<G: Gain>(gain: &G, values: u32) -> Self {
        // Only numbers leave the map, in the order of the values.
        let mut known: HashMap<G::Stats, u32> = HashMap::new();
        let mut kinds = Kinds::default();
        for value in 0..values {
            let next = kinds.members.len() as u32;
            let kind = *known.entry(gain.stats(value..value + 1)).or_insert(next);
            if kind == next {
                kinds.members.push(Vec::new());
            }
            kinds.members[kind as usize].push(value);
            kinds.of.push(kind);
        }
        kinds
    }

    /// How many kinds there are.
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    /// The values of a kind, ascending.
    pub(crate) fn members(&self, kind: usize) -> &[u32] {
        &self.members[kind]
    }
}

/// The kind of a value.
impl Index<u32> for Kinds {
    type Output = u32;

    fn index(&self, value: u32) -> &u32 {
        &self.of[value as usize]
    }
}
