//! Regions must not tell of values that only suppressed records have.
//!
//! What [`crate::tidy`] does for attributes: a value or bound that no published record needs is told no longer. Here what needs a
//! split are the records of its region. A part without published records is empty, or only suppressed records are in it: which of
//! both must not be told.

use std::collections::{BTreeMap, BTreeSet};

use cutline_model::recoding::{Becomes, By, Label, Local, Places, Regions, Split, TOP};
use cutline_model::{AttributeRecoding, Bound};

use crate::Codes;

/// The recoding and its regions without what only suppressed rows need; nothing if there is nothing to take out.
pub(crate) fn simplified(
    recoding: &[AttributeRecoding],
    (places, of_row): (&Places, &Codes),
    suppressed: &[bool],
) -> Option<(Vec<AttributeRecoding>, Regions)> {
    let regions = places.regions();
    let mut kept = vec![false; regions.tree.len()];
    of_row
        .iter()
        .zip(suppressed)
        .filter(|(_, suppressed)| !**suppressed)
        .for_each(|(region, _)| kept[region as usize] = true);
    for (region, split) in regions.splits().rev() {
        kept[region] |= split.parts.iter().any(|&part| kept[part]);
    }
    let mut needs = Needs {
        bounds: both_kept(regions, &kept),
        missing: (0..recoding.len()).map(|a| shows_missing(a, &recoding[a], places, &kept)).collect(),
        local: regions.local,
        kept,
    };
    while needs.add_crossed(regions, recoding) {}
    let becomes = needs.decide(regions, recoding);
    let (told, whole) = needs.without_hidden_missing(regions, recoding);
    let same = told == recoding && regions.splits().all(|(region, _)| becomes[region] == Becomes::Itself);
    (!same).then(|| {
        let regions = whole.simplified(&becomes);
        (regions.finest(&told), regions)
    })
}

/// The bounds of each attribute that some region is split at into two parts with published records.
fn both_kept(regions: &Regions, kept: &[bool]) -> BoundsOf {
    let both = regions.splits().filter(|(_, split)| split.parts.iter().all(|&part| kept[part]));
    both.filter_map(|(_, split)| bound_of(split)).collect()
}

/// The attribute and the bound of a split of numbers.
fn bound_of(split: &Split) -> Option<(usize, u64)> {
    match &split.by {
        By::At(at) => at.0.map(|at| (split.attribute, at.to_bits())),
        By::Value(_) | By::Missing | By::Node(_) => None,
    }
}

/// Attributes and bounds.
type BoundsOf = BTreeSet<(usize, u64)>;

/// Can a reader see that somebody's value is missing? A published label says so, or `*` stands where a whole declared range would.
fn shows_missing(a: usize, recoding: &AttributeRecoding, places: &Places, kept: &[bool]) -> bool {
    let declared = recoding.bounds().and_then(<[Bound]>::first).is_some_and(|bound| bound.0.is_some());
    let shows = |label: &Label| match label {
        Label::Missing => true,
        Label::Text(text) => declared && text == TOP,
    };
    let mut groups = places.regions().groups().filter(|&group| kept[group]);
    groups.any(|group| shows(&places.labels(a)[places.of(group)[a] as usize]))
}

/// What published records need.
struct Needs {
    /// Bounds without which nested labels would lie across each other.
    bounds: BoundsOf,
    /// Does the label of some of them show that a value of each attribute is missing?
    missing: Vec<bool>,
    local: Local,
    /// Has a region any of them?
    kept: Vec<bool>,
}

