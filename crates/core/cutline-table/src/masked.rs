//! The compressed table as a recoding publishes it.

use std::borrow::Cow;

use cutline_model::recoding::{LabelError, Labeler, Places, Regions, RegionsError, SuppressHow, Unknown};
use cutline_model::{AttributeRecoding, Masking};
use rayon::prelude::*;
use thiserror::Error;

use crate::suppress::{Judgement, Suppressor};
use crate::{
    Attribute, AttributeId, Code, Codes, CompressedTable, Members, Numbering, Persons, RawColumn, RawTable, Sensitive,
    TableQid, combine, with_codes,
};

/// Rows of labels in place of rows of values.
///
/// Made from a recoding alone, as the second pass over the records will: whatever found the recoding has no say in it.
#[derive(Debug)]
pub struct Masked<'a> {
    columns: Vec<Column<'a>>,
    /// The region of each row, if labels follow from those.
    regions: Option<(Places, Codes)>,
    members: Members<'a>,
    sensitive: Cow<'a, [Sensitive]>,
}

#[derive(Debug)]
struct Column<'a> {
    codes: &'a Codes,
    /// The label of each code, as the attribute's [`Labeler`] numbers them; or that of each region.
    labels: Vec<u32>,
    distinct: usize,
}

/// Why a recoding is none of a table.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MaskError {
    /// A value has no label.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// The regions are none of the attributes.
    #[error(transparent)]
    Regions(#[from] RegionsError),
}

/// The records that a requirement does not let appear under their labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Suppressed {
    /// Is the row suppressed?
    pub rows: Vec<bool>,
    /// Suppressed records.
    pub records: u64,
    /// For each QID, the combinations of labels whose records are suppressed.
    pub qids: Vec<Vec<Box<[u32]>>>,
    /// What becomes of the records.
    pub how: SuppressHow,
}

impl<'a> Masked<'a> {
    /// The compressed table under a recoding of its attributes.
    pub fn new(table: &'a CompressedTable, recoding: &[AttributeRecoding]) -> Result<Self, LabelError> {
        let column = |(attribute, recoding): (&'a Attribute, &AttributeRecoding)| {
            // A value that was attached to the root may be none of the recoding's: then it has the root's label.
            let unknown = if attribute.attached > 0 { Unknown::Root } else { Unknown::Error };
            let labeler = Labeler::new(recoding, unknown);
            let label = |code: u32| label(attribute, code, &labeler);
            let labels = (0..attribute.domain.len() as u32).map(label).collect::<Result<_, _>>()?;
            Ok(Column { codes: &attribute.codes, labels, distinct: labeler.labels().len() })
        };
        let columns = table.attributes.iter().zip(recoding).map(column).collect::<Result<_, _>>()?;
        Ok(Masked { columns, regions: None, members: table.members(), sensitive: Cow::Borrowed(&table.sensitive) })
    }

    /// The same, where each group has labels of its own, if there are regions.
    pub fn of(
        table: &'a CompressedTable,
        recoding: &[AttributeRecoding],
        regions: Option<&Regions>,
    ) -> Result<Self, MaskError> {
        let places = regions.map(|regions| Places::new(regions, recoding)).transpose()?;
        Ok(Masked::new(table, recoding)?.by_regions(places))
    }

    /// Gives each row the labels of its region, if there are regions. The labels so far must be the finest.
    pub fn by_regions(self, places: Option<Places>) -> Self {
        let Some(places) = places else { return self };
        let region = |row: usize| {
            let number = |a: usize| self.columns[a].labels[self.columns[a].codes.get(row) as usize];
            places.region(number) as u32
        };
        let of_row: Vec<u32> = (0..self.members.weights.len()).into_par_iter().map(region).collect();
        let len = places.regions().tree.len();
        let column = |(a, column): (usize, &Column<'a>)| Column {
            codes: column.codes,
            labels: (0..len).map(|region| places.of(region)[a]).collect(),
            distinct: places.labels(a).len(),
        };
        let columns = self.columns.iter().enumerate().map(column).collect();
        Masked { columns, regions: Some((places, Codes::from_codes(of_row.into_iter(), len))), ..self }
    }

    /// A table whose values have no order yet, under labelers for its first columns; the others are sensitive attributes with
    /// these names. An error names the column by its position.
    pub fn raw(table: &'a RawTable, labelers: &[Labeler], sensitive: &[String]) -> Result<Self, (usize, LabelError)> {
        let column = |(index, (column, labeler)): (usize, (&'a RawColumn, &Labeler))| {
            let mut labels = vec![labeler.missing(); column.texts.len() + 1];
            for number in column.present() {
                let label = labeler.label(column.texts.text(number)).map_err(|error| (index, error))?;
                labels[number as usize + 1] = label;
            }
            Ok(Column { codes: &column.codes, labels, distinct: labeler.labels().len() })
        };
        let columns = table.columns.iter().zip(labelers).enumerate().map(column).collect::<Result<_, _>>()?;
        let others = table.columns.iter().skip(labelers.len()).zip(sensitive);
        let sensitive = others.map(|(column, name)| Sensitive::new(name.clone(), column)).collect();
        Ok(Masked { columns, regions: None, members: Members { weights: &table.weights, persons: None }, sensitive })
    }

    /// What groups count.
    pub fn members(&self) -> Members<'a> {
        self.members
    }

