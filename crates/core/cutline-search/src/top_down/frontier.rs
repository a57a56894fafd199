//! How finely must records be counted for the next steps of a search?
//!
//! Counts at a deeper cut add up to those of every coarser one, also for the candidates on the way. So records are counted by the cells of
//! a cut that lies below the search's own, the *frontier*; and because a candidate must be told how small the parts of its groups would be,
//! once for each attribute of a QID with that attribute's cells one step finer. That is groups × children, not records.

use cutline_table::{AttributeId, Domain};

use crate::Problem;
use crate::gain::Gain;
use crate::tree::Tree;

/// One GROUP BY: the records of a QID by cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Which QID of the problem.
    pub qid: usize,
    /// Its attributes, by position in the table.
    pub attributes: Vec<usize>,
    /// The one of them whose cells are one step finer.
    pub watched: usize,
    /// For each attribute and each code, the cell that it is in: the lowest code of that cell.
    pub cells: Vec<Vec<u32>>,
}

/// A cut through every attribute.
#[derive(Clone, Debug)]
pub(super) struct Frontier {
    trees: Vec<Tree>,
    /// For each attribute: of one with a tree, the codes that begin a cell; of one without, the values that are told.
    marks: Vec<Vec<bool>>,
}

impl Frontier {
    /// At the place where a search begins.
    pub(super) fn new(problem: &Problem<'_>) -> Self {
        let trees: Vec<Tree> = problem.starts().iter().map(crate::pins::Start::opened).collect();
        let marks = trees.iter().map(|tree| marks(tree, &[])).collect();
        Frontier { trees, marks }
    }

    /// Are the parts that a refinement makes told apart?
    pub(super) fn resolves(&self, attribute: usize, tree: &Tree, target: u32) -> bool {
        let marks = &self.marks[attribute];
        if tree.is_suppressed() {
            return marks[target as usize];
        }
        parts(tree, target).skip(1).all(|start| marks[start as usize])
    }

    /// Goes down until everything is told apart that these trees do, and what some further refinements would.
    pub(super) fn reach<G: Gain>(
        &mut self,
        problem: &Problem<'_>,
        gains: &[G],
        trees: &[Tree],
        further: &[(AttributeId, u32)],
    ) {
        for (a, own) in self.trees.iter_mut().enumerate() {
            let targets: Vec<u32> = further.iter().filter(|(id, _)| id.0 == a).map(|&(_, target)| target).collect();
            let wanted = marks(&trees[a], &targets);
            deepen(own, &gains[a], &problem.table().attributes[a].domain, &wanted);
            self.marks[a] = marks(own, &[]);
        }
    }

    /// What must be counted.
    pub(super) fn views<G: Gain>(&self, problem: &Problem<'_>, gains: &[G]) -> Vec<View> {
        let domain = |a: usize| &problem.table().attributes[a].domain;
        let coarse: Vec<Vec<u32>> = self.trees.iter().map(cells).collect();
        let fine: Vec<Vec<u32>> =
            self.trees.iter().enumerate().map(|(a, tree)| finer(tree, &gains[a], domain(a))).collect();
        let mut views = Vec::new();
        for (qid, table_qid) in problem.qids().iter().enumerate() {
            let attributes: Vec<usize> = table_qid.attributes.iter().map(|&AttributeId(a)| a).collect();
            for &watched in &attributes {
                let cells = |&a: &usize| if a == watched { fine[a].clone() } else { coarse[a].clone() };
                let cells = attributes.iter().map(cells).collect();
                views.push(View { qid, attributes: attributes.clone(), watched, cells });
            }
        }
        views
    }
}

/// What a tree tells apart, and what some refinements of it would.
fn marks(tree: &Tree, further: &[u32]) -> Vec<bool> {
    let label_of = tree.labelling(None).label_of;
    if tree.is_suppressed() {
        return (0..tree.values()).map(|value| tree.is_disclosed(value) || further.contains(&value)).collect();
    }
    let mut marks: Vec<bool> =
        (0..label_of.len()).map(|code| code > 0 && label_of[code] != label_of[code - 1]).collect();
    for start in further.iter().flat_map(|&target| parts(tree, target).skip(1)) {
        marks[start as usize] = true;
    }
    marks
}

/// The codes at which the children of a node begin that have values, ascending.
fn parts(tree: &Tree, node: u32) -> impl Iterator<Item = u32> {
    let codes = tree.children(node).iter().map(|&child| tree.codes(child)).filter(|codes| !codes.is_empty());
    codes.map(|codes| codes.start)
}

/// Refines a tree until no node of its cut has a mark within.
fn deepen<G: Gain>(tree: &mut Tree, gain: &G, domain: &Domain, wanted: &[bool]) {
    if tree.is_suppressed() {
        let untold = |&value: &u32| wanted[value as usize] && !tree.is_disclosed(value);
        let told: Vec<u32> = (0..tree.values()).filter(untold).collect();
        return told.into_iter().for_each(|value| drop(tree.refine(value)));
    }
    let mut pending = tree.cut();
    while let Some(node) = pending.pop() {
        let codes = tree.codes(node as u32);
        if codes.len() > 1 && wanted[codes.start as usize + 1..codes.end as usize].contains(&true) {
            pending.extend(split(tree, node as u32, gain, domain).into_iter().map(|child| child as usize));
        }
    }
}

/// Refines a node of the cut. Gives its children, or nothing if it has none.
fn split<G: Gain>(tree: &mut Tree, node: u32, gain: &G, domain: &Domain) -> Vec<u32> {
    tree.grow(node, |codes| gain.split_of(domain, codes));
    if !tree.children(node).is_empty() {
        tree.refine(node);
    }
    tree.children(node).to_vec()
}

/// The cell of each code: the lowest code with the same label.
fn cells(tree: &Tree) -> Vec<u32> {
    let labelling = tree.labelling(None);
    let mut first = vec![None; labelling.labels];
    let cell = |(code, &label): (usize, &u32)| *first[label as usize].get_or_insert(code as u32);
    labelling.label_of.iter().enumerate().map(cell).collect()
}

/// The same one step further down: every node of the cut falls into parts, if it can. A node with one child that has values is no step.
fn finer<G: Gain>(tree: &Tree, gain: &G, domain: &Domain) -> Vec<u32> {
    if tree.is_suppressed() {
        return (0..tree.values()).collect();
    }
    let mut tree = tree.clone();
    for node in tree.cut() {
        let mut pending = Some(node as u32);
        while let Some(node) = pending.take() {
            let children = split(&mut tree, node, gain, domain);
            let mut filled = children.into_iter().filter(|&child| !tree.codes(child).is_empty());
            pending = filled.next().filter(|_| filled.next().is_none());
        }
    }
    cells(&tree)
}
