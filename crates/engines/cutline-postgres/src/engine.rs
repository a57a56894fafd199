//! A table of a database as an engine.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use cutline_engine::{
    Column, ColumnProfile, CompressPlan, Counted, Engine, EngineError, Format, Order, Place, RewritePlan, Sample,
    SamplePlan, Watch, Written,
};

use crate::location::Location;
use crate::session::Session;
use crate::source::{Opened, Source};
use crate::{compress, look, rewrite, sample};

/// The distinct cells of a column.
pub(crate) type Cells = Arc<Vec<Option<String>>>;

/// A table of a database, seen in one snapshot. Clones share the transaction; when the last one goes, it is taken back.
#[derive(Clone)]
pub struct Postgres(Arc<Inner>);

struct Inner {
    session: Session,
    name: String,
    opened: Opened,
    columns: Vec<Column>,
    /// The cells that the first pass found, in the same snapshot that the second one sees.
    cells: Mutex<HashMap<usize, Cells>>,
}

impl Postgres {
    /// Connects, begins a transaction and looks at the table's columns.
    pub fn open(location: &Location, source: &Source) -> Result<Self, EngineError> {
        let session = Session::begin(location)?;
        let opened = source.open(&session)?;
        let columns = opened.columns.iter().map(|column| column.column.clone()).collect();
        Ok(Postgres(Arc::new(Inner { session, name: source.name(), opened, columns, cells: Mutex::default() })))
    }

    pub(crate) fn session(&self) -> &Session {
        &self.0.session
    }

    pub(crate) fn opened(&self) -> &Opened {
        &self.0.opened
    }

    /// Remembers the cells of a column for the second pass.
    pub(crate) fn remember(&self, column: usize, cells: Vec<Option<String>>) {
        self.0.cells.lock().unwrap_or_else(PoisonError::into_inner).insert(column, Arc::new(cells));
    }

    /// The cells of a column, if they were counted.
    pub(crate) fn remembered(&self, column: usize) -> Option<Cells> {
        self.0.cells.lock().unwrap_or_else(PoisonError::into_inner).get(&column).cloned()
    }
}

impl Engine for Postgres {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn size(&self) -> u64 {
        self.0.opened.records
    }

    fn format(&self) -> Option<Format> {
        None
    }

    fn order(&self) -> Order {
        Order::None
    }

    fn columns(&self) -> &[Column] {
        &self.0.columns
    }

    fn profile(&self, nulls: &[String], watch: &dyn Watch) -> Result<Vec<ColumnProfile>, EngineError> {
        look::profile(self, nulls, watch)
    }

    fn sample(&self, plan: &SamplePlan, watch: &dyn Watch) -> Result<Sample, EngineError> {
        sample::sample(self, plan, watch)
    }

    fn compress(&self, plan: &CompressPlan, watch: &dyn Watch) -> Result<Counted, EngineError> {
        compress::compress(self, plan, watch)
    }

    fn rewrite(&self, plan: &RewritePlan, place: &Place, watch: &dyn Watch) -> Result<Written, EngineError> {
        rewrite::rewrite(self, plan, place, watch)
    }
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Postgres({} of {})", self.0.name, self.0.session.location())
    }
}
