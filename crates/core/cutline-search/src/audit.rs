//! Does the requirement hold with its conditions, when a limited number of records is suppressed?
//!
//! Where a requirement is only that all groups have at least k records, the searches know this from their own counts. Where there
//! are conditions on sensitive values, or records may be suppressed, they ask here before they perform a step.

use crate::Problem;
use crate::grouping::Labelling;
use crate::suppress::{Groups, Standing, Suppressor};
use crate::tree::Tree;

/// Knows the labels of all attributes at the moment.
#[derive(Debug)]
pub(crate) struct Audit<'a> {
    suppressor: Suppressor<'a>,
    limit: u64,
    labellings: Vec<Labelling>,
    groups: Groups,
    standing: Standing,
}

impl<'a> Audit<'a> {
    /// An audit of the state that these trees are in, if the problem needs any.
    pub(crate) fn new<'t>(problem: &'a Problem<'a>, trees: impl Iterator<Item = &'t Tree>) -> Option<Self> {
        problem.needs_audit().then(|| {
            let suppressor = Suppressor::new(problem);
            let labellings: Vec<Labelling> = trees.map(|tree| tree.labelling(None)).collect();
            let mut groups = Groups::default();
            let standing = suppressor.standing(&labellings, &mut groups);
            Audit { suppressor, limit: problem.limit(), labellings, groups, standing }
        })
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
        self.labellings[attribute] = labelling;
        self.standing = self.suppressor.standing(&self.labellings, &mut self.groups);
    }

    /// Gives an attribute other labels if the requirement holds then; says whether it did.
    pub(crate) fn try_change(&mut self, attribute: usize, labelling: Labelling) -> bool {
        let before = std::mem::replace(&mut self.labellings[attribute], labelling);
        let standing = self.suppressor.standing(&self.labellings, &mut self.groups);
        let holds = standing.suppressed <= self.limit;
        if holds {
            self.standing = standing;
        } else {
            self.labellings[attribute] = before;
        }
        holds
    }
}
