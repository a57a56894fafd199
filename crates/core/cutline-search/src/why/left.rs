//! Which refinement of each label gains most?

use cutline_model::AttributeRecoding;
use cutline_model::recoding::{Label, Labeler, Unknown};
use cutline_table::{Attribute, AttributeId, Masked, Numbering};
use rayon::prelude::*;

use super::Left;
use crate::Problem;
use crate::gain::{Gain, exceeds};
use crate::tree::Tree;

/// An attribute under a recoding, and what could be done next.
pub(super) struct Outlook {
    /// The cut, with children for each of its nodes that can be refined.
    tree: Tree,
    /// The label of each code.
    pub(super) label_of: Vec<u32>,
    /// Labels are below this number.
    pub(super) labels: usize,
    /// The part of its label that each code would go to.
    pub(super) part_of: Vec<u32>,
    /// Is something told?
    pub(super) tells: bool,
    /// Records that lack the value.
    pub(super) missing: u64,
    /// One for each label that some record has.
    pub(super) candidates: Vec<Candidate>,
}

/// A label, and the best refinement of it.
pub(super) struct Candidate {
    pub(super) label: u32,
    /// As it is published.
    pub(super) text: Option<String>,
    /// The node of the tree; of an attribute without one, the value that would be disclosed.
    target: u32,
    /// Do its records differ in what the purpose looks at?
    pub(super) beneficial: bool,
    /// The refinement, if there is any.
    pub(super) left: Option<Left>,
    /// The part that only records without a value would go to.
    pub(super) lacking: Option<u32>,
}

impl Outlook {
    /// Parts are below this number.
    pub(super) fn parts(&self) -> usize {
        self.part_of.iter().max().map_or(1, |&part| part as usize + 1)
    }

    /// Which codes the label and the part tell apart.
    pub(super) fn told(&self) -> Numbering {
        let mut told = Numbering::new(self.label_of.len());
        told.refine(self.label_of.iter().copied(), self.labels);
        told.refine(self.part_of.iter().copied(), self.parts());
        told
    }

    /// The recoding of the attribute after a refinement.
    pub(super) fn refined(&self, attribute: &Attribute, candidate: &Candidate) -> AttributeRecoding {
        let mut tree = self.tree.clone();
        tree.refine(candidate.target);
        tree.recoding(attribute)
    }
}

/// The outlook of each attribute.
pub(super) fn outlooks<G: Gain>(
    problem: &Problem<'_>,
    recoding: &[AttributeRecoding],
    masked: &Masked<'_>,
) -> Vec<Outlook> {
    let gains = G::count(problem.table());
    let each = problem.table().attributes.par_iter().zip(recoding).zip(&gains).enumerate();
    let outlook = |(a, ((attribute, recoding), gain)): (usize, ((&Attribute, &AttributeRecoding), &G))| {
        let labeler = Labeler::new(recoding, Unknown::Error);
        let label_of = masked.labels(AttributeId(a)).to_vec();
        let tree = Tree::labelled(attribute, &with_top_first(&label_of, labeler.top()));
        let missing =
            attribute.domain.missing().map_or(0, |missing| records(attribute, &problem.table().weights, missing));
        let outlook = Outlook {
            part_of: vec![0; label_of.len()],
            tells: masked.tells_apart(AttributeId(a)),
            labels: labeler.labels().len(),
            candidates: Vec::new(),
            tree,
            label_of,
            missing,
        };
        let text = |label: u32| match &labeler.labels()[label as usize] {
            Label::Text(text) => Some(text.clone()),
            Label::Missing => None,
        };
        if outlook.tree.is_suppressed() {
            disclosures(outlook, attribute, gain, &labeler, text)
        } else {
            nodes(outlook, attribute, gain, text)
        }
    };
    each.map(outlook).collect()
}

/// A tree without nodes wants 0 to be the label of what is suppressed.
fn with_top_first(label_of: &[u32], top: u32) -> Vec<u32> {
    label_of.iter().map(|&label| if label == top { 0 } else { label + 1 }).collect()
}

fn records(attribute: &Attribute, weights: &[u64], code: u32) -> u64 {
    attribute.codes.iter().zip(weights).filter(|(other, _)| *other == code).map(|(_, weight)| weight).sum()
}

/// The nodes of a cut, each with the split or the children that it would be refined into.
fn nodes<G: Gain>(
    mut outlook: Outlook,
    attribute: &Attribute,
    gain: &G,
    text: impl Fn(u32) -> Option<String>,
) -> Outlook {
    for node in outlook.tree.cut() {
        let (tree, node) = (&mut outlook.tree, node as u32);
        let codes = tree.codes(node);
        if codes.is_empty() {
            continue;
        }
        tree.grow(node, |codes| gain.split_of(&attribute.domain, codes));
        let whole = gain.stats(codes.clone());
        let children = tree.children(node).to_vec();
        let left = (!children.is_empty()).then(|| {
            let parts: Vec<G::Stats> = children.iter().map(|&child| gain.stats(tree.codes(child))).collect();
            let labels = tree.labels(attribute, node).1.into_iter().zip(&children);
            let shown = labels.filter(|(_, child)| !tree.codes(**child).is_empty());
            let into = shown.map(|(label, _)| label.to_string()).collect();
            Left { into, gain: gain.gain(&whole, &parts) }
        });
        let slots = &tree.slots()[codes.start as usize..codes.end as usize];
        outlook.part_of[codes.start as usize..codes.end as usize].copy_from_slice(slots);
        let missing =
            attribute.domain.missing().filter(|missing| left.is_some() && codes.contains(missing) && codes.len() > 1);
        let label = outlook.label_of[codes.start as usize];
        outlook.candidates.push(Candidate {
            label,
            text: text(label),
            target: node,
            beneficial: G::beneficial(&whole),
            left,
            lacking: missing.map(|code| outlook.part_of[code as usize]),
        });
    }
    outlook
}

/// All disclosed values, and the suppressed ones with the value that it gains most to disclose.
fn disclosures<G: Gain>(
    mut outlook: Outlook,
    attribute: &Attribute,
    gain: &G,
    labeler: &Labeler,
    text: impl Fn(u32) -> Option<String>,
) -> Outlook {
    let (told, hidden): (Vec<u32>, Vec<u32>) =
        (0..outlook.tree.values()).partition(|&value| outlook.tree.is_disclosed(value));
    outlook.candidates = told
        .into_iter()
        .map(|value| {
            let label = outlook.label_of[value as usize];
            Candidate { label, text: text(label), target: value, beneficial: false, left: None, lacking: None }
        })
        .collect();
    let stats = hidden.iter().map(|&value| gain.stats(value..value + 1));
    let Some(whole) = stats.reduce(|one, other| G::with(&one, &other)) else { return outlook };
    let mut best: Option<(u32, f64)> = None;
    for &value in &hidden {
        let gained = gain.disclosure_gain(&whole, value);
        if best.is_none_or(|(_, most)| exceeds(gained, most)) {
            best = Some((value, gained));
        }
    }
    let Some((value, gained)) = best else { return outlook };
    outlook.part_of[value as usize] = 1;
    let into = outlook.tree.labels(attribute, value).1.iter().map(Label::to_string).collect();
    outlook.candidates.push(Candidate {
        label: labeler.top(),
        text: text(labeler.top()),
        target: value,
        beneficial: G::beneficial(&whole),
        left: Some(Left { into, gain: gained }),
        lacking: None,
    });
    outlook
}
