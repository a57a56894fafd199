//! The second pass: apply the recoding to every record.

use std::collections::HashMap;
use std::hash::Hasher;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, StringViewArray, UInt32Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use arrow_select::take::take;
use cutline_model::recoding::{Label, Labeler, SuppressHow, TOP};
use siphasher::sip128::{Hasher128, SipHasher24};

use crate::cells::{CellReader, as_text, lacking, number_cells};
use crate::compress::ascending;
use crate::derive::{DerivedOutput, encode_column};
use crate::embedded::Embedded;
use crate::engine::{Output, OutputColumn, RewritePlan, Rewritten, Treatment, Watch};
use crate::error::EngineError;
use crate::pass::pass;
use crate::rare::Rare;
use crate::sink::{self, TEXT_KEY, TEXT_PLAIN};
use crate::source::{Format, TextStyle};

/// Batches are recoded and encoded on all cores, and written in record order.
pub(crate) fn rewrite(
    engine: &Embedded,
    plan: &RewritePlan,
    output: Output,
    watch: &dyn Watch,
) -> Result<Rewritten, EngineError> {
    let recoder = Recoder::new(engine, plan, output.format);
    let (encoder, mut writer) =
        sink::create(output.file, &output.path, output.format, &recoder.schema, engine.source.text())?;
    let (mut records, mut dropped, mut suppressed) = (0, 0, 0);
    let recode = |batch: &RecordBatch| {
        let recoded = recoder.recode(batch)?;
        Ok((encoder.encode(&recoded.batch)?, recoded.batch.num_rows(), recoded.dropped, recoded.suppressed))
    };
    let write = |(piece, written, lacking, rare): (_, usize, usize, usize)| {
        writer.write(piece)?;
        records += written as u64;
        dropped += lacking as u64;
        suppressed += rare as u64;
        Ok(())
    };
    pass(engine, &recoder.read, recode, write, watch)?;
    let delimiter = match engine.source.text() {
        TextStyle::Csv { delimiter, .. } => delimiter,
        TextStyle::Plain => b',',
    };
    Ok(Rewritten { file: writer.finish()?, records, dropped, suppressed, delimiter })
}

/// Turns batches of the source into batches of the published table.
struct Recoder<'a> {
    engine: &'a Embedded,
    plan: &'a RewritePlan,
    reader: CellReader,
    /// Columns to read, ascending.
    read: Vec<usize>,
    /// Where each published column is among those.
    places: Vec<usize>,
    /// Where each column that must not be missing is among those.
    required: Vec<usize>,
    /// Where each column is that a derived label looks at.
    sources: Vec<usize>,
    /// The labels of each published column that has any.
    labels: Vec<Option<StringViewArray>>,
    rare: Option<Rare<'a>>,
    schema: SchemaRef,
}

/// A batch of the published table.
struct Recoded {
    batch: RecordBatch,
    /// Records left out because a value is missing.
    dropped: usize,
    suppressed: usize,
}

impl<'a> Recoder<'a> {
    fn new(engine: &'a Embedded, plan: &'a RewritePlan, format: Format) -> Self {
        let published: Vec<usize> = plan.columns.iter().map(|column| column.source).collect();
        let sources = plan.derived.as_ref().map(|derived| derived.derive.columns()).unwrap_or_default();
        let (read, mut places) = ascending(&[&published[..], &plan.required, sources].concat());
        let sources = places.split_off(published.len() + plan.required.len());
        let required = places.split_off(published.len());
        let source = engine.source.schema();
        let fields = plan.columns.iter().map(|column| field(source.field(column.source), &column.how));
        let derived = plan.derived.iter().map(|derived| Field::new(&derived.name, DataType::UInt32, false));
        let fields: Vec<Field> = fields.chain(derived).collect();
        let labels = plan.columns.iter().map(|column| labels(column, plan, format)).collect();
        Recoder {
            engine,
            plan,
            reader: CellReader::new(engine.source.text(), &plan.nulls),
            read,
            places,
            required,
            sources,
            labels,
            rare: plan.suppress.as_ref().map(|suppress| Rare::new(suppress, &published)),
            schema: Arc::new(Schema::new(fields)),
        }
    }

