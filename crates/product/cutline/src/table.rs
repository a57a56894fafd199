//! A table that can be masked, wherever its records are.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use cutline_arrow::source::SourceOptions;
use cutline_arrow::{Embedded, FileError};
use cutline_engine::{
    Column, ColumnProfile, CompressPlan, Counted, Engine, EngineError, ExplainPlan, Format, Order, Place, RewritePlan,
    Sample, SamplePlan, Statement, Watch, Written,
};

use crate::Error;

/// An open table. Clones are the same table.
#[derive(Clone)]
pub struct Table {
    engine: Arc<dyn Engine>,
    /// The engine again, if it is this process.
    embedded: Option<Arc<Embedded>>,
}

impl Table {
    /// Opens a file, the files of a folder, or those that match a pattern.
    pub fn open(location: &str, options: &SourceOptions, threads: usize) -> Result<Self, Error> {
        Ok(Table::embedded(Embedded::open(location, options, threads)?))
    }

    /// Batches in memory; `name` is for messages.
    pub fn of_batches(name: &str, schema: SchemaRef, batches: Vec<RecordBatch>, threads: usize) -> Result<Self, Error> {
        Ok(Table::embedded(Embedded::of_batches(name, schema, batches, threads)?))
    }

    /// Records that this process reads.
    pub fn embedded(engine: Embedded) -> Self {
        let engine = Arc::new(engine);
        Table { engine: engine.clone(), embedded: Some(engine) }
    }

    /// Records that are somewhere else.
    pub fn remote(engine: impl Engine + 'static) -> Self {
        Table { engine: Arc::new(engine), embedded: None }
    }

    /// The same table without the records whose value in a column is one of these.
    ///
    /// # Errors
    /// If the records are somewhere else.
    pub(crate) fn without(&self, column: usize, values: HashSet<String>) -> Result<Self, Error> {
        if values.is_empty() {
            return Ok(self.clone());
        }
        let engine = self.in_process().ok_or_else(|| Error::Contradiction {
            what: format!(
                "{} records of `{}` must be held back, and they are not in this process",
                values.len(),
                self.name()
            ),
            hint: "leave them out of the table or query that is read, or publish a file of it".to_owned(),
        })?;
        Ok(Table::embedded(engine.without(column, values)))
    }

    /// The engine, if it is this process: only then can the masked records be had in memory.
    pub(crate) fn in_process(&self) -> Option<&Embedded> {
        self.embedded.as_deref()
    }
}

/// Whatever asks an engine can ask a table.
impl Engine for Table {
    fn name(&self) -> &str {
        self.engine.name()
    }

    fn size(&self) -> u64 {
        self.engine.size()
    }

    fn format(&self) -> Option<Format> {
        self.engine.format()
    }

    fn order(&self) -> Order {
        self.engine.order()
    }

    fn columns(&self) -> &[Column] {
        self.engine.columns()
    }

    fn profile(&self, nulls: &[String], watch: &dyn Watch) -> Result<Vec<ColumnProfile>, EngineError> {
        self.engine.profile(nulls, watch)
    }

    fn sample(&self, plan: &SamplePlan, watch: &dyn Watch) -> Result<Sample, EngineError> {
        self.engine.sample(plan, watch)
    }

    fn compress(&self, plan: &CompressPlan, watch: &dyn Watch) -> Result<Counted, EngineError> {
        self.engine.compress(plan, watch)
    }

    fn exceeds(&self, plan: &CompressPlan, most: u64, watch: &dyn Watch) -> Result<Option<bool>, EngineError> {
        self.engine.exceeds(plan, most, watch)
    }

    fn compress_all(&self, plans: &[CompressPlan], watch: &dyn Watch) -> Result<Vec<Counted>, EngineError> {
        self.engine.compress_all(plans, watch)
    }

    fn compress_and_sample(
        &self,
        plan: &CompressPlan,
        drawn: &SamplePlan,
        watch: &dyn Watch,
    ) -> Result<(Counted, Sample), EngineError> {
        self.engine.compress_and_sample(plan, drawn, watch)
    }

    fn explain(&self, plan: &ExplainPlan, watch: &dyn Watch) -> Result<Vec<Statement>, EngineError> {
        self.engine.explain(plan, watch)
    }

    fn rewrite(&self, plan: &RewritePlan, place: &Place, watch: &dyn Watch) -> Result<Written, EngineError> {
        self.engine.rewrite(plan, place, watch)
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({}, {} columns)", self.engine.name(), self.columns().len())
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        Error::Engine(error.into())
    }
}
