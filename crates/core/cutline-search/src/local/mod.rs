//! Local refinement (`--local`): each group is refined by itself, as far as the requirement holds in it.
//!
//! It begins with all records as one group. That a cut through all attributes is no better to begin with was tried: with groups that
//! cross all attributes, what tells most is told of groups that are too small for anything else.
//!
//! - A refinement of a group is one of its label of some attribute: a taxonomy's node into its children, an interval in two, one value
//!   out of those that are not told. It is *valid* if each part that has records satisfies the requirement, and *beneficial* if it
//!   gains something: information, variance, or for the purpose `general` less loss (LM).
//! - Of the refinements of a group the one is performed that promises most (`candidates`).
//! - *Free*: an interval is split where the group gains most, among the points that are valid. *Nested*: intervals have one tree for
//!   each attribute, split where the records of the whole table gain most; a group goes down that tree.
//! - *Histories*: where earlier releases tell of the records, those of each history in a part must satisfy the requirement.
//! - *Budget*: parts may violate the requirement as long as their records are within the group's share of what may be suppressed;
//!   what is lost with them is taken from the gain.
//!
//! A group depends on its own records alone, so all are refined at the same time. Every record is looked at once for each level of
//! the tree, each attribute, and each refinement that is looked ahead: O(records × attributes × depth).
//!
//! | file | answers |
//! | --- | --- |
//! | `rows` | Which records are in a group? |
//! | `axis` | Into what can the values of an attribute be told apart? |
//! | `counts` | How many records would each part have? Does the requirement hold there? |
//! | `worth` | What is that worth? |
//! | `candidates` | Which refinement of a group is the best? |
//! | `flatten` | What do all groups tell apart? |
//! | `ground` | What does a refinement make of a group? |

mod axis;
mod candidates;
mod counts;
mod flatten;
mod ground;
mod rows;
mod worth;

use cutline_model::AttributeRecoding;
use cutline_model::recoding::{Becomes, Extents, Local, Regions, Unknown};
use cutline_table::{Attribute, Labels};
use rayon::prelude::*;

use crate::tree::Tree;
use crate::{Control, Outcome, Problem, Refinement, Search, Step, Stopped};
use candidates::Promise;
pub use flatten::Flattened;
use ground::{Ground, Group};
use worth::{Classes, Distortion, Numbers, Worth};

/// Local refinement. Only the first QID of a problem is looked at: groups of several cut across each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Regional {
    /// How labels of different groups may lie to each other.
    pub local: Local,
    /// May a table have values that a taxonomy lacks? They and missing ones are told apart from the others together: a tree of regions
    /// cannot name them, so whoever applies it could not tell them apart.
    pub unknown: Unknown,
}

impl Search for Regional {
    fn search(&self, problem: &Problem<'_>, control: &Control<'_>) -> Outcome {
        match problem.table().labels {
            Labels::None => search::<Distortion>(*self, problem, control),
            Labels::Classes { .. } => search::<Classes>(*self, problem, control),
            Labels::Numbers { .. } => search::<Numbers>(*self, problem, control),
        }
    }
}

fn search<W: Worth>(by: Regional, problem: &Problem<'_>, control: &Control<'_>) -> Outcome {
    let ground = Ground::<W>::new(by, problem);
    let names = problem.table().attributes.iter().map(|attribute| attribute.name.clone()).collect();
    let whole = ground.all();
    let (smallest, stopped) = (whole.whole.smallest(), None);
    let regions = Regions::whole(by.local, names).with_unknown(by.unknown);
    let mut run = Run { regions, done: Vec::new(), smallest, stopped };
    let mut groups = vec![(0, whole)];
    while !groups.is_empty() && run.stopped.is_none() {
        let best: Vec<Option<Promise<W>>> = groups.par_iter().map(|(_, group)| ground.best(group)).collect();
        groups = run.refine(&ground, groups.into_iter().zip(best), control);
    }
    run.outcome(problem, control)
}

/// Nothing is told of an attribute. Values that were attached to its taxonomy are none of it.
fn most_masked(attribute: &Attribute) -> AttributeRecoding {
    let mut recoding = Tree::new(attribute).recoding(attribute);
    if let AttributeRecoding::Generalize { taxonomy, .. } = &mut recoding
        && let Ok(given) = taxonomy.detach(attribute.attached)
    {
        *taxonomy = given;
    }
    recoding
}

/// What was done so far.
struct Run {
    regions: Regions,
    /// The refinements, each with its region.
    done: Vec<Done>,
    /// The records of the smallest group, or of one history in it.
    smallest: u64,
    stopped: Option<Stopped>,
}

struct Done {
    region: usize,
    gain: f64,
    anonymity: u64,
}

impl Run {
    /// Performs the refinements of groups that have one, until the search must stop. Returns the new groups, each with its region.
    fn refine<W: Worth>(
        &mut self,
        ground: &Ground<'_, W>,
        groups: impl Iterator<Item = ((usize, Group<W>), Option<Promise<W>>)>,
        control: &Control<'_>,
    ) -> Vec<(usize, Group<W>)> {
        let mut made = Vec::new();
        for ((region, group), promise) in groups {
            let Some(Promise { best, parts, .. }) = promise else { continue };
            self.stopped = self.stopped.or_else(|| control.stopped(self.done.len()));
            if self.stopped.is_some() {
                break;
            }
            let parts = parts.unwrap_or_else(|| ground.parts(&group, &best));
            let region = ground.tell(&group, region, &best, &mut self.regions);
            let places = self.regions.tree[region].split().map_or(&[][..], |split| &split.parts);
            self.smallest = parts.iter().map(|(_, part)| part.whole.smallest()).fold(self.smallest, u64::min);
            self.done.push(Done { region, gain: best.gain, anonymity: self.smallest });
            made.extend(parts.into_iter().map(|(place, part)| (places[place], part)));
        }
        made
    }

    fn outcome(self, problem: &Problem<'_>, control: &Control<'_>) -> Outcome {
        let attributes = &problem.table().attributes;
        let top: Vec<AttributeRecoding> = attributes.iter().map(most_masked).collect();
        let steps = self.steps(&top);
        steps.iter().for_each(control.progress);
        // In the order of the tree, whatever the order of the search was.
        let regions = self.regions.simplified(&vec![Becomes::Itself; self.regions.tree.len()]);
        Outcome {
            recoding: regions.finest(&top),
            regions: Some(regions),
            steps,
            stopped: self.stopped.unwrap_or(Stopped::Complete),
            anonymity: vec![self.smallest],
        }
    }

    /// The refinements as the trace has them. None of them loses anonymity that the requirement asks for.
    fn steps(&self, top: &[AttributeRecoding]) -> Vec<Step> {
        let Ok(extents) = Extents::new(&self.regions, top) else { return Vec::new() };
        let step = |(index, done): (usize, &Done)| {
            let split = self.regions.tree[done.region].split()?;
            let label = |region: usize| extents.label(region, split.attribute, top);
            Some(Step::Refinement(Refinement {
                step: index + 1,
                attribute: self.regions.attributes[split.attribute].clone(),
                refined: label(done.region),
                into: split.parts.iter().map(|&part| label(part)).collect(),
                gain: done.gain,
                loss: 0.0,
                score: done.gain,
                anonymity: vec![done.anonymity],
            }))
        };
        self.done.iter().enumerate().filter_map(step).collect()
    }
}
