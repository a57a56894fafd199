//! From batches of the source to batches of the published table.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, RecordBatch, RecordBatchOptions, StringArray, StringViewArray, UInt32Array};
use arrow_schema::{DataType, SchemaRef};
use arrow_select::filter::filter_record_batch;
use cutline_engine::{ClusterColumn, Format, OutputColumn, RewritePlan, Shift, Treatment};
use cutline_model::recoding::{LabelError, SuppressHow};
use cutline_table::{AttributeId, BlockColumn, Mask, RecordLabels};
use hmac::{Hmac, KeyInit, Mac};
use rayon::prelude::*;
use sha2::Sha256;

use crate::cells::{CellReader, as_text, lacking};
use crate::distinct::ColumnCells;
use crate::embedded::Embedded;
use crate::encode::{ascending, clusters, encode_column};
use crate::error::FileError;
use crate::published::{AsStored, Cells, schema};
use crate::remembered::RememberedColumn;
use crate::shift;
use crate::source::typed;

/// Turns batches of the source into batches of the published table.
pub(crate) struct Recoder<'a> {
    engine: &'a Embedded,
    plan: &'a RewritePlan,
    mask: Mask,
    reader: CellReader,
    /// Columns to read, ascending.
    pub(crate) read: Vec<usize>,
    /// Where each published column is among those, if it is.
    places: Vec<Option<usize>>,
    /// Published columns that need not be read although they are published as they are.
    as_stored: Vec<Option<AsStored<'a>>>,
    /// The cells of each masked attribute.
    masked: Vec<MaskedCells<'a>>,
    /// Where each column that must not be missing is among those.
    required: Vec<usize>,
    /// Columns that must not be missing and need not be read.
    required_known: Vec<&'a RememberedColumn>,
    /// Where each column is that a cluster follows from.
    sources: Vec<usize>,
    /// Where the column is that says which person a record is about, if it is to be read.
    person: Option<usize>,
    /// Where the column is that says by how much dates are moved.
    mover: Option<usize>,
    /// The type that each published column gets, if it is another one than it has.
    types: Vec<Option<DataType>>,
    /// The labels of each masked attribute.
    labels: Vec<Cells>,
    pub(crate) schema: SchemaRef,
}

/// Where the cells of a masked attribute come from.
enum MaskedCells<'a> {
    /// They are read, at a place among the columns that are.
    Read(usize),
    /// They are known, with the number of each code's label; [`UNLABELED`] if it has none.
    Known { column: &'a RememberedColumn, numbers: Vec<u32>, how: Labeled },
}

/// Which labels a column's codes have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Labeled {
    /// All of them the same.
    Same(u32),
    /// Each has one.
    Each,
    /// Some have none.
    Partly,
}

const UNLABELED: u32 = u32::MAX;

/// A batch of the published table.
pub(crate) struct Recoded {
    pub(crate) batch: RecordBatch,
    /// Records left out because a value is missing.
    pub(crate) dropped: usize,
    pub(crate) suppressed: usize,
    /// The records of the source that are left out, whatever for; empty if there are none.
    pub(crate) left_out: Vec<bool>,
    /// The person behind each record that is not, if it was read.
    pub(crate) persons: Option<BlockColumn>,
}

