//! What can a record of a region be?

use super::{By, Region, Regions, RegionsError, Split};
use crate::recoding::{AttributeRecoding, Interval, Label, TOP, Unknown};
use crate::{Bound, NodeId, Taxonomy};

/// The values of one attribute that the records of a region can have.
#[derive(Clone, PartialEq, Debug)]
pub enum Extent {
    /// Any number, and missing values.
    Anything,
    /// Numbers between two bounds; an outer one that is not declared is none.
    Numbers {
        /// The least.
        lower: Option<f64>,
        /// The bound above.
        upper: Option<f64>,
        /// Is the upper bound that of the attribute, which belongs to it?
        last: bool,
    },
    /// What is below a taxonomy's node; below the root also missing values, if there are any, and what the taxonomy lacks.
    Node(NodeId),
    /// Values that the taxonomy lacks, and missing ones. They are published under the root's label.
    Unlisted,
    /// One value of an attribute without a taxonomy.
    Value(String),
    /// All values of an attribute without a taxonomy, missing ones too, but so many.
    Others(usize),
    /// Missing values.
    Missing,
}

/// The extents of all regions.
///
/// A split changes that of one attribute. So each region has one extent of its own, and for each attribute the region whose own extent
/// is that of the attribute.
#[derive(Clone, PartialEq, Debug)]
pub struct Extents {
    whole: Vec<Extent>,
    own: Vec<Option<Extent>>,
    /// For each region and attribute; [`Extents::WHOLE`] where no split was by the attribute.
    since: Vec<u32>,
}

impl Extents {
    const WHOLE: u32 = u32::MAX;

    /// Follows the splits from the region of all records, and checks that they are splits of what they split.
    ///
    /// # Errors
    /// If these are no regions.
    pub fn new(regions: &Regions, recoding: &[AttributeRecoding]) -> Result<Self, RegionsError> {
        let (attributes, len) = (recoding.len(), regions.tree.len());
        if regions.attributes.len() != attributes {
            return Err(RegionsError::Attributes);
        }
        if regions.are_withheld() {
            return Err(RegionsError::Withheld);
        }
        let whole = recoding.iter().map(whole).collect();
        let since = vec![Self::WHOLE; len * attributes];
        let mut extents = Extents { whole, own: vec![None; len], since };
        for (region, split) in regions.splits() {
            let wrong = || RegionsError::Split(region);
            let attribute = recoding.get(split.attribute).ok_or_else(wrong)?;
            let extent = extents.of(region, split.attribute);
            let parts = parts(extent, &split.by, attribute, regions.unknown);
            let parts = parts.filter(|parts| parts.len() == split.parts.len()).ok_or_else(wrong)?;
            for (&part, extent) in split.parts.iter().zip(parts) {
                if part <= region || part >= len || extents.own[part].is_some() {
                    return Err(RegionsError::NoTree(part));
                }
                extents.since.copy_within(region * attributes..(region + 1) * attributes, part * attributes);
                extents.since[part * attributes + split.attribute] = part as u32;
                extents.own[part] = Some(extent);
            }
        }
        match (1..len).find(|&region| extents.own[region].is_none()) {
            None => Ok(extents),
            Some(lost) => Err(RegionsError::NoTree(lost)),
        }
    }

    /// The extent of an attribute in a region.
    pub fn of(&self, region: usize, attribute: usize) -> &Extent {
        let since = self.since(region, attribute);
        since.and_then(|since| self.own[since].as_ref()).unwrap_or(&self.whole[attribute])
    }

    /// The region whose own extent of an attribute another one has; none if nothing is told of the attribute.
    pub fn since(&self, region: usize, attribute: usize) -> Option<usize> {
        let since = self.since[region * self.whole.len() + attribute];
        (since != Self::WHOLE).then_some(since as usize)
    }

    /// The label of an attribute in a region.
    pub fn label(&self, region: usize, attribute: usize, recoding: &[AttributeRecoding]) -> Label {
        self.of(region, attribute).label(&recoding[attribute])
    }
}

impl Extent {
    /// How it is published.
    pub fn label(&self, recoding: &AttributeRecoding) -> Label {
        Label::Text(match (self, recoding) {
            (Extent::Missing, _) => return Label::Missing,
            (Extent::Numbers { lower, upper, last }, _) => {
                let interval = Interval { lower: *lower, upper: *upper, closed: *last };
                match recoding {
                    AttributeRecoding::Discretize { scale, .. } => scale.label(interval),
                    _ => interval.to_string(),
                }
            }
            (Extent::Node(node), AttributeRecoding::Generalize { taxonomy, .. }) => taxonomy.label(*node).to_owned(),
            (Extent::Unlisted, AttributeRecoding::Generalize { taxonomy, .. }) => {
                taxonomy.label(taxonomy.root()).to_owned()
            }
            (Extent::Value(value), _) => value.clone(),
            (Extent::Unlisted | Extent::Anything | Extent::Others(_) | Extent::Node(_), _) => TOP.to_owned(),
        })
    }

