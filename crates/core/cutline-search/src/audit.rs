//! Does the requirement hold with its conditions, when a limited number of records is suppressed?
//!
//! Where a requirement is only that all groups have at least k records, the searches know this from their own counts. Where there
//! are conditions on sensitive values, groups count persons, or records may be suppressed, they ask here before they perform a step.

use crate::Problem;
use crate::grouping::Labelling;
use crate::headcount::Headcount;
use crate::suppress::{Groups, Standing, Suppressor};
use crate::tree::Tree;

/// Knows the labels of all attributes at the moment.
#[derive(Debug)]
pub(crate) struct Audit<'a> {
    limit: u64,
    standing: Standing,
    method: Method<'a>,
}

/// How it is found out what becomes of records.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "a search has one of them")]
enum Method<'a> {
    /// By grouping them anew.
    Groups { suppressor: Suppressor<'a>, labellings: Vec<Labelling>, groups: Groups },
    /// On the way down, where only persons have to be counted.
    Persons(Headcount<'a>),
}

impl<'a> Audit<'a> {
    /// An audit of the state that these trees are in, if the problem needs any.
    pub(crate) fn new<'t>(problem: &'a Problem<'a>, trees: impl Iterator<Item = &'t Tree>) -> Option<Self> {
        problem.needs_audit().then(|| {
            let suppressor = Suppressor::new(problem);
            let labellings: Vec<Labelling> = trees.map(|tree| tree.labelling(None)).collect();
            let mut groups = Groups::default();
            let standing = suppressor.standing(&labellings, &mut groups);
            Audit { limit: problem.limit(), standing, method: Method::Groups { suppressor, labellings, groups } }
        })
    }

    /// The same for a search that only refines, from a state that satisfies the requirement.
    pub(crate) fn refining<'t>(problem: &'a Problem<'a>, trees: impl Iterator<Item = &'t Tree>) -> Option<Self> {
        if !problem.counts_persons() || problem.may_suppress() || problem.has_conditions() {
            return Audit::new(problem, trees);
        }
        let labellings: Vec<Labelling> = trees.map(|tree| tree.labelling(None)).collect();
        let persons = Headcount::new(problem, &labellings);
        let standing = Standing { suppressed: 0, anonymity: persons.anonymity().to_vec() };
        Some(Audit { limit: 0, standing, method: Method::Persons(persons) })
    }

    /// What became of the records in the present state.
    pub(crate) fn standing(&self) -> &Standing {
        &self.standing
    }

    /// Does the requirement hold in the present state?
    pub(crate) fn holds(&self) -> bool {
        self.standing.suppressed <= self.limit
    }

    /// Gives an attribute other labels, whether the requirement holds then or not.
    pub(crate) fn change(&mut self, attribute: usize, labelling: Labelling) {
        match &mut self.method {
            Method::Groups { suppressor, labellings, groups } => {
                labellings[attribute] = labelling;
                self.standing = suppressor.standing(labellings, groups);
            }
            Method::Persons(_) => _ = self.try_refine(attribute, labelling),
        }
    }

    /// Looks at another state, in which all attributes have other labels.
    pub(crate) fn look_at(&mut self, labels: Vec<Labelling>) {
        match &mut self.method {
            Method::Groups { suppressor, labellings, groups } => {
                *labellings = labels;
                self.standing = suppressor.standing(labellings, groups);
            }
            Method::Persons(_) => labels.into_iter().enumerate().for_each(|(a, labelling)| self.change(a, labelling)),
        }
    }

    /// Gives an attribute labels that refine those it has, if the requirement holds then; says whether it did.
    pub(crate) fn try_refine(&mut self, attribute: usize, labelling: Labelling) -> bool {
        match &mut self.method {
            Method::Groups { suppressor, labellings, groups } => {
                let before = std::mem::replace(&mut labellings[attribute], labelling);
                let standing = suppressor.standing_within(self.limit, labellings, groups);
                let holds = standing.is_some();
                match standing {
                    Some(standing) => self.standing = standing,
                    None => labellings[attribute] = before,
                }
                holds
            }
            Method::Persons(persons) => {
                let holds = persons.try_refine(attribute, &labelling);
                self.standing.anonymity = persons.anonymity().to_vec();
                holds
            }
        }
    }
}
