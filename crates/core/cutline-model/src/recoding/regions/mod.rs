//! Regions: recodings in which each group has labels of its own.
//!
//! A recoding of attributes gives a value the same label wherever it stands. With regions, what a value becomes depends on the rest of
//! its record: a tree splits the space of all possible records, one attribute at a time, and each of its leaves is a *group* with one
//! label for every attribute.
//!
//! ```text
//!                 age at 40                           group      age     town
//!               /           \                           1        <40     Oslo
//!        town: Oslo?     (group 3)                      2        <40     *
//!        /        \                                     3        >=40    *
//!   (group 1)  (group 2)
//! ```
//!
//! # Guarantee
//! Regions are disjoint and complete: a split sends every possible value of its attribute into exactly one of its parts, so every
//! possible record, seen or not, lies in exactly one group. Whoever knows all quasi values of a person therefore finds one group, and
//! no two groups can be compared to learn more of a person than one of them tells.

mod canonical;
mod common;
mod extent;
mod finest;
mod places;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use extent::{Extent, Extents};
pub use places::Places;

use crate::recoding::{AttributeRecoding, Unknown};
use crate::{Bound, Taxonomy};

/// How labels of different groups lie to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Local {
    /// Labels are nodes of one tree for each attribute: two of them are nested or disjoint.
    Nested,
    /// Each group has intervals of its own, which may overlap those of other groups.
    Free,
}

/// A tree of regions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Regions {
    /// How labels lie to each other.
    pub local: Local,
    /// The attributes by the positions that splits name, in the order of the recoding.
    pub attributes: Vec<String>,
    /// The regions: first the one of all records; each before its parts. None at all if they are [withheld](Regions::withheld).
    pub tree: Vec<Region>,
    /// The labels of the groups with published records (none for one that is missing), where the regions are withheld.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Vec<Option<String>>>,
    /// What becomes of values that a taxonomy lacks. With [`Unknown::Root`] its root has, where it is split, one more part for all of them
    /// and for missing ones: whether a table has any is not told.
    #[serde(default, skip_serializing_if = "Unknown::is_error")]
    pub unknown: Unknown,
}

/// A part of the space of all records.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Region {
    /// It falls into parts.
    Split(Split),
    /// It is published under one label for each attribute.
    Group,
}

/// How a region falls into parts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Split {
    /// A position in [`Regions::attributes`].
    pub attribute: usize,
    /// What tells the parts apart.
    pub by: By,
    /// Positions in [`Regions::tree`].
    pub parts: Vec<usize>,
}

/// What tells the parts of a region apart.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Two parts: numbers below the bound, and the others.
    At(Bound),
    /// A part for each child of a taxonomy's node, in tree order; of the root a last one for missing values, if there are any, or for
    /// whatever the taxonomy lacks.
    Node(String),
    /// Two parts: this value, and all others.
    Value(String),
    /// Two parts: values that are known, and missing ones.
    Missing,
}

/// Why something is no tree of regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum RegionsError {
    /// The attributes are not those of the recoding.
    #[error("the regions are not of the recoding's attributes")]
    Attributes,
    /// Parts are missing, are those of several regions, or come before them.
    #[error("region {0} is no part of exactly one region before it")]
    NoTree(usize),
    /// A split is none of what its region has.
    #[error("region {0} does not fall into the parts that are said")]
    Split(usize),
    /// Which regions there are is not told.
    #[error(
        "the recoding does not say into which regions records fall: that tells of names behind `*`, and is for the steward"
    )]
    Withheld,
    /// The attributes tell values apart that no split does, or the other way round.
    #[error("the attribute at position {0} is recoded otherwise than the regions say")]
    Finest(usize),
}

impl Regions {
    /// All records are one group.
    pub fn whole(local: Local, attributes: Vec<String>) -> Self {
        Regions { local, attributes, tree: vec![Region::Group], groups: Vec::new(), unknown: Unknown::Error }
    }

    /// The same, where values that a taxonomy lacks may occur.
    pub fn with_unknown(self, unknown: Unknown) -> Self {
        Regions { unknown, ..self }
    }

    /// Do they tell more than the labels of groups do? Where single names are told apart, `*` stands for the others; which those are
    /// depends on the order of splits, and that follows from the names that `*` hides.
    pub fn tell_more_than_labels(&self, recoding: &[AttributeRecoding]) -> bool {
        let names = |attribute: usize| matches!(recoding.get(attribute), Some(AttributeRecoding::Suppress { .. }));
        self.splits().any(|(_, split)| names(split.attribute))
    }

    /// That there are regions is told, and the labels of their groups, but not which records they have.
    pub fn withheld(self, groups: Vec<Vec<Option<String>>>) -> Self {
        Regions { tree: Vec::new(), groups, ..self }
    }

    /// Is nothing told but the labels of groups?
    pub fn are_withheld(&self) -> bool {
        self.tree.is_empty()
    }

    /// The regions that are groups.
    pub fn groups(&self) -> impl Iterator<Item = usize> + '_ {
        let groups = self.tree.iter().enumerate().filter(|(_, region)| matches!(region, Region::Group));
        groups.map(|(index, _)| index)
    }

    /// The splits, each with its region.
    pub fn splits(&self) -> impl DoubleEndedIterator<Item = (usize, &Split)> + '_ {
        self.tree.iter().enumerate().filter_map(|(index, region)| match region {
            Region::Split(split) => Some((index, split)),
            Region::Group => None,
        })
    }

    /// Missing values of an attribute have no part of their own any longer where its taxonomy's root is split. Where they share one
    /// with values that the taxonomy lacks, nothing changes.
    pub fn forget_missing(&mut self, attribute: usize, taxonomy: &Taxonomy) {
        if self.unknown == Unknown::Root {
            return;
        }
        for region in &mut self.tree {
            if let Region::Split(Split { attribute: by, by: By::Node(label), parts }) = region
                && *by == attribute
                && *label == taxonomy.label(taxonomy.root())
            {
                parts.truncate(taxonomy.children(taxonomy.root()).len());
            }
        }
    }

    /// The same tree with some regions left out: for each region, what takes its place.
    pub fn simplified(&self, becomes: &[Becomes]) -> Regions {
        let mut tree = Vec::new();
        let mut pending = vec![(0, None::<(usize, usize)>)];
        while let Some((mut region, slot)) = pending.pop() {
            while let Becomes::Part(part) = becomes[region] {
                region = part;
            }
            let place = tree.len();
            if let Some((parent, slot)) = slot
                && let Region::Split(split) = &mut tree[parent]
            {
                let Split { parts, .. } = split;
                parts[slot] = place;
            }
            match (&self.tree[region], becomes[region]) {
                (Region::Split(split), Becomes::Itself) => {
                    pending
                        .extend(split.parts.iter().enumerate().rev().map(|(slot, &part)| (part, Some((place, slot)))));
                    tree.push(Region::Split(split.clone()));
                }
                _ => tree.push(Region::Group),
            }
        }
        Regions { tree, ..self.clone() }
    }
}

/// What takes the place of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Becomes {
    /// Nothing else.
    Itself,
    /// A group: it falls into parts no longer.
    Group,
    /// One of its parts.
    Part(usize),
}
