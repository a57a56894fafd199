//! What a recoding makes of records.

use std::collections::HashSet;
use std::sync::Arc;

use cutline_model::AttributeRecoding;
use cutline_model::recoding::{Label, LabelError, Labeler, Places, Regions, RegionsError, SuppressHow, TOP, Unknown};

use crate::{AttributeId, Suppressed, TableQid};

/// How records are masked, as data: the recoding of each attribute, and the combinations of labels that may not appear.
#[derive(Clone, Debug, PartialEq)]
pub struct MaskPlan {
    /// How each quasi attribute is published.
    pub attributes: Vec<AttributeMask>,
    /// The groups, if they have labels of their own: the attributes' recodings are then the finest.
    pub places: Option<Arc<Places>>,
    /// Records that are not published under their labels, if there are any.
    pub suppress: Option<SuppressPlan>,
}

/// How one attribute is published.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeMask {
    /// From value to label.
    pub recoding: AttributeRecoding,
    /// What to do with values that a taxonomy does not contain.
    pub unknown: Unknown,
}

/// Records that are not published under their labels: those whose labels on some QID are listed.
#[derive(Clone, Debug, PartialEq)]
pub struct SuppressPlan {
    /// The combinations of labels of each QID.
    pub qids: Vec<RareLabels>,
    /// What becomes of the records.
    pub how: SuppressHow,
}

/// Combinations of labels that too few records have.
#[derive(Clone, Debug, PartialEq)]
pub struct RareLabels {
    /// The QID's attributes, as positions in [`MaskPlan::attributes`].
    pub attributes: Vec<AttributeId>,
    /// Their labels, as positions in [`Mask::labels`].
    pub labels: Vec<Box<[u32]>>,
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
        Ok(MaskPlan { places: places.map(Arc::new), ..self })
    }

    /// The same, where the records that a requirement does not let appear are suppressed.
    pub fn suppressing(self, suppressed: &Suppressed, qids: &[TableQid]) -> Self {
        let rare = |(qid, labels): (&TableQid, &Vec<Box<[u32]>>)| RareLabels {
            attributes: qid.attributes.clone(),
            labels: labels.clone(),
        };
        let qids = || qids.iter().zip(&suppressed.qids).map(rare).collect();
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
///  cell ──► number: one for each distinct value ──► place: by the numbers of a record ──► star ──► labels
/// ```
#[derive(Clone, Debug)]
pub struct Mask {
    labelers: Vec<Labeler>,
    places: Option<Arc<Places>>,
    rare: Vec<RareQid>,
    how: Option<SuppressHow>,
}

/// The combinations of labels of one QID that may not appear.
#[derive(Clone, Debug)]
struct RareQid {
    attributes: Vec<AttributeId>,
    labels: HashSet<Box<[u32]>>,
}

impl Mask {
    /// Prepares a plan.
    pub fn new(plan: &MaskPlan) -> Self {
        let labelers = plan.attributes.iter().map(AttributeMask::labeler).collect();
        let qids = plan.suppress.iter().flat_map(|suppress| &suppress.qids).filter(|qid| !qid.labels.is_empty());
        let rare = |qid: &RareLabels| RareQid {
            attributes: qid.attributes.clone(),
            labels: qid.labels.iter().cloned().collect(),
        };
        Mask { labelers, places: plan.places.clone(), rare: qids.map(rare).collect(), how: plan.how() }
    }

    /// The labels of an attribute; the last one is the `*` of suppressed records.
    pub fn labels(&self, AttributeId(a): AttributeId) -> impl Iterator<Item = Label> + '_ {
        self.labels_of(a).iter().cloned().chain([Label::Text(TOP.to_owned())])
    }

    fn labels_of(&self, a: usize) -> &[Label] {
        self.places.as_ref().map_or(self.labelers[a].labels(), |places| places.labels(a))
    }

    /// The number of a value by its attribute alone; `None` is missing. [`Mask::place`] makes the number of its label of it.
    ///
    /// # Errors
    /// If the value has no label.
    pub fn number(&self, AttributeId(a): AttributeId, value: Option<&str>) -> Result<u32, LabelError> {
        value.map_or(Ok(self.labelers[a].missing()), |value| self.labelers[a].label(value))
    }

    /// The same, where a value without a label gets that of the most masked state.
    pub fn number_or_top(&self, attribute: AttributeId, value: Option<&str>) -> u32 {
        self.number(attribute, value).unwrap_or(self.labelers[attribute.0].top())
    }

    /// What becomes of suppressed records, if there are any.
    pub fn how(&self) -> Option<SuppressHow> {
        self.how
    }

    /// Gives records the labels of their groups, and says whether these are too rare. `numbers` has those of each attribute.
    pub fn place(&self, numbers: &mut [Vec<u32>]) -> Vec<bool> {
        if let Some(places) = &self.places {
            for record in 0..numbers.first().map_or(0, Vec::len) {
                let region = places.region(|a| numbers[a][record]);
                numbers.iter_mut().zip(places.of(region)).for_each(|(numbers, &label)| numbers[record] = label);
            }
        }
        self.rare(numbers)
    }

    fn rare(&self, numbers: &[Vec<u32>]) -> Vec<bool> {
        let mut found = vec![false; numbers.first().map_or(0, Vec::len)];
        for RareQid { attributes, labels } in &self.rare {
            let columns: Vec<&[u32]> = attributes.iter().map(|attribute| &numbers[attribute.0][..]).collect();
            let mut key = vec![0; columns.len()];
            for (record, found) in found.iter_mut().enumerate() {
                key.iter_mut().zip(&columns).for_each(|(label, column)| *label = column[record]);
                *found |= labels.contains(&key[..]);
            }
        }
        found
    }

    /// Gives suppressed records the label `*` in every attribute.
    pub fn star(&self, numbers: &mut [Vec<u32>], suppressed: &[bool]) {
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

    #[test]
    fn records_with_rare_labels_become_stars() {
        let sex = AttributeRecoding::Suppress { disclosed: vec!["f".into(), "m".into()], missing: None };
        let rare = RareLabels { attributes: vec![AttributeId(1), AttributeId(0)], labels: vec![[2, 0].into()] };
        let plan = MaskPlan {
            suppress: Some(SuppressPlan { qids: vec![rare], how: SuppressHow::Mask }),
            ..MaskPlan::new(&[sex.clone(), sex], Unknown::Error)
        };
        let mask = Mask::new(&plan);
        let number = |a: usize, values: [&str; 3]| -> Vec<u32> {
            values.iter().map(|value| mask.number(AttributeId(a), Some(value)).unwrap()).collect()
        };
        let mut numbers = [number(0, ["f", "f", "m"]), number(1, ["x", "m", "x"])];
        assert_eq!(numbers, [vec![0, 0, 1], vec![2, 1, 2]]);
        let suppressed = mask.place(&mut numbers);
        assert_eq!(suppressed, [true, false, false]);
        mask.star(&mut numbers, &suppressed);
        assert_eq!(numbers, [vec![3, 0, 1], vec![3, 1, 2]]);
        assert_eq!(mask.labels(AttributeId(0)).nth(3), Some(Label::Text("*".into())));
    }
}
