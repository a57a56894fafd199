//! Distinct values, groups and their records, as ids.

use crate::VerifyError;
use crate::claim::{Grouping, Plan};
use crate::dictionary::{Dictionary, NULL};
use crate::groups::Groups;

/// What was counted: the dictionary of every claimed column, and the parts of [`Plan::groupings`].
pub(crate) struct Tally {
    pub(crate) dictionaries: Vec<Dictionary>,
    /// The groups of every grouping.
    pub(crate) groups: Vec<Groups>,
    /// For every grouping and each of its sensitive columns, the records by (group, id of the cell).
    pub(crate) pairs: Vec<Vec<Groups>>,
}

impl Tally {
    /// Nothing counted yet.
    pub(crate) fn new(plan: &Plan) -> Tally {
        let pairs = |grouping: &Grouping| grouping.sensitive.iter().map(|_| Groups::new(2)).collect();
        Tally {
            dictionaries: plan.columns.iter().map(|_| Dictionary::new()).collect(),
            groups: plan.groupings.iter().map(|grouping| Groups::new(grouping.attributes.len())).collect(),
            pairs: plan.groupings.iter().map(pairs).collect(),
        }
    }

    /// The number of records. There is a grouping, because there is a claim; all have the same number.
    pub(crate) fn records(&self) -> u64 {
        self.groups[0].counts().iter().sum()
    }

    /// The id of a cell of a claimed column.
    pub(crate) fn id(&mut self, column: usize, cell: Option<&str>) -> Result<u32, VerifyError> {
        let Some(text) = cell else { return Ok(NULL) };
        // A `str` is UTF-8: the dictionary can only be full.
        self.dictionaries[column].id(text.as_bytes()).map_err(|_| VerifyError::TooLarge { what: "values" })
    }

    /// Adds what was counted of other records.
    #[cfg(feature = "files")]
    pub(crate) fn merge(mut self, mut other: Tally, plan: &Plan) -> Result<Tally, VerifyError> {
        let groups = |tally: &Tally| tally.groups.iter().map(|groups| groups.counts().len()).sum::<usize>();
        if groups(&self) < groups(&other) {
            std::mem::swap(&mut self, &mut other);
        }
        let ids = self.dictionaries.iter_mut().zip(&other.dictionaries).map(|(mine, others)| mine.absorb(others));
        let ids = ids.collect::<Result<Vec<_>, _>>().map_err(|_| VerifyError::TooLarge { what: "values" })?;
        for (index, Grouping { attributes, sensitive }) in plan.groupings.iter().enumerate() {
            let columns: Vec<&[u32]> = attributes.iter().map(|&column| ids[column].as_slice()).collect();
            let members = self.groups[index].absorb(&other.groups[index], &columns)?;
            for (place, &column) in sensitive.iter().enumerate() {
                self.pairs[index][place].absorb(&other.pairs[index][place], &[&members, &ids[column]])?;
            }
        }
        Ok(self)
    }
}
