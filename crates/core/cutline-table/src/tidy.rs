//! A recoding must not tell of values that only suppressed records have.
//!
//! A disclosed value or an interval bound that no published record needs would still stand in `recoding.json`, and tell that such a
//! person exists. So a value of which all records are suppressed is disclosed no longer, and an interval of which all records are
//! suppressed becomes part of its neighbour. Kept records keep their groups; suppressed ones may now have look-alikes, so everything
//! is judged again.

use std::collections::HashSet;

use cutline_model::AttributeRecoding;
use cutline_model::recoding::Missing;

use crate::{Attribute, CompressedTable};

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
    let mut recoding = recoding.clone();
    match &mut recoding {
        // The nodes of a taxonomy are no values of records.
        AttributeRecoding::Generalize { .. } => {}
        AttributeRecoding::Suppress { disclosed, missing } => {
            let codes = (0..domain.known() as u32).filter(|&code| kept[code as usize]);
            let names: HashSet<&str> = codes.filter_map(|code| domain.name(code)).collect();
            disclosed.retain(|name| names.contains(name.as_str()));
            let missing_kept = domain.missing().is_some_and(|code| kept[code as usize]);
            if *missing == Some(Missing::Published) && !missing_kept {
                *missing = Some(Missing::Masked);
            }
        }
        AttributeRecoding::Discretize { bounds, .. } => {
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
