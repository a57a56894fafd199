//! What a data holder says of the line: where it must be open, and where it must stay closed.
//!
//! | masked by | *open* | *closed* |
//! | --- | --- | --- |
//! | taxonomy | a node: what is below it is told apart; a value: it is told | a node: nothing below it is told apart |
//! | intervals | a number, or a date: a bound is there | an interval: its bounds are there and none is between them; `*`: there are no other bounds |
//! | values | a value: it is told | a value: it is not told; `*`: no other one is |
//!
//! A search begins where everything that must be open is open, and never refines what is closed.

use std::ops::Range;

use cutline_model::recoding::{Interval, TOP};
use cutline_model::{DateSpan, Masking, NodeId, Scale, Taxonomy, parse_number};
use cutline_table::Attribute;

use crate::SearchError;
use crate::tree::Tree;

/// What is said of the line through one attribute, by labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pins {
    /// The attribute's name.
    pub attribute: String,
    /// What must be open.
    pub open: Vec<String>,
    /// What must stay closed.
    pub closed: Vec<String>,
}

/// Where the search begins with an attribute.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// The tree with everything masked, and what is closed in it.
    tree: Tree,
    /// What is refined before anything else, parents before children; of an attribute without a tree, values to disclose.
    forced: Vec<u32>,
}

impl Start {
    /// At the top.
    pub(crate) fn free(attribute: &Attribute) -> Self {
        Start { tree: Tree::new(attribute), forced: Vec::new() }
    }

    pub(crate) fn pinned(attribute: &Attribute, pins: &Pins) -> Result<Self, SearchError> {
        match &attribute.masking {
            Masking::Generalize(taxonomy) => in_taxonomy(attribute, taxonomy, pins),
            Masking::Discretize { .. } => in_numbers(attribute, pins),
            Masking::Suppress => in_values(attribute, pins),
        }
    }

    /// The tree with everything masked.
    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    pub(crate) fn forced(&self) -> &[u32] {
        &self.forced
    }

    /// The tree with everything open that must be.
    pub(crate) fn opened(&self) -> Tree {
        let mut tree = self.tree.clone();
        for &target in &self.forced {
            tree.refine(target);
        }
        tree
    }
}

fn wrong(pins: &Pins, label: &str, what: &'static str) -> SearchError {
    SearchError::Pin { attribute: pins.attribute.clone(), label: label.to_owned(), what }
}

fn in_taxonomy(attribute: &Attribute, taxonomy: &Taxonomy, pins: &Pins) -> Result<Start, SearchError> {
    let find = |label: &String| taxonomy.node(label).ok_or_else(|| wrong(pins, label, "is not in its taxonomy"));
    let mut forced = Vec::new();
    for label in &pins.open {
        let node = find(label)?;
        // A value is open if everything above it is.
        let above = taxonomy.ancestors(node).filter(|&node| !taxonomy.is_leaf(node));
        forced.extend(above.map(|node| node.index() as u32));
    }
    // Parents before children: nodes are numbered in preorder.
    forced.sort_unstable();
    forced.dedup();
    let mut tree = Tree::new(attribute);
    for label in &pins.closed {
        let node: NodeId = find(label)?;
        if forced.contains(&(node.index() as u32)) {
            return Err(wrong(pins, label, "must be open and closed at once"));
        }
        tree.close(node.index() as u32);
    }
    Ok(Start { tree, forced })
}

fn in_numbers(attribute: &Attribute, pins: &Pins) -> Result<Start, SearchError> {
    let numbers = attribute.domain.as_numbers();
    // A bound is at the first number that is not below it.
    let code = |number: f64| numbers.partition_point(|&other| other < number) as u32;
    let mut bounds: Vec<u32> = Vec::new();
    let dates = has_dates(attribute);
    for label in &pins.open {
        bounds.push(code(bound(label, dates).map_err(|what| wrong(pins, label, what))?));
    }
    let mut closed: Vec<(&String, Range<u32>)> = Vec::new();
    for label in &pins.closed {
        if label == TOP {
            continue;
        }
        let interval = interval(label, dates).ok_or_else(|| wrong(pins, label, "is no interval"))?;
        let last = numbers.len() as u32;
        let upper = interval.upper.filter(|_| !interval.closed).map_or(last, code);
        let range = interval.lower.map_or(0, code)..upper;
        bounds.extend([range.start, range.end]);
        closed.push((label, range));
    }
    bounds.retain(|&bound| 0 < bound && (bound as usize) < numbers.len());
    bounds.sort_unstable();
    bounds.dedup();
    let mut start = Start { tree: Tree::new(attribute), forced: Vec::new() };
    if !bounds.is_empty() {
        start.forced = start.tree.hang(&bounds);
    }
    for (label, range) in closed {
        match start.tree.node_of(&range) {
            Some(node) => start.tree.close(node),
            None => return Err(wrong(pins, label, "has a bound in it that must be open")),
        }
    }
    if pins.closed.iter().any(|label| label == TOP) {
        start.tree.close_leaves();
    }
    Ok(start)
}

/// Are its numbers days?
fn has_dates(attribute: &Attribute) -> bool {
    matches!(&attribute.masking, Masking::Discretize { axis, .. } if matches!(axis.scale, Scale::Dates { .. }))
}

/// A bound: a number, or a day; a month or a year is its first day.
fn bound(label: &str, dates: bool) -> Result<f64, &'static str> {
    match dates {
        true => label.parse::<DateSpan>().ok().and_then(|span| span.lower).ok_or("is no date"),
        false => parse_number(label).ok_or("is no number"),
    }
}

fn interval(label: &str, dates: bool) -> Option<Interval> {
    match dates {
        true => {
            let DateSpan { lower, upper } = label.parse().ok()?;
            Some(Interval { lower, upper, closed: false })
        }
        false => label.parse().ok(),
    }
}

fn in_values(attribute: &Attribute, pins: &Pins) -> Result<Start, SearchError> {
    let codes = 0..attribute.domain.known() as u32;
    let find = |label: &String| {
        let found = codes.clone().find(|&code| attribute.domain.name(code) == Some(label));
        found.ok_or_else(|| wrong(pins, label, "is none of its values"))
    };
    let mut forced = pins.open.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    forced.sort_unstable();
    forced.dedup();
    let mut tree = Tree::new(attribute);
    for label in &pins.closed {
        if label == TOP {
            (0..tree.values()).filter(|value| !forced.contains(value)).for_each(|value| tree.close(value));
            continue;
        }
        let value = find(label)?;
        if forced.contains(&value) {
            return Err(wrong(pins, label, "must be open and closed at once"));
        }
        tree.close(value);
    }
    Ok(Start { tree, forced })
}