impl<'a> Recoder<'a> {
    /// `person` is the column that says which person a record is about, if it is to be read.
    pub(crate) fn new(
        engine: &'a Embedded,
        plan: &'a RewritePlan,
        format: Format,
        types: &[Option<DataType>],
        person: Option<usize>,
    ) -> Self {
        let published: Vec<usize> = plan.columns.iter().map(|column| column.source).collect();
        let sources = plan.cluster.as_ref().map(|(_, cluster)| &cluster.columns[..]).unwrap_or_default();
        let mover = plan.columns.iter().find_map(|column| match &column.how {
            Treatment::Shift(shift) => Some(shift.person),
            _ => None,
        });
        let remembered = engine.remembered.get();
        let known = |column: usize| remembered.and_then(|remembered| remembered.column(column, &plan.nulls));
        let (required_known, required): (Vec<_>, Vec<_>) =
            plan.required.iter().map(|&column| known(column).ok_or(column)).partition(Result::is_ok);
        let required: Vec<usize> = required.into_iter().filter_map(Result::err).collect();
        let is_masked = |column: &OutputColumn| matches!(column.how, Treatment::Mask(_));
        let as_stored =
            plan.columns.iter().map(|column| AsStored::new(engine, plan, format, column)).collect::<Vec<_>>();
        let stays_unread = |(column, stored): &(&OutputColumn, &Option<AsStored<'_>>)| match is_masked(column) {
            true => known(column.source).is_some(),
            false => stored.is_some(),
        };
        let shown = plan.columns.iter().zip(&as_stored).filter(|column| !stays_unread(column));
        let shown: Vec<usize> = shown.map(|(column, _)| column.source).collect();
        let (read, _) = ascending(&[&shown[..], &required, sources, person.as_slice(), mover.as_slice()].concat());
        let place = |column: &usize| read.partition_point(|other| other < column);
        let mask = Mask::new(&plan.mask);
        let masked = |(a, column): (usize, usize)| match known(column) {
            Some(column) => engine.in_pool(|| known_cells(&mask, AttributeId(a), column)),
            None => MaskedCells::Read(place(&column)),
        };
        let masked = masked_columns(plan).into_iter().enumerate().map(masked).collect();
        let marker = plan.nulls.first().filter(|_| format == Format::Csv);
        let labels = |a: usize| Cells::of_labels(&mask, AttributeId(a), marker, format);
        let labels: Vec<Cells> = (0..plan.mask.attributes.len()).map(labels).collect();
        let is_raw = |a: usize| format == Format::Csv && labels[a].are_raw(engine.source.text());
        let stored: Vec<Option<DataType>> =
            as_stored.iter().map(|stored| stored.as_ref().map(|stored| stored.cells.kind())).collect();
        let schema = schema(&engine.source.schema(), plan, types, |a| (is_raw(a), labels[a].kind()), &stored);
        Recoder {
            engine,
            plan,
            reader: CellReader::of(engine.source.as_ref(), &plan.nulls),
            masked,
            places: published.iter().map(|column| read.binary_search(column).ok()).collect(),
            as_stored,
            required: required.iter().map(place).collect(),
            required_known: required_known.into_iter().flatten().collect(),
            sources: sources.iter().map(place).collect(),
            person: person.as_ref().map(place),
            mover: mover.as_ref().map(place),
            read,
            mask,
            types: types.to_vec(),
            labels,
            schema,
        }
    }

    /// Where a published column is among those that are read.
    pub(crate) fn place(&self, published: usize) -> Result<usize, FileError> {
        // Whoever asks for one that is not read has not looked at what is known.
        self.places[published].ok_or_else(|| self.engine.changed())
    }

