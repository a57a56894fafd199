//! What a recoding makes of records.

use std::collections::{HashMap, HashSet};
use std::fmt;

use cutline_model::AttributeRecoding;
use cutline_model::recoding::{Label, LabelError, Labeler, Places, Regions, RegionsError, SuppressHow, TOP, Unknown};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{AttributeId, Codes, Suppressed, TableQid};

/// How records are masked, as data: the recoding of each attribute, and the combinations of labels that may not appear.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MaskPlan {
    /// How each quasi attribute is published.
    pub attributes: Vec<AttributeMask>,
    /// The groups, if they have labels of their own: the attributes' recodings are then the finest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<Places>,
    /// Records that are not published under their labels, if there are any.
    pub suppress: Option<SuppressPlan>,
}

/// How one attribute is published.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributeMask {
    /// From value to label.
    pub recoding: AttributeRecoding,
    /// What to do with values that a taxonomy does not contain.
    pub unknown: Unknown,
}

/// Records that are not published under their labels: those whose labels on some QID are listed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuppressPlan {
    /// The combinations of labels of each QID.
    pub qids: Vec<RareLabels>,
    /// What becomes of the records.
    pub how: SuppressHow,
}

/// Combinations of labels that too few records have: a small table, whose columns have the labels that their numbers stand for.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct RareLabels {
    /// The QID's attributes, as positions in [`MaskPlan::attributes`].
    pub attributes: Vec<AttributeId>,
    /// For each of them, labels.
    pub labels: Vec<Vec<Label>>,
    /// The combinations: for each of the attributes, a position in its labels.
    pub rows: Vec<Box<[u32]>>,
}

/// Shows no label: a rare one tells of persons.
impl fmt::Debug for RareLabels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RareLabels({} combinations of {:?})", self.rows.len(), self.attributes)
    }
}

impl MaskPlan {
    /// Masks as a recoding says, and suppresses nothing.
    pub fn new(attributes: &[AttributeRecoding], unknown: Unknown) -> Self {
        let attribute = |recoding: &AttributeRecoding| AttributeMask { recoding: recoding.clone(), unknown };
        MaskPlan { attributes: attributes.iter().map(attribute).collect(), places: None, suppress: None }
    }

    /// The same, where each group has labels of its own, if there are regions.
    ///
    /// # Errors
    /// If they are no regions of the plan's attributes.
    pub fn by_regions(self, regions: Option<&Regions>) -> Result<Self, RegionsError> {
        let recoding: Vec<AttributeRecoding> = self.attributes.iter().map(|mask| mask.recoding.clone()).collect();
        let places = regions.map(|regions| Places::new(regions, &recoding)).transpose()?;
        Ok(MaskPlan { places, ..self })
    }

    /// The same, where the records that a requirement does not let appear are suppressed.
    pub fn suppressing(self, suppressed: &Suppressed, qids: &[TableQid]) -> Self {
        let labels = |&AttributeId(a): &AttributeId| match &self.places {
            Some(places) => places.labels(a).to_vec(),
            None => self.attributes[a].recoding.all_labels(),
        };
        let rare = |(qid, rows): (&TableQid, &Vec<Box<[u32]>>)| RareLabels {
            attributes: qid.attributes.clone(),
            labels: qid.attributes.iter().map(labels).collect(),
            rows: rows.clone(),
        };
        let qids = || qids.iter().zip(&suppressed.qids).filter(|(_, rows)| !rows.is_empty()).map(rare).collect();
        let suppress = (suppressed.records > 0).then(|| SuppressPlan { qids: qids(), how: suppressed.how });
        MaskPlan { suppress, ..self }
    }

    /// What becomes of suppressed records, if there are any.
    pub fn how(&self) -> Option<SuppressHow> {
        self.suppress.as_ref().map(|suppress| suppress.how)
    }
}

impl AttributeMask {
    /// The look-up from value to label.
    pub fn labeler(&self) -> Labeler {
        Labeler::new(&self.recoding, self.unknown)
    }
}

