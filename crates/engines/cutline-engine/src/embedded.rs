//! The default engine: Arrow batches streamed through this process.

use std::path::Path;

use arrow_schema::SchemaRef;
use cutline_table::RawTable;

use crate::compress;
use crate::engine::{CompressPlan, Engine, Output, RewritePlan, Rewritten, Watch};
use crate::error::EngineError;
use crate::profile::{self, ColumnProfile};
use crate::rewrite;
use crate::sample::{self, Sample, SamplePlan};
use crate::source::{Format, Source};

/// Reads a source on all cores, in two passes of bounded memory.
pub struct Embedded {
    pub(crate) source: Box<dyn Source>,
    /// The source's name, for messages.
    pub(crate) name: String,
    pub(crate) threads: usize,
}

impl Embedded {
    /// An engine over a source.
    pub fn new(source: Box<dyn Source>, name: impl Into<String>, threads: usize) -> Self {
        Embedded { source, name: name.into(), threads: threads.max(1) }
    }

    /// The source that is read.
    pub fn source(&self) -> &dyn Source {
        self.source.as_ref()
    }

    pub(crate) fn path(&self) -> &Path {
        Path::new(&self.name)
    }
}

impl Engine for Embedded {
    fn bytes(&self) -> u64 {
        self.source.bytes()
    }

    fn format(&self) -> Format {
        self.source.format()
    }

    fn schema(&self) -> SchemaRef {
        self.source.schema()
    }

    fn profile(&self, nulls: &[String], watch: &dyn Watch) -> Result<Vec<ColumnProfile>, EngineError> {
        profile::profile(self, nulls, watch)
    }

    fn sample(&self, plan: &SamplePlan, watch: &dyn Watch) -> Result<Sample, EngineError> {
        sample::sample(self, plan, watch)
    }

    fn compress(&self, plan: &CompressPlan, watch: &dyn Watch) -> Result<RawTable, EngineError> {
        compress::compress(self, plan, watch)
    }

    fn rewrite(&self, plan: &RewritePlan, output: Output, watch: &dyn Watch) -> Result<Rewritten, EngineError> {
        rewrite::rewrite(self, plan, output, watch)
    }
}
