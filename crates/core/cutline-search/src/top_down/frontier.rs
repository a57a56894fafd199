//! How finely must records be counted for the next steps of a search?
//!
//! Counts at a deeper cut add up to those of every coarser one, also for the candidates on the way. So records are counted by the cells of
//! a cut that lies below the search's own, the *frontier*; and because a candidate must be told how small the parts of its groups would be,
//! once for some attributes of a QID at a time with their cells one step finer. That is groups × children, not records; and what can never be
//! refined any more is not told apart.

use std::collections::BTreeSet;
use std::ops::Range;

use cutline_table::{AttributeId, Domain};

use super::candidates::Settled;
use crate::Problem;
use crate::gain::Gain;
use crate::tree::Tree;

/// Groups may always fall into so many parts in a view.
const FEW_PARTS: f64 = 64.0;

/// One GROUP BY: the records of a QID by cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Which QID of the problem.
    pub qid: usize,
    /// Its attributes, by position in the table.
    pub attributes: Vec<usize>,
    /// Those of them whose cells are one step finer.
    pub watched: Vec<usize>,
    /// For each attribute and each code, the cell that it is in: the lowest code of that cell.
    pub cells: Vec<Vec<u32>>,
}

/// A cut through every attribute.
#[derive(Clone, Debug)]
pub(super) struct Frontier {
    trees: Vec<Tree>,
    /// For each attribute: of one with a tree, the codes that begin a cell; of one without, the values that are told.
    marks: Vec<Vec<bool>>,
    /// For each attribute, the codes of nodes and the values that no valid step refines.
    settled: Vec<Vec<Range<u32>>>,
}

/// What is told apart beyond what a search has refined.
#[derive(Debug, Default)]
pub(super) struct Further {
    /// Refinements.
    pub(super) steps: Vec<(AttributeId, u32)>,
    /// Attributes of which every value is told.
    pub(super) whole: Vec<usize>,
}

/// The attributes, each by its cells.
pub(super) struct Cells {
    coarse: Vec<Vec<u32>>,
    /// One step finer.
    fine: Vec<Vec<u32>>,
}

impl Frontier {
    /// At the place where a search begins.
    pub(super) fn new(problem: &Problem<'_>) -> Self {
        let trees: Vec<Tree> = problem.starts().iter().map(crate::pins::Start::opened).collect();
        let marks = trees.iter().map(|tree| marks(tree, &[])).collect();
        let settled = vec![Vec::new(); trees.len()];
        Frontier { trees, marks, settled }
    }

    /// No step will refine these nodes or disclose these values of a search's trees: all that any walk has found.
    pub(super) fn settle(&mut self, trees: &[Tree], settled: &Settled) {
        self.settled.iter_mut().for_each(Vec::clear);
        for &(AttributeId(a), target) in settled {
            let codes = if trees[a].is_suppressed() { target..target + 1 } else { trees[a].codes(target) };
            self.settled[a].push(codes);
        }
    }

    /// Are the parts that a refinement makes told apart?
    pub(super) fn resolves(&self, attribute: usize, tree: &Tree, target: u32) -> bool {
        let marks = &self.marks[attribute];
        if tree.is_suppressed() {
            return marks[target as usize];
        }
        parts(tree, target).skip(1).all(|start| marks[start as usize])
    }

    /// Goes down until everything is told apart that these trees do, and what further steps would.
    pub(super) fn reach<G: Gain>(&mut self, problem: &Problem<'_>, gains: &[G], trees: &[Tree], further: &Further) {
        for (a, own) in self.trees.iter_mut().enumerate() {
            let targets = further.steps.iter().filter(|(id, _)| id.0 == a).map(|&(_, target)| target);
            let mut wanted = marks(&trees[a], &targets.collect::<Vec<u32>>());
            if further.whole.contains(&a) {
                wanted.fill(true);
            }
            deepen(own, &gains[a], &problem.table().attributes[a].domain, &wanted);
            self.marks[a] = marks(own, &[]);
        }
    }

    /// The same, deeper.
    pub(super) fn reaching<G: Gain>(
        &self,
        problem: &Problem<'_>,
        gains: &[G],
        trees: &[Tree],
        further: &Further,
    ) -> Self {
        let mut frontier = self.clone();
        frontier.reach(problem, gains, trees, further);
        frontier
    }

