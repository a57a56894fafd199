//! From texts to ordered codes.

use std::sync::Arc;

use cutline_model::recoding::{LabelError, Unknown};
use cutline_model::{Grain, Masking, NodeId, Taxonomy, parse_number};
use rayon::iter::Either;
use rayon::prelude::*;
use thiserror::Error;

use crate::ordered::{Ordered, recode};
use crate::persons::Without;
use crate::{Attribute, CompressedTable, Domain, Labels, Persons, RawColumn, RawTable, RecordNumber, Sensitive};

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
    /// Whose record it is: no label, but groups count persons.
    Person,
    /// How many persons of a population the record stands for: no label, but gains and losses count by it.
    Weight,
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
/// one guides the search. Rows are not told apart by the person: the table has as many as if nobody had asked for persons.
pub fn encode(
    raw: &RawTable,
    attributes: Vec<(String, Masking)>,
    labels: &[(String, LabelKind)],
    unknown: Unknown,
) -> Result<CompressedTable, TableError> {
    let kinds = labels.iter().map(|(_, kind)| *kind).filter(|kind| *kind != LabelKind::None);
    let kinds: Vec<LabelKind> = kinds.collect();
    let place = |of: LabelKind| kinds.iter().position(|kind| *kind == of).map(|place| attributes.len() + place);
    let (person, weight) = (place(LabelKind::Person), place(LabelKind::Weight));
    let (persons, worth, regrouped) = beside(raw, person, weight, labels)?;
    let raw = regrouped.as_ref().unwrap_or(raw);
    let is_label = |kind: LabelKind| !matches!(kind, LabelKind::Person | LabelKind::Weight);
    let labels: Vec<_> = labels.iter().filter(|(_, kind)| is_label(*kind)).collect();
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
    Ok(CompressedTable { attributes, labels, further, sensitive, weights, persons, worth, records, history })
}

/// What stands beside the rows, without telling them apart: persons and survey weights.
type Beside = (Option<Persons>, Option<Vec<u64>>, Option<RawTable>);

fn beside(
    raw: &RawTable,
    person: Option<usize>,
    weight: Option<usize>,
    labels: &[(String, LabelKind)],
) -> Result<Beside, TableError> {
    let columns: Vec<usize> = person.into_iter().chain(weight).collect();
    if columns.is_empty() {
        return Ok((None, None, None));
    }
    let without = Without::new(raw, &columns);
    let name = labels.iter().find(|(_, kind)| *kind == LabelKind::Weight).map_or("", |(name, _)| name.as_str());
    // Most tables have one record of each person: to count records is to count persons then.
    let counted = person.filter(|&column| has_several(raw, column));
    let persons = counted.map(|column| without.persons(&raw.columns[column]));
    let worth = weight.map(|column| survey_weights(&raw.columns[column], name, raw.records)).transpose()?;
    let worth = worth.zip(weight).map(|(worth, column)| {
        let codes = &raw.columns[column].codes;
        without.sums(raw, |row| worth[codes.get(row) as usize])
    });
    Ok((persons, worth, Some(without.table)))
}

/// Has a person several records, or are there records of nobody in particular?
fn has_several(raw: &RawTable, person: usize) -> bool {
    (raw.columns[person].values().count() as u64) < raw.records
}

/// Survey weights that are not whole numbers, or too large to be added up, count in so many parts of the largest one.
const PARTS: f64 = 1_000_000.0;

/// Sums up to this are exact, whoever adds.
const LARGEST_SUM: f64 = 9e15;

/// What each provisional code is worth: whole numbers as they are, others in parts of the largest one. A missing weight is none.
fn survey_weights(column: &RawColumn, name: &str, records: u64) -> Result<Vec<u64>, TableError> {
    let key = |text: &str| number(text).filter(|&Key(weight)| weight >= 0.0);
    let why = |text: &str| if number(text).is_some() { LabelError::OutOfRange } else { LabelError::NotANumber };
    let Ordered { keys, code_of } = ordered(column, key, why, name)?;
    let largest = keys.last().map_or(1.0, |key| key.0);
    let whole = keys.iter().all(|key| key.0.fract() == 0.0) && largest * records as f64 <= LARGEST_SUM;
    let parts = |weight: f64| if whole { weight } else { (weight / largest.max(f64::MIN_POSITIVE) * PARTS).round() };
    // The missing one has no key.
    let weight = |&code: &u32| keys.get(code as usize).map_or(0.0, |key| key.0);
    Ok(code_of.iter().map(weight).map(|weight| parts(weight) as u64).collect())
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
        Masking::Discretize { range, axis } => {
            let read = |text: &str| axis.scale.read(text);
            let within = |number: f64| range.is_none_or(|(lower, upper)| lower <= number && number <= upper);
            let key = |text: &str| read(text).filter(|&number| within(number)).map(|number| Key(axis.grained(number)));
            let why = |text: &str| match read(text) {
                Some(_) => LabelError::OutOfRange,
                None => LabelError::unread(&axis.scale, text),
            };
            let Ordered { keys, code_of } = ordered(column, key, why, &name)?;
            let numbers = keys.into_iter().map(|key| key.0).collect();
            let domain = match axis.grain {
                Grain::Calendar => Domain::days(numbers, missing),
                _ => Domain::numbers(numbers, missing),
            };
            (Masking::Discretize { range, axis }, domain, code_of)
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
    key: impl Fn(&'c str) -> Option<K> + Sync,
    why: impl Fn(&str) -> LabelError,
    name: &str,
) -> Result<Ordered<K>, TableError> {
    let numbers: Vec<u32> = column.present().collect();
    let read = |&number: &u32| key(column.texts.text(number)).map(|key| (key, number)).ok_or(number);
    // To find a leaf among very many takes long, and so does reading very many numbers.
    let (values, unfit): (Vec<_>, Vec<_>) =
        numbers.par_iter().with_min_len(1 << 12).map(read).partition_map(|read| match read {
            Ok(value) => Either::Left(value),
            Err(number) => Either::Right(number),
        });
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
