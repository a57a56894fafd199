//! From texts to ordered codes.

use std::collections::BTreeMap;
use std::sync::Arc;

use cutline_model::recoding::{LabelError, Unknown};
use cutline_model::{Masking, Taxonomy, parse_number};
use rayon::prelude::*;
use thiserror::Error;

use crate::{Attribute, Codes, CompressedTable, Domain, Labels, RawColumn, RawTable, Sensitive};

/// What the last grouped column is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelKind {
    /// There is no label column.
    None,
    /// A class.
    Classes,
    /// A number.
    Numbers,
    /// A sensitive attribute: no label, but looked at by conditions.
    Sensitive,
}

/// Why a value has no code.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum TableError {
    /// A value does not fit the attribute's masking operation.
    #[error("attribute `{attribute}`, record {record}: {error}")]
    Value {
        /// The attribute.
        attribute: String,
        /// The first record with such a value, counted from 1.
        record: u64,
        /// What is wrong with it.
        #[source]
        error: LabelError,
    },
}

/// Gives the values of every attribute the order that its masking operation needs, and codes in that order.
///
/// `attributes` names the grouped columns; after them comes a column for each of `labels` that is not of kind `None`. The first
/// one guides the search.
pub fn encode(
    raw: RawTable,
    attributes: Vec<(String, Masking)>,
    labels: &[(String, LabelKind)],
    unknown: Unknown,
) -> Result<CompressedTable, TableError> {
    let RawTable { mut columns, weights, records, .. } = raw;
    let mut label_columns = columns.split_off(attributes.len()).into_iter();
    let (mut further, mut sensitive) = (Vec::new(), Vec::new());
    for (name, kind) in labels {
        let column = if *kind == LabelKind::None { None } else { label_columns.next() };
        match (kind, column) {
            (LabelKind::Sensitive, Some(column)) => sensitive.push(Sensitive::new(name.clone(), &column)),
            (kind, Some(column)) => further.push(encode_label(name, &column, *kind)?),
            (_, None) => further.push(Labels::None),
        }
    }
    let labels = if further.is_empty() { Labels::None } else { further.remove(0) };
    let encode_one =
        |(column, (name, masking)): (RawColumn, (String, Masking))| encode_attribute(column, name, masking, unknown);
    let encoded: Vec<_> = columns.into_par_iter().zip(attributes).map(encode_one).collect();
    // The first attribute's error wins, whichever thread found one first.
    let attributes = encoded.into_iter().collect::<Result<_, _>>()?;
    Ok(CompressedTable { attributes, labels, further, sensitive, weights, records })
}

fn encode_attribute(
    column: RawColumn,
    name: String,
    masking: Masking,
    unknown: Unknown,
) -> Result<Attribute, TableError> {
    let missing = column.missing() > 0;
    let (masking, domain, order) = match masking {
        Masking::Suppress => {
            let order = ordered(&column, |text| Ok(text.to_owned()), &name)?;
            (Masking::Suppress, Domain::names(order.keys().cloned().collect(), missing), flatten(order))
        }
        Masking::Discretize { range } => {
            let order = ordered(&column, |text| number_in(text, range).map(Key), &name)?;
            let numbers = order.keys().map(|key| key.0).collect();
            (Masking::Discretize { range }, Domain::numbers(numbers, missing), flatten(order))
        }
        Masking::Generalize(taxonomy) => {
            let taxonomy = if unknown == Unknown::Root { attach_unknown(&column, taxonomy, &name)? } else { taxonomy };
            let order = ordered(&column, |text| leaf(&taxonomy, text), &name)?;
            let leaves = order.keys().copied().collect();
            (Masking::Generalize(taxonomy), Domain::leaves(leaves, missing), flatten(order))
        }
    };
    let codes = recode(&column, &order, domain.len());
    Ok(Attribute { name, masking, domain, codes })
}

