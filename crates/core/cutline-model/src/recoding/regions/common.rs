//! What all groups tell apart.

use std::collections::{BTreeMap, HashSet};

use super::{By, Extent, Extents, Regions, RegionsError, Split};
use crate::recoding::{AttributeRecoding, Missing};
use crate::{Bound, NodeId, Taxonomy};

impl Regions {
    /// The finest recoding that divides none of some groups: whatever values the label of one stands for have one label.
    ///
    /// Their records' groups under it are made of whole groups of the regions. So what holds of these and of unions of them holds there.
    ///
    /// # Errors
    /// If these are no regions of the recoding.
    pub fn common(
        &self,
        recoding: &[AttributeRecoding],
        groups: &[usize],
    ) -> Result<Vec<AttributeRecoding>, RegionsError> {
        let extents = Extents::new(self, recoding)?;
        let of_groups = |a: usize| groups.iter().map(|&group| extents.of(group, a)).collect::<Vec<_>>();
        let common = |(a, recoding): (usize, &AttributeRecoding)| match recoding {
            AttributeRecoding::Generalize { taxonomy, missing, .. } => {
                let cut = common_cut(taxonomy, &of_groups(a));
                let top = cut.len() == 1 && cut[0] == taxonomy.label(taxonomy.root());
                AttributeRecoding::Generalize { missing: told(*missing, !top), taxonomy: taxonomy.clone(), cut }
            }
            AttributeRecoding::Discretize { bounds, missing, scale } => {
                let (bounds, apart) = common_bounds(bounds, &of_groups(a));
                AttributeRecoding::Discretize { bounds, missing: told(*missing, apart), scale: scale.clone() }
            }
            AttributeRecoding::Suppress { missing, .. } => {
                let (disclosed, apart) = self.common_values(a, groups, &extents);
                AttributeRecoding::Suppress { disclosed, missing: told(*missing, apart) }
            }
        };
        Ok(recoding.iter().enumerate().map(common).collect())
    }

    /// The values that are told wherever they are, and whether missing ones are: no group has them among others.
    fn common_values(&self, attribute: usize, groups: &[usize], extents: &Extents) -> (Vec<String>, bool) {
        let mut others = vec![0; self.tree.len()];
        let has_others = |group: &&usize| matches!(extents.of(**group, attribute), Extent::Others(_));
        groups.iter().filter(has_others).for_each(|&group| others[group] = 1);
        for (region, split) in self.splits().rev() {
            others[region] = split.parts.iter().map(|&part| others[part]).sum();
        }
        // For each value, the groups of other values that exclude it. No value is told twice on the way to a group.
        let mut excluding: BTreeMap<Option<&String>, usize> = BTreeMap::new();
        for (_, Split { by, parts, .. }) in self.splits().filter(|(_, split)| split.attribute == attribute) {
            match by {
                By::Value(value) => *excluding.entry(Some(value)).or_default() += others[parts[1]],
                By::Missing => *excluding.entry(None).or_default() += others[parts[0]],
                By::At(_) | By::Node(_) => {}
            }
        }
        let everywhere = |&(_, groups): &(Option<&String>, usize)| groups == others[0];
        let common: Vec<Option<&String>> = excluding.into_iter().filter(everywhere).map(|(value, _)| value).collect();
        (common.iter().flatten().map(|value| (*value).clone()).collect(), common.contains(&None))
    }
}

fn told(missing: Option<Missing>, apart: bool) -> Option<Missing> {
    missing.map(|_| if apart { Missing::Published } else { Missing::Masked })
}

/// The topmost nodes of the groups, and as few others as make a cut.
fn common_cut(taxonomy: &Taxonomy, groups: &[&Extent]) -> Vec<String> {
    let nodes = groups.iter().filter_map(|extent| if let Extent::Node(node) = extent { Some(*node) } else { None });
    let nodes: HashSet<NodeId> = nodes.collect();
    let topmost = |node: &NodeId| taxonomy.ancestors(*node).filter(|above| nodes.contains(above)).count() == 1;
    let mut topmost: Vec<NodeId> = nodes.iter().copied().filter(topmost).collect();
    topmost.sort_by_key(|&node| taxonomy.leaf_rank(node));
    let cut = taxonomy.completed_cut(&topmost).unwrap_or_else(|| vec![taxonomy.root()]);
    cut.into_iter().map(|node| taxonomy.label(node).to_owned()).collect()
}

/// The bounds that no group's interval has inside, and whether missing values are told everywhere.
fn common_bounds(bounds: &[Bound], groups: &[&Extent]) -> (Vec<Bound>, bool) {
    let apart = !groups.contains(&&Extent::Anything);
    let inside = |at: f64| {
        let across = |extent: &&Extent| match extent {
            // The greatest number of a declared range may be an interval of its own.
            Extent::Numbers { lower, upper, last } => {
                lower.is_none_or(|lower| lower < at) && upper.is_none_or(|upper| at < upper || (*last && at == upper))
            }
            _ => false,
        };
        groups.iter().any(across)
    };
    let (first, last) = (0, bounds.len().saturating_sub(1));
    let kept = |&(place, bound): &(usize, &Bound)| {
        place == first || place == last || (apart && bound.0.is_some_and(|at| !inside(at)))
    };
    (bounds.iter().enumerate().filter(kept).map(|(_, bound)| *bound).collect(), apart)
}