    /// May another one, of another region, contain everything that it does, and more?
    pub fn is_within(&self, other: &Extent, recoding: &AttributeRecoding) -> bool {
        match (self, other) {
            // Which values the others exclude depends on the region; here those of different regions are compared.
            (Extent::Value(_) | Extent::Missing, Extent::Others(_)) => true,
            _ => self != other && other.contains(self, recoding) && !self.contains(other, recoding),
        }
    }

    /// Does it contain everything that another one does?
    pub fn contains(&self, other: &Extent, recoding: &AttributeRecoding) -> bool {
        match (self, other) {
            (Extent::Anything, _) | (Extent::Others(0), _) => true,
            (Extent::Numbers { lower, upper, .. }, Extent::Numbers { lower: least, upper: most, .. }) => {
                let below = lower.is_none_or(|lower| least.is_some_and(|least| lower <= least));
                below && upper.is_none_or(|upper| most.is_some_and(|most| most <= upper))
            }
            (Extent::Node(node), Extent::Node(other)) => match recoding {
                AttributeRecoding::Generalize { taxonomy, .. } => {
                    taxonomy.ancestors(*other).any(|above| above == *node)
                }
                _ => false,
            },
            (Extent::Node(node), Extent::Missing | Extent::Unlisted) => *node == NodeId::ROOT,
            (one, other) => one == other,
        }
    }
}

impl Extent {
    /// Do two intervals overlap without one being within the other?
    pub fn crosses(&self, other: &Extent) -> bool {
        let (Extent::Numbers { lower, upper, .. }, Extent::Numbers { lower: from, upper: to, .. }) = (self, other)
        else {
            return false;
        };
        let least = |bound: &Option<f64>| bound.unwrap_or(f64::NEG_INFINITY);
        let most = |bound: &Option<f64>| bound.unwrap_or(f64::INFINITY);
        let (lower, upper, from, to) = (least(lower), most(upper), least(from), most(to));
        (lower < from && from < upper && upper < to) || (from < lower && lower < to && to < upper)
    }
}

/// What is possible at all.
pub(super) fn whole(recoding: &AttributeRecoding) -> Extent {
    match recoding {
        AttributeRecoding::Generalize { taxonomy, .. } => Extent::Node(taxonomy.root()),
        AttributeRecoding::Suppress { .. } => Extent::Others(0),
        AttributeRecoding::Discretize { missing: Some(_), .. } => Extent::Anything,
        AttributeRecoding::Discretize { bounds, .. } => numbers(bounds),
    }
}

fn numbers(bounds: &[Bound]) -> Extent {
    let outer = |bound: Option<&Bound>| bound.and_then(|bound| bound.0);
    Extent::Numbers { lower: outer(bounds.first()), upper: outer(bounds.last()), last: true }
}

/// The parts of a region by the extents of the attribute that tells them apart; nothing if they are none of the region.
pub(super) fn parts(extent: &Extent, by: &By, recoding: &AttributeRecoding, unknown: Unknown) -> Option<Vec<Extent>> {
    let parts = match (by, extent, recoding) {
        (By::At(Bound(Some(at))), &Extent::Numbers { lower, upper, last }, _) => {
            let inside = lower.is_none_or(|lower| lower < *at)
                && upper.is_none_or(|upper| *at < upper || (last && *at == upper));
            let below = Extent::Numbers { lower, upper: Some(*at), last: false };
            inside.then_some(vec![below, Extent::Numbers { lower: Some(*at), upper, last }])
        }
        (By::Missing, Extent::Anything, AttributeRecoding::Discretize { bounds, .. }) => {
            Some(vec![numbers(bounds), Extent::Missing])
        }
        (By::Missing, Extent::Others(told), _) => Some(vec![Extent::Others(told + 1), Extent::Missing]),
        (By::Value(value), Extent::Others(told), _) => {
            Some(vec![Extent::Value(value.clone()), Extent::Others(told + 1)])
        }
        (By::Node(label), Extent::Node(node), AttributeRecoding::Generalize { taxonomy, missing, .. }) => {
            let beside = match unknown {
                Unknown::Root => Some(Extent::Unlisted),
                Unknown::Error => missing.map(|_| Extent::Missing),
            };
            (taxonomy.label(*node) == label).then(|| children(taxonomy, *node, beside))
        }
        _ => None,
    };
    parts.filter(|parts| !parts.is_empty())
}

/// The children of a node; below the root, what is beside the taxonomy is one more.
fn children(taxonomy: &Taxonomy, node: NodeId, beside: Option<Extent>) -> Vec<Extent> {
    let beside = beside.filter(|_| node == taxonomy.root());
    taxonomy.children(node).iter().map(|&child| Extent::Node(child)).chain(beside).collect()
}

impl Region {
    /// The split, if it falls into parts.
    pub fn split(&self) -> Option<&Split> {
        match self {
            Region::Split(split) => Some(split),
            Region::Group => None,
        }
    }
}
