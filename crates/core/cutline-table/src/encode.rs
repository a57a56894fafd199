//! From texts to ordered codes.

use std::sync::Arc;

use cutline_model::recoding::{LabelError, Unknown};
use cutline_model::{Masking, NodeId, Taxonomy, parse_number};
use rayon::prelude::*;
use thiserror::Error;

use crate::ordered::{Ordered, recode};
use crate::{Attribute, CompressedTable, Domain, Labels, RawColumn, RawTable, RecordNumber, Sensitive};

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
    #[error("attribute `{attribute}`, {record}: {error}")]
    Value {
        /// The attribute.
        attribute: String,
        /// The first record with such a value.
        record: RecordNumber,
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
    raw: &RawTable,
    attributes: Vec<(String, Masking)>,
    labels: &[(String, LabelKind)],
    unknown: Unknown,
) -> Result<CompressedTable, TableError> {
    let (columns, label_columns) = raw.columns.split_at(attributes.len());
    let mut label_columns = label_columns.iter();
    let (mut further, mut sensitive) = (Vec::new(), Vec::new());
    for (name, kind) in labels {
        let column = if *kind == LabelKind::None { None } else { label_columns.next() };
        match (kind, column) {
            (LabelKind::Sensitive, Some(column)) => sensitive.push(Sensitive::new(name.clone(), column)),
            (kind, Some(column)) => further.push(encode_label(name, column, *kind)?),
            (_, None) => further.push(Labels::None),
        }
    }
    let labels = if further.is_empty() { Labels::None } else { further.remove(0) };
    let encode_one =
        |(column, (name, masking)): (&RawColumn, (String, Masking))| encode_attribute(column, name, masking, unknown);
    let encoded: Vec<_> = columns.par_iter().zip(attributes).map(encode_one).collect();
    // The first attribute's error wins, whichever thread found one first.
    let attributes = encoded.into_iter().collect::<Result<_, _>>()?;
    let (weights, records, history) = (raw.weights.clone(), raw.records, raw.history.clone());
    Ok(CompressedTable { attributes, labels, further, sensitive, weights, records, history })
}

fn encode_attribute(
    column: &RawColumn,
    name: String,
    masking: Masking,
    unknown: Unknown,
) -> Result<Attribute, TableError> {
    let missing = column.missing() > 0;
    let mut attached = 0;
    let (masking, domain, code_of) = match masking {
        Masking::Suppress => {
            let Ordered { keys, code_of } = Ordered::names(column);
            (Masking::Suppress, Domain::names(keys.into_iter().map(str::to_owned).collect(), missing), code_of)
        }
        Masking::Discretize { range } => {
            let Ordered { keys, code_of } = ordered(column, |text| number_in(text, range), no_number_in_range, &name)?;
            let numbers = keys.into_iter().map(|key| key.0).collect();
            (Masking::Discretize { range }, Domain::numbers(numbers, missing), code_of)
        }
        Masking::Generalize(taxonomy) => {
            let given = taxonomy.len();
            let taxonomy = if unknown == Unknown::Root { attach_unknown(column, taxonomy, &name)? } else { taxonomy };
            attached = taxonomy.len() - given;
            let unknown = |text: &str| LabelError::unknown(&taxonomy, text);
            let Ordered { keys, code_of } = ordered(column, |text| leaf(&taxonomy, text), unknown, &name)?;
            (Masking::Generalize(taxonomy), Domain::leaves(keys, missing), code_of)
        }
    };
    let codes = recode(column, &code_of, domain.len());
    Ok(Attribute { name, masking, attached, domain, codes })
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

/// Orders the values behind the texts: `key` reads one, `why` says what is wrong with a text that stands for no value.
///
/// Of several such texts the one that came first is told of, and only that one: to find the nearest leaf takes long.
fn ordered<'c, K: Ord + Copy + Send>(
    column: &'c RawColumn,
    key: impl Fn(&'c str) -> Option<K>,
    why: impl Fn(&str) -> LabelError,
    name: &str,
) -> Result<Ordered<K>, TableError> {
    let (mut values, mut unfit) = (Vec::with_capacity(column.texts.len()), Vec::new());
    for number in column.present() {
        match key(column.texts.text(number)) {
            Some(key) => values.push((key, number)),
            None => unfit.push(number),
        }
    }
    if let Some(first) = first(column, &unfit) {
        return Err(at(column, first, name, why(column.texts.text(first))));
    }
    Ok(Ordered::new(column, values))
}

/// The text that came first; by itself where nobody knows, so that it does not depend on who counted in which order.
fn first(column: &RawColumn, numbers: &[u32]) -> Option<u32> {
    let place = |&number: &u32| (column.texts.first_record(number), column.texts.text(number));
    numbers.iter().copied().min_by_key(place)
}

fn at(column: &RawColumn, number: u32, name: &str, error: LabelError) -> TableError {
    TableError::Value { attribute: name.to_owned(), record: column.texts.first_record(number), error }
}

fn number(text: &str) -> Option<Key> {
    parse_number(text).map(Key)
}

fn number_in(text: &str, range: Option<(f64, f64)>) -> Option<Key> {
    number(text).filter(|&Key(number)| range.is_none_or(|(lower, upper)| lower <= number && number <= upper))
}

fn no_number_in_range(text: &str) -> LabelError {
    if number(text).is_some() { LabelError::OutOfRange } else { LabelError::NotANumber }
}

fn leaf(taxonomy: &Taxonomy, text: &str) -> Option<NodeId> {
    taxonomy.node(text).filter(|&node| taxonomy.is_leaf(node))
}

/// The taxonomy with the column's unknown values as further leaves under its root, in byte order.
fn attach_unknown(column: &RawColumn, taxonomy: Arc<Taxonomy>, name: &str) -> Result<Arc<Taxonomy>, TableError> {
    let text = |&number: &u32| column.texts.text(number);
    let unknown: Vec<u32> = column.present().filter(|number| leaf(&taxonomy, text(number)).is_none()).collect();
    let error = |number: u32| at(column, number, name, LabelError::unknown(&taxonomy, text(&number)));
    let inner: Vec<u32> = unknown.iter().copied().filter(|number| taxonomy.node(text(number)).is_some()).collect();
    if let Some(first) = first(column, &inner) {
        return Err(error(first));
    }
    let Some(first) = first(column, &unknown) else { return Ok(taxonomy) };
    let mut texts: Vec<String> = unknown.iter().map(|number| text(number).to_owned()).collect();
    texts.par_sort_unstable();
    // Values that no node has cannot clash with the taxonomy; an error here would be its last word on one of them.
    taxonomy.attach(texts).map(Arc::new).map_err(|_| error(first))
}

fn encode_label(name: &str, column: &RawColumn, kind: LabelKind) -> Result<Labels, TableError> {
    let missing = usize::from(column.missing() > 0);
    if kind == LabelKind::Numbers {
        let Ordered { keys, code_of } = ordered(column, number, |_| LabelError::NotANumber, name)?;
        let numbers = keys.into_iter().map(|key| Some(key.0));
        let values: Vec<_> = numbers.chain(std::iter::repeat_n(None, missing)).collect();
        let codes = recode(column, &code_of, values.len());
        return Ok(Labels::Numbers { values, codes });
    }
    let Ordered { keys, code_of } = Ordered::names(column);
    let names: Vec<_> =
        keys.into_iter().map(|name| Some(name.to_owned())).chain(std::iter::repeat_n(None, missing)).collect();
    let codes = recode(column, &code_of, names.len());
    Ok(Labels::Classes { names, codes })
}
