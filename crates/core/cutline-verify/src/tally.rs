//! Distinct values, groups and their records, as ids.

use crate::claim::{Grouping, Plan};
use crate::dictionary::{Dictionary, NULL};
use crate::groups::Groups;
use crate::persons::{by_column, by_number};
use crate::{Options, Persons, Population, PopulationRisk, VerifyError};

/// What was counted: the dictionary of every claimed column, and the parts of [`Plan::groupings`].
pub(crate) struct Tally {
    pub(crate) dictionaries: Vec<Dictionary>,
    /// The groups of every grouping.
    pub(crate) groups: Vec<Groups>,
    /// For every grouping and each of its sensitive columns, the records by (group, id of the cell).
    pub(crate) pairs: Vec<Vec<Groups>>,
    /// Pieces of the table by number, and for each grouping the group of every record of the piece; none unless [`Plan::in_order`].
    pub(crate) pieces: Vec<(u64, Vec<Vec<u32>>)>,
}

impl Tally {
    /// Nothing counted yet.
    pub(crate) fn new(plan: &Plan) -> Tally {
        let pairs = |grouping: &Grouping| grouping.sensitive.iter().map(|_| Groups::new(2)).collect();
        Tally {
            dictionaries: plan.columns.iter().map(|_| Dictionary::new()).collect(),
            groups: plan.groupings.iter().map(|grouping| Groups::new(grouping.attributes.len())).collect(),
            pairs: plan.groupings.iter().map(pairs).collect(),
            pieces: Vec::new(),
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
            let told = other.pieces.iter_mut().flat_map(|(_, groups)| &mut groups[index]);
            told.for_each(|group| *group = members[*group as usize]);
            for (place, &column) in sensitive.iter().enumerate() {
                self.pairs[index][place].absorb(&other.pairs[index][place], &[&members, &ids[column]])?;
            }
        }
        self.pieces.append(&mut other.pieces);
        Ok(self)
    }

    /// The persons of each group of a grouping, if they are counted.
    pub(crate) fn persons(
        &self,
        index: usize,
        plan: &Plan,
        options: &Options,
    ) -> Result<Option<Vec<u64>>, VerifyError> {
        let groups = self.groups[index].counts().len();
        if let Some(Persons::Numbers(numbers)) = &options.persons {
            let mut pieces: Vec<&(u64, Vec<Vec<u32>>)> = self.pieces.iter().collect();
            pieces.sort_unstable_by_key(|(number, _)| *number);
            let group_of: Vec<u32> = pieces.iter().flat_map(|(_, groups)| &groups[index]).copied().collect();
            return by_number(group_of.into_iter(), groups, numbers).map(Some);
        }
        let pairs = self.pairs_of(index, plan, plan.person);
        Ok(pairs.map(|(column, pairs)| by_column(pairs, groups, &self.dictionaries[column], &options.nulls)))
    }

    /// The records of a grouping by (group, id of the cell) of a column that is counted beside it.
    fn pairs_of(&self, index: usize, plan: &Plan, column: Option<usize>) -> Option<(usize, &Groups)> {
        let place = |column| plan.groupings[index].sensitive.iter().position(|&other| other == column);
        column.and_then(|column| Some((column, &self.pairs[index][place(column)?])))
    }

    /// The risk of the records of a grouping in a population, if one was told.
    pub(crate) fn population(
        &self,
        index: usize,
        plan: &Plan,
        options: &Options,
    ) -> Result<Option<PopulationRisk>, VerifyError> {
        let groups = &self.groups[index];
        if let Some(Population::Fraction(share)) = options.population {
            return Ok(Some(PopulationRisk::by_fraction(groups, share)));
        }
        let pairs = self.pairs_of(index, plan, plan.weight);
        let risk =
            |(column, pairs)| PopulationRisk::by_weights(groups, pairs, &self.dictionaries[column], options.notation);
        pairs.map(risk).transpose()
    }
}
