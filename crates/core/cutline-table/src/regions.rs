//! Regions must not tell of values that only suppressed records have.
//!
//! What [`crate::tidy`] does for attributes: a value or bound that no published record needs is told no longer. Here what needs a
//! split are the records of its region. A part without published records is empty, or only suppressed records are in it: which of
//! both must not be told.

use cutline_model::recoding::{Becomes, By, Extent, Extents, Label, Local, Places, Regions, Split, TOP};
use cutline_model::{AttributeRecoding, Bound};

use crate::{Attribute, Codes, CompressedTable};

/// The recoding and its regions without what only suppressed rows need; nothing if there is nothing to take out.
pub(crate) fn simplified(
    table: &CompressedTable,
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
    let codes: Vec<Vec<bool>> = table.attributes.iter().map(|attribute| kept_codes(attribute, suppressed)).collect();
    let needs = Needs {
        extents: places.extents(),
        numbers: table.attributes.iter().zip(&codes).map(|(attribute, kept)| numbers(attribute, kept)).collect(),
        missing: (0..recoding.len()).map(|a| shows_missing(a, &recoding[a], places, &kept)).collect(),
        local: regions.local,
        kept,
    };
    let becomes = needs.decide(regions, recoding);
    let (told, whole) = needs.without_hidden_missing(regions, recoding);
    let same = told == recoding && regions.splits().all(|(region, _)| becomes[region] == Becomes::Itself);
    (!same).then(|| {
        let regions = whole.simplified(&becomes);
        (regions.finest(&told), regions)
    })
}

/// Has some published row each code?
fn kept_codes(attribute: &Attribute, suppressed: &[bool]) -> Vec<bool> {
    let mut kept = vec![false; attribute.domain.len()];
    let rows = attribute.codes.iter().zip(suppressed).filter(|(_, suppressed)| !**suppressed);
    rows.for_each(|(code, _)| kept[code as usize] = true);
    kept
}

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

/// The numbers of a continuous attribute that published rows have, ascending.
fn numbers(attribute: &Attribute, kept: &[bool]) -> Vec<f64> {
    attribute.domain.as_numbers().iter().zip(kept).filter(|(_, kept)| **kept).map(|(&number, _)| number).collect()
}

/// What published records need.
struct Needs<'a> {
    extents: &'a Extents,
    /// The numbers of each continuous attribute that they have.
    numbers: Vec<Vec<f64>>,
    /// Does the label of some of them show that a value of each attribute is missing?
    missing: Vec<bool>,
    local: Local,
    /// Has a region any of them?
    kept: Vec<bool>,
}

impl Needs<'_> {
    /// What takes the place of each region, from the smallest to the whole.
    fn decide(&self, regions: &Regions, recoding: &[AttributeRecoding]) -> Vec<Becomes> {
        let attributes = recoding.len();
        let mut becomes = vec![Becomes::Itself; regions.tree.len()];
        // By which attributes is a region split, or a part of it?
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
        becomes
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
            By::At(at) => match (kept(0), kept(1)) {
                (true, true) => Becomes::Itself,
                (below, _) => {
                    let other = split.parts[usize::from(!below)];
                    let needed = self.local == Local::Nested && further(other) && self.tells_apart(region, split, at.0);
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

    /// Nested labels have their bounds in common: one that tells apart numbers which published records have, whatever group these are
    /// in, must stay where splits follow below it, or the labels of this region would lie across those of others.
    fn tells_apart(&self, region: usize, split: &Split, at: Option<f64>) -> bool {
        let (Extent::Numbers { lower, upper, last }, Some(at)) = (self.extents.of(region, split.attribute), at) else {
            return false;
        };
        let numbers = &self.numbers[split.attribute];
        let from = lower.map_or(0, |lower| numbers.partition_point(|&number| number < lower));
        let middle = numbers.partition_point(|&number| number < at);
        let to =
            upper.filter(|_| !last).map_or(numbers.len(), |upper| numbers.partition_point(|&number| number < upper));
        from < middle && middle < to
    }
}