/// A [`MaskPlan`] made ready for many records, wherever they come from.
///
/// ```text
///  cell ──► number: one for each distinct value ──► records: of their regions; rare ones are starred ──► labels
/// ```
#[derive(Clone, Debug)]
pub struct Mask {
    labelers: Vec<Labeler>,
    places: Option<Places>,
    rare: Vec<RareQid>,
    how: Option<SuppressHow>,
}

/// The combinations of labels of one QID that may not appear, by the numbers of a [`Mask`].
#[derive(Clone, Debug)]
struct RareQid {
    attributes: Vec<AttributeId>,
    rows: HashSet<Box<[u32]>>,
}

/// What is published of some records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLabels {
    /// For each attribute, the number of each record's label, as in [`Mask::labels`]. Suppressed records have the last one.
    pub numbers: Vec<Vec<u32>>,
    /// Is each record suppressed?
    pub suppressed: Vec<bool>,
    how: Option<SuppressHow>,
}

/// The same of many records, whose labels take as little memory as they can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnLabels {
    /// For each attribute, the number of each record's label.
    pub numbers: Vec<Codes>,
    /// Is each record suppressed? No mark at all is none.
    suppressed: Vec<bool>,
    how: Option<SuppressHow>,
}

impl ColumnLabels {
    /// Which records are not published at all? No mark at all is none.
    pub fn left_out(&self) -> &[bool] {
        if self.how == Some(SuppressHow::Drop) { &self.suppressed } else { &[] }
    }
}

impl RecordLabels {
    /// Is this record not published at all?
    pub fn left_out(&self, record: usize) -> bool {
        self.how == Some(SuppressHow::Drop) && self.suppressed.get(record) == Some(&true)
    }

    /// How many records are suppressed.
    pub fn count_suppressed(&self) -> usize {
        self.suppressed.iter().filter(|suppressed| **suppressed).count()
    }
}

impl Mask {
    /// Prepares a plan.
    pub fn new(plan: &MaskPlan) -> Self {
        let labelers = plan.attributes.iter().map(AttributeMask::labeler).collect();
        let mut mask = Mask { labelers, places: plan.places.clone(), rare: Vec::new(), how: plan.how() };
        for qid in plan.suppress.iter().flat_map(|suppress| &suppress.qids) {
            let rows = mask.combinations(qid).into_iter().collect();
            mask.rare.push(RareQid { attributes: qid.attributes.clone(), rows });
        }
        mask
    }

