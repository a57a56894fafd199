//! Where a requirement is more than k: does it hold after a refinement?

use cutline_table::{Attribute, CompressedTable, Labels, Sensitive};

use super::frontier::View;
use super::tally::Tallied;
use crate::Problem;
use crate::audit::Audit;
use crate::tree::Tree;

/// Who is asked.
#[derive(Debug)]
pub(super) enum Judge<'a> {
    /// Nobody: the counts of groups say everything.
    Counts,
    /// One audit of the whole table.
    Whole(Box<Audit<'a>>),
    /// An audit of each view.
    Views(Vec<ViewAudit<'a>>),
}

/// The audit of one view.
#[derive(Debug)]
pub(super) struct ViewAudit<'a> {
    qid: usize,
    attributes: Vec<usize>,
    watched: Vec<usize>,
    audit: Audit<'a>,
}

impl<'a> ViewAudit<'a> {
    pub(super) fn new(view: &View, problem: &'a Problem<'a>, trees: &[Tree]) -> Option<Self> {
        let audit = Audit::new(problem, view.attributes.iter().map(|&a| &trees[a]))?;
        Some(ViewAudit { qid: view.qid, attributes: view.attributes.clone(), watched: view.watched.clone(), audit })
    }

    fn place(&self, attribute: usize) -> Option<usize> {
        self.attributes.iter().position(|&other| other == attribute)
    }
}

impl Judge<'_> {
    /// Does the requirement hold after a refinement? Then it is taken for performed where it was asked.
    ///
    /// A QID's groups, and what conditions say of them, follow from the view that counts the refined attribute finely; QIDs without it
    /// do not change. Records are suppressed only where there is one QID.
    pub(super) fn passes(&mut self, attribute: usize, tree: &Tree, target: u32) -> bool {
        match self {
            Judge::Counts => true,
            Judge::Whole(audit) => audit.try_refine(attribute, tree.labelling(Some(target))),
            Judge::Views(views) => {
                let place = |view: usize| {
                    Some((view, views[view].place(attribute).filter(|_| views[view].watched.contains(&attribute))?))
                };
                let asked: Vec<(usize, usize)> = (0..views.len()).filter_map(place).collect();
                for (count, &(view, place)) in asked.iter().enumerate() {
                    if !views[view].audit.try_refine(place, tree.labelling(Some(target))) {
                        for &(view, place) in &asked[..count] {
                            views[view].audit.change(place, tree.labelling(None));
                        }
                        return false;
                    }
                }
                true
            }
        }
    }

    /// An attribute was refined: tells those that were not asked.
    pub(super) fn performed(&mut self, attribute: usize, tree: &Tree) {
        let Judge::Views(views) = self else { return };
        for view in views.iter_mut().filter(|view| !view.watched.contains(&attribute)) {
            if let Some(place) = view.place(attribute) {
                view.audit.change(place, tree.labelling(None));
            }
        }
    }

    /// A(QID) of each QID in the table that would be published; `counted` where nobody was asked.
    pub(super) fn anonymity(&self, counted: Vec<u64>) -> Vec<u64> {
        match self {
            Judge::Counts => counted,
            Judge::Whole(audit) => audit.standing().anonymity.clone(),
            Judge::Views(views) => {
                let smallest = |(qid, counted): (usize, u64)| {
                    let view = views.iter().find(|view| view.qid == qid);
                    view.and_then(|view| view.audit.standing().anonymity.first().copied()).unwrap_or(counted)
                };
                counted.into_iter().enumerate().map(smallest).collect()
            }
        }
    }
}

/// What was counted by a view, as a table: its attributes alone.
pub(super) fn view_table(problem: &Problem<'_>, view: &View, tallied: &Tallied) -> CompressedTable {
    let table = problem.table();
    let attribute = |(place, &a): (usize, &usize)| {
        let codes = tallied.columns[place].clone();
        let Attribute { name, masking, attached, domain, .. } = table.attributes[a].clone();
        Attribute { name, masking, attached, domain, codes }
    };
    let sensitive = table.sensitive.iter().zip(&tallied.sensitive);
    let sensitive = sensitive.map(|(known, codes)| Sensitive { codes: codes.clone(), ..known.clone() });
    CompressedTable {
        attributes: view.attributes.iter().enumerate().map(attribute).collect(),
        labels: Labels::None,
        further: Vec::new(),
        sensitive: sensitive.collect(),
        weights: tallied.weights.clone(),
        persons: None,
        worth: None,
        history: None,
        records: table.records,
    }
}
