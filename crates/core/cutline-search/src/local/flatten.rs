//! One label for a value again: what all groups tell apart.

use cutline_table::{CompressedTable, MaskError, Masked, TableQid};

use super::Regional;
use crate::{Control, Outcome, Problem, Search};

/// Local refinement whose result is published under labels that all groups have in common: the finest recoding that divides none.
///
/// # Guarantee
/// Groups only merge, and what is required of groups holds for unions: so it holds again. Suppressed records may come to stand among others,
/// which without conditions makes no group too small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flattened(pub Regional);

impl Search for Flattened {
    fn search(&self, problem: &Problem<'_>, control: &Control<'_>) -> Outcome {
        let local = self.0.search(problem, control);
        // Regions of this very table fit it.
        flattened(&local, problem).unwrap_or(local)
    }
}

fn flattened(local: &Outcome, problem: &Problem<'_>) -> Result<Outcome, MaskError> {
    let table = problem.table();
    let Some(regions) = &local.regions else { return Ok(local.clone()) };
    let masked = Masked::of(table, &local.recoding, Some(regions))?;
    let hidden = masked.suppress_with(problem.qids(), problem.how()).rows;
    let mut has_records = vec![false; regions.tree.len()];
    if let Some((_, of_row)) = masked.regions() {
        let rows = of_row.iter().zip(&hidden).filter(|(_, hidden)| !**hidden);
        rows.for_each(|(region, _)| has_records[region as usize] = true);
    }
    let groups: Vec<usize> = regions.groups().filter(|&group| has_records[group]).collect();
    let recoding = regions.common(&local.recoding, &groups)?;
    let masked = Masked::new(table, &recoding)?;
    let hidden = masked.suppress_with(problem.qids(), problem.how()).rows;
    let anonymity = problem.qids().iter().map(|qid| smallest(table, &masked, qid, &hidden)).collect();
    Ok(Outcome { recoding, regions: None, anonymity, ..local.clone() })
}

/// The smallest group that is published.
fn smallest(table: &CompressedTable, masked: &Masked<'_>, qid: &TableQid, hidden: &[bool]) -> u64 {
    let mut groups = masked.groups(qid.attributes.to_vec());
    if let Some(histories) = &qid.histories {
        groups.refine(histories.of_row.iter(), histories.len());
    }
    let mut sizes = vec![0; groups.len];
    let rows = groups.of_row.iter().zip(&table.weights).zip(hidden).filter(|(_, hidden)| !**hidden);
    rows.for_each(|((&group, weight), _)| sizes[group as usize] += weight);
    sizes.into_iter().filter(|&size| size > 0).min().unwrap_or(0)
}