    /// The labels of an attribute; the last one is the `*` of suppressed records.
    pub fn labels(&self, AttributeId(a): AttributeId) -> impl Iterator<Item = Label> + '_ {
        self.labels_of(a).iter().cloned().chain([Label::Text(TOP.to_owned())])
    }

    fn labels_of(&self, a: usize) -> &[Label] {
        self.places.as_ref().map_or(self.labelers[a].labels(), |places| places.labels(a))
    }

    /// The number of a value by its attribute alone; `None` is missing. `Mask::place` makes the number of its label of it.
    ///
    /// # Errors
    /// If the value has no label.
    pub fn number(&self, AttributeId(a): AttributeId, value: Option<&str>) -> Result<u32, LabelError> {
        value.map_or(Ok(self.labelers[a].missing()), |value| self.labelers[a].label(value))
    }

    /// The numbers of a column's labels; `texts` has the text of each code. A value without a label gets that of the most masked state.
    pub fn column(&self, attribute: AttributeId, codes: &[u32], texts: &[Option<String>]) -> Vec<u32> {
        let of_text = self.numbers(attribute, texts);
        codes.iter().map(|&code| of_text[code as usize]).collect()
    }

    /// The number of the label of each text, by its attribute alone.
    fn numbers(&self, attribute: AttributeId, texts: &[Option<String>]) -> Vec<u32> {
        let top = self.labelers[attribute.0].top();
        texts.iter().map(|text| self.number(attribute, text.as_deref()).unwrap_or(top)).collect()
    }

    /// What is published of whole columns, one for each attribute: its codes, and the text of each code.
    pub fn columns(&self, columns: &[(&Codes, &[Option<String>])]) -> ColumnLabels {
        let of_texts = columns.par_iter().enumerate().map(|(a, (_, texts))| self.numbers(AttributeId(a), texts));
        let of_texts: Vec<Vec<u32>> = of_texts.collect();
        let columns = columns.par_iter().zip(&of_texts).map(|((codes, _), of_text)| (codes, of_text));
        let labels = |a: usize| self.labels_of(a).len() + 1;
        if self.places.is_none() && self.rare.is_empty() {
            // A label follows from its value: nothing has to be known of other attributes.
            let numbers = columns.enumerate().map(|(a, (codes, of_text))| codes.recoded(of_text, labels(a)));
            return ColumnLabels { numbers: numbers.collect(), suppressed: Vec::new(), how: self.how };
        }
        let numbers = columns.map(|(codes, of_text)| codes.each(of_text));
        let RecordLabels { numbers, suppressed, how } = self.records(numbers.collect());
        let narrow = |(a, numbers): (usize, Vec<u32>)| Codes::from_codes(numbers.into_iter(), labels(a));
        ColumnLabels { numbers: numbers.into_iter().enumerate().map(narrow).collect(), suppressed, how }
    }

    /// What becomes of suppressed records, if there are any.
    pub fn how(&self) -> Option<SuppressHow> {
        self.how
    }

    /// The combinations of labels that may not appear, by the numbers that labels have here. One with a label that an attribute does not
    /// have is left out: no record has it.
    pub fn combinations(&self, rare: &RareLabels) -> Vec<Box<[u32]>> {
        let numbers = |(&AttributeId(a), labels): (&AttributeId, &Vec<Label>)| -> Vec<Option<u32>> {
            let mut number_of: HashMap<&Label, u32> = HashMap::new();
            for (number, label) in self.labels_of(a).iter().enumerate() {
                number_of.entry(label).or_insert(number as u32);
            }
            labels.iter().map(|label| number_of.get(label).copied()).collect()
        };
        let numbers: Vec<Vec<Option<u32>>> = rare.attributes.iter().zip(&rare.labels).map(numbers).collect();
        let number = |(&label, numbers): (&u32, &Vec<Option<u32>>)| numbers.get(label as usize).copied().flatten();
        rare.rows.iter().filter_map(|row| row.iter().zip(&numbers).map(number).collect()).collect()
    }

    /// What is published of records; `numbers` has those that [`Mask::number`] gives to each attribute's values.
    pub fn records(&self, numbers: Vec<Vec<u32>>) -> RecordLabels {
        self.records_among(numbers, |_| true)
    }

    /// The same, where only some of the records were counted: the others just get their labels, however rare.
    pub fn records_among(&self, mut numbers: Vec<Vec<u32>>, counted: impl Fn(usize) -> bool) -> RecordLabels {
        self.place(&mut numbers);
        let mut suppressed = self.rare(&numbers);
        suppressed.iter_mut().enumerate().for_each(|(record, rare)| *rare &= counted(record));
        self.star(&mut numbers, &suppressed);
        RecordLabels { numbers, suppressed, how: self.how }
    }

    /// Gives records the labels of their groups, where groups have labels of their own.
    fn place(&self, numbers: &mut [Vec<u32>]) {
        let Some(places) = &self.places else { return };
        for record in 0..numbers.first().map_or(0, Vec::len) {
            let region = places.region(|a| numbers[a][record]);
            numbers.iter_mut().zip(places.of(region)).for_each(|(numbers, &label)| numbers[record] = label);
        }
    }

    /// Is each record one whose labels are too rare?
    fn rare(&self, numbers: &[Vec<u32>]) -> Vec<bool> {
        let mut found = vec![false; numbers.first().map_or(0, Vec::len)];
        for RareQid { attributes, rows } in &self.rare {
            let columns: Vec<&[u32]> = attributes.iter().map(|attribute| &numbers[attribute.0][..]).collect();
            let mut key = vec![0; columns.len()];
            for (record, found) in found.iter_mut().enumerate() {
                key.iter_mut().zip(&columns).for_each(|(label, column)| *label = column[record]);
                *found |= rows.contains(&key[..]);
            }
        }
        found
    }

    /// Gives suppressed records the label `*` in every attribute.
    fn star(&self, numbers: &mut [Vec<u32>], suppressed: &[bool]) {
        if self.rare.is_empty() {
            return;
        }
        for (a, numbers) in numbers.iter_mut().enumerate() {
            let star = self.labels_of(a).len() as u32;
            let starred = numbers.iter_mut().zip(suppressed).filter(|(_, suppressed)| **suppressed);
            starred.for_each(|(label, _)| *label = star);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(label: &str) -> Label {
        Label::Text(label.to_owned())
    }

    /// Two attributes, of which the labels `*` and `f` together are rare.
    fn plan(how: SuppressHow) -> MaskPlan {
        let sex = AttributeRecoding::Suppress { disclosed: vec!["f".into(), "m".into()], missing: None };
        let rare = RareLabels {
            attributes: vec![AttributeId(1), AttributeId(0)],
            // In an order of their own, and one that no record can have.
            labels: vec![vec![text("x"), text("*")], vec![text("f")]],
            rows: vec![[0, 0].into(), [1, 0].into()],
        };
        MaskPlan {
            suppress: Some(SuppressPlan { qids: vec![rare], how }),
            ..MaskPlan::new(&[sex.clone(), sex], Unknown::Error)
        }
    }

    #[test]
    fn records_with_rare_labels_become_stars() {
        let mask = Mask::new(&plan(SuppressHow::Mask));
        let number = |a: usize, values: [&str; 3]| -> Vec<u32> {
            values.iter().map(|value| mask.number(AttributeId(a), Some(value)).unwrap()).collect()
        };
        let numbers = vec![number(0, ["f", "f", "m"]), number(1, ["x", "m", "x"])];
        assert_eq!(numbers, [vec![0, 0, 1], vec![2, 1, 2]]);
        let records = mask.records(numbers.clone());
        assert_eq!(records.suppressed, [true, false, false]);
        assert_eq!(records.numbers, [vec![3, 0, 1], vec![3, 1, 2]]);
        assert!(!records.left_out(0));
        assert_eq!(mask.labels(AttributeId(0)).nth(3), Some(text("*")));
        assert_eq!(mask.records_among(numbers, |record| record > 0).count_suppressed(), 0);
    }

    #[test]
    fn records_may_be_left_out_instead() {
        let mask = Mask::new(&plan(SuppressHow::Drop));
        let texts = ["f", "m", "x"].map(|value| Some(value.to_owned()));
        let column = |a: usize, codes: &[u32]| mask.column(AttributeId(a), codes, &texts);
        let records = mask.records(vec![column(0, &[1, 0]), column(1, &[2, 2])]);
        assert_eq!([records.left_out(0), records.left_out(1)], [false, true]);
    }

    #[test]
    fn whole_columns_have_the_labels_of_their_records() {
        let rare =
            [SuppressHow::Mask, SuppressHow::Drop].map(|how| MaskPlan { suppress: plan(how).suppress, ..plan(how) });
        let none = MaskPlan { suppress: None, ..plan(SuppressHow::Drop) };
        let texts = ["f", "m", "x"].map(|value| Some(value.to_owned()));
        for plan in rare.iter().chain([&none]) {
            let mask = Mask::new(plan);
            let codes = [[1, 0, 2], [2, 2, 0]];
            let records = mask.records((0..2).map(|a| mask.column(AttributeId(a), &codes[a], &texts)).collect());
            let narrow = codes.map(|codes| Codes::from(codes.to_vec()));
            let columns = mask.columns(&narrow.each_ref().map(|codes| (codes, &texts[..])));
            assert_eq!(columns.numbers.iter().cloned().map(Vec::from).collect::<Vec<_>>(), records.numbers);
            let left_out = |record: usize| columns.left_out().get(record) == Some(&true);
            assert!((0..3).all(|record| left_out(record) == records.left_out(record)));
        }
    }
}