/// A finite number, ordered.
#[derive(Clone, Copy, PartialEq)]
struct Key(f64);

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// The texts' numbers by the value that they stand for, in order. Several texts may stand for one value (`1` and `1.0`).
fn ordered<K: Ord>(
    column: &RawColumn,
    key: impl Fn(&str) -> Result<K, LabelError>,
    name: &str,
) -> Result<BTreeMap<K, Vec<u32>>, TableError> {
    let mut order: BTreeMap<K, Vec<u32>> = BTreeMap::new();
    for number in column.present() {
        let key = key(column.texts.text(number)).map_err(|error| at(column, number, name, error))?;
        order.entry(key).or_default().push(number);
    }
    Ok(order)
}

fn at(column: &RawColumn, number: u32, name: &str, error: LabelError) -> TableError {
    TableError::Value { attribute: name.to_owned(), record: column.texts.first_record(number), error }
}

/// For each value in order, the texts that stand for it.
fn flatten<K>(order: BTreeMap<K, Vec<u32>>) -> Vec<Vec<u32>> {
    order.into_values().collect()
}

fn number_in(text: &str, range: Option<(f64, f64)>) -> Result<f64, LabelError> {
    let number = parse_number(text).ok_or(LabelError::NotANumber)?;
    match range {
        Some((lower, upper)) if number < lower || number > upper => Err(LabelError::OutOfRange),
        _ => Ok(number),
    }
}

fn leaf(taxonomy: &Taxonomy, text: &str) -> Result<cutline_model::NodeId, LabelError> {
    match taxonomy.node(text) {
        Some(node) if taxonomy.is_leaf(node) => Ok(node),
        _ => Err(LabelError::unknown(taxonomy, text)),
    }
}

/// The taxonomy with the column's unknown values as further leaves under its root, in byte order.
fn attach_unknown(column: &RawColumn, taxonomy: Arc<Taxonomy>, name: &str) -> Result<Arc<Taxonomy>, TableError> {
    let mut unknown: Vec<(String, u32)> = Vec::new();
    for number in column.present() {
        let text = column.texts.text(number);
        match leaf(&taxonomy, text) {
            Ok(_) => {}
            Err(LabelError::NotInTaxonomy { .. }) => unknown.push((text.to_owned(), number)),
            Err(error) => return Err(at(column, number, name, error)),
        }
    }
    if unknown.is_empty() {
        return Ok(taxonomy);
    }
    unknown.sort();
    let first = unknown[0].1;
    let attached = taxonomy.attach(unknown.into_iter().map(|(text, _)| text));
    // Values that no node has cannot clash with the taxonomy; an error here would be its last word on one of them.
    attached
        .map(Arc::new)
        .map_err(|_| at(column, first, name, LabelError::unknown(&taxonomy, column.texts.text(first))))
}

/// Replaces provisional codes by positions in `order`; missing values come last.
fn recode(column: &RawColumn, order: &[Vec<u32>], distinct: usize) -> Codes {
    let mut code_of = vec![order.len() as u32; column.texts.len() + 1];
    for (code, numbers) in order.iter().enumerate() {
        for &number in numbers {
            code_of[number as usize + 1] = code as u32;
        }
    }
    Codes::from_codes(column.codes.iter().map(|provisional| code_of[provisional as usize]), distinct)
}

fn encode_label(name: &str, column: &RawColumn, kind: LabelKind) -> Result<Labels, TableError> {
    let missing = usize::from(column.missing() > 0);
    if kind == LabelKind::Numbers {
        let order = ordered(column, |text| number_in(text, None).map(Key), name)?;
        let values: Vec<_> = order.keys().map(|key| Some(key.0)).chain(std::iter::repeat_n(None, missing)).collect();
        let codes = recode(column, &flatten(order), values.len());
        return Ok(Labels::Numbers { values, codes });
    }
    let order = ordered(column, |text| Ok(text.to_owned()), name)?;
    let names: Vec<_> = order.keys().cloned().map(Some).chain(std::iter::repeat_n(None, missing)).collect();
    let codes = recode(column, &flatten(order), names.len());
    Ok(Labels::Classes { names, codes })
}
