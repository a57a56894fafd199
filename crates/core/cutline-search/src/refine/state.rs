//! A masked table on its way down.

use cutline_model::AttributeRecoding;
use cutline_model::recoding::Label;
use cutline_table::{Attribute, Projection};
use rayon::prelude::*;

use super::Grid;
use super::candidates::Candidate;
use super::figures::{Figures, Tally};
use super::partition::{Group, Partition};
use crate::audit::Audit;
use crate::gain::Gain;
use crate::grouping::Labelling;
use crate::pins::Start;
use crate::tree::{Parting, Tree};
use crate::{Problem, Refinement};

/// To tell one value more, all rows whose values are hidden and all hidden values are looked at. A descent looks at so many: about a second.
const MOST_DISCLOSED: usize = 1 << 24;

/// What no step changes.
pub(super) struct Ground<'a, G> {
    pub(super) problem: &'a Problem<'a>,
    /// The distinct qids of each QID.
    projections: Vec<Projection<'a>>,
    /// Label statistics of each attribute.
    gains: Vec<G>,
    grids: Vec<Grid>,
    /// What is lost with a record that is suppressed.
    price: f64,
}

impl<'a, G: Gain> Ground<'a, G> {
    pub(super) fn new(problem: &'a Problem<'a>) -> Self {
        let table = problem.table();
        let gains = G::count(table);
        let first = gains.first().zip(table.attributes.first());
        Ground {
            problem,
            projections: problem.qids().par_iter().map(|qid| Projection::of(table, qid)).collect(),
            grids: table.attributes.iter().map(|attribute| Grid::new(attribute, &table.weights)).collect(),
            price: first.map_or(0.0, |(gain, attribute)| {
                gain.price(&gain.stats(0..attribute.domain.len() as u32), table.attributes.len())
            }),
            gains,
        }
    }

    fn attributes(&self) -> &'a [Attribute] {
        &self.problem.table().attributes
    }

    /// All attributes masked to the top, or as far as they may be.
    pub(super) fn most_masked(&self) -> Vec<Tree> {
        self.problem.starts().iter().map(Start::opened).collect()
    }

    /// The label of each code.
    pub(super) fn labellings(trees: &[Tree]) -> Vec<Labelling> {
        trees.iter().map(|tree| tree.labelling(None)).collect()
    }
}

/// Cuts through all trees, the groups under them, and what refinements would do to these.
pub(super) struct State<'a, G: Gain> {
    pub(super) ground: &'a Ground<'a, G>,
    /// How each attribute is masked.
    pub(super) trees: Vec<Tree>,
    /// The labels of the records whose value is suppressed, for each attribute without a tree.
    pub(super) suppressed: Vec<G::Stats>,
    /// The node of the cut that each code of each attribute is under.
    node_of: Vec<Vec<u32>>,
    /// The nodes of each cut that may still be refined, in tree order. Once invalid, always invalid.
    open: Vec<Vec<u32>>,
    /// Refinements that the audit refused, by attribute and key.
    refused: Vec<Vec<bool>>,
    partitions: Vec<Partition<'a>>,
    /// For each QID and each of its attributes.
    figures: Vec<Vec<Figures>>,
    audit: Option<Audit<'a>>,
}

