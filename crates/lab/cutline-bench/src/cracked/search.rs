//! A plain top-down search that asks either notion of several releases whether a refinement is valid.

use std::collections::HashMap;
use std::ops::Range;

/// A tree over the values of an attribute, which are numbered in its order.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The root comes first.
    pub(super) nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) values: Range<u32>,
    pub(super) children: Vec<usize>,
}

impl Tree {
    /// A root over so many values.
    pub(super) fn flat(values: u32) -> Self {
        let mut tree = Tree { nodes: vec![Node { values: 0..values, children: Vec::new() }] };
        (0..values).for_each(|value| tree.hang(0, value..value + 1));
        tree
    }

    /// Halves of halves.
    pub(super) fn halves(values: u32) -> Self {
        let mut tree = Tree { nodes: vec![Node { values: 0..values, children: Vec::new() }] };
        let mut next = 0;
        while let Some(Node { values, .. }) = tree.nodes.get(next).cloned() {
            let middle = values.start + values.len() as u32 / 2;
            if values.len() > 1 {
                tree.hang(next, values.start..middle);
                tree.hang(next, middle..values.end);
            }
            next += 1;
        }
        tree
    }

    fn hang(&mut self, parent: usize, values: Range<u32>) {
        let child = self.nodes.len();
        self.nodes[parent].children.push(child);
        self.nodes.push(Node { values, children: Vec::new() });
    }

    fn values(&self) -> usize {
        self.nodes[0].values.len()
    }

    /// The share of values that a node leaves possible, but for the one (LM).
    fn loss(&self, node: usize) -> f64 {
        (self.nodes[node].values.len() - 1) as f64 / (self.values() - 1).max(1) as f64
    }
}

/// The persons of a table: the values of each, and the class that the search tells apart, if there is one.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub(super) values: Vec<Vec<u32>>,
    pub(super) classes: Vec<usize>,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub(super) struct Masked {
    /// The group of each person.
    pub(super) groups: Vec<u32>,
    /// LM, from 0 to 1.
    pub(super) loss: f64,
    /// The share of persons who are not of their group's majority class (CM), if there are classes.
    pub(super) errors: Option<f64>,
}

/// Refines the node that gains most of those that are valid, until none is. Nothing if the most masked table is not valid.
///
/// Validity is asked again after each refinement: that records which are candidates today still are tomorrow is proved of joint groups only.
pub(super) fn search(table: &Table, trees: &[Tree], valid: impl Fn(&[u32]) -> bool) -> Option<Masked> {
    let mut cuts: Vec<Vec<usize>> = vec![vec![0]; trees.len()];
    let mut groups = grouped(table, trees, &cuts);
    if !valid(&groups) {
        return None;
    }
    'refine: loop {
        for (attribute, place) in candidates(table, trees, &cuts) {
            let mut refined = cuts.clone();
            let node = refined[attribute].remove(place);
            refined[attribute].extend(&trees[attribute].nodes[node].children);
            let made = grouped(table, trees, &refined);
            if valid(&made) {
                (cuts, groups) = (refined, made);
                continue 'refine;
            }
        }
        let (loss, errors) = (loss(table, trees, &cuts), errors(table, &groups));
        return Some(Masked { groups, loss, errors });
    }
}

/// The nodes that can be refined, as an attribute and a place in its cut; those of highest gain first, of equal ones the first.
fn candidates(table: &Table, trees: &[Tree], cuts: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let open =
        |&(attribute, place): &(usize, usize)| !trees[attribute].nodes[cuts[attribute][place]].children.is_empty();
    let all = cuts.iter().enumerate().flat_map(|(a, cut)| (0..cut.len()).map(move |place| (a, place)));
    let gain = |(a, place): (usize, usize)| (gain(table, &trees[a], a, cuts[a][place]), (a, place));
    let mut gains: Vec<(f64, (usize, usize))> = all.filter(open).map(gain).filter(|(gain, _)| *gain > 0.0).collect();
    gains.sort_by(|one, other| other.0.total_cmp(&one.0));
    gains.into_iter().map(|(_, candidate)| candidate).collect()
}

/// What telling the children of a node apart gains: bits about the class, or where there is none the persons that it is about.
fn gain(table: &Table, tree: &Tree, attribute: usize, node: usize) -> f64 {
    let Node { values, children } = &tree.nodes[node];
    let classes = table.classes.iter().max().map_or(1, |most| most + 1);
    let mut counts = vec![vec![0.0; classes]; children.len()];
    for (person, own) in table.values.iter().enumerate().filter(|(_, own)| values.contains(&own[attribute])) {
        let child = children.iter().position(|&child| tree.nodes[child].values.contains(&own[attribute]));
        child.into_iter().for_each(|child| counts[child][table.classes.get(person).copied().unwrap_or(0)] += 1.0);
    }
    let whole: Vec<f64> = (0..classes).map(|class| counts.iter().map(|child| child[class]).sum()).collect();
    match table.classes.is_empty() {
        true => whole[0],
        false => bits(&whole) - counts.iter().map(|child| bits(child)).sum::<f64>(),
    }
}

/// Entropy times the number of persons.
fn bits(counts: &[f64]) -> f64 {
    let all: f64 = counts.iter().sum();
    counts.iter().filter(|&&count| count > 0.0).map(|count| count * (all / count).log2()).sum()
}

/// Numbers the groups of persons under cuts.
fn grouped(table: &Table, trees: &[Tree], cuts: &[Vec<usize>]) -> Vec<u32> {
    let labels: Vec<Vec<u32>> = trees.iter().zip(cuts).map(|(tree, cut)| labels(tree, cut)).collect();
    let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut group = |values: &Vec<u32>| {
        let own = values.iter().zip(&labels).map(|(&value, labels)| labels[value as usize]).collect();
        let next = numbers.len() as u32;
        *numbers.entry(own).or_insert(next)
    };
    table.values.iter().map(&mut group).collect()
}

/// The label of each value: the first value of its node.
fn labels(tree: &Tree, cut: &[usize]) -> Vec<u32> {
    let mut labels = vec![0; tree.values()];
    for values in cut.iter().map(|&node| tree.nodes[node].values.clone()) {
        values.clone().for_each(|value| labels[value as usize] = values.start);
    }
    labels
}

fn loss(table: &Table, trees: &[Tree], cuts: &[Vec<usize>]) -> f64 {
    let mut sum = 0.0;
    for (attribute, (tree, cut)) in trees.iter().zip(cuts).enumerate() {
        for &node in cut {
            let inside = |own: &&Vec<u32>| tree.nodes[node].values.contains(&own[attribute]);
            sum += tree.loss(node) * table.values.iter().filter(inside).count() as f64;
        }
    }
    sum / (table.values.len() * trees.len()).max(1) as f64
}

fn errors(table: &Table, groups: &[u32]) -> Option<f64> {
    if table.classes.is_empty() {
        return None;
    }
    let mut counts: HashMap<u32, HashMap<usize, usize>> = HashMap::new();
    for (&group, &class) in groups.iter().zip(&table.classes) {
        *counts.entry(group).or_default().entry(class).or_default() += 1;
    }
    let minority =
        |classes: &HashMap<usize, usize>| classes.values().sum::<usize>() - classes.values().max().unwrap_or(&0);
    Some(counts.values().map(minority).sum::<usize>() as f64 / groups.len().max(1) as f64)
}
