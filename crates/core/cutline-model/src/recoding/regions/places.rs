//! From the labels of attributes to regions.

use serde::{Deserialize, Serialize};

use super::{By, Extents, Regions, RegionsError, Split};
use crate::recoding::{AttributeRecoding, Label, Labeler, Unknown};
use crate::{Bound, NodeId};

/// Regions made ready for many records.
///
/// ```text
///  cells ──► finest labels, by attribute ──► region ──► its labels
///            (Labeler)                       (Places)
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Told", into = "Told")]
pub struct Places {
    regions: Regions,
    recoding: Vec<AttributeRecoding>,
    extents: Extents,
    steps: Vec<Option<Step>>,
    /// The labels of each attribute, in order of the first region that has them.
    labels: Vec<Vec<Label>>,
    /// For each region and attribute, a position among these.
    of: Vec<u32>,
}

/// What is written down of them.
#[derive(Serialize, Deserialize)]
struct Told {
    regions: Regions,
    recoding: Vec<AttributeRecoding>,
}

impl From<Places> for Told {
    fn from(Places { regions, recoding, .. }: Places) -> Self {
        Told { regions, recoding }
    }
}

impl TryFrom<Told> for Places {
    type Error = RegionsError;

    fn try_from(Told { regions, recoding }: Told) -> Result<Self, RegionsError> {
        Places::new(&regions, &recoding)
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Step {
    attribute: usize,
    find: Find,
    parts: Vec<u32>,
}

/// Which part has a number of a finest label?
#[derive(Clone, Debug, PartialEq)]
enum Find {
    /// The first, unless it is at least this one. No part has a value that is missing, if nothing is said of those: its number is the end.
    From { from: u32, end: u32 },
    /// The first, if it is this one.
    Only(u32),
    /// The second, if it is this one.
    Except(u32),
    /// The part whose run of numbers has it: these are the ends of the runs. One number may belong to the last part beside.
    Runs { ends: Vec<u32>, start: u32, last: Option<u32> },
}

impl Find {
    fn part(&self, number: u32) -> Option<usize> {
        match self {
            Find::From { from, end } => (number < *end).then(|| usize::from(number >= *from)),
            Find::Only(only) => Some(usize::from(number != *only)),
            Find::Except(except) => Some(usize::from(number == *except)),
            Find::Runs { ends, last, .. } if *last == Some(number) => Some(ends.len()),
            Find::Runs { ends, start, .. } => {
                let part = ends.partition_point(|&end| end <= number);
                (*start <= number && part < ends.len()).then_some(part)
            }
        }
    }
}

impl Places {
    /// Prepares regions. The recoding must be the finest one.
    ///
    /// # Errors
    /// If these are no regions, or the recoding tells other values apart than they do.
    pub fn new(regions: &Regions, recoding: &[AttributeRecoding]) -> Result<Self, RegionsError> {
        let extents = Extents::new(regions, recoding)?;
        let finest = regions.finest(recoding);
        if let Some(attribute) = finest.iter().zip(recoding).position(|(finest, recoding)| finest != recoding) {
            return Err(RegionsError::Finest(attribute));
        }
        let labelers: Vec<Labeler> = recoding.iter().map(|recoding| Labeler::new(recoding, Unknown::Root)).collect();
        let mut steps = vec![None; regions.tree.len()];
        for (region, split) in regions.splits() {
            let find = find(split, &recoding[split.attribute], &labelers[split.attribute], regions.unknown);
            let find = find.ok_or(RegionsError::Split(region))?;
            let parts = split.parts.iter().map(|&part| part as u32).collect();
            steps[region] = Some(Step { attribute: split.attribute, find, parts });
        }
        let (labels, of) = labels(&extents, recoding, regions.tree.len());
        Ok(Places { regions: regions.clone(), recoding: recoding.to_vec(), extents, steps, labels, of })
    }

    /// The region of a record, by the numbers of its finest labels. A value that no part of a region fits, because a taxonomy lacks it
    /// or nothing is said of missing ones, leaves the record in that region, which is then less than a group tells.
    pub fn region(&self, number: impl Fn(usize) -> u32) -> usize {
        let mut region = 0;
        while let Some(Step { attribute, find, parts }) = &self.steps[region] {
            let Some(part) = find.part(number(*attribute)) else { break };
            region = parts[part] as usize;
        }
        region
    }

    /// The regions.
    pub fn regions(&self) -> &Regions {
        &self.regions
    }

    /// What the records of each region can be.
    pub fn extents(&self) -> &Extents {
        &self.extents
    }

    /// The labels of an attribute.
    pub fn labels(&self, attribute: usize) -> &[Label] {
        &self.labels[attribute]
    }

    /// The labels of a region, as positions in [`Places::labels`].
    pub fn of(&self, region: usize) -> &[u32] {
        let attributes = self.labels.len();
        &self.of[region * attributes..(region + 1) * attributes]
    }
}

/// The numbers of the finest labels in each part.
fn find(split: &Split, recoding: &AttributeRecoding, labeler: &Labeler, unknown: Unknown) -> Option<Find> {
    Some(match (&split.by, recoding) {
        (By::Missing, _) => Find::Except(labeler.missing()),
        (By::Value(value), _) => Find::Only(labeler.label(value).ok()?),
        (By::At(at), AttributeRecoding::Discretize { bounds, .. }) => {
            let from = bounds.iter().position(|bound| bound == at && *at != Bound(None))? as u32;
            Find::From { from, end: bounds.len() as u32 - 1 }
        }
        (By::Node(label), AttributeRecoding::Generalize { cut, taxonomy, missing }) => {
            let node = taxonomy.node(label)?;
            // The cut is in tree order, and none of its nodes is above a child: so those below each are neighbours.
            let ranks: Vec<usize> =
                cut.iter().filter_map(|label| taxonomy.node(label)).map(|node| taxonomy.leaf_rank(node)).collect();
            let before = |rank: usize| ranks.partition_point(|&other| other < rank) as u32;
            let end = |&child: &NodeId| before(taxonomy.leaf_range(child).end);
            let last = match unknown {
                // Missing values have this number, too.
                Unknown::Root => Some(labeler.top()),
                Unknown::Error => missing.map(|_| labeler.missing()),
            };
            let last = last.filter(|_| node == taxonomy.root());
            let start = before(taxonomy.leaf_range(node).start);
            Find::Runs { ends: taxonomy.children(node).iter().map(end).collect(), start, last }
        }
        _ => return None,
    })
}

/// The distinct labels of each attribute, and their numbers for each region and attribute.
fn labels(extents: &Extents, recoding: &[AttributeRecoding], regions: usize) -> (Vec<Vec<Label>>, Vec<u32>) {
    let attributes = recoding.len();
    let mut labels: Vec<indexmap::IndexSet<Label>> = vec![indexmap::IndexSet::new(); attributes];
    let mut of = vec![0; regions * attributes];
    for region in 0..regions {
        for attribute in 0..attributes {
            of[region * attributes + attribute] = match extents.since(region, attribute) {
                Some(since) if since != region => of[since * attributes + attribute],
                _ if region > 0 && extents.since(region, attribute).is_none() => of[attribute],
                _ => labels[attribute].insert_full(extents.label(region, attribute, recoding)).0 as u32,
            };
        }
    }
    (labels.into_iter().map(|labels| labels.into_iter().collect()).collect(), of)
}
