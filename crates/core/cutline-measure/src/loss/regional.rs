//! LM and entropy where each group has labels of its own.
//!
//! The definitions are those of [`super::general`] and [`super::entropy`]; only the label of an entry is that of its group. With labels
//! that overlap, *n(l)* are the records of the raw table whose value could have the label, whatever group they are in.

use cutline_model::recoding::{By, Extent, Places, Split};
use cutline_model::{AttributeRecoding, NodeId, Taxonomy};
use cutline_table::{Attribute, Codes, CompressedTable, Suppressed};

use super::CodeCounts;
use super::entropy::Bits;
use super::general::suppressed_loss;

/// An attribute whose labels follow from regions.
pub(super) struct Regional<'a> {
    pub(super) table: &'a CompressedTable,
    pub(super) places: &'a Places,
    /// The region of each row.
    pub(super) of_row: &'a Codes,
    pub(super) suppressed: &'a Suppressed,
}

/// What is behind a label.
#[derive(Clone, Copy, Default)]
struct Behind {
    /// What an entry loses by LM.
    loss: f64,
    /// Records of the raw table.
    records: u64,
}

impl Regional<'_> {
    /// The attribute's summand of LM, and the bits that its labels do not tell.
    pub(super) fn losses(&self, a: usize, recoding: &AttributeRecoding, counts: &CodeCounts) -> (f64, Bits) {
        let attribute = &self.table.attributes[a];
        let hidden = Behind { loss: suppressed_loss(attribute, recoding), records: counts.records() };
        let behind = self.behind(a, recoding, counts);
        let (mut general, mut bits) = (0.0, Bits::default());
        for (row, (region, code)) in self.of_row.iter().zip(attribute.codes.iter()).enumerate() {
            let label = match self.places.extents().since(region as usize, a) {
                _ if self.suppressed.rows[row] => hidden,
                None => Behind { loss: hidden.loss, ..hidden },
                Some(since) => behind[since],
            };
            let weight = self.table.weights[row] as f64;
            let unknown_among = |others: u64| weight * (others as f64 / counts.of(code as usize) as f64).log2();
            general += weight * label.loss;
            bits.lost += unknown_among(label.records);
            bits.all += unknown_among(hidden.records);
        }
        let each = counts.records().max(1) as f64;
        (general / each, Bits { lost: bits.lost / each, all: bits.all / each })
    }

    /// What is behind the label of each region that a split by the attribute made.
    fn behind(&self, a: usize, recoding: &AttributeRecoding, counts: &CodeCounts) -> Vec<Behind> {
        let attribute = &self.table.attributes[a];
        let (regions, extents) = (self.places.regions(), self.places.extents());
        let mut behind = vec![Behind::default(); regions.tree.len()];
        for (region, split) in regions.splits().filter(|(_, split)| split.attribute == a) {
            let whole = extents.since(region, a).map_or(counts.records(), |since| behind[since].records);
            let told = told(attribute, split, counts);
            for &part in &split.parts {
                let extent = extents.of(part, a);
                let records = match extent {
                    Extent::Others(_) => whole - told,
                    Extent::Value(_) => told,
                    other => codes(attribute, recoding, other).map(|code| counts.of(code)).sum(),
                };
                behind[part] = Behind { loss: loss(attribute, recoding, extent), records };
            }
        }
        behind
    }
}

/// The records with the value that a split tells.
fn told(attribute: &Attribute, split: &Split, counts: &CodeCounts) -> u64 {
    let domain = &attribute.domain;
    let code = match &split.by {
        By::Value(value) => domain.code(value),
        By::Missing => domain.missing(),
        By::At(_) | By::Node(_) => None,
    };
    code.map_or(0, |code| counts.of(code as usize))
}

/// The codes of an extent that is a run of them.
fn codes(attribute: &Attribute, recoding: &AttributeRecoding, extent: &Extent) -> std::ops::Range<usize> {
    let (domain, all) = (&attribute.domain, 0..attribute.domain.len());
    match (extent, recoding.taxonomy()) {
        (Extent::Missing, _) => domain.known()..domain.len(),
        (Extent::Numbers { lower, upper, last }, _) => {
            let before = |bound: f64| domain.as_numbers().partition_point(|&number| number < bound);
            let end = upper.filter(|_| !last).map_or(domain.known(), before);
            lower.map_or(0, before)..end
        }
        (Extent::Node(node), Some(taxonomy)) if *node != taxonomy.root() => {
            let before = |rank: usize| domain.as_leaves().partition_point(|&leaf| taxonomy.leaf_rank(leaf) < rank);
            let leaves = taxonomy.leaf_range(*node);
            before(leaves.start)..before(leaves.end)
        }
        _ => all,
    }
}

fn loss(attribute: &Attribute, recoding: &AttributeRecoding, extent: &Extent) -> f64 {
    let domain = &attribute.domain;
    let share = |behind: usize, all: usize| if all > 1 { (behind - 1) as f64 / (all - 1) as f64 } else { 0.0 };
    match (extent, recoding.taxonomy()) {
        (Extent::Value(_) | Extent::Missing, _) => 0.0,
        (Extent::Others(told), _) => share((domain.len().saturating_sub(*told)).max(1), domain.len()),
        (Extent::Node(node), Some(taxonomy)) => {
            let missing = usize::from(domain.missing().is_some());
            share(leaves(taxonomy, *node, missing), taxonomy.leaves().len() + missing)
        }
        (Extent::Numbers { .. }, _) => {
            let (numbers, codes) = (domain.as_numbers(), codes(attribute, recoding, extent));
            match (numbers.get(codes.start), numbers.get(codes.end.wrapping_sub(1))) {
                (Some(&lower), Some(&upper)) if !codes.is_empty() => {
                    super::general::width((lower, upper), (numbers[0], numbers[numbers.len() - 1]))
                }
                _ => 0.0,
            }
        }
        (Extent::Anything | Extent::Node(_), _) => suppressed_loss(attribute, recoding),
    }
}

fn leaves(taxonomy: &Taxonomy, node: NodeId, missing: usize) -> usize {
    taxonomy.leaf_range(node).len() + if node == taxonomy.root() { missing } else { 0 }
}
