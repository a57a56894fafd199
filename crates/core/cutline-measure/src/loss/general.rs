//! LM, the general loss: how much of an attribute's domain an entry could be.
//!
//! Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002, §3. The loss of an attribute is the average loss of its
//! entries, and LM is the sum over the attributes. With *M* values in the domain and *M_P* of them behind the published label,
//!
//! ```text
//!   categorical   (M_P − 1) / (M − 1)
//!   continuous    (U_i − L_i) / (U − L)
//!   suppressed    1, as under the root of the taxonomy
//! ```
//!
//! What the paper leaves open:
//!
//! - With a taxonomy, *M* and *M_P* count its leaves, whether or not the table has them. If some value is missing, that is one
//!   further leaf directly under the root.
//! - Without a taxonomy they count the table's own values ("missing" is one), since nobody can tell the values behind `*` apart.
//! - *L_i* and *U_i* are the extremes of the table's values in the interval and *L* and *U* those of all values, whatever bounds
//!   were declared or chosen: `[Doctorate, Masters]` loses 2/15, a value that is alone in its interval nothing.
//! - Where numbers have the same label as missing values, that label is "anything", and the loss is 1. A missing value that is
//!   published as such loses nothing.
//! - An attribute with a single value has nothing to lose (0/0 is 0), not even where it is suppressed.

use cutline_model::recoding::Missing;
use cutline_model::{AttributeRecoding, Taxonomy};
use cutline_table::{Attribute, Domain};

use super::CodeCounts;

/// The average loss of an attribute's entries: its summand of LM, between 0 and 1.
///
/// `labels` has the label of each code, as [`Masked::labels`](cutline_table::Masked::labels) gives it.
pub fn attribute_loss(attribute: &Attribute, recoding: &AttributeRecoding, labels: &[u32], counts: &CodeCounts) -> f64 {
    let records = counts.records();
    if records == 0 {
        return 0.0;
    }
    let losses = code_losses(attribute, recoding, labels);
    let kept: f64 = counts.kept.iter().zip(losses).map(|(&records, loss)| records as f64 * loss).sum();
    let suppressed: u64 = counts.suppressed.iter().sum();
    (kept + suppressed as f64 * suppressed_loss(attribute, recoding)) / records as f64
}

/// For each code of an attribute, the loss of an entry that is published under its label.
///
/// The recoding must be of the attribute's masking operation, and `labels` the label of each code under it.
pub fn code_losses(attribute: &Attribute, recoding: &AttributeRecoding, labels: &[u32]) -> Vec<f64> {
    let domain = &attribute.domain;
    if suppressed_loss(attribute, recoding) == 0.0 {
        return vec![0.0; domain.len()];
    }
    match recoding {
        AttributeRecoding::Generalize { cut, missing, taxonomy } => {
            let behind = leaves_behind(taxonomy, cut, *missing, domain);
            let most = leaves(taxonomy, domain);
            (0..).zip(labels).map(|(code, &label)| ambiguity(behind(code, label), most)).collect()
        }
        AttributeRecoding::Suppress { .. } => {
            let mut behind = vec![0; labels_len(labels)];
            labels.iter().for_each(|&label| behind[label as usize] += 1);
            labels.iter().map(|&label| ambiguity(behind[label as usize], domain.len())).collect()
        }
        AttributeRecoding::Discretize { missing, .. } => interval_losses(domain, *missing, labels),
    }
}

/// The loss of an entry that is suppressed: 1, or 0 if the attribute has nothing to lose.
pub fn suppressed_loss(attribute: &Attribute, recoding: &AttributeRecoding) -> f64 {
    let domain = &attribute.domain;
    let values = recoding.taxonomy().map_or(domain.len(), |taxonomy| leaves(taxonomy, domain));
    f64::from(u8::from(values > 1))
}

/// (M_P − 1)/(M − 1)
fn ambiguity(behind: usize, all: usize) -> f64 {
    (behind - 1) as f64 / (all - 1) as f64
}

/// M: the leaves of a taxonomy, with one for missing values if there are any.
fn leaves(taxonomy: &Taxonomy, domain: &Domain) -> usize {
    taxonomy.leaves().len() + usize::from(domain.missing().is_some())
}

/// M_P for a code and the position of its label in the cut.
fn leaves_behind<'a>(
    taxonomy: &'a Taxonomy,
    cut: &[String],
    missing: Option<Missing>,
    domain: &'a Domain,
) -> impl Fn(u32, u32) -> usize + use<'a> {
    let published = missing == Some(Missing::Published);
    // A missing value has the root's label unless it is published: the root then stands for all leaves and this one.
    let root = taxonomy.leaves().len() + usize::from(domain.missing().is_some() && !published);
    let leaves = |label: &String| match taxonomy.node(label) {
        Some(node) if node != taxonomy.root() => taxonomy.leaf_range(node).len(),
        _ => root,
    };
    let by_label: Vec<usize> = cut.iter().map(leaves).collect();
    move |code, label| {
        if published && domain.missing() == Some(code) {
            return 1;
        }
        // The labels after those of the cut are the root's and the one of published missing values.
        by_label.get(label as usize).copied().unwrap_or(root)
    }
}

fn interval_losses(domain: &Domain, missing: Option<Missing>, labels: &[u32]) -> Vec<f64> {
    let numbers = domain.as_numbers();
    let mut ends: Vec<Option<(f64, f64)>> = vec![None; labels_len(labels)];
    for (&number, &label) in numbers.iter().zip(labels) {
        // The numbers ascend: the first one with a label is the lowest, the last one the highest.
        let end = &mut ends[label as usize];
        *end = Some((end.map_or(number, |(lower, _)| lower), number));
    }
    let all = numbers.first().zip(numbers.last()).map(|(&lower, &upper)| (lower, upper));
    let anything = match missing {
        Some(Missing::Published) => None,
        _ => domain.missing().map(|code| labels[code as usize]),
    };
    let loss = |&label: &u32| match (ends[label as usize], all) {
        _ if anything == Some(label) => 1.0,
        (Some(interval), Some(all)) => width(interval, all),
        _ => 0.0,
    };
    labels.iter().map(loss).collect()
}

/// (U_i − L_i)/(U − L), or 0 if all numbers are the same.
pub(super) fn width(interval: (f64, f64), all: (f64, f64)) -> f64 {
    if all.0 == all.1 {
        return 0.0;
    }
    // Halves, where the difference of the extremes would be no finite number.
    let scale = if (all.1 - all.0).is_finite() { 1.0 } else { 0.5 };
    let length = |(lower, upper): (f64, f64)| upper * scale - lower * scale;
    length(interval) / length(all)
}

fn labels_len(labels: &[u32]) -> usize {
    labels.iter().max().map_or(0, |&label| label as usize + 1)
}