    /// The same table, whose groups count persons.
    pub fn counting(self, persons: Option<&'a Persons>) -> Self {
        Masked { members: Members { persons, ..self.members }, ..self }
    }

    /// The sensitive attributes.
    pub fn sensitive(&self) -> &[Sensitive] {
        &self.sensitive
    }

    /// The regions that labels follow from, and that of each row, if there are any.
    pub fn regions(&self) -> Option<(&Places, &Codes)> {
        self.regions.as_ref().map(|(places, of_row)| (places, of_row))
    }

    /// What the labels of an attribute follow from: its own codes, or the regions of the rows.
    fn codes(&self, AttributeId(a): AttributeId) -> &Codes {
        self.regions.as_ref().map_or(self.columns[a].codes, |(_, of_row)| of_row)
    }

    /// The label of each code of an attribute; where there are regions, of each of those.
    pub fn labels(&self, AttributeId(a): AttributeId) -> &[u32] {
        &self.columns[a].labels
    }

    /// The labels that an attribute could have.
    pub fn distinct(&self, AttributeId(a): AttributeId) -> usize {
        self.columns[a].distinct
    }

    /// Which rows have the same labels on these attributes.
    pub fn groups(&self, attributes: impl IntoIterator<Item = AttributeId>) -> Numbering {
        self.groups_by(self.members.weights.len(), |row| row, attributes)
    }

    /// Which of some rows have the same labels on these attributes: a number for each of those rows.
    pub fn groups_among(&self, rows: &[u32], attributes: impl IntoIterator<Item = AttributeId>) -> Numbering {
        self.groups_by(rows.len(), |place| rows[place] as usize, attributes)
    }

    /// The same for so many rows, of which each is told.
    fn groups_by(
        &self,
        rows: usize,
        row: impl Fn(usize) -> usize + Sync,
        attributes: impl IntoIterator<Item = AttributeId>,
    ) -> Numbering {
        let attributes: Vec<AttributeId> = attributes.into_iter().filter(|&id| self.tells_apart(id)).collect();
        let distinct: Vec<usize> = attributes.iter().map(|&id| self.distinct(id)).collect();
        let mut groups = Numbering::new(rows);
        // When all rows differ, further attributes can tell nothing more.
        groups.refine_all(&distinct, rows, |column, start, combined| {
            let Column { labels, distinct, .. } = &self.columns[attributes[column].0];
            with_codes!(self.codes(attributes[column]), codes => {
                combine(combined, *distinct, (start..).map(|place| labels[codes[row(place)].index()]));
            });
        });
        groups
    }

    /// Has the attribute more than one label?
    pub fn tells_apart(&self, attribute: AttributeId) -> bool {
        self.labels(attribute).windows(2).any(|pair| pair[0] != pair[1])
    }

    /// The records that may not appear under their labels, and are masked if they can be.
    pub fn suppress(&self, qids: &[TableQid]) -> Suppressed {
        self.suppress_with(qids, SuppressHow::Mask)
    }

    /// The records that may not appear under their labels.
    pub fn suppress_with(&self, qids: &[TableQid], how: SuppressHow) -> Suppressed {
        let groups: Vec<Numbering> = qids.iter().map(|qid| self.groups(qid.attributes.iter().copied())).collect();
        let suppressor = Suppressor { members: self.members, sensitive: &self.sensitive, qids, how };
        let Judgement { rows, failed, how } = suppressor.run(&groups);
        let records = rows
            .iter()
            .zip(self.members.weights)
            .filter(|(suppressed, _)| **suppressed)
            .map(|(_, weight)| weight)
            .sum();
        let labels = |((qid, groups), failed): ((&TableQid, &Numbering), &Vec<bool>)| {
            let rows = groups.first_rows().into_iter().zip(failed).filter(|(_, failed)| **failed);
            rows.map(|(row, _)| self.row(row as usize, &qid.attributes)).collect()
        };
        Suppressed { rows, records, qids: qids.iter().zip(&groups).zip(&failed).map(labels).collect(), how }
    }

    fn row(&self, row: usize, attributes: &[AttributeId]) -> Box<[u32]> {
        let label = |&id: &AttributeId| self.labels(id)[self.codes(id).get(row) as usize];
        attributes.iter().map(label).collect()
    }
}

fn label(attribute: &Attribute, code: u32, labeler: &Labeler) -> Result<u32, LabelError> {
    let domain = &attribute.domain;
    if domain.missing() == Some(code) {
        return Ok(labeler.missing());
    }
    match &attribute.masking {
        Masking::Suppress => labeler.label(domain.name(code).unwrap_or_default()),
        Masking::Generalize(taxonomy) => labeler.label_of_leaf(taxonomy, domain.as_leaves()[code as usize]),
        Masking::Discretize { .. } => labeler.label_of(domain.as_numbers()[code as usize]),
    }
}

#[cfg(test)]
mod tests;
