//! What a search does not change, and what a refinement does to a group.

use std::ops::Range;
use std::sync::OnceLock;

use cutline_model::recoding::{Local, Region, Regions, Split};
use cutline_table::{Attribute, CompressedTable};

use super::Regional;
use super::axis::{Axis, Spot, Turn, width};
use super::candidates::Candidate;
use super::counts::{Counts, Part, Requirement};
use super::rows::Rows;
use super::worth::Worth;
use crate::Problem;
use crate::gain::exceeds;

/// The table, and what counts in it.
pub(super) struct Ground<'a, W> {
    table: &'a CompressedTable,
    pub(super) axes: Vec<Axis<'a>>,
    pub(super) worth: W,
    pub(super) requirement: Requirement<'a>,
    /// What is lost with a record that is suppressed.
    pub(super) price: f64,
    limit: u64,
}

/// Records that share their labels.
pub(super) struct Group<W: Worth> {
    pub(super) rows: Rows<W::Row>,
    pub(super) whole: Part<W::Cell>,
    /// What is told of each attribute.
    pub(super) spots: Vec<Spot>,
    /// How many of its records may be suppressed.
    pub(super) budget: u64,
    /// Its best refinements, when they have been looked at.
    pub(super) found: OnceLock<Vec<Candidate>>,
}

/// What a refinement makes of a group: for each part its place among all, if it is a group. The others have no records, or are hidden.
pub(super) type Parts<W> = Vec<(usize, Group<W>)>;

impl<'a, W: Worth> Ground<'a, W> {
    pub(super) fn new(by: Regional, problem: &'a Problem<'a>) -> Self {
        let table = problem.table();
        let worth = W::new(table);
        let requirement = Requirement::new(table, &problem.qids()[0]);
        let rows = Rows {
            columns: Vec::new(),
            sensitive: Vec::new(),
            histories: None,
            labels: worth.rows(table),
            weights: table.weights.clone(),
        };
        let axis = |attribute: &'a Attribute| match by.local {
            Local::Free => Axis::free(attribute, &table.weights, by.unknown),
            Local::Nested => {
                let counts = Counts::new(&rows, &attribute.codes, attribute.domain.len(), |code| code, &worth);
                let none = Part::none(&worth, &requirement, 0);
                Axis::nested(attribute, &table.weights, by.unknown, |bins| {
                    middle(attribute, bins, (&counts, &none), &worth)
                })
            }
        };
        let axes = table.attributes.iter().map(axis).collect();
        let price = worth.price(&Part::of(&rows, &worth, &requirement), table.attributes.len());
        Ground { table, axes, worth, requirement, price, limit: problem.limit() }
    }

    /// All records, of which nothing is told.
    pub(super) fn all(&self) -> Group<W> {
        let rows = Rows {
            columns: self.axes.iter().map(Axis::column).collect(),
            sensitive: self.requirement.columns(self.table),
            histories: self.requirement.histories(),
            labels: self.worth.rows(self.table),
            weights: self.table.weights.clone(),
        };
        self.group(rows, self.axes.iter().map(Axis::whole).collect())
    }

    fn group(&self, rows: Rows<W::Row>, spots: Vec<Spot>) -> Group<W> {
        let whole = Part::of(&rows, &self.worth, &self.requirement);
        Group { rows, whole, spots, budget: self.limit, found: OnceLock::new() }
    }

    /// The parts of a group that satisfy the requirement.
    ///
    /// The records that are hidden are taken from the group's budget, and what is left is shared by the parts in proportion to their
    /// records: so no part depends on what becomes of others, and all together hide no more than the limit.
    pub(super) fn parts(&self, group: &Group<W>, best: &Candidate) -> Parts<W> {
        let (axis, spot) = (&self.axes[best.attribute], &group.spots[best.attribute]);
        let own = axis.parts(spot, &best.step);
        let part_of = axis.part_of(&best.step, &group.rows.columns[best.attribute]);
        let open = |a: usize| match a == best.attribute {
            true => own.iter().any(|spot| axis.is_open(spot)),
            false => self.axes[a].is_open(&group.spots[a]),
        };
        let parts = group.rows.split(&part_of, own.len(), open);
        let left = u128::from(group.budget - best.hidden);
        let published = u128::from(group.whole.records - best.hidden);
        let part = |(rows, own): (Rows<W::Row>, Spot)| {
            let mut spots = group.spots.clone();
            spots[best.attribute] = own;
            let part = self.group(rows, spots);
            let budget = (left * u128::from(part.whole.records) / published.max(1)) as u64;
            Group { budget, ..part }
        };
        let parts = parts.into_iter().zip(own).map(part).enumerate();
        parts.filter(|(_, part)| part.whole.records > 0 && self.requirement.hides(&part.whole) == 0).collect()
    }

    /// How a refinement of a group is told: its region falls into parts, perhaps after others that have no records. Returns the region
    /// that did in the end.
    pub(super) fn tell(&self, group: &Group<W>, region: usize, best: &Candidate, regions: &mut Regions) -> usize {
        let path = self.axes[best.attribute].said(&group.spots[best.attribute], &best.step);
        split_region(regions, region, best.attribute, path)
    }
}

/// Splits a region, and along a path its parts. Returns the last one that was split.
fn split_region(regions: &mut Regions, mut region: usize, attribute: usize, path: Vec<Turn>) -> usize {
    let mut last = region;
    for Turn { by, parts, further } in path {
        let places: Vec<usize> = (regions.tree.len()..regions.tree.len() + parts).collect();
        regions.tree.resize(regions.tree.len() + parts, Region::Group);
        (last, region) = (region, places[further]);
        regions.tree[last] = Region::Split(Split { attribute, by, parts: places });
    }
    last
}

/// Which of some bins begins the right part of the best split of all their records, whatever group these are in.
fn middle<W: Worth>(
    attribute: &Attribute,
    bins: &[Range<u32>],
    (counts, none): (&Counts<'_, W::Cell>, &Part<W::Cell>),
    worth: &W,
) -> usize {
    let (start, end) = (bins[0].start, bins[bins.len() - 1].end);
    let narrower = |codes: Range<u32>| width(attribute, start..end) - width(attribute, codes);
    // Every code occurs.
    let mut whole = none.clone();
    (start..end).for_each(|code| counts.add(code as usize, &mut whole));
    let (mut left, mut right) = (none.clone(), whole.clone());
    let mut best = (1, f64::NEG_INFINITY);
    for (place, bin) in bins.iter().enumerate().skip(1) {
        bins[place - 1].clone().for_each(|code| counts.shift(code as usize, &mut right, &mut left));
        let gain = worth.share(&whole, &left, narrower(start..bin.start))
            + worth.share(&whole, &right, narrower(bin.start..end));
        if exceeds(gain, best.1) {
            best = (place, gain);
        }
    }
    best.0
}
