//! Why is it masked?
//!
//! A search ends where it may go no further. For every label of the recoding that it ended with, this says which refinement was left
//! that gains most, what it would gain, and what forbids it; and then what would allow it. It is a pure function of the problem and the
//! recoding: whichever algorithm ended there, nothing is searched again, and nothing is remembered from the search.
//!
//! | file | answers |
//! | --- | --- |
//! | `left` | Which refinement of each label gains most? |
//! | `frontier` | Would the requirement hold, if a label was refined? Asked of the rows as far as these refinements tell them apart |
//! | `rows` | Which rows does nothing that is asked tell apart? |
//! | `plain` | How many groups have how many records, and which rows have a label? |
//! | `split` | What does a refinement make of the groups, where only their sizes count? |
//! | `ways` | What would allow a refinement: more suppressed records, another k, one attribute less? |
//!
//! All of it is computed from values that the recoding hides: it is for the data steward alone.

mod frontier;
mod judge;
mod left;
mod plain;
mod rows;
mod split;
mod ways;

use std::fmt;

use cutline_model::recoding::{LabelError, Missing};
use cutline_model::{AttributeRecoding, Requirement};
use cutline_table::{Attribute, CompressedTable, Labels, Masked};
use rayon::prelude::*;
use serde::Serialize;

use crate::Problem;
use crate::gain::{Entropy, Records, Variance, exceeds};
use frontier::{Asked, Frontier};
use left::{Candidate, Outlook};
use split::Split;

/// Where the masking of an attribute ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttributeWhy {
    /// Its name.
    pub attribute: String,
    /// Records that lack its value.
    pub missing: u64,
    /// Its labels that some record has, in their order.
    pub labels: Vec<LabelWhy>,
}

/// Why a label is not refined.
#[derive(Clone, PartialEq, Serialize)]
pub struct LabelWhy {
    /// As it is published; nothing if the value is missing.
    pub label: Option<String>,
    /// The records that have it.
    pub records: u64,
    /// The reason.
    pub why: Why,
}

/// Why a label is not refined.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Why {
    /// There is nothing below it: its records have one value.
    Finest,
    /// Its records do not differ in what the table is published for.
    NothingToGain,
    /// Nothing: the search was stopped before, or did not think it worth what it hides.
    Allowed(Left),
    /// The requirement would not hold.
    Forbidden {
        /// What was left.
        #[serde(flatten)]
        left: Left,
        /// What would break, and what would help.
        #[serde(flatten)]
        bar: Bar,
    },
}

/// A refinement that was left.
#[derive(Clone, PartialEq, Serialize)]
pub struct Left {
    /// The labels that would take its place.
    pub into: Vec<String>,
    /// InfoGain, reduction of variance or refined records, by purpose.
    pub gain: f64,
}

/// What forbids a refinement, and what would allow it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bar {
    /// What would not hold.
    pub broken: Vec<Broken>,
    /// The records that would have to be suppressed: a limit of so many allows the refinement, and no smaller one does.
    pub limit: u64,
    /// Lower thresholds that would allow it: QIDs by position, and the k of each. Nothing if none above 1 does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub thresholds: Vec<(usize, u64)>,
    /// Attributes each of which, not published at all, would allow it. Looked for where an attribute could gain most.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// Records that lack the value, if leaving them out would allow it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lacking: Option<u64>,
}

/// A part of the requirement that would not hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Broken {
    /// The QID, by position.
    pub qid: usize,
    /// The condition that breaks in groups that are large enough; nothing if groups would be too small.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Groups in which it breaks.
    pub groups: u64,
    /// Their records.
    pub records: u64,
}

impl AttributeWhy {
    /// The forbidden refinement that would gain most, if any is forbidden.
    pub fn best_forbidden(&self) -> Option<(&LabelWhy, &Left, &Bar)> {
        let mut best: Option<(&LabelWhy, &Left, &Bar)> = None;
        for label in &self.labels {
            let Why::Forbidden { left, bar } = &label.why else { continue };
            if best.is_none_or(|(_, other, _)| exceeds(left.gain, other.gain)) {
                best = Some((label, left, bar));
            }
        }
        best
    }
}

/// Shows no value.
impl fmt::Debug for LabelWhy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LabelWhy({} records, {:?})", self.records, self.why)
    }
}

/// Shows no value.
impl fmt::Debug for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Left({} labels, gain {})", self.into.len(), self.gain)
    }
}

