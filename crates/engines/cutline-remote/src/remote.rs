//! A table of a server as an engine.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use cutline_engine::{
    Column, ColumnProfile, CompressPlan, Counted, Engine, EngineError, ExplainPlan, Format, Order, Place, RewritePlan,
    Sample, SamplePlan, Statement, Watch, Written,
};

use crate::{Recounted, Server};

/// A table of a server, which is the engine of its records. Clones share the session; it ends with the last of them.
pub struct Remote<S> {
    server: Arc<S>,
    columns: Arc<[Column]>,
}

impl<S: Server> Remote<S> {
    /// The table that a server reads.
    pub fn new(server: S) -> Self {
        let columns = server.opened().columns.iter().map(|column| column.column.clone()).collect();
        Remote { server: Arc::new(server), columns }
    }

    /// The same table, for whoever recounts it.
    pub fn recounted(&self) -> Recounted<'_, S> {
        self.recounted_as(&self.opened().relation)
    }

    /// Another table there, by its quoted name, for whoever recounts it.
    pub fn recounted_as(&self, table: &str) -> Recounted<'_, S> {
        Recounted::new(&*self.server, table)
    }
}

impl<S> Clone for Remote<S> {
    fn clone(&self) -> Self {
        Remote { server: Arc::clone(&self.server), columns: Arc::clone(&self.columns) }
    }
}

impl<S> Deref for Remote<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.server
    }
}

impl<S: Server> fmt::Debug for Remote<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Remote({})", self.opened().name)
    }
}

impl<S: Server> Engine for Remote<S> {
    fn name(&self) -> &str {
        &self.opened().name
    }

    fn size(&self) -> u64 {
        self.opened().records
    }

    fn format(&self) -> Option<Format> {
        None
    }

    fn order(&self) -> Order {
        Order::None
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn profile(&self, nulls: &[String], watch: &dyn Watch) -> Result<Vec<ColumnProfile>, EngineError> {
        crate::profile(&*self.server, nulls, watch)
    }

    fn sample(&self, plan: &SamplePlan, watch: &dyn Watch) -> Result<Sample, EngineError> {
        crate::sample(&*self.server, plan, watch)
    }

    fn compress(&self, plan: &CompressPlan, watch: &dyn Watch) -> Result<Counted, EngineError> {
        crate::compress(&*self.server, plan, watch)
    }

    fn exceeds(&self, plan: &CompressPlan, most: u64, watch: &dyn Watch) -> Result<Option<bool>, EngineError> {
        crate::exceeds(&*self.server, plan, most, watch).map(Some)
    }

    fn compress_all(&self, plans: &[CompressPlan], watch: &dyn Watch) -> Result<Vec<Counted>, EngineError> {
        crate::compress_all(&*self.server, plans, watch)
    }

    fn explain(&self, plan: &ExplainPlan, watch: &dyn Watch) -> Result<Vec<Statement>, EngineError> {
        crate::explain(&*self.server, plan, watch)
    }

    fn rewrite(&self, plan: &RewritePlan, place: &Place, watch: &dyn Watch) -> Result<Written, EngineError> {
        self.server.rewrite(plan, place, watch)
    }
}
