//! What a search does not change, and what a refinement does to a group.

use std::ops::Range;

use cutline_model::recoding::{Local, Region, Regions, Split};
use cutline_table::Attribute;

use super::axis::{Axis, Spot, Turn, width};
use super::candidates::Candidate;
use super::counts::{Counts, Part, Requirement};
use super::worth::Worth;
use crate::Problem;
use crate::gain::exceeds;

/// The table, and what counts in it.
pub(super) struct Ground<'a, W> {
    pub(super) axes: Vec<Axis<'a>>,
    pub(super) worth: W,
    pub(super) requirement: Requirement<'a>,
    /// What is lost with a record that is suppressed.
    pub(super) price: f64,
    limit: u64,
}

/// Records that share their labels.
#[derive(Debug)]
pub(super) struct Group {
    /// Its place in the tree of regions.
    pub(super) region: usize,
    pub(super) rows: Vec<u32>,
    pub(super) records: u64,
    /// What is told of each attribute.
    pub(super) spots: Vec<Spot>,
    /// How many of its records may be suppressed.
    pub(super) budget: u64,
}

impl<'a, W: Worth> Ground<'a, W> {
    pub(super) fn new(local: Local, problem: &'a Problem<'a>) -> Self {
        let table = problem.table();
        let worth = W::new(table);
        let requirement = Requirement::new(table, &problem.qids()[0]);
        let rows: Vec<u32> = (0..table.rows() as u32).collect();
        let axis = |attribute: &'a Attribute| match local {
            Local::Free => Axis::free(attribute, &table.weights),
            Local::Nested => {
                let known: Vec<u32> = known(attribute, &rows);
                let limit = attribute.domain.known();
                let counts = Counts::new(&known, limit, |row| attribute.codes.get(row as usize), &worth, &requirement);
                Axis::nested(attribute, &table.weights, |bins| middle(attribute, bins, &counts, &worth))
            }
        };
        let axes = table.attributes.iter().map(axis).collect();
        let whole = Counts::new(&rows, 1, |_| 0, &worth, &requirement).whole;
        let price = worth.price(&whole.cells, table.attributes.len());
        Ground { axes, worth, requirement, price, limit: problem.limit() }
    }

    /// All records, of which nothing is told.
    pub(super) fn all(&self) -> Group {
        let weights = self.requirement.weights();
        let spots = self.axes.iter().map(Axis::whole).collect();
        let rows = (0..weights.len() as u32).collect();
        Group { region: 0, rows, records: weights.iter().sum(), spots, budget: self.limit }
    }

    fn counts(&self, group: &Group) -> Part<W::Cell> {
        Counts::new(&group.rows, 1, |_| 0, &self.worth, &self.requirement).whole
    }

    /// Refines a group: its region falls into parts. Returns the region that did in the end, and those parts that are groups: the others
    /// have no records, or are hidden.
    pub(super) fn perform(&self, group: &Group, best: &Candidate, regions: &mut Regions) -> (usize, Vec<Group>) {
        let (axis, spot) = (&self.axes[best.attribute], &group.spots[best.attribute]);
        let region = split_region(regions, group.region, best.attribute, axis.said(spot, &best.step));
        let places = regions.tree[region].split().map(|split| split.parts.clone()).unwrap_or_default();
        let mut parts = self.all_parts(group, best);
        parts.iter_mut().zip(places).for_each(|(part, region)| part.region = region);
        parts.retain(|part| part.records > 0 && self.holds(part));
        (region, parts)
    }

    /// The parts of a group that satisfy the requirement.
    pub(super) fn parts(&self, group: &Group, best: &Candidate) -> Vec<Group> {
        let mut parts = self.all_parts(group, best);
        parts.retain(|part| part.records > 0 && self.holds(part));
        parts
    }

    /// The records that are hidden are taken from the group's budget, and what is left is shared by the parts in proportion to their
    /// records: so no part depends on what becomes of others, and all together hide no more than the limit.
    fn all_parts(&self, group: &Group, best: &Candidate) -> Vec<Group> {
        let Group { region, rows, records, spots, budget } = group;
        let (axis, spot) = (&self.axes[best.attribute], &spots[best.attribute]);
        let own = axis.parts(spot, &best.step);
        let mut parts: Vec<Vec<u32>> = vec![Vec::new(); own.len()];
        for &row in rows {
            parts[axis.part(&best.step, axis.attribute.codes.get(row as usize))].push(row);
        }
        let left = u128::from(budget - best.hidden);
        let published = u128::from(records - best.hidden);
        let part = |(rows, own): (Vec<u32>, Spot)| {
            let records: u64 = rows.iter().map(|&row| self.requirement.weights()[row as usize]).sum();
            let mut spots = spots.clone();
            spots[best.attribute] = own;
            let budget = (left * u128::from(records) / published.max(1)) as u64;
            Group { region: *region, rows, records, spots, budget }
        };
        parts.into_iter().zip(own).map(part).collect()
    }

    fn holds(&self, group: &Group) -> bool {
        self.requirement.hides(&self.counts(group)) == 0
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

fn known(attribute: &Attribute, rows: &[u32]) -> Vec<u32> {
    let missing = attribute.domain.missing();
    rows.iter().copied().filter(|&row| missing != Some(attribute.codes.get(row as usize))).collect()
}

/// Which of some bins begins the right part of the best split of all their records, whatever group these are in.
fn middle<W: Worth>(attribute: &Attribute, bins: &[Range<u32>], counts: &Counts<W::Cell>, worth: &W) -> usize {
    let part = |codes: &Range<u32>| -> Part<W::Cell> {
        // Every known code occurs.
        let parts = &counts.parts[codes.start as usize..codes.end as usize];
        let mut sum = counts.whole.without(&counts.whole);
        parts.iter().for_each(|part| sum.add(part));
        sum
    };
    let parts: Vec<Part<W::Cell>> = bins.iter().map(part).collect();
    let mut whole = counts.whole.without(&counts.whole);
    parts.iter().for_each(|part| whole.add(part));
    let mut left = counts.whole.without(&counts.whole);
    let mut best = (1, f64::NEG_INFINITY);
    let (start, end) = (bins[0].start, bins[bins.len() - 1].end);
    for (place, bin) in bins.iter().enumerate().skip(1) {
        left.add(&parts[place - 1]);
        let right = whole.without(&left);
        let narrower = |codes| width(attribute, start..end) - width(attribute, codes);
        let gain = worth.share(&whole.cells, &left.cells, narrower(start..bin.start))
            + worth.share(&whole.cells, &right.cells, narrower(bin.start..end));
        if exceeds(gain, best.1) {
            best = (place, gain);
        }
    }
    best.0
}
