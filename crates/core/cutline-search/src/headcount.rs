//! How many persons would the groups have after a refinement?
//!
//! The number of persons of a group says nothing of the persons of its parts, so it cannot be kept by subtraction as records are. It is
//! counted anew for every refinement that is about to be performed, but the groups are kept: one column has to be read, not all of them.

use cutline_table::{AttributeId, CompressedTable, Numbering, TableQid};

use crate::Problem;
use crate::grouping::Labelling;

/// The groups of each QID on the way down, where all that has to hold is that each has at least k persons.
#[derive(Debug)]
pub(crate) struct Headcount<'a> {
    table: &'a CompressedTable,
    qids: &'a [TableQid],
    /// The groups of each QID.
    groups: Vec<Numbering>,
    /// The smallest one of each.
    smallest: Vec<u64>,
}

impl<'a> Headcount<'a> {
    /// The groups under these labels.
    pub(crate) fn new(problem: &'a Problem<'a>, labellings: &[Labelling]) -> Self {
        let (table, qids) = (problem.table(), problem.qids());
        let grouped = |qid: &TableQid| {
            let mut groups = Numbering::new(table.rows());
            if let Some(histories) = &qid.histories {
                groups.refine(histories.of_row.iter(), histories.len());
            }
            for &AttributeId(a) in qid.attributes.iter().filter(|id| labellings[id.0].labels > 1) {
                refine(&mut groups, table, a, &labellings[a]);
            }
            groups
        };
        let groups: Vec<Numbering> = qids.iter().map(grouped).collect();
        let smallest = groups.iter().map(|groups| table.members().smallest(groups)).collect();
        Headcount { table, qids, groups, smallest }
    }

    /// A(QID) of each QID, in persons.
    pub(crate) fn anonymity(&self) -> &[u64] {
        &self.smallest
    }

    /// Gives an attribute labels that refine those it has, if all groups have enough persons then; says whether they have.
    pub(crate) fn try_refine(&mut self, attribute: usize, labelling: &Labelling) -> bool {
        let mut refined = Vec::new();
        for (index, qid) in self.qids.iter().enumerate() {
            if qid.attributes.contains(&AttributeId(attribute)) {
                let mut groups = self.groups[index].clone();
                refine(&mut groups, self.table, attribute, labelling);
                let smallest = self.table.members().smallest(&groups);
                if smallest < qid.k {
                    return false;
                }
                refined.push((index, groups, smallest));
            }
        }
        for (index, groups, smallest) in refined {
            self.groups[index] = groups;
            self.smallest[index] = smallest;
        }
        true
    }
}

fn refine(groups: &mut Numbering, table: &CompressedTable, attribute: usize, labelling: &Labelling) {
    groups.refine_column(&table.attributes[attribute].codes, &labelling.label_of, labelling.labels);
}