impl<'a, G: Gain> State<'a, G> {
    /// The state that these cuts are.
    pub(super) fn new(ground: &'a Ground<'a, G>, mut trees: Vec<Tree>) -> Self {
        let problem = ground.problem;
        trees.iter_mut().filter(|tree| !tree.is_suppressed()).for_each(Tree::grow_cut);
        let qids = problem.qids().iter().zip(&ground.projections);
        let partitions: Vec<Partition> = qids.map(|(qid, rows)| Partition::new(rows, qid, &trees)).collect();
        let figures = |partition: &Partition<'_>| -> Vec<Figures> {
            partition.attributes.iter().map(|&a| Figures::new(&trees[a], &ground.grids[a])).collect()
        };
        let masked = |(gain, tree): (&G, &Tree)| {
            let disclosed = (0..tree.values()).filter(|&value| tree.is_suppressed() && tree.is_disclosed(value));
            disclosed.fold(gain.stats(0..tree.values()), |left, value| G::without(&left, &gain.stats(value..value + 1)))
        };
        let mut state = State {
            ground,
            suppressed: ground.gains.iter().zip(&trees).map(masked).collect(),
            node_of: trees.iter().map(Tree::nodes_by_code).collect(),
            open: trees.iter().map(|tree| tree.cut().into_iter().map(|node| node as u32).collect()).collect(),
            refused: trees.iter().zip(&ground.grids).map(|(tree, grid)| vec![false; grid.keys(tree)]).collect(),
            figures: partitions.iter().map(figures).collect(),
            audit: Audit::refining(problem, trees.iter()),
            partitions,
            trees,
        };
        for qid in 0..state.partitions.len() {
            let groups = state.partitions[qid].groups().to_vec();
            state.look(qid, &groups, None, Tally::Add);
        }
        state
    }

    /// Looks at groups of a QID, for one of its attributes or for all.
    fn look(&mut self, qid: usize, groups: &[Group], only: Option<usize>, tally: Tally) {
        let State { ground, trees, node_of, open, partitions, figures, .. } = self;
        let partition = &partitions[qid];
        let each = figures[qid].par_iter_mut().enumerate();
        each.filter(|(place, _)| only.is_none_or(|only| only == *place)).for_each(|(place, figures)| {
            let a = partition.attributes[place];
            for group in groups {
                let code = partition.code(group, place);
                let node = node_of[a][code as usize];
                let masked =
                    if trees[a].is_suppressed() { !trees[a].is_disclosed(code) } else { open[a].contains(&node) };
                if masked {
                    figures.look(partition, group, place, (&trees[a], &ground.grids[a], node), tally);
                }
            }
        });
    }

    /// Performs a refinement. Returns the labels of what was refined, and of what took its place.
    pub(super) fn perform(&mut self, best: &Candidate) -> (Label, Vec<Label>) {
        let a = best.attribute;
        let before: Vec<Vec<usize>> = (0..self.partitions.len()).map(|qid| self.under(qid, best)).collect();
        let parted: Vec<Vec<usize>> = before.iter().enumerate().map(|(qid, ids)| self.parted(qid, ids, best)).collect();
        if self.ground.problem.may_suppress() {
            for (qid, ids) in parted.iter().enumerate() {
                let groups: Vec<Group> = ids.iter().map(|&id| self.partitions[qid].groups()[id].clone()).collect();
                self.look(qid, &groups, None, Tally::TakeBack);
            }
        }
        if let Some(split) = best.split {
            self.trees[a].grow(best.target, |_| split);
        }
        let labels = self.trees[a].labels(&self.ground.attributes()[a], best.target);
        let parting = self.trees[a].refine(best.target);
        self.move_down(best, &parting);
        for (qid, (ids, parted)) in before.into_iter().zip(parted).enumerate() {
            let Some(place) = self.partitions[qid].place(a) else { continue };
            let made = self.partitions[qid].split(&parted, place, &parting);
            self.look(qid, &made, None, Tally::Add);
            // Of a group that lies below one child, splits of that child's interval are known already.
            if best.split.is_none() && parting.disclosed.is_none() {
                let moved = ids.into_iter().filter(|id| parted.binary_search(id).is_err());
                let moved: Vec<Group> = moved.map(|id| self.partitions[qid].groups()[id].clone()).collect();
                self.look(qid, &moved, Some(place), Tally::Add);
            }
        }
        labels
    }

    /// The groups of a QID below what is refined, by number.
    fn under(&self, qid: usize, best: &Candidate) -> Vec<usize> {
        let (partition, tree) = (&self.partitions[qid], &self.trees[best.attribute]);
        let Some(place) = partition.place(best.attribute) else { return Vec::new() };
        let below = |group: &Group| {
            let code = partition.code(group, place);
            match tree.is_suppressed() {
                true => !tree.is_disclosed(code),
                false => self.node_of[best.attribute][code as usize] == best.target,
            }
        };
        let groups = partition.groups().iter().enumerate();
        groups.filter(|(_, group)| below(group)).map(|(id, _)| id).collect()
    }

    /// Those of the groups that fall into several parts.
    fn parted(&self, qid: usize, ids: &[usize], best: &Candidate) -> Vec<usize> {
        let (partition, tree) = (&self.partitions[qid], &self.trees[best.attribute]);
        let Some(place) = partition.place(best.attribute) else { return Vec::new() };
        let part = |code: u32| match best.split {
            Some(split) => u32::from(code >= split),
            None if tree.is_suppressed() => u32::from(code == best.target),
            None => tree.slots()[code as usize],
        };
        let differ = |&id: &usize| {
            let mut parts = partition.codes(&partition.groups()[id], place).map(|(code, _)| part(code));
            let first = parts.next();
            parts.any(|part| Some(part) != first)
        };
        ids.par_iter().copied().filter(differ).collect()
    }

    /// The cut moves below a node, or a value leaves ⊥.
    fn move_down(&mut self, best: &Candidate, parting: &Parting) {
        let a = best.attribute;
        let tree = &mut self.trees[a];
        if let Some(value) = parting.disclosed {
            let disclosed = self.ground.gains[a].stats(value..value + 1);
            self.suppressed[a] = G::without(&self.suppressed[a], &disclosed);
            return;
        }
        for &child in &parting.children {
            let codes = tree.codes(child);
            self.node_of[a][codes.start as usize..codes.end as usize].fill(child);
        }
        if let Some(place) = self.open[a].iter().position(|&node| node == best.target) {
            self.open[a].splice(place..=place, parting.children.iter().copied());
        }
        tree.grow_cut();
    }

    /// Does the requirement with its conditions hold after a refinement, when no more records are suppressed than may be? Asked of
    /// the best candidate only: one that is refused is taken out for good, and the next best is asked. For conditions that are
    /// union-closed, without suppression, the result is the same as if all candidates were asked all the time.
    pub(super) fn passes(&mut self, best: &Candidate) -> bool {
        let Some(audit) = &mut self.audit else { return true };
        let tree = &self.trees[best.attribute];
        let labelling = match best.split {
            Some(split) => tree.labelling_split(best.target, split),
            None => tree.labelling(Some(best.target)),
        };
        let passes = audit.try_refine(best.attribute, labelling);
        self.refused[best.attribute][best.key] |= !passes;
        passes
    }

    /// Values that are told one by one.
    pub(super) fn disclosed(&self) -> usize {
        let told = |tree: &Tree| (0..tree.values()).filter(|&value| tree.is_disclosed(value)).count();
        self.trees.iter().filter(|tree| tree.is_suppressed()).map(told).sum()
    }

    /// Were so many values told that going on would take too long?
    pub(super) fn is_exhausted(&self) -> bool {
        let values = self.trees.iter().filter(|tree| tree.is_suppressed()).map(|tree| tree.values() as usize);
        let looks = self.ground.problem.table().rows() + values.sum::<usize>();
        self.disclosed().saturating_mul(looks) > MOST_DISCLOSED
    }

    /// Does the requirement hold?
    pub(super) fn holds(&self) -> bool {
        self.audit.as_ref().is_none_or(Audit::holds)
    }

    /// Could the requirement hold after a refinement? Not if more records fall into groups smaller than k than may be suppressed.
    ///
    /// Parts of small groups are small, and other groups are not merged: the number of records in small groups only grows, whatever
    /// else is refined. So what is refused here is refused for good.
    pub(super) fn may_hold(&self, attribute: usize, key: usize) -> bool {
        let limit = self.ground.problem.limit();
        let holds = |(partition, figures): (&Partition<'_>, &Figures)| partition.small + figures.hides[key] <= limit;
        !self.refused[attribute][key] && self.figures_of(attribute).all(holds)
    }

    /// The records that a refinement hides, in the QID where they are most.
    pub(super) fn hides(&self, attribute: usize, key: usize) -> u64 {
        self.figures_of(attribute).map(|(_, figures)| figures.hides[key]).max().unwrap_or(0)
    }

    /// AnonyLoss: the average of A(QID) − A_v(QID) over the QIDs with v's attribute (2007 paper, equation 4). Groups smaller than k
    /// are suppressed, so they count as k.
    pub(super) fn loss(&self, attribute: usize, key: usize) -> f64 {
        let lost = |(partition, figures): (&Partition<'_>, &Figures)| {
            let Partition { anonymity, k, .. } = *partition;
            anonymity.max(k) - anonymity.min(figures.smallest[key]).max(k)
        };
        let (sum, qids) = self.figures_of(attribute).fold((0, 0), |(sum, qids), each| (sum + lost(each), qids + 1));
        sum as f64 / f64::from(qids.max(1))
    }

    fn figures_of(&self, attribute: usize) -> impl Iterator<Item = (&Partition<'a>, &Figures)> {
        let each = self.partitions.iter().zip(&self.figures);
        each.filter_map(move |(partition, figures)| Some((partition, &figures[partition.place(attribute)?])))
    }

    /// The label statistics of an attribute.
    pub(super) fn gain(&self, attribute: usize) -> &'a G {
        &self.ground.gains[attribute]
    }

    /// Where an attribute's intervals may be split.
    pub(super) fn grid(&self, attribute: usize) -> &'a Grid {
        &self.ground.grids[attribute]
    }

    /// What is lost with a record that is suppressed.
    pub(super) fn price(&self) -> f64 {
        self.ground.price
    }

    /// The nodes of an attribute's cut that may still be refined.
    pub(super) fn open_nodes(&self, attribute: usize) -> Vec<u32> {
        self.open[attribute].clone()
    }

    /// A node that will never be refined.
    pub(super) fn close(&mut self, attribute: usize, node: u32) {
        self.open[attribute].retain(|&other| other != node);
    }

    /// A(QID) of each QID in the table that would be published.
    pub(super) fn anonymity(&self) -> Vec<u64> {
        match &self.audit {
            Some(audit) => audit.standing().anonymity.clone(),
            None => self.partitions.iter().map(|partition| partition.anonymity).collect(),
        }
    }

    /// The cuts as they are stored.
    pub(super) fn recoding(&self) -> Vec<AttributeRecoding> {
        let each = self.trees.iter().zip(self.ground.attributes());
        each.map(|(tree, attribute)| tree.recoding(attribute)).collect()
    }

    /// A performed refinement as the trace has it.
    pub(super) fn step(&self, step: usize, best: &Candidate, (refined, into): (Label, Vec<Label>)) -> Refinement {
        Refinement {
            step,
            attribute: self.ground.attributes()[best.attribute].name.clone(),
            refined,
            into,
            gain: best.gain,
            loss: best.loss,
            score: best.score,
            anonymity: self.anonymity(),
        }
    }
}
