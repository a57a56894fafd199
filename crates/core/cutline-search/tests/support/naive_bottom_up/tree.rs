//! The tree of an attribute, each node with the records below it, and the cuts through it.

use std::collections::BTreeSet;

use cutline_model::recoding::{Label, Missing};
use cutline_model::{AttributeRecoding, Bound, Masking, Taxonomy, parse_number};

use super::{Cell, Sample};

/// Positions of nodes. A record is masked to the lowest node above it that is in the cut.
pub(super) type Cut = BTreeSet<usize>;

/// A generalization that is possible.
pub(super) struct Move {
    pub(super) generalized: Vec<Label>,
    pub(super) into: Label,
    /// The records of each label that disappears.
    pub(super) parts: Vec<Vec<usize>>,
    /// How many records are masked more than before.
    pub(super) masked: usize,
    pub(super) after: Cut,
}

/// One quasi attribute of the table.
pub(super) struct Tree<'a> {
    pub(super) name: &'a str,
    masking: &'a Masking,
    records: usize,
    any_missing: bool,
    nodes: Vec<Node>,
    /// The leaf for missing values.
    missing: Option<usize>,
}

struct Node {
    label: Label,
    children: Vec<usize>,
    records: Vec<usize>,
    /// Its place among the nodes that may be generalized to.
    order: usize,
    /// The number that an interval begins with.
    lowest: f64,
}

impl<'a> Tree<'a> {
    pub(super) fn new(sample: &'a Sample, attribute: usize) -> Self {
        let (name, masking) = &sample.attributes[attribute];
        let cells: Vec<&Cell> = sample.records.iter().map(|record| &record.quasi[attribute]).collect();
        let any_missing = cells.iter().any(|cell| cell.is_none());
        let mut tree = Tree { name, masking, records: cells.len(), any_missing, nodes: Vec::new(), missing: None };
        match masking {
            Masking::Generalize(taxonomy) => tree.grow_taxonomy(taxonomy, &cells),
            Masking::Discretize { range, .. } => tree.grow_intervals(*range, &cells),
            Masking::Suppress => tree.grow_values(&cells),
        }
        tree
    }

    fn grow_taxonomy(&mut self, taxonomy: &Taxonomy, cells: &[&Cell]) {
        for node in taxonomy.nodes() {
            let below = |cell: &Cell| match cell {
                Some(value) => taxonomy.ancestors(taxonomy.node(value).unwrap()).any(|above| above == node),
                None => node == taxonomy.root(),
            };
            let children = taxonomy.children(node).iter().map(|child| child.index()).collect();
            self.add(taxonomy.label(node), children, matching(cells, below));
        }
        if let Some(leaf) = self.add_missing(cells) {
            self.nodes[0].children.push(leaf);
        }
    }

    fn grow_values(&mut self, cells: &[&Cell]) {
        let values: BTreeSet<&String> = cells.iter().filter_map(|cell| cell.as_ref()).collect();
        self.add("*", Vec::new(), matching(cells, |_| true));
        for value in values {
            let leaf = self.add(&value[..], Vec::new(), matching(cells, |cell| cell.as_ref() == Some(value)));
            self.nodes[0].children.push(leaf);
        }
        let missing = self.add_missing(cells);
        self.nodes[0].children.extend(missing);
    }

