//! One tree for the same groups, whatever order they were found in.
//!
//! In which order a search told groups apart depends on the gain of all records, suppressed and hidden ones too. What is published must
//! follow from the groups alone.

use std::collections::BTreeMap;

use super::extent::{parts, whole};
use super::{By, Extent, Extents, Region, Regions, RegionsError, Split};
use crate::recoding::AttributeRecoding;
use crate::{Bound, Taxonomy};

/// A group by what its records can be.
struct Member<'a> {
    /// Of each attribute.
    extents: Vec<&'a Extent>,
    /// What was told apart from it on the way: an attribute and a value, or that it is missing.
    without: Vec<(usize, Option<&'a str>)>,
}

/// A region that is still to be divided.
struct Pending {
    members: Vec<usize>,
    extents: Vec<Extent>,
    /// The region that it is a part of, and which part.
    slot: Option<(usize, usize)>,
}

impl Regions {
    /// The same groups in the one tree that everybody would draw who knows nothing else: each region falls into parts by its first
    /// attribute that can divide it without dividing a group; numbers at the middle one of their possible bounds, values in byte order.
    ///
    /// # Errors
    /// If these are no regions of the recoding.
    pub fn canonical(&self, recoding: &[AttributeRecoding]) -> Result<Regions, RegionsError> {
        let known = Extents::new(self, recoding)?;
        let without = self.without();
        let member = |group: usize| Member {
            extents: (0..recoding.len()).map(|a| known.of(group, a)).collect(),
            without: without[group].clone(),
        };
        let members: Vec<Member<'_>> = self.groups().map(member).collect();
        let all = Pending {
            members: (0..members.len()).collect(),
            extents: recoding.iter().map(whole).collect(),
            slot: None,
        };
        let (mut tree, mut pending) = (Vec::new(), vec![all]);
        while let Some(region) = pending.pop() {
            let place = tree.len();
            if let Some((parent, slot)) = region.slot
                && let Region::Split(split) = &mut tree[parent]
            {
                let Split { parts, .. } = split;
                parts[slot] = place;
            }
            let below = match self.divided(recoding, &members, &region, place) {
                Some(below) => below,
                None if region.members.len() == 1 => {
                    tree.push(Region::Group);
                    continue;
                }
                // There always is one: the split of the tree that the groups are from, as far as it concerns these.
                None => return Err(RegionsError::Split(place)),
            };
            let (attribute, by, below) = below;
            tree.push(Region::Split(Split { attribute, by, parts: vec![0; below.len()] }));
            pending.extend(below.into_iter().rev());
        }
        Ok(Regions { tree, ..self.clone() })
    }

    /// The values of attributes without taxonomies that the groups below each region do not have, for all regions.
    fn without(&self) -> Vec<Vec<(usize, Option<&str>)>> {
        let mut without: Vec<Vec<(usize, Option<&str>)>> = vec![Vec::new(); self.tree.len()];
        for (region, Split { attribute, by, parts }) in self.splits() {
            for (slot, &part) in parts.iter().enumerate() {
                let mut own = without[region].clone();
                match by {
                    By::Value(value) if slot == 1 => own.push((*attribute, Some(value.as_str()))),
                    By::Missing if slot == 0 => own.push((*attribute, None)),
                    _ => {}
                }
                without[part] = own;
            }
        }
        without
    }