/// Why each attribute is masked as it is. The problem must have been made from the requirement.
///
/// # Errors
/// If the recoding has no label for some value: it was made for another table.
pub fn why(
    problem: &Problem<'_>,
    requirement: &Requirement,
    recoding: &[AttributeRecoding],
) -> Result<Vec<AttributeWhy>, LabelError> {
    let recoding = &with_missing(problem.table(), recoding)[..];
    let masked = Masked::new(problem.table(), recoding)?;
    Ok(match problem.table().labels {
        Labels::None => {
            of_outlooks(problem, requirement, recoding, left::outlooks::<Records>(problem, recoding, &masked))
        }
        Labels::Classes { .. } => {
            of_outlooks(problem, requirement, recoding, left::outlooks::<Entropy>(problem, recoding, &masked))
        }
        Labels::Numbers { .. } => {
            of_outlooks(problem, requirement, recoding, left::outlooks::<Variance>(problem, recoding, &masked))
        }
    })
}

/// A recoding that says of missing values what the search meant: one that is published is silent if only suppressed records lack a value.
pub fn with_missing(table: &CompressedTable, recoding: &[AttributeRecoding]) -> Vec<AttributeRecoding> {
    let said = |(attribute, recoding): (&Attribute, &AttributeRecoding)| {
        let mut recoding = recoding.clone();
        if attribute.domain.missing().is_some() && recoding.missing().is_none() {
            let masked = recoding.disclosed().is_some() || recoding.is_top();
            *recoding.missing_mut() = Some(if masked { Missing::Masked } else { Missing::Published });
        }
        recoding
    };
    table.attributes.iter().zip(recoding).map(said).collect()
}

fn of_outlooks(
    problem: &Problem<'_>,
    requirement: &Requirement,
    recoding: &[AttributeRecoding],
    outlooks: Vec<Outlook>,
) -> Vec<AttributeWhy> {
    let frontier = Frontier::new(problem, requirement, recoding, &outlooks);
    let attributes = problem.table().attributes.par_iter().zip(&outlooks).enumerate();
    let why = |(a, (attribute, outlook)): (usize, (&cutline_table::Attribute, &Outlook))| {
        let label = |candidate: &Candidate| label_why(&frontier, &outlooks, a, candidate);
        let (labels, mut splits): (Vec<LabelWhy>, Vec<_>) = outlook.candidates.par_iter().map(label).unzip();
        let why = AttributeWhy { attribute: attribute.name.clone(), missing: outlook.missing, labels };
        let best =
            why.best_forbidden().and_then(|(best, ..)| why.labels.iter().position(|label| std::ptr::eq(label, best)));
        let best = best.map(|at| (at, splits.swap_remove(at)));
        (why, best)
    };
    let (mut whys, best): (Vec<AttributeWhy>, Vec<_>) = attributes.map(why).unzip();
    look_further(&frontier, &outlooks, &mut whys, best);
    whys
}

/// Why a label of the attribute at a position is not refined; and what would become of the groups, if that is forbidden.
fn label_why(
    frontier: &Frontier<'_>,
    outlooks: &[Outlook],
    attribute: usize,
    candidate: &Candidate,
) -> (LabelWhy, Option<Split>) {
    let records = frontier.records(attribute, candidate.label);
    let (why, split) = match (&candidate.left, candidate.beneficial) {
        (None, _) => (Why::Finest, None),
        (Some(_), false) => (Why::NothingToGain, None),
        (Some(left), true) => {
            let asked = Asked::refined(attribute, candidate);
            let counted = frontier.count(&asked);
            let limit = frontier.limit(&asked, &counted, &outlooks[attribute]);
            if limit <= frontier.budget() {
                (Why::Allowed(left.clone()), None)
            } else {
                let bar = ways::bar(frontier, asked, &counted, limit);
                (Why::Forbidden { left: left.clone(), bar }, counted.split.map(Split::without_rows))
            }
        }
    };
    (LabelWhy { label: candidate.text.clone(), records, why }, split)
}

/// Which attribute stands in the way? Asked of the one refinement of each attribute that would gain most, because it takes a look at the
/// groups for each.
fn look_further(
    frontier: &Frontier<'_>,
    outlooks: &[Outlook],
    whys: &mut [AttributeWhy],
    best: Vec<Option<(usize, Option<Split>)>>,
) {
    let best =
        best.into_iter().enumerate().filter_map(|(attribute, best)| best.map(|(at, split)| ((attribute, at), split)));
    let (places, splits): (Vec<(usize, usize)>, Vec<Option<Split>>) = best.unzip();
    let asked = places.iter().map(|&(attribute, at)| Asked::refined(attribute, &outlooks[attribute].candidates[at]));
    let without = ways::without(frontier, &asked.zip(splits).collect::<Vec<_>>());
    for ((attribute, at), names) in places.into_iter().zip(without) {
        if let Why::Forbidden { bar, .. } = &mut whys[attribute].labels[at].why {
            bar.without = names;
        }
    }
}