    fn recode(&self, source: &RecordBatch) -> Result<Recoded, EngineError> {
        let batch = if self.required.is_empty() { source.clone() } else { self.without_missing(source)? };
        let number = |(column, &place): (&OutputColumn, &usize)| match &column.how {
            Treatment::Label(labeler) => self.number(batch.column(place), labeler, column.source).map(Some),
            Treatment::Keep | Treatment::Tokenize(_) => Ok(None),
        };
        let mut numbers = self.plan.columns.iter().zip(&self.places).map(number).collect::<Result<Vec<_>, _>>()?;
        let suppressed = self.rare.as_ref().map(|rare| rare.find(&numbers, batch.num_rows())).unwrap_or_default();
        if self.rare.as_ref().is_some_and(|rare| rare.how() == SuppressHow::Mask) {
            self.mask(&mut numbers, &suppressed);
        }
        let column = |(index, numbers): (usize, Option<Vec<u32>>)| {
            let cells = batch.column(self.places[index]);
            match (&self.plan.columns[index].how, numbers, &self.labels[index]) {
                (_, Some(numbers), Some(labels)) => {
                    take(labels, &UInt32Array::from(numbers), None).map_err(|source| self.arrow(source))
                }
                (Treatment::Tokenize(key), ..) => self.tokenize(cells, key),
                _ => Ok(cells.clone()),
            }
        };
        let mut columns: Vec<ArrayRef> = numbers.into_iter().enumerate().map(column).collect::<Result<_, _>>()?;
        if let Some(derived) = &self.plan.derived {
            columns.push(self.derive(&batch, derived)?);
        }
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let recoded = RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)
            .map_err(|source| self.arrow(source))?;
        let dropped = source.num_rows() - batch.num_rows();
        let rare = suppressed.iter().filter(|suppressed| **suppressed).count();
        let leave_out = rare > 0 && self.rare.as_ref().is_some_and(|rare| rare.how() == SuppressHow::Drop);
        let batch = if leave_out { self.without(&recoded, suppressed)? } else { recoded };
        Ok(Recoded { batch, dropped, suppressed: rare })
    }

    /// Gives suppressed records the label `*`, which comes after a column's own labels.
    fn mask(&self, numbers: &mut [Option<Vec<u32>>], suppressed: &[bool]) {
        for (numbers, labels) in numbers.iter_mut().zip(&self.labels) {
            let (Some(numbers), Some(labels)) = (numbers, labels) else { continue };
            let star = labels.len() as u32 - 1;
            numbers
                .iter_mut()
                .zip(suppressed)
                .filter(|(_, suppressed)| **suppressed)
                .for_each(|(label, _)| *label = star);
        }
    }

    /// The records that lack none of the required values.
    fn without_missing(&self, batch: &RecordBatch) -> Result<RecordBatch, EngineError> {
        let lacking = lacking(batch, &self.required, &self.reader, self.engine.path())?;
        self.without(batch, lacking)
    }

    /// The records that are not marked.
    fn without(&self, batch: &RecordBatch, marked: Vec<bool>) -> Result<RecordBatch, EngineError> {
        let keep: BooleanArray = marked.into_iter().map(|marked| Some(!marked)).collect();
        filter_record_batch(batch, &keep).map_err(|source| self.arrow(source))
    }

    /// The label that follows from the raw cells.
    fn derive(&self, batch: &RecordBatch, derived: &DerivedOutput) -> Result<ArrayRef, EngineError> {
        let encode = |&place: &usize| encode_column(self.engine, batch, place, &self.reader);
        let cells = self.sources.iter().map(encode).collect::<Result<Vec<_>, _>>()?;
        let labels = derived.derive.derive(batch.num_rows(), &cells.iter().collect::<Vec<_>>())?;
        Ok(Arc::new(UInt32Array::from(labels)))
    }

    /// The number of each cell's label.
    fn number(&self, cells: &ArrayRef, labeler: &Labeler, source: usize) -> Result<Vec<u32>, EngineError> {
        let text = as_text(cells, self.engine.path())?;
        let numbers = number_cells(&text, |cell| match cell.and_then(|cell| self.reader.value(cell)) {
            None => Ok(labeler.missing()),
            Some(value) => labeler.label(&value),
        });
        numbers.map_err(|error| EngineError::Value {
            attribute: self.engine.source.schema().field(source).name().clone(),
            error,
        })
    }

    /// A keyed hash of the value: a function nobody can evaluate without the key, which is never stored.
    fn tokenize(&self, cells: &ArrayRef, key: &[u8; 16]) -> Result<ArrayRef, EngineError> {
        let text = as_text(cells, self.engine.path())?;
        let token = |cell: Option<&str>| {
            let value = cell.and_then(|cell| self.reader.value(cell))?;
            let mut hasher = SipHasher24::new_with_key(key);
            hasher.write(value.as_bytes());
            Some(format!("{:032x}", hasher.finish128().as_u128()))
        };
        Ok(Arc::new(text.iter().map(token).collect::<StringViewArray>()))
    }

    fn arrow(&self, source: arrow_schema::ArrowError) -> EngineError {
        EngineError::Arrow { path: self.engine.path().to_owned(), source }
    }
}

/// Masked columns hold plain text, even where the source's text is raw CSV.
fn field(source: &Field, how: &Treatment) -> Field {
    match how {
        Treatment::Keep => source.clone(),
        Treatment::Label(_) | Treatment::Tokenize(_) => Field::new(source.name(), DataType::Utf8View, true)
            .with_metadata(HashMap::from([(TEXT_KEY.to_owned(), TEXT_PLAIN.to_owned())])),
    }
}

/// The labels as an array to take from. Missing values are null; in CSV they get the user's own marker, if there is one.
fn labels(column: &OutputColumn, plan: &RewritePlan, format: Format) -> Option<StringViewArray> {
    let Treatment::Label(labeler) = &column.how else { return None };
    let marker = plan.nulls.first().filter(|_| format == Format::Csv);
    let text = |label: &'_ Label| match label {
        Label::Text(text) => Some(text.clone()),
        Label::Missing => marker.cloned(),
    };
    let star = plan.suppress.iter().map(|_| Some(TOP.to_owned()));
    Some(labeler.labels().iter().map(text).chain(star).collect())
}
