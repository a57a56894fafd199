//! An attribute and the line through it: a taxonomy, intervals over the raw values, or disclosed values.

use std::collections::HashSet;

use cutline::measure::loss::Losses;
use cutline::model::recoding::Missing;
use cutline::model::{AttributeRecoding, Axis, Masking, NodeId, Scale, Taxonomy};
use cutline_table::{Attribute, CompressedTable};
use serde::Serialize;

use super::columns::bars;

/// Bars of the raw values behind intervals.
const BARS: usize = 60;

/// Values without a taxonomy that are shown, the most frequent first.
const VALUES: usize = 60;

/// A larger taxonomy is shown down to the line and one level below it.
const MOST_NODES: usize = 320;

/// That level is shown only of nodes with so many below them at most.
const MOST_CHILDREN: usize = 60;

/// A quasi attribute.
#[derive(Serialize)]
pub(crate) struct AttributeView {
    name: String,
    /// Distinct values.
    values: usize,
    /// Labels that are published.
    labels: usize,
    /// Is nothing of it left?
    top: bool,
    /// LM: 0 as it was, 1 nothing is left.
    loss: f64,
    /// Records that lack its value, and whether that can be told.
    missing: Option<MissingView>,
    picture: Picture,
}

#[derive(Serialize)]
struct MissingView {
    records: u64,
    published: bool,
}

/// What is drawn.
#[derive(Serialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
enum Picture {
    /// A tree in preorder.
    Tree { nodes: Vec<NodeView> },
    /// Numbers: how many records have them, and where they are cut.
    Intervals {
        low: f64,
        high: f64,
        bars: Vec<u64>,
        range: Option<(f64, f64)>,
        whole: bool,
        /// Are the numbers days since 1970-01-01?
        dates: bool,
        cuts: Vec<f64>,
        intervals: Vec<IntervalView>,
    },
    /// Names, the most frequent first, and how many more there are; and all that are told.
    Values { values: Vec<ValueView>, more: usize, told: Vec<String>, masked: u64 },
}

#[derive(Serialize)]
struct NodeView {
    label: String,
    /// The node above, by its place; nothing for the root.
    parent: Option<usize>,
    records: u64,
    place: LinePlace,
    /// Leaves below that are not shown.
    folded: usize,
}

/// Where a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum LinePlace {
    Above,
    /// It is published.
    On,
    Below,
}

#[derive(Serialize)]
struct IntervalView {
    label: String,
    records: u64,
}

#[derive(Serialize)]
struct ValueView {
    label: String,
    records: u64,
    told: bool,
}

impl AttributeView {
    /// All attributes under a recoding.
    pub(crate) fn all(table: &CompressedTable, recoding: &[AttributeRecoding], losses: &Losses) -> Vec<Self> {
        let each = table.attributes.iter().zip(recoding).zip(&losses.attributes);
        each.map(|((attribute, recoding), loss)| Self::new(attribute, recoding, loss.general, &table.weights)).collect()
    }

    fn new(attribute: &Attribute, recoding: &AttributeRecoding, loss: f64, weights: &[u64]) -> Self {
        let domain = &attribute.domain;
        let mut counts = vec![0; domain.len()];
        attribute.codes.iter().zip(weights).for_each(|(code, weight)| counts[code as usize] += weight);
        let missing = domain.missing().map(|code| MissingView {
            records: counts[code as usize],
            published: recoding.missing() == Some(Missing::Published),
        });
        let picture = match (&attribute.masking, recoding) {
            (Masking::Generalize(taxonomy), AttributeRecoding::Generalize { cut, .. }) => {
                Picture::Tree { nodes: tree(attribute, taxonomy, cut, &counts) }
            }
            (Masking::Discretize { range, axis }, _) => intervals(attribute, (*range, axis), recoding, &counts),
            _ => values(attribute, recoding, &counts),
        };
        AttributeView {
            name: attribute.name.clone(),
            values: domain.known(),
            labels: recoding.labels_of(domain.known()).len(),
            top: recoding.is_top(),
            loss,
            missing,
            picture,
        }
    }
}

