//! Persons under the recoding of the release.

use cutline_engine::Records;
use cutline_model::Recoding;
use cutline_model::recoding::{Label, Unknown};
use cutline_table::{AttributeId, BlockColumn, Mask, MaskPlan};

/// The persons with the labels of their groups in place of their values, where groups have labels of their own.
///
/// Whoever knows all quasi values of a person knows the one group that the person fits. Nothing, if some are not known: then all groups
/// are possible whose labels cover the others.
pub(super) fn placed(recoding: &Recoding, on: &[String], places: &[usize], persons: &Records) -> Option<Records> {
    let place = |name: &String| on.iter().position(|other| other == name).map(|place| places[place]);
    let places: Vec<usize> = recoding.attributes.keys().map(place).collect::<Option<_>>()?;
    let plan = MaskPlan::new(&recoding.of_attributes(), Unknown::Root);
    let mask = Mask::new(&plan.by_regions(Some(recoding.regions.as_ref()?)).ok()?);
    let number = |(a, &place): (usize, &usize)| {
        let BlockColumn { codes, texts } = &persons.columns()[place];
        mask.column(AttributeId(a), codes, texts)
    };
    let numbers = mask.records(places.iter().enumerate().map(number).collect()).numbers;
    let texts = |a: usize| mask.labels(AttributeId(a)).map(Label::into_text).collect();
    let columns = numbers.into_iter().enumerate().map(|(a, codes)| BlockColumn { codes, texts: texts(a) });
    Some(persons.replaced(places.iter().copied().zip(columns)))
}
