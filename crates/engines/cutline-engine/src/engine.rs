//! The two passes over the records, wherever the records are.

use std::collections::HashSet;
use std::fs::File;
use std::path::PathBuf;

use arrow_schema::SchemaRef;
use cutline_model::recoding::{Labeler, SuppressHow};
use cutline_table::RawTable;

use crate::derive::{DerivedColumn, DerivedOutput};
use crate::error::EngineError;
use crate::profile::ColumnProfile;
use crate::sample::{Sample, SamplePlan};
use crate::source::Format;

/// Where the records are.
///
/// ```text
///             compress: GROUP BY columns, count(*)
///   records ───────────────────────────────────────► RawTable        only counts leave the engine
///
///             rewrite:  SELECT label(column), ...
///   records ───────────────────────────────────────► the published table
/// ```
///
/// [`crate::Embedded`] streams Arrow batches through this process. An engine for a database or a cluster sends both as
/// statements and keeps the records where they are: *compress* returns groups and counts, *rewrite* a projection whose labels
/// are a function of single values ([`Labeler`]), which SQL can express as CASE or as a join with a small table; suppressed
/// records are found by a semi-join with the combinations of labels that are too rare.
///
/// # Contract
/// - `compress` counts every record exactly once, or reports it as dropped.
/// - Which values are missing is decided in one place for both passes ([`crate::CellReader`]), so that they agree.
/// - `rewrite` keeps the order of records, and writes exactly the records that `compress` counted, less suppressed ones that are
///   to be left out.
pub trait Engine: Sync {
    /// Bytes that one pass reads, for progress.
    fn bytes(&self) -> u64;

    /// The format of the records.
    fn format(&self) -> Format;

    /// The table's columns.
    fn schema(&self) -> SchemaRef;

    /// A look at each column by itself, for proposals and guesses.
    fn profile(&self, nulls: &[String], watch: &dyn Watch) -> Result<Vec<ColumnProfile>, EngineError>;

    /// Draws some records, and looks at all values of their columns.
    fn sample(&self, plan: &SamplePlan, watch: &dyn Watch) -> Result<Sample, EngineError>;

    /// Groups the records by the given columns and counts.
    fn compress(&self, plan: &CompressPlan, watch: &dyn Watch) -> Result<RawTable, EngineError>;

    /// Applies a recoding to every record.
    fn rewrite(&self, plan: &RewritePlan, output: Output, watch: &dyn Watch) -> Result<Rewritten, EngineError>;
}

/// What to group by.
#[derive(Clone, Debug, Default)]
pub struct CompressPlan {
    /// Positions in the schema, in the order wanted.
    pub columns: Vec<usize>,
    /// Texts that stand for a missing value, beside the empty one.
    pub nulls: Vec<String>,
    /// Leave out records in which one of these columns is missing.
    pub required: Vec<usize>,
    /// A label to group by too, if there is one.
    pub derived: Option<DerivedColumn>,
}

/// What to write.
#[derive(Clone, Debug)]
pub struct RewritePlan {
    /// The published columns in order.
    pub columns: Vec<OutputColumn>,
    /// Texts that stand for a missing value, beside the empty one.
    pub nulls: Vec<String>,
    /// Leave out records in which one of these columns is missing.
    pub required: Vec<usize>,
    /// Records that are not published under their labels, if there are any.
    pub suppress: Option<SuppressPlan>,
    /// A label to publish after the other columns, if there is one.
    pub derived: Option<DerivedOutput>,
}

/// Records that are not published under their labels: those whose labels on some QID are listed.
#[derive(Clone, Debug)]
pub struct SuppressPlan {
    /// The combinations of labels of each QID.
    pub qids: Vec<RareLabels>,
    /// What becomes of the records.
    pub how: SuppressHow,
}

/// Combinations of labels that too few records have.
#[derive(Clone, Debug)]
pub struct RareLabels {
    /// Positions in the source's schema.
    pub columns: Vec<usize>,
    /// The labels of those columns, as their [`Labeler`]s number them.
    pub labels: HashSet<Box<[u32]>>,
}

/// One published column.
#[derive(Clone, Debug)]
pub struct OutputColumn {
    /// Its position in the source's schema.
    pub source: usize,
    /// What becomes of its cells.
    pub how: Treatment,
}

/// What becomes of a column's cells.
#[derive(Clone, Debug)]
pub enum Treatment {
    /// Published as they are.
    Keep,
    /// Replaced by labels.
    Label(Box<Labeler>),
    /// Replaced by tokens: equal values get equal tokens, and without the key nothing can be learned from one.
    Tokenize([u8; 16]),
}

/// Where to write.
#[derive(Debug)]
pub struct Output {
    /// An open, empty file.
    pub file: File,
    /// Its name, for messages.
    pub path: PathBuf,
    /// Its format.
    pub format: Format,
}

/// What was written.
#[derive(Debug)]
pub struct Rewritten {
    /// The file, flushed but not yet synced.
    pub file: File,
    /// Records written.
    pub records: u64,
    /// Records left out because a value is missing.
    pub dropped: u64,
    /// Suppressed records. They are among those written, unless they are left out.
    pub suppressed: u64,
    /// What separates the fields, if the file is CSV.
    pub delimiter: u8,
}

/// How a pass is watched and stopped from outside.
pub trait Watch: Sync {
    /// So many more bytes of the source are done.
    fn advance(&self, _bytes: u64) {}

    /// Must the work stop?
    fn cancelled(&self) -> bool {
        false
    }
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}
