//! A table that can be masked, wherever its records are.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use cutline_arrow::source::SourceOptions;
use cutline_arrow::{Embedded, FileError};
use cutline_engine::{Column, Engine};

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

    /// The table's columns.
    pub fn columns(&self) -> &[Column] {
        self.engine.columns()
    }

    /// What the records are asked through.
    pub fn engine(&self) -> &(dyn Engine + 'static) {
        self.engine.as_ref()
    }

    /// The engine, if it is this process: only then can the masked records be had in memory.
    pub(crate) fn in_process(&self) -> Option<&Embedded> {
        self.embedded.as_deref()
    }
}

impl std::ops::Deref for Table {
    type Target = dyn Engine;

    fn deref(&self) -> &Self::Target {
        self.engine()
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