    fn grow_intervals(&mut self, range: Option<(f64, f64)>, cells: &[&Cell]) {
        let number = |cell: &Cell| cell.as_ref().map(|text| parse_number(text).unwrap());
        let mut numbers: Vec<f64> = cells.iter().filter_map(|cell| number(cell)).collect();
        numbers.sort_by(f64::total_cmp);
        let starts = bins(&numbers);
        if starts.is_empty() {
            // There is no number to tell missing values from.
            self.add("*", Vec::new(), matching(cells, |_| true));
            return;
        }
        // An interval is a run of bins.
        let interval = |tree: &mut Self, bins: std::ops::Range<usize>, children| {
            let (lower, upper) = (starts[bins.start], starts.get(bins.end).copied().unwrap_or(f64::INFINITY));
            let inside = |cell: &Cell| number(cell).is_some_and(|number| number >= lower && number < upper);
            let node = tree.add(&interval_text(&starts, range, &bins)[..], children, matching(cells, inside));
            (tree.nodes[node].order, tree.nodes[node].lowest) = (bins.start, lower);
            (node, bins)
        };
        let mut level: Vec<_> = (0..starts.len()).map(|bin| interval(self, bin..bin + 1, Vec::new())).collect();
        while level.len() > 1 {
            let mut next = Vec::new();
            for pair in level.chunks(2) {
                next.push(match pair {
                    [(left, first), (right, second)] => interval(self, first.start..second.end, vec![*left, *right]),
                    odd => odd[0].clone(),
                });
            }
            level = next;
        }
        if let Some(missing) = self.add_missing(cells) {
            let root = self.add("*", vec![level[0].0, missing], matching(cells, |_| true));
            self.nodes[root].order = 0;
        }
    }

    fn add(&mut self, label: impl Into<Label>, children: Vec<usize>, records: Vec<usize>) -> usize {
        let order = self.nodes.len();
        self.nodes.push(Node { label: label.into(), children, records, order, lowest: 0.0 });
        order
    }

    /// The last child of the root, where values are missing.
    fn add_missing(&mut self, cells: &[&Cell]) -> Option<usize> {
        let records = matching(cells, Option::is_none);
        self.missing = (!records.is_empty()).then(|| self.add(Label::Missing, Vec::new(), records));
        self.missing
    }

    /// The raw values; what has no records is cut at the top.
    pub(super) fn start(&self) -> Cut {
        let parent = |node: usize| self.nodes.iter().find(|parent| parent.children.contains(&node));
        let in_cut = |&node: &usize| match &self.nodes[node] {
            Node { records, .. } if records.is_empty() => parent(node).is_some_and(|above| !above.records.is_empty()),
            Node { children, .. } => children.is_empty(),
        };
        (0..self.nodes.len()).filter(in_cut).collect()
    }

    /// For each record, the node that it is masked to.
    pub(super) fn masked(&self, cut: &Cut) -> Vec<usize> {
        let mut downwards: Vec<usize> = cut.iter().copied().collect();
        downwards.sort_by_key(|&node| std::cmp::Reverse(self.nodes[node].records.len()));
        let mut masked = vec![usize::MAX; self.records];
        for node in downwards {
            self.nodes[node].records.iter().for_each(|&record| masked[record] = node);
        }
        assert!(!masked.contains(&usize::MAX), "a cut covers all records");
        masked
    }

    /// All possible generalizations, in the order that decides ties.
    pub(super) fn moves(&self, cut: &Cut) -> Vec<Move> {
        if matches!(self.masking, Masking::Suppress) {
            return self.nodes[0]
                .children
                .iter()
                .filter(|&leaf| cut.contains(leaf))
                .map(|&v| self.absorb(cut, v))
                .collect();
        }
        let possible = |node: &&Node| {
            let all_in_cut = node.children.iter().all(|child| cut.contains(child));
            !node.children.is_empty() && !node.records.is_empty() && all_in_cut
        };
        let mut parents: Vec<&Node> = self.nodes.iter().filter(possible).collect();
        parents.sort_by_key(|node| node.order);
        parents.into_iter().map(|parent| self.generalize(cut, parent)).collect()
    }

    /// `{c} → p`.
    fn generalize(&self, cut: &Cut, parent: &Node) -> Move {
        let mut after: Cut = cut.iter().copied().filter(|node| !parent.children.contains(node)).collect();
        after.extend((0..self.nodes.len()).filter(|&node| std::ptr::eq(&self.nodes[node], parent)));
        let children = || parent.children.iter().map(|&child| &self.nodes[child]);
        Move {
            generalized: children().map(|child| child.label.clone()).collect(),
            into: parent.label.clone(),
            parts: children().map(|child| child.records.clone()).collect(),
            masked: parent.records.len(),
            after,
        }
    }