    /// How finely records are counted.
    pub(super) fn cells<G: Gain>(&self, problem: &Problem<'_>, gains: &[G]) -> Cells {
        let attributes = self.trees.iter().enumerate().zip(&self.settled);
        let of = |((a, tree), settled): ((usize, &Tree), &Vec<Range<u32>>)| match tree.is_suppressed() {
            true => {
                let valid = valid(tree, settled);
                let disclosed: Vec<bool> = (0..).zip(&valid).map(|(v, valid)| *valid && tree.is_disclosed(v)).collect();
                (told(&disclosed), told(&valid))
            }
            false => {
                let fine = finer(tree, &gains[a], &problem.table().attributes[a].domain);
                (together(cells(tree), settled), together(fine, settled))
            }
        };
        let (coarse, fine) = attributes.map(of).unzip();
        Cells { coarse, fine }
    }
}

impl Cells {
    /// What must be counted.
    pub(super) fn views(&self, problem: &Problem<'_>) -> Vec<View> {
        let mut views = Vec::new();
        for (qid, table_qid) in problem.qids().iter().enumerate() {
            let attributes: Vec<usize> = table_qid.attributes.iter().map(|&AttributeId(a)| a).collect();
            for watched in self.watched_together(&attributes) {
                let cells =
                    |a: &usize| if watched.contains(a) { self.fine[*a].clone() } else { self.coarse[*a].clone() };
                let cells = attributes.iter().map(cells).collect();
                views.push(View { qid, attributes: attributes.clone(), watched, cells });
            }
        }
        views
    }

    /// Attributes that one view shows one step finer. Each GROUP BY looks at all records, and what it counts grows with the product of what
    /// its attributes fall into: so they are put together as long as that is not much more than for the one that falls into most.
    fn watched_together(&self, attributes: &[usize]) -> Vec<Vec<usize>> {
        let numbers = self.numbers();
        let parts = |a: usize| numbers[a].1 as f64 / numbers[a].0 as f64;
        let mut attributes = attributes.to_vec();
        attributes.sort_by(|&one, &other| parts(other).total_cmp(&parts(one)));
        let most = attributes.first().map_or(0.0, |&first| parts(first).max(FEW_PARTS));
        let mut together: Vec<(f64, Vec<usize>)> = Vec::new();
        for a in attributes {
            match together.iter_mut().find(|(product, _)| product * parts(a) <= most) {
                Some((product, views)) => {
                    *product *= parts(a);
                    views.push(a);
                }
                None => together.push((parts(a), vec![a])),
            }
        }
        together.into_iter().map(|(_, attributes)| attributes).collect()
    }

    /// How many cells each attribute has, and how many one step finer.
    pub(super) fn numbers(&self) -> Vec<(usize, usize)> {
        let number = |cells: &Vec<u32>| cells.iter().collect::<BTreeSet<_>>().len().max(1);
        self.coarse.iter().zip(&self.fine).map(|(coarse, fine)| (number(coarse), number(fine))).collect()
    }
}

/// Into how many parts does a refinement divide?
pub(super) fn parts_of(tree: &Tree, target: u32) -> usize {
    if tree.is_suppressed() { 2 } else { parts(tree, target).count().max(1) }
}

/// The values that are disclosed or may be.
fn valid(tree: &Tree, settled: &[Range<u32>]) -> Vec<bool> {
    let mut valid = vec![true; tree.values() as usize];
    settled.iter().for_each(|codes| valid[codes.start as usize] = false);
    valid
}

/// Values that are told apart are cells of their own, and the others are one.
fn told(told: &[bool]) -> Vec<u32> {
    let rest = told.iter().position(|told| !told).unwrap_or_default() as u32;
    (0..).zip(told).map(|(code, told)| if *told { code } else { rest }).collect()
}

/// The codes of a node that is not refined any more are in one cell.
fn together(mut cells: Vec<u32>, settled: &[Range<u32>]) -> Vec<u32> {
    settled.iter().for_each(|codes| cells[codes.start as usize..codes.end as usize].fill(codes.start));
    cells
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
