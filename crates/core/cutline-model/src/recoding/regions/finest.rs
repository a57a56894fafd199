//! Every distinction that some split makes, by attribute.

use std::collections::HashSet;

use super::{By, Regions, RegionsError, Split};
use crate::recoding::{AttributeRecoding, Missing, Unknown};
use crate::{Bound, NodeId, Taxonomy};

impl Regions {
    /// The recoding of each attribute that tells apart what any split does, and nothing else. Only what does not depend on splits is
    /// taken from the given one: operations, taxonomies, outer bounds, and whether values are missing.
    ///
    /// Records are read by these: whatever has the same finest labels lies in the same region.
    pub fn finest(&self, recoding: &[AttributeRecoding]) -> Vec<AttributeRecoding> {
        let mut by: Vec<Vec<&By>> = vec![Vec::new(); recoding.len()];
        for (_, Split { attribute, by: split, .. }) in self.splits() {
            by[*attribute].push(split);
        }
        recoding.iter().zip(by).map(|(recoding, by)| finest(recoding, &by, self.unknown)).collect()
    }

    /// The same regions, with attributes in the order of a recoding. Their positions may have changed while they were stored.
    ///
    /// # Errors
    /// If the attributes are others.
    pub fn ordered<'n>(mut self, names: impl Iterator<Item = &'n String>) -> Result<Self, RegionsError> {
        let names: Vec<&String> = names.collect();
        let place = |name: &String| names.iter().position(|other| *other == name).ok_or(RegionsError::Attributes);
        let places = self.attributes.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        let distinct: HashSet<usize> = places.iter().copied().collect();
        if distinct.len() != names.len() || places.len() != names.len() {
            return Err(RegionsError::Attributes);
        }
        for (region, entry) in self.tree.iter_mut().enumerate() {
            if let super::Region::Split(split) = entry {
                split.attribute = *places.get(split.attribute).ok_or(RegionsError::Split(region))?;
            }
        }
        for group in &mut self.groups {
            if group.len() != names.len() {
                return Err(RegionsError::Attributes);
            }
            let mut labels: Vec<(usize, Option<String>)> = places.iter().copied().zip(group.drain(..)).collect();
            labels.sort_by_key(|(place, _)| *place);
            group.extend(labels.into_iter().map(|(_, label)| label));
        }
        self.attributes = names.into_iter().cloned().collect();
        Ok(self)
    }
}

fn finest(recoding: &AttributeRecoding, by: &[&By], unknown: Unknown) -> AttributeRecoding {
    let told = |published: bool| move |_| if published { Missing::Published } else { Missing::Masked };
    let apart = by.iter().any(|by| matches!(by, By::Missing));
    match recoding {
        AttributeRecoding::Discretize { bounds, scale, missing } => {
            let mut inner: Vec<f64> =
                by.iter().filter_map(|by| if let By::At(Bound(at)) = by { *at } else { None }).collect();
            inner.sort_by(f64::total_cmp);
            inner.dedup();
            let outer = [bounds.first(), bounds.last()].map(|bound| bound.copied().unwrap_or(Bound(None)));
            let inner = inner.into_iter().map(|at| Bound(Some(at)));
            let bounds = std::iter::once(outer[0]).chain(inner).chain([outer[1]]).collect();
            AttributeRecoding::Discretize { bounds, scale: scale.clone(), missing: missing.map(told(apart)) }
        }
        AttributeRecoding::Suppress { missing, .. } => {
            let values = by.iter().filter_map(|by| if let By::Value(value) = by { Some(value.clone()) } else { None });
            let mut disclosed: Vec<String> = values.collect();
            disclosed.sort();
            disclosed.dedup();
            AttributeRecoding::Suppress { disclosed, missing: missing.map(told(apart)) }
        }
        AttributeRecoding::Generalize { taxonomy, missing, .. } => {
            let split = by.iter().filter_map(|by| if let By::Node(label) = by { taxonomy.node(label) } else { None });
            let split: HashSet<NodeId> = split.collect();
            AttributeRecoding::Generalize {
                cut: below(taxonomy, &split),
                missing: missing.map(told(unknown == Unknown::Error && split.contains(&taxonomy.root()))),
                taxonomy: taxonomy.clone(),
            }
        }
    }
}

/// The cut below all of these nodes. What is below a node that is not split anywhere is split nowhere.
fn below(taxonomy: &Taxonomy, split: &HashSet<NodeId>) -> Vec<String> {
    let mut cut = Vec::new();
    let mut pending = vec![taxonomy.root()];
    while let Some(node) = pending.pop() {
        if split.contains(&node) {
            pending.extend(taxonomy.children(node).iter().rev());
        } else {
            cut.push(taxonomy.label(node).to_owned());
        }
    }
    cut
}