    /// `before` is the number of records before those of the batch, if it is known.
    pub(crate) fn recode(&self, source: &RecordBatch, before: Option<usize>) -> Result<Recoded, FileError> {
        // Without a pass before this one nothing is remembered, and nothing asks.
        let records = before.unwrap_or(0)..before.unwrap_or(0) + source.num_rows();
        let lacking = self.lacking(source, records.clone())?;
        let batch = if lacking.is_empty() { source.clone() } else { self.without(source, &lacking)? };
        let numbers = self.masked.iter().enumerate().map(|(a, cells)| match cells {
            MaskedCells::Read(place) => self.number(&batch, AttributeId(a), *place),
            MaskedCells::Known { column, how: Labeled::Same(number), .. } if records.end <= column.codes.len() => {
                Ok(vec![*number; batch.num_rows()])
            }
            MaskedCells::Known { column, numbers, how } => {
                let numbers = column.codes.look_up(records.clone(), numbers).ok_or_else(|| self.engine.changed())?;
                let numbers = unmarked(numbers, &lacking);
                if *how == Labeled::Partly { self.labeled(AttributeId(a), column, numbers) } else { Ok(numbers) }
            }
        });
        let labels = self.mask.records(numbers.collect::<Result<Vec<_>, _>>()?);
        let rare = labels.count_suppressed();
        let RecordLabels { numbers, suppressed, .. } = labels;
        let numbers: Vec<UInt32Array> = numbers.into_iter().map(UInt32Array::from).collect();
        let column =
            |(index, column): (usize, &OutputColumn)| match (&column.how, &self.as_stored[index], &self.types[index]) {
                (Treatment::Keep, Some(stored), _) => self.stored(stored, records.clone(), &lacking),
                (Treatment::Keep, None, Some(kind)) => self.typed(&batch, self.place(index)?, kind),
                (Treatment::Keep, None, None) => Ok(batch.column(self.place(index)?).clone()),
                (Treatment::Mask(a), ..) => {
                    self.labels[*a].column(numbers[*a].clone()).map_err(|source| self.engine.arrow(source))
                }
                (Treatment::Tokenize(key), ..) => self.tokenize(&batch, self.place(index)?, key),
                (Treatment::Shift(shift), ..) => self.shift(&batch, self.place(index)?, shift),
            };
        let columns = self.plan.columns.iter().enumerate().map(column);
        let mut columns = columns.collect::<Result<Vec<ArrayRef>, _>>()?;
        if let Some((_, cluster)) = &self.plan.cluster {
            columns.push(self.cluster(&batch, cluster)?);
        }
        let persons = self.person.map(|place| encode_column(self.engine, &batch, place, &self.reader)).transpose()?;
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let recoded = RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)
            .map_err(|source| self.engine.arrow(source))?;
        let dropped = source.num_rows() - batch.num_rows();
        let leave_out = rare > 0 && self.mask.how() == Some(SuppressHow::Drop);
        let batch = if leave_out { self.without(&recoded, &suppressed)? } else { recoded };
        let persons = persons.map(|persons| if leave_out { without_marked(persons, &suppressed) } else { persons });
        let left_out = if leave_out { either(lacking, suppressed) } else { lacking };
        Ok(Recoded { batch, dropped, suppressed: rare, left_out, persons })
    }

    /// For each record, is a value missing that must not be? No mark at all is none.
    fn lacking(&self, source: &RecordBatch, records: Range<usize>) -> Result<Vec<bool>, FileError> {
        let mut marks = lacking(source, &self.required, &self.reader, self.engine.path())?;
        for column in &self.required_known {
            let codes = column.codes.of_rows(records.clone()).ok_or_else(|| self.engine.changed())?;
            marks.resize(records.len(), false);
            marks.iter_mut().zip(codes).for_each(|(lacking, code)| *lacking |= code == 0);
        }
        Ok(marks)
    }

    /// The cells of a column as they are stored, without those of marked records.
    fn stored(&self, of: &AsStored<'_>, records: Range<usize>, marked: &[bool]) -> Result<ArrayRef, FileError> {
        let codes = of.codes.of_rows(records).ok_or_else(|| self.engine.changed())?;
        let codes = UInt32Array::from(unmarked(codes, marked));
        of.cells.column(codes).map_err(|source| self.engine.arrow(source))
    }

    /// The numbers, if all of them are those of labels.
    fn labeled(&self, a: AttributeId, column: &RememberedColumn, numbers: Vec<u32>) -> Result<Vec<u32>, FileError> {
        if !numbers.contains(&UNLABELED) {
            return Ok(numbers);
        }
        let attribute = self.engine.columns[column.column].name.clone();
        let codes = 0..column.dictionary.codes() as u32;
        let error = codes.filter_map(|code| self.mask.number(a, column.dictionary.text(code)).err()).next();
        Err(error.map_or_else(|| self.engine.changed(), |error| FileError::Value { attribute, error }))
    }

    /// The records that are not marked.
    fn without(&self, batch: &RecordBatch, marked: &[bool]) -> Result<RecordBatch, FileError> {
        let keep: BooleanArray = marked.iter().map(|marked| Some(!marked)).collect();
        filter_record_batch(batch, &keep).map_err(|source| self.engine.arrow(source))
    }

    /// The cluster that follows from the raw cells.
    fn cluster(&self, batch: &RecordBatch, cluster: &ClusterColumn) -> Result<ArrayRef, FileError> {
        let encode = |&place: &usize| encode_column(self.engine, batch, place, &self.reader);
        let cells = self.sources.iter().map(encode).collect::<Result<Vec<_>, _>>()?;
        let labels = clusters(self.engine, cluster, batch.num_rows(), &cells.iter().collect::<Vec<_>>())?;
        Ok(Arc::new(UInt32Array::from(labels)))
    }

    /// The number of each cell's label.
    fn number(&self, batch: &RecordBatch, attribute: AttributeId, place: usize) -> Result<Vec<u32>, FileError> {
        let numbers = ColumnCells::of(batch, place, self.engine.path())?
            .number(|cell| self.mask.number(attribute, cell.and_then(|cell| self.reader.value(cell)).as_deref()));
        numbers.map_err(|error| FileError::Value { attribute: batch.schema().field(place).name().clone(), error })
    }

    /// Texts as values of the type that all of them have.
    fn typed(&self, batch: &RecordBatch, place: usize, kind: &DataType) -> Result<ArrayRef, FileError> {
        let text = as_text(batch, place, self.engine.path())?;
        let values = text.iter().map(|cell| cell.and_then(|cell| self.reader.value(cell)));
        let values: StringArray = values.collect();
        typed(&values, kind).map_err(|source| self.engine.arrow(source))
    }

    /// HMAC-SHA-256 of the value, cut to 128 bits: a function that nobody can evaluate without the key. The name of the column has no part
    /// in it, so that a person has one token in all tables that are published with one key.
    fn tokenize(&self, batch: &RecordBatch, place: usize, key: &[u8; 16]) -> Result<ArrayRef, FileError> {
        let text = as_text(batch, place, self.engine.path())?;
        let keyed = keyed(key);
        let token = |cell: Option<&str>| {
            let value = cell.and_then(|cell| self.reader.value(cell))?;
            let code = keyed.clone().chain_update(value.as_bytes()).finalize().into_bytes();
            Some(code[..16].iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        };
        Ok(Arc::new(text.iter().map(token).collect::<StringViewArray>()))
    }

    /// Dates of the type that they had, or texts of the form that they had, some weeks away.
    fn shift(&self, batch: &RecordBatch, place: usize, by: &Shift) -> Result<ArrayRef, FileError> {
        let keyed = keyed(&by.key);
        let path = self.engine.path();
        let mover = self.mover.unwrap_or(place);
        let number = |cell: Option<&str>| {
            let person = cell.and_then(|cell| self.reader.value(cell));
            Ok::<u32, FileError>(shift::number(&keyed, person.as_deref()))
        };
        let weeks = ColumnCells::of(batch, mover, path)?.number(number)?;
        let weeks: Vec<i64> = weeks.into_iter().map(shift::weeks).collect();
        let no_date =
            || FileError::Value { attribute: batch.schema().field(place).name().clone(), error: LabelError::NotADate };
        if shift::has_days(batch.column(place).data_type()) {
            let moved = shift::moved(batch.column(place), &weeks).map_err(|source| self.engine.arrow(source))?;
            return moved.ok_or_else(no_date);
        }
        let text = as_text(batch, place, path)?;
        let moved = text.iter().zip(&weeks).map(|(cell, &weeks)| {
            let value = cell.and_then(|cell| self.reader.value(cell));
            value.map(|value| by.dates.moved(&value, weeks).ok_or_else(no_date)).transpose()
        });
        Ok(Arc::new(moved.collect::<Result<StringViewArray, _>>()?))
    }
}