    /// `{v, *} → *`.
    fn absorb(&self, cut: &Cut, value: usize) -> Move {
        let masked = self.masked(cut);
        let absorbed: Vec<usize> = (0..self.records).filter(|&record| masked[record] == 0).collect();
        let leaf = &self.nodes[value];
        let mut after = cut.clone();
        after.remove(&value);
        after.insert(0);
        let star = cut.contains(&0).then(|| "*".into());
        Move {
            generalized: std::iter::once(leaf.label.clone()).chain(star).collect(),
            into: "*".into(),
            parts: vec![leaf.records.clone(), absorbed],
            masked: leaf.records.len(),
            after,
        }
    }

    /// The cut as it is stored.
    pub(super) fn recoding(&self, cut: &Cut) -> AttributeRecoding {
        let told = self.missing.is_some_and(|leaf| cut.contains(&leaf));
        let missing = self.any_missing.then_some(if told { Missing::Published } else { Missing::Masked });
        let known: Vec<&Node> =
            cut.iter().filter(|node| Some(**node) != self.missing).map(|&node| &self.nodes[node]).collect();
        let labels = |nodes: &[&Node]| nodes.iter().map(|node| node.label.to_string()).collect();
        match self.masking {
            Masking::Generalize(taxonomy) => {
                AttributeRecoding::Generalize { cut: labels(&known), missing, taxonomy: taxonomy.as_ref().clone() }
            }
            Masking::Suppress => {
                let disclosed: Vec<&Node> = known.into_iter().filter(|node| node.order > 0).collect();
                AttributeRecoding::Suppress { disclosed: labels(&disclosed), missing }
            }
            Masking::Discretize { range, .. } => {
                let mut inner: Vec<f64> = known.iter().filter(|node| node.order > 0).map(|node| node.lowest).collect();
                inner.sort_by(f64::total_cmp);
                let inner = inner.into_iter().map(|bound| Bound(Some(bound)));
                let (lower, upper) = (Bound(range.map(|(lower, _)| lower)), Bound(range.map(|(_, upper)| upper)));
                AttributeRecoding::numbers(std::iter::once(lower).chain(inner).chain([upper]).collect(), missing)
            }
        }
    }
}

fn matching(cells: &[&Cell], matches: impl Fn(&Cell) -> bool) -> Vec<usize> {
    (0..cells.len()).filter(|&record| matches(cells[record])).collect()
}

/// The lowest number of each equal-frequency bin; the numbers of all records come in ascending order.
fn bins(numbers: &[f64]) -> Vec<f64> {
    let mut distinct = numbers.to_vec();
    distinct.dedup();
    if distinct.len() <= 64 {
        return distinct;
    }
    let bin = |number: f64| 64 * numbers.iter().filter(|&&other| other < number).count() / numbers.len();
    distinct.chunk_by(|&a, &b| bin(a) == bin(b)).map(|bin| bin[0]).collect()
}

fn interval_text(starts: &[f64], range: Option<(f64, f64)>, bins: &std::ops::Range<usize>) -> String {
    let lower = if bins.start == 0 { range.map(|(lower, _)| lower) } else { Some(starts[bins.start]) };
    let last = bins.end == starts.len();
    let upper = if last { range.map(|(_, upper)| upper) } else { Some(starts[bins.end]) };
    match (lower, upper) {
        (None, None) => "*".to_owned(),
        (None, Some(upper)) => format!("<{upper}"),
        (Some(lower), None) => format!(">={lower}"),
        (Some(lower), Some(upper)) => format!("[{lower}-{upper}{}", if last { ']' } else { ')' }),
    }
}