fn tree(attribute: &Attribute, taxonomy: &Taxonomy, cut: &[String], counts: &[u64]) -> Vec<NodeView> {
    let records = node_records(attribute, taxonomy, counts);
    let on: HashSet<NodeId> = cut.iter().filter_map(|label| taxonomy.node(label)).collect();
    let mut above: HashSet<NodeId> = HashSet::new();
    for &node in &on {
        above.extend(taxonomy.ancestors(node).skip(1));
    }
    let place = |node: NodeId| match node {
        _ if on.contains(&node) => LinePlace::On,
        _ if above.contains(&node) => LinePlace::Above,
        _ => LinePlace::Below,
    };
    let all = taxonomy.len() <= MOST_NODES;
    let mut shown_at = vec![None; taxonomy.len()];
    let mut nodes: Vec<NodeView> = Vec::new();
    for node in taxonomy.nodes() {
        let few_beside = |above: NodeId| on.contains(&above) && taxonomy.children(above).len() <= MOST_CHILDREN;
        let shown = all || place(node) != LinePlace::Below || taxonomy.parent(node).is_some_and(few_beside);
        if !shown {
            continue;
        }
        shown_at[node.index()] = Some(nodes.len());
        let hidden = place(node) == LinePlace::Below || !few_beside(node);
        let folded = !all && hidden && place(node) != LinePlace::Above && !taxonomy.is_leaf(node);
        nodes.push(NodeView {
            label: taxonomy.label(node).to_owned(),
            parent: taxonomy.parent(node).and_then(|parent| shown_at[parent.index()]),
            records: records[node.index()],
            place: place(node),
            folded: if folded { taxonomy.leaf_range(node).len() } else { 0 },
        });
    }
    nodes
}

/// The records below each node.
fn node_records(attribute: &Attribute, taxonomy: &Taxonomy, counts: &[u64]) -> Vec<u64> {
    let mut records = vec![0; taxonomy.len()];
    for (&leaf, count) in attribute.domain.as_leaves().iter().zip(counts) {
        taxonomy.ancestors(leaf).for_each(|node| records[node.index()] += count);
    }
    records
}

fn intervals(
    attribute: &Attribute,
    (range, axis): (Option<(f64, f64)>, &Axis),
    recoding: &AttributeRecoding,
    counts: &[u64],
) -> Picture {
    let numbers = attribute.domain.as_numbers();
    let counted: Vec<(f64, u64)> = numbers.iter().copied().zip(counts.iter().copied()).collect();
    let (first, last) = (numbers.first().copied().unwrap_or(0.0), numbers.last().copied().unwrap_or(0.0));
    let (low, high) = range.unwrap_or((first, last));
    let bounds = match recoding {
        AttributeRecoding::Discretize { bounds, .. } if !recoding.is_top() => &bounds[..],
        _ => &[],
    };
    let cuts: Vec<f64> =
        bounds.iter().skip(1).take(bounds.len().saturating_sub(2)).filter_map(|bound| bound.0).collect();
    let place = |number: f64| cuts.partition_point(|cut| *cut <= number);
    let mut records = vec![0; cuts.len() + 1];
    counted.iter().for_each(|&(number, count)| records[place(number)] += count);
    let labels = recoding.labels();
    let intervals = labels.into_iter().zip(records).map(|(label, records)| IntervalView { label, records }).collect();
    Picture::Intervals {
        low,
        high,
        bars: bars(&counted, low, high, BARS),
        range,
        whole: numbers.iter().all(|number| number.fract() == 0.0),
        dates: matches!(axis.scale, Scale::Dates { .. }),
        cuts,
        intervals,
    }
}

fn values(attribute: &Attribute, recoding: &AttributeRecoding, counts: &[u64]) -> Picture {
    let told: &[String] = match recoding {
        AttributeRecoding::Suppress { disclosed, .. } => disclosed,
        _ => &[],
    };
    let is_told: HashSet<&str> = told.iter().map(String::as_str).collect();
    let name = |code: usize| attribute.domain.name(code as u32).unwrap_or_default();
    let mut values: Vec<ValueView> = (0..attribute.domain.known())
        .map(|code| ValueView {
            label: name(code).to_owned(),
            records: counts[code],
            told: is_told.contains(name(code)),
        })
        .collect();
    values.sort_by(|one, other| other.records.cmp(&one.records).then(one.label.cmp(&other.label)));
    let masked = values.iter().filter(|value| !value.told).map(|value| value.records).sum();
    let more = values.len().saturating_sub(VALUES);
    values.truncate(VALUES);
    Picture::Values { values, more, told: told.to_vec(), masked }
}
