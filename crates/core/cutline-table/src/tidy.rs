//! A recoding must not tell of values that only suppressed records have.
//!
//! A disclosed value or an interval bound that no published record needs would still stand in `recoding.json`, and tell that such a
//! person exists. So a value of which all records are suppressed is disclosed no longer, and an interval of which all records are
//! suppressed becomes part of its neighbour. Of a taxonomy that others do not know, a node of which all records are suppressed is no
//! label any more: what is stored of the cut is completed with the topmost nodes that have nothing published below, and a value that was
//! attached to the root has the root's label. That missing values are told apart is no longer said if only suppressed records have one.
//! So whoever is given the stored recoding and the taxonomy masks as the release did.
//!
//! Kept records keep their groups; suppressed ones may now have look-alikes, so everything is judged again.

use std::collections::HashSet;

use cutline_model::recoding::Missing;
use cutline_model::{AttributeRecoding, NodeId, Taxonomy};

use crate::{Attribute, CompressedTable, Given};

/// The recoding without what only suppressed rows need; nothing if there is nothing to take out.
pub(crate) fn tidied(
    table: &CompressedTable,
    recoding: &[AttributeRecoding],
    suppressed: &[bool],
) -> Option<Vec<AttributeRecoding>> {
    let each = table.attributes.iter().zip(recoding);
    let tidied: Vec<AttributeRecoding> =
        each.map(|(attribute, recoding)| tidy(attribute, recoding, &kept(attribute, suppressed))).collect();
    (tidied != recoding).then_some(tidied)
}

/// Has some kept row each code?
fn kept(attribute: &Attribute, suppressed: &[bool]) -> Vec<bool> {
    let mut kept = vec![false; attribute.domain.len()];
    let rows = attribute.codes.iter().zip(suppressed).filter(|(_, suppressed)| !**suppressed);
    rows.for_each(|(code, _)| kept[code as usize] = true);
    kept
}

fn tidy(attribute: &Attribute, recoding: &AttributeRecoding, kept: &[bool]) -> AttributeRecoding {
    let domain = &attribute.domain;
    let missing_kept = domain.missing().is_some_and(|code| kept[code as usize]);
    let tidy_missing = |missing: Option<Missing>| missing.filter(|&how| how != Missing::Published || missing_kept);
    let mut recoding = recoding.clone();
    match &mut recoding {
        AttributeRecoding::Generalize { cut, taxonomy, missing } => {
            *missing = tidy_missing(*missing);
            *cut = tidy_cut(attribute, taxonomy, cut, kept);
        }
        AttributeRecoding::Suppress { disclosed, missing } => {
            *missing = tidy_missing(*missing);
            let codes = (0..domain.known() as u32).filter(|&code| kept[code as usize]);
            let names: HashSet<&str> = codes.filter_map(|code| domain.name(code)).collect();
            disclosed.retain(|name| names.contains(name.as_str()));
        }
        AttributeRecoding::Discretize { bounds, missing } => {
            *missing = tidy_missing(*missing);
            let numbers = domain.as_numbers();
            let code = |bound: Option<f64>, open: usize| {
                bound.map_or(open, |bound| numbers.partition_point(|&number| number < bound))
            };
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
    }
    recoding
}

/// The labels of a cut without those that nobody knows and no kept row shows.
fn tidy_cut(attribute: &Attribute, taxonomy: &Taxonomy, cut: &[String], kept: &[bool]) -> Vec<String> {
    // The leaves of a domain ascend, and so do those below a node.
    let leaves = attribute.domain.as_leaves().iter().zip(kept).filter(|(_, kept)| **kept);
    let ranks: Vec<usize> = leaves.map(|(&leaf, _)| taxonomy.leaf_rank(leaf)).collect();
    let shown = |node: NodeId| {
        let range = taxonomy.leaf_range(node);
        ranks.get(ranks.partition_point(|&rank| rank < range.start)).is_some_and(|rank| range.contains(rank))
    };
    let attached = |node: NodeId| node.index() >= taxonomy.len() - attribute.unseen.attached;
    let labels = cut.iter().filter_map(|label| taxonomy.node(label));
    let mut nodes: Vec<NodeId> = labels.filter(|&node| !attached(node) || shown(node)).collect();
    if attribute.unseen.given == Given::Private {
        nodes.retain(|&node| shown(node));
        // A value that was attached is no label again, even if it is published under that of the root now.
        let labels: HashSet<NodeId> = nodes.iter().copied().collect();
        let completed = taxonomy.completed_cut(&nodes).unwrap_or_default();
        nodes = completed.into_iter().filter(|node| !attached(*node) || labels.contains(node)).collect();
    }
    if nodes.is_empty() {
        nodes.push(taxonomy.root());
    }
    nodes.into_iter().map(|node| taxonomy.label(node).to_owned()).collect()
}