/// The hash of a key, ready for what is to be hashed.
fn keyed(key: &[u8; 16]) -> Hmac<Sha256> {
    // Keys are filled up with zeros to a block of the hash (RFC 2104).
    let mut block = [0; 64];
    block[..key.len()].copy_from_slice(key);
    Hmac::<Sha256>::new(&block.into())
}

/// The cells of the records that are not marked.
fn without_marked(column: BlockColumn, marked: &[bool]) -> BlockColumn {
    BlockColumn { codes: unmarked(column.codes, marked), ..column }
}

/// What the records have that are not marked. No mark at all is none.
fn unmarked(mut of_records: Vec<u32>, marked: &[bool]) -> Vec<u32> {
    if marked.is_empty() {
        return of_records;
    }
    let mut marks = marked.iter();
    of_records.retain(|_| marks.next() != Some(&true));
    of_records
}

/// Marks that were made in two rounds, the second one of the records that the first left unmarked. No mark at all is none.
fn either(mut first: Vec<bool>, second: Vec<bool>) -> Vec<bool> {
    if first.is_empty() {
        return second;
    }
    first.iter_mut().filter(|marked| !**marked).zip(second).for_each(|(marked, again)| *marked = again);
    first
}

/// The column of each masked attribute.
fn masked_columns(plan: &RewritePlan) -> Vec<usize> {
    let mut masked = vec![0; plan.mask.attributes.len()];
    for column in &plan.columns {
        if let Treatment::Mask(attribute) = column.how {
            masked[attribute] = column.source;
        }
    }
    masked
}

/// The number of the label of every code. A value without a label is an error where a published record has it.
fn known_cells<'a>(mask: &Mask, attribute: AttributeId, column: &'a RememberedColumn) -> MaskedCells<'a> {
    let number = |code: u32| mask.number(attribute, column.dictionary.text(code)).unwrap_or(UNLABELED);
    let numbers: Vec<u32> = (0..column.dictionary.codes() as u32).into_par_iter().map(number).collect();
    let how = match numbers.split_first() {
        _ if numbers.contains(&UNLABELED) => Labeled::Partly,
        Some((&first, rest)) if rest.iter().all(|&other| other == first) => Labeled::Same(first),
        _ => Labeled::Each,
    };
    MaskedCells::Known { column, numbers, how }
}
