//! The default engine: Arrow batches streamed through this process.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use cutline_engine::{
    CellKind, Column, ColumnProfile, CompressPlan, Counted, Engine, EngineError, Format, Order, Place, RewritePlan,
    Sample, SamplePlan, Watch, Written,
};

use crate::crew::{Crew, MOST_THREADS};
use crate::error::FileError;
use crate::remembered::Remembered;
use crate::rewrite::{self, MaskedBatches};
use crate::source::{self, KIND_CATEGORY, KIND_KEY, MemorySource, Source, SourceOptions, Without};
use crate::stored::StoredColumn;
use crate::{compress, profile, sample, several};

/// Reads a source on all cores, in passes of bounded memory.
pub struct Embedded {
    pub(crate) source: Arc<dyn Source>,
    /// The source's name, for messages.
    name: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) threads: usize,
    /// For work on whole columns: those who do it wait for nobody.
    crew: OnceLock<Crew>,
    /// The digests of the table's pieces, once a pass has read them all. Every other pass must find the same.
    pub(crate) seen: OnceLock<Vec<u64>>,
    /// How many records there are before each of the pieces, and at last in all of them.
    pub(crate) starts: OnceLock<Vec<usize>>,
    /// What the first pass that counted found in the columns that it grouped by.
    pub(crate) remembered: OnceLock<Remembered>,
    /// The same of columns that it only drew from, if it drew all records; the first such pass counts.
    pub(crate) stored: OnceLock<Vec<StoredColumn>>,
    /// How the numbers of each column are written, as far as they were seen: see [`CellReader::manner`](crate::cells::CellReader::manner).
    manners: Vec<AtomicU8>,
}

impl Embedded {
    /// An engine over a source.
    pub fn new(source: Box<dyn Source>, name: impl Into<String>, threads: usize) -> Self {
        let columns: Vec<Column> = source.schema().fields().iter().map(|field| column(field)).collect();
        let manners = columns.iter().map(|_| AtomicU8::new(0)).collect();
        let threads = threads.clamp(1, MOST_THREADS);
        Embedded {
            source: source.into(),
            name: name.into(),
            columns,
            threads,
            crew: OnceLock::new(),
            seen: OnceLock::new(),
            starts: OnceLock::new(),
            remembered: OnceLock::new(),
            stored: OnceLock::new(),
            manners,
        }
    }

    /// The same table without the records whose value in a column is one of these: all passes see the others alone.
    pub fn without(&self, column: usize, values: HashSet<String>) -> Self {
        let source = Without::new(Arc::clone(&self.source), column, values, self.path().to_owned());
        let without = Embedded::new(Box::new(source), self.name.clone(), self.threads);
        Embedded { seen: self.seen.clone(), ..without }
    }

    /// An engine over a file, the files of a folder, or those that match a pattern.
    pub fn open(location: &str, options: &SourceOptions, threads: usize) -> Result<Self, FileError> {
        Ok(Embedded::new(source::open(location, options, threads)?, location, threads))
    }

    /// An engine over batches in memory.
    pub fn of_batches(
        name: impl Into<String>,
        schema: SchemaRef,
        batches: Vec<RecordBatch>,
        threads: usize,
    ) -> Result<Self, FileError> {
        let name = name.into();
        let source = MemorySource::new(&name, schema, batches)?;
        Ok(Embedded::new(Box::new(source), name, threads))
    }

    /// The published table in memory, in place of [`Engine::rewrite`].
    pub fn masked_batches(&self, plan: &RewritePlan, watch: &dyn Watch) -> Result<MaskedBatches, EngineError> {
        Ok(rewrite::batches(self, plan, watch)?)
    }

    /// The types of the columns.
    pub fn schema(&self) -> SchemaRef {
        self.source.schema()
    }

    pub(crate) fn path(&self) -> &Path {
        Path::new(&self.name)
    }

    /// The error for a table that is not what an earlier pass read.
    pub(crate) fn changed(&self) -> FileError {
        FileError::Changed { path: self.path().to_owned() }
    }

    pub(crate) fn arrow(&self, source: ArrowError) -> FileError {
        FileError::Arrow { path: self.path().to_owned(), source }
    }

    /// An error if the numbers of a column are written in two ways.
    pub(crate) fn check_manner(&self, column: &str, manner: u8) -> Result<(), FileError> {
        let place = self.columns.iter().position(|other| other.name == column).filter(|_| manner != 0);
        let Some(seen) = place.and_then(|place| self.manners.get(place)) else { return Ok(()) };
        match seen.fetch_or(manner, Ordering::Relaxed) | manner {
            3 => Err(FileError::MixedNotation { path: self.path().to_owned(), column: column.to_owned() }),
            _ => Ok(()),
        }
    }

    /// Runs parallel work on this engine's number of threads.
    pub(crate) fn in_pool<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.crew.get_or_init(|| Crew::lent(self.threads)).work(work)
    }
}

impl Engine for Embedded {
    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> u64 {
        self.source.bytes()
    }

    fn format(&self) -> Option<Format> {
        Some(self.source.format())
    }

    fn order(&self) -> Order {
        Order::KeptOrRandom
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn profile(&self, nulls: &[String], watch: &dyn Watch) -> Result<Vec<ColumnProfile>, EngineError> {
        Ok(profile::profile(self, nulls, watch)?)
    }

    fn sample(&self, plan: &SamplePlan, watch: &dyn Watch) -> Result<Sample, EngineError> {
        Ok(sample::sample(self, plan, watch)?)
    }

    fn compress(&self, plan: &CompressPlan, watch: &dyn Watch) -> Result<Counted, EngineError> {
        Ok(compress::compress(self, plan, watch)?)
    }

    fn compress_all(&self, plans: &[CompressPlan], watch: &dyn Watch) -> Result<Vec<Counted>, EngineError> {
        Ok(several::compress_all(self, plans, watch)?)
    }

    fn compress_and_sample(
        &self,
        plan: &CompressPlan,
        drawn: &SamplePlan,
        watch: &dyn Watch,
    ) -> Result<(Counted, Sample), EngineError> {
        Ok(compress::compress_and_sample(self, plan, drawn, watch)?)
    }

    fn rewrite(&self, plan: &RewritePlan, place: &Place, watch: &dyn Watch) -> Result<Written, EngineError> {
        rewrite::rewrite(self, plan, place, watch)
    }
}

fn column(field: &Field) -> Column {
    let category = field.metadata().get(KIND_KEY).is_some_and(|kind| kind == KIND_CATEGORY);
    let cells = if category { CellKind::Category } else { kind_of(field.data_type()) };
    Column { name: field.name().clone(), cells }
}

/// What cells of a type are.
pub fn kind_of(data_type: &DataType) -> CellKind {
    match data_type {
        DataType::Dictionary(_, values) => kind_of(values),
        DataType::Boolean => CellKind::Boolean,
        DataType::Date32 | DataType::Date64 => CellKind::Date,
        DataType::Timestamp(..) | DataType::Time32(_) | DataType::Time64(_) => CellKind::Time,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            CellKind::Binary
        }
        other if other.is_nested() => CellKind::Nested,
        other if other.is_integer() => CellKind::Integer,
        other if other.is_numeric() => CellKind::Number,
        _ => CellKind::Text,
    }
}