impl Needs {
    /// Nested labels have their bounds in common. One at which only one part of a region has published records can go, unless in some region
    /// what is below is split further and in another one what is above: their labels would then lie across each other. Such bounds are
    /// needed, and others may be because of them; says whether there are any. All of it follows from labels that are published.
    fn add_crossed(&mut self, regions: &Regions, recoding: &[AttributeRecoding]) -> bool {
        if self.local != Local::Nested {
            return false;
        }
        let attributes = recoding.len();
        let (_, split_by) = self.decide_all(regions, recoding);
        let mut sides: BTreeMap<(usize, u64), [bool; 2]> = BTreeMap::new();
        for (_, split) in regions.splits() {
            let Some(bound) = bound_of(split).filter(|bound| !self.bounds.contains(bound)) else { continue };
            for (side, &part) in split.parts.iter().enumerate().take(2) {
                let further = self.kept[part] && split_by[part * attributes + split.attribute];
                sides.entry(bound).or_default()[side] |= further;
            }
        }
        let crossed: Vec<_> = sides.into_iter().filter(|(_, sides)| *sides == [true, true]).collect();
        self.bounds.extend(crossed.iter().map(|(bound, _)| *bound));
        !crossed.is_empty()
    }

    /// What takes the place of each region, from the smallest to the whole.
    fn decide(&self, regions: &Regions, recoding: &[AttributeRecoding]) -> Vec<Becomes> {
        self.decide_all(regions, recoding).0
    }

    /// The same, and by which attributes each region is split then, or a part of it.
    fn decide_all(&self, regions: &Regions, recoding: &[AttributeRecoding]) -> (Vec<Becomes>, Vec<bool>) {
        let attributes = recoding.len();
        let mut becomes = vec![Becomes::Itself; regions.tree.len()];
        let mut split_by = vec![false; regions.tree.len() * attributes];
        for (region, split) in regions.splits().rev() {
            let further = |part: usize| split_by[part * attributes + split.attribute];
            becomes[region] = self.becomes(region, split, &recoding[split.attribute], further);
            let parts = match becomes[region] {
                Becomes::Group => &[][..],
                Becomes::Part(ref part) => std::slice::from_ref(part),
                Becomes::Itself => &split.parts,
            };
            for attribute in 0..attributes {
                let below = parts.iter().any(|&part| split_by[part * attributes + attribute]);
                let own = becomes[region] == Becomes::Itself && attribute == split.attribute;
                split_by[region * attributes + attribute] = below || own;
            }
        }
        (becomes, split_by)
    }

    fn becomes(
        &self,
        region: usize,
        split: &Split,
        recoding: &AttributeRecoding,
        further: impl Fn(usize) -> bool,
    ) -> Becomes {
        let kept = |place: usize| self.kept[split.parts[place]];
        if !self.kept[region] {
            return Becomes::Group;
        }
        match &split.by {
            By::At(_) => match (kept(0), kept(1)) {
                (true, true) => Becomes::Itself,
                (below, _) => {
                    let other = split.parts[usize::from(!below)];
                    let shared = bound_of(split).is_some_and(|bound| self.bounds.contains(&bound));
                    let needed = self.local == Local::Nested && further(other) && shared;
                    if needed { Becomes::Itself } else { Becomes::Part(other) }
                }
            },
            By::Value(_) if !kept(0) => Becomes::Part(split.parts[1]),
            By::Missing if !kept(1) => {
                // Numbers are told apart only where none is missing, or the split says so.
                let numbers = recoding.bounds().is_some();
                let needed = numbers && self.missing[split.attribute] && further(split.parts[0]);
                if needed { Becomes::Itself } else { Becomes::Part(split.parts[0]) }
            }
            // The nodes of a taxonomy are no values of records.
            By::Value(_) | By::Missing | By::Node(_) => Becomes::Itself,
        }
    }

    /// That somebody's value is missing is told by records that show it, and by nothing else.
    fn without_hidden_missing(
        &self,
        regions: &Regions,
        recoding: &[AttributeRecoding],
    ) -> (Vec<AttributeRecoding>, Regions) {
        let (mut recoding, mut regions) = (recoding.to_vec(), regions.clone());
        for (a, recoding) in recoding.iter_mut().enumerate().filter(|(a, _)| !self.missing[*a]) {
            if recoding.missing().is_some()
                && let Some(taxonomy) = recoding.taxonomy()
            {
                regions.forget_missing(a, taxonomy);
            }
            *recoding.missing_mut() = None;
        }
        (recoding, regions)
    }
}
