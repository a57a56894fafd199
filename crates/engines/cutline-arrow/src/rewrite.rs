//! The second pass: mask every record, into a file or into memory.

use std::fs::File;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::{Metadata, SchemaRef};
use cutline_engine::{EngineError, Format, Place, RecordOrder, RewritePlan, Watch, Written};

use crate::embedded::Embedded;
use crate::error::FileError;
use crate::files::io_error;
use crate::infer::types;
use crate::pass::{numbered_pass, pass};
use crate::persons::Persons;
use crate::recode::{Recoded, Recoder};
use crate::shuffle::{Shuffle, of_table};
use crate::sink::{self, Kept, Rebatch, Values};
use crate::source::TextStyle;

/// The published table in memory.
#[derive(Clone, Debug)]
pub struct MaskedBatches {
    /// Its columns: those that are not masked have their own types.
    pub schema: SchemaRef,
    /// Its records in order.
    pub batches: Vec<RecordBatch>,
    /// Which records of the table these are.
    pub origin: Origin,
    /// Records left out because a value is missing.
    pub dropped: u64,
    /// Suppressed records. They are among those in the batches, unless they are left out.
    pub suppressed: u64,
    /// A number for the person behind each record, if the plan asks for it.
    pub persons: Option<Vec<u32>>,
}

/// Which records of a table were published?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// All of them, in their order.
    All,
    /// Those with these numbers, ascending; the others were left out.
    Some(Vec<u64>),
    /// They were put into a random order, and nobody is to know.
    Secret,
}

impl Origin {
    /// Some more records: so many, of which those are left out that are marked. No mark at all is none.
    fn extend(&mut self, from: u64, records: usize, left_out: &[bool]) {
        if let (Origin::All, true) = (&*self, left_out.contains(&true)) {
            *self = Origin::Some((0..from).collect());
        }
        if let Origin::Some(rows) = self {
            let marked = |record: &usize| left_out.get(*record).copied().unwrap_or(false);
            rows.extend((0..records).filter(|record| !marked(record)).map(|record| from + record as u64));
        }
    }
}

/// Batches are recoded and encoded on all cores, and written in record order.
pub(crate) fn rewrite(
    engine: &Embedded,
    plan: &RewritePlan,
    place: &Place,
    watch: &dyn Watch,
) -> Result<Written, EngineError> {
    let Place::File { location, format } = place else {
        return Err(place.refused("it writes files"));
    };
    let mut written = Written {
        place: place.clone(),
        records: 0,
        dropped: 0,
        suppressed: 0,
        delimiter: delimiter(engine, *format),
        persons: None,
    };
    to_file(engine, plan, (location, *format), &mut written, watch)?;
    Ok(written)
}

/// What separates the fields of a CSV file: that of the source, if it is one.
fn delimiter(engine: &Embedded, format: Format) -> Option<u8> {
    let delimiter = match engine.source.text() {
        TextStyle::Csv { delimiter, .. } => delimiter,
        TextStyle::Plain => b',',
    };
    (format == Format::Csv).then_some(delimiter)
}

fn to_file(
    engine: &Embedded,
    plan: &RewritePlan,
    (path, format): (&Path, Format),
    written: &mut Written,
    watch: &dyn Watch,
) -> Result<(), FileError> {
    let types = types(engine, plan, format, &Cancelling(watch))?;
    let mut persons = Persons::new(engine, plan);
    let recoder = Recoder::new(engine, plan, format, &types, persons.column(plan));
    let file = File::create(path).map_err(|source| io_error(path, "create", source))?;
    let (encoder, mut writer) =
        sink::create(file, path, format, &recoder.schema, engine.source.text(), engine.threads)?;
    let recode = |batch: &RecordBatch, before| {
        let recoded = recoder.recode(batch, before)?;
        Ok((encoder.encode(&recoded.batch)?, recoded))
    };
    let mut count = |recoded: &Recoded| {
        written.records += recoded.batch.num_rows() as u64;
        written.dropped += recoded.dropped as u64;
        written.suppressed += recoded.suppressed as u64;
        persons.add(recoded, engine)
    };
    let Some(mut shuffle) = shuffle(engine, plan, &recoder.schema, folder_of(path), watch)? else {
        let write = |(piece, recoded): (_, Recoded)| {
            count(&recoded)?;
            writer.write(piece)
        };
        numbered_pass(engine, &recoder.read, recode, write, watch)?;
        written.persons = persons.finish();
        return writer.finish().map(drop);
    };
    let scatter = |recoded: Recoded| {
        count(&recoded)?;
        shuffle.add(&recoded.batch)
    };
    numbered_pass(engine, &recoder.read, |batch, before| recoder.recode(batch, before), scatter, watch)?;
    written.persons = persons.finish().map(|persons| shuffle.arrange(&persons));
    let write = |batch: RecordBatch| {
        writer.write(encoder.encode(&batch)?)?;
        if watch.cancelled() { Err(FileError::Interrupted) } else { Ok(()) }
    };
    shuffle.finish(write)?;
    // Whoever publishes the file syncs it.
    writer.finish().map(drop)
}

