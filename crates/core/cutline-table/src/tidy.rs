//! A recoding must not tell of values that only suppressed records have.
//!
//! A disclosed value, an interval bound or a finer part of a cut that no published record needs would still stand in `recoding.json`,
//! and tell that such a person exists. So a value of which all records are suppressed is disclosed no longer, an interval of which all
//! records are suppressed becomes part of its neighbour, a bound that is a value of suppressed records alone becomes the next value that is
//! published, and a cut is as high as it can be where no published record is below it; a value
//! that was attached to the root has the root's label then. What is left follows from the labels that published records show, so whoever is
//! given the stored recoding and the taxonomy masks as the release did. Kept records keep their groups; suppressed ones may now have
//! look-alikes, so everything is judged again.

use std::collections::HashSet;

use cutline_model::{AttributeRecoding, Bound, Grain, Masking, NodeId, Taxonomy};
use rayon::prelude::*;

use crate::{Attribute, CompressedTable, Domain};

/// The recoding without what only suppressed rows need; nothing if there is nothing to take out.
pub(crate) fn tidied(
    table: &CompressedTable,
    recoding: &[AttributeRecoding],
    suppressed: &[bool],
) -> Option<Vec<AttributeRecoding>> {
    let each = table.attributes.par_iter().zip(recoding);
    let tidied: Vec<AttributeRecoding> =
        each.map(|(attribute, recoding)| tidy(attribute, recoding, &attribute.shown(suppressed))).collect();
    (tidied != recoding).then_some(tidied)
}

fn tidy(attribute: &Attribute, recoding: &AttributeRecoding, kept: &[bool]) -> AttributeRecoding {
    let domain = &attribute.domain;
    let mut recoding = recoding.clone();
    match &mut recoding {
        AttributeRecoding::Generalize { cut, taxonomy, .. } => *cut = raised(attribute, taxonomy, cut, kept),
        AttributeRecoding::Suppress { disclosed, .. } => {
            let codes = (0..domain.known() as u32).filter(|&code| kept[code as usize]);
            let names: HashSet<&str> = codes.filter_map(|code| domain.name(code)).collect();
            disclosed.retain(|name| names.contains(name.as_str()));
        }
        AttributeRecoding::Discretize { bounds, .. } => {
            join_unused(bounds, domain.as_numbers(), kept);
            // Bounds that somebody gave, or the calendar, are no values of records.
            if matches!(&attribute.masking, Masking::Discretize { axis, .. } if axis.grain == Grain::Values) {
                raise_unused(bounds, domain, kept);
            }
        }
    }
    // That somebody's value is missing is told by records that show it, and by nothing else.
    if domain.missing().is_none_or(|code| !kept[code as usize]) {
        *recoding.missing_mut() = None;
    }
    recoding
}

/// A cut of which every node has a kept leaf below, or is the topmost one that has none: so it follows from the labels that are shown.
fn raised(attribute: &Attribute, taxonomy: &Taxonomy, cut: &[String], kept: &[bool]) -> Vec<String> {
    // The leaves of a domain ascend, and so do those below a node.
    let leaves = attribute.domain.as_leaves().iter().zip(kept).filter(|(_, kept)| **kept);
    let ranks: Vec<usize> = leaves.map(|(&leaf, _)| taxonomy.leaf_rank(leaf)).collect();
    let is_shown = |node: &NodeId| {
        let below = taxonomy.leaf_range(*node);
        ranks.get(ranks.partition_point(|&rank| rank < below.start)).is_some_and(|rank| below.contains(rank))
    };
    let nodes: Vec<NodeId> = cut.iter().filter_map(|label| taxonomy.node(label)).filter(is_shown).collect();
    let shown: HashSet<NodeId> = nodes.iter().copied().collect();
    // A value that was attached is no label again, even if it is published under that of the root now.
    let attached = |node: NodeId| node.index() >= taxonomy.len() - attribute.attached;
    let completed = taxonomy.completed_cut(&nodes).unwrap_or_default();
    let mut raised: Vec<NodeId> =
        completed.into_iter().filter(|node| !attached(*node) || shown.contains(node)).collect();
    if raised.is_empty() {
        raised.push(taxonomy.root());
    }
    raised.into_iter().map(|node| taxonomy.label(node).to_owned()).collect()
}

/// Raises inner bounds to the first number of their interval that is kept: a bound tells that some record has this number.
fn raise_unused(bounds: &mut [Bound], domain: &Domain, kept: &[bool]) {
    let numbers = domain.as_numbers();
    let inner = bounds.len().saturating_sub(1);
    for bound in bounds.iter_mut().take(inner).skip(1) {
        let code = numbers.partition_point(|&number| Some(number) < bound.0);
        let first = kept[code..numbers.len()].iter().position(|kept| *kept);
        if let Some(beyond) = first.filter(|&beyond| beyond > 0) {
            bound.0 = Some(domain.split((code + beyond) as u32));
        }
    }
}

/// Takes out inner bounds until both intervals beside each have a kept number.
fn join_unused(bounds: &mut Vec<Bound>, numbers: &[f64], kept: &[bool]) {
    let code =
        |bound: Option<f64>, open: usize| bound.map_or(open, |bound| numbers.partition_point(|&number| number < bound));
    let mut index = 1;
    while index + 1 < bounds.len() {
        // The intervals on both sides of an inner bound; the last one includes its upper bound.
        let middle = code(bounds[index].0, 0);
        let before = if index == 1 { 0 } else { code(bounds[index - 1].0, 0) };
        let after = if index + 2 == bounds.len() { numbers.len() } else { code(bounds[index + 1].0, 0) };
        let used = |codes: std::ops::Range<usize>| kept[codes].contains(&true);
        if used(before..middle) && used(middle..after) {
            index += 1;
        } else {
            bounds.remove(index);
            index = index.saturating_sub(1).max(1);
        }
    }
}