    /// How a region falls into parts.
    fn divided(
        &self,
        recoding: &[AttributeRecoding],
        groups: &[Member<'_>],
        region: &Pending,
        place: usize,
    ) -> Option<(usize, By, Vec<Pending>)> {
        let members: Vec<&Member<'_>> = region.members.iter().map(|&member| &groups[member]).collect();
        let found = |a: usize| Some((a, by(a, &region.extents[a], &recoding[a], &members)?));
        let (attribute, by) = (0..recoding.len()).find_map(found)?;
        let extents = parts(&region.extents[attribute], &by, &recoding[attribute], self.unknown)?;
        let mut below: Vec<Pending> = extents
            .iter()
            .enumerate()
            .map(|(slot, extent)| {
                let mut extents = region.extents.clone();
                extents[attribute] = extent.clone();
                Pending { members: Vec::new(), extents, slot: Some((place, slot)) }
            })
            .collect();
        for &member in &region.members {
            let own = groups[member].extents[attribute];
            let part = match &by {
                By::At(at) => usize::from(matches!(own, Extent::Numbers { lower, .. } if *lower >= at.0)),
                By::Missing => usize::from(*own == Extent::Missing),
                By::Value(value) => usize::from(!matches!(own, Extent::Value(own) if own == value)),
                By::Node(_) => extents.iter().position(|part| part.contains(own, &recoding[attribute]))?,
            };
            below[part].members.push(member);
        }
        below.iter().all(|part| !part.members.is_empty()).then_some((attribute, by, below))
    }
}

/// What divides a region by an attribute without dividing any of its groups, if anything does.
fn by(attribute: usize, extent: &Extent, recoding: &AttributeRecoding, members: &[&Member<'_>]) -> Option<By> {
    let mut own = members.iter().map(|member| member.extents[attribute]);
    match extent {
        Extent::Node(node) => {
            let label = |taxonomy: &Taxonomy| By::Node(taxonomy.label(*node).to_owned());
            own.all(|own| own != extent).then(|| recoding.taxonomy().map(label)).flatten()
        }
        Extent::Anything => own.all(|own| *own != Extent::Anything).then_some(By::Missing),
        Extent::Numbers { .. } => middle_bound(own).map(|at| By::At(Bound(Some(at)))),
        Extent::Others(_) => first_value(attribute, members),
        _ => None,
    }
}

/// The middle one of the bounds that lie inside of no interval.
fn middle_bound<'a>(extents: impl Iterator<Item = &'a Extent>) -> Option<f64> {
    let ends = |extent: &Extent| match extent {
        Extent::Numbers { lower, upper, .. } => {
            Some((lower.unwrap_or(f64::NEG_INFINITY), upper.unwrap_or(f64::INFINITY)))
        }
        _ => None,
    };
    let mut intervals: Vec<(f64, f64)> = extents.filter_map(ends).collect();
    intervals.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    let mut bounds = Vec::new();
    let mut reached = intervals.first()?.1;
    for (lower, upper) in intervals.into_iter().skip(1) {
        if lower >= reached && bounds.last() != Some(&lower) {
            bounds.push(lower);
        }
        reached = reached.max(upper);
    }
    bounds.get(bounds.len() / 2).copied()
}

/// The first value, in byte order, that no group has among others; that it is missing comes last.
fn first_value(attribute: usize, members: &[&Member<'_>]) -> Option<By> {
    let mut told = Vec::new();
    let mut excluding: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    let mut others = 0;
    for member in members {
        match member.extents[attribute] {
            Extent::Value(value) => told.push(Some(value.as_str())),
            Extent::Missing => told.push(None),
            _ => {
                others += 1;
                let own = member.without.iter().filter(|(a, _)| *a == attribute);
                own.for_each(|(_, value)| *excluding.entry(*value).or_default() += 1);
            }
        }
    }
    // Missing is none, which would be the first.
    told.sort_by_key(|value| (value.is_none(), *value));
    let everywhere = |value: &Option<&str>| excluding.get(value).copied().unwrap_or(0) == others;
    let first = told.into_iter().find(everywhere)?;
    Some(first.map_or(By::Missing, |value| By::Value(value.to_owned())))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::super::tests::{grown, most_masked, placed, split, whole};
    use super::*;

    fn at(bound: f64) -> By {
        By::At(Bound(Some(bound)))
    }

    #[test]
    fn the_order_in_which_groups_were_told_apart_is_not_told() {
        let recoding = most_masked(false);
        let (mut one, mut other) = (whole(), whole());
        split(&mut one, 0, 0, at(44.0), 2);
        split(&mut one, 2, 0, at(46.0), 2);
        split(&mut other, 0, 0, at(46.0), 2);
        split(&mut other, 1, 0, at(44.0), 2);
        assert_ne!(one, other);
        assert_eq!(one.canonical(&recoding), other.canonical(&recoding));

        let (mut one, mut other) = (whole(), whole());
        split(&mut one, 0, 2, By::Value("nurse".into()), 2);
        split(&mut one, 1, 1, By::Node("Any".into()), 3);
        split(&mut one, 2, 1, By::Node("Any".into()), 3);
        split(&mut one, 6, 2, By::Value("cook".into()), 2);
        split(&mut other, 0, 1, By::Node("Any".into()), 3);
        for region in [2, 3] {
            split(&mut other, region, 2, By::Value("nurse".into()), 2);
        }
        split(&mut other, 1, 2, By::Value("cook".into()), 2);
        split(&mut other, 9, 2, By::Value("nurse".into()), 2);
        assert_eq!(one.canonical(&recoding), other.canonical(&recoding));
    }

    proptest! {
        /// The same records are in the same groups, under the same labels, and there is nothing left to put in order.
        #[test]
        fn everybody_stays_where_they_are(
            missing: bool,
            choices in prop::collection::vec((any::<u16>(), any::<u8>(), any::<u8>()), 0..12),
            ages in prop::collection::vec(0..90_u8, 1..20),
        ) {
            let recoding = most_masked(missing);
            let regions = grown(missing, &choices);
            // What was told apart once cannot be again; the generator does not know that.
            let twice = |told: &Vec<(usize, Option<&str>)>| told.iter().collect::<HashSet<_>>().len() < told.len();
            prop_assume!(!regions.without().iter().any(twice));
            let canonical = regions.canonical(&recoding).unwrap();
            prop_assert_eq!(canonical.canonical(&recoding).unwrap(), canonical.clone());
            prop_assert_eq!(canonical.groups().count(), regions.groups().count());
            let cells = |all: &[&'static str]| -> Vec<Option<&'static str>> {
                all.iter().map(|&cell| Some(cell)).chain(missing.then_some(None)).collect()
            };
            let known: Vec<&'static str> = ages.iter().map(|age| &*age.to_string().leak()).collect();
            for age in cells(&known) {
                for place in cells(&["Kiel", "Bonn", "Ulm", "Rome"]) {
                    for job in cells(&["nurse", "clerk", "cook", "smith"]) {
                        let record = [age, place, job];
                        prop_assert_eq!(placed(&regions, &recoding, record).1, placed(&canonical, &recoding, record).1);
                    }
                }
            }
        }
    }
}