/// What puts the records into a random order, if that is asked for.
fn shuffle(
    engine: &Embedded,
    plan: &RewritePlan,
    schema: &SchemaRef,
    folder: &Path,
    watch: &dyn Watch,
) -> Result<Option<Shuffle>, FileError> {
    let RecordOrder::Random(key) = plan.order else { return Ok(None) };
    let key = of_table(key, seen(engine, watch)?);
    Shuffle::new(key, schema, engine.source.bytes(), folder).map(Some)
}

/// The digests of the table's pieces, which are read for this if no pass has read them yet.
fn seen<'e>(engine: &'e Embedded, watch: &dyn Watch) -> Result<&'e [u64], FileError> {
    if engine.seen.get().is_none() {
        pass(engine, &[], |_| Ok(()), Ok, &Cancelling(watch))?;
    }
    Ok(engine.seen.get().map_or(&[], Vec::as_slice))
}

/// A pass of which only the end can be told.
struct Cancelling<'a>(&'a dyn Watch);

impl Watch for Cancelling<'_> {
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The same in memory. Columns that are raw CSV text become plain text.
pub(crate) fn batches(engine: &Embedded, plan: &RewritePlan, watch: &dyn Watch) -> Result<MaskedBatches, FileError> {
    let mut persons = Persons::new(engine, plan);
    let types = vec![None; plan.columns.len()];
    let recoder = Recoder::new(engine, plan, Format::Arrow, &types, persons.column(plan));
    // An index that pandas noted is that of a file.
    let columns = recoder.schema.as_ref().clone().with_metadata(Metadata::default());
    let values = Values::new(engine.path(), &columns, engine.source.text(), Kept::Nothing);
    let schema = values.schema().clone();
    let origin = if matches!(plan.order, RecordOrder::Kept) { Origin::All } else { Origin::Secret };
    let mut masked = MaskedBatches { schema, batches: Vec::new(), origin, dropped: 0, suppressed: 0, persons: None };
    let mut read = 0;
    let mut shuffle = shuffle(engine, plan, &masked.schema, &std::env::temp_dir(), watch)?;
    let mut full = Rebatch::new(masked.schema.clone());
    let arrow = |source| engine.arrow(source);
    let recode = |batch: &RecordBatch, before| {
        let recoded = recoder.recode(batch, before)?;
        Ok(Recoded { batch: values.of(&recoded.batch)?, ..recoded })
    };
    let take = |recoded: Recoded| {
        persons.add(&recoded, engine)?;
        let Recoded { batch, dropped, suppressed, left_out, .. } = recoded;
        let records = left_out.len().max(batch.num_rows());
        masked.origin.extend(read, records, &left_out);
        read += records as u64;
        masked.dropped += dropped as u64;
        masked.suppressed += suppressed as u64;
        match &mut shuffle {
            Some(shuffle) => shuffle.add(&batch),
            None => full.add(&batch).map(|full| masked.batches.extend(full)).map_err(arrow),
        }
    };
    numbered_pass(engine, &recoder.read, recode, take, watch)?;
    masked.persons = persons.finish().map(|persons| match &shuffle {
        Some(shuffle) => shuffle.arrange(&persons),
        None => persons,
    });
    if let Some(shuffle) = shuffle {
        let take = |batch| full.add(&batch).map(|full| masked.batches.extend(full)).map_err(arrow);
        shuffle.finish(take)?;
    }
    masked.batches.extend(full.rest().map_err(arrow)?);
    Ok(masked)
}
