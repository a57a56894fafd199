//! What does a learner see of a column?

use std::collections::BTreeSet;

use cutline_measure::classify::{Column, Domain, Feature, MISSING};
use cutline_model::{Kind, parse_number};
use cutline_table::{Block, BlockColumn, Compressor};

/// A column by name: numbers if it is continuous, otherwise values that are equal or not.
pub(super) fn feature(name: &str, column: &BlockColumn, kind: Kind) -> (Feature, Column) {
    let (domain, cells) = match kind {
        Kind::Continuous => (Domain::Numeric, Column::Numeric(numbers(column))),
        Kind::Categorical | Kind::Date => nominal(column),
    };
    (Feature { name: name.to_owned(), domain }, cells)
}

/// The numbers of a column; NaN where there is none.
pub(super) fn numbers(BlockColumn { codes, texts }: &BlockColumn) -> Vec<f64> {
    let number = |text: &Option<String>| text.as_deref().and_then(parse_number).unwrap_or(f64::NAN);
    let numbers: Vec<f64> = texts.iter().map(number).collect();
    codes.iter().map(|&code| numbers[code as usize]).collect()
}

/// Codes in the order of the texts, so that a learner's result does not depend on which value came first. Texts that no record has
/// are no values.
fn nominal(column: &BlockColumn) -> (Domain, Column) {
    let values: BTreeSet<&str> = used(column).collect();
    let values: Vec<&str> = values.into_iter().collect();
    let code = |text: &Option<String>| {
        let place = text.as_deref().and_then(|text| values.binary_search(&text).ok());
        place.map_or(MISSING, |place| place as u32)
    };
    let code_of: Vec<u32> = column.texts.iter().map(code).collect();
    let codes = column.codes.iter().map(|&code| code_of[code as usize]).collect();
    (Domain::Nominal(values.into_iter().map(str::to_owned).collect()), Column::Nominal(codes))
}

/// The texts that some record has, without the missing one.
pub(super) fn used(column: &BlockColumn) -> impl Iterator<Item = &str> {
    let mut used = vec![false; column.texts.len()];
    column.codes.iter().for_each(|&code| used[code as usize] = true);
    column.texts.iter().zip(used).filter(|(_, used)| *used).filter_map(|(text, _)| text.as_deref())
}

/// How many distinct values a column has.
pub(super) fn distinct(column: &BlockColumn) -> usize {
    used(column).collect::<BTreeSet<_>>().len()
}

/// Which records lack a value.
pub(super) fn missing(column: &BlockColumn) -> impl Iterator<Item = bool> {
    column.codes.iter().map(|&code| column.texts[code as usize].is_none())
}

/// The kind that the values suggest, by the rule that a release follows.
pub(super) fn guess_kind(column: &BlockColumn) -> Kind {
    let texts: Vec<Option<String>> = used(column).map(|text| Some(text.to_owned())).collect();
    let values = BlockColumn { codes: (0..texts.len() as u32).collect(), texts };
    let mut compressor = Compressor::new(1);
    compressor.add(&Block { records: values.codes.len(), left_out: Vec::new(), columns: vec![values] });
    compressor.finish().columns.first().map_or(Kind::Categorical, |column| column.guess_kind())
}

/// The first record in which two columns differ. Numbers are the same however they are written.
pub(super) fn first_difference(one: &BlockColumn, other: &BlockColumn) -> Option<usize> {
    let values = |column: &BlockColumn| -> Vec<Value> { column.texts.iter().map(Value::of).collect() };
    let (ones, others) = (values(one), values(other));
    one.codes.iter().zip(&other.codes).position(|(&a, &b)| ones[a as usize] != others[b as usize])
}

#[derive(PartialEq)]
enum Value {
    Missing,
    Number(f64),
    Text(String),
}

impl Value {
    fn of(text: &Option<String>) -> Self {
        match text {
            None => Value::Missing,
            Some(text) => parse_number(text).map_or_else(|| Value::Text(text.clone()), Value::Number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[Option<&str>], codes: &[u32]) -> BlockColumn {
        BlockColumn { codes: codes.to_vec(), texts: texts.iter().map(|text| text.map(str::to_owned)).collect() }
    }

    #[test]
    fn values_are_ordered_by_text_and_unused_ones_are_left_out() {
        let (feature, cells) =
            feature("x", &column(&[Some("b"), None, Some("z"), Some("a")], &[0, 3, 1, 0]), Kind::Categorical);
        assert_eq!(feature.domain, Domain::Nominal(vec!["a".into(), "b".into()]));
        assert_eq!(cells, Column::Nominal(vec![1, 0, MISSING, 1]));
    }

    #[test]
    fn kinds_follow_from_the_values_that_records_have() {
        assert_eq!(guess_kind(&column(&[Some("1"), Some("x"), None], &[0, 2])), Kind::Continuous);
        assert_eq!(guess_kind(&column(&[Some("1"), Some("x")], &[0, 1])), Kind::Categorical);
        assert_eq!(guess_kind(&column(&[Some("02139"), Some("90210")], &[0, 1])), Kind::Categorical);
    }

    #[test]
    fn a_number_written_otherwise_is_no_difference() {
        let one = column(&[Some("1.0"), Some("x"), None], &[0, 1, 2]);
        assert_eq!(first_difference(&one, &column(&[None, Some("x"), Some("1")], &[2, 1, 0])), None);
        assert_eq!(first_difference(&one, &column(&[None, Some("*"), Some("1")], &[2, 1, 0])), Some(1));
    }
}
