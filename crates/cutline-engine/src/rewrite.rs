//! The second pass: apply the recoding to every record.

use std::collections::HashMap;
use std::hash::Hasher;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, RecordBatch, StringViewArray, UInt32Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use arrow_select::take::take;
use cutline_model::recoding::{Label, Labeler};
use siphasher::sip128::{Hasher128, SipHasher24};

use crate::cells::{CellReader, as_text, lacking, number_cells};
use crate::compress::ascending;
use crate::embedded::Embedded;
use crate::engine::{Output, OutputColumn, RewritePlan, Rewritten, Treatment, Watch, advance};
use crate::error::EngineError;
use crate::parallel::ordered;
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
    let (mut records, mut dropped) = (0, 0);
    ordered(
        engine.threads,
        engine.source.chunks()?,
        |chunk| {
            let bytes = chunk.bytes();
            let mut encoded = Vec::new();
            for batch in chunk.read(&recoder.read)? {
                let recoded = recoder.recode(&batch)?;
                encoded.push((encoder.encode(&recoded)?, recoded.num_rows(), batch.num_rows()));
            }
            Ok((encoded, bytes))
        },
        |(encoded, bytes)| {
            for (piece, written, read) in encoded {
                writer.write(piece)?;
                records += written as u64;
                dropped += (read - written) as u64;
            }
            advance(watch, bytes)
        },
    )?;
    let delimiter = match engine.source.text() {
        TextStyle::Csv { delimiter, .. } => delimiter,
        TextStyle::Plain => b',',
    };
    Ok(Rewritten { file: writer.finish()?, records, dropped, delimiter })
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
    /// The labels of each published column that has any.
    labels: Vec<Option<StringViewArray>>,
    schema: SchemaRef,
}

impl<'a> Recoder<'a> {
    fn new(engine: &'a Embedded, plan: &'a RewritePlan, format: Format) -> Self {
        let published: Vec<usize> = plan.columns.iter().map(|column| column.source).collect();
        let wanted: Vec<usize> = published.iter().chain(&plan.required).copied().collect();
        let (read, mut places) = ascending(&wanted);
        let required = places.split_off(published.len());
        let source = engine.source.schema();
        let fields: Vec<Field> =
            plan.columns.iter().map(|column| field(source.field(column.source), &column.how)).collect();
        let labels = plan.columns.iter().map(|column| labels(column, plan, format)).collect();
        Recoder {
            engine,
            plan,
            reader: CellReader::new(engine.source.text(), &plan.nulls),
            read,
            places,
            required,
            labels,
            schema: Arc::new(Schema::new(fields)),
        }
    }

    fn recode(&self, batch: &RecordBatch) -> Result<RecordBatch, EngineError> {
        let batch = if self.required.is_empty() { batch.clone() } else { self.without_missing(batch)? };
        let column = |((column, &place), labels): ((&OutputColumn, &usize), &Option<StringViewArray>)| {
            let cells = batch.column(place);
            match (&column.how, labels) {
                (Treatment::Label(labeler), Some(labels)) => self.label(cells, labeler, labels, column.source),
                (Treatment::Tokenize(key), _) => self.tokenize(cells, key),
                _ => Ok(cells.clone()),
            }
        };
        let columns: Vec<ArrayRef> =
            self.plan.columns.iter().zip(&self.places).zip(&self.labels).map(column).collect::<Result<_, _>>()?;
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        RecordBatch::try_new_with_options(self.schema.clone(), columns, &options).map_err(|source| self.arrow(source))
    }

    /// The records that lack none of the required values.
    fn without_missing(&self, batch: &RecordBatch) -> Result<RecordBatch, EngineError> {
        let lacking = lacking(batch, &self.required, &self.reader, self.engine.path())?;
        let keep: BooleanArray = lacking.into_iter().map(|lacking| Some(!lacking)).collect();
        filter_record_batch(batch, &keep).map_err(|source| self.arrow(source))
    }

    fn label(
        &self,
        cells: &ArrayRef,
        labeler: &Labeler,
        labels: &StringViewArray,
        source: usize,
    ) -> Result<ArrayRef, EngineError> {
        let text = as_text(cells, self.engine.path())?;
        let numbers = number_cells(&text, |cell| match cell.and_then(|cell| self.reader.value(cell)) {
            None => Ok(labeler.missing()),
            Some(value) => labeler.label(&value),
        });
        let numbers = numbers.map_err(|error| EngineError::Value {
            attribute: self.engine.source.schema().field(source).name().clone(),
            error,
        })?;
        take(labels, &UInt32Array::from(numbers), None).map_err(|source| self.arrow(source))
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
    Some(labeler.labels().iter().map(text).collect())
}
