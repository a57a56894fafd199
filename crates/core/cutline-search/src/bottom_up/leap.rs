//! Generalizations that nothing but their loss decides.
//!
//! Where none raises A(QID), the one that loses least comes next, and what it loses follows from the labels alone. So the steps ahead are
//! known without any groups, up to the first state in which groups matter: something is critical there, or the requirement holds.
//! With many records that is nearly all of the way, and nearly all of the work would be to keep their groups up to date.
//!
//! # Why few states have to be looked at
//! On a way on which no A(QID) rises, what is critical stays so. A vid of the smallest size was one before, because vids that merge become
//! larger; and whoever would have become one with it still would, because the labels of both change alike. So if A(QID) is what it was and
//! nothing is critical, nothing was in any state before. A requirement that holds goes on to hold. The first state in which groups matter is
//! therefore found by bisection.

use std::collections::BTreeMap;

use cutline_table::{AttributeId, CompressedTable, Projection, TableQid};
use rayon::prelude::*;

use super::climb::Climb;
use super::cut::Cut;
use super::vids::Vids;
use super::{Best, Groups, best_of};
use crate::Problem;
use crate::audit::Audit;
use crate::gain::Gain;
use crate::grouping::{Buffers, Grouping, Labelling};

/// So many steps are planned at first, then twice as many each time.
const FIRST: usize = 128;

/// Looks ahead.
#[derive(Debug)]
pub(super) struct Leap<'a> {
    /// The QIDs.
    sides: Vec<Side<'a>>,
    /// Where the requirement is more than k.
    audit: Option<Audit<'a>>,
}

/// A QID, and how small its smallest group is before the leap.
#[derive(Debug)]
struct Side<'a> {
    qid: &'a TableQid,
    rows: Projection<'a>,
    grouping: Grouping,
    smallest: u64,
}

/// The rows of a QID in some state.
struct Grouped {
    /// The group of each row.
    ids: Vec<u32>,
    /// The records of each group; 0 for numbers that no group has.
    sizes: Vec<u64>,
}

impl<'a> Leap<'a> {
    /// Prepares to look ahead from some cuts, if a state tells anything of those before it: it does not where suppressed records change what
    /// conditions compare with, or where histories tell the records of a group apart.
    pub(super) fn new(problem: &'a Problem<'a>, cuts: &[Cut]) -> Option<Self> {
        let parted = problem.qids().iter().any(|qid| qid.histories.is_some());
        if parted || problem.may_suppress() && problem.has_conditions() {
            return None;
        }
        let labels = labellings(cuts);
        let sides = problem.qids().par_iter().map(|qid| Side::new(problem.table(), qid, &labels)).collect();
        Some(Leap { sides, audit: Audit::new(problem, cuts.iter().map(Cut::tree)) })
    }

    /// What the steps of a leap must know of groups: where a QID holds already, they may change how small the smallest is.
    pub(super) fn groups(&self, cuts: &[Cut]) -> Vec<Groups> {
        let labels = labellings(cuts);
        let groups = |side: &Side<'_>| match side.holds() {
            true => Groups::Vids(Box::new(side.vids(&side.group(&labels), cuts))),
            false => Groups::Smallest(side.smallest),
        };
        self.sides.par_iter().map(groups).collect()
    }

    /// The steps before the one that leads to a state in which groups matter.
    pub(super) fn plan<G: Gain>(&mut self, climbs: &[Climb<G>]) -> Vec<Best> {
        let cuts: Vec<Cut> = climbs.iter().map(|climb| climb.cut().clone()).collect();
        let mut ahead = climbs.to_vec();
        let mut plan = Vec::new();
        // Groups do not matter after fewer steps than `low`, and do after `high`.
        let mut low = 0;
        loop {
            let known = plan.len();
            plan.extend(std::iter::from_fn(|| lose_least(&mut ahead)).take(known.max(FIRST)));
            if self.matters(&cuts, &plan) {
                break;
            }
            low = plan.len() + 1;
            if plan.len() == known {
                return plan;
            }
        }
        let mut high = plan.len();
        while low < high {
            let middle = (low + high) / 2;
            if self.matters(&cuts, &plan[..middle]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        plan.truncate(low.saturating_sub(1));
        plan
    }

    /// Finds all groups under the cuts that the leap leads to, and audits them.
    pub(super) fn land(self, cuts: &[Cut], groups: &mut [Groups]) -> Option<Audit<'a>> {
        let labels = labellings(cuts);
        groups.par_iter_mut().zip(&self.sides).for_each(|(groups, side)| {
            if let Groups::Smallest(_) = groups {
                *groups = Groups::Vids(Box::new(side.vids(&side.group(&labels), cuts)));
            }
        });
        let mut audit = self.audit?;
        audit.look_at(labels);
        Some(audit)
    }

    /// Does the requirement hold after some steps, or is anything critical?
    fn matters(&mut self, cuts: &[Cut], steps: &[Best]) -> bool {
        let mut cuts = cuts.to_vec();
        for step in steps {
            cuts[step.attribute.0].generalize(step.candidate.target);
        }
        let labels = labellings(&cuts);
        if self.sides.par_iter().filter(|side| !side.holds()).any(|side| side.may_rise(&labels, &cuts)) {
            return true;
        }
        match &mut self.audit {
            None => self.sides.iter().all(Side::holds),
            Some(audit) => {
                audit.look_at(labels);
                audit.holds()
            }
        }
    }
}

impl<'a> Side<'a> {
    fn new(table: &'a CompressedTable, qid: &'a TableQid, labels: &[Labelling]) -> Self {
        let rows = Projection::of(table, qid);
        let grouping = Grouping::of_projection(table, &qid.attributes, &rows);
        let mut side = Side { qid, rows, grouping, smallest: 0 };
        side.smallest = side.group(labels).smallest();
        side
    }

    /// Does the QID hold before the leap?
    fn holds(&self) -> bool {
        self.smallest >= self.qid.k
    }

    fn group(&self, labels: &[Labelling]) -> Grouped {
        let mut ids = Vec::new();
        let groups = self.grouping.number(labels, &mut Buffers::default(), &mut ids);
        let mut sizes = vec![0; groups];
        ids.iter().zip(self.rows.weights.iter()).for_each(|(&id, weight)| sizes[id as usize] += weight);
        Grouped { ids, sizes }
    }

    /// Has A(QID) risen in some state, or is anything critical there?
    fn may_rise(&self, labels: &[Labelling], cuts: &[Cut]) -> bool {
        let grouped = self.group(labels);
        if grouped.smallest() > self.smallest {
            return true;
        }
        let smallest = grouped.rows_of(self.smallest);
        let touched = |(place, &AttributeId(a)): (usize, &AttributeId)| {
            let label_of = cuts[a].label_of();
            let codes = &self.rows.columns[place];
            !cuts[a].touching(smallest.iter().map(|&row| label_of[codes.get(row as usize) as usize])).is_empty()
        };
        if !self.qid.attributes.iter().enumerate().any(touched) {
            return false;
        }
        let vids = self.vids(&grouped, cuts);
        let mut attributes = self.qid.attributes.iter().enumerate();
        attributes.any(|(local, &AttributeId(a))| !vids.critical(local, &cuts[a]).is_empty())
    }

    /// The vids of a state.
    fn vids(&self, grouped: &Grouped, cuts: &[Cut]) -> Vids {
        let first = grouped.first_rows();
        let label = |(place, &AttributeId(a)): (usize, &AttributeId)| -> Vec<u32> {
            let label_of = cuts[a].label_of();
            first.iter().map(|&row| label_of[self.rows.columns[place].get(row as usize) as usize]).collect()
        };
        let labels: Vec<Vec<u32>> = self.qid.attributes.iter().enumerate().map(label).collect();
        let records = first.iter().map(|&row| grouped.sizes[grouped.ids[row as usize] as usize]);
        Vids::of_rows(self.qid, &labels, &records.collect::<Vec<u64>>(), cuts)
    }
}

impl Grouped {
    /// A(QID).
    fn smallest(&self) -> u64 {
        self.sizes.iter().copied().filter(|&size| size > 0).min().unwrap_or(0)
    }

    /// The rows of groups of some size.
    fn rows_of(&self, size: u64) -> Vec<u32> {
        (0..).zip(&self.ids).filter(|(_, id)| self.sizes[**id as usize] == size).map(|(row, _)| row).collect()
    }

    /// The first row of each group.
    fn first_rows(&self) -> Vec<u32> {
        let mut seen = vec![false; self.sizes.len()];
        let first = |(_, id): &(u32, &u32)| !std::mem::replace(&mut seen[**id as usize], true);
        (0..).zip(&self.ids).filter(first).map(|(row, _)| row).collect()
    }
}

/// The generalization that loses least, applied.
fn lose_least<G: Gain>(climbs: &mut [Climb<G>]) -> Option<Best> {
    let best = best_of(climbs, &BTreeMap::new())?;
    climbs[best.attribute.0].apply(best.candidate.target);
    Some(best)
}

fn labellings(cuts: &[Cut]) -> Vec<Labelling> {
    cuts.iter().map(|cut| cut.tree().labelling(None)).collect()
}
